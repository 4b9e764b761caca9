//! Kernels: how alike two pictures are, from their rows of features.
//!
//! [`Kernel::Histo`] and [`Kernel::Pyramid`] are those of the ranking-task paper (section 3.3) over
//! the rows of [`VisualWords`](crate::VisualWords); the others are for any vectors. Every kernel
//! ends in the same shape: [`Kernel::between`] gives a row an item of one side and a column an item
//! of the other.
//!
//! ```
//! use rebus_collection::Matrix;
//! use rebus_vision::Kernel;
//!
//! let pictures = Matrix::new(2, 3, vec![0.5, 0.5, 0.0, 0.25, 0.5, 0.25])?;
//! let gram = Kernel::Intersection.between(&pictures, &pictures)?;
//! assert_eq!(gram.values(), [1.0, 0.75, 0.75, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Equation 8 is a weighted sum of minima, and a weight can be drawn into the minimum: so the
//! pyramid kernel is the intersection of rows whose cells were weighted beforehand, and one fast
//! loop (`pairs`) serves all histograms.

mod pairs;

use std::fmt;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;
use rebus_collection::Matrix;

use crate::visual_words::{BINS, CELLS, LEVELS};
use crate::{Error, Result};

/// Features that the paper's kernels average over: colour, texture, SIFT (equation 6).
const FEATURES: f32 = 3.0;

/// A measure of likeness between rows of features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// The dot product.
    Linear,
    /// exp(-gamma |a - b|^2).
    Rbf {
        /// How fast likeness falls with distance.
        gamma: f32,
    },
    /// The sum of the smaller of each two values (equation 5). Values are not negative.
    Intersection,
    /// exp(-gamma * sum of (a - b)^2 / (a + b)); a place where both are 0 adds nothing. Values are
    /// not negative.
    ChiSquare {
        /// How fast likeness falls with distance.
        gamma: f32,
    },
    /// Equation 6, K^HISTO: the intersection of the histograms of the whole pictures, averaged over
    /// colour, texture and SIFT, to the power p. Takes rows of visual words, or their first 640
    /// columns.
    Histo {
        /// The power; the paper squares or cubes.
        p: f32,
    },
    /// Equation 8, K^PY: the intersections in the cells of three levels, the finer the heavier,
    /// averaged over the three features, to the power p. Takes rows of visual words.
    Pyramid {
        /// The power; the paper squares or cubes.
        p: f32,
    },
}

impl Kernel {
    /// Looks at the settings.
    ///
    /// # Errors
    /// If gamma or p is not above 0.
    pub fn check(&self) -> Result<()> {
        let (name, value) = match *self {
            Self::Rbf { gamma } | Self::ChiSquare { gamma } => ("gamma", gamma),
            Self::Histo { p } | Self::Pyramid { p } => ("p", p),
            Self::Linear | Self::Intersection => return Ok(()),
        };
        if value.is_finite() && value > 0.0 {
            return Ok(());
        }
        Err(self.refuse(format!("{name} is {value}; it must be above 0")))
    }

    /// The kernel between all rows of `rows` and all of `columns`: a row an item of the first, a
    /// column an item of the second. Given the same matrix twice, it does half the work.
    ///
    /// # Errors
    /// If a setting is wrong, the sides do not fit each other or the kernel, or a value is not
    /// finite (or negative, in a histogram).
    pub fn between(&self, rows: &Matrix, columns: &Matrix) -> Result<Matrix> {
        self.check()?;
        self.check_rows("rows", rows)?;
        self.check_rows("columns", columns)?;
        if rows.columns() != columns.columns() {
            let (a, b) = (rows.columns(), columns.columns());
            return Err(self.refuse(format!("rows of {a} values against rows of {b}")));
        }
        Ok(match *self {
            Self::Linear => products(rows, columns),
            Self::Rbf { gamma } => rbf(rows, columns, gamma),
            Self::Intersection => pairs::intersection(rows, columns),
            Self::ChiSquare { gamma } => {
                each(pairs::chi_square(rows, columns), |x| (-gamma * x).exp())
            }
            Self::Histo { p } => weighted(rows, columns, &[1.0 / FEATURES], p),
            Self::Pyramid { p } => weighted(rows, columns, &cell_weights(), p),
        })
    }

