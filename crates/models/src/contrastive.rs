//! `contrastive`: a linear dual encoder that starts from [`crate::cca`] and is then refined so
//! that a caption finds its own picture among a few hundred others, and a picture its caption.
//!
//! For a batch of pictures with one caption each, S = Z U' / temperature holds the cosines of all
//! pairs; the loss is the cross-entropy of every row and every column against its diagonal (the
//! symmetric softmax loss that the systems of Biten et al. 2022 build on). Features and words are
//! dropped at random, so that no single one is relied on. Steps are Adam's, in units of a side's
//! mean weight, with a rate that falls to zero as half a cosine.

use std::path::Path;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};

use crate::folder::{Reader, Writer};
use crate::interruption::unless_interrupted;
use crate::origin::Origin;
use crate::settings::{Settings, above_zero, at_least, shares_or_none};
use crate::word_space::{WordSpace, encodes_in_space, understands_in_space};
use crate::{Cca, Model, Result, Training, cca};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "contrastive";
const VERSION: u32 = 1;

/// The settings of [`Contrastive`]. The defaults were chosen on 1,000 pictures held out of the
/// training part of Flickr8k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// The analysis it starts from.
    pub start: cca::Params,
    /// How often every picture is seen; 0 leaves the start as it is.
    pub epochs: usize,
    /// How many pictures compete at a time.
    pub batch: usize,
    /// The first step, as a share of the mean absolute weight of a side.
    pub rate: f64,
    /// What cosines are divided by.
    pub temperature: f64,
    /// The share of image features that is dropped at random.
    pub drop_features: f64,
    /// The share of a caption's words that is dropped at random.
    pub drop_words: f64,
    /// The seed of batches, captions and drops.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            start: cca::Params {
                dimensions: 256,
                kappa_image: 0.03,
                kappa_text: 1.0,
                power: 3.0,
                min_count: 3,
                ..cca::Params::default()
            },
            epochs: 20,
            batch: 500,
            rate: 0.05,
            temperature: 0.05,
            drop_features: 0.1,
            drop_words: 0.1,
            seed: 1,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        self.start.check()?;
        at_least(&[("batch", Some(self.batch as u64), 2)])?;
        above_zero(&[("rate", Some(self.rate)), ("temperature", Some(self.temperature))])?;
        shares_or_none(&[("drop_features", self.drop_features), ("drop_words", self.drop_words)])
    }
}

/// A fitted contrastive encoder.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrastive {
    origin: Origin,
    params: Params,
    pub(crate) space: WordSpace,
}

impl Contrastive {
    /// Fits the start, then refines it.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`](crate::Error::Interrupted).
    pub fn fit(data: &Training<'_>, params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        let mut space = Cca::fit(data, &params.start, progress)?.space;
        refine(&mut space, data, params, progress)?;
        Ok(Self { origin: Origin::of(data), params: params.clone(), space })
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let reader = Reader::open(folder, KIND, VERSION)?;
        let params: Params = reader.settings()?;
        let space = WordSpace::read(&reader, params.start.text)?;
        Ok(Self { origin: Origin::read(&reader), params, space })
    }
}

impl Model for Contrastive {
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = self.space.bag.analysis();
        let manifest = self.origin.manifest((KIND, VERSION), analysis, &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        self.space.write(&mut writer, &[])?;
        writer.finish()
    }
}

encodes_in_space!(Contrastive);
understands_in_space!(Contrastive);

/// Captions as bags, by picture; only pictures of which some caption has a known word.
struct Bags {
    rows: Vec<usize>,
    captions: Vec<Vec<Vec<(usize, f64)>>>,
}

