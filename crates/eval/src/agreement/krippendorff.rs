//! Krippendorff's alpha (1970; 2004, chapter 11): agreement of any number of judges, with gaps, on
//! any scale.
//!
//! alpha = 1 - D_o / D_e. D_o is the mean disagreement of the pairs of values within units, each
//! unit of m values weighted 1 / (m - 1); D_e that of all pairs of values. 1 is full agreement, 0
//! chance, below 0 systematic disagreement. A unit with one value pairs with nothing and is left
//! out. Undefined where no unit has two values, or all values are the same (D_e = 0).
//!
//! The disagreement of two values c and k:
//! - nominal: 0 if equal, else 1;
//! - ordinal: the square of the number of values between them, ends counted half: that is the
//!   squared difference of their mean ranks among all values;
//! - interval: (c - k)^2;
//! - ratio: ((c - k) / (c + k))^2, for values that are not negative.

use crate::Undefined;
use crate::midrank::Midranks;
use crate::undefined::check_values;

/// The scale on which values differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Names only.
    Nominal,
    /// An order.
    Ordinal,
    /// Differences count.
    Interval,
    /// Ratios count.
    Ratio,
}

impl Metric {
    /// All metrics, from the least to the most that a scale can mean.
    pub const ALL: [Self; 4] = [Self::Nominal, Self::Ordinal, Self::Interval, Self::Ratio];

    /// The metric's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nominal => "nominal",
            Self::Ordinal => "ordinal",
            Self::Interval => "interval",
            Self::Ratio => "ratio",
        }
    }

    /// Squared difference; for the ordinal metric of mean ranks.
    fn distance(self, c: f64, k: f64) -> f64 {
        match self {
            Self::Nominal => f64::from(u8::from(c != k)),
            Self::Ordinal | Self::Interval => (c - k).powi(2),
            Self::Ratio if c + k == 0.0 => 0.0,
            Self::Ratio => ((c - k) / (c + k)).powi(2),
        }
    }
}

/// Alpha and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alpha {
    /// The coefficient.
    pub alpha: f64,
    /// Observed disagreement, D_o.
    pub observed: f64,
    /// Expected disagreement, D_e.
    pub expected: f64,
    /// Units with two values or more.
    pub units: usize,
    /// Values in those units.
    pub values: usize,
}

/// Alpha of the values given to each unit, in any order; which judge gave which does not matter.
///
/// # Errors
/// If no unit has two values, all values are the same, a value is no number, or one is negative
/// under the ratio metric.
pub fn krippendorff_alpha(units: &[Vec<f64>], metric: Metric) -> Result<Alpha, Undefined> {
    let pairable: Vec<&Vec<f64>> = units.iter().filter(|unit| unit.len() > 1).collect();
    if pairable.is_empty() {
        return Err(Undefined::NothingPairable);
    }
    let raw: Vec<f64> = pairable.iter().flat_map(|unit| unit.iter().copied()).collect();
    check_values(&raw, 2)?;
    if metric == Metric::Ratio && raw.iter().any(|&value| value < 0.0) {
        return Err(Undefined::Negative);
    }
    let values = if metric == Metric::Ordinal { Midranks::of(&raw).ranks } else { raw };
    let expected = expected(&values, metric);
    if expected == 0.0 {
        return Err(Undefined::NoVariation);
    }
    let mut observed = 0.0;
    let mut rest = values.as_slice();
    for unit in &pairable {
        let (own, others) = rest.split_at(unit.len());
        rest = others;
        let mut sum = 0.0;
        for (at, &c) in own.iter().enumerate() {
            sum += own[..at].iter().map(|&k| metric.distance(c, k)).sum::<f64>();
        }
        observed += 2.0 * sum / (own.len() - 1) as f64;
    }
    let total = values.len() as f64;
    let observed = observed / total;
    let alpha = 1.0 - observed / expected;
    Ok(Alpha { alpha, observed, expected, units: pairable.len(), values: values.len() })
}

