//! `cca`: regularised linear canonical correlation analysis.
//!
//! It is the KCCA of Hodosh, Young and Hockenmaier (2013), section 3.2, with linear kernels. With
//! K_X = X X' and w = X' alpha, equation 3 becomes: find w_x, w_y that maximise
//!
//! ```text
//! w_x' X'Y w_y / sqrt((w_x'(X'X + kappa I) w_x) (w_y'(Y'Y + kappa I) w_y))
//! ```
//!
//! which is solved by whitening both sides with Cholesky factors and a singular value
//! decomposition of the whitened cross-covariance; its singular values are the regularised
//! correlations. The affinity is the cosine in the induced space (equation 4).
//!
//! Three things are ours: both sides are centred and their columns kept in their own units; kappa
//! is given in units of a side's mean variance, so that it means the same for any extractor; and
//! directions may be weighted by a power of their correlation before the cosine ([`Params::power`],
//! 0 gives equation 4 as printed).

use std::path::Path;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par, Side};
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bag_of_words::words;
use crate::folder::{Manifest, Reader, Writer};
use crate::{BagOfWords, DualEncoder, Error, Result, Training, Vocabulary};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "cca";
const VERSION: u32 = 1;

/// The settings of [`Cca`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// How many dimensions the common space has; fewer if the data give no more.
    pub dimensions: usize,
    /// Ridge on the image side, in units of the mean variance of an image feature.
    pub kappa_image: f64,
    /// Ridge on the text side, in units of the mean variance of a word.
    pub kappa_text: f64,
    /// The power of its correlation by which each direction is weighted.
    pub power: f64,
    /// A word must appear in the texts of at least so many pictures.
    pub min_count: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { dimensions: 128, kappa_image: 1.0, kappa_text: 0.3, power: 2.0, min_count: 3 }
    }
}

impl Params {
    /// Checks every setting.
    ///
    /// # Errors
    /// Naming the first setting that makes no sense.
    pub fn check(&self) -> Result<()> {
        let bad = |field, what: &str| Err(Error::Setting { field, what: what.into() });
        if self.dimensions == 0 {
            return bad("dimensions", "must be at least 1");
        }
        for (field, value) in [("kappa_image", self.kappa_image), ("kappa_text", self.kappa_text)] {
            if !(value.is_finite() && value > 0.0) {
                return bad(field, "must be above 0");
            }
        }
        if !(self.power.is_finite() && self.power >= 0.0) {
            return bad("power", "must be 0 or more");
        }
        if self.min_count == 0 {
            return bad("min_count", "must be at least 1");
        }
        Ok(())
    }
}

/// A fitted canonical correlation analysis between image features and words.
#[derive(Debug, Clone, PartialEq)]
pub struct Cca {
    extractor: String,
    params: Params,
    bag: BagOfWords,
    image: Projection,
    text: Projection,
    /// The regularised correlation of each dimension, one row.
    correlations: Matrix,
    trained_on: (usize, usize),
}

/// From the features of one side to the common space.
#[derive(Debug, Clone, PartialEq)]
struct Projection {
    /// One row of feature means.
    mean: Matrix,
    /// A row a feature, a column a dimension; directions are weighted already.
    weights: Matrix,
}