impl Bags {
    fn new(space: &WordSpace, data: &Training<'_>) -> Self {
        // In an order of their own, so that the order of the collection does not matter.
        let mut order: Vec<usize> = (0..data.texts.len()).collect();
        order.sort_by(|&a, &b| {
            let features = || {
                let pairs = data.features.row(a).iter().zip(data.features.row(b));
                pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne())
            };
            data.texts[a]
                .cmp(&data.texts[b])
                .then_with(|| features().unwrap_or(std::cmp::Ordering::Equal))
        });
        let (mut rows, mut captions) = (Vec::new(), Vec::new());
        for row in order {
            let texts = &data.texts[row];
            let bags: Vec<_> = texts
                .iter()
                .map(|text| space.bag.encode(&[text]))
                .filter(|bag| !bag.is_empty())
                .collect();
            if !bags.is_empty() {
                rows.push(row);
                captions.push(bags);
            }
        }
        Self { rows, captions }
    }
}

fn refine(
    space: &mut WordSpace,
    data: &Training<'_>,
    params: &Params,
    progress: &dyn Progress,
) -> Result<()> {
    let bags = Bags::new(space, data);
    let batch = params.batch.min(bags.rows.len());
    if batch < 2 {
        return Ok(());
    }
    let batches = bags.rows.len() / batch;
    let steps = params.epochs * batches;
    progress.begin("refining", Some(steps as u64));
    let mut rng = ChaCha8Rng::seed_from_u64(params.seed);
    let mut image = Adam::new(&space.image);
    let mut words = Adam::new(&space.words);
    let mut origin = Adam { unit: words.unit, ..Adam::new(&space.origin) };
    let mut order: Vec<usize> = (0..bags.rows.len()).collect();
    let mut step = 0;
    for _ in 0..params.epochs {
        order.shuffle(&mut rng);
        for members in order.chunks_exact(batch) {
            let falling = 0.5 * (1.0 + (std::f64::consts::PI * step as f64 / steps as f64).cos());
            let rate = params.rate * falling;
            let slopes = Batch::draw(space, data, &bags, members, params, &mut rng)
                .slopes(space, params.temperature as f32);
            image.step(&mut space.image, &slopes.image, rate);
            words.step(&mut space.words, &slopes.words, rate);
            origin.step(&mut space.origin, &slopes.origin, rate);
            step += 1;
            progress.advance(1);
        }
        unless_interrupted(progress)?;
    }
    Ok(())
}

/// Pictures and a caption of each, with some features and words dropped.
struct Batch {
    features: Matrix,
    texts: Vec<Vec<(usize, f32)>>,
}

impl Batch {
    fn draw(
        space: &WordSpace,
        data: &Training<'_>,
        bags: &Bags,
        members: &[usize],
        params: &Params,
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let mean = space.mean.row(0);
        let mut features = Matrix::zeros(members.len(), mean.len());
        let mut texts = Vec::with_capacity(members.len());
        let keep = 1.0 / (1.0 - params.drop_features as f32);
        let below = (params.drop_features * f64::from(u32::MAX)) as u32;
        for (to, &member) in members.iter().enumerate() {
            let from = data.features.row(bags.rows[member]);
            for ((value, from), mean) in features.row_mut(to).iter_mut().zip(from).zip(mean) {
                *value = if rng.next_u32() < below { 0.0 } else { (from - mean) * keep };
            }
            let captions = &bags.captions[member];
            let caption = &captions[rng.random_range(0..captions.len())];
            let scale = 1.0 / (1.0 - params.drop_words);
            let kept = caption.iter().filter(|_| !rng.random_bool(params.drop_words));
            texts.push(kept.map(|&(word, weight)| (word, (weight * scale) as f32)).collect());
        }
        Self { features, texts }
    }

