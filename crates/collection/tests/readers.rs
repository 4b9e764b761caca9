//! The suite that every reader passes.
//!
//! [`SAMPLES`] has a small collection in every format. A format without a sample fails the suite:
//! write one that has something of all that the format can hold, and give its counts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says aloud what it skips"
)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rebus_collection::format::{Confidence, FORMATS, ReadOptions, by_name, guess};
use rebus_collection::{Collection, Error, ImageSource, Item, Record};

#[path = "readers/samples.rs"]
mod samples;

use samples::{Counts, SAMPLES, Sample};

fn counts(collection: &Collection) -> Counts {
    let with_split = |item: &&Item| collection.split_of(&item.id).is_some();
    Counts {
        items: collection.items().len(),
        captions: collection.captions().len(),
        splits: collection.items().iter().filter(with_split).count(),
        topics: collection.topics().len(),
        judgements: collection.judgements().len(),
    }
}

fn read(sample: &Sample, path: &Path) -> (Collection, Result<(), Error>) {
    let mut collection = Collection::new();
    let format = by_name(sample.format).unwrap();
    let result = format.read(path, &ReadOptions::default(), &mut collection);
    (collection, result)
}

/// A fresh copy of a sample, and the path that a user would name.
fn write(sample: &Sample) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = (sample.write)(folder.path());
    (folder, path)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Whatever comes out, nothing panics and an error says something.
fn survives(sample: &Sample, path: &Path) {
    let (_, result) = read(sample, path);
    if let Err(error) = result {
        assert!(!error.to_string().is_empty());
        let _ = error.hint();
    }
    for format in FORMATS {
        let _ = format.recognise(path);
    }
}

#[test]
fn every_format_has_a_sample_and_a_name_of_its_own() {
    for format in FORMATS {
        let name = format.name();
        let samples = SAMPLES.iter().filter(|sample| sample.format == name).count();
        assert!(samples > 0, "the format {name} has no sample in tests/readers/samples.rs");
        assert_eq!(FORMATS.iter().filter(|other| other.name() == name).count(), 1, "{name} twice");
        assert!(!format.about().is_empty());
    }
    for sample in SAMPLES {
        assert!(by_name(sample.format).is_ok(), "no format {}", sample.format);
    }
}

#[test]
fn samples_are_recognised_and_read_in_full() {
    for sample in SAMPLES {
        let (_folder, path) = write(sample);
        assert_eq!(guess(&path).unwrap().name(), sample.format, "{}", path.display());
        let (collection, result) = read(sample, &path);
        result.unwrap();
        assert_eq!(counts(&collection), sample.counts, "{}", sample.format);
        let told: Vec<_> = collection.findings().iter().map(|finding| &finding.what).collect();
        assert!(told.len() <= sample.findings, "{}: {told:?}", sample.format);
    }
}

#[test]
fn single_files_are_recognised_whatever_they_are_called() {
    for sample in SAMPLES {
        let (folder, path) = write(sample);
        if path.is_dir() || files(folder.path()).len() > 1 {
            continue;
        }
        for name in ["data", "data.txt", "data.bin"] {
            let other = tempfile::tempdir().unwrap();
            let renamed = other.path().join(name);
            std::fs::copy(&path, &renamed).unwrap();
            let found = guess(&renamed).map(|format| format.name()).ok();
            assert_eq!(found, Some(sample.format), "{name}");
        }
    }
}

#[test]
fn content_goes_before_the_name_and_the_order_settles_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let guessed = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        guess(&path).map(|format| format.name())
    };
    assert_eq!(guessed("a.csv", "image\tcaption\na\tb\n").unwrap(), "tsv");
    assert_eq!(guessed("a.tsv", "image,caption\na,b\n").unwrap(), "csv");
    assert_eq!(guessed("b.csv", "image|caption\na|b\n").unwrap(), "csv");
    assert_eq!(guessed("a.txt", "{\"image\": \"a\"}\n{\"image\": \"b\"}\n").unwrap(), "jsonl");
    // Where the content says nothing, the name is asked.
    assert_eq!(guessed("c.tsv", "x\ty\n").unwrap(), "tsv");
    assert_eq!(guessed("c.csv", "").unwrap(), "csv");
    assert_eq!(guessed("d.jsonl", "not yet\n").unwrap(), "jsonl");
    let error = guessed("plain.txt", "Some words, and no table.\n").unwrap_err();
    assert!(error.hint().unwrap().contains("webdataset"));
}

