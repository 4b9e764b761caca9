//! What there is: pictures, captions, keywords, metadata, splits and judgements, and readers for
//! every format they come in.

mod collection;
pub mod convert;
mod dates;
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
pub mod synth;
pub mod trec;
pub mod writers;
mod xml;

pub use collection::Collection;
pub use error::{Error, Place, Result};
pub use item::{
    Blob, Caption, CaptionId, ContentHash, Coordinates, ImageSource, Item, ItemId, Metadata, Size,
    TopicId,
};
pub use judgement::{Judgement, Subject, Topic, Verdict};
pub use matrix::Matrix;
pub use progress::{Progress, Silent};
pub use record::{Finding, Record, Severity, Sink, Split};
