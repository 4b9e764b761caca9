//! Mean rank: where the first relevant result stands, on average over the queries.
//!
//! Range 1 to the size of the pool; undefined for a query of which nothing relevant was retrieved.

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static MEAN_RANK: Definition = Definition {
    name: "mean",
    aliases: &["mean-rank", "mean rank"],
    parameter: ParameterKind::Nothing,
    range: (1.0, f64::INFINITY),
    summary: Summary::Mean,
    about: "mean rank of the first relevant (gold) item; lower is better",
    undefined: "where nothing relevant was retrieved",
    value: first_rank,
};

/// The rank of the first relevant result, from 1.
pub(crate) fn first_rank(query: &Query, _: Parameter) -> Option<f64> {
    let group = query.groups.iter().find(|group| group.relevant > 0)?;
    // The first of r among n places stands at (n + 1) / (r + 1) on average.
    let within = f64::from(group.size + 1) / f64::from(group.relevant + 1);
    Some(f64::from(group.before) + within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        let of = |query| first_rank(&query, Parameter::Nothing);
        assert_eq!(of(Query::from_relevance(&[false, true, true], 2)), Some(2.0));
        assert_eq!(of(Query::from_relevance(&[false], 1)), None);
        assert_eq!(of(Query::from_tie(2, 5, 1, Ties::Mean)), Some(5.0));
        assert_eq!(of(Query::from_tie(2, 5, 1, Ties::Worst)), Some(7.0));
        assert_eq!(of(Query::from_tie(2, 5, 1, Ties::Best)), Some(3.0));
    }
}
