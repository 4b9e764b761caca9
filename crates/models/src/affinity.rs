//! The one idea: an affinity f(image, text), as a dual encoder or as a pair scorer.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rebus_collection::Matrix;

use crate::{Error, Result};

/// Each side becomes a vector on its own; the affinity is their dot product.
///
/// The image side starts from the features of a named extractor, one row a picture, so that
/// features can be computed once, cached by content and shared by many models.
pub trait DualEncoder: Send + Sync {
    /// The name of the feature extractor whose rows [`Self::encode_images`] takes.
    fn extractor(&self) -> &str;
    /// The length of the vectors on both sides.
    fn dimensions(&self) -> usize;
    /// A vector an image, from its features.
    fn encode_images(&self, features: &Matrix) -> Result<Matrix>;
    /// A vector a text.
    fn encode_texts(&self, texts: &[&str]) -> Result<Matrix>;
}

/// Looks at image and text together: for re-ranking the first few of a dual encoder, or for
/// systems whose scores do not factor.
pub trait PairScorer: Send + Sync {
    /// The name of the feature extractor whose rows [`Self::score`] takes.
    fn extractor(&self) -> &str;
    /// The affinity of every image (rows) with every text (columns).
    fn score(&self, features: &Matrix, texts: &[&str]) -> Result<Matrix>;
}

/// Either kind of system, as evaluation sees it: a source of blocks of the affinity matrix.
pub enum Affinity<'a> {
    /// Dot products of two encodings.
    Dual(&'a dyn DualEncoder),
    /// Scores of pairs.
    Pairs(&'a dyn PairScorer),
}

impl Affinity<'_> {
    /// The whole matrix f(image, text): a row an image, a column a text.
    ///
    /// # Errors
    /// If a score is not finite, naming the pair; or if the system fails.
    pub fn matrix(&self, features: &Matrix, texts: &[&str]) -> Result<Matrix> {
        let scores = match self {
            Self::Dual(system) => {
                dot_products(&system.encode_images(features)?, &system.encode_texts(texts)?)?
            }
            Self::Pairs(system) => system.score(features, texts)?,
        };
        match scores.first_not_finite() {
            Some((row, column)) => Err(Error::NotFinite { row, column }),
            None => Ok(scores),
        }
    }
}

/// The dot product of every row of `a` with every row of `b`: a row a row of `a`, a column a row
/// of `b`.
///
/// # Errors
/// If the rows have different lengths.
pub fn dot_products(a: &Matrix, b: &Matrix) -> Result<Matrix> {
    if a.columns() != b.columns() {
        return Err(Error::Shape { expected: a.columns(), found: b.columns() });
    }
    let mut products = Matrix::zeros(a.rows(), b.rows());
    if a.columns() == 0 || products.values().is_empty() {
        return Ok(products);
    }
    matmul(
        MatMut::from_row_major_slice_mut(products.values_mut(), a.rows(), b.rows()),
        Accum::Replace,
        MatRef::from_row_major_slice(a.values(), a.rows(), a.columns()),
        MatRef::from_row_major_slice(b.values(), b.rows(), b.columns()).transpose(),
        1.0,
        Par::rayon(0),
    );
    Ok(products)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_hand() {
        let a = Matrix::new(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        let b = Matrix::new(3, 2, vec![1.0, 0.0, 0.0, 1.0, 1.0, -1.0]).unwrap();
        let products = dot_products(&a, &b).unwrap();
        assert_eq!(products.values(), [1.0, 2.0, -1.0, 3.0, 4.0, -1.0]);
    }

    #[test]
    fn empty_sides_and_wrong_shapes() {
        let none = Matrix::zeros(0, 2);
        let some = Matrix::zeros(3, 2);
        assert_eq!(dot_products(&none, &some).unwrap().rows(), 0);
        assert_eq!(dot_products(&some, &none).unwrap().columns(), 0);
        assert!(dot_products(&some, &Matrix::zeros(3, 5)).is_err());
    }
}
