//! Success: whether anything relevant is among the first k results.
//!
//! The S@k of Hodosh, Young and Hockenmaier (2013), section 4.3.2, and the recall R^V of Biten et
//! al. (2022), equation 2: 1 if G_i and Q_ik have anything in common, else 0. Range 0 to 1; never
//! undefined: where nothing is relevant nothing can succeed.

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static SUCCESS: Definition = Definition {
    name: "S",
    aliases: &["R^V", "success"],
    parameter: ParameterKind::Cutoff,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "whether anything relevant (any gold item) is among the first k results",
    undefined: "never",
    value,
};

fn value(query: &Query, parameter: Parameter) -> Option<f64> {
    let cutoff = parameter.cutoff()?;
    let mut failure = 1.0;
    for group in query.groups.iter().filter(|group| group.relevant > 0) {
        let inside = cutoff.saturating_sub(group.before as usize).min(group.size as usize);
        // The chance that none of the relevant documents falls among the first `inside`.
        for at in 0..inside {
            let left = f64::from(group.size) - at as f64;
            failure *= (left - f64::from(group.relevant)).max(0.0) / left;
        }
        if inside == 0 || failure == 0.0 {
            break;
        }
    }
    Some(1.0 - failure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        let query = Query::from_relevance(&[false, false, true, true], 9);
        assert_eq!(value(&query, Parameter::Cutoff(2)), Some(0.0));
        assert_eq!(value(&query, Parameter::Cutoff(3)), Some(1.0));
    }

    #[test]
    fn expectation_over_a_tie() {
        // Two of four tied documents are relevant: the first two are both others in 1 of 6 cases.
        let query = Query::from_tie(0, 4, 2, Ties::Mean);
        assert!((value(&query, Parameter::Cutoff(2)).unwrap() - 5.0 / 6.0).abs() < 1e-12);
    }
}
