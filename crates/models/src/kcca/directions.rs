//! The directions of equation 3 in the eigenbases of both kernels.
//!
//! With K_X = U S U' and a = (S^2 + kappa S)^(1/2) U' alpha, and the same for K_Y = V T V' and b,
//! equation 3 of Hodosh, Young and Hockenmaier (2013) becomes: maximise
//!
//! ```text
//! a' M b / sqrt(a'a b'b),   M = (S / (S + kappa))^(1/2) U'V (T / (T + kappa))^(1/2)
//! ```
//!
//! whose solutions are the singular vectors of M; the singular values are the regularised
//! correlations. U'V is computed once; a setting costs one singular value decomposition, and any
//! number of dimensions n is the first n of its directions.
//!
//! Equation 3 leaves the length of a direction free, and the cosine of equation 4 depends on it. Here
//! a direction is as long as its correlation, so that those in which both sides agree count for more;
//! of directions of one length (a'a = 1, or the same variance over the training items) the many that
//! agree little drown the few. On 1,000 pictures held out of Flickr8k's training part the best
//! TRI5SEM by R@10 went from 27.1 / 25.9 to 28.5 / 28.3, and the median rank from 48 / 46 to 42.5 / 42
//! (a trial by a script; `docs/ranking-task.md` has what the command gives).
//!
//! Section 4.1.3 regularises the text kernel further, by multiplying its diagonal by d. For a
//! normalised kernel that adds d - 1 to every eigenvalue and leaves the vectors as they are
//! (centred or not), so that d costs no decomposition of its own either.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::matmul::matmul;
use faer::linalg::svd::{ComputeSvdVectors, svd, svd_scratch};
use faer::prelude::default;
use faer::{Accum, Mat, MatRef};
use rebus_collection::Matrix;

use super::Spectrum;
use super::spectrum::{pieces, product};
use crate::{Error, Result};

/// How strongly both sides are held back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ridge {
    /// kappa of equation 3, on both sides.
    pub kappa: f64,
    /// The factor d by which the diagonal of the text kernel is multiplied; 1 leaves it.
    pub diagonal: f64,
}

/// The spectra of the two kernels of the same training items, ready for any [`Ridge`].
#[derive(Debug, Clone)]
pub struct Pairing<'a> {
    image: &'a Spectrum,
    text: &'a Spectrum,
    /// U'V.
    cross: Mat<f32>,
}

/// Directions in which both sides agree most, the most correlated first.
#[derive(Debug, Clone)]
pub struct Directions {
    /// From coordinates in the image kernel's eigenbasis to the common space.
    pub image: Mat<f32>,
    /// From coordinates in the text kernel's eigenbasis to the common space.
    pub text: Mat<f32>,
    /// The regularised correlation of each direction, largest first.
    pub correlations: Vec<f32>,
}

impl<'a> Pairing<'a> {
    /// Brings two spectra together.
    ///
    /// # Errors
    /// If they are about different numbers of items.
    pub fn new(image: &'a Spectrum, text: &'a Spectrum) -> Result<Self> {
        let (images, texts) = (image.items(), text.items());
        if images != texts {
            let what = format!("a kernel of {images} pictures and one of the texts of {texts}");
            return Err(Error::Data { what });
        }
        let cross = product(image.vectors().transpose(), text.vectors());
        Ok(Self { image, text, cross })
    }

