//! Hodosh, Young and Hockenmaier 2013, "Framing Image Description as a Ranking Task: Data, Models
//! and Evaluation Metrics", JAIR 47.

pub mod figure_3;
pub mod judgements;
mod published;
pub mod systems;
