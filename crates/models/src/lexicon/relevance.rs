//! How probable it is that somebody would call a picture relevant for a text.
//!
//! On captioned pictures that the space was not fitted on, a picture counts as relevant for a
//! query if its captions hold every word of the query, or if the query is one of them. Queries are
//! single words, pairs of neighbouring words, and whole captions. The probability is logistic in
//! the standard score and in the logarithm of the number of known words.

use rebus_collection::Matrix;
use rustc_hash::{FxHashMap, FxHashSet};

use super::background::{Background, Spread};
use super::logistic::{self, Weights};
use crate::word_space::WordSpace;
use crate::{Result, Training, dot_products};

/// Every so many captions one is taken as a query.
const STRIDE: usize = 7;
/// A single word is a query if so many pictures are relevant for it.
const LEAST: usize = 2;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Relevance {
    weights: Weights,
}

/// A text as a query: its words, and the picture that it was written for.
struct Query {
    words: Vec<usize>,
    own: Option<usize>,
}

impl Relevance {
    pub(super) fn fit(
        space: &WordSpace,
        background: &Background,
        data: &Training<'_>,
    ) -> Result<Self> {
        let images = space.encode_images(data.features)?;
        let mentioned: Vec<FxHashSet<usize>> = data
            .texts
            .iter()
            .map(|texts| space.bag.encode(texts).into_iter().map(|(word, _)| word).collect())
            .collect();
        let queries = queries(space, data, &mentioned);
        let mut samples = Vec::new();
        for query in &queries {
            let Some(vector) = space.of_words(&query.words) else { continue };
            let spread = background.spread(vector.row(0));
            let scores = dot_products(&vector, &images)?;
            let length = (query.words.len() as f64).ln();
            for (picture, &score) in scores.row(0).iter().enumerate() {
                let relevant = query.own == Some(picture)
                    || query.words.iter().all(|word| mentioned[picture].contains(word));
                let sure = if relevant { 1.0 } else { 0.0 };
                samples.push(([spread.standard(f64::from(score)), length], sure, 1.0));
            }
        }
        Ok(Self { weights: logistic::fit(&samples) })
    }

    /// The probability for a score.
    pub(super) fn of(&self, spread: &Spread, known_words: usize, score: f32) -> f64 {
        let inputs = [spread.standard(f64::from(score)), (known_words as f64).ln()];
        logistic::probability(&self.weights, inputs)
    }

    pub(super) fn tensor(&self) -> Matrix {
        let mut tensor = Matrix::zeros(1, 3);
        for (to, weight) in tensor.values_mut().iter_mut().zip(self.weights) {
            *to = weight as f32;
        }
        tensor
    }

    /// From a tensor of one row of three.
    pub(super) fn from_tensor(tensor: &Matrix) -> Self {
        let mut weights = [0.0; 3];
        for (weight, &value) in weights.iter_mut().zip(tensor.row(0)) {
            *weight = f64::from(value);
        }
        Self { weights }
    }
}

fn queries(space: &WordSpace, data: &Training<'_>, mentioned: &[FxHashSet<usize>]) -> Vec<Query> {
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for word in mentioned.iter().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let mut words: Vec<usize> =
        counts.into_iter().filter(|(_, count)| *count >= LEAST).map(|(word, _)| word).collect();
    words.sort_unstable();
    let mut queries: Vec<Query> =
        words.into_iter().map(|word| Query { words: vec![word], own: None }).collect();
    let captions = data
        .texts
        .iter()
        .enumerate()
        .flat_map(|(own, texts)| texts.iter().map(move |text| (own, *text)));
    for (own, text) in captions.step_by(STRIDE) {
        let words: Vec<usize> = space.bag.encode(&[text]).into_iter().map(|(at, _)| at).collect();
        if let [first, second, ..] = words[..] {
            queries.push(Query { words: vec![first, second], own: None });
        }
        queries.push(Query { words, own: Some(own) });
    }
    queries
}
