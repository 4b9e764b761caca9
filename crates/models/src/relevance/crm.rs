//! `crm` and `mbrm`: relevance models over region vectors in place of blobs.
//!
//! Both are equation 3 of the relevance-models paper with another P(region|J): the mean of Gaussian
//! kernels at the regions of the training picture J, so that nothing is lost by clustering. In the
//! continuous relevance model (Lavrenko, Manmatha and Jeon 2003) words are drawn from a multinomial,
//! as in equation 4. In the multiple-Bernoulli relevance model (Feng, Manmatha and Lavrenko 2004)
//! every word is there or not by itself, P(w|J) = (mu [J has w] + N_w) / (mu + N): a picture of many
//! words is no less sure of each. That is equation 4 too, with presence for share, N_w / N for the
//! background, and alpha = N / (mu + N).
//!
//! The kernel's variance is [`Params::bandwidth`] times the mean squared distance between two regions
//! of training pictures; it and alpha are chosen on held-out training pictures where none is given.
//! With one region a picture the model is a kernel-weighted vote of the training pictures.

use std::path::Path;

use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};

use super::counts::{Counts, with_both};
use super::held_out::{Criterion, HeldOut, fold};
use super::region_kernels::RegionKernels;
use super::region_rows::{Layout, RegionRows};
use super::tried::{Best, Tried};
use super::urns::{Posterior, Urns};
use super::word_model::WordModel;
use super::word_probabilities::encodes_words;
use super::word_side::{self, WordSide};
use crate::bag_of_words::Words;
use crate::folder::{Reader, Writer};
use crate::image_side::{ImageSide, Scaling};
use crate::interruption::unless_interrupted;
use crate::origin::Origin;
use crate::settings::{Settings, above_zero, at_least, shares};
use crate::{BagOfWords, Error, Model, Result, Training};

/// What [`crate::SYSTEMS`] calls the model with a multinomial over words.
pub const CRM: &str = "crm";
/// What [`crate::SYSTEMS`] calls the model with a Bernoulli distribution a word.
pub const MBRM: &str = "mbrm";
const VERSION: u32 = 1;

/// What is tried where nothing is given; of equals, the first is taken.
const BANDWIDTHS: [f64; 10] = [0.1, 0.5, 0.3, 0.2, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005];
const ALPHAS: [f64; 6] = [0.1, 0.01, 0.03, 0.3, 0.5, 0.8];

/// The settings of [`Crm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// What a feature row holds; by the extractor's name where nothing is said.
    pub layout: Option<Layout>,
    /// The kernel's variance, in units of the mean squared distance between regions.
    pub bandwidth: Option<f64>,
    /// Smoothing of words.
    pub alpha: Option<f64>,
    /// By what they are chosen.
    pub criterion: Criterion,
    /// One of so many parts of the training pictures is held out to choose on.
    pub folds: usize,
    /// How many words an annotation has.
    pub length: usize,
    /// What is done to the vector of a region.
    pub scaling: Scaling,
    /// How texts are taken apart.
    pub words: Words,
    /// A word must occur at least so often in the training texts.
    pub min_count: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            layout: None,
            bandwidth: None,
            alpha: None,
            criterion: Criterion::FMeasure,
            folds: 9,
            length: 5,
            scaling: Scaling::Standard,
            words: Words::Lemmas,
            min_count: 1,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        above_zero(&[("bandwidth", self.bandwidth)])?;
        shares(&[("alpha", self.alpha)])?;
        at_least(&[
            ("folds", Some(self.folds as u64), 2),
            ("length", Some(self.length as u64), 1),
            ("min_count", Some(self.min_count), 1),
        ])
    }
}

/// A fitted relevance model over region vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Crm {
    model: WordModel,
    origin: Origin,
    params: Params,
    chosen: Chosen,
    image: ImageSide,
    word_side: WordSide,
    words: Urns,
    kernels: RegionKernels,
}

/// The settings that a model must have, whether they were given or not.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Chosen {
    layout: Layout,
    bandwidth: f64,
    alpha: f64,
}

