//! Pearson's product-moment correlation r: the cosine of two lists after their means are taken
//! off.
//!
//! The p-value is that of t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom, exact for
//! normal data; `None` for two pairs, which always lie on a line.

use super::Correlation;
use crate::Undefined;
use crate::special::regularised_beta;
use crate::undefined::check_pairs;

/// Pearson's r of paired values.
///
/// # Errors
/// With fewer than two pairs, lists of different lengths, values that are no numbers, or a
/// constant list.
pub fn pearson(first: &[f64], second: &[f64]) -> Result<Correlation, Undefined> {
    check_pairs(first, second, 2)?;
    let (first, second) = (direction(first)?, direction(second)?);
    let cosine: f64 = first.iter().zip(&second).map(|(a, b)| a * b).sum();
    let coefficient = cosine.clamp(-1.0, 1.0);
    Ok(Correlation { coefficient, p: p_value(coefficient, first.len()), pairs: first.len() })
}

/// The list with its mean taken off, scaled to length 1; large values are scaled down first, so
/// that their squares do not overflow.
fn direction(values: &[f64]) -> Result<Vec<f64>, Undefined> {
    if values.iter().all(|&value| value == values[0]) {
        return Err(Undefined::Constant);
    }
    let largest = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let mean = values.iter().map(|value| value / largest).sum::<f64>() / values.len() as f64;
    let centred: Vec<f64> = values.iter().map(|value| value / largest - mean).collect();
    let length = centred.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(Undefined::Constant);
    }
    Ok(centred.into_iter().map(|value| value / length).collect())
}

/// The two-sided p-value of Student's t for a coefficient over `pairs` pairs.
pub(super) fn p_value(coefficient: f64, pairs: usize) -> Option<f64> {
    let degrees = pairs.checked_sub(2).filter(|&degrees| degrees > 0)? as f64;
    // With t as above, degrees / (degrees + t^2) is 1 - r^2.
    let rest = (1.0 - coefficient) * (1.0 + coefficient);
    Some(regularised_beta(degrees / 2.0, 0.5, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn worked_by_hand() {
        // Deviations (-1, 0, 1) and (-1, 1, 0): 1 / (sqrt 2 sqrt 2).
        let found = pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap();
        assert!((found.coefficient - 0.5).abs() < 1e-15);
        // One degree of freedom: t = 1 / sqrt 3, and p = 1 - 2 atan(t) / pi = 2 / 3.
        assert!((found.p.unwrap() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn ends_of_the_range() {
        let line = pearson(&[1.0, 2.0, 4.0], &[-3.0, -5.0, -9.0]).unwrap();
        assert!((line.coefficient + 1.0).abs() < 1e-15 && line.p.unwrap() < 1e-7);
        assert_eq!(pearson(&[1.0, 2.0], &[1.0, 5.0]).unwrap().p, None);
        assert_eq!(pearson(&[1.0, 2.0], &[5.0, 5.0]), Err(Undefined::Constant));
        let huge = pearson(&[1e300, -1e300, 0.0], &[1e-300, -1e-300, 0.0]).unwrap();
        assert!((huge.coefficient - 1.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn scale_and_order_do_not_matter(
            pairs in prop::collection::vec((-50i8..50, -50i8..50), 3..40),
            scale in 0.1..10.0f64,
            shift in -5.0..5.0f64,
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let Ok(found) = pearson(&a, &b) else { return Ok(()) };
            prop_assert!((-1.0..=1.0).contains(&found.coefficient));
            let scaled: Vec<f64> = a.iter().map(|value| value * scale + shift).collect();
            let again = pearson(&b, &scaled).unwrap();
            prop_assert!((found.coefficient - again.coefficient).abs() < 1e-9);
        }
    }
}
