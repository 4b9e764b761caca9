//! Recall: the share of all relevant documents that are among the first k.
//!
//! The recall R of Biten et al. (2022), equation 1: R_i@k = |G_i ∩ Q_ik| / |G_i|, where G_i are
//! the gold items of query i and Q_ik its first k results. For one gold item a query it is the
//! R@k of Hodosh et al. (2013): the share of queries whose gold item is among the first k. Range
//! 0 to 1; undefined for a query without relevant documents.

use super::found;
use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static RECALL: Definition = Definition {
    name: "R",
    aliases: &["recall"],
    parameter: ParameterKind::Cutoff,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "share of all relevant (gold) items that are among the first k results",
    undefined: "where nothing is relevant",
    value,
};

fn value(query: &Query, parameter: Parameter) -> Option<f64> {
    let cutoff = parameter.cutoff()?;
    (query.relevant > 0).then(|| found(query, cutoff) / f64::from(query.relevant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        let query = Query::from_relevance(&[true, false, true], 4);
        assert_eq!(value(&query, Parameter::Cutoff(2)), Some(0.25));
        assert_eq!(value(&query, Parameter::Cutoff(10)), Some(0.5));
        let query = Query::from_relevance(&[false], 0);
        assert_eq!(value(&query, Parameter::Cutoff(1)), None);
    }
}
