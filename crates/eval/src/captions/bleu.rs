//! BLEU-1 to BLEU-4.
//!
//! Papineni, Roukos, Ward and Zhu (2002): the geometric mean of the clipped precisions of n-grams
//! up to length N, times a penalty exp(1 - r/c) for candidates of c words that are shorter than
//! their reference length r. As the COCO caption evaluation (pycocoevalcap) computes it: r is the
//! length of the reference that is closest to the candidate's, the shorter of two equally close
//! ones; each precision is (correct + 1e-15) / (guessed + 1e-9), so that one candidate alone has a
//! score too. Over a corpus the counts and lengths are added up before the formula is applied.
//!
//! Range 0 to 1 (just below 1, by the constants). A candidate without words scores 0, as there.
//! Undefined without a reference that has words, and over a corpus of no such image.

use std::ops::AddAssign;

use super::ngrams::{Ngram, NgramCounts, ORDERS, in_both};

/// Added to the correct n-grams, so that a precision is never exactly 0.
const TINY: f64 = 1e-15;
/// Added to the guessed n-grams, so that nothing is divided by 0.
const SMALL: f64 = 1e-9;

/// What BLEU needs to know about the references of one image.
#[derive(Debug, Clone)]
pub struct BleuReferences {
    lengths: Vec<usize>,
    /// For each n-gram, the most that one reference has of it; by length, then by number.
    most: [Vec<(Ngram, u32)>; ORDERS],
}

impl BleuReferences {
    /// Takes in the references of an image. `None` if none of them has a word.
    pub fn new<'a>(references: impl IntoIterator<Item = &'a NgramCounts>) -> Option<Self> {
        let references: Vec<_> = references.into_iter().collect();
        if references.iter().all(|counts| counts.words() == 0) {
            return None;
        }
        let most = std::array::from_fn(|order| {
            let mut all: Vec<_> =
                references.iter().flat_map(|counts| counts.order(order)).copied().collect();
            // The largest count of an n-gram comes first, and stays.
            all.sort_unstable_by_key(|&(gram, count)| (gram, std::cmp::Reverse(count)));
            all.dedup_by_key(|&mut (gram, _)| gram);
            all
        });
        Some(Self { lengths: references.iter().map(|counts| counts.words()).collect(), most })
    }

    /// Compares a candidate with the references.
    pub fn compare(&self, candidate: &NgramCounts) -> Bleu {
        let words = candidate.words();
        let closest = self.lengths.iter().map(|&length| (length.abs_diff(words), length)).min();
        let mut correct = [0; ORDERS];
        for (order, correct) in correct.iter_mut().enumerate() {
            in_both(candidate.order(order), &self.most[order], |mine, most| {
                *correct += u64::from(mine.min(most));
            });
        }
        Bleu {
            words: words as u64,
            reference_words: closest.map_or(0, |(_, length)| length) as u64,
            correct,
            guessed: std::array::from_fn(|order| candidate.total(order) as u64),
        }
    }
}

/// The counts BLEU is computed from, of one candidate or, added up, of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bleu {
    words: u64,
    reference_words: u64,
    correct: [u64; ORDERS],
    guessed: [u64; ORDERS],
}

impl Bleu {
    /// BLEU-1 to BLEU-4.
    pub fn scores(&self) -> [f64; ORDERS] {
        let ratio = (self.words as f64 + TINY) / (self.reference_words as f64 + SMALL);
        let brevity = if ratio < 1.0 { (1.0 - 1.0 / ratio).exp() } else { 1.0 };
        let mut product = 1.0;
        std::array::from_fn(|order| {
            let (correct, guessed) = (self.correct[order] as f64, self.guessed[order] as f64);
            product *= (correct + TINY) / (guessed + SMALL);
            brevity * f64::powf(product, 1.0 / (order + 1) as f64)
        })
    }
}

impl AddAssign for Bleu {
    fn add_assign(&mut self, other: Self) {
        self.words += other.words;
        self.reference_words += other.reference_words;
        for order in 0..ORDERS {
            self.correct[order] += other.correct[order];
            self.guessed[order] += other.guessed[order];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::{Lexicon, NgramTable};

    fn bleu(candidate: &str, references: &[&str]) -> Option<Bleu> {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        let mut count = |text: &str| table.count(&lexicon.sentence(text));
        let references: Vec<_> = references.iter().map(|text| count(text)).collect();
        Some(BleuReferences::new(&references)?.compare(&count(candidate)))
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6, "{a} is not {b}");
    }

    #[test]
    fn worked_example() {
        // Unigrams: the 2 (clipped from 3), cat 1 of 4 words... bigrams: "the cat" of 3.
        let scores = bleu("the the the cat", &["the cat on the mat", "a cat"]).unwrap().scores();
        // The closest length is 5: penalty exp(1 - 5/4).
        let penalty = (1.0_f64 - 5.0 / 4.0).exp();
        near(scores[0], penalty * 3.0 / 4.0);
        near(scores[1], penalty * (3.0_f64 / 4.0 * 1.0 / 3.0).sqrt());
        assert!(scores[2] < 1e-4 && scores[2] > 0.0);
    }

    #[test]
    fn of_two_equally_close_lengths_the_shorter_counts() {
        let scores = bleu("a b c", &["a b c d", "a b"]).unwrap().scores();
        near(scores[0], 1.0);
    }

    #[test]
    fn a_caption_among_its_references_scores_one() {
        let scores = bleu("a dog runs fast", &["x y", "a dog runs fast"]).unwrap().scores();
        scores.iter().for_each(|&score| near(score, 1.0));
    }

    #[test]
    fn nothing_said_scores_nothing_and_nothing_to_compare_with_is_undefined() {
        assert_eq!(bleu("", &["a dog"]).unwrap().scores(), [0.0; 4]);
        assert!(bleu("a dog", &["", ""]).is_none());
        assert!(bleu("a dog", &[]).is_none());
    }

    #[test]
    fn a_corpus_adds_counts_not_scores() {
        let mut corpus = bleu("a b", &["a b"]).unwrap();
        corpus += bleu("c d e f", &["x y z w"]).unwrap();
        near(corpus.scores()[0], 2.0 / 6.0);
    }
}
