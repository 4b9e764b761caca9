//! The area under the curve of precision and recall.
//!
//! As a sum over the positives of the precision at their rank, which is the area under the curve
//! in steps. Ties are broken against the positives. Undefined without a positive.

/// The area, 0 to 1; `None` without a positive.
pub(crate) fn area(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let mut order: Vec<(f64, bool)> =
        scores.iter().copied().zip(positive.iter().copied()).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (mut found, mut sum) = (0usize, 0.0);
    for (rank, (_, positive)) in order.iter().enumerate() {
        if *positive {
            found += 1;
            sum += found as f64 / (rank + 1) as f64;
        }
    }
    (found > 0).then(|| sum / found as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_by_hand() {
        // Ranks 1 and 3: (1 + 2/3) / 2.
        let found = area(&[0.9, 0.1, 0.5, 0.7], &[true, false, true, false]).unwrap();
        assert!((found - 5.0 / 6.0).abs() < 1e-12);
        // All alike: the positive comes last.
        assert_eq!(area(&[1.0; 4], &[true, false, false, false]), Some(0.25));
        assert_eq!(area(&[1.0], &[false]), None);
    }
}
