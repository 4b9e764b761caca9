//! What a picture shows: decoding, and extractors that turn a picture into a row of numbers.

mod extractor;

pub use extractor::{Extractor, Picture};