impl Crm {
    /// Keeps the regions of pictures that have a word, and chooses what is not given.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(
        data: &Training<'_>,
        model: WordModel,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        data.check()?;
        let (bag, words) = word_side::learn(data.texts, params.words, params.min_count)?;
        let layout = params.layout.unwrap_or_else(|| Layout::of_extractor(data.extractor));
        let regions = RegionRows::of_features(data.features, layout)?;
        let kept = with_both(data, &words, |row| !regions.of(row).is_empty())?;
        let (words, regions) = (model.counted(words.some(&kept)), regions.some(&kept));
        let image = ImageSide::fit(&regions.rows, params.scaling, 0.0);
        let regions = RegionRows { rows: image.rows(&regions.rows)?, starts: regions.starts };
        let (bandwidth, alpha) = choose(model, &words, &regions, params, progress)?;
        let chosen = Chosen { layout, bandwidth, alpha };
        let params = Params {
            layout: Some(layout),
            bandwidth: Some(bandwidth),
            alpha: Some(alpha),
            ..params.clone()
        };
        let parts = (image, bag, words, regions);
        Ok(Self::new(model, Origin::of(data), params, chosen, parts))
    }

    fn new(
        model: WordModel,
        origin: Origin,
        params: Params,
        chosen: Chosen,
        (image, bag, words, regions): (ImageSide, BagOfWords, Counts, RegionRows),
    ) -> Self {
        let length = model.length(&words);
        let words = model.urns(words, chosen.alpha);
        let mut prior = words.shares(&Posterior::of_logs(&vec![0.0; words.len()]));
        model.probabilities(&words, &mut prior, chosen.alpha);
        let word_side = WordSide::new(bag, prior, length);
        let kernels = RegionKernels::new(regions);
        Self { model, origin, params, chosen, image, word_side, words, kernels }
    }

    /// The settings, with what was chosen.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Reads a model of either kind from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let bernoulli = crate::manifest(folder)?.kind == MBRM;
        let model = if bernoulli { WordModel::Bernoulli } else { WordModel::Multinomial };
        let reader = Reader::open(folder, model.kind(), VERSION)?;
        let params: Params = reader.settings()?;
        let (Some(layout), Some(bandwidth), Some(alpha)) =
            (params.layout, params.bandwidth, params.alpha)
        else {
            return Err(reader.damaged("settings: no layout, bandwidth or alpha".into()));
        };
        let bag = word_side::read(&reader, params.words)?;
        let statistics = reader.tensor("image.statistics", [Some(2), None])?;
        let image = ImageSide::from_statistics(statistics, params.scaling, 0.0);
        let rows = reader.tensor("regions.rows", [None, Some(image.dimensions())])?;
        let words = Counts::read(&reader, "words.counts", bag.len())?;
        let ends = reader.tensor("regions.ends", [Some(words.rows()), Some(1)])?;
        let starts: Vec<usize> =
            std::iter::once(0).chain(ends.values().iter().map(|&end| end as usize)).collect();
        if !starts.is_sorted() || starts.last() != Some(&rows.rows()) {
            let what = "other regions than in `regions.rows`";
            return Err(reader.damaged_tensor("regions.ends", what));
        }
        let chosen = Chosen { layout, bandwidth, alpha };
        let parts = (image, bag, words, RegionRows { rows, starts });
        Ok(Self::new(model, Origin::read(&reader), params, chosen, parts))
    }

    /// P(w|I) of each picture, put into rows by `fill`; the prior for one without a region.
    fn for_pictures(
        &self,
        features: &Matrix,
        fill: impl Fn(&[f64], &mut [f32]) + Sync,
    ) -> Result<Matrix> {
        let Chosen { layout, bandwidth, alpha } = self.chosen;
        let expected = layout.row_length(self.image.features());
        if features.columns() != expected {
            return Err(Error::Shape { expected, found: features.columns() });
        }
        let regions = RegionRows::of_features(features, layout)?;
        let regions = RegionRows { rows: self.image.rows(&regions.rows)?, starts: regions.starts };
        let variance = bandwidth * self.kernels.unit;
        let mut matrix = Matrix::zeros(features.rows(), self.word_side.len());
        let columns = self.word_side.len();
        self.kernels.distances(&regions, |pictures, distances| {
            let first = regions.starts[pictures.start];
            let rows = &mut matrix.values_mut()[pictures.start * columns..pictures.end * columns];
            rows.par_chunks_mut(columns).zip(pictures).for_each(|(row, picture)| {
                let own = regions.of(picture);
                if own.is_empty() {
                    return fill(self.word_side.prior(), row);
                }
                let own = own.start - first..own.end - first;
                let logs = self.kernels.log_likelihoods(distances, own, variance);
                let mut p = self.words.shares(&Posterior::of_logs(&logs));
                self.model.probabilities(&self.words, &mut p, alpha);
                fill(&p, row);
            });
            Ok(())
        })?;
        Ok(matrix)
    }
}

