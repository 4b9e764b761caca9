//! How probable is it that a photo is relevant, given how much of a query is written about it? The
//! figures behind `search/written.rs`.
//!
//! ```sh
//! cargo run --release -p rebus-index --example written -- FLICKR8K
//! ```
//!
//! The first caption of every photo of the training part is what is written about it. Queries are
//! words, neighbouring words and whole captions of the second captions; another photo than the one
//! that a query is from is relevant if its last four captions hold all words of the query. For every
//! share of a query that is written, each word counted by its inverse document frequency as the search
//! does, the share of relevant photos is printed, beside what the search takes it for: 0.6 if all is
//! written, else 0.15 c^2.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use rebus_collection::{Collection, Split};
use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::{Analysis, Tokeniser, stage::LowerCase, stop_words::StopWords};

/// Every so many second captions one is made into queries.
const STRIDE: usize = 10;
/// Shares are counted in so many steps.
const STEPS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data] = arguments.as_slice() else { return Err("give FLICKR8K".into()) };
    let collection = Collection::read(Path::new(data))?;
    let stems = Analysis::new(Tokeniser::Words)
        .then(LowerCase)
        .then(StopWords)
        .then(PorterStemmer(Variant::Published));
    let (mut written, mut others, mut asked) = (Vec::new(), Vec::new(), Vec::new());
    for item in collection.items_in(&Split::Train) {
        let mut captions = collection.captions_of(&item.id).map(|it| stems.tokens(&it.text));
        let (Some(first), Some(second)) = (captions.next(), captions.next()) else { continue };
        written.push(first.into_iter().collect::<BTreeSet<String>>());
        let rest = captions.flatten().chain(second.iter().cloned());
        others.push(rest.collect::<BTreeSet<String>>());
        asked.push(second);
    }
    let photos = written.len() as f64;
    let mut frequency: BTreeMap<&str, f64> = BTreeMap::new();
    for word in written.iter().flatten() {
        *frequency.entry(word).or_default() += 1.0;
    }
    let share =
        |word: &str| (1.0 + photos / (frequency.get(word).copied().unwrap_or(0.0) + 1.0)).ln();
    let mut queries: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (photo, caption) in asked.iter().enumerate().step_by(STRIDE) {
        for query in of_caption(caption) {
            queries.entry(query).or_insert(photo);
        }
    }
    println!("words  written      pairs  relevant  taken for");
    for length in [1, 2, 3, 4] {
        // The last is that of all words.
        let mut tallies = [(0u64, 0u64, 0.0); STEPS + 1];
        for (query, own) in queries.iter().filter(|(query, _)| query.len().min(4) == length) {
            let shares: Vec<f64> = query.iter().map(|word| share(word)).collect();
            let sum: f64 = shares.iter().sum();
            let photos = written.iter().zip(&others).enumerate();
            for (_, (written, others)) in photos.filter(|(photo, _)| photo != own) {
                let covered: f64 = query
                    .iter()
                    .zip(&shares)
                    .filter(|(word, _)| written.contains(*word))
                    .map(|(_, share)| share / sum)
                    .sum();
                let step =
                    if covered > 1.0 - 1e-9 { STEPS } else { (covered * STEPS as f64) as usize };
                let tally = &mut tallies[step];
                tally.0 += 1;
                tally.1 += u64::from(query.iter().all(|word| others.contains(word)));
                tally.2 += if step == STEPS { 0.6 } else { 0.15 * covered.powi(2) };
            }
        }
        for (step, (pairs, relevant, said)) in tallies.into_iter().enumerate() {
            if pairs > 0 {
                let name = match (step, length) {
                    (STEPS, _) => "all".to_owned(),
                    (step, _) => format!("from {:.1}", step as f64 / STEPS as f64),
                };
                let more = if length == 4 { "+" } else { " " };
                println!(
                    "{length:4}{more}  {name:8}  {pairs:8}  {:8.3}  {:8.3}",
                    relevant as f64 / pairs as f64,
                    said / pairs as f64
                );
            }
        }
    }
    Ok(())
}

/// The words of a caption, neighbours among them, and all of them; each without repeats.
fn of_caption(words: &[String]) -> Vec<Vec<String>> {
    let mut queries: Vec<Vec<String>> = words.iter().map(|word| vec![word.clone()]).collect();
    queries.extend([2, 3].iter().flat_map(|&n| words.windows(n).map(<[String]>::to_vec)));
    queries.push(words.to_vec());
    let unlike = |query: &Vec<String>| {
        !query.is_empty() && query.iter().collect::<BTreeSet<_>>().len() == query.len()
    };
    queries.retain(unlike);
    queries
}
