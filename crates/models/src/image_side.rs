//! Feature rows as linear models take them: standardised or not, of length 1 or not, and a
//! constant behind them.
//!
//! [`Scaling`] says what is done to a row; means and deviations are those of the training
//! pictures. The constant ([`ImageSide::fit`]'s `bias`) gives every word a response that does not
//! depend on the picture; 0 leaves it out.

use rebus_collection::Matrix;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// What is done to the features of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// Nothing.
    AsIs,
    /// The row is scaled to length 1.
    #[default]
    Unit,
    /// Every feature is centred and divided by its deviation over the training pictures.
    Standard,
    /// Standardised, then scaled to length 1.
    StandardUnit,
}

impl Scaling {
    fn is_standard(self) -> bool {
        matches!(self, Self::Standard | Self::StandardUnit)
    }

    fn is_unit(self) -> bool {
        matches!(self, Self::Unit | Self::StandardUnit)
    }
}

/// From feature rows to the rows that weights are learnt for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImageSide {
    scaling: Scaling,
    bias: f32,
    /// Two rows: the mean of each feature, and one over its deviation.
    statistics: Matrix,
}

impl ImageSide {
    /// Takes means and deviations from training rows.
    pub(crate) fn fit(features: &Matrix, scaling: Scaling, bias: f32) -> Self {
        let (rows, columns) = (features.rows(), features.columns());
        let mut mean = vec![0.0f64; columns];
        let mut square = vec![0.0f64; columns];
        for row in 0..rows {
            for (sum, &value) in mean.iter_mut().zip(features.row(row)) {
                *sum += f64::from(value);
            }
        }
        mean.iter_mut().for_each(|sum| *sum /= rows.max(1) as f64);
        for row in 0..rows {
            for ((sum, &value), mean) in square.iter_mut().zip(features.row(row)).zip(&mean) {
                *sum += (f64::from(value) - mean).powi(2);
            }
        }
        let mut statistics = Matrix::zeros(2, columns);
        for (column, (mean, square)) in mean.into_iter().zip(square).enumerate() {
            let deviation = (square / rows.max(1) as f64).sqrt();
            statistics.row_mut(0)[column] = mean as f32;
            // A feature that never changes says nothing: it becomes 0.
            let still = deviation <= mean.abs() * 1e-6;
            statistics.row_mut(1)[column] = if still { 0.0 } else { (1.0 / deviation) as f32 };
        }
        Self { scaling, bias, statistics }
    }

    /// From what a model folder holds.
    pub(crate) fn from_statistics(statistics: Matrix, scaling: Scaling, bias: f32) -> Self {
        Self { scaling, bias, statistics }
    }

    /// What a model folder must hold.
    pub(crate) fn statistics(&self) -> &Matrix {
        &self.statistics
    }

    /// How many features a picture has.
    pub(crate) fn features(&self) -> usize {
        self.statistics.columns()
    }

    /// How many weights a word has: the features and the constant.
    pub(crate) fn dimensions(&self) -> usize {
        self.features() + 1
    }

    /// Rows that fit the weights.
    ///
    /// # Errors
    /// If the rows have another length than the training pictures'.
    pub(crate) fn rows(&self, features: &Matrix) -> Result<Matrix> {
        if features.columns() != self.features() {
            return Err(Error::Shape { expected: self.features(), found: features.columns() });
        }
        let mut rows = Matrix::zeros(features.rows(), self.dimensions());
        for at in 0..features.rows() {
            self.row(features.row(at), rows.row_mut(at));
        }
        Ok(rows)
    }

    fn row(&self, from: &[f32], to: &mut [f32]) {
        let Some((constant, to)) = to.split_last_mut() else { return };
        *constant = self.bias;
        to.copy_from_slice(from);
        if self.scaling.is_standard() {
            let statistics = self.statistics.row(0).iter().zip(self.statistics.row(1));
            for (value, (mean, scale)) in to.iter_mut().zip(statistics) {
                *value = (*value - mean) * scale;
            }
        }
        if self.scaling.is_unit() {
            let length = to.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
            if length > 0.0 {
                to.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_hand() {
        // Means 2, 5 and 7; deviations 1, 2 and none.
        let features = Matrix::new(2, 3, vec![1.0, 3.0, 7.0, 3.0, 7.0, 7.0]).unwrap();
        let row = |scaling| {
            let side = ImageSide::fit(&features, scaling, 0.5);
            side.rows(&Matrix::new(1, 3, vec![3.0, 4.0, 0.0]).unwrap()).unwrap().row(0).to_vec()
        };
        assert_eq!(row(Scaling::AsIs), [3.0, 4.0, 0.0, 0.5]);
        assert_eq!(row(Scaling::Unit), [0.6, 0.8, 0.0, 0.5]);
        assert_eq!(row(Scaling::Standard), [1.0, -0.5, 0.0, 0.5]);
        let unit = row(Scaling::StandardUnit);
        assert!((unit[0] - 0.8f32.sqrt()).abs() < 1e-6 && (unit[1] + 0.2f32.sqrt()).abs() < 1e-6);
        let side = ImageSide::fit(&features, Scaling::Unit, 1.0);
        assert!(side.rows(&Matrix::zeros(1, 4)).is_err());
        assert_eq!(side.rows(&Matrix::zeros(1, 3)).unwrap().row(0), [0.0, 0.0, 0.0, 1.0]);
    }
}