    fn check_rows(&self, side: &str, matrix: &Matrix) -> Result<()> {
        let width = matrix.columns();
        let fits = match self {
            Self::Histo { .. } => width == BINS || width == BINS * CELLS,
            Self::Pyramid { .. } => width == BINS * CELLS,
            _ => true,
        };
        if !fits {
            return Err(self.refuse(format!(
                "{side} have {width} values; visual words have {}",
                BINS * CELLS
            )));
        }
        let signed = matches!(self, Self::Linear | Self::Rbf { .. });
        let wrong = |value: &f32| !value.is_finite() || (!signed && *value < 0.0);
        match matrix.values().par_iter().position_first(wrong) {
            None => Ok(()),
            Some(at) => Err(self.refuse(format!(
                "{side}: row {}, column {} is {}",
                at / width,
                at % width,
                matrix.values()[at]
            ))),
        }
    }

    fn refuse(&self, what: String) -> Error {
        Error::Kernel { kernel: self.to_string(), what }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => write!(f, "linear"),
            Self::Rbf { gamma } => write!(f, "rbf (gamma {gamma})"),
            Self::Intersection => write!(f, "intersection"),
            Self::ChiSquare { gamma } => write!(f, "chi-square (gamma {gamma})"),
            Self::Histo { p } => write!(f, "HISTO (p {p})"),
            Self::Pyramid { p } => write!(f, "PY (p {p})"),
        }
    }
}

/// What each cell's minima count in equation 8, over the three features: 1/2^L at level 0, and
/// 1/2^(L - l + 1) at level l.
fn cell_weights() -> Vec<f32> {
    let last = LEVELS.len() - 1;
    let weight = |level: usize| 0.5f32.powi((last + usize::from(level > 0) - level) as i32);
    LEVELS
        .iter()
        .enumerate()
        .flat_map(|(level, side)| vec![weight(level) / FEATURES; side * side])
        .collect()
}

/// The intersection of the first cells, weighted, to the power p.
fn weighted(rows: &Matrix, columns: &Matrix, weights: &[f32], p: f32) -> Matrix {
    let scale = |matrix: &Matrix| {
        let width = weights.len() * BINS;
        let mut scaled = Matrix::zeros(matrix.rows(), width);
        scaled.values_mut().par_chunks_mut(width).enumerate().for_each(|(row, to)| {
            let cells = to.chunks_mut(BINS).zip(matrix.row(row).chunks(BINS)).zip(weights);
            for ((to, from), weight) in cells {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = from * weight);
            }
        });
        scaled
    };
    let rows_scaled = scale(rows);
    let gram = if same(rows, columns) {
        pairs::intersection(&rows_scaled, &rows_scaled)
    } else {
        pairs::intersection(&rows_scaled, &scale(columns))
    };
    // Squares and cubes by products, which is both faster and the same on every machine.
    match p {
        1.0 => gram,
        2.0 => each(gram, |x| x * x),
        3.0 => each(gram, |x| x * x * x),
        _ => each(gram, |x| x.powf(p)),
    }
}

/// Whether both are the very same numbers, so that the Gram matrix is symmetric.
fn same(rows: &Matrix, columns: &Matrix) -> bool {
    rows.rows() == columns.rows() && rows.values().as_ptr_range() == columns.values().as_ptr_range()
}

fn each(mut gram: Matrix, change: impl Fn(f32) -> f32 + Sync) -> Matrix {
    gram.values_mut().par_chunks_mut(1 << 14).for_each(|chunk| {
        chunk.iter_mut().for_each(|value| *value = change(*value));
    });
    gram
}

