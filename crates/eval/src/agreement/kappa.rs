//! Cohen's kappa (1960): agreement of two judges beyond what their habits give by chance.
//!
//! kappa = (p_o - p_e) / (1 - p_e), with p_o the share of units on which they agree and p_e the
//! share expected if each kept his own habits and threw dice. 1 is full agreement, 0 chance, below
//! 0 worse than chance. Undefined without units, and where both judges used one and the same value
//! only, for then p_e is 1.
//!
//! For ordered values, disagreement can count by its distance (Cohen 1968).

use std::collections::BTreeMap;

use crate::Undefined;

/// Kappa and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kappa {
    /// The coefficient.
    pub kappa: f64,
    /// Observed agreement, p_o.
    pub observed: f64,
    /// Agreement expected by chance, p_e.
    pub expected: f64,
    /// Number of units.
    pub units: usize,
}

/// How much a disagreement counts, by the distance of the two classes in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Weights {
    /// All disagreements alike.
    #[default]
    Nominal,
    /// By the distance.
    Linear,
    /// By the squared distance.
    Quadratic,
}

impl Weights {
    fn of(self, first: usize, second: usize) -> f64 {
        let distance = first.abs_diff(second) as f64;
        match self {
            Self::Nominal => f64::from(u8::from(first != second)),
            Self::Linear => distance,
            Self::Quadratic => distance * distance,
        }
    }
}

/// Kappa of two judges' classes for the same units.
///
/// # Errors
/// Without units, with lists of different lengths, or where both judges used one value only.
pub fn cohen_kappa<T: Ord>(first: &[T], second: &[T]) -> Result<Kappa, Undefined> {
    cohen_kappa_weighted(first, second, Weights::Nominal)
}

/// Kappa of two judges' yes and no for the same units.
///
/// # Errors
/// As [`cohen_kappa`].
pub fn cohen_kappa_binary(first: &[bool], second: &[bool]) -> Result<Kappa, Undefined> {
    cohen_kappa(first, second)
}

/// Kappa where disagreement counts by the distance of the classes in their order. The classes are
/// those that either judge used.
///
/// # Errors
/// As [`cohen_kappa`].
pub fn cohen_kappa_weighted<T: Ord>(
    first: &[T],
    second: &[T],
    weights: Weights,
) -> Result<Kappa, Undefined> {
    if first.len() != second.len() {
        return Err(Undefined::Unpaired { left: first.len(), right: second.len() });
    }
    let mut classes: BTreeMap<&T, usize> = first.iter().chain(second).map(|c| (c, 0)).collect();
    classes.values_mut().enumerate().for_each(|(number, class)| *class = number);
    let size = classes.len();
    let mut table = vec![0u64; size * size];
    for (a, b) in first.iter().zip(second) {
        table[classes[a] * size + classes[b]] += 1;
    }
    from_table(&table, size, first.len(), weights)
}

/// Kappa of a square table of counts: the first judge's classes down, the second's across.
fn from_table(
    table: &[u64],
    size: usize,
    units: usize,
    weights: Weights,
) -> Result<Kappa, Undefined> {
    if units == 0 {
        return Err(Undefined::TooFew { needed: 1, given: 0 });
    }
    let rows: Vec<u64> = table.chunks(size).map(|row| row.iter().sum()).collect();
    let columns: Vec<u64> = (0..size).map(|at| table.iter().skip(at).step_by(size).sum()).collect();
    let total = units as f64;
    let most = weights.of(0, size - 1).max(1.0);
    let (mut observed, mut expected) = (0.0, 0.0);
    for row in 0..size {
        for column in 0..size {
            let weight = weights.of(row, column) / most;
            observed += weight * table[row * size + column] as f64;
            expected += weight * rows[row] as f64 * columns[column] as f64 / total;
        }
    }
    if expected == 0.0 {
        return Err(Undefined::NoVariation);
    }
    Ok(Kappa {
        kappa: 1.0 - observed / expected,
        observed: 1.0 - observed / total,
        expected: 1.0 - expected / total,
        units,
    })
}

/// Kappa of a two-by-two table, for those who have counted already.
pub(super) fn from_counts(
    both: u64,
    first: u64,
    second: u64,
    neither: u64,
) -> Result<Kappa, Undefined> {
    let units = (both + first + second + neither) as usize;
    from_table(&[neither, second, first, both], 2, units, Weights::Nominal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Fifty proposals read by two people: 20 both yes, 15 both no, 5 and 10 split. p_o = 0.7,
    /// p_e = 0.5, kappa = 0.4.
    #[test]
    fn worked_by_hand() {
        let found = from_counts(20, 5, 10, 15).unwrap();
        assert!((found.observed - 0.7).abs() < 1e-15);
        assert!((found.expected - 0.5).abs() < 1e-15);
        assert!((found.kappa - 0.4).abs() < 1e-15);
    }

    #[test]
    fn three_classes_by_hand() {
        // Agreement 3 of 4; p_e = (1x1 + 1x2 + 2x1) / 16.
        let found = cohen_kappa(&["a", "b", "c", "c"], &["a", "b", "c", "b"]).unwrap();
        assert!((found.expected - 5.0 / 16.0).abs() < 1e-15);
        assert!((found.kappa - (0.75 - 5.0 / 16.0) / (11.0 / 16.0)).abs() < 1e-15);
    }

    #[test]
    fn ends_of_the_range() {
        assert_eq!(cohen_kappa(&[1, 2], &[1, 2]).unwrap().kappa, 1.0);
        assert_eq!(cohen_kappa_binary(&[true, false], &[false, true]).unwrap().kappa, -1.0);
        // One judge never varies: no better than chance, but defined.
        assert_eq!(cohen_kappa(&[1, 1], &[1, 2]).unwrap().kappa, 0.0);
        assert_eq!(cohen_kappa(&[1, 1], &[1, 1]), Err(Undefined::NoVariation));
        assert_eq!(cohen_kappa::<u8>(&[], &[]), Err(Undefined::TooFew { needed: 1, given: 0 }));
    }

    proptest! {
        #[test]
        fn the_judges_may_change_places(pairs in prop::collection::vec((0u8..4, 0u8..4), 1..50)) {
            let (a, b): (Vec<u8>, Vec<u8>) = pairs.into_iter().unzip();
            for weights in [Weights::Nominal, Weights::Linear, Weights::Quadratic] {
                match (cohen_kappa_weighted(&a, &b, weights), cohen_kappa_weighted(&b, &a, weights)) {
                    (Ok(one), Ok(other)) => {
                        prop_assert!((one.kappa - other.kappa).abs() < 1e-12);
                        prop_assert!(one.kappa <= 1.0 && one.kappa >= -1.0 - 1e-12);
                    }
                    (one, other) => prop_assert_eq!(one, other),
                }
            }
        }
    }
}
