//! The shape of every feature extractor.

use crate::Picture;

/// Turns a picture into a fixed number of features.
pub trait Extractor: Send + Sync {
    /// The extractor's name and version: what a model records, and part of the cache's key.
    fn name(&self) -> &str;
    /// How many features it gives.
    fn dimensions(&self) -> usize;
    /// Writes the features of one picture into `features`, which holds [`Self::dimensions`].
    fn extract(&self, picture: &Picture, features: &mut [f32]);
}
