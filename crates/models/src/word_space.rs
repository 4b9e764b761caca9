//! A space of pictures and words: the shape of every model whose text side is a sum of word
//! vectors and whose image side is one linear map.
//!
//! A picture with features x lies at W'(x - mean), a text at its origin plus the weighted vectors
//! of its words; both are scaled to length 1, so that the dot product is a cosine (equation 4 of
//! the ranking-task paper). A text without a known word lies nowhere: zeros, equally far from
//! every picture.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rebus_collection::Matrix;
use rebus_text::Tokeniser;

use crate::bag_of_words::Form;
use crate::folder::{Reader, Writer};
use crate::understands::WordPart;
use crate::{BagOfWords, Error, Result};

/// [`crate::DualEncoder`] of a model that has an `origin` and a `space`.
macro_rules! encodes_in_space {
    ($model:ty) => {
        impl $crate::DualEncoder for $model {
            fn extractor(&self) -> &str {
                &self.origin.extractor
            }

            fn dimensions(&self) -> usize {
                self.space.dimensions()
            }

            fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
                self.space.encode_images(features)
            }

            fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
                self.space.encode_texts(texts)
            }
        }
    };
}

/// [`crate::Understands`] of a model that has a `space` and no more to say than it.
macro_rules! understands_in_space {
    ($model:ty) => {
        impl $crate::Understands for $model {
            fn unknown(&self, text: &str) -> Vec<String> {
                self.space.bag.unknown(text)
            }

            fn word_parts(&self, text: &str) -> Result<Vec<$crate::WordPart>> {
                Ok(self.space.word_parts(text))
            }
        }
    };
}

pub(crate) use {encodes_in_space, understands_in_space};

/// Pictures and words in one space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WordSpace {
    pub(crate) bag: BagOfWords,
    /// One row of feature means.
    pub(crate) mean: Matrix,
    /// A row a feature, a column a dimension.
    pub(crate) image: Matrix,
    /// Where a text begins: one row.
    pub(crate) origin: Matrix,
    /// A row a word, a column a dimension.
    pub(crate) words: Matrix,
}

impl WordSpace {
    pub(crate) fn dimensions(&self) -> usize {
        self.image.columns()
    }

    pub(crate) fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
        let expected = self.mean.columns();
        if features.columns() != expected {
            return Err(Error::Shape { expected, found: features.columns() });
        }
        let mut centred = features.clone();
        let mean = self.mean.row(0);
        for row in 0..centred.rows() {
            for (value, mean) in centred.row_mut(row).iter_mut().zip(mean) {
                *value -= mean;
            }
        }
        let mut vectors = product(&centred, &self.image);
        normalise(&mut vectors);
        Ok(vectors)
    }

    pub(crate) fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
        let mut vectors = Matrix::zeros(texts.len(), self.dimensions());
        for (row, text) in texts.iter().enumerate() {
            self.place(&self.bag.encode(&[text]), vectors.row_mut(row));
        }
        normalise(&mut vectors);
        Ok(vectors)
    }

    /// The vector of a text of these words, one row; `None` if there are none.
    pub(crate) fn of_words(&self, words: &[usize]) -> Option<Matrix> {
        let length = words.iter().map(|&at| self.bag.weight(at).powi(2)).sum::<f64>().sqrt();
        let bag: Vec<(usize, f64)> =
            words.iter().map(|&at| (at, self.bag.weight(at) / length)).collect();
        let mut vector = Matrix::zeros(1, self.dimensions());
        self.place(&bag, vector.row_mut(0));
        normalise(&mut vector);
        (length > 0.0).then_some(vector)
    }

    /// What each known word adds to the vector of a text. The rest of the vector is the origin,
    /// scaled, which is nobody's share.
    pub(crate) fn word_parts(&self, text: &str) -> Vec<WordPart> {
        let bag = self.bag.encode(&[text]);
        let mut whole = vec![0.0; self.dimensions()];
        self.place(&bag, &mut whole);
        let length = whole.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
        let mut left = bag;
        let mut parts = Vec::new();
        for word in Tokeniser::Words.tokens(text) {
            let at = self.bag.tokens(&word).iter().find_map(|stem| self.bag.position(stem));
            // A word counts once however often it is written.
            let Some(found) = left.iter().position(|(row, _)| Some(*row) == at) else { continue };
            let (row, weight) = left.remove(found);
            let scaled = |&value: &f32| (weight * f64::from(value) / length) as f32;
            parts.push(WordPart { word, vector: self.words.row(row).iter().map(scaled).collect() });
        }
        parts
    }

    /// Where a bag of words lies, not scaled yet; zeros for an empty one.
    fn place(&self, bag: &[(usize, f64)], to: &mut [f32]) {
        if bag.is_empty() {
            return;
        }
        let mut sums: Vec<f64> = self.origin.row(0).iter().map(|&v| f64::from(v)).collect();
        for &(word, weight) in bag {
            for (sum, &value) in sums.iter_mut().zip(self.words.row(word)) {
                *sum += weight * f64::from(value);
            }
        }
        for (value, sum) in to.iter_mut().zip(sums) {
            *value = sum as f32;
        }
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>, more: &[(&str, &Matrix)]) -> Result<()> {
        let mut tensors = vec![
            ("image.mean", &self.mean),
            ("image.weights", &self.image),
            ("text.origin", &self.origin),
            ("text.words", &self.words),
        ];
        tensors.extend_from_slice(more);
        tensors.sort_unstable_by_key(|(name, _)| *name);
        writer.tensors(&tensors)?;
        writer.vocabulary(&self.bag.to_text())
    }

    pub(crate) fn read(reader: &Reader, form: Form) -> Result<Self> {
        let bag = reader.bag_of_words(form)?;
        let mean = reader.tensor("image.mean", [Some(1), None])?;
        let image = reader.tensor("image.weights", [Some(mean.columns()), None])?;
        let dimensions = Some(image.columns());
        let origin = reader.tensor("text.origin", [Some(1), dimensions])?;
        let words = reader.tensor("text.words", [Some(bag.len()), dimensions])?;
        Ok(Self { bag, mean, image, origin, words })
    }
}

/// The matrix product `a b`.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut to = Matrix::zeros(a.rows(), b.columns());
    if a.rows() == 0 {
        return to;
    }
    matmul(
        MatMut::from_row_major_slice_mut(to.values_mut(), a.rows(), b.columns()),
        Accum::Replace,
        MatRef::from_row_major_slice(a.values(), a.rows(), a.columns()),
        MatRef::from_row_major_slice(b.values(), b.rows(), b.columns()),
        1.0,
        Par::rayon(0),
    );
    to
}

/// Makes every row a vector of length 1; zeros stay.
pub(crate) fn normalise(vectors: &mut Matrix) {
    for row in 0..vectors.rows() {
        let row = vectors.row_mut(row);
        let length = row.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
    }
}