    /// The slopes of the loss at `space`.
    fn slopes(&self, space: &WordSpace, temperature: f32) -> Slopes {
        let (size, dimensions) = (self.features.rows(), space.dimensions());
        let mut pictures = Matrix::zeros(size, dimensions);
        multiply(&mut pictures, plain(&self.features), plain(&space.image));
        let mut texts = Matrix::zeros(size, dimensions);
        for (row, bag) in self.texts.iter().enumerate() {
            let to = texts.row_mut(row);
            to.copy_from_slice(space.origin.row(0));
            for &(word, weight) in bag {
                for (to, value) in to.iter_mut().zip(space.words.row(word)) {
                    *to += weight * value;
                }
            }
        }
        let picture_lengths = to_unit(&mut pictures);
        let text_lengths = to_unit(&mut texts);
        let mut cosines = Matrix::zeros(size, size);
        multiply(&mut cosines, plain(&pictures), plain(&texts).transpose());
        let by_pair = loss_slopes(&cosines, temperature);
        let mut picture_slopes = Matrix::zeros(size, dimensions);
        multiply(&mut picture_slopes, plain(&by_pair), plain(&texts));
        let mut text_slopes = Matrix::zeros(size, dimensions);
        multiply(&mut text_slopes, plain(&by_pair).transpose(), plain(&pictures));
        through_unit(&mut picture_slopes, &pictures, &picture_lengths);
        through_unit(&mut text_slopes, &texts, &text_lengths);

        let mut image = Matrix::zeros(space.image.rows(), dimensions);
        multiply(&mut image, plain(&self.features).transpose(), plain(&picture_slopes));
        let mut words = Matrix::zeros(space.words.rows(), dimensions);
        let mut origin = Matrix::zeros(1, dimensions);
        for (row, bag) in self.texts.iter().enumerate() {
            let slopes = text_slopes.row(row);
            for (to, slope) in origin.row_mut(0).iter_mut().zip(slopes) {
                *to += slope;
            }
            for &(word, weight) in bag {
                for (to, slope) in words.row_mut(word).iter_mut().zip(slopes) {
                    *to += weight * slope;
                }
            }
        }
        Slopes { image, words, origin }
    }
}

struct Slopes {
    image: Matrix,
    words: Matrix,
    origin: Matrix,
}

/// The slope of the symmetric cross-entropy at every cosine: (P_row + P_column) / 2 - 1 on the
/// diagonal, over the batch and the temperature.
fn loss_slopes(cosines: &Matrix, temperature: f32) -> Matrix {
    let size = cosines.rows();
    // Cosines are at most 1, so that no exponent overflows for temperatures in use; subtracting
    // the largest value of a row or column keeps every other within range, too.
    let mut by_row = Matrix::zeros(size, size);
    let mut column_most = vec![f32::NEG_INFINITY; size];
    for row in 0..size {
        let values = cosines.row(row);
        let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let to = by_row.row_mut(row);
        let mut sum = 0.0;
        for ((to, value), column) in to.iter_mut().zip(values).zip(&mut column_most) {
            *to = ((value - most) / temperature).exp();
            sum += *to;
            *column = column.max(*value);
        }
        to.iter_mut().for_each(|to| *to /= sum);
    }
    let mut by_column = Matrix::zeros(size, size);
    let mut sums = vec![0.0f32; size];
    for row in 0..size {
        let to = by_column.row_mut(row);
        for (((to, value), most), sum) in
            to.iter_mut().zip(cosines.row(row)).zip(&column_most).zip(&mut sums)
        {
            *to = ((value - most) / temperature).exp();
            *sum += *to;
        }
    }
    let scale = 1.0 / (size as f32 * temperature);
    for row in 0..size {
        let to = by_row.row_mut(row);
        for ((to, column), sum) in to.iter_mut().zip(by_column.row(row)).zip(&sums) {
            *to = 0.5 * (*to + column / sum) * scale;
        }
        to[row] -= scale;
    }
    by_row
}

/// Scales every row to length 1; gives the lengths.
fn to_unit(vectors: &mut Matrix) -> Vec<f32> {
    (0..vectors.rows())
        .map(|row| {
            let row = vectors.row_mut(row);
            let length = row.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
            row.iter_mut().for_each(|value| *value /= length);
            length
        })
        .collect()
}

