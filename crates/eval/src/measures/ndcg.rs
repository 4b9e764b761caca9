//! Normalised discounted cumulative gain.
//!
//! Järvelin and Kekäläinen (2002), as trec_eval computes it: DCG = Σ grade / log2(rank + 1),
//! divided by the DCG of the judged documents in the order of their grades. The grade is the gain
//! whatever the threshold of relevance; grades below 0 gain nothing. With a cut-off both sums end
//! there. Range 0 to 1; undefined where no document has a grade above 0.

use std::sync::LazyLock;

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static NDCG: Definition = Definition {
    name: "nDCG",
    aliases: &["ndcg_cut"],
    parameter: ParameterKind::OptionalCutoff,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "gain of the results, discounted by rank, relative to the best possible order",
    undefined: "where no document has a grade above 0",
    value,
};

fn value(query: &Query, parameter: Parameter) -> Option<f64> {
    let cutoff = parameter.cutoff().unwrap_or(usize::MAX);
    let ideal = ideal(query, cutoff);
    (ideal > 0.0).then(|| gained(query, cutoff) / ideal)
}

fn gained(query: &Query, cutoff: usize) -> f64 {
    let mut sum = 0.0;
    for group in &query.groups {
        let each = group.gain / f64::from(group.size);
        for at in 0..group.size {
            let rank = (group.before + at) as usize + 1;
            if rank > cutoff {
                return sum;
            }
            sum += each / discount(rank);
        }
    }
    sum
}

fn ideal(query: &Query, cutoff: usize) -> f64 {
    let gains = query.gains.iter();
    let gains = gains.flat_map(|&(gain, count)| std::iter::repeat_n(gain, count as usize));
    gains.take(cutoff).zip(1..).map(|(gain, rank)| f64::from(gain) / discount(rank)).sum()
}

/// log2(rank + 1)
pub(crate) fn discount(rank: usize) -> f64 {
    static DISCOUNTS: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..4096).map(|rank| f64::from(rank + 1).log2()).collect());
    DISCOUNTS.get(rank).copied().unwrap_or_else(|| (rank as f64 + 1.0).log2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        let ranking = [(3.0, Some(1)), (2.0, None), (1.0, Some(3))];
        let query =
            Query::from_grades(ranking.into_iter(), [1, 3, 2, -1].into_iter(), 1, Ties::Worst);
        let gained = 1.0 + 3.0 / 2.0;
        let ideal = 3.0 + 2.0 / 3f64.log2() + 1.0 / 2.0;
        assert!((value(&query, Parameter::Nothing).unwrap() - gained / ideal).abs() < 1e-12);
        let cut = value(&query, Parameter::Cutoff(2)).unwrap();
        assert!((cut - 1.0 / (3.0 + 2.0 / 3f64.log2())).abs() < 1e-12);
    }
}
