//! Logistic regressions of many words on the same pictures, all at once.
//!
//! For each word the mean log loss over the pictures plus a ridge is made least. In the axes in which
//! the pictures vary independently the curvature of the loss is nearly diagonal, so that a step is a
//! division. How far a word's step may go is found by trying: a step that does not make its objective
//! less is not taken, and the next one is shorter. Each pass costs two matrix products for all words.

use faer::Accum;
use faer::linalg::matmul::matmul;
use faer::{Mat, Par, Side};
use rayon::prelude::*;
use rebus_collection::Matrix;

use crate::word_space::product;
use crate::{Error, Result, dot_products};

/// How many passes are made: with the usual ridge more change no order that one could measure.
const PASSES: usize = 16;
/// So many words are fitted together, for the sake of memory.
const TOGETHER: usize = 512;
/// What a word's curvature is multiplied by after a step that helped, and after one that did not.
const BOLDER: f64 = 0.7;
const SHYER: f64 = 2.5;
/// Frequencies are kept off 0 and 1, where odds are infinite.
const EDGE: f64 = 1e-4;

/// A row a word: its weights, then the constant, such that their sum over a picture's vector is the
/// word's log odds. `shown` has a row a word and a column a picture: how surely it shows the word. The
/// ridge is in units of the mean variance of a dimension.
///
/// # Errors
/// If the pictures are none, or are not as many as `shown` has columns.
pub(super) fn fit(images: &Matrix, shown: &Matrix, ridge: f64) -> Result<Matrix> {
    fit_in(PASSES, images, shown, ridge)
}

fn fit_in(passes: usize, images: &Matrix, shown: &Matrix, ridge: f64) -> Result<Matrix> {
    if images.rows() != shown.columns() {
        return Err(Error::Shape { expected: images.rows(), found: shown.columns() });
    }
    let side = images.columns();
    let mut found = Matrix::zeros(shown.rows(), side + 1);
    if shown.rows() == 0 {
        return Ok(found);
    }
    if images.rows() == 0 {
        return Err(Error::Data { what: "no pictures to learn words from".into() });
    }
    let axes = Axes::of(images)?;
    let words: Vec<usize> = (0..shown.rows()).collect();
    for words in words.chunks(TOGETHER) {
        let shown = shown.only(words);
        let (turned, constants) = axes.fit(passes, &shown, ridge * axes.mean_variance());
        let weights = product(&turned, &axes.back);
        for (row, &word) in words.iter().enumerate() {
            let weights = weights.row(row);
            let to = found.row_mut(word);
            to[..side].copy_from_slice(weights);
            let middle: f64 =
                weights.iter().zip(&axes.mean).map(|(&w, mean)| f64::from(w) * mean).sum();
            to[side] = (constants[row] - middle) as f32;
        }
    }
    Ok(found)
}

/// Pictures along the axes in which they vary independently.
struct Axes {
    mean: Vec<f64>,
    /// From these axes back: a row an axis.
    back: Matrix,
    variances: Vec<f64>,
    /// A row a picture, and the same turned over.
    pictures: Matrix,
    turned_over: Matrix,
}

/// Where a word's regression stands.
struct Word {
    objective: f64,
    constant: f64,
    curvature: f64,
}

impl Axes {
    fn of(images: &Matrix) -> Result<Self> {
        let (rows, side) = (images.rows(), images.columns());
        let mean: Vec<f64> = (0..side)
            .map(|k| (0..rows).map(|row| f64::from(images.row(row)[k])).sum::<f64>() / rows as f64)
            .collect();
        let x = Mat::from_fn(rows, side, |row, k| f64::from(images.row(row)[k]) - mean[k]);
        let mut covariance = Mat::zeros(side, side);
        let share = 1.0 / rows.max(1) as f64;
        matmul(covariance.as_mut(), Accum::Replace, x.transpose(), &x, share, Par::rayon(0));
        let eigen = covariance.self_adjoint_eigen(Side::Lower).map_err(|_| Error::Data {
            what: "the axes along which the pictures vary could not be found".into(),
        })?;
        let (values, vectors) = (eigen.S(), eigen.U());
        let variances: Vec<f64> = (0..side).map(|k| values[k].max(0.0)).collect();
        let mut turned = Mat::zeros(rows, side);
        matmul(turned.as_mut(), Accum::Replace, &x, vectors, 1.0, Par::rayon(0));
        let from = |rows: usize, columns: usize, value: &dyn Fn(usize, usize) -> f64| {
            let mut to = Matrix::zeros(rows, columns);
            for row in 0..rows {
                for (k, to) in to.row_mut(row).iter_mut().enumerate() {
                    *to = value(row, k) as f32;
                }
            }
            to
        };
        Ok(Self {
            mean,
            back: from(side, side, &|axis, k| vectors[(k, axis)]),
            variances,
            pictures: from(rows, side, &|row, axis| turned[(row, axis)]),
            turned_over: from(side, rows, &|axis, row| turned[(row, axis)]),
        })
    }

