//! Texts as weighted bags of words.
//!
//! A word that occurs counts sqrt(lambda_w), where lambda_w is its inverse document frequency
//! (section 3.1 of the ranking-task paper; a document is all texts of one picture), so that the
//! dot product of two bags weighs a shared word by lambda_w. The bag is scaled to length 1. Texts
//! are taken apart by plain words, lower case, stop words out, Porter stems.

use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::stage::LowerCase;
use rebus_text::stop_words::StopWords;
use rebus_text::vocabulary::{Counter, Entry, Vocabulary};
use rebus_text::{Analysis, Tokeniser};

use crate::{Error, Result};

/// Turns texts into weighted bags of words.
#[derive(Debug, Clone)]
pub struct BagOfWords {
    analysis: Analysis,
    vocabulary: Vocabulary,
    weights: Vec<f64>,
}

impl PartialEq for BagOfWords {
    fn eq(&self, other: &Self) -> bool {
        self.vocabulary == other.vocabulary && self.analysis() == other.analysis()
    }
}

impl BagOfWords {
    /// A bag over these words.
    pub fn new(vocabulary: Vocabulary) -> Self {
        let weights =
            vocabulary.entries().iter().map(|e| vocabulary.idf(&e.word).max(0.0).sqrt()).collect();
        Self { analysis: analysis(), vocabulary, weights }
    }

    /// A bag over the words that occur at least `least` times in the texts of all pictures.
    ///
    /// # Errors
    /// If there is no such word.
    pub fn learn(texts: &[Vec<&str>], least: u64) -> Result<Self> {
        let analysis = analysis();
        let mut counter = Counter::default();
        for texts in texts {
            let tokens: Vec<String> = texts.iter().flat_map(|text| analysis.tokens(text)).collect();
            counter.add(&tokens);
        }
        let vocabulary = counter.finish(least);
        if vocabulary.is_empty() {
            return Err(Error::Data { what: format!("no word occurs {least} times in the texts") });
        }
        Ok(Self::new(vocabulary))
    }

    /// How many words it knows.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// True if it knows none.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The words it knows, as the analysis leaves them.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.vocabulary.entries().iter().map(|entry| entry.word.as_str())
    }

    /// The steps by which texts are taken apart.
    pub fn analysis(&self) -> Vec<String> {
        self.analysis.names().into_iter().map(str::to_owned).collect()
    }

    /// The bag of all `texts` together as `(position, weight)`, sorted; empty if no word is known.
    pub fn encode(&self, texts: &[&str]) -> Vec<(usize, f64)> {
        let mut bag: Vec<usize> = texts
            .iter()
            .flat_map(|text| self.analysis.tokens(text))
            .filter_map(|word| self.vocabulary.id(&word))
            .map(|id| id.0 as usize)
            .collect();
        bag.sort_unstable();
        bag.dedup();
        let length = bag.iter().map(|&at| self.weights[at].powi(2)).sum::<f64>().sqrt();
        if length == 0.0 {
            return Vec::new();
        }
        bag.into_iter().map(|at| (at, self.weights[at] / length)).collect()
    }

    /// The same over more words.
    pub(crate) fn with(&self, more: Vec<Entry>) -> Self {
        Self::new(self.vocabulary.with(more))
    }

    /// A text in the form that the bag has words in.
    pub(crate) fn tokens(&self, text: &str) -> Vec<String> {
        self.analysis.tokens(text)
    }

    /// The position of a word, as the analysis leaves it.
    pub(crate) fn position(&self, word: &str) -> Option<usize> {
        self.vocabulary.id(word).map(|id| id.0 as usize)
    }

    /// What the word at a position weighs before the bag is scaled.
    pub(crate) fn weight(&self, position: usize) -> f64 {
        self.weights[position]
    }

    /// How many of the documents it was learnt from have a word.
    pub(crate) fn documents_with(&self, word: &str) -> u64 {
        self.vocabulary.texts_with(word)
    }

    /// The words of a text that it does not know, as they are written; stop words are no words.
    pub(crate) fn unknown(&self, text: &str) -> Vec<String> {
        let unknown = |word: &String| {
            let stems = self.tokens(word);
            !stems.is_empty() && stems.iter().all(|stem| self.position(stem).is_none())
        };
        let mut words: Vec<String> = Tokeniser::Words.tokens(text);
        words.retain(unknown);
        words.dedup();
        words
    }

    pub(crate) fn to_text(&self) -> String {
        self.vocabulary.to_text()
    }
}

fn analysis() -> Analysis {
    Analysis::new(Tokeniser::Words)
        .then(LowerCase)
        .then(StopWords)
        .then(PorterStemmer(Variant::Published))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_by_hand() {
        let texts = [vec!["A dog runs.", "dogs"], vec!["a cat"], vec!["the cats"], vec!["sea"]];
        let bag = BagOfWords::learn(&texts, 1).unwrap();
        assert_eq!(bag.words().collect::<Vec<_>>(), ["cat", "dog", "run", "sea"]);
        // lambda: cat log(4/3), dog and run log(4/2); squares of the weights sum to 1.
        let (cat, dog) = ((4.0f64 / 3.0).ln(), 2.0f64.ln());
        let encoded = bag.encode(&["Cats and dogs"]);
        assert!((encoded[0].1.powi(2) - cat / (cat + dog)).abs() < 1e-12);
        assert!((encoded[1].1.powi(2) - dog / (cat + dog)).abs() < 1e-12);
        assert!(bag.encode(&["an elephant"]).is_empty());
        assert!(BagOfWords::learn(&texts, 9).is_err());
    }
}