    /// The image side.
    pub fn image(&self) -> &'a Spectrum {
        self.image
    }

    /// The text side.
    pub fn text(&self) -> &'a Spectrum {
        self.text
    }

    /// The directions under a ridge: as many as the smaller side has eigenvalues.
    ///
    /// # Errors
    /// If the ridge makes no sense, or the decomposition does not converge.
    pub fn directions(&self, ridge: Ridge) -> Result<Directions> {
        ridge.check()?;
        let shift = (ridge.diagonal - 1.0) * self.text.diagonal();
        let image = Weights::new(self.image.values(), ridge.kappa, 0.0);
        let text = Weights::new(self.text.values(), ridge.kappa, shift);
        let m = Mat::from_fn(self.cross.nrows(), self.cross.ncols(), |row, column| {
            image.shrink[row] * self.cross[(row, column)] * text.shrink[column]
        });
        let (a, correlations, b) = thin_svd(m.as_ref())?;
        let mut directions = Directions {
            image: image.apply(a, &correlations),
            text: text.apply(b, &correlations),
            correlations,
        };
        directions.settle_signs();
        Ok(directions)
    }
}

impl Ridge {
    /// Checks both settings.
    ///
    /// # Errors
    /// Naming the one that makes no sense.
    pub fn check(&self) -> Result<()> {
        let bad = |field, what: &str| Err(Error::Setting { field, what: what.into() });
        if !(self.kappa.is_finite() && self.kappa > 0.0) {
            return bad("kappa", "must be above 0");
        }
        if !(self.diagonal.is_finite() && self.diagonal >= 1.0) {
            return bad("diagonal", "must be 1 or more");
        }
        Ok(())
    }
}

/// What a ridge makes of one side's eigenvalues s.
struct Weights {
    /// (s / (s + kappa))^(1/2)
    shrink: Vec<f32>,
    /// (s^2 + kappa s)^(-1/2)
    whiten: Vec<f32>,
}

impl Weights {
    fn new(values: &[f32], kappa: f64, shift: f64) -> Self {
        let each = |of: fn(f64, f64) -> f64| {
            values.iter().map(|&s| of(f64::from(s) + shift, kappa) as f32).collect()
        };
        Self {
            shrink: each(|s, kappa| (s / (s + kappa)).sqrt()),
            whiten: each(|s, kappa| 1.0 / (s * (s + kappa)).sqrt()),
        }
    }

    fn apply(&self, mut vectors: Mat<f32>, correlations: &[f32]) -> Mat<f32> {
        for (column, correlation) in correlations.iter().enumerate() {
            for (row, &weight) in self.whiten.iter().enumerate() {
                vectors[(row, column)] *= weight * correlation;
            }
        }
        vectors
    }
}

impl Directions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.correlations.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.correlations.is_empty()
    }

    /// Both sides of a direction may be turned around; the largest image weight is made positive.
    fn settle_signs(&mut self) {
        for column in 0..self.image.ncols() {
            let largest = (0..self.image.nrows())
                .map(|row| self.image[(row, column)])
                .fold(0f32, |a, b| if b.abs() > a.abs() { b } else { a });
            if largest < 0.0 {
                for side in [&mut self.image, &mut self.text] {
                    (0..side.nrows()).for_each(|row| side[(row, column)] *= -1.0);
                }
            }
        }
    }
}

/// The affinity of equation 4 for a growing number of dimensions: cosines in the common space of
/// the first n directions, for one n after the other at the price of the last.
pub struct Growing {
    image: Mat<f32>,
    text: Mat<f32>,
    /// How many dimensions are in the sums so far.
    dimensions: usize,
    products: Mat<f32>,
    image_squares: Vec<f64>,
    text_squares: Vec<f64>,
}

impl Growing {
    /// Items in the eigenbases ([`Spectrum::coordinates`]) of both sides.
    pub fn new(directions: &Directions, image: MatRef<'_, f32>, text: MatRef<'_, f32>) -> Self {
        let image = product(image, directions.image.as_ref());
        let text = product(text, directions.text.as_ref());
        Self {
            dimensions: 0,
            products: Mat::zeros(image.nrows(), text.nrows()),
            image_squares: vec![0.0; image.nrows()],
            text_squares: vec![0.0; text.nrows()],
            image,
            text,
        }
    }

