//! Wilcoxon's signed-rank test for paired values (Wilcoxon 1945).
//!
//! The differences are ranked by size, equal sizes sharing the mean of their ranks; W+ and W- are
//! the sums of the ranks of the positive and the negative ones. Under the null hypothesis each
//! sign is a throw of a fair coin.
//!
//! - exact: the distribution of W+ over all signs, also with ties and zeros. It is what scipy
//!   calls the exact test where there are neither, and a full permutation test where there are.
//! - normal: z = (W+ - mean) / deviation, the variance lessened for ties.
//! - auto, as in scipy 1.17: exact for at most 50 pairs without ties and zeros, or at most 13 with
//!   them; otherwise normal.
//!
//! Zeros are dropped (`Wilcox`, the default), take ranks and are then dropped (`Pratt`), or count
//! half on either side (`Split`). Undefined where all differences are zero.

use crate::Undefined;
use crate::midrank::Midranks;
use crate::special::normal_two_sided;
use crate::undefined::{check_pairs, check_values};

/// What becomes of pairs without a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ZeroRule {
    /// Dropped before ranking (Wilcoxon).
    #[default]
    Wilcox,
    /// Ranked, then dropped (Pratt 1959).
    Pratt,
    /// Ranked, and their ranks shared between both sides.
    Split,
}

/// Whether half a rank is taken off the distance from the mean, for the normal distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Continuity {
    /// As it is.
    #[default]
    Uncorrected,
    /// Half a rank closer to the mean.
    Corrected,
}

/// Which distribution gives the p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WilcoxonMethod {
    /// Exact for few pairs, normal for many.
    #[default]
    Auto,
    /// The distribution over all signs.
    Exact,
    /// The normal distribution.
    Normal,
}

/// How the test is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WilcoxonParams {
    /// What becomes of zeros.
    pub zeros: ZeroRule,
    /// Which distribution.
    pub method: WilcoxonMethod,
    /// Continuity correction of the normal distribution.
    pub continuity: Continuity,
}

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// Sum of the ranks of the positive differences.
    pub plus: f64,
    /// Sum of the ranks of the negative differences.
    pub minus: f64,
    /// Pairs with a difference.
    pub pairs: usize,
    /// The two-sided p-value.
    pub p: f64,
    /// Whether p comes from the exact distribution.
    pub exact: bool,
}

impl Wilcoxon {
    /// The statistic as scipy gives it: the smaller sum.
    pub fn statistic(&self) -> f64 {
        self.plus.min(self.minus)
    }
}

/// Whether paired values differ, by the ranks of their differences.
///
/// # Errors
/// Without pairs, with lists of different lengths, with values that are no numbers, or when all
/// pairs are equal.
pub fn wilcoxon(
    first: &[f64],
    second: &[f64],
    params: &WilcoxonParams,
) -> Result<Wilcoxon, Undefined> {
    check_pairs(first, second, 1)?;
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    wilcoxon_differences(&differences, params)
}

/// The same from the differences themselves, for those who know them more exactly than a
/// subtraction of two rounded numbers gives.
///
/// # Errors
/// Without differences, with such that are no numbers, or when all are zero.
pub fn wilcoxon_differences(
    differences: &[f64],
    params: &WilcoxonParams,
) -> Result<Wilcoxon, Undefined> {
    check_values(differences, 1)?;
    let zeros = differences.iter().filter(|&&d| d == 0.0).count();
    let pairs = differences.len() - zeros;
    if pairs == 0 {
        return Err(Undefined::NoDifferences);
    }
    let signed = Signed::rank(differences, params.zeros);
    let clean = zeros == 0 && !signed.tied;
    let exact = match params.method {
        WilcoxonMethod::Exact => true,
        WilcoxonMethod::Normal => false,
        WilcoxonMethod::Auto => differences.len() <= if clean { 50 } else { 13 },
    };
    let p = if exact { signed.exact() } else { signed.normal(params.continuity) };
    Ok(Wilcoxon { plus: signed.plus, minus: signed.minus, pairs, p, exact })
}

/// Ranked differences.
struct Signed {
    plus: f64,
    minus: f64,
    mean: f64,
    deviation: f64,
    tied: bool,
    /// Twice the ranks of the differences that have a sign: whole numbers even with ties.
    doubled: Vec<usize>,
    /// Sum of the ranks that count half on either side.
    split: f64,
}

impl Signed {
    fn rank(differences: &[f64], rule: ZeroRule) -> Self {
        let kept: Vec<f64> =
            differences.iter().copied().filter(|&d| d != 0.0 || rule != ZeroRule::Wilcox).collect();
        let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
        let Midranks { ranks, mut ties } = Midranks::of(&sizes);
        let sum = |wanted: fn(f64) -> bool| -> f64 {
            kept.iter().zip(&ranks).filter(|&(&d, _)| wanted(d)).map(|(_, rank)| rank).sum()
        };
        let split = if rule == ZeroRule::Split { sum(|d| d == 0.0) } else { 0.0 };
        let (count, zeros) = (kept.len() as f64, kept.iter().filter(|&&d| d == 0.0).count() as f64);
        let tied = ties.iter().any(|&size| size > 1);
        let mut mean = count * (count + 1.0) / 4.0;
        let mut spread = count * (count + 1.0) * (2.0 * count + 1.0);
        if rule == ZeroRule::Pratt && zeros > 0.0 {
            // The normal distribution adjusted for the zeros (Cureton 1967); their tie is no tie.
            mean -= zeros * (zeros + 1.0) / 4.0;
            spread -= zeros * (zeros + 1.0) * (2.0 * zeros + 1.0);
            ties.remove(0);
        }
        let tie_term = Midranks { ranks: Vec::new(), ties }.tie_term();
        let doubled = kept
            .iter()
            .zip(&ranks)
            .filter(|&(&d, _)| d != 0.0)
            .map(|(_, rank)| (2.0 * rank) as usize)
            .collect();
        Self {
            plus: sum(|d| d > 0.0) + split / 2.0,
            minus: sum(|d| d < 0.0) + split / 2.0,
            mean,
            deviation: ((spread - tie_term / 2.0) / 24.0).sqrt(),
            tied,
            doubled,
            split,
        }
    }

