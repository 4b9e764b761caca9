//! The tokeniser against the raw and tokenised captions of the oracle files, sentence by sentence.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)] // tests

use std::path::PathBuf;

use rebus_text::ptb::Ptb;
use serde_json::Value;

fn oracle(name: &str) -> Option<Value> {
    let data = std::env::var_os("REBUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = data.join("oracles").join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).expect("an oracle file is JSON")),
        Err(_) => {
            println!("skipped: {} is not there", path.display());
            None
        }
    }
}

/// The sentences of a value: a string, or a list of strings.
fn sentences(value: &Value) -> Vec<&str> {
    match value {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn compare(raw: &str, tokenised: &str) {
    let (Some(raw), Some(tokenised)) = (oracle(raw), oracle(tokenised)) else { return };
    let mut compared = 0;
    for side in ["candidates", "references"] {
        let raw = raw[side].as_object().expect("candidates and references by id");
        let all: Vec<&str> = raw.values().flat_map(sentences).collect();
        let batch = Ptb::captions().batch(&all);
        let mut batch = batch.iter();
        for (id, value) in raw {
            let expected = sentences(&tokenised[side][id]);
            let sentences = sentences(value);
            assert_eq!(sentences.len(), expected.len(), "{side} {id}");
            for (sentence, expected) in sentences.iter().zip(expected) {
                let alone = Ptb::captions().tokens(sentence).join(" ");
                assert_eq!(alone, expected, "{side} {id}: {sentence:?}");
                assert_eq!(batch.next().expect("a line each").join(" "), expected, "{side} {id}");
                compared += 1;
            }
        }
    }
    println!("{compared} sentences agree");
    assert!(compared > 0);
}

#[test]
fn captions_agree() {
    compare("raw.json", "tokenized.json");
}

#[test]
fn awkward_captions_agree() {
    compare("adversarial_raw.json", "adversarial_tokenized.json");
}