    /// The cosines over the first `dimensions` directions, or all if there are fewer: a row an
    /// image, a column a text. Must not be asked for fewer than the time before.
    pub fn cosines(&mut self, dimensions: usize) -> Matrix {
        let (from, to) = (self.dimensions, dimensions.min(self.image.ncols()));
        if to > from {
            let image = self.image.subcols(from, to - from);
            let text = self.text.subcols(from, to - from);
            add_squares(image, &mut self.image_squares);
            add_squares(text, &mut self.text_squares);
            matmul(self.products.as_mut(), Accum::Add, image, text.transpose(), 1.0, pieces());
            self.dimensions = to;
        }
        let inverse = |squares: &[f64]| -> Vec<f32> {
            let length = |&square: &f64| if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
            squares.iter().map(|square| length(square) as f32).collect()
        };
        let (rows, columns) = (inverse(&self.image_squares), inverse(&self.text_squares));
        let mut cosines = Matrix::zeros(rows.len(), columns.len());
        for (row, &length) in rows.iter().enumerate() {
            for (column, to) in cosines.row_mut(row).iter_mut().enumerate() {
                *to = self.products[(row, column)] * length * columns[column];
            }
        }
        cosines
    }
}

fn add_squares(vectors: MatRef<'_, f32>, squares: &mut [f64]) {
    for column in 0..vectors.ncols() {
        for (row, square) in squares.iter_mut().enumerate() {
            *square += f64::from(vectors[(row, column)]).powi(2);
        }
    }
}