impl Model for Crm {
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = self.word_side.bag().analysis();
        let manifest = self.origin.manifest((self.model.kind(), VERSION), analysis, &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        let RegionRows { rows, starts } = &self.kernels.regions;
        let mut ends = Matrix::zeros(starts.len() - 1, 1);
        for (to, &end) in ends.values_mut().iter_mut().zip(&starts[1..]) {
            *to = end as f32;
        }
        writer.tensors(&[
            ("image.statistics", self.image.statistics()),
            ("regions.ends", &ends),
            ("regions.rows", rows),
            ("words.counts", &self.words.counts().tensor()),
        ])?;
        writer.vocabulary(&self.word_side.bag().to_text())?;
        writer.finish()
    }
}

/// Bandwidth and alpha, chosen on one part of the pictures, held out of the others.
fn choose(
    model: WordModel,
    words: &Counts,
    regions: &RegionRows,
    params: &Params,
    progress: &dyn Progress,
) -> Result<(f64, f64)> {
    let bandwidths = Tried::new(params.bandwidth, &BANDWIDTHS);
    let alphas = Tried::new(params.alpha, &ALPHAS);
    let first = (bandwidths.first(), alphas.first());
    if bandwidths.len() * alphas.len() == 1 || words.rows() < 2 * params.folds {
        return Ok(first);
    }
    progress.begin("choosing bandwidth and smoothing", Some(bandwidths.len() as u64));
    let (held_out, kept) = fold(words.rows(), params.folds, 0);
    let urns = model.urns(words.some(&kept), alphas.first());
    let kernels = RegionKernels::new(regions.some(&kept));
    let images = regions.some(&held_out);
    let truth = HeldOut::new(words.some(&held_out), params.length);
    let mut shares: Vec<Vec<Vec<f64>>> = vec![Vec::new(); bandwidths.len()];
    kernels.distances(&images, |pictures, distances| {
        let first = images.starts[pictures.start];
        for (bandwidth, shares) in bandwidths.iter().zip(&mut shares) {
            unless_interrupted(progress)?;
            let of: Vec<Vec<f64>> = pictures
                .clone()
                .into_par_iter()
                .map(|picture| {
                    let own = images.of(picture);
                    let own = own.start - first..own.end - first;
                    let variance = bandwidth * kernels.unit;
                    let logs = kernels.log_likelihoods(distances, own, variance);
                    urns.shares(&Posterior::of_logs(&logs))
                })
                .collect();
            shares.extend(of);
        }
        Ok(())
    })?;
    let mut best = Best::new(first);
    for (bandwidth, shares) in bandwidths.iter().zip(shares) {
        for alpha in alphas.iter() {
            let mut probabilities = shares.clone();
            probabilities.iter_mut().for_each(|row| model.probabilities(&urns, row, alpha));
            best.offer(truth.measure(params.criterion, &probabilities), (bandwidth, alpha));
        }
        progress.advance(1);
    }
    Ok(best.of)
}