/// All dot products.
fn products(rows: &Matrix, columns: &Matrix) -> Matrix {
    let mut gram = Matrix::zeros(rows.rows(), columns.rows());
    let (height, width, depth) = (rows.rows(), columns.rows(), rows.columns());
    let a = MatRef::from_row_major_slice(rows.values(), height, depth);
    let b = MatRef::from_row_major_slice(columns.values(), width, depth);
    let to = MatMut::from_row_major_slice_mut(gram.values_mut(), height, width);
    // The number of threads must not change how sums are grouped: faer splits rows and columns,
    // never the sum.
    matmul(to, Accum::Replace, a, b.transpose(), 1.0, Par::rayon(0));
    gram
}

fn rbf(rows: &Matrix, columns: &Matrix, gamma: f32) -> Matrix {
    let squares = |matrix: &Matrix| -> Vec<f32> {
        let square =
            |row| matrix.row(row).iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>();
        (0..matrix.rows()).map(|row| square(row) as f32).collect()
    };
    let (a, b) = (squares(rows), squares(columns));
    let mut gram = products(rows, columns);
    let width = b.len().max(1);
    gram.values_mut().par_chunks_mut(width).zip(&a).for_each(|(row, &a)| {
        for (value, &b) in row.iter_mut().zip(&b) {
            // Rounding must not make a distance negative.
            *value = (-gamma * (a + b - 2.0 * *value).max(0.0)).exp();
        }
    });
    gram
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, seed: u32) -> Matrix {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let unit = (state >> 8) as f32 / (1 << 24) as f32;
            if unit < 0.3 { 0.0 } else { unit }
        };
        Matrix::new(rows, columns, (0..rows * columns).map(|_| next()).collect()).unwrap()
    }

    /// Straight from the definitions, in f64.
    fn plain(kernel: Kernel, a: &[f32], b: &[f32]) -> f64 {
        let both = || a.iter().zip(b).map(|(&a, &b)| (f64::from(a), f64::from(b)));
        let minima = |range: std::ops::Range<usize>| -> f64 {
            range.map(|at| f64::from(a[at].min(b[at]))).sum()
        };
        match kernel {
            Kernel::Linear => both().map(|(a, b)| a * b).sum(),
            Kernel::Rbf { gamma } => {
                (-f64::from(gamma) * both().map(|(a, b)| (a - b).powi(2)).sum::<f64>()).exp()
            }
            Kernel::Intersection => minima(0..a.len()),
            Kernel::ChiSquare { gamma } => {
                let term =
                    |(a, b): (f64, f64)| if a + b > 0.0 { (a - b).powi(2) / (a + b) } else { 0.0 };
                (-f64::from(gamma) * both().map(term).sum::<f64>()).exp()
            }
            Kernel::Histo { p } => (minima(0..BINS) / 3.0).powf(p.into()),
            Kernel::Pyramid { p } => {
                // The first form of equation 8, level by level.
                let level = [minima(0..BINS), minima(BINS..5 * BINS), minima(5 * BINS..21 * BINS)];
                let first = level[2] + (level[0] - level[1]) / 4.0 + (level[1] - level[2]) / 2.0;
                (first / 3.0).powf(p.into())
            }
        }
    }

    #[test]
    fn kernels_are_what_they_are_defined_as() {
        let width = BINS * CELLS;
        for kernel in [
            Kernel::Linear,
            Kernel::Rbf { gamma: 1e-3 },
            Kernel::Intersection,
            Kernel::ChiSquare { gamma: 1e-3 },
            Kernel::Histo { p: 2.0 },
            Kernel::Pyramid { p: 3.0 },
            Kernel::Pyramid { p: 1.5 },
        ] {
            let (a, b) = (matrix(7, width, 1), matrix(5, width, 2));
            let gram = kernel.between(&a, &b).unwrap();
            let own = kernel.between(&a, &a).unwrap();
            for i in 0..7 {
                for j in 0..5 {
                    let want = plain(kernel, a.row(i), b.row(j));
                    let got = f64::from(gram.row(i)[j]);
                    assert!((got - want).abs() <= 1e-5 * want.abs(), "{kernel}: {got} {want}");
                }
                for j in 0..7 {
                    let want = plain(kernel, a.row(i), a.row(j));
                    let got = f64::from(own.row(i)[j]);
                    assert!((got - want).abs() <= 2e-5 * want.abs(), "{kernel}: {got} {want}");
                }
            }
        }
    }

    #[test]
    fn weights_of_equation_8() {
        let weights = cell_weights();
        assert_eq!(weights.len(), CELLS);
        assert_eq!([weights[0], weights[1], weights[20]].map(|w| w * 12.0), [1.0, 1.0, 2.0]);
        // A picture is wholly like itself.
        let mut row = Matrix::zeros(1, BINS * CELLS);
        for (cell, of) in std::iter::once(1.0).chain([4.0; 4]).chain([16.0; 16]).enumerate() {
            for feature in [0, 200, 500] {
                row.row_mut(0)[cell * BINS + feature] = 1.0 / of;
            }
        }
        let one = Kernel::Pyramid { p: 2.0 }.between(&row, &row).unwrap();
        assert!((one.values()[0] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn widths_and_sizes_of_any_kind() {
        for (rows, columns, width) in [(0, 3, 4), (3, 0, 4), (1, 1, 1), (33, 70, 17), (2, 2, 0)] {
            let (a, b) = (matrix(rows, width, 3), matrix(columns, width, 4));
            for kernel in [Kernel::Linear, Kernel::Intersection, Kernel::ChiSquare { gamma: 1.0 }] {
                let gram = kernel.between(&a, &b).unwrap();
                assert_eq!((gram.rows(), gram.columns()), (rows, columns));
                for i in 0..rows {
                    for j in 0..columns {
                        let want = plain(kernel, a.row(i), b.row(j)) as f32;
                        assert!((gram.row(i)[j] - want).abs() < 1e-4, "{kernel}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_on_any_number_of_threads() {
        let (a, b) = (matrix(150, 700, 5), matrix(90, 700, 6));
        let on = |threads: usize, kernel: Kernel| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (kernel.between(&a, &b).unwrap(), kernel.between(&a, &a).unwrap()))
        };
        for kernel in [
            Kernel::Linear,
            Kernel::Intersection,
            Kernel::ChiSquare { gamma: 0.1 },
            Kernel::Rbf { gamma: 0.1 },
        ] {
            assert_eq!(on(1, kernel), on(4, kernel), "{kernel}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        let say =
            |kernel: Kernel, a: &Matrix, b: &Matrix| kernel.between(a, b).unwrap_err().to_string();
        let (a, b) = (matrix(2, 4, 1), matrix(2, 5, 1));
        assert!(say(Kernel::Linear, &a, &b).contains("rows of 4 values against rows of 5"));
        assert!(say(Kernel::Rbf { gamma: -1.0 }, &a, &a).contains("gamma is -1"));
        assert!(say(Kernel::Pyramid { p: f32::NAN }, &a, &a).contains("p is NaN"));
        assert!(say(Kernel::Pyramid { p: 2.0 }, &a, &a).contains("visual words have 13440"));
        let mut bad = a.clone();
        bad.row_mut(1)[2] = -0.5;
        assert!(Kernel::Linear.between(&a, &bad).is_ok());
        let error = say(Kernel::Intersection, &a, &bad);
        assert!(error.contains("columns: row 1, column 2 is -0.5"), "{error}");
        bad.row_mut(1)[2] = f32::NAN;
        assert!(say(Kernel::Linear, &bad, &a).contains("rows: row 1, column 2 is NaN"));
    }
}
