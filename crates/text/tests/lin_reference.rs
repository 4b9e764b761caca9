//! Lin's similarity over an installed WordNet against NLTK's (`reference/lin.py`).

#![allow(clippy::unwrap_used, clippy::print_stdout)] // tests

use std::collections::BTreeMap;

use rebus_text::similarity::InformationContent;
use rebus_text::wordnet::WordNet;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    counts: BTreeMap<String, u64>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    one: String,
    other: String,
    lin: f64,
}

#[test]
fn lin_agrees_where_wordnet_is_installed() {
    let Some(wordnet) = WordNet::installed().unwrap() else {
        println!("skipped: WordNet is not installed");
        return;
    };
    let reference: Reference = serde_json::from_str(include_str!("reference/lin.json")).unwrap();
    let nouns = &wordnet.nouns;
    let counts = reference.counts.iter().map(|(word, &count)| (word.as_str(), count));
    let content = InformationContent::new(nouns, counts);
    for Pair { one, other, lin } in &reference.pairs {
        let sense = |word: &str| nouns.first_sense(word).unwrap();
        let ours = content.between(sense(one), sense(other)).unwrap();
        assert!((ours - lin).abs() < 1e-9, "{one} {other}: {ours}, not {lin}");
    }
    let mut glosses = 0;
    wordnet.glosses(&mut |gloss| glosses += usize::from(!gloss.is_empty())).unwrap();
    assert!(glosses > 100_000);
    let run = wordnet.verbs.first_sense("run").unwrap();
    assert!(wordnet.verbs.with_ancestors(run).len() > 1);
}