impl Cca {
    /// Fits the two projections.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(data: &Training<'_>, params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        data.check()?;
        progress.begin("fitting cca", Some(4));
        let documents: Vec<Vec<String>> = data
            .texts
            .iter()
            .map(|texts| texts.iter().flat_map(|text| words(text)).collect())
            .collect();
        let vocabulary = Vocabulary::new(documents.iter().map(Vec::as_slice), params.min_count);
        if vocabulary.is_empty() {
            let what = format!("no word appears in the texts of {} pictures", params.min_count);
            return Err(Error::Data { what });
        }
        let bag = BagOfWords::new(vocabulary);
        let mut y = Mat::<f64>::zeros(documents.len(), bag.vocabulary().len());
        for (row, document) in documents.iter().enumerate() {
            for (column, weight) in bag.encode(document) {
                y[(row, column)] = weight;
            }
        }
        let x = Mat::from_fn(data.features.rows(), data.features.columns(), |row, column| {
            f64::from(data.features.row(row)[column])
        });
        step(progress)?;
        let solution = solve(x, y, params, progress)?;
        let weighted = |weights: &Mat<f64>| {
            to_matrix(weights.nrows(), weights.ncols(), |row, column| {
                weights[(row, column)] * solution.correlations[column].powf(params.power / 2.0)
            })
        };
        Ok(Self {
            extractor: data.extractor.to_owned(),
            params: params.clone(),
            bag,
            image: Projection {
                mean: to_matrix(1, solution.x_mean.len(), |_, k| solution.x_mean[k]),
                weights: weighted(&solution.x_weights),
            },
            text: Projection {
                mean: to_matrix(1, solution.y_mean.len(), |_, k| solution.y_mean[k]),
                weights: weighted(&solution.y_weights),
            },
            correlations: to_matrix(1, solution.correlations.len(), |_, k| {
                solution.correlations[k]
            }),
            trained_on: (data.texts.len(), data.texts.iter().map(Vec::len).sum()),
        })
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The words it knows.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.bag.vocabulary()
    }

    /// The regularised correlation of each dimension, largest first.
    pub fn correlations(&self) -> &[f32] {
        self.correlations.values()
    }

    /// Writes the model into a folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let (pictures, texts) = self.trained_on;
        let mut training = serde_json::Map::new();
        training.insert("pictures".into(), pictures.into());
        training.insert("texts".into(), texts.into());
        let manifest = Manifest {
            kind: KIND.into(),
            version: VERSION,
            extractor: self.extractor.clone(),
            training,
            settings: json!(self.params),
            files: serde_json::Map::new(),
        };
        let mut writer = Writer::new(folder, manifest)?;
        writer.tensors(&[
            ("correlations", &self.correlations),
            ("image.mean", &self.image.mean),
            ("image.weights", &self.image.weights),
            ("text.mean", &self.text.mean),
            ("text.weights", &self.text.weights),
        ])?;
        writer.vocabulary(&self.bag.vocabulary().to_text())?;
        writer.finish()
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let reader = Reader::open(folder, KIND, VERSION)?;
        let params: Params = serde_json::from_value(reader.manifest.settings.clone())
            .map_err(|error| Error::damaged(folder, format!("settings: {error}")))?;
        params.check()?;
        let (text, path) = reader.vocabulary()?;
        let bag = BagOfWords::new(Vocabulary::from_text(&text, &path)?);
        let correlations = reader.tensor("correlations", [Some(1), None])?;
        let dimensions = Some(correlations.columns());
        let mean = reader.tensor("image.mean", [Some(1), None])?;
        let weights = reader.tensor("image.weights", [Some(mean.columns()), dimensions])?;
        let image = Projection { mean, weights };
        let words = Some(bag.vocabulary().len());
        let text = Projection {
            mean: reader.tensor("text.mean", [Some(1), words])?,
            weights: reader.tensor("text.weights", [words, dimensions])?,
        };
        let count = |field: &str| {
            let value = reader.manifest.training.get(field);
            value.and_then(serde_json::Value::as_u64).unwrap_or(0) as usize
        };
        let trained_on = (count("pictures"), count("texts"));
        let extractor = reader.manifest.extractor;
        Ok(Self { extractor, params, bag, image, text, correlations, trained_on })
    }
}

impl DualEncoder for Cca {
    fn extractor(&self) -> &str {
        &self.extractor
    }

    fn dimensions(&self) -> usize {
        self.correlations.columns()
    }

    fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
        let expected = self.image.mean.columns();
        if features.columns() != expected {
            return Err(Error::Shape { expected, found: features.columns() });
        }
        let mut centred = features.clone();
        let mean = self.image.mean.row(0);
        for row in 0..centred.rows() {
            for (value, mean) in centred.row_mut(row).iter_mut().zip(mean) {
                *value -= mean;
            }
        }
        let mut vectors = product(&centred, &self.image.weights);
        normalise(&mut vectors);
        Ok(vectors)
    }

    /// A text without a known word becomes a vector of zeros: equally far from every picture.
    fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
        let mut vectors = Matrix::zeros(texts.len(), self.dimensions());
        let origin = product(&self.text.mean, &self.text.weights);
        for (row, text) in texts.iter().enumerate() {
            let bag = self.bag.encode(&words(text));
            if bag.is_empty() {
                continue;
            }
            let mut sums: Vec<f64> = origin.row(0).iter().map(|&v| -f64::from(v)).collect();
            for (word, weight) in bag {
                for (sum, &value) in sums.iter_mut().zip(self.text.weights.row(word)) {
                    *sum += weight * f64::from(value);
                }
            }
            for (value, sum) in vectors.row_mut(row).iter_mut().zip(sums) {
                *value = sum as f32;
            }
        }
        normalise(&mut vectors);
        Ok(vectors)
    }
}

/// What [`solve`] finds.
struct Solution {
    x_mean: Vec<f64>,
    y_mean: Vec<f64>,
    /// A row a feature, a column a dimension.
    x_weights: Mat<f64>,
    y_weights: Mat<f64>,
    correlations: Vec<f64>,
}

/// Solves equation 3 for centred linear kernels; rows of `x` and `y` belong together.
fn solve(
    mut x: Mat<f64>,
    mut y: Mat<f64>,
    params: &Params,
    progress: &dyn Progress,
) -> Result<Solution> {
    let (x_mean, y_mean) = (centre(&mut x), centre(&mut y));
    let c_xx = ridge(covariance(&x, &x), params.kappa_image);
    let c_yy = ridge(covariance(&y, &y), params.kappa_text);
    let mut whitened = covariance(&x, &y);
    step(progress)?;
    let factor = |side: &str, c: &Mat<f64>| {
        c.llt(Side::Lower).map_err(|_| Error::Data {
            what: format!("the {side} features have no variance; raise kappa_{side}"),
        })
    };
    let (l_x, l_y) = (factor("image", &c_xx)?, factor("text", &c_yy)?);
    // L_x^-1 C_xy L_y^-T
    l_x.L().solve_lower_triangular_in_place(whitened.as_mut());
    l_y.L().solve_lower_triangular_in_place(whitened.as_mut().transpose_mut());
    step(progress)?;
    let svd = whitened.thin_svd().map_err(|_| Error::Data {
        what: "the singular values could not be found; raise kappa_image or kappa_text".into(),
    })?;
    let found = svd.S().dim();
    let kept = params.dimensions.min(found);
    let correlations: Vec<f64> = (0..kept).map(|k| svd.S()[k].clamp(0.0, 1.0)).collect();
    let mut x_weights = svd.U().subcols(0, kept).to_owned();
    let mut y_weights = svd.V().subcols(0, kept).to_owned();
    l_x.L().transpose().solve_upper_triangular_in_place(x_weights.as_mut());
    l_y.L().transpose().solve_upper_triangular_in_place(y_weights.as_mut());
    settle_signs(&mut x_weights, &mut y_weights);
    step(progress)?;
    Ok(Solution { x_mean, y_mean, x_weights, y_weights, correlations })
}

fn step(progress: &dyn Progress) -> Result<()> {
    progress.advance(1);
    if progress.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
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

fn to_matrix(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
    let mut matrix = Matrix::zeros(rows, columns);
    for row in 0..rows {
        for (column, to) in matrix.row_mut(row).iter_mut().enumerate() {
            *to = value(row, column) as f32;
        }
    }
    matrix
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut to = Matrix::zeros(a.rows(), b.columns());
    if a.rows() == 0 {
        return to;
    }
    matmul(
        faer::MatMut::from_row_major_slice_mut(to.values_mut(), a.rows(), b.columns()),
        Accum::Replace,
        MatRef::from_row_major_slice(a.values(), a.rows(), a.columns()),
        MatRef::from_row_major_slice(b.values(), b.rows(), b.columns()),
        1.0,
        Par::rayon(0),
    );
    to
}

/// Makes every row a vector of length 1; zeros stay.
fn normalise(vectors: &mut Matrix) {
    for row in 0..vectors.rows() {
        let row = vectors.row_mut(row);
        let length = row.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
    }
}
