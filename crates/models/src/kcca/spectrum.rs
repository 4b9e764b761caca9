//! The spectrum of one centred Gram matrix: all that KCCA needs to know of a kernel.
//!
//! With K the kernel of n training items, centred in feature space, K = U S U'. Whatever kappa
//! and however many dimensions are asked for, the solution of equation 3 lies in this basis
//! ([`Directions`](super::Directions)), so that one decomposition serves a whole sweep.
//!
//! A side may keep the leading part of the spectrum only. Below a third of n the part is found by
//! subspace iteration (Halko, Martinsson and Tropp 2011, algorithm 4.4, with a Rayleigh-Ritz step
//! at the end), which is matrix products alone; from there on by the whole decomposition.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::prelude::default;
use faer::{Accum, Mat, MatRef, Par};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_collection::Matrix;

use crate::{Error, Result};

/// Work is always cut into so many pieces, so that sums are the same on any number of threads.
const PIECES: usize = 4;
/// Directions beyond those asked for that subspace iteration carries along.
const SPARE: usize = 32;
/// How often the subspace is multiplied by the kernel.
const ROUNDS: usize = 4;
/// An eigenvalue below this share of the largest is noise of `f32`.
const LEAST: f32 = 3e-5;

/// The leading eigenvalues and eigenvectors of a centred Gram matrix, and the way from a row of
/// kernel values to coordinates along them.
#[derive(Debug, Clone)]
pub struct Spectrum {
    /// Eigenvalues, largest first, all above zero.
    values: Vec<f32>,
    /// The mean of the Gram matrix's diagonal before centring.
    diagonal: f64,
    /// A row a training item, a column an eigenvalue.
    vectors: Mat<f32>,
    /// Subtracted from a row of kernel values.
    offset: Vec<f32>,
    /// From centred kernel values to coordinates, where that is not `vectors` itself.
    map: Option<Mat<f32>>,
}

impl Spectrum {
    /// Centres a Gram matrix (a row and a column a training item) and finds the `most` largest
    /// eigenvalues, or as many as are above zero.
    ///
    /// # Errors
    /// If the matrix is not square, not finite, or has no variance.
    pub fn of(gram: &Matrix, most: usize) -> Result<Self> {
        let n = gram.rows();
        check(gram)?;
        let (centred, offset) = centre(gram);
        let diagonal = (0..n).map(|k| f64::from(gram.row(k)[k])).sum::<f64>() / n as f64;
        let (values, vectors) =
            if most + SPARE < n / 3 { leading(&centred, most)? } else { whole(&centred)? };
        let kept = kept(&values, most)?;
        let vectors = orthogonal_to_ones(vectors.subcols(0, kept));
        Ok(Self { values: values[..kept].to_vec(), diagonal, vectors, offset, map: None })
    }

    /// A spectrum found by other means: `vectors` over training items, and an affine map from
    /// kernel values (against whatever items `offset` is about) to coordinates.
    pub(super) fn mapped(
        values: Vec<f32>,
        vectors: Mat<f32>,
        offset: Vec<f32>,
        map: Mat<f32>,
        diagonal: f64,
    ) -> Self {
        Self { values, diagonal, vectors, offset, map: Some(map) }
    }

    /// The eigenvalues, largest first.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// How many eigenvalues are kept.
    pub fn rank(&self) -> usize {
        self.values.len()
    }

    /// How many training items there are.
    pub fn items(&self) -> usize {
        self.vectors.nrows()
    }

    /// The mean of the Gram matrix's diagonal before centring: 1 for a normalised kernel.
    pub fn diagonal(&self) -> f64 {
        self.diagonal
    }

    pub(super) fn vectors(&self) -> MatRef<'_, f32> {
        self.vectors.as_ref()
    }

    /// U'k for each row k of kernel values: a row an item, a column an eigenvalue.
    ///
    /// # Errors
    /// If a row is not as long as the items that the kernel was evaluated on.
    pub fn coordinates(&self, rows: &Matrix) -> Result<Mat<f32>> {
        let expected = self.offset.len();
        if rows.columns() != expected {
            return Err(Error::Shape { expected, found: rows.columns() });
        }
        let centred = Mat::from_fn(rows.rows(), expected, |row, column| {
            rows.row(row)[column] - self.offset[column]
        });
        Ok(product(centred.as_ref(), self.map()))
    }

    /// What is subtracted from a row of kernel values before [`Self::map`].
    pub(super) fn offset(&self) -> &[f32] {
        &self.offset
    }

    /// From centred kernel values to coordinates.
    pub(super) fn map(&self) -> MatRef<'_, f32> {
        self.map.as_ref().unwrap_or(&self.vectors).as_ref()
    }
}

