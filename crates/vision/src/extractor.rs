//! The shape of every feature extractor.

use std::path::Path;

use crate::encoder::{self, Encoder};
use crate::regions::{Blobs, RegionVectors};
use crate::{GridColourEdge, Picture, Result, VisualWords, vocabulary_folder};

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

/// The extractor that a user names: `grid-colour-edge`, the vectors of regions
/// ([`RegionVectors::named`]), a folder of visual words or of blobs, or an image network by its name
/// or path ([`encoder::locate`]).
///
/// # Errors
/// If there is none of that name, or its files do not fit.
pub fn find_extractor(name: &str) -> Result<Box<dyn Extractor>> {
    if name == GridColourEdge.name() || GridColourEdge.name().strip_suffix("/1") == Some(name) {
        return Ok(Box::new(GridColourEdge));
    }
    if let Some(regions) = RegionVectors::named(name)? {
        return Ok(Box::new(regions));
    }
    let folder = Path::new(name);
    if let Some(blobs) = Blobs::find(folder)? {
        return Ok(Box::new(blobs));
    }
    match vocabulary_folder::kind(folder) {
        Some(_) => Ok(Box::new(VisualWords::load(folder)?)),
        None => Ok(Box::new(Encoder::open(&encoder::locate(name)?)?)),
    }
}
