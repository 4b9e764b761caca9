//! Average precision: the mean, over all relevant documents, of the precision at the rank of each;
//! its mean over queries is MAP.
//!
//! Relevant documents that were not retrieved (or stand after the cut-off, where one is given)
//! have precision 0. For ties the expected value is that of McSherry and Najork (2008). Range 0
//! to 1; undefined where nothing is relevant.

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static AVERAGE_PRECISION: Definition = Definition {
    name: "MAP",
    aliases: &["AP", "map_cut"],
    parameter: ParameterKind::OptionalCutoff,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "mean, over all relevant documents, of the precision at each one's rank",
    undefined: "where nothing is relevant",
    value,
};

fn value(query: &Query, parameter: Parameter) -> Option<f64> {
    if query.relevant == 0 {
        return None;
    }
    let cutoff = parameter.cutoff().unwrap_or(usize::MAX);
    let (mut sum, mut found) = (0.0, 0.0);
    for group in query.groups.iter().filter(|group| group.relevant > 0) {
        let size = f64::from(group.size);
        let relevant = f64::from(group.relevant);
        // Given that one place holds a relevant document, the share of relevant ones elsewhere.
        let share = if group.size > 1 { (relevant - 1.0) / (size - 1.0) } else { 0.0 };
        for at in 0..group.size {
            let rank = group.before as usize + at as usize + 1;
            if rank > cutoff {
                return Some(sum / f64::from(query.relevant));
            }
            let above = found + f64::from(at) * share;
            sum += relevant / size * (above + 1.0) / rank as f64;
        }
        found += relevant;
    }
    Some(sum / f64::from(query.relevant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        let query = Query::from_relevance(&[true, false, true, false, true], 4);
        let expected = (1.0 + 2.0 / 3.0 + 3.0 / 5.0) / 4.0;
        assert!((value(&query, Parameter::Nothing).unwrap() - expected).abs() < 1e-12);
        let cut = value(&query, Parameter::Cutoff(3)).unwrap();
        assert!((cut - (1.0 + 2.0 / 3.0) / 4.0).abs() < 1e-12);
    }

    #[test]
    fn expectation_over_a_tie() {
        // Of three tied documents two are relevant: the orders 110, 101, 011 are alike.
        let query = Query::from_tie(0, 3, 2, Ties::Mean);
        let orders = [1.0 + 1.0, 1.0 + 2.0 / 3.0, 0.5 + 2.0 / 3.0];
        let expected = orders.iter().sum::<f64>() / 3.0 / 2.0;
        assert!((value(&query, Parameter::Nothing).unwrap() - expected).abs() < 1e-12);
    }
}
