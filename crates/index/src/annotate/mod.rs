//! Words for photos: keywords with probabilities, and the sentences that fit best.
//!
//! An [`Annotator`] holds one model or several and a [`CaptionPool`]; it takes the photos' vectors and
//! gives [`Suggestions`]. A [`Studio`] goes through photos, looks at each, and writes sidecars where
//! that is asked for ([`rebus_collection::sidecar`]). [`Reviews`] keeps what people made of suggestions; [`refit`] makes a model that has learnt from them.

mod grammar;
mod photos;
mod pool;
mod refit;
mod review;
mod suggest;

pub use photos::{Annotated, Annotation, Floor, Indexed, PassedOver, Studio, Viewer, Writing};
pub use pool::CaptionPool;
pub use refit::{Refitted, refit};
pub use review::{Judged, Review, Reviews, Verdict};
pub use suggest::{Annotator, Asked, Suggestion, Suggestions};
