//! How the vectors of ordinary pictures lie: their mean and covariance. With them a score becomes
//! a number of standard deviations, which means the same for every text.

use rebus_collection::Matrix;

/// Mean and covariance of image vectors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Background {
    pub(super) mean: Matrix,
    pub(super) covariance: Matrix,
}

/// What scores an ordinary picture has with one text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    /// A score in standard deviations above the mean.
    pub(super) fn standard(&self, score: f64) -> f64 {
        (score - self.mean) / self.deviation
    }

    /// By what a score is multiplied, and what is added, to make it standard.
    pub(super) fn line(&self) -> (f64, f64) {
        (1.0 / self.deviation, -self.mean / self.deviation)
    }
}

impl Background {
    /// Of these vectors, a row each.
    pub(super) fn of(vectors: &Matrix) -> Self {
        let (rows, side) = (vectors.rows().max(1) as f64, vectors.columns());
        let mut mean = vec![0.0f64; side];
        for row in 0..vectors.rows() {
            for (mean, &value) in mean.iter_mut().zip(vectors.row(row)) {
                *mean += f64::from(value) / rows;
            }
        }
        let mut sums = vec![0.0f64; side * side];
        for row in 0..vectors.rows() {
            let away: Vec<f64> =
                vectors.row(row).iter().zip(&mean).map(|(&v, mean)| f64::from(v) - mean).collect();
            for (line, a) in sums.chunks_exact_mut(side).zip(&away) {
                for (sum, b) in line.iter_mut().zip(&away) {
                    *sum += a * b / rows;
                }
            }
        }
        let mut covariance = Matrix::zeros(side, side);
        for (to, sum) in covariance.values_mut().iter_mut().zip(sums) {
            *to = sum as f32;
        }
        let mut means = Matrix::zeros(1, side);
        for (to, mean) in means.values_mut().iter_mut().zip(mean) {
            *to = mean as f32;
        }
        Self { mean: means, covariance }
    }

    /// The spread of scores with a text's vector.
    pub(super) fn spread(&self, text: &[f32]) -> Spread {
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let variance: f64 = text
            .iter()
            .enumerate()
            .map(|(k, &value)| f64::from(value) * dot(self.covariance.row(k), text))
            .sum();
        Spread { mean: dot(self.mean.row(0), text), deviation: variance.max(1e-12).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_the_pictures_themselves_are_standard() {
        let vectors = Matrix::new(4, 2, vec![1.0, 0.0, 0.0, 1.0, 0.6, 0.8, -1.0, 0.0]).unwrap();
        let text = [0.8f32, 0.6];
        let spread = Background::of(&vectors).spread(&text);
        let standard: Vec<f64> = (0..4)
            .map(|row| {
                let score: f32 = vectors.row(row).iter().zip(&text).map(|(a, b)| a * b).sum();
                spread.standard(f64::from(score))
            })
            .collect();
        let mean = standard.iter().sum::<f64>() / 4.0;
        let variance = standard.iter().map(|v| v * v).sum::<f64>() / 4.0;
        assert!(mean.abs() < 1e-6 && (variance - 1.0).abs() < 1e-5, "{mean} {variance}");
    }
}