/// How many of these eigenvalues, largest first, stand above noise.
pub(super) fn kept(values: &[f32], most: usize) -> Result<usize> {
    let least = values.first().copied().unwrap_or(0.0) * LEAST;
    let kept = values.iter().take(most).take_while(|&&value| value > least).count();
    if kept == 0 {
        return Err(Error::Data { what: "a kernel is the same for all training items".into() });
    }
    Ok(kept)
}

fn check(gram: &Matrix) -> Result<()> {
    let (rows, columns) = (gram.rows(), gram.columns());
    if rows != columns {
        let what = format!("a Gram matrix must be square, this one is {rows} x {columns}");
        return Err(Error::Data { what });
    }
    if rows < 2 {
        return Err(Error::Data { what: format!("{rows} pictures; at least two are needed") });
    }
    match gram.first_not_finite() {
        Some((row, column)) => Err(Error::NotFinite { row, column }),
        None => Ok(()),
    }
}

/// HKH with H = I - 11'/n, of the symmetric part of K; and the means of K's columns.
///
/// Of a further row k of kernel values only these means need to be subtracted: the rest of the
/// centring is a multiple of 1, to which every eigenvector of HKH is orthogonal.
fn centre(gram: &Matrix) -> (Mat<f32>, Vec<f32>) {
    let n = gram.rows();
    let mut sums = vec![0f64; n];
    for row in 0..n {
        for (sum, &value) in sums.iter_mut().zip(gram.row(row)) {
            *sum += f64::from(value);
        }
    }
    let rows: Vec<f64> =
        (0..n).map(|row| gram.row(row).iter().map(|&v| f64::from(v)).sum::<f64>()).collect();
    let means: Vec<f64> = sums.iter().zip(&rows).map(|(a, b)| 0.5 * (a + b) / n as f64).collect();
    let grand = means.iter().sum::<f64>() / n as f64;
    let mut centred = Mat::zeros(n, n);
    for row in 0..n {
        for column in 0..=row {
            let both = f64::from(gram.row(row)[column]) + f64::from(gram.row(column)[row]);
            let value = (0.5 * both - means[row] - means[column] + grand) as f32;
            centred[(row, column)] = value;
            centred[(column, row)] = value;
        }
    }
    (centred, means.into_iter().map(|mean| mean as f32).collect())
}

/// All eigenvalues, largest first, with their vectors.
pub(super) fn whole(symmetric: &Mat<f32>) -> Result<(Vec<f32>, Mat<f32>)> {
    let n = symmetric.nrows();
    let mut values = Diag::<f32>::zeros(n);
    let mut vectors = Mat::<f32>::zeros(n, n);
    let scratch = self_adjoint_evd_scratch::<f32>(n, ComputeEigenvectors::Yes, pieces(), default());
    self_adjoint_evd(
        symmetric.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        pieces(),
        MemStack::new(&mut MemBuffer::new(scratch)),
        default(),
    )
    .map_err(|_| Error::Data { what: "the eigenvalues of a kernel could not be found".into() })?;
    // Found in ascending order.
    let values = values.column_vector().iter().rev().copied().collect();
    Ok((values, vectors.as_ref().reverse_cols().to_owned()))
}

/// The `most` largest eigenvalues with their vectors, by subspace iteration.
fn leading(symmetric: &Mat<f32>, most: usize) -> Result<(Vec<f32>, Mat<f32>)> {
    let n = symmetric.nrows();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut basis = Mat::from_fn(n, most + SPARE, |_, _| random.random::<f32>() - 0.5);
    for _ in 0..ROUNDS {
        basis = orthonormal(&product(symmetric.as_ref(), basis.as_ref()));
    }
    let image = product(symmetric.as_ref(), basis.as_ref());
    let small = product(basis.transpose(), image.as_ref());
    let (values, turn) = whole(&small)?;
    Ok((values, product(basis.as_ref(), turn.as_ref())))
}

