//! The shape of every feature extractor.

use crate::{Picture, Result};

/// Turns a picture into a fixed number of features.
pub trait Extractor: Send + Sync {
    /// The extractor's name and version: what a model records, and part of the cache's key.
    fn name(&self) -> &str;
    /// How many features it gives.
    fn dimensions(&self) -> usize;
    /// Writes the features of one picture into `features`, which holds [`Self::dimensions`].
    /// Many pictures are looked at together, each by one thread.
    ///
    /// # Errors
    /// If the extractor cannot make sense of the picture.
    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()>;
}