fn thin_svd(m: MatRef<'_, f32>) -> Result<(Mat<f32>, Vec<f32>, Mat<f32>)> {
    let (rows, columns) = m.shape();
    let count = rows.min(columns);
    let mut left = Mat::zeros(rows, count);
    let mut right = Mat::zeros(columns, count);
    let mut values = Diag::<f32>::zeros(count);
    let thin = ComputeSvdVectors::Thin;
    let scratch = svd_scratch::<f32>(rows, columns, thin, thin, pieces(), default());
    svd(
        m,
        values.as_mut(),
        Some(left.as_mut()),
        Some(right.as_mut()),
        pieces(),
        MemStack::new(&mut MemBuffer::new(scratch)),
        default(),
    )
    .map_err(|_| Error::Data { what: "the correlations could not be found; raise kappa".into() })?;
    let values = values.column_vector().iter().map(|value| value.clamp(0.0, 1.0)).collect();
    Ok((left, values, right))
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::*;
    use crate::Canonical;

    fn features(rows: usize, columns: usize, salt: f64) -> Mat<f64> {
        Mat::from_fn(rows, columns, |row, column| {
            let at = (row * columns + column) as f64;
            (at * 12.9898 + salt).sin() + (row as f64 * 0.7 + column as f64).cos()
        })
    }

    fn gram(x: &Mat<f64>) -> Matrix {
        let mut gram = Matrix::zeros(x.nrows(), x.nrows());
        for a in 0..x.nrows() {
            for b in 0..x.nrows() {
                let dot: f64 = (0..x.ncols()).map(|k| x[(a, k)] * x[(b, k)]).sum();
                gram.row_mut(a)[b] = dot as f32;
            }
        }
        gram
    }

    /// With linear kernels the correlations are those of the linear analysis, which is checked
    /// against scipy. There a ridge is in units of the mean variance of a column.
    #[test]
    fn linear_kernels_give_linear_cca() {
        let (x, y) = (features(50, 4, 0.3), features(50, 3, 1.9));
        let kappa = 3.0;
        let unit = |x: &Mat<f64>| {
            let variance = |column: usize| {
                let mean = (0..50).map(|row| x[(row, column)]).sum::<f64>() / 50.0;
                (0..50).map(|row| (x[(row, column)] - mean).powi(2)).sum::<f64>()
            };
            (0..x.ncols()).map(variance).sum::<f64>() / x.ncols() as f64
        };
        let ridges = [kappa / unit(&x), kappa / unit(&y)];
        let linear = Canonical::new(x.clone(), y.clone(), 9, ridges).unwrap();
        let (image, text) =
            (Spectrum::of(&gram(&x), 50).unwrap(), Spectrum::of(&gram(&y), 50).unwrap());
        let pairing = Pairing::new(&image, &text).unwrap();
        assert_eq!((pairing.image().rank(), pairing.text().rank()), (4, 3));
        let directions = pairing.directions(Ridge { kappa, diagonal: 1.0 }).unwrap();
        assert_eq!(directions.len(), 3);
        for (ours, linear) in directions.correlations.iter().zip(&linear.correlations) {
            assert!((f64::from(*ours) - linear).abs() < 1e-4, "{ours} {linear}");
        }
    }

    /// Two items, normalised kernels, by hand: one eigenvalue each, s = 1 - k; M is
    /// sqrt(s / (s + kappa)) sqrt(t / (t + kappa)).
    #[test]
    fn two_items_by_hand() {
        let kernel = |k: f32| Matrix::new(2, 2, vec![1.0, k, k, 1.0]).unwrap();
        let (image, text) =
            (Spectrum::of(&kernel(0.5), 2).unwrap(), Spectrum::of(&kernel(0.2), 2).unwrap());
        let pairing = Pairing::new(&image, &text).unwrap();
        let correlation = |kappa, diagonal| {
            let directions = pairing.directions(Ridge { kappa, diagonal }).unwrap();
            f64::from(directions.correlations[0])
        };
        assert!((correlation(0.5, 1.0) - (0.5f64 * 0.8 / 1.3).sqrt()).abs() < 1e-5);
        // d = 3 adds 2 to the text's eigenvalue.
        assert!((correlation(0.5, 3.0) - (0.5f64 * 2.8 / 3.3).sqrt()).abs() < 1e-5);
    }

    #[test]
    fn growing_gives_the_cosines_of_each_number_of_dimensions() {
        let (x, y) = (features(30, 5, 0.3), features(30, 4, 1.9));
        let (image, text) = (gram(&x), gram(&y));
        let (images, texts) = (Spectrum::of(&image, 30).unwrap(), Spectrum::of(&text, 30).unwrap());
        let pairing = Pairing::new(&images, &texts).unwrap();
        let directions = pairing.directions(Ridge { kappa: 1.0, diagonal: 1.0 }).unwrap();
        let image = pairing.image().coordinates(&image).unwrap();
        let text = pairing.text().coordinates(&text).unwrap();
        let mut growing = Growing::new(&directions, image.as_ref(), text.as_ref());
        let (a, b) = (
            product(image.as_ref(), directions.image.as_ref()),
            product(text.as_ref(), directions.text.as_ref()),
        );
        for n in [1, 2, 4, 9] {
            let cosines = growing.cosines(n);
            let dot = |x: &Mat<f32>, i: usize, y: &Mat<f32>, j: usize| -> f32 {
                (0..n.min(4)).map(|k| x[(i, k)] * y[(j, k)]).sum()
            };
            for (i, j) in [(0, 0), (3, 17), (29, 2)] {
                let expected =
                    dot(&a, i, &b, j) / (dot(&a, i, &a, i).sqrt() * dot(&b, j, &b, j).sqrt());
                assert!((cosines.row(i)[j] - expected).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn wrong_settings_are_named() {
        let spectrum = |n| Spectrum::of(&gram(&features(n, 2, 0.1)), 2).unwrap();
        let (five, six) = (spectrum(5), spectrum(6));
        assert!(Pairing::new(&five, &six).is_err());
        let pairing = Pairing::new(&five, &five).unwrap();
        for (kappa, diagonal, field) in
            [(0.0, 1.0, "kappa"), (f64::NAN, 1.0, "kappa"), (1.0, 0.5, "diagonal")]
        {
            let error = pairing.directions(Ridge { kappa, diagonal }).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
