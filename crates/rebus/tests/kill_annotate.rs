//! Annotating with `--write xmp`, killed at any moment: every sidecar is what it was or what it was
//! to be, and everything can be taken back.
//!
//! `REBUS_KILLS` says how many moments are tried.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const REBUS: &str = env!("CARGO_BIN_EXE_rebus");
const PHOTOS: usize = 30;

/// A sidecar that somebody else wrote.
const THERE: &str = "<?xml version='1.0'?>\n<!-- mine -->\n<rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n <rdf:Description \
    xmlns:dc='http://purl.org/dc/elements/1.1/' dc:title='Mine'/>\n</rdf:RDF>\n";

fn rebus(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(REBUS);
    command.args(args).env("REBUS_HOME", home.join("home")).current_dir(home);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The files beside the photos.
fn sidecars(photos: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = std::fs::read_dir(photos).unwrap().map(|entry| entry.unwrap().path());
    let sidecars = files.filter(|path| path.extension().is_some_and(|ending| ending == "xmp"));
    sidecars.map(|path| (path.clone(), std::fs::read(&path).unwrap())).collect()
}

/// Every third photo has a sidecar already.
fn begin(photos: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    for path in sidecars(photos).keys() {
        std::fs::remove_file(path).unwrap();
    }
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(photos).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    names.sort();
    for photo in names.iter().step_by(3) {
        std::fs::write(photo.with_extension("xmp"), THERE).unwrap();
    }
    sidecars(photos)
}

#[test]
fn killed_at_any_moment_nothing_is_half_written() {
    let moments: u32 =
        std::env::var("REBUS_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let home = tempfile::tempdir().unwrap();
    let count = PHOTOS.to_string();
    assert!(
        rebus(home.path(), &["synth", "world", "--images", &count]).status().unwrap().success()
    );
    let photos = home.path().join("world/photos");
    let args = ["annotate", "world/photos", "--write", "xmp", "--min-probability", "0.001"];
    // The first run looks at the pictures; from then on their features are kept.
    begin(&photos);
    assert!(rebus(home.path(), &args).status().unwrap().success());
    let before = begin(&photos);
    let begun = Instant::now();
    assert!(rebus(home.path(), &args).status().unwrap().success());
    let time = begun.elapsed();
    let after = sidecars(&photos);
    assert_eq!(after.len(), PHOTOS);
    let (mut untouched, mut midway, mut whole) = (0, 0, 0);
    for moment in 0..moments {
        assert_eq!(begin(&photos), before);
        std::fs::remove_file(home.path().join("home/sidecars.jsonl")).unwrap();
        let mut child = rebus(home.path(), &args).spawn().unwrap();
        // The last two thirds of the time: before that nothing is written.
        let wait = time / 3 + time * moment / moments * 4 / 5;
        std::thread::sleep(wait + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = sidecars(&photos);
        let mut written = 0;
        for (path, new) in &after {
            let (old, now) = (before.get(path), found.get(path));
            assert!(now == old || now == Some(new), "{} at moment {moment}", path.display());
            written += usize::from(now == Some(new));
        }
        assert!(found.keys().all(|path| after.contains_key(path)));
        match written {
            0 => untouched += 1,
            PHOTOS => whole += 1,
            _ => midway += 1,
        }
        let status = rebus(home.path(), &["annotate", "--undo"]).status().unwrap();
        assert!(status.success() || written == 0, "moment {moment}: {status}");
        assert_eq!(sidecars(&photos), before, "moment {moment}");
    }
    println!("{moments} kills: {untouched} before, {midway} midway, {whole} after the writing");
}
