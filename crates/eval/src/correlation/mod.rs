//! How alike two lists of numbers, or two orders of the same systems, are.
//!
//! [`pearson`] for the numbers themselves, [`spearman`] and [`kendall`] for their order. Each
//! gives the coefficient between -1 and 1 and the two-sided p-value of no relation at all.
//! The ranking-task paper's Table 7 relates the ranking of 30 systems by one measure to that by
//! another in this way: give one figure a system to [`system_rankings`].
//!
//! Undefined for fewer than two pairs, and where either list is constant.
//!
//! ```
//! use rebus_eval::correlation::system_rankings;
//!
//! let r_at_10 = [20.2, 39.7, 42.7, 42.9, 43.4, 49.1];
//! let median_rank = [251.0, 41.5, 34.0, 34.0, 32.0, 24.0];
//! let relation = system_rankings(&r_at_10, &median_rank)?;
//! assert!(relation.spearman.coefficient < -0.9 && relation.kendall.coefficient < -0.9);
//! # Ok::<(), rebus_eval::Undefined>(())
//! ```

mod kendall;
mod pearson;
mod spearman;

pub use kendall::{Tau, kendall};
pub use pearson::pearson;
pub use spearman::spearman;

use crate::Undefined;

/// A coefficient and how likely one so far from 0 is by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// The coefficient, from -1 to 1.
    pub coefficient: f64,
    /// The two-sided p-value; `None` where there are too few pairs for one.
    pub p: Option<f64>,
    /// Number of pairs.
    pub pairs: usize,
}

/// How alike two measures rank the same systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankRelation {
    /// Spearman's rho.
    pub spearman: Correlation,
    /// Kendall's tau-b.
    pub kendall: Correlation,
}

/// How alike two measures rank the same systems, from one figure a system and measure.
///
/// # Errors
/// With fewer than two systems, or a measure that is the same for all.
pub fn system_rankings(first: &[f64], second: &[f64]) -> Result<RankRelation, Undefined> {
    Ok(RankRelation {
        spearman: spearman(first, second)?,
        kendall: kendall(first, second, Tau::B)?,
    })
}
