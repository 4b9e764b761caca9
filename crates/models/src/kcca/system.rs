//! `kcca`: the dual encoder of equation 4, which owns its kernels and its training items.
//!
//! A new picture is compared with the training pictures, a new text with the training texts, each by
//! its kernel; both rows of kernel values are projected into the common space. With
//! [`Params::landmarks`] only some training items are compared with
//! ([`Landmarks`]), so that a model and its encoding stay small however many items it was fitted on.

use std::path::Path;

use faer::Mat;
use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};
use rebus_text::kernel::{Described, TextKernel, kernel_named};
use rebus_text::similarity::WordSimilarity;
use rebus_text::{Analysis, Toolbox};
use rebus_vision::Kernel;
use serde::{Deserialize, Serialize};

use super::spectrum::product;
use super::{Landmarks, Pairing, Ridge, Spectrum};
use crate::folder::{Reader, Writer};
use crate::interruption::step;
use crate::origin::Origin;
use crate::settings::{Settings, at_least};
use crate::{DualEncoder, Error, Model, Result, Training, Understands};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "kcca";
const VERSION: u32 = 1;
const TEXTS: &str = "texts.json";
/// Pictures are compared in multiples of so many.
const GROUP: usize = 32;
const SIMILARITY: &str = "similarity.txt";

/// The settings of [`Kcca`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// How pictures are compared: `linear`, `rbf:GAMMA`, `intersection`, `chi-square:GAMMA`,
    /// `histo:P` or `pyramid:P`.
    pub image_kernel: String,
    /// How texts are compared: a name of [`rebus_text::kernel::KERNELS`].
    pub text_kernel: String,
    /// The ridge of equation 3.
    pub kappa: f64,
    /// The factor on the diagonal of the text kernel (section 4.1.3).
    pub diagonal: f64,
    /// How many dimensions the common space has; fewer if the data give no more.
    pub dimensions: usize,
    /// At most so many training items are compared with; 0 means all, by whole Gram matrices.
    pub landmarks: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            image_kernel: "linear".into(),
            text_kernel: "BoW5-sqrtidf".into(),
            kappa: 0.5,
            diagonal: 3.0,
            dimensions: 100,
            landmarks: 0,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        let bad = |field, what: String| Err(Error::Setting { field, what });
        image_kernel(&self.image_kernel)?;
        if let Err(error) = kernel_named(&self.text_kernel) {
            return bad("text_kernel", error.to_string());
        }
        self.ridge().check()?;
        at_least(&[("dimensions", Some(self.dimensions as u64), 1)])?;
        if self.landmarks == 1 {
            return bad("landmarks", "must be 0, for all, or at least 2".into());
        }
        Ok(())
    }
}

impl Params {
    fn ridge(&self) -> Ridge {
        Ridge { kappa: self.kappa, diagonal: self.diagonal }
    }
}

/// Reads an image kernel from its name and setting.
fn image_kernel(text: &str) -> Result<Kernel> {
    let bad = |what: String| Error::Setting { field: "image_kernel", what };
    let (name, setting) = match text.split_once(':') {
        Some((name, setting)) => (name, Some(setting)),
        None => (text, None),
    };
    let number = || -> Result<f32> {
        let setting =
            setting.ok_or_else(|| bad(format!("`{name}` needs a number, as {name}:2")))?;
        setting.parse().map_err(|_| bad(format!("`{setting}` is no number")))
    };
    let kernel = match (name, setting) {
        ("linear", None) => Kernel::Linear,
        ("intersection", None) => Kernel::Intersection,
        ("rbf", _) => Kernel::Rbf { gamma: number()? },
        ("chi-square", _) => Kernel::ChiSquare { gamma: number()? },
        ("histo", _) => Kernel::Histo { p: number()? },
        ("pyramid", _) => Kernel::Pyramid { p: number()? },
        _ => {
            return Err(bad(format!(
                "`{text}` is none of linear, rbf:GAMMA, intersection, chi-square:GAMMA, histo:P, \
                 pyramid:P"
            )));
        }
    };
    kernel.check().map_err(|error| bad(error.to_string()))?;
    Ok(kernel)
}

