//! The image side: features of all parts, kernels to choose among, Gram matrices.

use rayon::prelude::*;
use rebus_collection::{Item, Matrix, Progress};
use rebus_vision::{Cache, Extractor, Kernel, RowKind, features};

use super::data::{Data, Part};
use super::grams::{Grams, Key};
use super::table::ImageKernel;
use crate::Result;

/// Features of all parts.
pub(super) struct Pictures {
    train: Matrix,
    choice: Matrix,
    report: Matrix,
    /// What rows are: HISTO and PY are made for visual words.
    rows: RowKind,
}

/// The Gram matrices of one image kernel.
pub(super) struct ImageGrams {
    pub(super) train: Matrix,
    /// A row a picture that settings are chosen on, a column a training picture.
    pub(super) choice: Matrix,
    /// A row a picture that is reported, a column a training picture.
    pub(super) report: Matrix,
}

/// Values of gamma, in units of one over the mean squared distance of two pictures, for features
/// that are not visual words.
const GAMMAS: [f32; 2] = [0.5, 1.0];

impl Pictures {
    /// Looks at all pictures, or takes what the cache knows. Pictures that cannot be read leave
    /// their part.
    pub(super) fn new(
        data: &mut Data,
        extractor: &dyn Extractor,
        cache: Option<&mut Cache>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut cache = cache;
        let mut look = |part: &mut Part| -> Result<Matrix> {
            let items: Vec<&Item> = part.items.iter().collect();
            let found = features(&items, extractor, cache.as_deref_mut(), progress)?;
            if !found.failed.is_empty() {
                let seen: Vec<usize> = (0..part.len())
                    .filter(|&row| !found.failed.iter().any(|(id, _)| *id == part.items[row].id))
                    .collect();
                *part = part.only(&seen);
            }
            Ok(found.matrix)
        };
        let before = data.train.len();
        let train = look(&mut data.train)?;
        if data.train.len() != before {
            data.hold_out_again();
        }
        let choice = match data.held_out.is_empty() {
            true => look(&mut data.choice)?,
            false => train.only(&data.held_out),
        };
        let report = look(&mut data.report)?;
        let rows = RowKind::of_extractor(extractor.name());
        let side = |matrix: Matrix| match rows {
            RowKind::VisualWords => matrix,
            RowKind::Blobs | RowKind::Regions | RowKind::Vector => unit(matrix),
        };
        Ok(Self { train: side(train), choice: side(choice), report: side(report), rows })
    }

    /// The kernels to choose among for a system: "squared or cubed" for visual words.
    pub(super) fn candidates(&self, image: ImageKernel) -> Vec<Kernel> {
        if self.rows != RowKind::VisualWords {
            let scale = 1.0 / mean_distance(&self.train);
            let rbf = GAMMAS.iter().map(|gamma| Kernel::Rbf { gamma: gamma * scale });
            return std::iter::once(Kernel::Linear).chain(rbf).collect();
        }
        let powers = [2.0, 3.0];
        match image {
            ImageKernel::Histo => powers.map(|p| Kernel::Histo { p }).to_vec(),
            ImageKernel::Pyramid => powers.map(|p| Kernel::Pyramid { p }).to_vec(),
        }
    }

    /// The Gram matrices of a kernel, computed or from disk. `held_out` are the training pictures
    /// that settings are chosen on, if they are training pictures.
    ///
    /// HISTO and PY are kept as they are before they are raised to a power, so that all powers
    /// share them.
    pub(super) fn grams(
        &self,
        kernel: Kernel,
        held_out: &[usize],
        grams: &Grams,
        progress: &dyn Progress,
    ) -> Result<ImageGrams> {
        let (base, power) = match kernel {
            Kernel::Histo { p } => (Kernel::Histo { p: 1.0 }, p),
            Kernel::Pyramid { p } => (Kernel::Pyramid { p: 1.0 }, p),
            other => (other, 1.0),
        };
        progress.begin(&format!("image kernel {kernel}"), Some(3));
        let n = self.train.rows();
        let whole = Key::of("image 1").and(base.to_string().as_bytes()).and_matrix(&self.train);
        let get = |side: &Matrix| {
            let key = whole.clone().and_matrix(side);
            let made =
                grams.get(&key, (side.rows(), n), || Ok(base.between(side, &self.train)?))?;
            progress.advance(1);
            if progress.interrupted() {
                return Err(rebus_collection::Error::Interrupted.into());
            }
            Ok::<Matrix, crate::Error>(raised(made, power))
        };
        let train = get(&self.train)?;
        let choice = match held_out {
            [] => get(&self.choice)?,
            held_out => train.only(held_out),
        };
        Ok(ImageGrams { train, choice, report: get(&self.report)? })
    }
}

/// Every value to a power.
fn raised(mut matrix: Matrix, power: f32) -> Matrix {
    if power != 1.0 {
        matrix.values_mut().par_iter_mut().for_each(|value| *value = value.powf(power));
    }
    matrix
}

/// Some columns of a matrix.
pub(super) fn columns(matrix: &Matrix, which: &[usize]) -> Matrix {
    let mut to = Matrix::zeros(matrix.rows(), which.len());
    for row in 0..matrix.rows() {
        let from = matrix.row(row);
        for (value, &column) in to.row_mut(row).iter_mut().zip(which) {
            *value = from[column];
        }
    }
    to
}

/// Rows of length 1; zeros stay.
fn unit(mut matrix: Matrix) -> Matrix {
    for row in 0..matrix.rows() {
        let row = matrix.row_mut(row);
        let length = row.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
    }
    matrix
}

/// The mean squared distance of two rows: twice the variance.
fn mean_distance(matrix: &Matrix) -> f32 {
    let n = matrix.rows() as f64;
    let mut sums = vec![0f64; matrix.columns()];
    let mut squares = 0f64;
    for row in 0..matrix.rows() {
        for (sum, &value) in sums.iter_mut().zip(matrix.row(row)) {
            *sum += f64::from(value);
            squares += f64::from(value).powi(2);
        }
    }
    let mean = sums.iter().map(|sum| (sum / n).powi(2)).sum::<f64>();
    (2.0 * (squares / n - mean)).max(f64::from(f32::MIN_POSITIVE)) as f32
}
