//! Is the difference between two systems more than chance?
//!
//! Each test takes what two systems reached on the same queries, in the same order, and gives a
//! two-sided p-value, or says why there is none ([`Undefined`](crate::Undefined)).
//!
//! | question | test |
//! | --- | --- |
//! | found or not found (R@k, S@k) | [`mcnemar`] |
//! | a mean or median of anything | [`randomisation`] |
//! | ranks of the differences | [`wilcoxon`] |
//! | means, differences about normal | [`paired_t`] |
//! | how far may the figure itself be off | [`bootstrap`] |
//!
//! Many systems against one baseline are many tests: [`correction`] keeps the error in check, and
//! [`Stars`] prints what is left as the papers do. Several runs of one system: [`Repeats`].
//!
//! ```
//! use rebus_eval::significance::{Randomisation, Stars, Statistic, randomisation};
//!
//! let tri5 = [0.5, 0.25, 1.0, 0.0, 0.75, 0.5, 1.0, 0.5];
//! let bow1 = [0.0, 0.25, 0.5, 0.0, 0.50, 0.0, 0.5, 0.5];
//! let test = randomisation(&tri5, &bow1, Statistic::Mean, &Randomisation::default())?;
//! assert_eq!(test.difference, 0.28125);
//! assert_eq!(test.p, 2.0 / 32.0); // five queries differ, so 32 ways to share them out
//! assert_eq!(Stars::of(test.p).to_string(), "*");
//! # Ok::<(), rebus_eval::Undefined>(())
//! ```

pub mod bootstrap;
pub mod correction;
mod mcnemar;
mod paired_t;
mod randomisation;
mod repeats;
mod stars;
mod wilcoxon;

pub use bootstrap::{Bootstrap, Interval, IntervalKind};
pub use correction::Correction;
pub use mcnemar::{McNemar, McNemarKind, mcnemar, mcnemar_counts};
pub use paired_t::{PairedT, paired_t};
pub use randomisation::{Randomisation, Randomised, randomisation};
pub use repeats::Repeats;
pub use stars::Stars;
pub use wilcoxon::{
    Continuity, Wilcoxon, WilcoxonMethod, WilcoxonParams, ZeroRule, wilcoxon, wilcoxon_differences,
};

/// What of many values is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Statistic {
    /// The arithmetic mean.
    #[default]
    Mean,
    /// The median; of an even number of values the mean of the middle two.
    Median,
}

impl Statistic {
    /// The statistic of `values`, which may be reordered. NaN for no values.
    pub(crate) fn of(self, values: &mut [f64]) -> f64 {
        match self {
            Self::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Self::Median => median(values),
        }
    }
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return f64::NAN;
    }
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if !even {
        return upper;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    0.5 * (lower + upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&mut [4.0]), 4.0);
        assert!(median(&mut []).is_nan());
    }
}
