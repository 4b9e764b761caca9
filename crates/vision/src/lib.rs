//! What a picture shows: decoding, and extractors that turn a picture into a row of numbers.
//!
//! It is for models, which start from such rows and never see pixels. It is not for editing or
//! for writing pictures.
//!
//! ```
//! use rebus_collection::synth;
//! use rebus_vision::{Extractor, GridColourEdge};
//!
//! let picture = synth::specimen(1, 0).picture;
//! let mut row = vec![0.0; GridColourEdge.dimensions()];
//! GridColourEdge.extract(&picture, &mut row)?;
//! assert!(row.iter().all(|value| value.is_finite()));
//! # Ok::<(), rebus_vision::Error>(())
//! ```
//!
//! [`open`] and [`decode`] give upright pixels; an [`Extractor`] looks at them ([`grid`] needs
//! nothing, [`visual_words`] count on a vocabulary of colours, textures and shapes, [`regions`] on one
//! of kinds of regions, an [`Encoder`] runs a network); [`find_extractor`] takes the name that a user gives. [`features`] looks at many
//! items at once, and [`Cache`] keeps the rows for the next time. [`kernel`] tells how alike two
//! rows are; [`kmeans`] makes vocabularies. [`likeness()`] is 64 bits by which copies of a picture are
//! recognised.

mod cache;
mod cielab;
mod draw;
pub mod encoder;
mod error;
mod extractor;
mod features;
pub mod grid;
pub mod kernel;
pub mod kmeans;
mod likeness;
mod picture;
pub mod regions;
mod row_kind;
mod standout;
mod thumbnail;
pub mod visual_words;
mod vocabulary_folder;
mod wide;

pub use cache::Cache;
pub use encoder::Encoder;
pub use error::{Error, Result};
pub use extractor::{Extractor, find_extractor};
pub use features::{Features, features};
pub use grid::GridColourEdge;
pub use kernel::Kernel;
pub use likeness::likeness;
pub use picture::{MOST_PIXELS, Picture, decode, decode_within, open};
pub use row_kind::RowKind;
pub use thumbnail::{small_copy, thumbnail};
pub use visual_words::VisualWords;
