//! From which relevance on is a photo a match? Precision, recall and F1 of every cut-off, on photos
//! that a lexicon was neither fitted nor calibrated on.
//!
//! ```sh
//! cargo run --release -p rebus-models --example cut_off -- FLICKR8K NETWORK CACHE
//! ```
//!
//! The training part of Flickr8k is cut in three: five sixths to fit the space on, a twelfth to
//! calibrate, a twelfth to measure. Queries are the words of captions, pairs of neighbouring words,
//! and whole captions; a photo is relevant if its captions hold all words of the query, or if the
//! query is one of them. Whole captions have one relevant photo each, words many, so that each kind
//! is printed by itself, and the mean of their F1 beside.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use rebus_collection::{Collection, Item, Matrix, Silent, Split};
use rebus_models::{DualEncoder, Lexicon, Training, dot_products, lexicon};
use rebus_text::{Analysis, Tokeniser, stage::LowerCase, stop_words::StopWords};
use rebus_vision::{Cache, features, find_extractor};

struct Query {
    text: String,
    relevant: Vec<bool>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, network, cache] = arguments.as_slice() else {
        return Err("give FLICKR8K NETWORK CACHE".into());
    };
    let collection = Collection::read(Path::new(data))?;
    let items: Vec<&Item> = collection.items_in(&Split::Train).collect();
    let extractor = find_extractor(network)?;
    let mut cache = Cache::open(Path::new(cache), &*extractor)?;
    let looked = features(&items, &*extractor, Some(&mut cache), &Silent)?;
    let texts: Vec<Vec<&str>> = looked
        .items
        .iter()
        .map(|id| collection.captions_of(id).map(|caption| caption.text.as_str()).collect())
        .collect();
    let third = |twelfths: &[usize]| {
        let rows: Vec<usize> =
            (0..texts.len()).filter(|row| twelfths.contains(&(row % 12))).collect();
        let mut matrix = Matrix::zeros(rows.len(), looked.matrix.columns());
        for (to, &from) in rows.iter().enumerate() {
            matrix.row_mut(to).copy_from_slice(looked.matrix.row(from));
        }
        (matrix, rows.iter().map(|&row| texts[row].clone()).collect::<Vec<_>>())
    };
    let (fit, calibrate, measure) =
        (third(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), third(&[10]), third(&[11]));
    let name = extractor.name();
    let sources = lexicon::Sources {
        captioned: Training { extractor: name, features: &fit.0, texts: &fit.1 },
        held_out: Training { extractor: name, features: &calibrate.0, texts: &calibrate.1 },
        evidence: &[],
        described: &[],
    };
    let model = Lexicon::fit(&sources, &lexicon::Params::default(), &Silent)?;
    let images = model.encode_images(&measure.0)?;
    let kinds = queries(&measure.1);
    let cuts: Vec<f64> = (1..=19).map(|k| f64::from(k) * 0.05).collect();
    let mut all = vec![Vec::new(); cuts.len()];
    for (kind, queries) in &kinds {
        let mut tallies = vec![(0usize, 0usize, 0usize); cuts.len()];
        for query in queries {
            let scores = dot_products(&model.encode_texts(&[&query.text])?, &images)?;
            let Some(found) = model.relevance(&query.text, scores.row(0))? else { continue };
            for (cut, (right, given, there)) in cuts.iter().zip(&mut tallies) {
                for (relevance, &relevant) in found.iter().zip(&query.relevant) {
                    let is_match = relevance >= cut;
                    *right += usize::from(is_match && relevant);
                    *given += usize::from(is_match);
                    *there += usize::from(relevant);
                }
            }
        }
        println!("{kind}: {} queries", queries.len());
        println!("  cut-off  precision  recall     F1");
        for ((cut, &(right, given, there)), all) in cuts.iter().zip(&tallies).zip(&mut all) {
            let (precision, recall) =
                (right as f64 / given.max(1) as f64, right as f64 / there.max(1) as f64);
            let f1 = 2.0 * right as f64 / (given + there).max(1) as f64;
            println!("  {cut:7.2}  {precision:9.3}  {recall:6.3}  {f1:5.3}");
            all.push(f1);
        }
    }
    println!("mean F1 of the kinds");
    for (cut, f1) in cuts.iter().zip(all) {
        println!("  {cut:7.2}  {:5.3}", f1.iter().sum::<f64>() / f1.len() as f64);
    }
    Ok(())
}

/// Queries of each kind, and which photos are relevant.
fn queries(texts: &[Vec<&str>]) -> BTreeMap<&'static str, Vec<Query>> {
    let analysis = Analysis::new(Tokeniser::Words).then(LowerCase).then(StopWords);
    let said: Vec<Vec<Vec<String>>> = texts.iter().map(|texts| analysis.batch(texts)).collect();
    let holds = |photo: usize, words: &[&String]| {
        words.iter().all(|word| said[photo].iter().any(|words| words.contains(word)))
    };
    let relevant = |words: &[&String]| (0..said.len()).map(|photo| holds(photo, words)).collect();
    let mut kinds: BTreeMap<&str, Vec<Query>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (own, captions) in said.iter().enumerate() {
        let Some(words) = captions.first() else { continue };
        if let Some(text) = texts[own].first() {
            let relevant = (0..said.len()).map(|photo| photo == own).collect();
            kinds.entry("captions").or_default().push(Query { text: (*text).to_owned(), relevant });
        }
        for pair in words.windows(2).take(1) {
            let text = pair.join(" ");
            if seen.insert(text.clone()) {
                let relevant = relevant(&[&pair[0], &pair[1]]);
                kinds.entry("pairs").or_default().push(Query { text, relevant });
            }
        }
        for word in words {
            if seen.insert(word.clone()) {
                let query = Query { text: word.clone(), relevant: relevant(&[word]) };
                if query.relevant.iter().filter(|&&yes| yes).count() >= 2 {
                    kinds.entry("words").or_default().push(query);
                }
            }
        }
    }
    kinds
}
