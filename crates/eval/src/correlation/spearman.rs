//! Spearman's rank correlation rho: Pearson's r of the ranks, equal values sharing the mean of
//! their ranks.
//!
//! The p-value is that of Student's t as for Pearson's r, which is good from about ten pairs on.

use super::{Correlation, pearson};
use crate::Undefined;
use crate::midrank::Midranks;
use crate::undefined::check_pairs;

/// Spearman's rho of paired values.
///
/// # Errors
/// With fewer than two pairs, lists of different lengths, values that are no numbers, or a
/// constant list.
pub fn spearman(first: &[f64], second: &[f64]) -> Result<Correlation, Undefined> {
    check_pairs(first, second, 2)?;
    pearson(&Midranks::of(first).ranks, &Midranks::of(second).ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // Rank differences 0, 1, -1, 0: 1 - 6 x 2 / (4 x 15).
        let found = spearman(&[10.0, 20.0, 30.0, 40.0], &[1.0, 9.0, 8.0, 100.0]).unwrap();
        assert!((found.coefficient - 0.8).abs() < 1e-15);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), Err(Undefined::Constant));
    }

    #[test]
    fn only_the_order_counts() {
        let values = [3.0, 1.0, 4.0, 1.5, 9.0];
        let cubes = values.map(|value: f64| value.powi(3));
        assert!((spearman(&values, &cubes).unwrap().coefficient - 1.0).abs() < 1e-15);
    }
}
