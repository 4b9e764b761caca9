//! What all models of this family can be asked: words for pictures, pictures for words.

use rebus_collection::Matrix;

use super::word_side::WordSide;
use crate::{DualEncoder, Response, Result, dot_products};

/// A dual encoder that knows P(w|I) for every word.
pub trait WordProbabilities: DualEncoder {
    /// The words it knows.
    fn word_side(&self) -> &WordSide;

    /// P(w|I): a row a picture, a column a word. A picture that says nothing (no region, none of a
    /// known blob) has what is true of all pictures.
    ///
    /// # Errors
    /// If the features do not fit the model.
    fn word_probabilities(&self, features: &Matrix) -> Result<Matrix>;

    /// The `length` likeliest words of each picture, the likeliest first; of equals the first in the
    /// vocabulary. For CMRM these are the annotations of FACMRM (section 4.1.1 of the paper).
    ///
    /// # Errors
    /// If the features do not fit the model.
    fn annotate(&self, features: &Matrix, length: usize) -> Result<Vec<Vec<&str>>> {
        let probabilities = self.word_probabilities(features)?;
        let words: Vec<&str> = self.word_side().words().collect();
        let picture = |row: usize| {
            let best = likeliest(probabilities.row(row), length);
            best.into_iter().map(|at| words[at]).collect()
        };
        Ok((0..probabilities.rows()).map(picture).collect())
    }

    /// Pictures in the order in which they answer a query; `images` are rows of
    /// [`DualEncoder::encode_images`].
    ///
    /// # Errors
    /// If the query is empty or has an unknown word, naming known ones that are written like it; or
    /// if the rows do not fit.
    fn retrieve(&self, images: &Matrix, query: &str) -> Result<Vec<Response>> {
        self.word_side().query(query)?;
        let scores = dot_products(images, &self.encode_texts(&[query])?)?;
        let mut order: Vec<Response> =
            (0..images.rows()).map(|row| Response { row, value: scores.row(row)[0] }).collect();
        order.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.row.cmp(&b.row)));
        Ok(order)
    }
}

/// [`WordProbabilities`] of a model that has a `word_side` and `for_pictures`, which puts P(w|I) of each
/// picture into a row as it is told.
macro_rules! gives_probabilities {
    ($model:ty) => {
        impl $crate::WordProbabilities for $model {
            fn word_side(&self) -> &WordSide {
                &self.word_side
            }

            fn word_probabilities(&self, features: &Matrix) -> Result<Matrix> {
                self.for_pictures(features, |probabilities, row| {
                    row.iter_mut().zip(probabilities).for_each(|(to, p)| *to = *p as f32);
                })
            }
        }
    };
}

/// The traits of a model that has an `origin` besides: pictures are encoded by P(w|I), texts by their
/// words.
macro_rules! encodes_words {
    ($model:ty) => {
        $crate::relevance::word_probabilities::encodes_words!(
            $model,
            |model: &$model, text: &str, scores: &[f32]| model.word_side.meaning(text, scores)
        );
    };
    // With what scores mean for a text.
    ($model:ty, $meaning:expr) => {
        impl $crate::DualEncoder for $model {
            fn extractor(&self) -> &str {
                &self.origin.extractor
            }

            fn dimensions(&self) -> usize {
                self.word_side.len()
            }

            /// A picture that says nothing becomes a vector of zeros.
            fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
                self.for_pictures(features, |p, row| self.word_side.encode(p, row))
            }

            /// A text without a known word becomes a vector of zeros.
            fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
                Ok(self.word_side.encode_texts(texts))
            }
        }

        $crate::relevance::word_probabilities::gives_probabilities!($model);

        impl $crate::Understands for $model {
            fn unknown(&self, text: &str) -> Vec<String> {
                self.word_side.unknown(text)
            }

            fn spelled_like(&self, word: &str) -> Vec<String> {
                self.word_side.spelled_like(word)
            }

            fn meaning_for_text(&self, text: &str, scores: &Matrix) -> Result<$crate::Meaning> {
                let meaning: fn(&$model, &str, &[f32]) -> $crate::Meaning = $meaning;
                Ok(meaning(self, text, scores.row(0)))
            }

            fn probable_keywords(
                &self,
                images: &Matrix,
            ) -> Result<Option<Vec<Vec<$crate::lexicon::Keyword<'_>>>>> {
                self.word_side.keywords(images).map(Some)
            }
        }
    };
}

pub(super) use {encodes_words, gives_probabilities};

/// The places of the `length` largest values, the largest first; of equals the first place.
pub(super) fn likeliest(values: &[f32], length: usize) -> Vec<usize> {
    let order = |a: &usize, b: &usize| values[*b].total_cmp(&values[*a]).then(a.cmp(b));
    let mut places: Vec<usize> = (0..values.len()).collect();
    if length < places.len() {
        places.select_nth_unstable_by(length, order);
        places.truncate(length);
    }
    places.sort_unstable_by(order);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_come_first_and_equals_in_order() {
        assert_eq!(likeliest(&[0.1, 0.4, 0.1, 0.4], 3), [1, 3, 0]);
        assert_eq!(likeliest(&[0.1, 0.4], 5), [1, 0]);
        assert!(likeliest(&[], 2).is_empty());
    }
}
