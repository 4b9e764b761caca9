//! `cca`: regularised linear canonical correlation analysis.
//!
//! It is the KCCA of Hodosh, Young and Hockenmaier (2013), section 3.2, with linear kernels: the
//! image side is the features as they are, the text side a bag of words over all texts of a
//! picture, by default weighted by the square root of idf ([`Params::text`]). [`Canonical`] solves equation 3; the affinity is
//! the cosine in the induced space (equation 4).
//!
//! One thing is ours: directions may be weighted by a power of their correlation before the
//! cosine ([`Params::power`]; 0 gives equation 4 as printed), so that directions which hold for
//! the training data only count less.

use std::path::Path;

use faer::Mat;
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};

use crate::bag_of_words::{AtLeast, Form};
use crate::folder::{Reader, Writer};
use crate::interruption::step;
use crate::origin::Origin;
use crate::settings::{Settings, above_zero, at_least, zero_or_more};
use crate::word_space::{WordSpace, encodes_in_space, product, understands_in_space};
use crate::{BagOfWords, Canonical, Model, Result, Training};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "cca";
const VERSION: u32 = 2;

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
    /// How texts become bags of words.
    pub text: Form,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            dimensions: 128,
            kappa_image: 0.1,
            kappa_text: 1.0,
            power: 3.0,
            min_count: 3,
            text: Form::default(),
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        at_least(&[
            ("dimensions", Some(self.dimensions as u64), 1),
            ("min_count", Some(self.min_count), 1),
        ])?;
        above_zero(&[
            ("kappa_image", Some(self.kappa_image)),
            ("kappa_text", Some(self.kappa_text)),
        ])?;
        zero_or_more(&[("power", self.power)])
    }
}

/// A fitted canonical correlation analysis between image features and words.
#[derive(Debug, Clone, PartialEq)]
pub struct Cca {
    origin: Origin,
    params: Params,
    pub(crate) space: WordSpace,
    /// The regularised correlation of each dimension, one row.
    correlations: Matrix,
}

impl Cca {
    /// Fits the two projections.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`](crate::Error::Interrupted).
    pub fn fit(data: &Training<'_>, params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        data.check()?;
        progress.begin("fitting cca", Some(2));
        let bag = BagOfWords::learn(data.texts, params.text, AtLeast::Times(params.min_count))?;
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
        let text_mean = to_matrix(1, solution.y_mean.len(), |_, k| -solution.y_mean[k]);
        let words = weighted(&solution.y_weights);
        let space = WordSpace {
            bag,
            mean: to_matrix(1, solution.x_mean.len(), |_, k| solution.x_mean[k]),
            image: weighted(&solution.x_weights),
            origin: product(&text_mean, &words),
            words,
        };
        Ok(Self {
            origin: Origin::of(data),
            params: params.clone(),
            space,
            correlations: to_matrix(1, solution.correlations.len(), |_, k| {
                solution.correlations[k]
            }),
        })
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The words it knows, as its analysis leaves them.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.space.bag.words()
    }

    /// The regularised correlation of each dimension, largest first.
    pub fn correlations(&self) -> &[f32] {
        self.correlations.values()
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let reader = Reader::open(folder, KIND, VERSION)?;
        let params: Params = reader.settings()?;
        let space = WordSpace::read(&reader, params.text)?;
        let correlations = reader.tensor("correlations", [Some(1), Some(space.dimensions())])?;
        Ok(Self { origin: Origin::read(&reader), params, space, correlations })
    }
}

impl Model for Cca {
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = self.space.bag.analysis();
        let manifest = self.origin.manifest((KIND, VERSION), analysis, &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        self.space.write(&mut writer, &[("correlations", &self.correlations)])?;
        writer.finish()
    }
}

encodes_in_space!(Cca);
understands_in_space!(Cca);

fn to_matrix(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
    let mut matrix = Matrix::zeros(rows, columns);
    for row in 0..rows {
        for (column, to) in matrix.row_mut(row).iter_mut().enumerate() {
            *to = value(row, column) as f32;
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::names_what_is_wrong;

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { dimensions: 0, ..good.clone() }, "dimensions"),
            (Params { kappa_image: 0.0, ..good.clone() }, "kappa_image"),
            (Params { kappa_text: f64::NAN, ..good.clone() }, "kappa_text"),
            (Params { power: -1.0, ..good.clone() }, "power"),
            (Params { min_count: 0, ..good.clone() }, "min_count"),
        ];
        names_what_is_wrong(wrong);
    }
}