/// Slopes at the unit vectors become slopes at the vectors before they were scaled.
fn through_unit(slopes: &mut Matrix, units: &Matrix, lengths: &[f32]) {
    for (row, length) in lengths.iter().enumerate() {
        let unit = units.row(row);
        let slope = slopes.row_mut(row);
        let along: f32 = slope.iter().zip(unit).map(|(slope, unit)| slope * unit).sum();
        for (slope, unit) in slope.iter_mut().zip(unit) {
            *slope = (*slope - along * unit) / length;
        }
    }
}

fn plain(matrix: &Matrix) -> MatRef<'_, f32> {
    MatRef::from_row_major_slice(matrix.values(), matrix.rows(), matrix.columns())
}

fn multiply(to: &mut Matrix, a: MatRef<'_, f32>, b: MatRef<'_, f32>) {
    let (rows, columns) = (to.rows(), to.columns());
    let to = MatMut::from_row_major_slice_mut(to.values_mut(), rows, columns);
    matmul(to, Accum::Replace, a, b, 1.0, Par::rayon(0));
}

/// Adam (Kingma and Ba 2015), with steps in units of the weights' mean size.
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    unit: f64,
    steps: i32,
}

impl Adam {
    const FIRST: f64 = 0.9;
    const SECOND: f64 = 0.98;

    fn new(weights: &Matrix) -> Self {
        let values = weights.values();
        let sum: f64 = values.iter().map(|&value| f64::from(value.abs())).sum();
        Self {
            first: vec![0.0; values.len()],
            second: vec![0.0; values.len()],
            unit: sum / values.len().max(1) as f64,
            steps: 0,
        }
    }

    fn step(&mut self, weights: &mut Matrix, slopes: &Matrix, rate: f64) {
        self.steps += 1;
        let (first, second) = (Self::FIRST as f32, Self::SECOND as f32);
        let first_grown = (1.0 - Self::FIRST.powi(self.steps)) as f32;
        let second_grown = (1.0 - Self::SECOND.powi(self.steps)) as f32;
        let rate = (rate * self.unit) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, &slope), (m, v)) in
            weights.values_mut().iter_mut().zip(slopes.values()).zip(moments)
        {
            *m = first * *m + (1.0 - first) * slope;
            *v = second * *v + (1.0 - second) * slope * slope;
            *weight -= rate * (*m / first_grown) / ((*v / second_grown).sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::names_what_is_wrong;

    fn loss(cosines: &Matrix, temperature: f32) -> f64 {
        let size = cosines.rows();
        let t = f64::from(temperature);
        let at = |r: usize, c: usize| f64::from(cosines.row(r)[c]) / t;
        let entropy = |line: &dyn Fn(usize) -> f64, k: usize| {
            (0..size).map(|j| line(j).exp()).sum::<f64>().ln() - line(k)
        };
        let sum: f64 =
            (0..size).map(|k| entropy(&|j| at(k, j), k) + entropy(&|j| at(j, k), k)).sum();
        sum / (2.0 * size as f64)
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let values = vec![0.9, 0.1, -0.3, 0.4, 0.2, 0.0, -0.5, 0.3, 0.7];
        let cosines = Matrix::new(3, 3, values).unwrap();
        let slopes = loss_slopes(&cosines, 0.5);
        for at in 0..9 {
            let moved = |by: f32| {
                let mut moved = cosines.clone();
                moved.values_mut()[at] += by;
                loss(&moved, 0.5)
            };
            let numeric = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((numeric - f64::from(slopes.values()[at])).abs() < 1e-3, "{at}: {numeric}");
        }
    }

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { batch: 1, ..good.clone() }, "batch"),
            (Params { rate: 0.0, ..good.clone() }, "rate"),
            (Params { temperature: f64::NAN, ..good.clone() }, "temperature"),
            (Params { drop_features: 1.0, ..good.clone() }, "drop_features"),
            (Params { drop_words: -0.1, ..good.clone() }, "drop_words"),
        ];
        names_what_is_wrong(wrong);
    }
}
