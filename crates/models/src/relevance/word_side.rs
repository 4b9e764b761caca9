//! Words as the relevance models have them: counted in the texts of training pictures, asked for in
//! queries, given to pictures.
//!
//! A model of this family ends in P(w|I) for every word. As a dual encoder it has
//! ln(P(w|I) / P(w)) on the image side and, on the text side, 1/k for each of the k known words of
//! a text. For one query that orders pictures as equation 6 does, the product of P(w|I): the P(w)
//! and k are the query's alone. Among texts for one picture they take the advantage from short
//! texts of common words.

use rebus_collection::Matrix;

use super::counts::{Counts, Entry};
use crate::bag_of_words::{AtLeast, Document, Form, Length, Weighting, Words};
use crate::folder::Reader;
use crate::lexicon::Keyword;
use crate::spelled_like::spelled_like;
use crate::{BagOfWords, Error, Meaning, Result};

/// The words of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct WordSide {
    bag: BagOfWords,
    /// P(w) before a picture was seen.
    prior: Vec<f64>,
    /// How many words are drawn from P(w|I) for a picture's text.
    length: f64,
}

/// How texts are taken apart and counted.
fn form(words: Words) -> Form {
    Form { words, weighting: Weighting::Binary, length: Length::AsIs, document: Document::Picture }
}

/// The words of training texts that occur often enough, and how often each picture has them.
pub(super) fn learn(
    texts: &[Vec<&str>],
    words: Words,
    min_count: u64,
) -> Result<(BagOfWords, Counts)> {
    let bag = BagOfWords::learn(texts, form(words), AtLeast::Times(min_count))?;
    let counts = texts.iter().map(|texts| {
        let mut found: Vec<u32> = texts
            .iter()
            .flat_map(|text| bag.tokens(text))
            .filter_map(|word| bag.position(&word))
            .map(|at| at as u32)
            .collect();
        found.sort_unstable();
        found.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64)).collect()
    });
    let counts = Counts::new(bag.len(), counts.collect::<Vec<Vec<Entry>>>());
    Ok((bag, counts))
}

/// The words that a folder holds.
pub(super) fn read(reader: &Reader, words: Words) -> Result<BagOfWords> {
    reader.bag_of_words(form(words))
}

impl WordSide {
    /// With P(w), and how many words are drawn for a picture.
    pub(super) fn new(bag: BagOfWords, prior: Vec<f64>, length: f64) -> Self {
        Self { bag, prior, length }
    }

    /// With P(w) as the training texts have it.
    pub(super) fn of_vocabulary(bag: BagOfWords) -> Self {
        let counts: Vec<f64> = bag.counts().map(|count| count as f64).collect();
        let total: f64 = counts.iter().sum();
        let prior = counts.iter().map(|count| count / total).collect();
        let length = total / bag.documents().max(1) as f64;
        Self { bag, prior, length }
    }

    /// P(w) before a picture was seen.
    pub(super) fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// The words, in the order of the columns of probabilities.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.bag.words()
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.bag.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.bag.is_empty()
    }

    pub(super) fn bag(&self) -> &BagOfWords {
        &self.bag
    }

    /// Where the words of a query stand, each once.
    ///
    /// # Errors
    /// [`Error::EmptyQuery`] if it has no word, [`Error::UnknownWord`] with the nearest known words
    /// if one of its words is unknown.
    pub fn query(&self, text: &str) -> Result<Vec<usize>> {
        if let Some(word) = self.bag.unknown(text).into_iter().next() {
            let near = self.spelled_like(&word);
            return Err(Error::UnknownWord { word, near });
        }
        let known = self.known(text);
        if known.is_empty() {
            return Err(Error::EmptyQuery);
        }
        Ok(known)
    }

    /// Where the known words of a text stand, each once; the others are passed over.
    pub(super) fn known(&self, text: &str) -> Vec<usize> {
        self.bag.encode(&[text]).into_iter().map(|(at, _)| at).collect()
    }

    pub(super) fn unknown(&self, text: &str) -> Vec<String> {
        self.bag.unknown(text)
    }

    pub(super) fn spelled_like(&self, word: &str) -> Vec<String> {
        spelled_like(word, self.words())
    }

    /// 1/k for each of the k known words of a text.
    pub(super) fn encode_texts(&self, texts: &[&str]) -> Matrix {
        let mut vectors = Matrix::zeros(texts.len(), self.len());
        for (row, text) in texts.iter().enumerate() {
            let known = self.known(text);
            for &at in &known {
                vectors.row_mut(row)[at] = 1.0 / known.len() as f32;
            }
        }
        vectors
    }

    /// ln(P(w|I) / P(w)) into a row; 0 for a word of which no picture with regions tells anything.
    pub(super) fn encode(&self, probabilities: &[f64], row: &mut [f32]) {
        for ((to, p), prior) in row.iter_mut().zip(probabilities).zip(&self.prior) {
            *to = if *prior > 0.0 { (p / prior).ln() as f32 } else { 0.0 };
        }
    }

    /// How probable it is that a word of this P(w|I) is drawn at least once for a picture's text.
    fn drawn(&self, p: f64) -> f64 {
        1.0 - (1.0 - p.min(1.0)).powf(self.length)
    }

    /// What scores with a text mean: how probable it is that all its known words are drawn, each by
    /// itself. Of several words a score has the mean logarithm only, so that all are taken as equally
    /// probable; of one word that is nothing else than its probability as a keyword.
    pub(super) fn meaning(&self, text: &str, scores: &[f32]) -> Meaning {
        let known = self.known(text);
        if known.is_empty() {
            return Meaning::Nothing;
        }
        let words = known.len() as f64;
        let prior = known.iter().map(|&at| self.prior[at].ln()).sum::<f64>() / words;
        let all = |&score: &f32| self.drawn((f64::from(score) + prior).exp()).powf(words);
        Meaning::Probabilities(scores.iter().map(all).collect())
    }

    /// The keywords of pictures from their vectors, the likeliest first, none for a picture that says
    /// nothing. The probability is that of drawing the word at least once.
    pub(super) fn keywords(&self, images: &Matrix) -> Result<Vec<Vec<Keyword<'_>>>> {
        if images.columns() != self.len() {
            return Err(Error::Shape { expected: self.len(), found: images.columns() });
        }
        let picture = |row: usize| {
            let row = images.row(row);
            if row.iter().all(|&value| value == 0.0) {
                return Vec::new();
            }
            let words = self.words().zip(row).zip(&self.prior);
            let mut keywords: Vec<Keyword<'_>> = words
                .map(|((word, &log), prior)| {
                    let probability = self.drawn(f64::from(log).exp() * prior);
                    Keyword { word, probability }
                })
                .collect();
            keywords.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            keywords
        };
        Ok((0..images.rows()).map(picture).collect())
    }
}
