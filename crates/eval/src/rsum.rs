//! Rsum: the sum of recall at 1, 5 and 10 in both directions.
//!
//! The recall is R^V (any gold item), as the tables of Biten et al. (2022) and their sources print
//! it: in percent, so that the range is 0 to 600. Undefined where a pool is empty.

use crate::{GoldRanks, Measure, Query};

/// The sum of R^V@1, R^V@5 and R^V@10 over both directions, in percent.
pub fn rsum(ranks: &GoldRanks) -> Option<f64> {
    let measures = Measure::parse_list("R^V@1,R^V@5,R^V@10").ok()?;
    let mut sum = 0.0;
    for queries in [&ranks.annotation, &ranks.search] {
        for measure in &measures {
            sum += 100.0 * mean(queries, measure)?;
        }
    }
    Some(sum)
}

fn mean(queries: &[Query], measure: &Measure) -> Option<f64> {
    let values: Vec<Option<f64>> = queries.iter().map(|query| measure.of(query)).collect();
    measure.summarise(&values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GoldMap, Ties};
    use rebus_collection::Matrix;

    #[test]
    fn a_perfect_system_has_six_hundred() {
        let scores = Matrix::new(2, 2, vec![1.0, 0.0, 0.0, 1.0]).unwrap();
        let ranks = GoldRanks::new(&scores, &GoldMap::even(2, 2).unwrap(), Ties::Worst).unwrap();
        assert_eq!(rsum(&ranks), Some(600.0));
        assert_eq!(rsum(&GoldRanks { annotation: vec![], search: vec![] }), None);
    }
}
