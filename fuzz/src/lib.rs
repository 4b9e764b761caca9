//! The samples of the shared reader suite, for the fuzzer.

use std::path::{Path, PathBuf};

#[path = "../../crates/collection/tests/readers/samples.rs"]
pub mod samples;

/// The files of a folder and below, in order.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push(path);
        }
    }
    all.sort();
    all
}
