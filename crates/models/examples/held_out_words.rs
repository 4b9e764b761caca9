//! How well is a word placed by captions without photos? Words are taken out of the captions that a
//! lexicon is fitted on, and are placed again by captions of photos that it does not see.
//!
//! ```sh
//! cargo run --release -p rebus-models --example held_out_words -- FLICKR8K NETWORK CACHE DESCRIBED
//! ```
//!
//! Three quarters of the training part of Flickr8k have photos and captions, the last quarter is
//! measured on. Every so many of the words that occur in at least twenty photos of either is taken
//! out. DESCRIBED is a collection of captions; those of photos that are measured on are left out of
//! it, by the number with which their names begin. A word is a query, and relevant is a photo whose
//! captions have it: mean average precision over the words, by chance, by a lexicon that was told the
//! words by DESCRIBED, and by one that had them in captions with photos.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use rebus_collection::{Collection, Item, Matrix, Silent, Split};
use rebus_models::{DualEncoder, Lexicon, Training, dot_products, lexicon};
use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::{Analysis, Tokeniser, stage::LowerCase, stop_words::StopWords};
use rebus_vision::{Cache, features, find_extractor};

/// A word is tried if so many photos of either part have it.
const LEAST: usize = 20;
/// How many words are tried, at most.
const WORDS: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, network, cache, described] = arguments.as_slice() else {
        return Err("give FLICKR8K NETWORK CACHE DESCRIBED".into());
    };
    let collection = Collection::read(Path::new(data))?;
    let items: Vec<&Item> = collection.items_in(&Split::Train).collect();
    let extractor = find_extractor(network)?;
    let mut cache = Cache::open(Path::new(cache), &*extractor)?;
    let looked = features(&items, &*extractor, Some(&mut cache), &Silent)?;
    let stems = Analysis::new(Tokeniser::Words)
        .then(LowerCase)
        .then(StopWords)
        .then(PorterStemmer(Variant::Published));
    let (mut fitted, mut measured) = (Part::default(), Part::default());
    for (row, id) in looked.items.iter().enumerate() {
        let part = if row % 4 == 3 { &mut measured } else { &mut fitted };
        part.rows.push(row);
        part.names.insert(number(id.as_str()).to_owned());
        part.texts.push(collection.captions_of(id).map(|caption| caption.text.clone()).collect());
    }
    let words = words(&fitted, &measured, &stems);
    let told = Collection::read(Path::new(described))?;
    let mut company: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for caption in told.captions() {
        let item = caption.item.as_str();
        if !measured.names.contains(number(item)) {
            company.entry(item).or_default().push(&caption.text);
        }
    }
    let company: Vec<Vec<&str>> = company.into_values().collect();
    let (seen, shown) = (fitted.matrix(&looked.matrix), measured.matrix(&looked.matrix));
    // What the analysis leaves of a caption is what the lexicon sees of it anyway.
    let without = |text: &String| {
        let kept = stems.tokens(text).into_iter().filter(|stem| !words.contains(stem));
        kept.collect::<Vec<_>>().join(" ")
    };
    let blind: Vec<Vec<String>> =
        fitted.texts.iter().map(|texts| texts.iter().map(without).collect()).collect();
    let fit = |texts: &[Vec<String>], described: &[Vec<&str>]| {
        let texts: Vec<Vec<&str>> =
            texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        let captioned = Training { extractor: extractor.name(), features: &seen, texts: &texts };
        let sources = lexicon::Sources { captioned, held_out: captioned, evidence: &[], described };
        Lexicon::fit(&sources, &lexicon::Params::default(), &Silent)
    };
    let by_captions = fit(&blind, &company)?;
    let by_photos = fit(&fitted.texts, &[])?;
    let known: BTreeSet<&str> = by_captions.words().collect();
    let tried: Vec<&String> = words.iter().filter(|word| known.contains(word.as_str())).collect();
    let holds: Vec<BTreeSet<String>> = measured
        .texts
        .iter()
        .map(|texts| texts.iter().flat_map(|text| stems.tokens(text)).collect())
        .collect();
    let (mut sums, mut chance) = ([0.0; 2], 0.0);
    for word in &tried {
        let relevant: Vec<bool> = holds.iter().map(|holds| holds.contains(*word)).collect();
        chance += relevant.iter().filter(|&&yes| yes).count() as f64 / relevant.len() as f64;
        for (sum, model) in sums.iter_mut().zip([&by_captions, &by_photos]) {
            let images = model.encode_images(&shown)?;
            let scores = dot_products(&model.encode_texts(&[word])?, &images)?;
            *sum += average_precision(scores.row(0), &relevant);
        }
    }
    let count = tried.len().max(1) as f64;
    println!("{} words taken out, {} placed again by captions", words.len(), tried.len());
    println!("{} photos measured on, {} described", measured.rows.len(), company.len());
    println!("chance                   {:.3}", chance / count);
    println!("captions without photos  {:.3}", sums[0] / count);
    println!("captions with photos     {:.3}", sums[1] / count);
    Ok(())
}

/// Some of the photos, with their captions.
#[derive(Default)]
struct Part {
    rows: Vec<usize>,
    names: BTreeSet<String>,
    texts: Vec<Vec<String>>,
}

impl Part {
    fn matrix(&self, all: &Matrix) -> Matrix {
        let mut matrix = Matrix::zeros(self.rows.len(), all.columns());
        for (to, &from) in self.rows.iter().enumerate() {
            matrix.row_mut(to).copy_from_slice(all.row(from));
        }
        matrix
    }

    /// How many photos have each stem.
    fn counts(&self, stems: &Analysis) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for texts in &self.texts {
            let all: BTreeSet<String> = texts.iter().flat_map(|text| stems.tokens(text)).collect();
            all.into_iter().for_each(|stem| *counts.entry(stem).or_default() += 1);
        }
        counts
    }
}

/// The words that are taken out: evenly over those that are frequent enough, which stem to themselves.
fn words(fitted: &Part, measured: &Part, stems: &Analysis) -> BTreeSet<String> {
    let (there, here) = (fitted.counts(stems), measured.counts(stems));
    let often = |stem: &&String| {
        let count = |counts: &BTreeMap<String, usize>| counts.get(*stem).copied().unwrap_or(0);
        count(&there) >= LEAST && count(&here) >= LEAST && stems.tokens(stem) == [(*stem).clone()]
    };
    let often: Vec<&String> = there.keys().filter(often).collect();
    let step = often.len().div_ceil(WORDS).max(2);
    often.into_iter().step_by(step).cloned().collect()
}

/// The number with which the name of a photo begins.
fn number(name: &str) -> &str {
    name.split(['_', '.']).next().unwrap_or(name)
}

fn average_precision(scores: &[f32], relevant: &[bool]) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let (mut found, mut sum) = (0.0, 0.0);
    for (rank, at) in order.into_iter().enumerate() {
        if relevant[at] {
            found += 1.0;
            sum += found / (rank + 1) as f64;
        }
    }
    sum / f64::max(found, 1.0)
}
