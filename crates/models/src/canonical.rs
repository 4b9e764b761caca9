//! Canonical correlation analysis between two matrices, regularised.
//!
//! With linear kernels K_X = X X' and w = X' alpha, equation 3 of Hodosh, Young and Hockenmaier
//! (2013) becomes: find w_x, w_y that maximise
//!
//! ```text
//! w_x' X'Y w_y / sqrt((w_x'(X'X + kappa I) w_x) (w_y'(Y'Y + kappa I) w_y))
//! ```
//!
//! which is solved by whitening both sides with Cholesky factors and a singular value
//! decomposition of the whitened cross-covariance; its singular values are the regularised
//! correlations, 0 to 1. Both sides are centred; kappa is given in units of a side's mean
//! variance, so that it means the same for any features.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par, Side};

use crate::{Error, Result};

/// The most correlated directions of two matrices whose rows belong together.
#[derive(Debug, Clone)]
pub struct Canonical {
    /// The mean of each column of the left side.
    pub x_mean: Vec<f64>,
    /// The mean of each column of the right side.
    pub y_mean: Vec<f64>,
    /// A row a feature of the left side, a column a direction.
    pub x_weights: Mat<f64>,
    /// A row a feature of the right side, a column a direction.
    pub y_weights: Mat<f64>,
    /// The regularised correlation of each direction, largest first.
    pub correlations: Vec<f64>,
}

impl Canonical {
    /// The first `dimensions` directions, or as many as there are. `kappa` is the ridge on the
    /// left and on the right side.
    ///
    /// # Errors
    /// If a side has no variance at all, or the decomposition does not converge.
    pub fn new(
        mut x: Mat<f64>,
        mut y: Mat<f64>,
        dimensions: usize,
        kappa: [f64; 2],
    ) -> Result<Self> {
        let (x_mean, y_mean) = (centre(&mut x), centre(&mut y));
        let factor = |side: &str, c: Mat<f64>| {
            let what = format!("the {side} side has no variance");
            c.llt(Side::Lower).map_err(|_| Error::Data { what })
        };
        let l_x = factor("image", ridge(covariance(&x, &x), kappa[0]))?;
        let l_y = factor("text", ridge(covariance(&y, &y), kappa[1]))?;
        // L_x^-1 C_xy L_y^-T
        let mut whitened = covariance(&x, &y);
        l_x.L().solve_lower_triangular_in_place(whitened.as_mut());
        l_y.L().solve_lower_triangular_in_place(whitened.as_mut().transpose_mut());
        let svd = whitened.thin_svd().map_err(|_| Error::Data {
            what: "the singular values could not be found; raise kappa".into(),
        })?;
        let kept = dimensions.min(svd.S().dim());
        let correlations = (0..kept).map(|k| svd.S()[k].clamp(0.0, 1.0)).collect();
        let mut x_weights = svd.U().subcols(0, kept).to_owned();
        let mut y_weights = svd.V().subcols(0, kept).to_owned();
        l_x.L().transpose().solve_upper_triangular_in_place(x_weights.as_mut());
        l_y.L().transpose().solve_upper_triangular_in_place(y_weights.as_mut());
        settle_signs(&mut x_weights, &mut y_weights);
        Ok(Self { x_mean, y_mean, x_weights, y_weights, correlations })
    }
}

/// Subtracts the mean of each column and returns the means.
fn centre(x: &mut Mat<f64>) -> Vec<f64> {
    let rows = x.nrows();
    (0..x.ncols())
        .map(|column| {
            let mean = (0..rows).map(|row| x[(row, column)]).sum::<f64>() / rows as f64;
            (0..rows).for_each(|row| x[(row, column)] -= mean);
            mean
        })
        .collect()
}

fn covariance(x: &Mat<f64>, y: &Mat<f64>) -> Mat<f64> {
    let mut c = Mat::zeros(x.ncols(), y.ncols());
    let share = 1.0 / x.nrows() as f64;
    matmul(c.as_mut(), Accum::Replace, x.transpose(), y, share, Par::rayon(0));
    c
}

fn ridge(mut c: Mat<f64>, kappa: f64) -> Mat<f64> {
    let side = c.nrows();
    let mean = (0..side).map(|k| c[(k, k)]).sum::<f64>() / side as f64;
    (0..side).for_each(|k| c[(k, k)] += kappa * mean);
    c
}

/// Both sides of a direction may be turned around; the largest image weight is made positive.
fn settle_signs(x: &mut Mat<f64>, y: &mut Mat<f64>) {
    for column in 0..x.ncols() {
        let largest = (0..x.nrows())
            .map(|row| x[(row, column)])
            .fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
        if largest < 0.0 {
            (0..x.nrows()).for_each(|row| x[(row, column)] *= -1.0);
            (0..y.nrows()).for_each(|row| y[(row, column)] *= -1.0);
        }
    }
}
