//! `cca`: regularised linear canonical correlation analysis.
//!
//! It is the KCCA of Hodosh, Young and Hockenmaier (2013), section 3.2, with linear kernels: the
//! image side is the features as they are, the text side a bag of words over all texts of a
//! picture, weighted by the square root of idf. [`Canonical`] solves equation 3; the affinity is
//! the cosine in the induced space (equation 4).
//!
//! One thing is ours: directions may be weighted by a power of their correlation before the
//! cosine ([`Params::power`]; 0 gives equation 4 as printed), so that directions which hold for
//! the training data only count less.

use std::path::Path;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::folder::{Manifest, Reader, Writer};
use crate::{BagOfWords, Canonical, DualEncoder, Error, Result, Training};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "cca";
const VERSION: u32 = 1;

/// The settings of [`Cca`]. The defaults were chosen on the development split of the synthetic
/// world.
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
    /// A word must occur at least so often in the training texts.
    pub min_count: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { dimensions: 128, kappa_image: 0.1, kappa_text: 1.0, power: 3.0, min_count: 3 }
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
        progress.begin("fitting cca", Some(2));
        let bag = BagOfWords::learn(data.texts, params.min_count)?;
        let mut y = Mat::<f64>::zeros(data.texts.len(), bag.len());
        for (row, texts) in data.texts.iter().enumerate() {
            for (column, weight) in bag.encode(texts) {
                y[(row, column)] = weight;
            }
        }
        let x = Mat::from_fn(data.features.rows(), data.features.columns(), |row, column| {
            f64::from(data.features.row(row)[column])
        });
        step(progress)?;
        let kappa = [params.kappa_image, params.kappa_text];
        let solution = Canonical::new(x, y, params.dimensions, kappa)?;
        step(progress)?;
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

    /// The words it knows, as its analysis leaves them.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.bag.words()
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
            analysis: self.bag.analysis(),
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
        writer.vocabulary(&self.bag.to_text())?;
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
        let bag = reader.bag_of_words()?;
        let correlations = reader.tensor("correlations", [Some(1), None])?;
        let dimensions = Some(correlations.columns());
        let mean = reader.tensor("image.mean", [Some(1), None])?;
        let weights = reader.tensor("image.weights", [Some(mean.columns()), dimensions])?;
        let image = Projection { mean, weights };
        let words = Some(bag.len());
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
            let bag = self.bag.encode(&[text]);
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

fn step(progress: &dyn Progress) -> Result<()> {
    progress.advance(1);
    if progress.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
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
        MatMut::from_row_major_slice_mut(to.values_mut(), a.rows(), b.columns()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        assert!(good.check().is_ok());
        for (params, field) in [
            (Params { dimensions: 0, ..good.clone() }, "dimensions"),
            (Params { kappa_image: 0.0, ..good.clone() }, "kappa_image"),
            (Params { kappa_text: f64::NAN, ..good.clone() }, "kappa_text"),
            (Params { power: -1.0, ..good.clone() }, "power"),
            (Params { min_count: 0, ..good.clone() }, "min_count"),
        ] {
            let error = params.check().unwrap_err().to_string();
            assert!(error.contains(&format!("`{field}`")), "{error}");
        }
    }
}
