//! The first walk through, on a small world.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use std::path::Path;
use std::process::Command;

fn walk(folder: &Path, seed: &str) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_rebus"))
        .args(["try", "--images", "300", "--seed", seed, "--json"])
        .arg(folder)
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    assert!(talk.lines().last().unwrap().starts_with("look at "), "{talk}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_walk_finds_far_more_than_chance() {
    let folder = tempfile::tempdir().unwrap();
    let world = folder.path().join("a world");
    let whole = walk(&world, "5");
    let [model, chance] = &whole["systems"].as_array().unwrap()[..] else { panic!("{whole}") };
    for task in ["annotation", "search"] {
        let (found, luck) = (&model[task]["R@10"], &chance[task]["R@10"]);
        assert!((luck.as_f64().unwrap() - 10.0 / 30.0).abs() < 1e-12);
        assert!(found.as_f64().unwrap() > 0.6, "{task}: {found}");
        assert!(model[task]["median"].as_f64().unwrap() < 8.0);
    }
    assert_eq!(whole["protocol"]["ties"], "worst");
    assert!(!whole["examples"]["search"][0]["pictures"].as_array().unwrap().is_empty());
    let page = std::fs::read_to_string(world.join("contact-sheet.html")).unwrap();
    assert!(!page.contains("http"), "the page asks nobody outside");
    assert!(world.join("model/model.json").exists());
}

#[test]
fn the_walk_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = walk(folder.path(), "2");
    let again = walk(folder.path(), "2");
    assert_eq!(first, again);
}