/// Mean disagreement of all ordered pairs of values.
fn expected(values: &[f64], metric: Metric) -> f64 {
    let total = values.len() as f64;
    let pairs = total * (total - 1.0);
    let ties = || Midranks::of(values).ties;
    match metric {
        Metric::Nominal => {
            let equal: f64 = ties().iter().map(|&size| (size as f64) * (size as f64 - 1.0)).sum();
            1.0 - equal / pairs
        }
        Metric::Ordinal | Metric::Interval => {
            if ties().len() == 1 {
                return 0.0;
            }
            let mean = values.iter().sum::<f64>() / total;
            2.0 * values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (total - 1.0)
        }
        Metric::Ratio => {
            let mut sorted = values.to_vec();
            sorted.sort_by(f64::total_cmp);
            let counted: Vec<(f64, f64)> = sorted
                .chunk_by(|a, b| a == b)
                .map(|equal| (equal[0], equal.len() as f64))
                .collect();
            let mut sum = 0.0;
            for (at, &(c, count)) in counted.iter().enumerate() {
                let below = counted[..at].iter();
                sum += count * below.map(|&(k, n)| n * metric.distance(c, k)).sum::<f64>();
            }
            2.0 * sum / pairs
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Krippendorff's own example ("Computing Krippendorff's Alpha-Reliability", section C and D):
    /// four observers, twelve units, gaps. Nominal 0.743, ordinal 0.815, interval 0.849, ratio
    /// 0.797.
    fn textbook() -> Vec<Vec<f64>> {
        let observers = [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ];
        let unit = |at: usize| {
            let given = observers.iter().map(|observer| observer[at]).filter(|&value| value > 0);
            given.map(f64::from).collect()
        };
        (0..12).map(unit).collect()
    }

    #[test]
    fn krippendorffs_example() {
        for (metric, alpha) in Metric::ALL.into_iter().zip([0.743, 0.815, 0.849, 0.797]) {
            let found = krippendorff_alpha(&textbook(), metric).unwrap();
            assert!((found.alpha - alpha).abs() < 5e-4, "{} {}", metric.name(), found.alpha);
            // Unit 12 has a single value.
            assert_eq!((found.units, found.values), (11, 40));
        }
    }

    /// Two observers, binary, ten units (section A): alpha = 0.095.
    #[test]
    fn two_observers() {
        let meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
        let owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
        let units: Vec<Vec<f64>> =
            meg.iter().zip(owen).map(|(&a, b)| vec![f64::from(a), f64::from(b)]).collect();
        for metric in [Metric::Nominal, Metric::Ordinal, Metric::Interval] {
            let found = krippendorff_alpha(&units, metric).unwrap();
            assert!((found.alpha - 0.095).abs() < 5e-4);
        }
    }

    #[test]
    fn what_has_no_alpha() {
        for metric in Metric::ALL {
            let same = krippendorff_alpha(&[vec![0.1, 0.1], vec![0.1, 0.1, 0.1]], metric);
            assert_eq!(same, Err(Undefined::NoVariation));
            let single = krippendorff_alpha(&[vec![1.0], vec![]], metric);
            assert_eq!(single, Err(Undefined::NothingPairable));
            let broken = krippendorff_alpha(&[vec![1.0, f64::NAN]], metric);
            assert_eq!(broken, Err(Undefined::NotFinite { at: 1 }));
        }
        let below = krippendorff_alpha(&[vec![-1.0, 2.0]], Metric::Ratio);
        assert_eq!(below, Err(Undefined::Negative));
    }

    proptest! {
        #[test]
        fn equal_to_the_definition(
            units in prop::collection::vec(prop::collection::vec(0u8..5, 0..5), 1..20),
        ) {
            let units: Vec<Vec<f64>> =
                units.into_iter().map(|unit| unit.into_iter().map(f64::from).collect()).collect();
            let pairable: Vec<&Vec<f64>> = units.iter().filter(|unit| unit.len() > 1).collect();
            let all: Vec<f64> = pairable.iter().flat_map(|unit| unit.iter().copied()).collect();
            let count = |value: f64| all.iter().filter(|&&other| other == value).count() as f64;
            for metric in Metric::ALL {
                let Ok(found) = krippendorff_alpha(&units, metric) else { continue };
                prop_assert!(found.alpha <= 1.0 + 1e-12);
                let distance = |c: f64, k: f64| match metric {
                    Metric::Ordinal => {
                        let (low, high) = (c.min(k) as u8, c.max(k) as u8);
                        let between: f64 = (low..=high).map(|g| count(f64::from(g))).sum();
                        (between - (count(c) + count(k)) / 2.0).powi(2)
                    }
                    _ => metric.distance(c, k),
                };
                let sum = |values: &[f64]| -> f64 {
                    values.iter().flat_map(|&c| values.iter().map(move |&k| (c, k)))
                        .map(|(c, k)| distance(c, k)).sum()
                };
                let n = all.len() as f64;
                let observed: f64 =
                    pairable.iter().map(|unit| sum(unit) / (unit.len() - 1) as f64).sum::<f64>() / n;
                let expected = sum(&all) / n / (n - 1.0);
                prop_assert!((found.alpha - (1.0 - observed / expected)).abs() < 1e-9);
            }
        }
    }
}
