//! Any bytes as captions, as JSON and as text, and as keywords.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebus_eval::annotation::Keywords;
use rebus_eval::captions::read;

fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    for name in ["captions.json", "captions.txt"] {
        let path = folder.path().join(name);
        if std::fs::write(&path, data).is_ok() {
            let _ = read::read(&path);
            let _ = Keywords::read(&path);
        }
    }
});
