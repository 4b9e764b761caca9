//! How should a sentence of several words be judged, and from which relevance on is a photo a match?
//! On photos that a lexicon was neither fitted nor calibrated on.
//!
//! ```sh
//! cargo run --release -p rebus-models --example cut_off -- FLICKR8K NETWORK CACHE
//! ```
//!
//! The training part of Flickr8k is cut into six libraries of 1,000 photos. For each, a lexicon is
//! fitted on nine tenths of the other photos and calibrated on the last tenth. Queries are what the
//! first captions of the library's photos say: their words; sentences of two to four words, one after
//! the other; and they themselves. A photo is right if its captions hold all words of the query by
//! their stems; for a whole caption it is the one that the caption was written for.
//!
//! The first table is about sentences with at least twelve right photos: how many of the first ten are
//! right if the least probable word has this share beside the sentence as a whole
//! ([`rebus_models::conjunction`]). The second is about all queries, those of one word with at least
//! two right photos: precision, recall and F1 of every cut-off, for each kind by itself, for whole
//! captions have one right photo and words many; and the mean of their F1.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;

use rebus_collection::{Collection, Item, Matrix, Silent, Split};
use rebus_models::{DualEncoder, Lexicon, Training, conjunction, dot_products, lexicon, pooled};
use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::{Analysis, Tokeniser, stage::LowerCase, stop_words::StopWords};
use rebus_vision::{Cache, features, find_extractor};

const LIBRARIES: usize = 6;
/// Of the photos outside a library, one of so many is for calibrating.
const CALIBRATING: usize = 10;
/// Right photos of a sentence, at least, and how many of the first are looked at.
const ENOUGH: usize = 12;
const FIRST: usize = 10;
/// The shares of the least probable word that are compared.
const SHARES: [f64; 7] = [0.0, 0.2, 0.33, 0.5, 0.67, 0.8, 1.0];
/// The longest sentence.
const LONGEST: usize = 4;

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
    let all = Training { extractor: extractor.name(), features: &looked.matrix, texts: &texts };
    let mut figures = Figures::default();
    for library in 0..LIBRARIES {
        let part = |wanted: &dyn Fn(usize) -> bool| {
            rows_of(&all, &(0..texts.len()).filter(|&row| wanted(row)).collect::<Vec<_>>())
        };
        let inside = |row: usize| row % LIBRARIES == library;
        let calibrating = |row: usize| (row / LIBRARIES).is_multiple_of(CALIBRATING);
        let fitted = part(&|row| !inside(row) && !calibrating(row));
        let held_out = part(&|row| !inside(row) && calibrating(row));
        let measured = part(&inside);
        let name = extractor.name();
        let sources = lexicon::Sources {
            captioned: Training { extractor: name, features: &fitted.0, texts: &fitted.1 },
            held_out: Training { extractor: name, features: &held_out.0, texts: &held_out.1 },
            evidence: &[],
            described: &[],
        };
        let model = Lexicon::fit(&sources, &lexicon::Params::default(), &Silent)?;
        Library::new(&model, &measured.0, &measured.1)?.measure(&mut figures)?;
    }
    figures.print();
    Ok(())
}

/// The features and texts of some pictures.
fn rows_of<'a>(all: &Training<'a>, rows: &[usize]) -> (Matrix, Vec<Vec<&'a str>>) {
    (all.features.only(rows), rows.iter().map(|&row| all.texts[row].clone()).collect())
}

/// What is counted.
#[derive(Default)]
struct Figures {
    /// Sentences by their length: how many, and right photos for each share.
    sentences: BTreeMap<usize, (usize, [usize; SHARES.len()])>,
    /// Kinds of queries: how many, and for each cut-off right matches, matches and right photos.
    kinds: BTreeMap<&'static str, (usize, [[u64; 3]; CUTS])>,
}

/// Cut-offs are multiples of a twentieth.
const CUTS: usize = 19;

fn cut_off(at: usize) -> f64 {
    (at + 1) as f64 * 0.05
}

impl Figures {
    fn query(&mut self, kind: &'static str, relevances: &[f64], right: &[bool]) {
        let (queries, tallies) = self.kinds.entry(kind).or_default();
        *queries += 1;
        for (at, [hits, given, there]) in tallies.iter_mut().enumerate() {
            for (relevance, &right) in relevances.iter().zip(right) {
                let is_match = *relevance >= cut_off(at);
                *hits += u64::from(is_match && right);
                *given += u64::from(is_match);
                *there += u64::from(right);
            }
        }
    }

    fn print(&self) {
        println!("right photos of the first {FIRST}, by the share of the least probable word");
        print!("words  queries");
        SHARES.iter().for_each(|share| print!("  {share:5.2}"));
        println!();
        for (length, (queries, right)) in &self.sentences {
            print!("{length:5}  {queries:7}");
            right.iter().for_each(|right| print!("  {:5.3}", *right as f64 / *queries as f64));
            println!();
        }
        let f1 = |[hits, given, there]: [u64; 3]| 2.0 * hits as f64 / (given + there).max(1) as f64;
        for (kind, (queries, tallies)) in &self.kinds {
            println!("{kind}: {queries} queries\n  cut-off  precision  recall     F1");
            for (at, &[hits, given, there]) in tallies.iter().enumerate() {
                println!(
                    "  {:7.2}  {:9.3}  {:6.3}  {:5.3}",
                    cut_off(at),
                    hits as f64 / given.max(1) as f64,
                    hits as f64 / there.max(1) as f64,
                    f1([hits, given, there])
                );
            }
        }
        println!("mean F1 of the kinds");
        for at in 0..CUTS {
            let sum: f64 = self.kinds.values().map(|(_, tallies)| f1(tallies[at])).sum();
            println!("  {:7.2}  {:5.3}", cut_off(at), sum / self.kinds.len() as f64);
        }
    }
}

