//! Why a statistic has no value for the numbers it was given.

/// A statistic that has no value here, and why. It is reported as such, never as 0 or NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Undefined {
    /// There are fewer observations than the statistic needs.
    #[error("needs at least {needed} observations, there are {given}")]
    TooFew {
        /// The least number.
        needed: usize,
        /// The number there is.
        given: usize,
    },
    /// Two lists that belong together pair by pair are not equally long.
    #[error("{left} values on one side, {right} on the other")]
    Unpaired {
        /// Length of the first list.
        left: usize,
        /// Length of the second list.
        right: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {at} (counted from 0) is not a finite number")]
    NotFinite {
        /// Its position.
        at: usize,
    },
    /// All values are the same, so there is nothing to relate them to.
    #[error("all values are the same")]
    Constant,
    /// The two systems succeed and fail on the same items.
    #[error("no discordant pairs: both systems succeed and fail on the same items")]
    NoDiscordantPairs,
    /// A test of found or not found was given something in between.
    #[error("values other than 0 and 1: McNemar's test takes found or not found")]
    NotBinary,
    /// All paired values are equal.
    #[error("no differences: every pair is tied")]
    NoDifferences,
    /// Agreement by chance is already complete: both judges used one and the same value.
    #[error("no variation: every judgement is the same value, agreement by chance is complete")]
    NoVariation,
    /// No unit was judged twice.
    #[error("no unit has two judgements, so none can agree")]
    NothingPairable,
    /// A ratio would divide by an empty set.
    #[error("nothing is {0}")]
    Empty(&'static str),
    /// A setting is outside its range.
    #[error("{name} must be {range}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it must be.
        range: &'static str,
    },
    /// The metric does not allow such a value.
    #[error("the ratio metric needs values that are not negative")]
    Negative,
}

/// Checks that two lists pair up, are long enough and hold finite numbers only.
pub(crate) fn check_pairs(left: &[f64], right: &[f64], needed: usize) -> Result<(), Undefined> {
    if left.len() != right.len() {
        return Err(Undefined::Unpaired { left: left.len(), right: right.len() });
    }
    check_values(left, needed)?;
    check_values(right, needed)
}

/// Checks that a list is long enough and holds finite numbers only.
pub(crate) fn check_values(values: &[f64], needed: usize) -> Result<(), Undefined> {
    if values.len() < needed {
        return Err(Undefined::TooFew { needed, given: values.len() });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(Undefined::NotFinite { at }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_told() {
        assert_eq!(check_pairs(&[1.0], &[], 1), Err(Undefined::Unpaired { left: 1, right: 0 }));
        assert_eq!(check_values(&[], 1), Err(Undefined::TooFew { needed: 1, given: 0 }));
        assert_eq!(check_values(&[0.0, f64::NAN], 1), Err(Undefined::NotFinite { at: 1 }));
        let text = Undefined::TooFew { needed: 2, given: 1 }.to_string();
        assert_eq!(text, "needs at least 2 observations, there are 1");
    }
}