    fn mean_variance(&self) -> f64 {
        (self.variances.iter().sum::<f64>() / self.variances.len().max(1) as f64).max(1e-12)
    }

    /// The weights of each word along the axes, and its constant.
    fn fit(&self, passes: usize, shown: &Matrix, ridge: f64) -> (Matrix, Vec<f64>) {
        let (words, side) = (shown.rows(), self.variances.len());
        let mut weights = Matrix::zeros(words, side);
        let start = |row: usize| {
            let shown = shown.row(row);
            let sum: f64 = shown.iter().map(|&sure| f64::from(sure)).sum();
            let share = (sum / shown.len().max(1) as f64).clamp(EDGE, 1.0 - EDGE);
            let constant = (share / (1.0 - share)).ln();
            Word { objective: f64::INFINITY, constant, curvature: 2.0 * share * (1.0 - share) }
        };
        let mut state: Vec<Word> = (0..words).map(start).collect();
        // Where the next step leads, and the slopes at the last one that was taken.
        let mut tried = weights.clone();
        let mut constants: Vec<f64> = state.iter().map(|word| word.constant).collect();
        let mut slopes = Matrix::zeros(words, side);
        let mut constant_slopes = vec![0.0; words];
        for pass in 0..=passes {
            let mut odds = product(&tried, &self.turned_over);
            let losses: Vec<(f64, f64)> = odds
                .values_mut()
                .par_chunks_mut(shown.columns())
                .enumerate()
                .map(|(row, odds)| residuals(odds, shown.row(row), constants[row]))
                .collect();
            let found = product(&odds, &self.pictures);
            for (row, word) in state.iter_mut().enumerate() {
                let (loss, slope) = losses[row];
                let size: f64 = tried.row(row).iter().map(|&w| f64::from(w).powi(2)).sum();
                let objective = loss + ridge / 2.0 * size;
                if objective <= word.objective {
                    word.objective = objective;
                    word.constant = constants[row];
                    weights.row_mut(row).copy_from_slice(tried.row(row));
                    constant_slopes[row] = slope;
                    let share = 1.0 / shown.columns() as f64;
                    for (to, (&from, &weight)) in slopes
                        .row_mut(row)
                        .iter_mut()
                        .zip(found.row(row).iter().zip(tried.row(row)))
                    {
                        *to = (share * f64::from(from) + ridge * f64::from(weight)) as f32;
                    }
                    word.curvature *= if pass == 0 { 1.0 } else { BOLDER };
                } else {
                    word.curvature *= SHYER;
                }
                constants[row] = word.constant - constant_slopes[row] / word.curvature;
                let from = weights.row(row).iter().zip(slopes.row(row)).zip(&self.variances);
                for (to, ((&weight, &slope), variance)) in tried.row_mut(row).iter_mut().zip(from) {
                    let step = f64::from(slope) / (word.curvature * variance + ridge);
                    *to = (f64::from(weight) - step) as f32;
                }
            }
        }
        (weights, state.iter().map(|word| word.constant).collect())
    }
}

