//! How well held-out training pictures are annotated and found: what settings are chosen by.

use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::word_probabilities::likeliest;
use crate::precision_recall::area;

/// A query must have so many held-out pictures, as in section 5.3 of the relevance-models paper.
const RELEVANT: usize = 2;

/// By what settings are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// F of mean precision and mean recall of annotations, over the words of the held-out pictures.
    #[default]
    FMeasure,
    /// Mean average precision of every word as a query that two or more held-out pictures have.
    AveragePrecision,
}

/// Every so manieth picture, held out, and the others that are kept; there are as many such folds.
pub(super) fn fold(pictures: usize, folds: usize, fold: usize) -> (Vec<usize>, Vec<usize>) {
    (0..pictures).partition(|picture| picture % folds == fold)
}

/// The words of held-out pictures.
pub(super) struct HeldOut {
    words: Counts,
    /// By word: how many of the pictures have it.
    relevant: Vec<usize>,
    /// How many words an annotation has.
    length: usize,
}

impl HeldOut {
    pub(super) fn new(words: Counts, length: usize) -> Self {
        let mut relevant = vec![0; words.columns()];
        for row in 0..words.rows() {
            words.row(row).iter().for_each(|&(word, _)| relevant[word as usize] += 1);
        }
        Self { words, relevant, length }
    }

    /// What P(w|I), a row a picture, comes to.
    pub(super) fn measure(&self, criterion: Criterion, probabilities: &[Vec<f64>]) -> f64 {
        match criterion {
            Criterion::FMeasure => self.f_measure(probabilities),
            Criterion::AveragePrecision => self
                .mean_average_precision(|word| probabilities.iter().map(|row| row[word]).collect()),
        }
    }

    fn f_measure(&self, probabilities: &[Vec<f64>]) -> f64 {
        let words = self.relevant.len();
        let (mut correct, mut given) = (vec![0.0; words], vec![0.0; words]);
        for (row, probabilities) in probabilities.iter().enumerate() {
            let values: Vec<f32> = probabilities.iter().map(|&p| p as f32).collect();
            for word in likeliest(&values, self.length) {
                given[word] += 1.0;
                correct[word] += f64::from(u8::from(self.has(row, word)));
            }
        }
        let (mut precision, mut recall, mut words) = (0.0, 0.0, 0.0);
        for ((correct, given), &relevant) in correct.iter().zip(given).zip(&self.relevant) {
            if relevant > 0 {
                words += 1.0;
                recall += correct / relevant as f64;
                precision += if given > 0.0 { correct / given } else { 0.0 };
            }
        }
        if recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) / words }
    }

    /// Whether a picture has a word.
    fn has(&self, row: usize, word: usize) -> bool {
        let own = self.words.row(row);
        own.binary_search_by_key(&(word as u32), |entry| entry.0).is_ok()
    }

    /// The mean over words as queries, of which `scores` gives the scores of the pictures.
    pub(super) fn mean_average_precision(&self, mut scores: impl FnMut(usize) -> Vec<f64>) -> f64 {
        let (mut sum, mut queries) = (0.0, 0);
        for (word, &relevant) in self.relevant.iter().enumerate() {
            if relevant < RELEVANT {
                continue;
            }
            let positive: Vec<bool> =
                (0..self.words.rows()).map(|row| self.has(row, word)).collect();
            sum += area(&scores(word), &positive).unwrap_or(0.0);
            queries += 1;
        }
        if queries == 0 { 0.0 } else { sum / f64::from(queries) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_by_hand() {
        let words = Counts::new(3, [vec![(0, 1.0)], vec![(0, 1.0), (1, 1.0)]]);
        let held_out = HeldOut::new(words, 1);
        let probabilities = [vec![0.2, 0.7, 0.1], vec![0.5, 0.4, 0.1]];
        // Word 0: given once, rightly, of two. Word 1: given once, wrongly. Word 2: nobody has it.
        let (precision, recall) = (0.5, 0.25);
        let f = 2.0 * precision * recall / (precision + recall);
        assert!((held_out.measure(Criterion::FMeasure, &probabilities) - f).abs() < 1e-12);
        // Only word 0 has two pictures, and they are all there are.
        assert_eq!(held_out.measure(Criterion::AveragePrecision, &probabilities), 1.0);
        let nothing = [vec![0.0, 0.0, 1.0], vec![0.0, 0.0, 1.0]];
        assert_eq!(held_out.measure(Criterion::FMeasure, &nothing), 0.0);
    }
}