/// A fitted kernel canonical correlation analysis between pictures and texts.
#[derive(Debug, Clone)]
pub struct Kcca {
    origin: Origin,
    params: Params,
    kernels: Kernels,
    /// The features of the training pictures that a picture is compared with, a row each.
    pictures: Matrix,
    /// The training texts, picture by picture: the text kernel is fitted on all of them.
    texts: Vec<Vec<String>>,
    similarity: Option<WordSimilarity>,
    /// The training items whose texts a text is compared with.
    compared: Vec<usize>,
    image: Projection,
    text: Projection,
}

#[derive(Debug, Clone)]
struct Kernels {
    image: Kernel,
    text: TextKernel,
    /// The texts that a text is compared with, analysed.
    described: Vec<Described>,
    analysis: Analysis,
}

/// From kernel values to the common space.
#[derive(Debug, Clone, PartialEq)]
struct Projection {
    /// Subtracted first; one row.
    offset: Matrix,
    /// A row a training item that is compared with, a column a dimension.
    weights: Matrix,
}

impl Kcca {
    /// Fits it. `similarity` is the word similarity that the text kernel asks for, if it does.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(
        data: &Training<'_>,
        params: &Params,
        similarity: Option<&WordSimilarity>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        data.check()?;
        progress.begin("fitting kcca", Some(3));
        let owned = |texts: &Vec<&str>| texts.iter().map(|&text| text.to_owned()).collect();
        let texts: Vec<Vec<String>> = data.texts.iter().map(owned).collect();
        let analysis = analysis(&texts);
        let described = analysed(&texts, &analysis);
        let text = text_kernel(params, &described, similarity)?;
        let image = image_kernel(&params.image_kernel)?;
        step(progress)?;
        let most = data.features.rows();
        let candidates = candidates(most, params.landmarks);
        let (image_spectrum, pictures) = match params.landmarks {
            0 => {
                let gram = image.between(data.features, data.features).map_err(refused)?;
                (Spectrum::of(&gram, most)?, data.features.clone())
            }
            landmarks => {
                let columns = image
                    .between(&data.features.only(&candidates), data.features)
                    .map_err(refused)?;
                let own = |row: usize| {
                    let alone = data.features.only(&[row]);
                    Ok(image.between(&alone, &alone).map_err(refused)?.values()[0])
                };
                let diagonal: Vec<f32> = (0..most).map(own).collect::<Result<_>>()?;
                let chosen = choose(&diagonal, &candidates, landmarks, &columns)?;
                (chosen.spectrum(most)?, data.features.only(chosen.items()))
            }
        };
        step(progress)?;
        let (text_spectrum, compared) = match params.landmarks {
            0 => (Spectrum::of(&text.of(&described), most)?, (0..most).collect()),
            landmarks => {
                let columns = text.between(&only(&described, &candidates), &described);
                let mut diagonal = vec![1.0; most];
                text.unrankable(&described).into_iter().for_each(|row| diagonal[row] = 0.0);
                let chosen = choose(&diagonal, &candidates, landmarks, &columns)?;
                (chosen.spectrum(most)?, chosen.items().to_vec())
            }
        };
        let pairing = Pairing::new(&image_spectrum, &text_spectrum)?;
        let directions = pairing.directions(params.ridge())?;
        step(progress)?;
        let kept = params.dimensions.min(directions.len());
        Ok(Self {
            origin: Origin::of(data),
            params: params.clone(),
            image: Projection::new(&image_spectrum, &directions.image, kept),
            text: Projection::new(&text_spectrum, &directions.text, kept),
            kernels: Kernels { image, text, described: only(&described, &compared), analysis },
            pictures,
            texts,
            similarity: similarity.cloned(),
            compared,
        })
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Which of `texts` (by their place) have no word that the model knows, so that their place in
    /// a ranking would be chance.
    pub fn unrankable(&self, texts: &[&str]) -> Vec<usize> {
        self.kernels.text.unrankable(&self.kernels.described_texts(texts))
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let reader = Reader::open(folder, KIND, VERSION)?;
        let damaged = |name: &str, what: String| Error::damaged(&folder.join(name), what);
        let params: Params = reader.settings()?;
        let texts: Vec<Vec<String>> = serde_json::from_slice(&reader.file(TEXTS)?)
            .map_err(|error| damaged(TEXTS, error.to_string()))?;
        let similarity = match reader.manifest.files.contains_key(SIMILARITY) {
            false => None,
            true => {
                let text = String::from_utf8(reader.file(SIMILARITY)?)
                    .map_err(|error| damaged(SIMILARITY, error.to_string()))?;
                let path = folder.join(SIMILARITY);
                let table = WordSimilarity::from_text(&text, &path);
                Some(table.map_err(|error| damaged(SIMILARITY, error.to_string()))?)
            }
        };
        let analysis = analysis(&texts);
        if names(&analysis) != reader.manifest.analysis {
            let what =
                format!("analysis is {:?}, not {:?}", reader.manifest.analysis, names(&analysis));
            return Err(reader.damaged(what));
        }
        let described = analysed(&texts, &analysis);
        let kernel = text_kernel(&params, &described, similarity.as_ref())
            .map_err(|error| damaged(TEXTS, error.to_string()))?;
        let pictures = reader.tensor("image.items", [None, None])?;
        let items = reader.tensor("text.items", [Some(1), None])?;
        let compared: Vec<usize> = items.values().iter().map(|&item| item as usize).collect();
        if let Some(beyond) = compared.iter().find(|&&item| item >= texts.len()) {
            let what = format!("there is no training item {beyond}");
            return Err(reader.damaged_tensor("text.items", what));
        }
        let weights = reader.tensor("image.weights", [Some(pictures.rows()), None])?;
        let dimensions = Some(weights.columns());
        let image = Projection {
            offset: reader.tensor("image.offset", [Some(1), Some(pictures.rows())])?,
            weights,
        };
        let text = Projection {
            offset: reader.tensor("text.offset", [Some(1), Some(compared.len())])?,
            weights: reader.tensor("text.weights", [Some(compared.len()), dimensions])?,
        };
        let kernels = Kernels {
            image: image_kernel(&params.image_kernel)?,
            text: kernel,
            described: only(&described, &compared),
            analysis,
        };
        let origin = Origin::read(&reader);
        Ok(Self { origin, params, kernels, pictures, texts, similarity, compared, image, text })
    }
}

