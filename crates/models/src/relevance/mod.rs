//! Relevance models: keywords for pictures and pictures for keywords, by the probability of a word
//! given a picture.
//!
//! The models of Jeon, Lavrenko and Manmatha (2003) take pictures as bags of blobs, a feature row
//! with a count a blob: [`Cmrm`], and beside it the two baselines of the paper as [`BlobWords`]. All
//! are [`WordProbabilities`]. [`Crm`] has vectors of regions, or of whole pictures, in place of blobs;
//! [`NeighbourWords`] has what later papers measure them against.
//!
//! The way through: [`cmrm`] is the model, `urns.rs` its equations, `smoothing.rs` how its smoothing
//! is chosen; `word_side.rs` is what all share on the side of words.

pub mod blob_words;
pub mod cmrm;
mod counts;
pub mod crm;
mod held_out;
pub mod neighbours;
mod region_kernels;
mod region_rows;
mod smoothing;
mod squared_distances;
mod tried;
mod urns;
mod word_model;
mod word_probabilities;
mod word_side;

pub use blob_words::BlobWords;
pub use cmrm::Cmrm;
pub use counts::Counting;
pub use crm::Crm;
pub use held_out::Criterion;
pub use neighbours::NeighbourWords;
pub use region_rows::Layout;
pub use urns::Size;
pub use word_model::WordModel;
pub use word_probabilities::WordProbabilities;
pub use word_side::WordSide;
