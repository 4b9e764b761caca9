//! Photos on disk, searchable.
//!
//! It is for keeping what is known of many photos in one folder, and for finding them again. It is
//! not for reading pictures (`rebus-vision`), nor for what a text or a picture means
//! (`rebus-models`).
//!
//! [`update`] brings an index up to date with the photos; [`Index`] reads it: photos, what is said
//! about them, and their vectors. [`vectors`] has one file a model with a vector a photo, and the
//! engines that find the nearest of them. [`annotate`] has words for photos.
//!
//! # What an index is
//!
//! A folder:
//!
//! - `index.json`: what it is, and its version;
//! - `catalogue/`: the photos and what is said about them; its commit is the commit of all;
//! - `vectors/MODEL/`: a file of vectors, slot by slot;
//! - `thumbnails/`: small copies, safe to delete;
//! - `writer.lock`: held by the one process that writes.
//!
//! Photos, models and vectors change together, in one commit; readers see the last one, whatever a
//! writer does meanwhile, and a writer that is killed loses only what it had not committed.

pub mod annotate;
mod catalogue;
mod check;
mod commit;
mod duplicates;
mod error;
mod index;
mod indexing;
mod lock;
mod manifest;
mod photo;
pub mod search;
mod selection;
pub mod vectors;

pub use check::{CheckReport, Damage, check};
pub use commit::{ModelRecord, Origin, Root};
pub use duplicates::{Alike, Group, Limits, duplicates};
pub use error::{Error, Result};
pub use index::{Index, Refreshed, Statistics};
pub use indexing::{Eye, OnDamage, Options, Update, update, watch};
pub use manifest::VERSION;
pub use photo::{Failure, Photo, PhotoId, Retry};
pub use selection::Selection;
