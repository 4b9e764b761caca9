//! Reciprocal rank: one over the rank of the first relevant result; its mean is MRR.
//!
//! 0 where nothing relevant was retrieved. Range 0 to 1; undefined where nothing is relevant.

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static RECIPROCAL_RANK: Definition = Definition {
    name: "MRR",
    aliases: &["RR", "recip_rank"],
    parameter: ParameterKind::Nothing,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "one over the rank of the first relevant result",
    undefined: "where nothing is relevant",
    value,
};

fn value(query: &Query, _: Parameter) -> Option<f64> {
    if query.relevant == 0 {
        return None;
    }
    let Some(group) = query.groups.iter().find(|group| group.relevant > 0) else {
        return Some(0.0);
    };
    // The first relevant one of a tie stands at each place with some chance.
    let (mut value, mut none_yet) = (0.0, 1.0);
    for at in 0..group.size {
        let chance = f64::from(group.relevant) / f64::from(group.size - at);
        value += none_yet * chance / f64::from(group.before + at + 1);
        none_yet *= 1.0 - chance;
        if chance >= 1.0 {
            break;
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        let of = |query| value(&query, Parameter::Nothing);
        assert_eq!(of(Query::from_relevance(&[false, true, true], 2)), Some(0.5));
        assert_eq!(of(Query::from_relevance(&[false], 2)), Some(0.0));
        assert_eq!(of(Query::from_relevance(&[false], 0)), None);
    }

    #[test]
    fn expectation_over_a_tie() {
        let query = Query::from_tie(0, 3, 1, Ties::Mean);
        let expected = (1.0 + 0.5 + 1.0 / 3.0) / 3.0;
        assert!((value(&query, Parameter::Nothing).unwrap() - expected).abs() < 1e-12);
    }
}