/// Takes the rest of the constant vector, which rounding leaves in vectors of small eigenvalues,
/// out of every column.
fn orthogonal_to_ones(vectors: MatRef<'_, f32>) -> Mat<f32> {
    let mut vectors = vectors.to_owned();
    let rows = vectors.nrows();
    for column in 0..vectors.ncols() {
        let sum = (0..rows).map(|row| f64::from(vectors[(row, column)])).sum::<f64>();
        let mean = (sum / rows as f64) as f32;
        (0..rows).for_each(|row| vectors[(row, column)] -= mean);
    }
    vectors
}

/// An orthonormal basis of the columns.
fn orthonormal(columns: &Mat<f32>) -> Mat<f32> {
    columns.qr().compute_thin_Q()
}

/// The product of two matrices.
pub(super) fn product(a: MatRef<'_, f32>, b: MatRef<'_, f32>) -> Mat<f32> {
    let mut to = Mat::zeros(a.nrows(), b.ncols());
    if a.ncols() > 0 {
        matmul(to.as_mut(), Accum::Replace, a, b, 1.0, pieces());
    }
    to
}

pub(super) fn pieces() -> Par {
    Par::rayon(PIECES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel of points on a curve, whose spectrum falls quickly.
    fn gram(n: usize) -> Matrix {
        let mut gram = Matrix::zeros(n, n);
        for row in 0..n {
            for (column, value) in gram.row_mut(row).iter_mut().enumerate() {
                let far = (row as f32 - column as f32) / n as f32;
                *value = (-8.0 * far * far).exp();
            }
        }
        gram
    }

    #[test]
    fn two_items_by_hand() {
        // Centred: [[1, -1], [-1, 1]] / 2 * (1 - 0.5), one eigenvalue 0.5.
        let gram = Matrix::new(2, 2, vec![1.0, 0.5, 0.5, 1.0]).unwrap();
        let spectrum = Spectrum::of(&gram, 9).unwrap();
        assert_eq!(spectrum.rank(), 1);
        assert!((spectrum.values()[0] - 0.5).abs() < 1e-6);
        assert!((spectrum.diagonal() - 1.0).abs() < 1e-9);
        // A third item with kernel values (1, 0.5) is the first: U'k of the first is s u.
        let here = spectrum.coordinates(&Matrix::new(1, 2, vec![1.0, 0.5]).unwrap()).unwrap();
        let expected = 0.5 * spectrum.vectors()[(0, 0)];
        assert!((here[(0, 0)] - expected).abs() < 1e-6);
    }

    #[test]
    fn training_items_have_the_coordinates_of_their_vectors() {
        let gram = gram(40);
        let spectrum = Spectrum::of(&gram, 10).unwrap();
        let coordinates = spectrum.coordinates(&gram).unwrap();
        for item in 0..40 {
            for k in 0..spectrum.rank() {
                let expected = spectrum.values()[k] * spectrum.vectors()[(item, k)];
                assert!((coordinates[(item, k)] - expected).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn the_leading_part_is_that_of_the_whole() {
        let (centred, _) = centre(&gram(200));
        let (all, _) = whole(&centred).unwrap();
        let (some, vectors) = leading(&centred, 8).unwrap();
        for k in 0..8 {
            assert!((all[k] - some[k]).abs() < 1e-4 * all[0], "{} {}", all[k], some[k]);
            let length: f32 = (0..200).map(|row| vectors[(row, k)].powi(2)).sum();
            assert!((length - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn what_is_no_gram_matrix_is_refused() {
        assert!(Spectrum::of(&Matrix::zeros(2, 3), 5).is_err());
        assert!(Spectrum::of(&Matrix::zeros(1, 1), 5).is_err());
        assert!(Spectrum::of(&Matrix::zeros(3, 3), 5).unwrap_err().to_string().contains("same"));
        let mut broken = gram(4);
        broken.row_mut(2)[1] = f32::NAN;
        assert!(matches!(Spectrum::of(&broken, 5), Err(Error::NotFinite { row: 2, column: 1 })));
        let spectrum = Spectrum::of(&gram(4), 5).unwrap();
        assert!(spectrum.coordinates(&Matrix::zeros(1, 5)).is_err());
    }
}
