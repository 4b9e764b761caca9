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
//! The first table is about words and sentences with at least twelve right photos: how many of the
//! first ten are right, by the cosine with the text's vector and by its relevance, for each way in
//! which the sentence as a whole may count beside its words (`whole` of
//! [`rebus_models::lexicon::Params`]). For whole captions it has the share whose own photo is among the
//! first ten. The second is about all queries, those of one word with at least two right photos:
//! precision, recall and F1 of every cut-off with the default settings, for each kind by itself, for
//! whole captions have one right photo and words many; and the mean of their F1.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;

use rebus_collection::{Collection, Item, Matrix, Silent, Split};
use rebus_models::{DualEncoder, Lexicon, Training, Understands, dot_products, lexicon};
use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::{Analysis, Tokeniser, stage::LowerCase, stop_words::StopWords};
use rebus_vision::{Cache, features, find_extractor};

const LIBRARIES: usize = 6;
/// Of the photos outside a library, one of so many is for calibrating.
const CALIBRATING: usize = 10;
/// Right photos of a sentence, at least, and how many of the first are looked at.
const ENOUGH: usize = 12;
const FIRST: usize = 10;
/// How much the sentence as a whole may count.
const WHOLES: [f64; 3] = [0.0, 0.2, 0.4];
/// The cosine, then each of these.
const WAYS: usize = 1 + WHOLES.len();
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
    if !WHOLES.contains(&lexicon::Params::default().whole) {
        return Err("the default is not among the settings that are compared".into());
    }
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
        for (at, whole) in WHOLES.into_iter().enumerate() {
            let default = lexicon::Params::default();
            let is_default = whole == default.whole;
            let model = Lexicon::fit(&sources, &lexicon::Params { whole, ..default }, &Silent)?;
            let mut library = Library::new(&model, &measured.0, &measured.1)?;
            library.measure(1 + at, is_default, &mut figures)?;
            if is_default {
                library.order = Order::Cosine;
                library.measure(0, false, &mut figures)?;
            }
        }
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
    /// By the number of words, 0 for whole captions: for each way how many queries, and right photos.
    first: BTreeMap<usize, [(usize, usize); WAYS]>,
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
        println!("right photos of the first {FIRST}, by how much the sentence as a whole counts");
        print!("words    queries  cosine");
        WHOLES.iter().for_each(|whole| print!("  {whole:6.2}"));
        println!();
        for (length, ways) in &self.first {
            let name = if *length == 0 { "caption".to_owned() } else { length.to_string() };
            print!("{name:7}  {:7}", ways[0].0);
            ways.iter().for_each(|(queries, right)| {
                print!("  {:6.3}", *right as f64 / *queries as f64);
            });
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

/// What photos are ordered by.
#[derive(Clone, Copy)]
enum Order {
    Cosine,
    Relevance,
}

/// Photos to search among, and what is said about them.
struct Library<'a> {
    model: &'a Lexicon,
    order: Order,
    images: Matrix,
    texts: &'a [Vec<&'a str>],
    /// Stop words are out.
    words: Analysis,
    stems: Analysis,
    /// For each stem the photos whose captions hold it.
    holding: HashMap<String, Vec<bool>>,
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
        Ok(Self { model, order: Order::Relevance, images, texts, words: words(), stems, holding })
    }

    /// What each photo is ordered by, if a word of the text is known.
    fn judged(&self, text: &str) -> Result<Option<Vec<f64>>, Box<dyn Error>> {
        let scores = dot_products(&self.model.probes(text)?, &self.images)?;
        let relevance = self.model.relevance(text, &scores)?;
        Ok(match self.order {
            Order::Relevance => relevance,
            Order::Cosine => {
                relevance.map(|_| scores.row(0).iter().map(|&s| f64::from(s)).collect())
            }
        })
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

    fn measure(
        &self,
        column: usize,
        tally: bool,
        figures: &mut Figures,
    ) -> Result<(), Box<dyn Error>> {
        let mut seen = BTreeSet::new();
        for own in 0..self.texts.len() {
            let Some(&caption) = self.texts[own].first() else { continue };
            let words = self.words.tokens(caption);
            let only: Vec<bool> = (0..self.texts.len()).map(|photo| photo == own).collect();
            let mut queries = vec![(0, caption.to_owned(), only)];
            for length in 1..=LONGEST {
                for window in words.windows(length) {
                    let stems: BTreeSet<String> =
                        window.iter().flat_map(|word| self.stems.tokens(word)).collect();
                    if stems.len() == length && seen.insert(stems.clone()) {
                        queries.push((length, window.join(" "), self.right(&stems)));
                    }
                }
            }
            for (length, text, right) in queries {
                let there = right.iter().filter(|&&right| right).count();
                if there < 2 && length > 0 {
                    continue;
                }
                let Some(judged) = self.judged(&text)? else { continue };
                if tally {
                    let kind = ["captions", "words"].get(length).copied().unwrap_or("sentences");
                    figures.query(kind, &judged, &right);
                }
                if there >= ENOUGH || length == 0 {
                    let (queries, found) = &mut figures.first.entry(length).or_default()[column];
                    *queries += 1;
                    *found += first_right(&judged, &right);
                }
            }
        }
        Ok(())
    }
}

/// How many of the first photos are right.
fn first_right(judged: &[f64], right: &[bool]) -> usize {
    let mut order: Vec<usize> = (0..judged.len()).collect();
    order.sort_by(|&a, &b| judged[b].total_cmp(&judged[a]));
    order.iter().take(FIRST).filter(|&&photo| right[photo]).count()
}
