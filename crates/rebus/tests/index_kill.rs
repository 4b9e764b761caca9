//! Indexing that is killed at any moment leaves an index that opens, with all that was committed.
//!
//! The long form, 200 kills: `cargo test -p rebus --test index_kill -- --ignored --nocapture`.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rebus_collection::Silent;
use rebus_collection::synth::{self, Settings};
use rebus_index::{Error, Index, PhotoId, check};

const REBUS: &str = env!("CARGO_BIN_EXE_rebus");
const PHOTOS: u64 = 400;

/// A world, a model that looks fast, and a folder for indexes.
struct Bench {
    home: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { home: tempfile::tempdir().unwrap() };
        let settings = Settings { images: PHOTOS, seed: 3 };
        synth::write(&bench.path("world"), settings, &Silent).unwrap();
        let train = ["train", "cca", "--network", "grid-colour-edge", "--set", "dimensions=16"];
        let made = bench
            .rebus(&train)
            .arg("--data")
            .arg(bench.path("world/collection.jsonl"))
            .arg("--out")
            .arg(bench.path("model"))
            .status();
        assert!(made.unwrap().success());
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn rebus(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(REBUS);
        command.args(arguments).env("REBUS_HOME", self.path("home"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn index(&self, folder: &Path) -> Command {
        let mut command = self.rebus(&["index"]);
        command.arg(self.path("world/photos")).arg("--index").arg(folder);
        command.arg("--model").arg(self.path("model")).args(["--commit-every", "0.05"]);
        command
    }
}

/// What an index holds: the path and the vector of every photo, by slot.
fn content(folder: &Path) -> BTreeMap<PhotoId, (PathBuf, Vec<f32>)> {
    let index = match Index::open(folder) {
        Ok(index) => index,
        // Killed before there was one.
        Err(Error::Absent { .. }) => return BTreeMap::new(),
        Err(error) => panic!("{}: {error}", folder.display()),
    };
    let vectors = index.models().first().map(|model| index.vectors(&model.name).unwrap());
    let photos = index.photos().map(|photo| photo.unwrap());
    photos
        .map(|photo| {
            let row = vectors.as_ref().unwrap().row(photo.id).unwrap().unwrap();
            (photo.id, (photo.path, row))
        })
        .collect()
}

fn kill_at_random_moments(kills: u32) {
    let bench = Bench::new();
    let whole = bench.path("whole");
    let begun = Instant::now();
    assert!(bench.index(&whole).status().unwrap().success());
    let time = begun.elapsed();
    let whole = content(&whole);
    assert_eq!(whole.len() as u64, PHOTOS);

    let (mut resumed, mut rounds, mut seed) = (0, 0, 88172645463325252u64);
    let mut folder = bench.path("round-0");
    let mut committed = BTreeMap::new();
    for kill in 0..kills {
        // Any moment of a run, now and then right at its start.
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let share = (seed % 1000) as f64 / 1000.0;
        let mut child = bench.index(&folder).spawn().unwrap();
        std::thread::sleep(time.mul_f64(share * share * 0.8) + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = content(&folder);
        for (id, photo) in &committed {
            assert_eq!(found.get(id), Some(photo), "kill {kill} lost what was committed");
        }
        for (id, photo) in &found {
            assert_eq!(whole.get(id), Some(photo), "kill {kill} left something else");
        }
        if folder.join("index.json").exists() {
            let report = check(&folder, &Silent).unwrap();
            assert!(report.damages.is_empty(), "kill {kill}: {:?}", report.damages);
        }
        resumed += usize::from(!found.is_empty());
        committed = found;
        if committed.len() as u64 == PHOTOS {
            rounds += 1;
            folder = bench.path(&format!("round-{rounds}"));
            committed = BTreeMap::new();
        }
    }
    assert!(bench.index(&folder).status().unwrap().success());
    assert_eq!(content(&folder), whole);
    println!("{kills} kills, {resumed} after a commit, {rounds} indexes finished in spite of them");
}

#[test]
fn a_killed_run_is_gone_on_with() {
    kill_at_random_moments(12);
}

#[test]
#[ignore = "takes some minutes"]
fn two_hundred_kills() {
    kill_at_random_moments(200);
}
