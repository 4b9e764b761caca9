//! How probable it is that somebody would call a picture relevant for a text.
//!
//! On captioned pictures that the space was not fitted on, a picture counts as relevant for a
//! query if its captions hold every word of the query, or if the query is one of them. Queries are
//! single words, pairs of words, and whole captions; and the same with some words hidden, as if
//! the space did not know them. The probability is logistic in
//! - the standard score,
//! - the logarithm of the number of known words,
//! - the share of the query's idf that lies in unknown words: what is asked beyond what is known
//!   may not be there,
//! - the mean idf of the known words, up to that of a word in one picture of a hundred.
//!
//! How often a word occurs in one collection says little about another, and who asks for something
//! rare probably has it. So a query's odds of being met are taken halfway (in logarithms) between
//! what they are among the pictures at hand and 1 : 19; relevant pictures are weighed for that.

use rustc_hash::{FxHashMap, FxHashSet};

use super::background::{Background, Spread};
use super::logistic::{Sample, Weights};
use crate::word_space::WordSpace;
use crate::{Result, Training, dot_products};

/// Every so many captions one is taken as a query.
const STRIDE: usize = 14;
/// A single word is a query if so many pictures are relevant for it.
const LEAST: usize = 2;
/// The odds that the queries' own are drawn towards.
const ODDS: f64 = 1.0 / 19.0;
/// A word is no rarer than this share of pictures.
const RARE: f64 = 0.01;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Relevance {
    pub(super) weights: Weights<4>,
}

/// What the probability is made of beside the score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    length: f64,
    unknown: f64,
    rarity: f64,
}

impl Asked {
    /// Known words by position, and the idf of each unknown one; `None` if no word is known.
    pub(super) fn new(space: &WordSpace, known: &[usize], unknown: &[f64]) -> Option<Self> {
        let idf: f64 = known.iter().map(|&word| space.bag.weight(word).powi(2)).sum();
        if known.is_empty() || idf <= 0.0 {
            return None;
        }
        let missing: f64 = unknown.iter().sum();
        Some(Self {
            length: (known.len() as f64).ln(),
            unknown: missing / (missing + idf),
            rarity: (idf / known.len() as f64).min(-RARE.ln()),
        })
    }

    fn inputs(&self, standard: f64) -> [f64; 4] {
        [standard, self.length, self.unknown, self.rarity]
    }
}

impl Relevance {
    pub(super) fn fit(
        space: &WordSpace,
        background: &Background,
        data: &Training<'_>,
    ) -> Result<Self> {
        let mut samples = Vec::new();
        pairs(space, background, data, &mut |sample| samples.push(sample))?;
        Ok(Self { weights: Weights::fit(&samples) })
    }

    /// The probability for a score.
    pub(super) fn of(&self, spread: &Spread, asked: &Asked, score: f32) -> f64 {
        self.weights.probability(asked.inputs(spread.standard(score)))
    }
}

/// A text as a query: its words, some of them hidden, and the picture that it was written for.
struct Query {
    known: Vec<usize>,
    hidden: Vec<usize>,
    own: Option<usize>,
}

/// Every query with every picture: the inputs, and whether the picture is relevant.
pub(super) fn pairs(
    space: &WordSpace,
    background: &Background,
    data: &Training<'_>,
    take: &mut dyn FnMut(Sample<4>),
) -> Result<()> {
    let images = space.encode_images(data.features)?;
    let mentioned: Vec<FxHashSet<usize>> = data
        .texts
        .iter()
        .map(|texts| space.bag.encode(texts).into_iter().map(|(word, _)| word).collect())
        .collect();
    for query in queries(space, data, &mentioned) {
        let hidden: Vec<f64> =
            query.hidden.iter().map(|&word| space.bag.weight(word).powi(2)).collect();
        let asked = Asked::new(space, &query.known, &hidden);
        let (Some(vector), Some(asked)) = (space.of_words(&query.known), asked) else { continue };
        let holds = |picture: usize| {
            let mut words = query.known.iter().chain(&query.hidden);
            query.own == Some(picture) || words.all(|word| mentioned[picture].contains(word))
        };
        let relevant: Vec<bool> = (0..images.rows()).map(holds).collect();
        let count = relevant.iter().filter(|&&relevant| relevant).count();
        if count == 0 || count == relevant.len() {
            continue;
        }
        let odds = count as f64 / (relevant.len() - count) as f64;
        let spread = background.spread(vector.row(0))?;
        let scores = dot_products(&vector, &images)?;
        for (&score, relevant) in scores.row(0).iter().zip(relevant) {
            let (sure, often) = if relevant { (1.0, (ODDS / odds).sqrt()) } else { (0.0, 1.0) };
            take(Sample { inputs: asked.inputs(spread.standard(score)), sure, often });
        }
    }
    Ok(())
}

fn queries(space: &WordSpace, data: &Training<'_>, mentioned: &[FxHashSet<usize>]) -> Vec<Query> {
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for word in mentioned.iter().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let mut words: Vec<usize> =
        counts.into_iter().filter(|(_, count)| *count >= LEAST).map(|(word, _)| word).collect();
    words.sort_unstable();
    let query = |known: &[usize], hidden: &[usize], own| Query {
        known: known.to_vec(),
        hidden: hidden.to_vec(),
        own,
    };
    let mut queries: Vec<Query> = words.iter().map(|&word| query(&[word], &[], None)).collect();
    let captions = data
        .texts
        .iter()
        .enumerate()
        .flat_map(|(own, texts)| texts.iter().map(move |text| (own, *text)));
    for (own, text) in captions.step_by(STRIDE) {
        let words: Vec<usize> = space.bag.encode(&[text]).into_iter().map(|(at, _)| at).collect();
        queries.push(query(&words, &[], Some(own)));
        if let [first, second, rest @ ..] = &words[..] {
            queries.push(query(&[*first, *second], &[], None));
            queries.push(query(&[*first], &[*second], None));
            queries.push(query(&[*second], &[*first], None));
            if let Some(third) = rest.first() {
                queries.push(query(&[*first], &[*second, *third], None));
            }
            if words.len() >= 4 {
                let half = |from: usize| words.iter().copied().skip(from).step_by(2).collect();
                queries.push(Query { known: half(0), hidden: half(1), own: Some(own) });
            }
        }
    }
    queries
}
