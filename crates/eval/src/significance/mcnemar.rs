//! McNemar's test: do two systems succeed equally often on the same items?
//!
//! Only the discordant pairs count: b items where A succeeds and B fails, c the other way round.
//! Under the null hypothesis each of the b + c is a throw of a fair coin (McNemar 1947; Dietterich
//! 1998; ranking-task paper, section 4.2.1).
//!
//! - exact: twice the smaller binomial tail, at most 1;
//! - mid-p: the same with half the probability of what was seen (Fagerland et al. 2013);
//! - chi-square: (|b - c| - correction)^2 / (b + c) with one degree of freedom, where Edwards'
//!   continuity correction is 1, or |b - c| where that is less.
//!
//! Undefined without discordant pairs: there is nothing the systems differ in.

use crate::Undefined;
use crate::special::{chi_square_1_upper, fair_binomial_cdf, fair_binomial_mass};

/// Which form of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum McNemarKind {
    /// The binomial distribution itself. Right for any number of pairs, therefore the default.
    #[default]
    Exact,
    /// The binomial distribution, counting half of what was seen.
    MidP,
    /// Chi-square with the continuity correction.
    ChiSquareCorrected,
    /// Chi-square as it is.
    ChiSquare,
}

/// What McNemar's test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// Items where only the first system succeeds (b).
    pub only_first: u64,
    /// Items where only the second system succeeds (c).
    pub only_second: u64,
    /// min(b, c) for the exact forms, chi-square for the others.
    pub statistic: f64,
    /// The two-sided p-value.
    pub p: f64,
}

/// McNemar's test over the items' outcomes.
///
/// # Errors
/// If the lists differ in length, or the outcomes do not differ anywhere.
pub fn mcnemar(first: &[bool], second: &[bool], kind: McNemarKind) -> Result<McNemar, Undefined> {
    if first.len() != second.len() {
        return Err(Undefined::Unpaired { left: first.len(), right: second.len() });
    }
    let count = |wanted: (bool, bool)| {
        first.iter().zip(second).filter(|&(&a, &b)| (a, b) == wanted).count() as u64
    };
    mcnemar_counts(count((true, false)), count((false, true)), kind)
}

/// McNemar's test from the numbers of discordant pairs, b and c.
///
/// # Errors
/// If both are 0.
pub fn mcnemar_counts(
    only_first: u64,
    only_second: u64,
    kind: McNemarKind,
) -> Result<McNemar, Undefined> {
    let pairs = only_first + only_second;
    if pairs == 0 {
        return Err(Undefined::NoDiscordantPairs);
    }
    let fewer = only_first.min(only_second);
    let gap = only_first.abs_diff(only_second) as f64;
    let chi_square = |correction: f64| (gap - correction).max(0.0).powi(2) / pairs as f64;
    let (statistic, p) = match kind {
        McNemarKind::Exact => (fewer as f64, 2.0 * fair_binomial_cdf(fewer, pairs)),
        McNemarKind::MidP => {
            let p = 2.0 * fair_binomial_cdf(fewer, pairs) - fair_binomial_mass(fewer, pairs);
            // With b = c both tails hold the middle, so all of it is more extreme or equal.
            (fewer as f64, if gap == 0.0 { 1.0 } else { p })
        }
        McNemarKind::ChiSquareCorrected => {
            let statistic = chi_square(1.0);
            (statistic, chi_square_1_upper(statistic))
        }
        McNemarKind::ChiSquare => {
            let statistic = chi_square(0.0);
            (statistic, chi_square_1_upper(statistic))
        }
    };
    Ok(McNemar { only_first, only_second, statistic, p: p.min(1.0) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [McNemarKind; 4] = [
        McNemarKind::Exact,
        McNemarKind::MidP,
        McNemarKind::ChiSquareCorrected,
        McNemarKind::ChiSquare,
    ];

    #[test]
    fn worked_by_hand() {
        // Eight discordant pairs, one against: 2 (1 + 8) / 256.
        let first = [true, true, true, true, true, true, true, false, true, false];
        let second = [false, false, false, false, false, false, false, true, true, false];
        let exact = mcnemar(&first, &second, McNemarKind::Exact).unwrap();
        assert_eq!((exact.only_first, exact.only_second), (7, 1));
        assert!((exact.p - 18.0 / 256.0).abs() < 1e-15);
        let mid = mcnemar_counts(7, 1, McNemarKind::MidP).unwrap();
        assert!((mid.p - 10.0 / 256.0).abs() < 1e-14);
        // (6 - 1)^2 / 8 and 6^2 / 8.
        let corrected = mcnemar_counts(7, 1, McNemarKind::ChiSquareCorrected).unwrap();
        assert_eq!(corrected.statistic, 3.125);
        assert_eq!(mcnemar_counts(7, 1, McNemarKind::ChiSquare).unwrap().statistic, 4.5);
    }

    #[test]
    fn without_discordant_pairs_there_is_no_test() {
        for kind in KINDS {
            let same = mcnemar(&[true, false], &[true, false], kind);
            assert_eq!(same, Err(Undefined::NoDiscordantPairs));
        }
        let uneven = mcnemar(&[true], &[], McNemarKind::Exact);
        assert_eq!(uneven, Err(Undefined::Unpaired { left: 1, right: 0 }));
    }

    #[test]
    fn even_odds_are_no_evidence() {
        for kind in KINDS {
            assert_eq!(mcnemar_counts(5, 5, kind).unwrap().p, 1.0);
        }
    }

    proptest! {
        #[test]
        fn order_does_not_matter(b in 0u64..5000, c in 1u64..5000) {
            for kind in KINDS {
                let p = mcnemar_counts(b, c, kind).unwrap().p;
                prop_assert_eq!(p, mcnemar_counts(c, b, kind).unwrap().p);
                prop_assert!((0.0..=1.0).contains(&p));
            }
        }
    }
}
