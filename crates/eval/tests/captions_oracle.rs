//! Caption scores against pycocoevalcap's on hundreds of images, where that data is at hand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rebus_eval::captions::{CaptionMeasure, CaptionSet, Tokeniser, score};
use serde_json::Value;

const NAMES: [(CaptionMeasure, &str); 7] = [
    (CaptionMeasure::Bleu1, "Bleu_1"),
    (CaptionMeasure::Bleu2, "Bleu_2"),
    (CaptionMeasure::Bleu3, "Bleu_3"),
    (CaptionMeasure::Bleu4, "Bleu_4"),
    (CaptionMeasure::RougeL, "ROUGE_L"),
    (CaptionMeasure::CiderD, "CIDEr"),
    (CaptionMeasure::Cider, "CIDEr_orig_vrama91"),
];

fn oracles() -> Option<PathBuf> {
    let data = std::env::var_os("REBUS_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("oracles");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The candidate and references of each image, in the file's order.
fn captions(file: &Value) -> Vec<(String, String, Vec<String>)> {
    let candidates = file["candidates"].as_object().unwrap();
    let of = |id: &String, text: &Value| {
        let references = file["references"][id].as_array().unwrap();
        let references = references.iter().map(|r| r.as_str().unwrap().to_owned()).collect();
        (id.clone(), text.as_str().unwrap().to_owned(), references)
    };
    candidates.iter().map(|(id, text)| of(id, text)).collect()
}

fn compare(captions: &[(String, String, Vec<String>)], wanted: &Value, tolerance: f64) {
    let mut set = CaptionSet::new();
    for (id, candidate, references) in captions {
        set.add(id.as_str(), candidate, references);
    }
    let measures = NAMES.map(|(measure, _)| measure);
    let scores = score(&set, &measures);
    let mut worst = BTreeMap::new();
    for (at, (_, name)) in NAMES.iter().enumerate() {
        let mut check = |ours: Option<f64>, theirs: &Value, of: &str| {
            let (ours, theirs) = (ours.unwrap(), theirs.as_f64().unwrap());
            let off = (ours - theirs).abs();
            assert!(off <= tolerance, "{name} of {of}: {ours} is not {theirs}");
            let worst = worst.entry(*name).or_insert(0.0_f64);
            *worst = worst.max(off);
        };
        check(scores.corpus[at].value, &wanted["corpus"][name], "the corpus");
        for image in &scores.images {
            let id = image.id.as_str();
            check(image.values[at], &wanted["per_image"][id][name], id);
        }
    }
    println!("{} images, largest differences {worst:?}", scores.images.len());
}

#[test]
fn tokenised_sentences_score_as_pycocoevalcap() {
    let Some(folder) = oracles() else { return };
    for prefix in ["", "adversarial_"] {
        let file = read(&folder.join(format!("{prefix}tokenized.json")));
        let wanted = read(&folder.join(format!("{prefix}scores.json")));
        compare(&captions(&file), &wanted, 1e-9);
    }
}

#[test]
fn raw_sentences_score_as_pycocoevalcap() {
    let Some(folder) = oracles() else { return };
    for prefix in ["", "adversarial_"] {
        let file = read(&folder.join(format!("{prefix}raw.json")));
        let wanted = read(&folder.join(format!("{prefix}scores.json")));
        let mut raw = captions(&file);
        // References and candidates each in one go, as the original reads them.
        let all: Vec<_> = raw.iter().flat_map(|(_, _, references)| references.clone()).collect();
        let mut tokens = Tokeniser::Ptb.tokenise(&all).into_iter();
        let candidates: Vec<_> = raw.iter().map(|(_, candidate, _)| candidate.clone()).collect();
        let candidates = Tokeniser::Ptb.tokenise(&candidates);
        for ((_, candidate, references), tokenised) in raw.iter_mut().zip(candidates) {
            *candidate = tokenised;
            references.iter_mut().for_each(|r| *r = tokens.next().unwrap());
        }
        compare(&raw, &wanted, 1e-9);
    }
}
