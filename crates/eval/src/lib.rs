//! Measures for rankings and captions, tests of significance, agreement between judges, fusion,
//! and reports.

pub mod agreement;
pub mod captions;
pub mod comparison;
pub mod correlation;
mod error;
mod evaluate;
pub mod fusion;
mod gold_map;
mod gold_rank;
mod measure;
mod measures;
mod midrank;
mod query;
mod ranking_report;
pub mod report;
mod rsum;
pub mod semantic;
pub mod significance;
pub mod special;
mod table;
mod ties;
pub mod trec_eval;
mod undefined;

pub use error::{Error, Result};
pub use evaluate::{Evaluation, Options, Topics, evaluate};
pub use gold_map::GoldMap;
pub use gold_rank::GoldRanks;
pub use measure::{Definition, MEASURES, Measure, Parameter, ParameterKind, Summary};
pub use query::Query;
pub use ranking_report::{
    RankingReport, SystemQueries, default_run_measures, default_score_measures, run_report,
    score_report,
};
pub use rebus_collection::trec::{Qrels, Run};
pub use rsum::rsum;
pub use ties::Ties;
pub use undefined::Undefined;
