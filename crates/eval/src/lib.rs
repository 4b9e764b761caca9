//! Measures for rankings and captions, tests of significance, agreement between judges, fusion,
//! and reports.

pub mod agreement;
pub mod captions;
pub mod correlation;
pub mod fusion;
mod midrank;
pub mod report;
pub mod significance;
pub mod special;
mod undefined;

pub use undefined::Undefined;
