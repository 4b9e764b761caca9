//! Student's t test for paired values.
//!
//! t = mean(d) / (s / sqrt(n)) over the differences d, with n - 1 degrees of freedom. It trusts
//! that the mean of the differences is about normal. Undefined for fewer than two pairs, and
//! where all differences are the same.

use crate::Undefined;
use crate::special::{student_two_sided, student_two_sided_quantile};
use crate::undefined::check_pairs;

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedT {
    /// Mean difference, first minus second.
    pub difference: f64,
    /// Standard error of the mean difference.
    pub error: f64,
    /// The statistic t.
    pub t: f64,
    /// Degrees of freedom, n - 1.
    pub degrees: usize,
    /// The two-sided p-value.
    pub p: f64,
}

impl PairedT {
    /// The interval that holds the true difference with the given confidence (0.95, say).
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let reach = student_two_sided_quantile(1.0 - confidence, self.degrees as f64) * self.error;
        (self.difference - reach, self.difference + reach)
    }
}

/// Whether the means of paired values differ.
///
/// # Errors
/// With fewer than two pairs, lists of different lengths, values that are no numbers, or equal
/// differences throughout.
pub fn paired_t(first: &[f64], second: &[f64]) -> Result<PairedT, Undefined> {
    check_pairs(first, second, 2)?;
    let pairs = first.len() as f64;
    let differences = || first.iter().zip(second).map(|(a, b)| a - b);
    let difference = differences().sum::<f64>() / pairs;
    let squares: f64 = differences().map(|d| (d - difference).powi(2)).sum();
    let error = (squares / (pairs - 1.0) / pairs).sqrt();
    // Differences that are equal on paper leave rounding errors of this size.
    let largest = differences().fold(0.0f64, |most, d| most.max(d.abs()));
    if error <= 4.0 * f64::EPSILON * largest {
        return Err(if largest == 0.0 { Undefined::NoDifferences } else { Undefined::Constant });
    }
    let t = difference / error;
    let degrees = first.len() - 1;
    Ok(PairedT { difference, error, t, degrees, p: student_two_sided(t, degrees as f64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Darwin's maize again: Fisher gives t = 2.148 with 14 degrees of freedom, p = 0.0497.
    #[test]
    fn darwins_maize() {
        let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
        let test = paired_t(&differences.map(f64::from), &[0.0; 15]).unwrap();
        assert!((test.t - 2.148).abs() < 5e-4);
        assert!((test.p - 0.0497).abs() < 5e-5);
        assert_eq!(test.degrees, 14);
        let (low, high) = test.interval(0.95);
        assert!(low > 0.0 && low < 0.1 && (low + high) / 2.0 - test.difference < 1e-9);
    }

    #[test]
    fn without_spread_there_is_no_test() {
        assert_eq!(paired_t(&[0.1, 0.2], &[0.1, 0.2]), Err(Undefined::NoDifferences));
        assert_eq!(paired_t(&[1.1, 2.1, 3.1], &[1.0, 2.0, 3.0]), Err(Undefined::Constant));
        let one = paired_t(&[1.0], &[2.0]);
        assert_eq!(one, Err(Undefined::TooFew { needed: 2, given: 1 }));
    }
}
