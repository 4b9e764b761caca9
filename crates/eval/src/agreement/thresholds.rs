//! Two graded sets of judgements made binary at every pair of thresholds (ranking-task paper,
//! section 4.2.2 and Tables 8 to 10): which thresholds make them agree best?
//!
//! A score is relevant where it is at or above the threshold. Scores are often means of three
//! judges, so a threshold written with few digits (2.66, 3.33) is meant to lie just below the
//! third it stands for.

use super::{Kappa, Overlap};
use crate::Undefined;
use crate::undefined::check_pairs;

/// The least score that counts as yes.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Threshold(pub f64);

impl Threshold {
    /// Which scores reach the threshold.
    pub fn apply(self, scores: &[f64]) -> Vec<bool> {
        scores.iter().map(|&score| score >= self.0).collect()
    }

    /// All distinct scores in ascending order but the lowest, which everything reaches.
    pub fn steps(scores: &[f64]) -> Vec<Self> {
        let mut steps = scores.to_vec();
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        steps.into_iter().skip(1).map(Self).collect()
    }
}

/// How two sets lie over each other at every pair of thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct ThresholdGrid {
    /// Thresholds of the tested set: the columns.
    pub tested: Vec<Threshold>,
    /// Thresholds of the reference: the rows.
    pub reference: Vec<Threshold>,
    cells: Vec<Overlap>,
}

impl ThresholdGrid {
    /// Compares the scores of the same units at every pair of thresholds.
    ///
    /// # Errors
    /// Without units, with lists of different lengths, or with scores that are no numbers.
    pub fn new(
        tested: (&[f64], &[Threshold]),
        reference: (&[f64], &[Threshold]),
    ) -> Result<Self, Undefined> {
        check_pairs(tested.0, reference.0, 1)?;
        let columns: Vec<Vec<bool>> = tested.1.iter().map(|at| at.apply(tested.0)).collect();
        let mut cells = Vec::with_capacity(tested.1.len() * reference.1.len());
        for threshold in reference.1 {
            let row = threshold.apply(reference.0);
            for column in &columns {
                cells.push(Overlap::of(column, &row)?);
            }
        }
        Ok(Self { tested: tested.1.to_vec(), reference: reference.1.to_vec(), cells })
    }

    /// The overlap at a row (threshold of the reference) and a column (of the tested set).
    pub fn at(&self, row: usize, column: usize) -> Overlap {
        self.cells[row * self.tested.len() + column]
    }

    /// The best kappa with its row and column, the first of several; `None` where none is
    /// defined.
    pub fn best(&self) -> Option<(usize, usize, Kappa)> {
        let columns = self.tested.len().max(1);
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(at, cell)| Some((at / columns, at % columns, cell.kappa().ok()?)))
            .reduce(|best, next| if next.2.kappa > best.2.kappa { next } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_grid() {
        let crowd = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];
        let experts = [1.0, 8.0 / 3.0, 10.0 / 3.0, 4.0];
        let lay = [Threshold(1.0), Threshold(0.66), Threshold(0.33)];
        let strict = [Threshold(4.0), Threshold(3.33), Threshold(2.66)];
        let grid = ThresholdGrid::new((&crowd, &lay), (&experts, &strict)).unwrap();
        for at in 0..3 {
            assert_eq!(grid.at(at, at).kappa().unwrap().kappa, 1.0);
        }
        assert_eq!(grid.at(0, 1).precision(), Ok(0.5));
        assert_eq!(grid.best().map(|(row, column, _)| (row, column)), Some((0, 0)));
    }

    #[test]
    fn steps_are_where_something_changes() {
        let steps = Threshold::steps(&[2.0, 1.0, 2.0, 4.0]);
        assert_eq!(steps, [Threshold(2.0), Threshold(4.0)]);
        assert!(Threshold::steps(&[]).is_empty());
    }
}
