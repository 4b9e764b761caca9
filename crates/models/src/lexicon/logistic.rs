//! Logistic regression with a handful of weights: enough to turn scores into probabilities.

use rebus_collection::Matrix;

/// The weights of the inputs, and a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights<const INPUTS: usize> {
    pub(crate) inputs: [f64; INPUTS],
    pub(crate) constant: f64,
}

/// One observation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample<const INPUTS: usize> {
    pub(crate) inputs: [f64; INPUTS],
    /// How surely it is so, 0 to 1.
    pub(crate) sure: f64,
    /// How often it counts.
    pub(crate) often: f64,
}

impl<const INPUTS: usize> Weights<INPUTS> {
    /// The probability at these inputs.
    pub(crate) fn probability(&self, inputs: [f64; INPUTS]) -> f64 {
        let sum: f64 = self.inputs.iter().zip(inputs).map(|(weight, input)| weight * input).sum();
        1.0 / (1.0 + (-(sum + self.constant)).exp())
    }

    /// Fits the weights by Newton's method, with a small ridge so that separable data have an
    /// answer, too.
    pub(crate) fn fit(samples: &[Sample<INPUTS>]) -> Self {
        const RIDGE: f64 = 1e-3;
        let side = INPUTS + 1;
        let mut fitted = Self { inputs: [0.0; INPUTS], constant: 0.0 };
        for _ in 0..50 {
            let old = fitted.inputs.iter().chain([&fitted.constant]);
            let mut slope: Vec<f64> = old.map(|weight| -RIDGE * weight).collect();
            let mut curve = vec![vec![0.0; side]; side];
            for (k, line) in curve.iter_mut().enumerate() {
                line[k] = RIDGE;
            }
            for sample in samples {
                let at = |k: usize| sample.inputs.get(k).copied().unwrap_or(1.0);
                let p = fitted.probability(sample.inputs);
                for ((j, line), slope) in curve.iter_mut().enumerate().zip(&mut slope) {
                    *slope += sample.often * (sample.sure - p) * at(j);
                    for (k, value) in line.iter_mut().enumerate() {
                        *value += sample.often * p * (1.0 - p) * at(j) * at(k);
                    }
                }
            }
            let step = solve(curve, slope);
            let size = step.iter().map(|s| s.abs()).fold(0.0, f64::max);
            // Long steps are shortened: far out the curve is flat and Newton overshoots.
            let share = if size > 2.0 { 2.0 / size } else { 1.0 };
            let weights = fitted.inputs.iter_mut().chain([&mut fitted.constant]);
            for (weight, step) in weights.zip(step) {
                *weight += share * step;
            }
            if size < 1e-9 {
                break;
            }
        }
        fitted
    }

    /// One row: the inputs' weights, then the constant.
    pub(crate) fn tensor(&self) -> Matrix {
        let mut tensor = Matrix::zeros(1, INPUTS + 1);
        let weights = self.inputs.iter().chain([&self.constant]);
        for (to, weight) in tensor.values_mut().iter_mut().zip(weights) {
            *to = *weight as f32;
        }
        tensor
    }

    /// From the row of [`Self::tensor`].
    pub(crate) fn from_tensor(tensor: &Matrix) -> Self {
        let mut weights = Self { inputs: [0.0; INPUTS], constant: 0.0 };
        let to = weights.inputs.iter_mut().chain([&mut weights.constant]);
        for (weight, &value) in to.zip(tensor.row(0)) {
            *weight = f64::from(value);
        }
        weights
    }
}

/// As many equations as unknowns, by elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let side = b.len();
    for column in 0..side {
        let pivot = (column..side)
            .max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()))
            .unwrap_or(column);
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in column + 1..side {
            let share = a[row][column] / a[column][column];
            let (above, below) = a.split_at_mut(row);
            for (value, above) in below[0].iter_mut().zip(&above[column]) {
                *value -= share * above;
            }
            b[row] -= share * b[column];
        }
    }
    let mut x = vec![0.0; side];
    for row in (0..side).rev() {
        let rest: f64 = (row + 1..side).map(|k| a[row][k] * x[k]).sum();
        x[row] = (b[row] - rest) / a[row][row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_weights_are_found_again() {
        let truth = Weights { inputs: [1.5, -0.7], constant: 0.3 };
        let samples: Vec<_> = (0..400)
            .map(|k| {
                let inputs = [f64::from(k % 20) / 5.0 - 2.0, f64::from(k / 20) / 5.0 - 2.0];
                Sample { inputs, sure: truth.probability(inputs), often: 1.0 }
            })
            .collect();
        let found = Weights::fit(&samples);
        assert!((found.constant - truth.constant).abs() < 1e-3, "{found:?}");
        for (found, truth) in found.inputs.iter().zip(truth.inputs) {
            assert!((found - truth).abs() < 1e-3, "{found} {truth}");
        }
        assert_eq!(Weights::<2>::from_tensor(&truth.tensor()).constant, f64::from(0.3f32));
    }

    #[test]
    fn what_can_be_told_apart_gets_finite_weights() {
        let samples = [0.0, 1.0].map(|sure| Sample { inputs: [sure], sure, often: 1.0 });
        let found = Weights::fit(&samples);
        assert!(found.inputs[0].is_finite() && found.constant.is_finite());
    }
}
