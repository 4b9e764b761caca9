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
//! ```
//! use rebus_collection::{ContentHash, Matrix, Silent, synth};
//! use rebus_index::{Eye, Index, Options, Origin, update};
//! use rebus_models::{Cca, Training, cca};
//! use rebus_vision::{Extractor, GridColourEdge};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Four drawn pictures, and a model that is fitted on them.
//! let home = tempfile::tempdir()?;
//! let photos = home.path().join("photos");
//! std::fs::create_dir(&photos)?;
//! let drawn: Vec<_> = (0..4).map(|number| synth::specimen(1, number)).collect();
//! let mut features = Matrix::zeros(4, GridColourEdge.dimensions());
//! for (row, drawn) in drawn.iter().enumerate() {
//!     drawn.picture.save(photos.join(format!("{row}.png")))?;
//!     GridColourEdge.extract(&drawn.picture, features.row_mut(row))?;
//! }
//! let texts: Vec<Vec<&str>> = drawn.iter().map(|d| vec![d.captions[0].as_str()]).collect();
//! let extractor = GridColourEdge.name();
//! let data = Training { extractor, features: &features, texts: &texts };
//! let params = cca::Params { min_count: 1, dimensions: 2, ..cca::Params::default() };
//! let model = Cca::fit(&data, &params, &Silent)?;
//!
//! let eye = Eye {
//!     name: "small",
//!     origin: &Origin::BuiltIn,
//!     version: ContentHash::of(b"fitted just now"),
//!     model: &model,
//!     extractor: &GridColourEdge,
//! };
//! let folder = home.path().join("index");
//! let done = update(&folder, &[photos], &[eye], &Options::default(), &Silent)?;
//! assert_eq!(done.new, 4);
//!
//! let index = Index::open(&folder)?;
//! assert_eq!(index.len(), 4);
//! assert_eq!(index.vectors("small")?.len(), 4);
//! # Ok(())
//! # }
//! ```
//!
//! # What an index is
//!
//! A folder:
//!
//! - `index.json`: what it is, and its version;
//! - `catalogue/`: the photos and what is said about them; its commit is the commit of all;
//! - `vectors/MODEL/`: a file of vectors, slot by slot, and a graph over many of them, safe to delete;
//! - `annotations/`: what people said about suggestions and results;
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
mod folders;
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
pub use folders::THUMBNAILS;
pub use index::{Index, Refreshed, Statistics};
pub use indexing::{Eye, OnDamage, Options, Update, update, watch};
pub use manifest::VERSION;
pub use photo::{Failure, Photo, PhotoId, Retry};
pub use selection::Selection;
