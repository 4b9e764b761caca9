//! TREC's two files: judgements (`qrels`) and results (a `run`).
//!
//! ```text
//! qrels    topic  iteration  document  grade
//! run      topic  Q0         document  rank  score  tag
//! ```
//!
//! Fields stand between any blanks or tabs; lines may end in CRLF; empty lines and lines that
//! begin with `#` are passed over; a file whose name ends in `.gz` is unpacked as it is read. The
//! iteration, `Q0` and the rank are ignored, as trec_eval does: ranks follow from the scores.
//!
//! ```
//! use rebus_collection::trec::{Qrels, Run};
//!
//! let mut qrels = Qrels::new();
//! qrels.judge("q1", "beach.jpg", 1)?;
//! let mut run = Run::new("my system");
//! run.add("q1", "street.jpg", 0.3)?;
//! run.add("q1", "beach.jpg", 0.7)?;
//! run.sort()?;
//! let first = run.topic("q1").and_then(|ranking| ranking.iter().next());
//! assert_eq!(first, Some(("beach.jpg", 0.7)));
//! assert_eq!(qrels.topic("q1").and_then(|judged| judged.grade("beach.jpg")), Some(1));
//! # Ok::<(), rebus_collection::Error>(())
//! ```

mod documents;
mod lines;
mod qrels;
mod run;
mod topics;

pub use qrels::{Judged, Qrels};
pub use run::{Ranking, Run};
