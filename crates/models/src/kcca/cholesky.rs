//! Incomplete Cholesky decomposition: a kernel over more items than a Gram matrix fits for.
//!
//! K is approximated by G G' with m columns, where m items, the landmarks, are chosen one after
//! the other, each time the one whose own kernel value is explained least so far (the partial
//! Gram-Schmidt orthogonalisation of Hardoon et al. 2004; Bach and Jordan 2002). Only the
//! landmarks' columns of K are ever computed, so that memory grows with n m; and a new item needs
//! its kernel with the landmarks only. It equals the Nystroem approximation
//! K_nm K_mm^-1 K_mn on the same landmarks.

use faer::Mat;
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use rayon::prelude::*;

use super::Spectrum;
use super::spectrum::{kept, pieces, product, whole};
use crate::{Error, Result};

/// No further landmark is taken once the most badly explained item misses less than this share of
/// the largest kernel value.
const TOLERANCE: f64 = 1e-5;

/// K, approximately, by some of its columns.
#[derive(Debug, Clone)]
pub struct Landmarks {
    /// The chosen items, in the order of their choice.
    items: Vec<usize>,
    /// G: a row an item, a column a landmark.
    factor: Vec<Vec<f32>>,
    diagonal: f64,
}

impl Landmarks {
    /// Chooses at most `most` landmarks among `candidates`. `diagonal` holds each item's kernel with
    /// itself; `column` gives the kernel of all items with the candidate at a place among them.
    ///
    /// # Errors
    /// If a kernel value is not finite, a column has the wrong length, or `column` fails.
    pub fn choose(
        diagonal: &[f32],
        candidates: &[usize],
        most: usize,
        mut column: impl FnMut(usize) -> Result<Vec<f32>>,
    ) -> Result<Self> {
        let n = diagonal.len();
        if n < 2 {
            return Err(Error::Data { what: format!("{n} pictures; at least two are needed") });
        }
        if let Some(at) = diagonal.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite { row: at, column: at });
        }
        let mut left: Vec<f64> = diagonal.iter().map(|&value| f64::from(value)).collect();
        let trace = left.iter().sum::<f64>();
        let largest = left.iter().copied().fold(0.0, f64::max);
        let mut items: Vec<usize> = Vec::new();
        let mut factor: Vec<Vec<f32>> = (0..n).map(|_| Vec::with_capacity(most.min(n))).collect();
        while items.len() < most.min(n) {
            // Of equals the first: the choice does not depend on the number of threads.
            let (place, pivot, miss) = candidates
                .iter()
                .enumerate()
                .filter_map(|(place, &at)| Some((place, at, *left.get(at)?)))
                .fold((0, 0, 0.0), |best, next| if next.2 > best.2 { next } else { best });
            if miss <= TOLERANCE * largest || miss <= 0.0 {
                break;
            }
            let values = column(place)?;
            if values.len() != n {
                return Err(Error::Shape { expected: n, found: values.len() });
            }
            if let Some(row) = values.iter().position(|value| !value.is_finite()) {
                return Err(Error::NotFinite { row, column: pivot });
            }
            let own = factor[pivot].clone();
            let root = miss.sqrt();
            factor.par_iter_mut().zip(&mut left).zip(&values).for_each(|((row, left), &value)| {
                let known: f64 = row.iter().zip(&own).map(|(a, b)| f64::from(a * b)).sum();
                let next = (f64::from(value) - known) / root;
                row.push(next as f32);
                *left = (*left - next * next).max(0.0);
            });
            // A landmark explains itself, and the landmarks before it have nothing left.
            for &landmark in &items {
                if let Some(last) = factor[landmark].last_mut() {
                    *last = 0.0;
                }
            }
            if let Some(last) = factor[pivot].last_mut() {
                *last = root as f32;
            }
            left[pivot] = 0.0;
            items.push(pivot);
        }
        if items.is_empty() {
            return Err(Error::Data { what: "a kernel is zero for all training items".into() });
        }
        Ok(Self { items, factor, diagonal: trace / n as f64 })
    }

    /// The landmarks, in the order of their choice.
    pub fn items(&self) -> &[usize] {
        &self.items
    }

    /// The spectrum of the approximated kernel, centred. Its coordinates are taken from kernel
    /// values with the landmarks, in their order.
    ///
    /// # Errors
    /// If the kernel has no variance.
    pub fn spectrum(&self, most: usize) -> Result<Spectrum> {
        let (n, m) = (self.factor.len(), self.items.len());
        let mean: Vec<f64> = (0..m)
            .map(|k| self.factor.iter().map(|row| f64::from(row[k])).sum::<f64>() / n as f64)
            .collect();
        let centred =
            Mat::from_fn(n, m, |row, k| (f64::from(self.factor[row][k]) - mean[k]) as f32);
        let small = product(centred.transpose(), centred.as_ref());
        let (values, turn) = whole(&small)?;
        let rank = kept(&values, most)?;
        let turn = turn.subcols(0, rank);
        let roots: Vec<f32> = values[..rank].iter().map(|value| value.sqrt()).collect();
        let mut vectors = product(centred.as_ref(), turn);
        for (column, root) in roots.iter().enumerate() {
            (0..n).for_each(|row| vectors[(row, column)] /= root);
        }
        // k -> L^-1 k -> V'(. - mean) -> times the root of s, as one map: L^-T V S^(1/2).
        let lower = Mat::from_fn(m, m, |row, column| {
            f64::from(*self.factor[self.items[row]].get(column).unwrap_or(&0.0))
        });
        let offset = (0..m)
            .map(|row| (0..=row).map(|k| lower[(row, k)] * mean[k]).sum::<f64>() as f32)
            .collect();
        let mut map =
            Mat::from_fn(m, rank, |row, k| f64::from(turn[(row, k)]) * f64::from(roots[k]));
        solve_upper_triangular_in_place(lower.transpose(), map.as_mut(), pieces());
        let map = Mat::from_fn(m, rank, |row, k| map[(row, k)] as f32);
        Ok(Spectrum::mapped(values[..rank].to_vec(), vectors, offset, map, self.diagonal))
    }
}

