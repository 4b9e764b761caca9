//! Texts as weighted bags of words.
//!
//! A word that occurs counts sqrt(lambda_w), where lambda_w is its inverse document frequency, so
//! that the dot product of two bags weighs a shared word by lambda_w (the BoW5 kernel with
//! square-root idf of the ranking-task paper, section 3.4). The bag is scaled to length 1.

use crate::Vocabulary;

/// Turns texts into weighted bags of words.
#[derive(Debug, Clone, PartialEq)]
pub struct BagOfWords {
    vocabulary: Vocabulary,
    weights: Vec<f64>,
}

impl BagOfWords {
    /// A bag over these words.
    pub fn new(vocabulary: Vocabulary) -> Self {
        let weights = (0..vocabulary.len()).map(|at| vocabulary.idf(at).sqrt()).collect();
        Self { vocabulary, weights }
    }

    /// The words it knows.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The bag of a text as `(position, weight)`, sorted; empty if no word is known.
    pub fn encode(&self, words: &[String]) -> Vec<(usize, f64)> {
        let mut bag: Vec<usize> =
            words.iter().filter_map(|word| self.vocabulary.position(word)).collect();
        bag.sort_unstable();
        bag.dedup();
        let length = bag.iter().map(|&at| self.weights[at].powi(2)).sum::<f64>().sqrt();
        if length == 0.0 {
            return Vec::new();
        }
        bag.into_iter().map(|at| (at, self.weights[at] / length)).collect()
    }
}

/// The words of a text, as all systems here see them: lower case, letters and digits only.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
