//! The published data sets, counted. Skipped, saying so, where they are not at hand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says aloud what it skips"
)]

use std::path::PathBuf;

use rebus_collection::format::{ReadOptions, guess};
use rebus_collection::{Collection, ImageSource, Severity, Split, Subject, Verdict};

/// A folder of the data, if it is there.
fn data(name: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("REBUS_DATA") {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

fn read(path: &std::path::Path, format: &str) -> Collection {
    let found = guess(path).unwrap();
    assert_eq!(found.name(), format, "{}", path.display());
    let mut collection = Collection::new();
    let start = std::time::Instant::now();
    found.read(path, &ReadOptions::default(), &mut collection).unwrap();
    println!("{} read in {:?}", path.display(), start.elapsed());
    collection
}

fn in_split(collection: &Collection, split: Split) -> usize {
    collection.items_in(&split).count()
}

#[test]
fn flickr8k() {
    let Some(path) = data("flickr8k") else { return };
    let collection = read(&path, "flickr");
    // 8,092 names stand in the token file; one of them is no photo's.
    assert_eq!(collection.items().len(), 8_091);
    assert_eq!(collection.captions().len(), 40_460 - 5);
    assert_eq!(in_split(&collection, Split::Train), 6_000);
    assert_eq!(in_split(&collection, Split::Dev), 1_000);
    assert_eq!(in_split(&collection, Split::Test), 1_000);
    let of = |set: &str| collection.judgements().iter().filter(|j| j.set == set).count();
    assert_eq!(of("expert"), 5_822 * 3);
    assert_eq!(of("crowd"), 47_830);
    let lost: Vec<_> =
        collection.findings().iter().filter(|f| f.severity == Severity::Skipped).collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].what.contains("2258277193_586949ec62.jpg.1"));
    assert!(lost[0].place.line.is_some());
    let at_hand = collection.items().iter().filter(|i| i.image != ImageSource::Absent).count();
    if path.join("photos").is_dir() {
        assert_eq!(at_hand, 7_000);
    }
    let file = read(&path.join("Flickr8k.token.txt"), "flickr");
    assert_eq!(file.captions().len(), collection.captions().len());
    let lemmas = read(&path.join("Flickr8k.lemma.token.txt.gz"), "flickr");
    assert!(lemmas.captions().len() > 40_000, "{}", lemmas.captions().len());
}

#[test]
fn corel5k() {
    let Some(path) = data("corel5k") else { return };
    let collection = read(&path, "corel5k");
    assert_eq!(collection.items().len(), 4_999);
    assert_eq!(in_split(&collection, Split::Train), 4_500);
    assert_eq!(in_split(&collection, Split::Test), 499);
    let words: std::collections::BTreeSet<&str> =
        collection.items().iter().flat_map(|item| &item.keywords).map(String::as_str).collect();
    assert_eq!(words.len(), 374);
    assert!(collection.items().iter().all(|item| (1..=5).contains(&item.keywords.len())));
    assert!(collection.items().iter().all(|item| !item.blobs.is_empty() && item.size.is_some()));
    let exact = collection.items().iter().filter(|item| item.blobs[0].count == Some(1)).count();
    assert_eq!(exact, 1_565);
    assert!(collection.findings().iter().all(|f| f.severity == Severity::Note));
}

#[test]
fn corel5k_as_published() {
    let Some(path) = data("corel5k/eccv2002") else { return };
    let collection = read(&path, "corel5k");
    assert_eq!(collection.items().len(), 4_500 + 500);
    assert_eq!(in_split(&collection, Split::Test), 500);
    assert!(collection.items().iter().all(|item| item.regions.is_some()));
    assert!(collection.findings().is_empty(), "{:?}", collection.findings());
    let Some(path) = data("corel5k/keywords.tsv") else { return };
    let tables = read(path.parent().unwrap(), "corel5k");
    for (published, joined) in collection.items().iter().zip(tables.items()).take(4_500) {
        let sorted = |words: &[String]| {
            let mut words = words.to_vec();
            words.sort();
            words
        };
        assert_eq!(sorted(&published.keywords), sorted(&joined.keywords), "{}", joined.id);
        assert_eq!(published.regions, joined.regions, "{}", joined.id);
    }
}

#[test]
fn corel5k_as_arff() {
    let Some(path) = data("corel5k/arff") else { return };
    let collection = read(&path, "corel5k");
    assert_eq!(in_split(&collection, Split::Train), 4_500);
    assert_eq!(in_split(&collection, Split::Test), 500);
    let told: Vec<_> = collection.findings().iter().map(|f| f.what.as_str()).collect();
    assert!(told.len() == 1 && told[0].starts_with("Cluster499 is set in"), "{told:?}");
}

#[test]
fn div400() {
    let Some(path) = data("div400") else { return };
    let collection = read(&path, "div400");
    assert_eq!(collection.topics().len(), 160);
    assert!(collection.topics().iter().all(|topic| topic.coordinates.is_some()));
    let of = |set: &str| collection.judgements().iter().filter(|j| j.set == set).count();
    assert_eq!(of("rGT"), 15_872);
    // Every relevant photo is in a cluster.
    assert_eq!(of("dGT"), 9_047);
    // 139 photos were found for two places.
    assert_eq!(collection.items().len(), 15_733);
    let dev = read(&path.join("devsetkeywords_topics.xml"), "div400");
    assert_eq!(dev.topics().len(), 25);
    let relevant = |topic: &rebus_collection::TopicId| {
        let query = Subject::Topic(topic.clone());
        collection.judgements().iter().any(|judgement| {
            judgement.set == "rGT"
                && judgement.query == query
                && judgement.verdict == Verdict::Grade(1)
        })
    };
    assert_eq!(collection.topics().iter().filter(|topic| !relevant(&topic.id)).count(), 3);
    // The first judgement of a topic is of the photo that Flickr ranked first.
    let first = collection.judgements().iter().find(|judgement| {
        let sydney = collection.topics().iter().find(|t| t.text == "ANZAC War Memorial Sydney");
        sydney.is_some_and(|topic| judgement.query == Subject::Topic(topic.id.clone()))
    });
    assert_eq!(first.unwrap().answer, Subject::Item("2496254831".into()));
    let lost: Vec<_> =
        collection.findings().iter().filter(|f| f.severity == Severity::Skipped).collect();
    // One photo of Santorini is put into its cluster twice.
    assert!(lost.len() == 1 && lost[0].what.contains("photo 189871491"), "{lost:?}");
}

#[test]
fn a_folder_of_photos() {
    let Some(path) = data("flickr8k/photos") else { return };
    let collection = read(&path, "folder");
    assert_eq!(collection.items().len(), 7_000);
    for item in collection.items() {
        let size = item.size.unwrap();
        assert!((1..=224).contains(&size.width.min(size.height)), "{}", item.id);
    }
}
