//! The samples of the shared reader suite, for the fuzzer.

use std::path::{Path, PathBuf};

/// What the test suite expects of a sample; the fuzzer expects nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Pictures.
    pub items: usize,
    /// Sentences.
    pub captions: usize,
    /// Items with a split.
    pub splits: usize,
    /// Topics.
    pub topics: usize,
    /// Judgements.
    pub judgements: usize,
}

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