impl Model for Kcca {
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = names(&self.kernels.analysis);
        let manifest = self.origin.manifest((KIND, VERSION), analysis, &self.params);
        let mut compared = Matrix::zeros(1, self.compared.len());
        for (to, &item) in compared.row_mut(0).iter_mut().zip(&self.compared) {
            // Whole numbers up to 16 million are exact.
            *to = item as f32;
        }
        let mut writer = Writer::new(folder, manifest)?;
        writer.tensors(&[
            ("image.items", &self.pictures),
            ("image.offset", &self.image.offset),
            ("image.weights", &self.image.weights),
            ("text.items", &compared),
            ("text.offset", &self.text.offset),
            ("text.weights", &self.text.weights),
        ])?;
        let texts = serde_json::to_vec(&self.texts)
            .map_err(|error| Error::damaged(&folder.join(TEXTS), error.to_string()))?;
        writer.file(TEXTS, &texts)?;
        if let Some(similarity) = &self.similarity {
            writer.file(SIMILARITY, similarity.to_text().as_bytes())?;
        }
        writer.finish()
    }
}

impl Understands for Kcca {}

impl DualEncoder for Kcca {
    fn extractor(&self) -> &str {
        &self.origin.extractor
    }

    fn dimensions(&self) -> usize {
        self.image.weights.columns()
    }

    fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
        let expected = self.pictures.columns();
        if features.columns() != expected {
            return Err(Error::Shape { expected, found: features.columns() });
        }
        if features.rows() == 0 {
            return Ok(Matrix::zeros(0, self.dimensions()));
        }
        // Matrix products of few rows take another way, with other roundings: a picture alone is
        // compared as it would be among others.
        let wanted: Vec<usize> = (0..features.rows().next_multiple_of(GROUP))
            .map(|row| row.min(features.rows() - 1))
            .collect();
        let padded = features.only(&wanted);
        let values = self.kernels.image.between(&padded, &self.pictures).map_err(refused)?;
        let wanted: Vec<usize> = (0..features.rows()).collect();
        Ok(self.image.project(&values.only(&wanted)))
    }

    /// A text without a known word becomes a vector of zeros: equally far from every picture.
    fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
        if texts.is_empty() {
            return Ok(Matrix::zeros(0, self.dimensions()));
        }
        let queries = self.kernels.described_texts(texts);
        let values = self.kernels.text.between(&queries, &self.kernels.described);
        let mut vectors = self.text.project(&values);
        for row in self.kernels.text.unrankable(&queries) {
            vectors.row_mut(row).fill(0.0);
        }
        Ok(vectors)
    }
}

impl Kernels {
    fn described_texts(&self, texts: &[&str]) -> Vec<Described> {
        texts.iter().map(|&text| Described::analysed(&self.analysis, &[text])).collect()
    }
}

impl Projection {
    fn new(spectrum: &Spectrum, directions: &Mat<f32>, dimensions: usize) -> Self {
        let weights = product(spectrum.map(), directions.subcols(0, dimensions));
        let to_matrix = |from: &Mat<f32>| {
            let mut to = Matrix::zeros(from.nrows(), from.ncols());
            for row in 0..from.nrows() {
                for (column, value) in to.row_mut(row).iter_mut().enumerate() {
                    *value = from[(row, column)];
                }
            }
            to
        };
        let mut offset = Matrix::zeros(1, spectrum.offset().len());
        offset.row_mut(0).copy_from_slice(spectrum.offset());
        Self { offset, weights: to_matrix(&weights) }
    }

    /// Kernel values to vectors of length 1. Sums are of `f64`: weights of both signs are large.
    fn project(&self, values: &Matrix) -> Matrix {
        let dimensions = self.weights.columns();
        let mut vectors = Matrix::zeros(values.rows(), dimensions);
        let rows = vectors.values_mut().par_chunks_mut(dimensions.max(1)).enumerate();
        rows.for_each(|(row, to)| {
            let mut sums = vec![0f64; dimensions];
            let centred = values.row(row).iter().zip(self.offset.row(0));
            for (item, (value, offset)) in centred.enumerate() {
                let value = f64::from(*value) - f64::from(*offset);
                for (sum, &weight) in sums.iter_mut().zip(self.weights.row(item)) {
                    *sum += value * f64::from(weight);
                }
            }
            let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
            for (to, sum) in to.iter_mut().zip(sums) {
                *to = if length > 0.0 { (sum / length) as f32 } else { 0.0 };
            }
        });
        vectors
    }
}

/// The captions' analysis (section 4.1.1); spelling and compounds are learnt from the texts.
fn analysis(texts: &[Vec<String>]) -> Analysis {
    let all: Vec<&String> = texts.iter().flatten().collect();
    Toolbox::default().with_corpus(&all).ranking_task_captions()
}

fn names(analysis: &Analysis) -> Vec<String> {
    analysis.names().into_iter().map(str::to_owned).collect()
}

