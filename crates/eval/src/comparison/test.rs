//! Which test of significance is made of a measure.

use std::fmt;
use std::str::FromStr;

use crate::Undefined;
use crate::significance::{
    McNemarKind, Randomisation, Statistic, WilcoxonParams, mcnemar, paired_t, randomisation,
    wilcoxon_differences,
};

/// A test of significance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Test {
    /// McNemar's exact test where every value is 0 or 1 (found or not found), otherwise
    /// randomisation: what the ranking-task paper does.
    #[default]
    Auto,
    /// McNemar's test.
    McNemar(McNemarKind),
    /// Fisher's paired randomisation test of the means, or of the medians for a measure that is a
    /// median.
    Randomisation,
    /// Wilcoxon's signed-rank test.
    Wilcoxon,
    /// Student's paired t test.
    PairedT,
}

/// Every test by the name that `--test` knows it by.
const NAMES: [(&str, Test); 8] = [
    ("auto", Test::Auto),
    ("mcnemar", Test::McNemar(McNemarKind::Exact)),
    ("mcnemar-mid-p", Test::McNemar(McNemarKind::MidP)),
    ("mcnemar-chi2", Test::McNemar(McNemarKind::ChiSquare)),
    ("mcnemar-chi2-corrected", Test::McNemar(McNemarKind::ChiSquareCorrected)),
    ("randomisation", Test::Randomisation),
    ("wilcoxon", Test::Wilcoxon),
    ("t", Test::PairedT),
];

impl Test {
    /// The names of all tests.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|&(name, _)| name)
    }

    /// The test itself, for values that are all 0 or 1 or not.
    pub(super) fn chosen(self, binary: bool) -> Self {
        match self {
            Self::Auto if binary => Self::McNemar(McNemarKind::Exact),
            Self::Auto => Self::Randomisation,
            other => other,
        }
    }

    /// The two-sided p-value of paired values.
    pub(super) fn p_value(
        self,
        first: &[f64],
        second: &[f64],
        statistic: Statistic,
        params: &Randomisation,
    ) -> Result<f64, Undefined> {
        match self {
            Self::McNemar(kind) => Ok(mcnemar(&found(first)?, &found(second)?, kind)?.p),
            Self::Auto | Self::Randomisation => {
                Ok(randomisation(first, second, statistic, params)?.p)
            }
            Self::Wilcoxon => {
                let differences = first.iter().zip(second).map(|(a, b)| on_paper(a - b));
                let differences: Vec<f64> = differences.collect();
                Ok(wilcoxon_differences(&differences, &WilcoxonParams::default())?.p)
            }
            Self::PairedT => Ok(paired_t(first, second)?.p),
        }
    }

    /// The test in words, for the protocol.
    pub(super) fn about(self, params: &Randomisation) -> String {
        match self {
            Self::McNemar(McNemarKind::Exact) => "McNemar, exact".to_owned(),
            Self::McNemar(McNemarKind::MidP) => "McNemar, mid-p".to_owned(),
            Self::McNemar(McNemarKind::ChiSquare) => "McNemar, chi-square".to_owned(),
            Self::McNemar(McNemarKind::ChiSquareCorrected) => {
                "McNemar, chi-square with continuity correction".to_owned()
            }
            Self::Auto | Self::Randomisation => format!(
                "Fisher's paired randomisation, two-sided, {} samples, seed {}",
                params.samples, params.seed
            ),
            Self::Wilcoxon => "Wilcoxon signed-rank, two-sided".to_owned(),
            Self::PairedT => "paired t, two-sided".to_owned(),
        }
    }
}

/// A difference to twelve decimals: 0.6 - 0.5 and 0.3 - 0.2 are one size on paper, and must be tied.
fn on_paper(difference: f64) -> f64 {
    const STEPS: f64 = 1e12;
    // Too large a number has no decimals to lose.
    if difference.abs() > 1e3 { difference } else { (difference * STEPS).round() / STEPS }
}

fn found(values: &[f64]) -> Result<Vec<bool>, Undefined> {
    let one = |&value: &f64| match value {
        0.0 => Ok(false),
        1.0 => Ok(true),
        _ => Err(Undefined::NotBinary),
    };
    values.iter().map(one).collect()
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, test)| test == self).map_or("", |&(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for Test {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = NAMES.iter().find(|(name, _)| *name == text);
        let unknown = || {
            let names: Vec<&str> = Self::names().collect();
            format!("there is no test `{text}`; there are {}", names.join(", "))
        };
        known.map(|&(_, test)| test).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in Test::names() {
            assert_eq!(name.parse::<Test>().unwrap().to_string(), name);
        }
        assert!("z".parse::<Test>().unwrap_err().contains("wilcoxon"));
    }

    #[test]
    fn differences_equal_on_paper_are_tied() {
        let params = Randomisation::default();
        let p = |first: &[f64], second: &[f64]| {
            Test::Wilcoxon.p_value(first, second, Statistic::Mean, &params).unwrap()
        };
        // Ranks 2, 2, 2 whatever the last bits say: W+ = 4 of 6, and 7 of 8 signs reach no further.
        assert_eq!(p(&[0.6, 0.3, 0.1], &[0.5, 0.2, 0.2]), p(&[2.0, 2.0, 1.0], &[1.0, 1.0, 2.0]));
    }

    #[test]
    fn mcnemar_takes_yes_and_no_only() {
        let test = Test::McNemar(McNemarKind::Exact);
        let params = Randomisation::default();
        let p = test.p_value(&[0.5], &[1.0], Statistic::Mean, &params);
        assert_eq!(p, Err(Undefined::NotBinary));
    }
}
