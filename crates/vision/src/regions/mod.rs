//! `regions` and `blobs`: the picture as a few regions, and as counts of kinds of regions.
//!
//! As the relevance-models paper has it (Jeon, Lavrenko and Manmatha 2003, section 3): a picture is
//! divided into at most ten regions, those that are very small are left out, the others are described by
//! colour, texture, position and shape, and k-means over the regions of all training pictures makes
//! a vocabulary of 500 blobs. A [`Segmentation`] has the regions, by one of two [`Method`]s;
//! [`RegionVectors`] describes them, with numbers of our own or by what a network sees in them;
//! [`Blobs`] is the vocabulary. The last two are [`Extractor`](crate::Extractor)s, for models over
//! continuous features and over blobs.
//!
//! ```
//! use rebus_collection::{Item, Silent, synth};
//! use rebus_vision::regions::{Blobs, Method, Params, RegionVectors, Segmentation};
//!
//! let picture = synth::specimen(1, 0).picture;
//! let regions = Segmentation::new(&picture, Method::GraphBased)?;
//! assert!((1..=10).contains(&regions.areas().len()));
//! let seen = RegionVectors::low_level(Method::GraphBased).look(&picture)?;
//! assert_eq!(seen.kept.len(), seen.vectors.len());
//! # Ok::<(), rebus_vision::Error>(())
//! ```

mod blobs;
mod canvas;
mod folder;
mod graph_based;
mod low_level;
mod normalised_cuts;
mod outline;
mod patchwork;
mod pooled;
mod segmentation;
mod shape;
mod superpixels;
mod vectors;

pub(crate) use blobs::NAME as BLOBS;
pub use blobs::{Blobs, Params};
pub use folder::NETWORK;
pub use outline::Line;
pub use segmentation::{Method, Segmentation};
pub use vectors::{RegionVectors, Seen, vectors_of};

use crate::Error;

/// The most regions of a picture.
pub const MOST: usize = 10;
/// A region of fewer pixels, at the size at which pictures are divided, is not described: a picture
/// of a few pixels has no region that is.
pub const SMALLEST: usize = 32;
/// Nor is one that takes a smaller share of the picture.
pub const SMALLEST_SHARE: f64 = 0.015;

fn wrong(what: &str) -> Error {
    Error::Regions { what: what.into() }
}
