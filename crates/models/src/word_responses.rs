//! What a picture answers to each word, and what each word adds to a score.
//!
//! In the scalable-explicit paper both the joint model (`rank-svm`) and the independent baseline
//! (`word-svm`) score a caption by the sum of the responses of its words, each a dot product of
//! the picture's features with the word's weights (sections 3.1 and 4). So a picture is encoded as
//! its response to every word, a caption as its bag of words, and what a single word adds to a
//! score can be read off (the paper's Figures 2 to 4).

use rebus_collection::Matrix;

use crate::spelled_like::spelled_like;
use crate::{BagOfWords, DualEncoder, Error, Result};

/// What one word adds to the score of a caption for a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The word, as the model's analysis leaves it.
    pub word: String,
    /// The picture's response to it, times its weight in the caption.
    pub value: f32,
}

/// A picture that answers to a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response {
    /// The picture's row.
    pub row: usize,
    /// What it answers.
    pub value: f32,
}

/// A dual encoder whose affinity is a sum over the words of the text.
pub trait WordResponses: DualEncoder {
    /// The words it knows and the weights of a text.
    fn bag(&self) -> &BagOfWords;

    /// What each known word of `text` adds to its score for each picture, a list a picture, in the
    /// order of the model's words. The lists are empty if no word is known: such a text cannot be
    /// ranked.
    ///
    /// # Errors
    /// If the features do not fit the model.
    fn contributions(&self, features: &Matrix, text: &str) -> Result<Vec<Vec<Contribution>>> {
        let responses = self.encode_images(features)?;
        let bag = self.bag().encode(&[text]);
        let of_row = |row: usize| {
            let values = responses.row(row);
            bag.iter()
                .map(|&(at, weight)| Contribution {
                    word: self.bag().word(at).unwrap_or_default().to_owned(),
                    value: (f64::from(values[at]) * weight) as f32,
                })
                .collect()
        };
        Ok((0..features.rows()).map(of_row).collect())
    }

    /// The pictures that respond most to a word, strongest first.
    ///
    /// # Errors
    /// If the features do not fit the model, or it does not know the word.
    fn strongest(&self, features: &Matrix, word: &str, count: usize) -> Result<Vec<Response>> {
        let Some(at) = self.bag().position(word) else {
            let near = spelled_like(word, self.bag().words());
            return Err(Error::UnknownWord { word: word.to_owned(), near });
        };
        let responses = self.encode_images(features)?;
        let mut order: Vec<Response> = (0..responses.rows())
            .map(|row| Response { row, value: responses.row(row)[at] })
            .collect();
        order.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.row.cmp(&b.row)));
        order.truncate(count);
        Ok(order)
    }
}
