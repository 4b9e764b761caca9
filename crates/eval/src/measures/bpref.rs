//! Binary preference: how rarely documents judged not relevant stand above relevant ones.
//!
//! Buckley and Voorhees (2004), as trec_eval computes it: with R relevant and N judged not
//! relevant, bpref = (1/R) Σ 1 - min(n_r, R) / min(N, R) over the relevant documents r that were
//! retrieved, where n_r documents judged not relevant stand above r. Documents that nobody judged
//! do not count. Range 0 to 1; undefined where nothing is relevant.

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static BPREF: Definition = Definition {
    name: "bpref",
    aliases: &[],
    parameter: ParameterKind::Nothing,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "how rarely documents judged not relevant stand above relevant ones",
    undefined: "where nothing is relevant",
    value,
};

fn value(query: &Query, _: Parameter) -> Option<f64> {
    let relevant = query.relevant;
    if relevant == 0 {
        return None;
    }
    let most = f64::from(query.nonrelevant.min(relevant));
    let kept = |above: u32| match above {
        0 => 1.0,
        above => 1.0 - f64::from(above.min(relevant)) / most,
    };
    let mut sum = 0.0;
    for group in query.groups.iter().filter(|group| group.relevant > 0) {
        // In a tie, a relevant document has any number of the others above it with equal chance.
        let places = group.nonrelevant + 1;
        let expected: f64 = (0..places).map(|at| kept(group.nonrelevant_before + at)).sum();
        sum += f64::from(group.relevant) * expected / f64::from(places);
    }
    Some(sum / f64::from(relevant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        // R = 2, N = 3; the ranking is: not, relevant, unjudged, not, relevant.
        let ranking = [Some(0), Some(1), None, Some(0), Some(1)];
        let ranking = ranking.into_iter().enumerate().map(|(at, grade)| (-(at as f64), grade));
        let query = Query::from_grades(ranking, [0, 1, 0, 1, 0].into_iter(), 1, Ties::Worst);
        let expected = ((1.0 - 1.0 / 2.0) + (1.0 - 2.0 / 2.0)) / 2.0;
        assert_eq!(value(&query, Parameter::Nothing), Some(expected));
    }
}
