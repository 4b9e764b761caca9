//! Measures for rankings and captions, tests of significance, agreement between judges, fusion,
//! and reports.

pub mod captions;
pub mod report;
