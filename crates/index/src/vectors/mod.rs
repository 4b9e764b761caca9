//! The vectors of photos on disk, and how the nearest of them are found.
//!
//! Each model has one file ([`Vectors`]), which only grows: a header, then the vector of one photo
//! after the other in 16 bits. [`VectorEngine`] is what search sees of it: [`Exact`] looks at every
//! vector and is the reference for whatever is faster; [`Quantised`] looks at 8 bits of each first;
//! [`Hnsw`] goes along the links of a [`Graph`] and looks at few.

mod blocks;
mod exact;
mod file;
mod hnsw;
mod nearest;
mod quantised;
mod scan;
mod wide;

pub use blocks::{BlockCheck, Committed};
pub use exact::Exact;
pub use file::{VectorWriter, Vectors};
pub use hnsw::{Graph, Hnsw};
pub use quantised::Quantised;

use crate::{PhotoId, Result, Selection};

/// A photo and what it scores.
pub type Scored = (PhotoId, f32);

/// Finds the photos whose vectors have the largest dot product with that of a query.
///
/// Answers are ordered from the highest score down; equal scores by the photos' numbers, so that
/// the same question has the same answer everywhere. Only photos of `among` are answers, where it
/// is given.
pub trait VectorEngine: Send + Sync {
    /// The length of the vectors.
    fn dimensions(&self) -> usize;

    /// The best `count` photos.
    ///
    /// # Errors
    /// If the query has another length or holds what is not a number, or vectors are damaged.
    fn nearest(
        &self,
        query: &[f32],
        count: usize,
        among: Option<&Selection>,
    ) -> Result<Vec<Scored>>;

    /// Every photo that scores at least `least`.
    ///
    /// # Errors
    /// As [`Self::nearest`].
    fn above(&self, query: &[f32], least: f32, among: Option<&Selection>) -> Result<Vec<Scored>>;

    /// What each of these photos scores, in their order; `None` for a photo without a vector.
    ///
    /// # Errors
    /// As [`Self::nearest`].
    fn scores(&self, query: &[f32], of: &[PhotoId]) -> Result<Vec<Option<f32>>>;
}
