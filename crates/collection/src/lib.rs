//! What there is: pictures, captions, keywords, metadata, splits and judgements, and readers for
//! every format they come in.
//!
//! A reader hands over a stream of [`Record`]s; whatever takes them is a [`Sink`]: a
//! [`Collection`] that holds them, the statistics of [`inspect`], or one of the [`writers`]. So a
//! source is never held as a whole unless somebody wants it, and every reader goes with every use.
//!
//! ```
//! use rebus_collection::Collection;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("captions.csv");
//! std::fs::write(&path, "image,caption,split\na.jpg,A dog runs.,train\na.jpg,Two dogs\n")?;
//!
//! let collection = Collection::read(&path)?;
//! assert_eq!(collection.items().len(), 1);
//! assert_eq!(collection.captions()[0].text, "A dog runs.");
//!
//! // The last row lacks a field. It was left out, and the collection says so.
//! let finding = &collection.findings()[0];
//! assert_eq!(finding.place.line, Some(3));
//! assert_eq!(finding.what, "2 fields where the header has 3; left out");
//! # Ok(())
//! # }
//! ```
//!
//! # The way through
//!
//! - [`Item`], [`Caption`], [`Metadata`], [`Topic`], [`Judgement`], [`Split`]: what a collection is
//!   made of; [`Record`] is one of them on its way, [`Finding`] something odd with its [`Place`].
//! - [`mod@format`]: the formats that can be read, the guess which one a path is, and how to add
//!   one. [`lines`] is what all text readers stand on; [`photo`] opens pictures.
//! - [`writers`] and [`convert`](mod@convert): the formats that can be written; a file is there
//!   whole or not at all.
//! - [`inspect`](mod@inspect): counts, statistics, doubles and gaps.
//! - [`trec`] and [`npy`]: judgements, runs and score matrices, for measuring.
//! - [`sidecar`]: keywords and a description into the XMP file beside a photo, and out of it again.
//! - [`synth`]: a small drawn world with captions, for tests and first steps.
//!
//! # What it is not for
//!
//! It neither understands texts nor looks at what pictures show (`rebus-text` and `rebus-vision`
//! do), it fetches nothing from the network, and it never changes what it reads, but for sidecars
//! when it is asked to.

mod collection;
pub mod convert;
mod counted;
mod dates;
mod encoded_path;
mod error;
mod findings;
pub mod format;
mod formats;
pub mod inspect;
mod item;
mod json;
mod judgement;
pub mod lines;
mod mapped;
mod matrix;
pub mod npy;
pub mod photo;
mod progress;
mod record;
pub mod sidecar;
pub mod synth;
pub mod trec;
pub mod writers;
mod xml;

pub use collection::Collection;
pub use counted::counted;
pub use encoded_path::EncodedPath;
pub use error::{Error, Place, Result};
pub use item::{
    Blob, Caption, CaptionId, ContentHash, Coordinates, ImageSource, Item, ItemId, Metadata, Size,
    TopicId,
};
pub use judgement::{Judgement, Subject, Topic, Verdict};
pub use mapped::MappedFile;
pub use matrix::Matrix;
pub use progress::{Progress, Silent};
pub use record::{Finding, Record, Severity, Sink, Split};
