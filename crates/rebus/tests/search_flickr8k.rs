//! Search on the development part of Flickr8k as a library of photos without a word about them:
//! everyday queries find what people would have said, and nonsense finds nothing. A photo is right if its
//! captions hold every word of the query.
//!
//! It indexes 1,000 photos, which takes a minute or so in a release build:
//!
//! ```sh
//! cargo test --release -p rebus --test search_flickr8k -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rebus_collection::Collection;
use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::stage::LowerCase;
use rebus_text::stop_words::StopWords;
use rebus_text::{Analysis, Tokeniser};
use serde_json::Value;

/// What anybody might type. They were written down before any result was seen.
const EVERYDAY: [&str; 10] = [
    "dog",
    "beach",
    "snow",
    "bike",
    "football",
    "skateboard",
    "rock climbing",
    "a dog running in the grass",
    "two dogs playing",
    "a boy in the water",
];
const NONSENSE: [&str; 2] = ["zxqv", "a diagram of a tax form"];
/// So many words without a right photo are asked for at most.
const ABSENT: usize = 500;
/// How many of the first ten must be right, in the mean of the queries.
const ENOUGH: f64 = 7.0;

fn flickr8k() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("REBUS_DATA").map_or(beside, PathBuf::from);
    Some(data.join("flickr8k")).filter(|folder| folder.join("photos").is_dir())
}

fn rebus(home: &Path, arguments: &[&str]) -> (Option<i32>, Vec<u8>) {
    let done = Command::new(env!("CARGO_BIN_EXE_rebus"))
        .args(arguments)
        .env("REBUS_HOME", home)
        .output()
        .unwrap();
    eprint!("{}", String::from_utf8_lossy(&done.stderr));
    (done.status.code(), done.stdout)
}

/// Words that captions of other photos have and none of these, each as somebody wrote it: at most
/// [`ABSENT`], taken evenly.
fn absent_words(
    said: &BTreeMap<String, BTreeSet<String>>,
    names: &BTreeSet<&str>,
    surfaces: &BTreeMap<String, String>,
) -> Vec<String> {
    let here: BTreeSet<&String> = names.iter().flat_map(|name| &said[*name]).collect();
    let words = || surfaces.iter().filter(|(stem, _)| !here.contains(stem)).map(|(_, word)| word);
    let step = words().count().div_ceil(ABSENT).max(1);
    words().step_by(step).cloned().collect()
}

#[test]
#[ignore = "indexes 1,000 photos: minutes unless built with --release"]
fn everyday_queries_find_and_nonsense_does_not() {
    let Some(data) = flickr8k() else {
        eprintln!("skipped: no flickr8k in REBUS_DATA or ../shared/data");
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let photos = home.path().join("photos");
    std::fs::create_dir(&photos).unwrap();
    let list = std::fs::read_to_string(data.join("Flickr_8k.devImages.txt")).unwrap();
    let names: BTreeSet<&str> = list.split_whitespace().collect();
    for name in &names {
        std::fs::copy(data.join("photos").join(name), photos.join(name)).unwrap();
    }
    let stems = Analysis::new(Tokeniser::Words)
        .then(LowerCase)
        .then(StopWords)
        .then(PorterStemmer(Variant::Published));
    let mut said: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let plain = Analysis::new(Tokeniser::Words).then(LowerCase).then(StopWords);
    let mut surfaces: BTreeMap<String, String> = BTreeMap::new();
    for caption in Collection::read(&data).unwrap().captions() {
        for word in plain.tokens(&caption.text) {
            if let [stem] = stems.tokens(&word).as_slice() {
                surfaces.entry(stem.clone()).or_insert(word);
            }
        }
        let words = stems.tokens(&caption.text);
        said.entry(caption.item.as_str().to_owned()).or_default().extend(words);
    }
    let index = home.path().join("index");
    let index = index.to_str().unwrap();
    let (code, _) = rebus(home.path(), &["index", photos.to_str().unwrap(), "--index", index]);
    assert_eq!(code, Some(0));

    let search = |query: &str, more: &[&str]| -> (Option<i32>, Value) {
        let limit = ["search", query, "--index", index, "--limit", "10", "--json"];
        let (code, json) = rebus(home.path(), &[&limit, more].concat());
        (code, serde_json::from_slice(&json).unwrap())
    };
    for query in NONSENSE {
        let (code, found) = search(query, &[]);
        println!("{query}: {} matches", found["matches"]);
        assert_eq!((code, &found["matches"]), (Some(1), &0.into()), "{query}");
    }
    let absent = absent_words(&said, &names, &surfaces);
    let (mut known, mut matching, mut matches) = (0, 0, Vec::new());
    for word in &absent {
        let (_, found) = search(word, &[]);
        if found["unknown_words"].is_null() {
            known += 1;
            let count = found["matches"].as_u64().unwrap();
            matching += usize::from(count > 0);
            matches.push(count);
        }
    }
    matches.sort_unstable();
    assert!(known > 0, "the model knows none of {} words", absent.len());
    println!(
        "of {known} words that the model knows and no caption of these photos has, {matching} have a \
         match; a word has {} in the median, {:.1} in the mean, {} at most",
        matches[known / 2],
        matches.iter().sum::<u64>() as f64 / known as f64,
        matches[known - 1]
    );
    assert_eq!(matches[known / 2], 0, "most words without a right photo match");
    let mut sum = 0;
    for query in EVERYDAY {
        let (_, found) = search(query, &["--all"]);
        let wanted = stems.tokens(query);
        let right = |path: &Value| {
            let path = Path::new(path.as_str().unwrap());
            let words = &said[path.file_name().unwrap().to_str().unwrap()];
            wanted.iter().all(|word| words.contains(word))
        };
        let results = found["results"].as_array().unwrap();
        let count = results.iter().filter(|hit| right(&hit["path"])).count();
        let there = names.iter().filter(|name| {
            said.get(**name).is_some_and(|words| wanted.iter().all(|word| words.contains(word)))
        });
        println!(
            "{query}: {count} of the first {} right, {} matches, {} right in all",
            results.len(),
            found["matches"],
            there.count()
        );
        sum += count;
    }
    let mean = sum as f64 / EVERYDAY.len() as f64;
    assert!(mean >= ENOUGH, "{mean} of ten right in the mean");
}
