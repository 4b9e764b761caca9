//! What a model can say beyond vectors: what its scores mean, which words it does not know, and
//! what each word of a text adds.
//!
//! A dual encoder only orders pictures. To say that no picture is meant at all, somebody must know
//! what a score means. A model that was calibrated says so itself ([`Meaning::Probabilities`]); for
//! any other the index falls back on how its own photos score, and says that this is no calibration.

use rebus_collection::Matrix;

use crate::lexicon::Keyword;
use crate::{DualEncoder, Result};

/// What scores with one query mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// The model understands nothing of the query: no score means anything.
    Nothing,
    /// The model was not calibrated for such queries: scores only order.
    Uncalibrated,
    /// How probable it is, for each score, that somebody would call the picture relevant.
    Probabilities(Vec<f64>),
}

/// A word of a text, and what it adds to the text's vector.
#[derive(Debug, Clone, PartialEq)]
pub struct WordPart {
    /// The word as it is written.
    pub word: String,
    /// Its dot product with a picture's vector is the word's share of the score.
    pub vector: Vec<f32>,
}

/// A dual encoder that says more than vectors. What it cannot say has a default, so that every
/// system has this trait.
pub trait Understands: DualEncoder {
    /// The words of a text that it does not know, as they are written.
    fn unknown(&self, text: &str) -> Vec<String> {
        let _ = text;
        Vec::new()
    }

    /// Words it knows that are written much like `word`, the likest first.
    fn spelled_like(&self, word: &str) -> Vec<String> {
        let _ = word;
        Vec::new()
    }

    /// The vectors by which pictures are judged for a text, a row each: that of the text, then
    /// whatever else [`Self::meaning_for_text`] asks for, such as one a word.
    ///
    /// # Errors
    /// If the text cannot be encoded.
    fn probes(&self, text: &str) -> Result<Matrix> {
        self.encode_texts(&[text])
    }

    /// What the scores of pictures with a text mean: a row for each of its [`Self::probes`], a
    /// column for each picture.
    ///
    /// # Errors
    /// If the text cannot be encoded, or there are not as many rows as probes.
    fn meaning_for_text(&self, text: &str, scores: &Matrix) -> Result<Meaning> {
        let _ = scores;
        let vector = self.encode_texts(&[text])?;
        let known = vector.values().iter().any(|&value| value != 0.0);
        Ok(if known { Meaning::Uncalibrated } else { Meaning::Nothing })
    }

    /// What the dot products of pictures with the vector of a picture mean: how probable it is
    /// that somebody would call both alike.
    ///
    /// # Errors
    /// If the vector does not fit the model.
    fn meaning_for_image(&self, image: &[f32], scores: &[f32]) -> Result<Meaning> {
        let _ = (image, scores);
        Ok(Meaning::Uncalibrated)
    }

    /// The keywords of each picture with their probability, the most probable first; `images` are
    /// rows of [`DualEncoder::encode_images`]. `None` from a model that gives no keywords.
    ///
    /// # Errors
    /// If the rows have another length.
    fn probable_keywords(&self, images: &Matrix) -> Result<Option<Vec<Vec<Keyword<'_>>>>> {
        let _ = images;
        Ok(None)
    }

    /// What each known word adds to the vector of a text. Where the text's vector is no sum over
    /// words, that is what it loses when the word is left out.
    ///
    /// # Errors
    /// If the text cannot be encoded.
    fn word_parts(&self, text: &str) -> Result<Vec<WordPart>> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut texts = vec![text.to_owned()];
        for left_out in 0..words.len() {
            let others = words.iter().enumerate().filter(|(at, _)| *at != left_out);
            let others: Vec<&str> = others.map(|(_, word)| *word).collect();
            texts.push(others.join(" "));
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = self.encode_texts(&texts)?;
        let whole = vectors.row(0);
        let part = |(at, word): (usize, &&str)| WordPart {
            word: (*word).to_owned(),
            vector: whole
                .iter()
                .zip(vectors.row(at + 1))
                .map(|(with, without)| with - without)
                .collect(),
        };
        let parts = words.iter().enumerate().map(part);
        Ok(parts.filter(|part| part.vector.iter().any(|&value| value != 0.0)).collect())
    }
}
