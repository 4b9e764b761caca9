//! CIDEr and CIDEr-D.
//!
//! Vedantam, Zitnick and Parikh (2015). CIDEr (their equations 1 to 3): the cosine between the
//! TF-IDF vectors of candidate and reference, averaged over references and over n-grams of one to
//! four words, times 10. CIDEr-D (section 5): the candidate's weights are clipped to the
//! reference's, and each cosine is multiplied by exp(-(difference of lengths)² / (2 · 6²)), so that
//! neither repeating a word nor length pays. What pycocoevalcap calls CIDEr is CIDEr-D.
//!
//! As those programs do: term frequencies are plain counts; the length of a sentence is its number
//! of bigrams; a cosine with a vector of length 0 is 0. Over a corpus: the mean over images.
//!
//! Range 0 to 10. A candidate without words scores 0. Undefined without a reference that has
//! words, and for a corpus too small for idf: see [`TooSmall`](super::TooSmall).

use super::document_frequency::DocumentFrequencies;
use super::ngrams::{Ngram, NgramCounts, ORDERS, in_both};

/// The deviation of CIDEr-D's length penalty, in words.
pub const SIGMA: f64 = 6.0;
/// What the mean cosine is multiplied by.
pub(crate) const SCALE: f64 = 10.0;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cider {
    /// CIDEr as first defined: plain cosines.
    Plain,
    /// CIDEr-D: clipped, with a length penalty.
    D,
}

/// The TF-IDF vectors of a sentence, one for each length of n-gram.
#[derive(Debug, Clone, PartialEq)]
pub struct TfIdf {
    orders: [Vec<(Ngram, f64)>; ORDERS],
    norms: [f64; ORDERS],
    length: usize,
}

impl TfIdf {
    /// Weighs the n-grams of a sentence.
    pub fn new(counts: &NgramCounts, frequencies: &DocumentFrequencies) -> Self {
        let orders: [Vec<_>; ORDERS] = std::array::from_fn(|order| {
            let weigh =
                |&(gram, count): &(_, u32)| (gram, f64::from(count) * frequencies.idf(gram));
            counts.order(order).iter().map(weigh).collect()
        });
        let norm = |order: usize| orders[order].iter().map(|(_, w)| w * w).sum::<f64>().sqrt();
        Self { norms: std::array::from_fn(norm), orders, length: length(counts) }
    }
}

/// The length of a sentence as CIDEr-D takes it.
pub(crate) fn length(counts: &NgramCounts) -> usize {
    counts.total(1)
}

/// CIDEr-D's penalty for a difference in length.
pub(crate) fn length_penalty(difference: usize) -> f64 {
    let difference = difference as f64;
    (-(difference * difference) / (2.0 * SIGMA * SIGMA)).exp()
}

impl Cider {
    /// The score of a candidate. `None` if there is no reference at all.
    ///
    /// Whether a reference has words is for the caller to see: one without counts as a reference
    /// that shares nothing.
    pub fn score(self, candidate: &TfIdf, references: &[TfIdf]) -> Option<f64> {
        if references.is_empty() {
            return None;
        }
        let sum: f64 =
            references.iter().map(|reference| self.similarity(candidate, reference)).sum();
        Some(SCALE * sum / references.len() as f64)
    }

    /// The mean over n-gram lengths of one comparison, 0 to 1.
    fn similarity(self, candidate: &TfIdf, reference: &TfIdf) -> f64 {
        let cosine = |order: usize| {
            let norms = candidate.norms[order] * reference.norms[order];
            if norms == 0.0 {
                return 0.0;
            }
            let mut product = 0.0;
            in_both(&candidate.orders[order], &reference.orders[order], |h: f64, r: f64| {
                product += match self {
                    Self::Plain => h * r,
                    Self::D => h.min(r) * r,
                };
            });
            product / norms
        };
        let mean = (0..ORDERS).map(cosine).sum::<f64>() / ORDERS as f64;
        match self {
            Self::Plain => mean,
            Self::D => mean * length_penalty(candidate.length.abs_diff(reference.length)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::{Lexicon, NgramTable};

    fn cider(kind: Cider, candidate: &str, references: &[&str], others: &[&str]) -> f64 {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        let mut count = |text: &str| table.count(&lexicon.sentence(text));
        let references: Vec<_> = references.iter().map(|text| count(text)).collect();
        let candidate = count(candidate);
        let documents: Vec<Vec<_>> = std::iter::once(references.clone())
            .chain(others.iter().map(|text| vec![count(text)]))
            .collect();
        let frequencies = DocumentFrequencies::new(&documents).unwrap();
        let vectors: Vec<_> = references.iter().map(|r| TfIdf::new(r, &frequencies)).collect();
        kind.score(&TfIdf::new(&candidate, &frequencies), &vectors).unwrap()
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn worked_example() {
        // Two images, so a word of one weighs ln 2 and "dog", of both, weighs 0. Of the candidate's
        // words only "red" counts for length 1 (cosine 1); "red dog" (ln 2) is not in the reference,
        // where "dog red" is: cosine 0. Two of four lengths have no n-grams: 0.
        near(cider(Cider::Plain, "red dog", &["dog red"], &["dog"]), 10.0 * 1.0 / 4.0);
    }

    #[test]
    fn clipping_and_length_tell_the_two_apart() {
        // "red red red": the vector points where the reference's does, so plain CIDEr sees no
        // fault. CIDEr-D clips 3 ln 2 to ln 2 (a third), and the lengths differ by 2 bigrams.
        let plain = cider(Cider::Plain, "red red red", &["red"], &["dog"]);
        let d = cider(Cider::D, "red red red", &["red"], &["dog"]);
        near(plain, 10.0 / 4.0);
        near(d, 10.0 / 4.0 / 3.0 * (-4.0_f64 / 72.0).exp());
    }

    #[test]
    fn a_caption_that_is_its_only_reference_scores_ten() {
        for kind in [Cider::Plain, Cider::D] {
            near(cider(kind, "a red dog runs", &["a red dog runs"], &["two cats"]), 10.0);
        }
    }

    #[test]
    fn nothing_said_scores_nothing() {
        near(cider(Cider::D, "", &["a red dog"], &["two cats"]), 0.0);
    }
}
