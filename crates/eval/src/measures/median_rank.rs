//! Median rank: where the first relevant result stands, in the middle of the queries.
//!
//! The median r of Hodosh et al. (2013), section 4.3.1. Range 1 to the size of the pool; undefined
//! for a query of which nothing relevant was retrieved.

use super::mean_rank::first_rank;
use crate::measure::{Definition, ParameterKind, Summary};

pub(crate) static MEDIAN_RANK: Definition = Definition {
    name: "median",
    aliases: &["median-rank", "median rank", "median r"],
    parameter: ParameterKind::Nothing,
    range: (1.0, f64::INFINITY),
    summary: Summary::Median,
    about: "median rank of the first relevant (gold) item; lower is better",
    undefined: "where nothing relevant was retrieved",
    value: first_rank,
};

#[cfg(test)]
mod tests {
    use crate::{Measure, Query};

    #[test]
    fn worked_example() {
        let measure: Measure = "median".parse().unwrap();
        let ranks = [7, 1, 2].map(|rank| {
            let mut ranking = vec![false; 10];
            ranking[rank - 1] = true;
            measure.of(&Query::from_relevance(&ranking, 1))
        });
        assert_eq!(measure.summarise(&ranks), Some(2.0));
        assert_eq!(measure.summarise(&ranks[..2]), Some(4.0));
    }
}