#[test]
fn reading_twice_gives_the_same() {
    for sample in SAMPLES {
        let (_folder, path) = write(sample);
        let (first, second) = (read(sample, &path).0, read(sample, &path).0);
        assert_eq!(first.items(), second.items());
        assert_eq!(first.captions(), second.captions());
        assert_eq!(first.judgements(), second.judgements());
        assert_eq!(first.findings(), second.findings());
    }
}

#[test]
fn every_file_may_be_cut_at_every_byte() {
    for sample in SAMPLES {
        let (folder, path) = write(sample);
        for file in files(folder.path()) {
            let whole = std::fs::read(&file).unwrap();
            for end in 0..whole.len() {
                std::fs::write(&file, &whole[..end]).unwrap();
                survives(sample, &path);
            }
            std::fs::write(&file, &whole).unwrap();
        }
    }
}

#[test]
fn every_file_may_be_missing_empty_or_another_kind() {
    for sample in SAMPLES {
        let (folder, path) = write(sample);
        for file in files(folder.path()) {
            let whole = std::fs::read(&file).unwrap();
            for other in [
                &b""[..],
                b"\0\0\0\0",
                b"\xff\xfe",
                b"\xef\xbb\xbf",
                b"\n\n\n",
                b"\xe9t\xe9\t\xe9\n",
                b"{}",
                b"[]",
                b"null",
                b"<a/>",
                b"PK\x03\x04",
                b"\x1f\x8b\x08\x00",
            ] {
                std::fs::write(&file, other).unwrap();
                survives(sample, &path);
            }
            std::fs::remove_file(&file).unwrap();
            survives(sample, &path);
            std::fs::write(&file, &whole).unwrap();
        }
    }
}

#[test]
fn a_reader_stops_when_asked() {
    for sample in SAMPLES {
        let (_folder, path) = write(sample);
        let format = by_name(sample.format).unwrap();
        let mut seen = 0;
        let mut stop = |_: Record| {
            seen += 1;
            ControlFlow::Break(())
        };
        let result = format.read(&path, &ReadOptions::default(), &mut stop);
        assert!(matches!(result, Err(Error::Interrupted)), "{}", sample.format);
        assert_eq!(seen, 1, "{}", sample.format);
    }
}

#[test]
fn a_path_that_is_not_there_is_an_error_with_its_name() {
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere");
        assert_eq!(format.recognise(&path), Confidence::No, "{}", format.name());
        let mut collection = Collection::new();
        let result = format.read(&path, &ReadOptions::default(), &mut collection);
        let error = result.expect_err(format.name());
        assert!(error.to_string().contains("nowhere"), "{}: {error}", format.name());
    }
}

#[test]
fn pictures_are_examined_when_asked() {
    for sample in SAMPLES {
        let (_folder, path) = write(sample);
        let options = ReadOptions { examine_images: true, ..ReadOptions::default() };
        let mut collection = Collection::new();
        by_name(sample.format).unwrap().read(&path, &options, &mut collection).unwrap();
        assert_eq!(counts(&collection), sample.counts, "{}", sample.format);
        for item in collection.items() {
            let at_hand = item.image != ImageSource::Absent;
            assert_eq!(item.hash.is_some(), at_hand, "{}: {}", sample.format, item.id);
        }
    }
}

/// How bytes are spoilt.
#[derive(Debug, Clone)]
enum Spoil {
    Set(usize, u8),
    Insert(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Spoil::Set(at, byte)),
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Spoil::Insert(at, byte)),
        (any::<usize>(), 1..9usize).prop_map(|(at, many)| Spoil::Remove(at, many)),
        (any::<usize>(), 1..40usize).prop_map(|(at, many)| Spoil::Repeat(at, many)),
    ]
}

fn apply(bytes: &mut Vec<u8>, spoil: &Spoil) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match *spoil {
        Spoil::Set(at, byte) => bytes[at % length] = byte,
        Spoil::Insert(at, byte) => bytes.insert(at % length, byte),
        Spoil::Remove(at, many) => {
            let at = at % length;
            bytes.drain(at..(at + many).min(length));
        }
        Spoil::Repeat(at, many) => {
            let at = at % length;
            let piece = bytes[at..(at + many).min(length)].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_file_may_be_spoilt(
        file in any::<prop::sample::Index>(),
        spoils in prop::collection::vec(spoil(), 1..6),
    ) {
        // Every format gets its turn in each case, so that a new one is tried as often.
        for sample in SAMPLES {
            let (folder, path) = write(sample);
            let all = files(folder.path());
            let target = &all[file.index(all.len())];
            let mut bytes = std::fs::read(target).unwrap();
            for spoil in &spoils {
                apply(&mut bytes, spoil);
            }
            std::fs::write(target, &bytes).unwrap();
            survives(sample, &path);
        }
    }
}
