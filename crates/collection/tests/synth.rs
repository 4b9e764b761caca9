//! The synthetic world as our own readers see it, and what its captions are like.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::HashSet;

use rebus_collection::format::{ReadOptions, by_name, guess};
use rebus_collection::synth::{self, Settings};
use rebus_collection::{Collection, ImageSource, Silent, Split};

#[test]
fn both_forms_read_as_the_same_collection() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { images: 20, seed: 3 };
    let written = synth::write(folder.path(), settings, &Silent).unwrap();
    let read = |format: &dyn rebus_collection::format::Format, path| {
        let mut collection = Collection::new();
        format.read(path, &ReadOptions::default(), &mut collection).unwrap();
        collection
    };
    let table = read(guess(&written.collection).unwrap(), &written.collection);
    let tokens = read(by_name("flickr").unwrap(), folder.path());
    assert_eq!(table.items().len(), 20);
    assert!(table.findings().is_empty(), "{:?}", table.findings());
    assert!(tokens.findings().is_empty(), "{:?}", tokens.findings());
    for item in table.items() {
        let texts = |collection: &Collection| -> Vec<String> {
            collection.captions_of(&item.id).map(|caption| caption.text.clone()).collect()
        };
        assert_eq!(texts(&table), texts(&tokens));
        assert_eq!(texts(&table).len(), 5);
        assert_eq!(table.split_of(&item.id), tokens.split_of(&item.id));
        assert!(!item.keywords.is_empty());
        let ImageSource::File(path) = &item.image else { panic!("{:?}", item.image) };
        assert!(path.exists(), "{}", path.display());
    }
    assert_eq!(table.items_in(&Split::Test).count(), 2);
}

#[test]
fn captions_are_clean_english_and_differ_as_peoples_do() {
    let specimens: Vec<_> = (0..300).map(|k| synth::specimen(11, k)).collect();
    let mut words = HashSet::new();
    let (mut passive, mut fragments, mut all_different) = (0, 0, 0);
    for specimen in &specimens {
        let distinct: HashSet<&String> = specimen.captions.iter().collect();
        all_different += usize::from(distinct.len() == specimen.captions.len());
        for caption in &specimen.captions {
            assert!(!caption.contains("  ") && caption.trim() == caption, "{caption:?}");
            assert!(caption.split(' ').count() >= 2, "{caption:?}");
            let lower = caption.to_lowercase();
            let lower = lower.trim_end_matches('.');
            for pair in lower.split(' ').collect::<Vec<_>>().windows(2) {
                let vowel = pair[1].starts_with(['a', 'e', 'i', 'o', 'u']);
                assert!(!(pair[0] == "a" && vowel), "{caption:?}");
                assert!(pair[0] != "an" || vowel, "{caption:?}");
                assert!(pair[0] != pair[1], "{caption:?}");
            }
            passive += usize::from(lower.contains(" by a"));
            let verb = [" is ", " are ", "s "].iter().any(|mark| lower.contains(mark));
            fragments += usize::from(!verb);
            words.extend(lower.split(' ').map(str::to_owned));
        }
    }
    assert!(words.len() > 180, "{} words", words.len());
    assert!(all_different > 200, "{all_different} of 300 have five different captions");
    assert!(passive > 40, "{passive}");
    assert!(fragments > 100, "{fragments}");
}

#[test]
fn pictures_are_not_alike() {
    let pictures: HashSet<Vec<u8>> =
        (0..40).map(|k| synth::specimen(1, k).picture.into_raw()).collect();
    assert_eq!(pictures.len(), 40);
}
