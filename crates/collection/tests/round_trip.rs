//! What is written can be read again, and is the same collection.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::path::Path;

use proptest::prelude::*;
use rebus_collection::format::{ReadOptions, by_name, guess};
use rebus_collection::writers::{self, WriteOptions, Written};
use rebus_collection::*;

/// Writes records in a format, and reads the file again with the format it is guessed to be.
fn round(records: &[Record], to: &str, name: &str) -> (Collection, Written) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(name);
    let mut output = writers::by_name(to).unwrap().create(&path, &WriteOptions::default()).unwrap();
    for record in records {
        assert!(output.take(record.clone()).is_continue());
    }
    let written = output.finish().unwrap();
    let left: Vec<_> =
        std::fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, [name]);
    let format = guess(&path).unwrap();
    assert_eq!(format.name(), to);
    let mut collection = Collection::new();
    format.read(&path, &ReadOptions::default(), &mut collection).unwrap();
    assert_eq!(collection.findings(), []);
    (collection, written)
}

fn collect(records: &[Record]) -> Collection {
    let mut collection = Collection::new();
    for record in records {
        let _ = collection.take(record.clone());
    }
    collection
}

fn word() -> impl Strategy<Value = String> {
    "[^\\s\\p{C}]([^\\p{C}]{0,12}[^\\s\\p{C}])?"
}

fn maybe_word() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(word())
}

fn metadata() -> impl Strategy<Value = Metadata> {
    let texts = (maybe_word(), maybe_word(), maybe_word(), maybe_word());
    let names = (maybe_word(), maybe_word(), maybe_word());
    let point = proptest::option::of((-90.0..=90.0f64, -180.0..=180.0f64));
    let tags = proptest::collection::btree_set(word(), 0..4);
    (texts, names, point, tags).prop_map(|(texts, names, point, tags)| Metadata {
        title: texts.0,
        description: texts.1,
        date: texts.2,
        place: texts.3,
        camera: names.0,
        author: names.1,
        licence: names.2,
        coordinates: point.map(|(latitude, longitude)| Coordinates { latitude, longitude }),
        tags: tags.into_iter().collect(),
    })
}

fn item() -> impl Strategy<Value = Item> {
    let picture = prop_oneof![
        Just(ImageSource::Absent),
        proptest::collection::vec(any::<u8>(), 1..40).prop_map(|b| ImageSource::Bytes(b.into())),
    ];
    let blob = (any::<u32>(), proptest::option::of(any::<u32>()));
    let blobs = proptest::collection::btree_map(any::<u32>(), blob, 0..3);
    let keywords = proptest::collection::btree_set(word(), 0..4);
    let seen = (any::<Option<[u8; 32]>>(), any::<Option<(u32, u32)>>(), any::<Option<u32>>());
    ((0..5u8), picture, metadata(), blobs, keywords, seen).prop_map(
        |(name, image, metadata, blobs, keywords, (hash, size, regions))| Item {
            id: format!("{name}.jpg").into(),
            image,
            hash: hash.map(ContentHash),
            size: size.map(|(width, height)| Size { width, height }),
            metadata,
            keywords: keywords.into_iter().collect(),
            blobs: blobs.into_iter().map(|(token, (_, count))| Blob { token, count }).collect(),
            regions,
        },
    )
}

