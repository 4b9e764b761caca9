//! How much a part of a query counts.

use std::fmt;

use serde::Serialize;

/// How much words or an example count beside the others; 1 unless the query says otherwise.
///
/// Between 0.001 and 1,000: a weight of 0 would do nothing, and what is to be left out has a minus.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Weight(f32);

impl Weight {
    /// What counts once.
    pub const ONE: Self = Self(1.0);
    /// The smallest and the largest weight.
    pub const LIMITS: (f32, f32) = (0.001, 1000.0);

    /// A weight, if the number is within the limits.
    pub fn new(number: f32) -> Option<Self> {
        let (least, most) = Self::LIMITS;
        (least..=most).contains(&number).then_some(Self(number))
    }

    /// The number.
    pub fn get(self) -> f32 {
        self.0
    }

    /// A weight of a part that has a weight itself.
    pub(crate) fn times(self, other: Self) -> Option<Self> {
        Self::new(self.0 * other.0)
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_weight() {
        for number in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-6, 1001.0] {
            assert_eq!(Weight::new(number), None, "{number}");
        }
        assert_eq!(Weight::new(0.5).map(Weight::get), Some(0.5));
    }
}
