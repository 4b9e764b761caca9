//! Measures for rankings and captions, tests of significance, agreement between judges, fusion,
//! and reports.
//!
//! It measures anybody's rankings and depends on no model: a run and judgements in TREC's formats,
//! a matrix of scores with its gold captions, or rankings from your own program.
//!
//! ```
//! use rebus_eval::{Measure, Options, Qrels, Run, Ties, evaluate};
//!
//! let mut qrels = Qrels::new();
//! qrels.judge("a dog on a beach", "beach.jpg", 2)?;
//! qrels.judge("a dog on a beach", "street.jpg", 0)?;
//!
//! let mut run = Run::new("my system");
//! run.add("a dog on a beach", "street.jpg", 0.8)?;
//! run.add("a dog on a beach", "beach.jpg", 0.8)?;
//! run.sort()?;
//!
//! let measures = Measure::parse_list("MAP,nDCG@10,S@1")?;
//! let found = evaluate(&run, &qrels, &measures, Options::default());
//! // Both share a score, and ties are broken against the system.
//! assert_eq!(found.figures()[0], Some(0.5));
//! assert_eq!(found.ties, [1, 0, 1]);
//!
//! let options = Options { ties: Ties::Mean, ..Options::default() };
//! assert_eq!(evaluate(&run, &qrels, &measures, options).figures()[0], Some(0.75));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What it is not for: drawing rankings (that is what models and the index do), and judging
//! pictures. A measure that is undefined for a query is `None` and counted, never 0 in silence;
//! only [`trec_eval`] follows another's conventions.
//!
//! The way through its modules:
//!
//! - Rankings: [`evaluate`] for runs, [`GoldRanks`] for score matrices, [`Query`] for one ranking;
//!   [`MEASURES`] is the table of measures, [`Ties`] the rules for equal scores; [`trec_eval`]
//!   prints that program's own lines; [`run_report`] and [`score_report`] are `rebus eval`.
//! - Keywords: [`annotation`]. Sentences: [`captions`].
//! - Between systems: [`significance`], [`correlation`], [`fusion`]. Between judges: [`agreement`].
//! - What everything ends in: [`report`].

pub mod agreement;
pub mod annotation;
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
