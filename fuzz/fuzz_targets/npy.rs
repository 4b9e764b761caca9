//! Any bytes as an array.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebus_collection::npy::{Npy, read_matrix};

fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("a.npy");
    if std::fs::write(&path, data).is_ok() {
        if let Ok(matrix) = read_matrix(&path) {
            let _ = matrix.first_not_finite();
        }
        let _ = Npy::open(&path).and_then(Npy::into_positions);
    }
});