encodes_words!(Crm);

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;
    use crate::settings::names_what_is_wrong;
    use crate::{DualEncoder, Understands, WordProbabilities};

    /// Pictures whose regions are one number each.
    fn rows(pictures: &[&[f32]]) -> Matrix {
        let mut rows = Matrix::zeros(pictures.len(), 11);
        for (row, regions) in pictures.iter().enumerate() {
            rows.row_mut(row)[0] = regions.len() as f32;
            rows.row_mut(row)[1..=regions.len()].copy_from_slice(regions);
        }
        rows
    }

    /// Two regions a picture of one number each: tigers near 1, grass near 5, sky near 9.
    fn fit(model: WordModel) -> Crm {
        let features = rows(&[&[1.0, 5.0], &[1.2], &[9.0, 5.2], &[9.1, 8.9]]);
        let texts = [vec!["tiger grass"], vec!["tiger"], vec!["sky grass"], vec!["sky"]];
        let data = Training { extractor: "by-hand/1", features: &features, texts: &texts };
        let params = Params {
            layout: Some(Layout::Regions),
            bandwidth: Some(0.05),
            alpha: Some(0.1),
            scaling: Scaling::AsIs,
            words: Words::Keywords,
            ..Params::default()
        };
        Crm::fit(&data, model, &params, &Silent).unwrap()
    }

    #[test]
    fn regions_tell_words() {
        let images = rows(&[&[1.1], &[9.0]]);
        for model in [WordModel::Multinomial, WordModel::Bernoulli] {
            let model = fit(model);
            assert_eq!(model.annotate(&images, 1).unwrap(), [vec!["tiger"], vec!["sky"]]);
        }
    }

    /// The density word for word: sums of kernels, products over regions, sums over pictures.
    #[test]
    fn the_definition_word_for_word() {
        let pictures: [&[f64]; 4] = [&[1.0, 5.0], &[1.2], &[9.0, 5.2], &[9.1, 8.9]];
        // Words in order: grass, sky, tiger.
        let words = [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let image = [1.3, 4.0];
        for kind in [WordModel::Multinomial, WordModel::Bernoulli] {
            let model = fit(kind);
            let variance = 0.05 * model.kernels.unit;
            let kernel = |a: f64, b: f64| (-(a - b).powi(2) / (2.0 * variance)).exp();
            let mut p = [0.0; 3];
            let mut total = 0.0;
            for (regions, words) in pictures.iter().zip(words) {
                let drawn: f64 = image
                    .iter()
                    .map(|&r| {
                        regions.iter().map(|&k| kernel(r, k)).sum::<f64>() / regions.len() as f64
                    })
                    .product();
                total += drawn;
                let size = match kind {
                    WordModel::Multinomial => words.iter().sum(),
                    WordModel::Bernoulli => 1.0,
                };
                // Every word is in two of four pictures, and two of six words.
                let common = if kind == WordModel::Bernoulli { 0.5 } else { 1.0 / 3.0 };
                for (p, word) in p.iter_mut().zip(words) {
                    *p += drawn * (0.9 * word / size + 0.1 * common);
                }
            }
            let images = rows(&[&[1.3, 4.0]]);
            let found = model.word_probabilities(&images).unwrap();
            for (found, p) in found.row(0).iter().zip(p) {
                assert!((f64::from(*found) - p / total).abs() < 1e-4, "{found} {}", p / total);
            }
        }
    }

    #[test]
    fn a_picture_without_a_region_says_nothing() {
        let model = fit(WordModel::Bernoulli);
        let vectors = model.encode_images(&rows(&[&[]])).unwrap();
        assert!(vectors.values().iter().all(|&value| value == 0.0));
        assert!(model.probable_keywords(&vectors).unwrap().unwrap()[0].is_empty());
    }

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { bandwidth: Some(0.0), ..good.clone() }, "bandwidth"),
            (Params { alpha: Some(1.0), ..good.clone() }, "alpha"),
            (Params { folds: 0, ..good.clone() }, "folds"),
            (Params { length: 0, ..good.clone() }, "length"),
            (Params { min_count: 0, ..good.clone() }, "min_count"),
        ];
        names_what_is_wrong(wrong);
    }
}
