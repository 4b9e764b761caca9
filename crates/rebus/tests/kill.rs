//! A conversion that is killed at any moment leaves its output absent or whole.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const REBUS: &str = env!("CARGO_BIN_EXE_rebus");
const ROWS: usize = 20_000;

fn convert(folder: &Path, to: &str, out: &Path) -> Command {
    let mut command = Command::new(REBUS);
    command.arg("convert").arg(folder.join("table.csv")).arg(out).args(["--to", to]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn table(folder: &Path) {
    let mut file = std::fs::File::create(folder.join("table.csv")).unwrap();
    let mut text = String::from("image,caption,split\n");
    for row in 0..ROWS {
        text += &format!("{}.jpg,Picture number {row} shows nothing.,train\n", row / 5);
    }
    file.write_all(text.as_bytes()).unwrap();
}

/// What a whole output looks like.
fn content(out: &Path) -> Option<Vec<u8>> {
    if out.is_dir() {
        return content(&out.join("shard-000000.tar"));
    }
    std::fs::read(out).ok()
}

#[test]
fn a_killed_conversion_leaves_all_or_nothing() {
    let home = tempfile::tempdir().unwrap();
    table(home.path());
    for (to, name) in [
        ("jsonl", "out.jsonl"),
        ("parquet", "out.parquet"),
        ("webdataset", "out.tar"),
        ("webdataset", "out"),
    ] {
        let whole = home.path().join(format!("whole-{name}"));
        let begun = Instant::now();
        assert!(convert(home.path(), to, &whole).status().unwrap().success(), "{to}");
        let time = begun.elapsed();
        let whole = content(&whole).unwrap();
        let (mut absent, mut there) = (0, 0);
        for step in 0..12 {
            let out = home.path().join(format!("{step}-{name}"));
            let mut child = convert(home.path(), to, &out).spawn().unwrap();
            // From the start to a little beyond the end.
            std::thread::sleep(time * step / 10 + Duration::from_millis(1));
            child.kill().unwrap();
            child.wait().unwrap();
            match content(&out) {
                None => {
                    assert!(!out.exists(), "{to}: a folder without its archive");
                    absent += 1;
                }
                Some(found) => {
                    assert_eq!(found, whole, "{to} killed at step {step}");
                    there += 1;
                }
            }
        }
        println!("{to}: {absent} absent, {there} whole");
        assert!(absent > 0, "{to}: the first kill came too late to say anything");
    }
}
