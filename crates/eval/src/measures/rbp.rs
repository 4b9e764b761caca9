//! Rank-biased precision: the gain of a reader who goes on to the next result with chance p.
//!
//! Moffat and Zobel (2008): RBP = (1 - p) Σ gain(i) p^(i-1). The gain of a document is its grade;
//! where a topic has grades above 1 they are divided by its highest, as in trec_eval 10.0. Range
//! 0 to 1; never undefined.

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static RBP: Definition = Definition {
    name: "RBP",
    aliases: &[],
    parameter: ParameterKind::Share { default: 90 },
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "gain of a reader who goes on to the next result with this chance",
    undefined: "never",
    value,
};

fn value(query: &Query, parameter: Parameter) -> Option<f64> {
    let Parameter::Share(patience) = parameter else { return None };
    let highest = query.gains.first().map_or(1, |&(gain, _)| gain.max(1));
    let mut sum = 0.0;
    for group in &query.groups {
        let each = group.gain / f64::from(group.size) / f64::from(highest);
        let weights = (0..group.size).map(|at| patience.powi((group.before + at) as i32));
        sum += each * weights.sum::<f64>();
    }
    Some((1.0 - patience) * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        let query = Query::from_relevance(&[true, false, true], 2);
        let expected = 0.5 * (1.0 + 0.25);
        assert_eq!(value(&query, Parameter::Share(0.5)), Some(expected));
    }
}