/// Photos to search among, and what is said about them.
struct Library<'a> {
    model: &'a Lexicon,
    images: Matrix,
    texts: &'a [Vec<&'a str>],
    /// Stop words are out.
    words: Analysis,
    stems: Analysis,
    /// For each stem the photos whose captions hold it.
    holding: HashMap<String, Vec<bool>>,
    /// For each word how probably each photo shows it.
    shown: HashMap<String, Vec<f64>>,
}

impl<'a> Library<'a> {
    fn new(
        model: &'a Lexicon,
        features: &Matrix,
        texts: &'a [Vec<&'a str>],
    ) -> Result<Self, Box<dyn Error>> {
        let words = || Analysis::new(Tokeniser::Words).then(LowerCase).then(StopWords);
        let stems = words().then(PorterStemmer(Variant::Published));
        let mut holding: HashMap<String, Vec<bool>> = HashMap::new();
        for (photo, texts) in texts.iter().enumerate() {
            for stem in texts.iter().flat_map(|text| stems.tokens(text)) {
                holding.entry(stem).or_insert_with(|| vec![false; features.rows()])[photo] = true;
            }
        }
        let images = model.encode_images(features)?;
        Ok(Self { model, images, texts, words: words(), stems, holding, shown: HashMap::new() })
    }

    fn relevance(&self, text: &str) -> Result<Option<Vec<f64>>, Box<dyn Error>> {
        let scores = dot_products(&self.model.encode_texts(&[text])?, &self.images)?;
        Ok(self.model.relevance(text, scores.row(0))?)
    }

    /// How probably each photo shows each of the known words.
    fn each(&mut self, words: &[String]) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
        for word in words {
            if !self.shown.contains_key(word) {
                let shown = self.relevance(word)?.unwrap_or_default();
                self.shown.insert(word.clone(), shown);
            }
        }
        let known = words.iter().filter_map(|word| self.shown.get(word));
        Ok(known.filter(|shown| !shown.is_empty()).cloned().collect())
    }

    /// The photos whose captions hold all stems.
    fn right(&self, stems: &BTreeSet<String>) -> Vec<bool> {
        let mut right = vec![true; self.images.rows()];
        for stem in stems {
            match self.holding.get(stem) {
                Some(holding) => {
                    right.iter_mut().zip(holding).for_each(|(right, holds)| *right &= holds)
                }
                None => right.fill(false),
            }
        }
        right
    }

    fn measure(&mut self, figures: &mut Figures) -> Result<(), Box<dyn Error>> {
        let mut seen = BTreeSet::new();
        for own in 0..self.texts.len() {
            let Some(&caption) = self.texts[own].first() else { continue };
            let words = self.words.tokens(caption);
            if let Some(whole) = self.relevance(caption)? {
                let each = self.each(&words)?;
                let own: Vec<bool> = (0..whole.len()).map(|photo| photo == own).collect();
                figures.query("captions", &together(&whole, &each), &own);
            }
            for length in 1..=LONGEST {
                for window in words.windows(length) {
                    let stems: BTreeSet<String> =
                        window.iter().flat_map(|word| self.stems.tokens(word)).collect();
                    if stems.len() != length || !seen.insert(stems.clone()) {
                        continue;
                    }
                    let right = self.right(&stems);
                    let there = right.iter().filter(|&&right| right).count();
                    if there < 2 {
                        continue;
                    }
                    let Some(whole) = self.relevance(&window.join(" "))? else { continue };
                    let each = self.each(window)?;
                    let kind = if length == 1 { "words" } else { "sentences" };
                    figures.query(kind, &together(&whole, &each), &right);
                    if length > 1 && there >= ENOUGH {
                        let (queries, tallies) = figures.sentences.entry(length).or_default();
                        *queries += 1;
                        for (tally, share) in tallies.iter_mut().zip(SHARES) {
                            *tally += first_right(&whole, &each, share, &right);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// As search puts a sentence and its words together.
fn together(whole: &[f64], each: &[Vec<f64>]) -> Vec<f64> {
    let photo = |(at, &whole): (usize, &f64)| {
        conjunction(whole, &each.iter().map(|word| word[at]).collect::<Vec<_>>())
    };
    whole.iter().enumerate().map(photo).collect()
}

/// How many of the first photos are right if the least probable word has this share.
fn first_right(whole: &[f64], each: &[Vec<f64>], share: f64, right: &[bool]) -> usize {
    let photo = |(at, &whole): (usize, &f64)| {
        let least = each.iter().map(|word| word[at]).fold(1.0, f64::min);
        pooled([(1.0 - share, whole), (share, least)])
    };
    let relevances: Vec<f64> = whole.iter().enumerate().map(photo).collect();
    let mut order: Vec<usize> = (0..relevances.len()).collect();
    order.sort_by(|&a, &b| relevances[b].total_cmp(&relevances[a]));
    order.iter().take(FIRST).filter(|&&photo| right[photo]).count()
}