fn subject() -> impl Strategy<Value = Subject> {
    prop_oneof![
        word().prop_map(|id| Subject::Item(id.into())),
        word().prop_map(|id| Subject::Caption(id.into())),
        word().prop_map(|id| Subject::Topic(id.into())),
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let verdict = prop_oneof![
        any::<i64>().prop_map(Verdict::Grade),
        any::<u32>().prop_map(Verdict::Cluster),
        (any::<u32>(), any::<u32>()).prop_map(|(yes, no)| Verdict::Votes { yes, no }),
    ];
    let topic = (word(), word(), proptest::option::of((-90.0..=90.0f64, -180.0..=180.0f64)));
    prop_oneof![
        item().prop_map(|item| Record::Item(Box::new(item))),
        (word(), (0..5u8), word()).prop_map(|(id, item, text)| Record::Caption(Caption {
            id: id.into(),
            item: format!("{item}.jpg").into(),
            text,
        })),
        topic.prop_map(|(id, text, point)| Record::Topic(Topic {
            id: id.into(),
            text,
            coordinates: point.map(|(latitude, longitude)| Coordinates { latitude, longitude }),
        })),
        (word(), subject(), subject(), maybe_word(), verdict).prop_map(
            |(set, query, answer, judge, verdict)| {
                Record::Judgement(Judgement { set, query, answer, judge, verdict })
            }
        ),
    ]
}

/// Records in any order, and at most one split an item.
fn records() -> impl Strategy<Value = Vec<Record>> {
    let splits = proptest::collection::btree_map(0..5u8, 0..4usize, 0..5);
    (proptest::collection::vec(record(), 1..30), splits).prop_map(|(mut records, splits)| {
        for (item, split) in splits {
            let names = [Split::Train, Split::Dev, Split::Test, Split::Other("restval".into())];
            let record = Record::Split(format!("{item}.jpg").into(), names[split].clone());
            records.insert(item as usize % records.len(), record);
        }
        records
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn json_lines_give_the_same_collection(records in records()) {
        let (read, written) = round(&records, "jsonl", "all.jsonl");
        prop_assert_eq!(&read, &collect(&records));
        prop_assert_eq!(written.captions as usize, read.captions().len());
    }

    #[test]
    #[cfg(feature = "parquet")]
    fn parquet_gives_the_same_collection(records in records()) {
        prop_assert_eq!(round(&records, "parquet", "all.parquet").0, collect(&records));
    }
}

fn sample() -> Vec<Record> {
    let mut records = Vec::new();
    for name in ["b.x.jpg", "a.jpg", "a.png", "photos/\u{e4}.jpg"] {
        let mut item = Item::new(name);
        item.image = ImageSource::Bytes(b"\xff\xd8\xff picture"[..].into());
        item.keywords = vec!["sun".into(), "sea, deep".into()];
        item.metadata.title = Some("Dawn".into());
        records.push(Record::Item(Box::new(item)));
        for k in 0..2 {
            records.push(Record::Caption(Caption {
                id: format!("{name}#{k}").into(),
                item: name.into(),
                text: format!("Picture {k} of \"{name}\""),
            }));
        }
        records.push(Record::Split(name.into(), Split::Test));
    }
    records
}

#[test]
fn archives_give_the_same_collection() {
    for name in ["all.tar", "shards"] {
        let (read, written) = round(&sample(), "webdataset", name);
        assert_eq!(read, collect(&sample()));
        assert_eq!((written.items, written.captions), (4, 8));
        assert!(written.left_out.is_empty());
    }
}

#[test]
fn archives_say_what_they_cannot_hold() {
    let mut records = sample();
    records.push(Record::Topic(Topic { id: "t".into(), text: "x".into(), coordinates: None }));
    records.push(Record::Item(Box::new(Item::new("nowhere.jpg"))));
    records.push(Record::Caption(Caption { id: "y#0".into(), item: "y".into(), text: "y".into() }));
    let (_, written) = round(&records, "webdataset", "all.tar");
    assert_eq!(written.left_out.len(), 3, "{:?}", written.left_out);
}

#[test]
fn pictures_beside_a_table_move_with_it() {
    let home = tempfile::tempdir().unwrap();
    let mut item = Item::new("a");
    item.image = ImageSource::File(home.path().join("photos/a.jpg"));
    let path = home.path().join("t.jsonl");
    let writer = writers::by_name("jsonl").unwrap();
    let mut output = writer.create(&path, &WriteOptions::default()).unwrap();
    let _ = output.take(Record::Item(Box::new(item)));
    output.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "{\"record\":\"item\",\"item\":\"a\",\"image\":\"photos/a.jpg\"}\n");
    let moved = tempfile::tempdir().unwrap();
    std::fs::rename(&path, moved.path().join("t.jsonl")).unwrap();
    let read = Collection::read(&moved.path().join("t.jsonl")).unwrap();
    let there = ImageSource::File(moved.path().join("photos/a.jpg"));
    assert_eq!(read.items()[0].image, there);
}

#[test]
fn the_flickr30k_table_is_read_whole() {
    let data = std::env::var_os("REBUS_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        Into::into,
    );
    let path = data.join("flickr30k/captions.tsv");
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return;
    }
    assert_eq!(guess(&path).unwrap().name(), "tsv");
    let all = Collection::read(&path).unwrap();
    assert_eq!(all.captions().len(), 145_755);
    assert_eq!(all.items().len(), 29_151);
    assert!(all.findings().is_empty());
    assert!(by_name("tsv").is_ok());
}