/// Puts what is said too much in the place of each log odds; and returns the mean loss and the mean of
/// what is said too much.
fn residuals(odds: &mut [f32], shown: &[f32], constant: f64) -> (f64, f64) {
    let (mut loss, mut sum) = (0.0, 0.0);
    for (odds, &sure) in odds.iter_mut().zip(shown) {
        let x = f64::from(*odds) + constant;
        // ln(1 + e^x) without overflow.
        loss += x.max(0.0) + (-x.abs()).exp().ln_1p() - f64::from(sure) * x;
        let over = 1.0 / (1.0 + (-x).exp()) - f64::from(sure);
        sum += over;
        *odds = over as f32;
    }
    let share = 1.0 / shown.len().max(1) as f64;
    (loss * share, sum * share)
}

/// The log odds of each word for each picture: a row a picture, a column a word.
///
/// # Errors
/// If the vectors of the pictures have another length.
pub(super) fn log_odds(images: &Matrix, words: &Matrix) -> Result<Matrix> {
    let mut with_one = Matrix::zeros(images.rows(), images.columns() + 1);
    for row in 0..images.rows() {
        let to = with_one.row_mut(row);
        to[..images.columns()].copy_from_slice(images.row(row));
        to[images.columns()] = 1.0;
    }
    dot_products(&with_one, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::logistic::{Sample, Weights};

    /// Pictures on a lattice, and what two words with known odds respond.
    fn lattice() -> (Matrix, Matrix, [Vec<f64>; 2]) {
        let (mut images, mut shown) = (Matrix::zeros(400, 2), Matrix::zeros(2, 400));
        let truth = [vec![1.5, -0.7, 0.3], vec![-2.0, 0.4, -1.0]];
        for row in 0..400 {
            let at = [(row % 20) as f32 / 5.0 - 1.0, (row / 20) as f32 / 5.0 - 2.0];
            images.row_mut(row).copy_from_slice(&at);
            for (word, truth) in truth.iter().enumerate() {
                let odds = truth[0] * f64::from(at[0]) + truth[1] * f64::from(at[1]) + truth[2];
                shown.row_mut(word)[row] = (1.0 / (1.0 + (-odds).exp())) as f32;
            }
        }
        (images, shown, truth)
    }

    #[test]
    fn known_weights_are_found_again() {
        let (images, shown, truth) = lattice();
        let found = fit_in(200, &images, &shown, 1e-6).unwrap();
        for (word, truth) in truth.iter().enumerate() {
            for (found, truth) in found.row(word).iter().zip(truth) {
                assert!((f64::from(*found) - truth).abs() < 0.02, "{found} {truth}");
            }
        }
    }

    #[test]
    fn newton_s_method_finds_the_same() {
        let (images, mut shown, _) = lattice();
        // Now and then a picture shows what is improbable.
        for (at, sure) in shown.values_mut().iter_mut().enumerate() {
            *sure = if f64::from(*sure) > (at * 7919 % 400) as f64 / 400.0 { 1.0 } else { 0.0 };
        }
        let found = fit_in(200, &images, &shown, 1e-6).unwrap();
        for word in 0..2 {
            let sample = |row: usize| Sample {
                inputs: [0, 1].map(|k| f64::from(images.row(row)[k])),
                sure: f64::from(shown.row(word)[row]),
                often: 1.0,
            };
            let newton = Weights::fit(&(0..400).map(sample).collect::<Vec<Sample<2>>>()).tensor();
            for (found, newton) in found.row(word).iter().zip(newton.row(0)) {
                assert!((found - newton).abs() < 0.02, "{found} {newton}");
            }
        }
    }

    #[test]
    fn a_word_that_no_picture_shows_and_pictures_that_are_all_alike_have_finite_odds() {
        let (images, mut shown, _) = lattice();
        shown.row_mut(0).fill(0.0);
        for images in [images, Matrix::zeros(400, 2)] {
            let found = fit(&images, &shown, 0.1).unwrap();
            assert_eq!(found.first_not_finite(), None);
            let odds = log_odds(&images, &found).unwrap();
            assert!(odds.row(0)[0] < -4.0);
        }
        assert!(fit(&Matrix::zeros(3, 2), &shown, 0.1).is_err());
        assert!(fit(&Matrix::zeros(0, 2), &Matrix::zeros(1, 0), 0.1).is_err());
        assert_eq!(fit(&Matrix::zeros(0, 2), &Matrix::zeros(0, 0), 0.1).unwrap().rows(), 0);
    }
}