    fn normal(&self, continuity: Continuity) -> f64 {
        let mut distance = self.plus - self.mean;
        if continuity == Continuity::Corrected && distance != 0.0 {
            distance -= 0.5 * distance.signum();
        }
        normal_two_sided(distance / self.deviation)
    }

    /// Twice the smaller tail of the distribution of W+ over all signs.
    fn exact(&self) -> f64 {
        let most: usize = self.doubled.iter().sum();
        // Probability of each doubled sum; halving at each step keeps it from overflowing.
        let mut chance = vec![0.0f64; most + 1];
        chance[0] = 1.0;
        let mut reach = 0;
        for &rank in &self.doubled {
            reach += rank;
            for sum in (0..=reach).rev() {
                let with = if sum >= rank { chance[sum - rank] } else { 0.0 };
                chance[sum] = 0.5 * (chance[sum] + with);
            }
        }
        let seen = (2.0 * self.plus - self.split).round() as usize;
        let lower: f64 = chance[..=seen.min(most)].iter().sum();
        let upper: f64 = chance[seen.min(most)..].iter().sum();
        (2.0 * lower.min(upper)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn test(differences: &[f64], zeros: ZeroRule, method: WilcoxonMethod) -> Wilcoxon {
        let params = WilcoxonParams { zeros, method, ..WilcoxonParams::default() };
        wilcoxon_differences(differences, &params).unwrap()
    }

    /// Darwin's maize: W- = 24, and the exact p-value 0.04126 (1,352 of 32,768 signs).
    #[test]
    fn darwins_maize() {
        let differences =
            [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        let found = test(&differences, ZeroRule::Wilcox, WilcoxonMethod::Auto);
        assert_eq!((found.plus, found.minus, found.exact), (96.0, 24.0, true));
        assert!((found.p - 0.041_259_765_625).abs() < 1e-14);
        let normal = test(&differences, ZeroRule::Wilcox, WilcoxonMethod::Normal);
        assert!((normal.p - 0.040_888_1).abs() < 1e-6);
    }

    #[test]
    fn three_pairs_by_hand() {
        // All positive: W- = 0 in one of eight choices of signs.
        assert_eq!(test(&[1.0, 2.0, 3.0], ZeroRule::Wilcox, WilcoxonMethod::Exact).p, 0.25);
        // Tied sizes: ranks 1.5, 1.5, 3; W+ = 4.5 with signs + - +. Sums 0, 1.5 x2, 3 x2, 4.5 x2, 6.
        let tied = test(&[1.0, -1.0, 3.0], ZeroRule::Wilcox, WilcoxonMethod::Exact);
        assert_eq!((tied.plus, tied.minus, tied.p), (4.5, 1.5, 0.75));
        // Pratt ranks the zero first: 2 and 3 are left, W+ = 5.
        let pratt = test(&[0.0, 1.0, 2.0], ZeroRule::Pratt, WilcoxonMethod::Exact);
        assert_eq!((pratt.plus, pratt.minus, pratt.pairs, pratt.p), (5.0, 0.0, 2, 0.5));
        let split = test(&[0.0, 1.0, 2.0], ZeroRule::Split, WilcoxonMethod::Exact);
        assert_eq!((split.plus, split.minus, split.p), (5.5, 0.5, 0.5));
    }

    #[test]
    fn without_differences_there_is_no_test() {
        for zeros in [ZeroRule::Wilcox, ZeroRule::Pratt, ZeroRule::Split] {
            let params = WilcoxonParams { zeros, ..WilcoxonParams::default() };
            assert_eq!(wilcoxon(&[1.0, 2.0], &[1.0, 2.0], &params), Err(Undefined::NoDifferences));
        }
    }

    proptest! {
        #[test]
        fn turning_the_signs_round_changes_the_sides_only(
            differences in prop::collection::vec(-9i8..10, 1..30),
        ) {
            let differences: Vec<f64> = differences.into_iter().map(f64::from).collect();
            prop_assume!(differences.iter().any(|&d| d != 0.0));
            let turned: Vec<f64> = differences.iter().map(|d| -d).collect();
            for zeros in [ZeroRule::Wilcox, ZeroRule::Pratt, ZeroRule::Split] {
                for method in [WilcoxonMethod::Exact, WilcoxonMethod::Normal] {
                    let (one, other) = (test(&differences, zeros, method), test(&turned, zeros, method));
                    prop_assert_eq!((one.plus, one.minus), (other.minus, other.plus));
                    prop_assert!((one.p - other.p).abs() < 1e-12);
                    prop_assert!((0.0..=1.0).contains(&one.p));
                }
            }
        }
    }
}