#[cfg(test)]
mod tests {
    use rebus_collection::Matrix;

    use super::*;

    fn gram(n: usize) -> Matrix {
        let mut gram = Matrix::zeros(n, n);
        for row in 0..n {
            for (column, value) in gram.row_mut(row).iter_mut().enumerate() {
                let far = (row as f32 - column as f32) / n as f32;
                *value = (-30.0 * far * far).exp();
            }
        }
        gram
    }

    fn landmarks(gram: &Matrix, most: usize) -> Landmarks {
        let diagonal: Vec<f32> = (0..gram.rows()).map(|k| gram.row(k)[k]).collect();
        let all: Vec<usize> = (0..gram.rows()).collect();
        Landmarks::choose(&diagonal, &all, most, |at| Ok(gram.row(at).to_vec())).unwrap()
    }

    #[test]
    fn enough_landmarks_give_the_kernel_back() {
        let gram = gram(60);
        let some = landmarks(&gram, 40);
        assert!(some.items().len() < 40, "the tolerance ends it");
        for a in 0..60 {
            for b in 0..60 {
                let rows = some.factor[a].iter().zip(&some.factor[b]);
                let approximated: f32 = rows.map(|(a, b)| a * b).sum();
                assert!((approximated - gram.row(a)[b]).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn its_spectrum_is_that_of_the_kernel() {
        let gram = gram(60);
        let exact = Spectrum::of(&gram, 6).unwrap();
        let some = landmarks(&gram, 30);
        let ours = some.spectrum(6).unwrap();
        for k in 0..6 {
            assert!((exact.values()[k] - ours.values()[k]).abs() < 1e-3 * exact.values()[0]);
        }
        // The same coordinates, from the landmarks' kernel values only; signs may differ.
        let mut with_landmarks = Matrix::zeros(60, some.items().len());
        for row in 0..60 {
            for (to, &item) in with_landmarks.row_mut(row).iter_mut().zip(some.items()) {
                *to = gram.row(row)[item];
            }
        }
        let (a, b) =
            (exact.coordinates(&gram).unwrap(), ours.coordinates(&with_landmarks).unwrap());
        for k in 0..3 {
            let sign = (a[(0, k)] * b[(0, k)]).signum();
            for row in 0..60 {
                assert!((a[(row, k)] - sign * b[(row, k)]).abs() < 0.02, "{row} {k}");
            }
        }
    }

    #[test]
    fn bad_kernels_are_refused() {
        assert!(Landmarks::choose(&[1.0], &[0], 1, |_| Ok(vec![1.0])).is_err());
        assert!(Landmarks::choose(&[0.0; 3], &[0, 1, 2], 1, |_| Ok(vec![0.0; 3])).is_err());
        assert!(Landmarks::choose(&[1.0; 3], &[0], 1, |_| Ok(vec![0.0; 2])).is_err());
        let nan = Landmarks::choose(&[1.0; 3], &[0, 7], 1, |_| Ok(vec![1.0, f32::NAN, 0.0]));
        assert!(matches!(nan, Err(Error::NotFinite { row: 1, column: 0 })));
        assert!(Landmarks::choose(&[1.0, f32::INFINITY], &[0], 1, |_| Ok(vec![1.0; 2])).is_err());
    }
}
