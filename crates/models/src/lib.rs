//! The affinity of pictures and texts: two traits, and the systems that implement them.

mod affinity;
mod error;

pub use affinity::{Affinity, DualEncoder, PairScorer, dot_products};
pub use error::{Error, Result};
