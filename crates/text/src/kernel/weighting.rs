//! How much a word counts: the weights lambda_w of sections 3.1 and 3.4 of the ranking-task paper.

use crate::vocabulary::Vocabulary;

/// How words are weighted, inside a kernel's feature vectors.
///
/// A bag of words multiplies the frequency of a word by its weight; a sequence of words has the
/// product of their weights. So the trigram kernel under [`Self::SqrtIdf`] multiplies a match by
/// lambda_w (equation 16), or by sqrt(lambda_w lambda_w') between two words (equation 21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weighting {
    /// Every word counts 1.
    Plain,
    /// lambda_w = log(|D| / (|D(w)| + 1)), over the training images in whose captions w appears.
    Idf,
    /// The square root of lambda_w.
    SqrtIdf,
}

impl Weighting {
    /// The weight of a word. The formula gives slightly less than 0 for a word of every image: such
    /// a word tells nothing, and has 0.
    pub(super) fn weight(self, vocabulary: &Vocabulary, word: &str) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Idf => vocabulary.idf(word).max(0.0),
            Self::SqrtIdf => vocabulary.idf(word).max(0.0).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_by_hand() {
        let words = Vocabulary::of(&[vec!["a", "b"], vec!["a"], vec!["a", "c"]]);
        let weight = |weighting: Weighting, word| weighting.weight(&words, word);
        assert_eq!(weight(Weighting::Plain, "a"), 1.0);
        assert_eq!(weight(Weighting::Idf, "a"), 0.0);
        assert!((weight(Weighting::Idf, "b") - 1.5f64.ln()).abs() < 1e-12);
        assert!((weight(Weighting::SqrtIdf, "c").powi(2) - 1.5f64.ln()).abs() < 1e-12);
        assert!((weight(Weighting::Idf, "unknown") - 3f64.ln()).abs() < 1e-12);
    }
}
