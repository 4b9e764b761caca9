//! One file a measure of a ranking. [`MEASURES`](crate::MEASURES) is their table.
//!
//! Each computes the expected value over all orders of the documents that still share a rank;
//! where ties are resolved a group is one document, and the expectation is the value itself.

pub(crate) mod average_precision;
pub(crate) mod bpref;
pub(crate) mod interpolated_precision;
pub(crate) mod mean_rank;
pub(crate) mod median_rank;
pub(crate) mod ndcg;
pub(crate) mod precision;
pub(crate) mod r_precision;
pub(crate) mod rbp;
pub(crate) mod recall;
pub(crate) mod reciprocal_rank;
pub(crate) mod success;

use crate::Query;

/// The expected number of relevant documents among the first `cutoff`.
pub(crate) fn found(query: &Query, cutoff: usize) -> f64 {
    let mut found = 0.0;
    for group in &query.groups {
        let inside = cutoff.saturating_sub(group.before as usize).min(group.size as usize);
        if inside == 0 {
            break;
        }
        found += f64::from(group.relevant) * inside as f64 / f64::from(group.size);
    }
    found
}
