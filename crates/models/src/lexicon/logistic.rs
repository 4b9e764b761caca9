//! Logistic regression with three weights: enough to turn scores into probabilities.

/// The weights of two inputs and of a constant.
pub(super) type Weights = [f64; 3];

/// The probability at two inputs.
pub(super) fn probability(weights: &Weights, inputs: [f64; 2]) -> f64 {
    let [a, b, c] = weights;
    1.0 / (1.0 + (-(a * inputs[0] + b * inputs[1] + c)).exp())
}

/// Fits the weights to `(inputs, how sure, how often)` by Newton's method, with a small ridge so
/// that separable data have an answer, too.
pub(super) fn fit(samples: &[([f64; 2], f64, f64)]) -> Weights {
    const RIDGE: f64 = 1e-3;
    let mut weights = [0.0; 3];
    for _ in 0..50 {
        let mut slope = weights.map(|weight| -RIDGE * weight);
        let mut curve = [[0.0; 3]; 3];
        for (k, line) in curve.iter_mut().enumerate() {
            line[k] = RIDGE;
        }
        for &([a, b], sure, often) in samples {
            let inputs = [a, b, 1.0];
            let p = probability(&weights, [a, b]);
            for (j, x) in inputs.iter().enumerate() {
                slope[j] += often * (sure - p) * x;
                for (k, y) in inputs.iter().enumerate() {
                    curve[j][k] += often * p * (1.0 - p) * x * y;
                }
            }
        }
        let step = solve(curve, slope);
        let size = step.iter().map(|s| s.abs()).fold(0.0, f64::max);
        // Long steps are shortened: far out the curve is flat and Newton overshoots.
        let share = if size > 2.0 { 2.0 / size } else { 1.0 };
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += share * step;
        }
        if size < 1e-9 {
            break;
        }
    }
    weights
}

/// Three equations by elimination with pivots.
fn solve(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
    for column in 0..3 {
        let pivot = (column..3)
            .max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()))
            .unwrap_or(column);
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in column + 1..3 {
            let share = a[row][column] / a[column][column];
            let above = a[column];
            for (value, above) in a[row].iter_mut().zip(above) {
                *value -= share * above;
            }
            b[row] -= share * b[column];
        }
    }
    let mut x = [0.0; 3];
    for row in (0..3).rev() {
        let rest: f64 = (row + 1..3).map(|k| a[row][k] * x[k]).sum();
        x[row] = (b[row] - rest) / a[row][row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_weights_are_found_again() {
        let truth = [1.5, -0.7, 0.3];
        let samples: Vec<_> = (0..400)
            .map(|k| {
                let inputs = [f64::from(k % 20) / 5.0 - 2.0, f64::from(k / 20) / 5.0 - 2.0];
                (inputs, probability(&truth, inputs), 1.0)
            })
            .collect();
        for (found, truth) in fit(&samples).iter().zip(truth) {
            assert!((found - truth).abs() < 1e-3, "{found} {truth}");
        }
    }

    #[test]
    fn what_can_be_told_apart_gets_finite_weights() {
        let samples = [([0.0, 0.0], 0.0, 1.0), ([1.0, 0.0], 1.0, 1.0)];
        assert!(fit(&samples).iter().all(|weight| weight.is_finite()));
    }
}
