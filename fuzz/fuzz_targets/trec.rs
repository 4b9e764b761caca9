//! Any bytes as judgements and as a run.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebus_collection::trec::{Qrels, Run};

fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("file");
    if std::fs::write(&path, data).is_ok() {
        let _ = Qrels::read(&path);
        let _ = Run::read(&path);
    }
});