fn analysed(texts: &[Vec<String>], analysis: &Analysis) -> Vec<Described> {
    texts.iter().map(|texts| Described::analysed(analysis, texts)).collect()
}

fn text_kernel(
    params: &Params,
    training: &[Described],
    similarity: Option<&WordSimilarity>,
) -> Result<TextKernel> {
    let bad =
        |error: rebus_text::Error| Error::Setting { field: "text_kernel", what: error.to_string() };
    let kernel = kernel_named(&params.text_kernel).map_err(bad)?;
    if training.iter().all(|item| item.words().next().is_none()) {
        return Err(Error::Data { what: "there is no word in the texts".into() });
    }
    TextKernel::fit(&kernel.spec, training, similarity).map_err(bad)
}

/// Items among which landmarks are chosen: half as many again as are wanted, spread evenly.
fn candidates(items: usize, landmarks: usize) -> Vec<usize> {
    let count = (landmarks + landmarks / 2).clamp(1, items.max(1));
    (0..count).map(|k| k * items / count).collect()
}

/// Landmarks from the candidates' rows of the Gram matrix.
fn choose(diagonal: &[f32], candidates: &[usize], most: usize, rows: &Matrix) -> Result<Landmarks> {
    Landmarks::choose(diagonal, candidates, most, |place| Ok(rows.row(place).to_vec()))
}

fn only(described: &[Described], which: &[usize]) -> Vec<Described> {
    which.iter().map(|&at| described[at].clone()).collect()
}

fn refused(error: rebus_vision::Error) -> Error {
    Error::Data { what: error.to_string() }
}

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;
    use crate::settings::names_what_is_wrong;

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { image_kernel: "cubic".into(), ..good.clone() }, "image_kernel"),
            (Params { image_kernel: "rbf".into(), ..good.clone() }, "image_kernel"),
            (Params { image_kernel: "rbf:-1".into(), ..good.clone() }, "image_kernel"),
            (Params { text_kernel: "TRI7".into(), ..good.clone() }, "text_kernel"),
            (Params { kappa: 0.0, ..good.clone() }, "kappa"),
            (Params { diagonal: 0.1, ..good.clone() }, "diagonal"),
            (Params { dimensions: 0, ..good.clone() }, "dimensions"),
            (Params { landmarks: 1, ..good.clone() }, "landmarks"),
        ];
        names_what_is_wrong(wrong);
    }

    #[test]
    fn with_all_items_as_landmarks_it_is_nearly_the_same() {
        let features = Matrix::new(
            6,
            3,
            vec![
                1.0, 0.1, 0.2, 0.9, 0.0, 0.4, 0.1, 1.0, 0.3, 0.0, 0.8, 0.1, 0.3, 0.2, 0.9, 0.2,
                0.1, 1.0,
            ],
        )
        .unwrap();
        let texts = [
            vec!["green grass"],
            vec!["a meadow of grass"],
            vec!["blue sea"],
            vec!["the sea and a boat"],
            vec!["red brick"],
            vec!["a brick wall"],
        ];
        let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
        let queries = ["grass", "boat", "wall", "zeppelin"];
        let scores = |landmarks| {
            let params = Params { landmarks, ..Params::default() };
            let model = Kcca::fit(&data, &params, None, &Silent).unwrap();
            assert_eq!(model.unrankable(&queries), [3]);
            let images = model.encode_images(&features).unwrap();
            crate::dot_products(&images, &model.encode_texts(&queries).unwrap()).unwrap()
        };
        let (whole, some) = (scores(0), scores(6));
        for (a, b) in whole.values().iter().zip(some.values()) {
            assert!((a - b).abs() < 2e-2, "{a} {b}");
        }
        assert!(whole.row(0)[0] > whole.row(0)[1] && whole.row(3)[1] > whole.row(3)[0]);
        assert_eq!(whole.row(0)[3], 0.0);
    }
}
