//! How far judges, or sets of judgements, agree beyond chance.
//!
//! - [`cohen_kappa`]: two judges who both judged every unit;
//! - [`ThresholdGrid`]: kappa of two graded sets made binary at every pair of thresholds, as in
//!   Tables 8 to 10 of the ranking-task paper;
//! - [`krippendorff_alpha`]: any number of judges, with gaps, on nominal to ratio scales;
//! - [`Overlap`]: precision, recall and F of one binary set against another.
//!
//! [`Judgements`] reads them from a table or a collection; [`agreement_among`] and
//! [`agreement_against`] make whole reports.
//!
//! ```
//! use rebus_eval::agreement::{Metric, Ratings, krippendorff_alpha};
//!
//! let mut ratings = Ratings::new();
//! for (unit, judge, value) in [("a", "x", 4.0), ("a", "y", 4.0), ("b", "x", 1.0), ("b", "y", 2.0)] {
//!     ratings.add(unit, judge, value)?;
//! }
//! let alpha = krippendorff_alpha(&ratings.by_unit(), Metric::Interval)?;
//! assert!((alpha.alpha - 8.0 / 9.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod judgements;
mod kappa;
mod krippendorff;
mod overlap;
mod ratings;
mod report;
mod thresholds;

pub use judgements::{Judgements, Judges};
pub use kappa::{Kappa, Weights, cohen_kappa, cohen_kappa_binary, cohen_kappa_weighted};
pub use krippendorff::{Alpha, Metric, krippendorff_alpha};
pub use overlap::Overlap;
pub use ratings::{Ratings, RatingsError};
pub use report::{Side, agreement_against, agreement_among};
pub use thresholds::{Threshold, ThresholdGrid};
