//! Any bytes in place of any file of any sample.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebus_collection::Collection;
use rebus_collection::format::{ReadOptions, by_name, guess};
use rebus_fuzz::{files, samples::SAMPLES};

fuzz_target!(|data: &[u8]| {
    let [sample, file, content @ ..] = data else { return };
    let sample = &SAMPLES[usize::from(*sample) % SAMPLES.len()];
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = (sample.write)(folder.path());
    let all = files(folder.path());
    let target = &all[usize::from(*file) % all.len()];
    if std::fs::write(target, content).is_err() {
        return;
    }
    let _ = guess(&path);
    let options = ReadOptions { examine_images: true, ..ReadOptions::default() };
    if let Ok(format) = by_name(sample.format) {
        let mut collection = Collection::new();
        if let Err(error) = format.read(&path, &options, &mut collection) {
            assert!(!error.to_string().is_empty());
        }
    }
});
