//! Keywords: how well each word finds the pictures that it belongs to.
//!
//! [`WordScores`] has the measures, [`Keywords`] the words of each picture (from a collection, a
//! table or JSON), and [`keyword_report`] is `rebus eval --keywords`.

mod keywords;
mod report;
mod word_scores;

pub use keywords::Keywords;
pub use report::{KeywordQuestion, KeywordReport, keyword_report};
pub use word_scores::{WordCounts, WordMeans, WordScores};
