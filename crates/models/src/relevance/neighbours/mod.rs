//! `jec`, `tagprop` and `2pknn`: words from the nearest training pictures.
//!
//! What later papers measure relevance models against. Pictures are vectors, of one or several parts
//! with a distance each ([`Params::parts`]); the three differ in how neighbours are weighed:
//! `jec.rs` gives the words of the nearest pictures in an order of their own, `tag_prop.rs` learns the
//! weights of the distances from the training pictures' own words, `two_pass.rs` takes neighbours for
//! every word by itself.
//!
//! A picture with nothing but zeros says nothing: it has what is true of all pictures.

mod distances;
mod jec;
mod near;
mod tag_prop;
mod two_pass;

use std::path::Path;

use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};

use super::counts::{Counts, with_both};
use super::held_out::Criterion;
use super::word_probabilities::encodes_words;
use super::word_side::{self, WordSide};
use crate::bag_of_words::Words;
use crate::folder::{Reader, Writer};
use crate::image_side::{ImageSide, Scaling};
use crate::origin::Origin;
use crate::settings::{Settings, above_zero, at_least};
use crate::{BagOfWords, Error, Meaning, Model, Result, Training};
pub use distances::Distance;
use distances::{BLOCK, Base};
use jec::Together;
use near::{nearest, own_neighbours};
use two_pass::Passes;

/// What [`crate::SYSTEMS`] calls [`Method::Jec`].
pub const JEC: &str = "jec";
/// What [`crate::SYSTEMS`] calls [`Method::TagProp`].
pub const TAGPROP: &str = "tagprop";
/// What [`crate::SYSTEMS`] calls [`Method::TwoPass`].
pub const TWO_PASS: &str = "2pknn";
const VERSION: u32 = 1;

/// The share of P(w) that every word has in any case, so that none is impossible.
const LEAST: f64 = 1e-3;

/// How neighbours are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Joint equal contribution of distances, with words in an order of their own.
    Jec,
    /// Learnt weights of distances, and a curve for every word.
    TagProp,
    /// The nearest pictures of every word.
    TwoPass,
}

impl Method {
    fn kind(self) -> &'static str {
        match self {
            Self::Jec => JEC,
            Self::TagProp => TAGPROP,
            Self::TwoPass => TWO_PASS,
        }
    }
}

/// The settings of [`NeighbourWords`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// The lengths of the parts of a feature row, each with a distance of its own; none for one part.
    pub parts: Vec<usize>,
    /// How the vectors of a part are compared.
    pub distance: Distance,
    /// What is done to the vector of a part.
    pub scaling: Scaling,
    /// How many neighbours count (jec and tagprop).
    pub neighbours: Option<usize>,
    /// How many pictures of each word are neighbours (2pknn); chosen where nothing is given.
    pub of_each_word: Option<usize>,
    /// How fast weights fall with the distance (2pknn); chosen where nothing is given.
    pub fall: Option<f64>,
    /// By what they are chosen.
    pub criterion: Criterion,
    /// One of so many parts of the training pictures is held out to choose on.
    pub folds: usize,
    /// How many words an annotation has.
    pub length: usize,
    /// How texts are taken apart.
    pub words: Words,
    /// A word must occur at least so often in the training texts.
    pub min_count: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            distance: Distance::Euclidean,
            scaling: Scaling::Unit,
            neighbours: None,
            of_each_word: None,
            fall: None,
            criterion: Criterion::FMeasure,
            folds: 9,
            length: 5,
            words: Words::Lemmas,
            min_count: 1,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        above_zero(&[("fall", self.fall)])?;
        at_least(&[
            ("neighbours", self.neighbours.map(|count| count as u64), 1),
            ("of_each_word", self.of_each_word.map(|count| count as u64), 1),
            ("folds", Some(self.folds as u64), 2),
            ("length", Some(self.length as u64), 1),
            ("min_count", Some(self.min_count), 1),
        ])
    }
}

impl Params {
    fn neighbours(&self, method: Method) -> usize {
        self.neighbours.unwrap_or(if method == Method::Jec { 5 } else { 200 })
    }
}

/// Training pictures whose neighbours' words are given.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighbourWords {
    origin: Origin,
    params: Params,
    word_side: WordSide,
    words: Counts,
    base: Base,
    /// The weight of each base distance, one row.
    theta: Matrix,
    learnt: Learnt,
}

/// What each method has beside the weights of distances.
#[derive(Debug, Clone, PartialEq)]
enum Learnt {
    Jec(Together),
    /// A row a word: slope and constant of its curve.
    TagProp(Matrix),
    TwoPass(Passes),
}

impl Learnt {
    fn method(&self) -> Method {
        match self {
            Self::Jec(_) => Method::Jec,
            Self::TagProp(_) => Method::TagProp,
            Self::TwoPass(_) => Method::TwoPass,
        }
    }
}

impl NeighbourWords {
    /// Keeps the training pictures that have a word, and learns what the method learns.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(
        data: &Training<'_>,
        method: Method,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        data.check()?;
        let (bag, words) = word_side::learn(data.texts, params.words, params.min_count)?;
        let says = |row: usize| data.features.row(row).iter().any(|&value| value != 0.0);
        let kept = with_both(data, &words, says)?;
        let words = words.some(&kept).present();
        let (features, _) = data.rows(&kept);
        let base = Base::fit(&features, &params.parts, params.distance, params.scaling)?;
        let mut params = params.clone();
        let parts = base.parts();
        let mut theta = vec![1.0 / parts as f64; parts];
        let learnt = match method {
            Method::Jec => Learnt::Jec(Together::new(&words)),
            Method::TagProp => {
                let near = own_neighbours(&base, params.neighbours(method), progress)?;
                theta = tag_prop::learn(&near, &words, parts);
                let mut curves = Matrix::zeros(words.columns(), 2);
                for (word, curve) in tag_prop::curves(&near, &words, &theta).iter().enumerate() {
                    curves.row_mut(word).copy_from_slice(&curve.map(|value| value as f32));
                }
                Learnt::TagProp(curves)
            }
            Method::TwoPass => {
                if parts > 1 {
                    let near = own_neighbours(&base, params.neighbours(method), progress)?;
                    let learnt = tag_prop::learn(&near, &words, parts);
                    // Two passes have a scale of their own.
                    let total: f64 = learnt.iter().sum();
                    if total > 0.0 {
                        theta = learnt.iter().map(|theta| theta / total).collect();
                    }
                }
                let passes = two_pass::choose(&base, &words, &theta, &params, progress)?;
                (params.of_each_word, params.fall) = (Some(passes.of_each_word), Some(passes.fall));
                Learnt::TwoPass(passes)
            }
        };
        let parts = (bag, words, base, one_row(&theta));
        Ok(Self::new(Origin::of(data), params, parts, learnt))
    }

    fn new(
        origin: Origin,
        params: Params,
        (bag, words, base, theta): (BagOfWords, Counts, Base, Matrix),
        learnt: Learnt,
    ) -> Self {
        let pictures = words.rows() as f64;
        let prior = words.totals().iter().map(|count| count / pictures).collect();
        let word_side = WordSide::new(bag, prior, 1.0);
        Self { origin, params, word_side, words, base, theta, learnt }
    }

    /// The settings, with what was chosen.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The weight of each base distance.
    pub fn weights(&self) -> &[f32] {
        self.theta.row(0)
    }

    /// Reads a model of any of the three kinds from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let method = match crate::manifest(folder)?.kind.as_str() {
            TAGPROP => Method::TagProp,
            TWO_PASS => Method::TwoPass,
            _ => Method::Jec,
        };
        let reader = Reader::open(folder, method.kind(), VERSION)?;
        let params: Params = reader.settings()?;
        let bag = word_side::read(&reader, params.words)?;
        let words = Counts::read(&reader, "words.counts", bag.len())?;
        let curves = reader.tensor("words.curves", [Some(bag.len()), Some(2)])?;
        let parts = params.parts.len().max(1);
        let theta = reader.tensor("distances.weights", [Some(1), Some(parts)])?;
        let units = reader.tensor("distances.units", [Some(1), Some(parts)])?;
        let (mut sides, mut rows) = (Vec::new(), Vec::new());
        for [statistics, vectors] in (0..parts).map(names) {
            let statistics = reader.tensor(&statistics, [Some(2), None])?;
            let side = ImageSide::from_statistics(statistics, params.scaling, 0.0);
            rows.push(reader.tensor(&vectors, [Some(words.rows()), Some(side.dimensions())])?);
            sides.push(side);
        }
        let units = units.row(0).iter().map(|&unit| f64::from(unit)).collect();
        let base = Base::new(params.distance, sides, rows, units);
        let learnt = match method {
            Method::Jec => Learnt::Jec(Together::new(&words)),
            Method::TagProp => Learnt::TagProp(curves),
            Method::TwoPass => match (params.of_each_word, params.fall) {
                (Some(of_each_word), Some(fall)) => Learnt::TwoPass(Passes { of_each_word, fall }),
                _ => return Err(reader.damaged("settings: no of_each_word or fall".into())),
            },
        };
        Ok(Self::new(Origin::read(&reader), params, (bag, words, base, theta), learnt))
    }

    /// P(w|I) from the base distances of a picture from all training pictures, a slice a part.
    fn probabilities(&self, distances: &[&[f32]]) -> Vec<f64> {
        let theta: Vec<f64> = self.theta.row(0).iter().map(|&theta| f64::from(theta)).collect();
        let near = || nearest(distances, self.params.neighbours(self.learnt.method()), None);
        let mut p = match &self.learnt {
            Learnt::Jec(together) => {
                let frequency = self.word_side.prior();
                let given = jec::transfer(&near().pictures, &self.words, frequency, together);
                let mut p = vec![0.0; self.words.columns()];
                // A word's place stands for its probability.
                (1u32..).zip(given).for_each(|(place, word)| p[word] = 1.0 / f64::from(place));
                p
            }
            Learnt::TagProp(curves) => {
                let near = near();
                let mut said = vec![0.0; self.words.columns()];
                for (word, p) in near.words(&near.weights(&theta), &self.words) {
                    said[word as usize] = p;
                }
                let curve = |(word, p): (usize, f64)| {
                    let [slope, constant] = [0, 1].map(|at| f64::from(curves.row(word)[at]));
                    1.0 / (1.0 + (-(slope * p + constant)).exp())
                };
                said.into_iter().enumerate().map(curve).collect()
            }
            Learnt::TwoPass(passes) => {
                let distances = two_pass::weighted(distances, &theta);
                two_pass::probabilities(&distances, &self.words, *passes)
            }
        };
        for (p, prior) in p.iter_mut().zip(self.word_side.prior()) {
            *p = (1.0 - LEAST) * *p + LEAST * prior;
        }
        p
    }

    /// P(w|I) of each picture, put into rows by `fill`; the prior for one of nothing but zeros.
    fn for_pictures(
        &self,
        features: &Matrix,
        fill: impl Fn(&[f64], &mut [f32]) + Sync,
    ) -> Result<Matrix> {
        let columns = self.word_side.len();
        let mut matrix = Matrix::zeros(features.rows(), columns);
        if features.columns() != self.base.features() {
            let (expected, found) = (self.base.features(), features.columns());
            return Err(Error::Shape { expected, found });
        }
        for first in (0..features.rows()).step_by(BLOCK) {
            let end = (first + BLOCK).min(features.rows());
            let block = features.only(&(first..end).collect::<Vec<usize>>());
            let distances = self.base.to(&block)?;
            let rows = &mut matrix.values_mut()[first * columns..end * columns];
            rows.par_chunks_mut(columns).enumerate().for_each(|(at, row)| {
                if block.row(at).iter().all(|&value| value == 0.0) {
                    return fill(self.word_side.prior(), row);
                }
                let own: Vec<&[f32]> = distances.iter().map(|part| part.row(at)).collect();
                fill(&self.probabilities(&own), row);
            });
        }
        Ok(matrix)
    }
}

impl Model for NeighbourWords {
    fn save(&self, folder: &Path) -> Result<()> {
        let kind = (self.learnt.method().kind(), VERSION);
        let manifest = self.origin.manifest(kind, self.word_side.bag().analysis(), &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        let names: Vec<[String; 2]> = (0..self.base.parts()).map(names).collect();
        let (units, counts) = (one_row(self.base.units()), self.words.tensor());
        let none = Matrix::zeros(self.words.columns(), 2);
        let curves = if let Learnt::TagProp(curves) = &self.learnt { curves } else { &none };
        let mut tensors = vec![
            ("distances.units", &units),
            ("distances.weights", &self.theta),
            ("words.counts", &counts),
            ("words.curves", curves),
        ];
        for (at, [statistics, rows]) in names.iter().enumerate() {
            tensors.push((statistics, self.base.sides()[at].statistics()));
            tensors.push((rows, &self.base.rows()[at]));
        }
        tensors.sort_unstable_by_key(|(name, _)| *name);
        writer.tensors(&tensors)?;
        writer.vocabulary(&self.word_side.bag().to_text())?;
        writer.finish()
    }
}

/// What the tensors of a part are called: statistics and rows.
fn names(part: usize) -> [String; 2] {
    [format!("part{part}.statistics"), format!("part{part}.rows")]
}

fn one_row(values: &[f64]) -> Matrix {
    let mut row = Matrix::zeros(1, values.len());
    row.values_mut().iter_mut().zip(values).for_each(|(to, &value)| *to = value as f32);
    row
}

// The places of words, which jec gives, order photos and are no probabilities.
encodes_words!(NeighbourWords, |model: &NeighbourWords, text, scores| {
    match (model.word_side.meaning(text, scores), &model.learnt) {
        (Meaning::Probabilities(_), Learnt::Jec(_)) => Meaning::Uncalibrated,
        (meaning, _) => meaning,
    }
});

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;
    use crate::settings::names_what_is_wrong;
    use crate::{DualEncoder, WordProbabilities};

    fn fit(method: Method) -> NeighbourWords {
        let mut features = Matrix::zeros(24, 3);
        let mut texts = Vec::new();
        for row in 0..24 {
            let noise = (row * 7 % 5) as f32 / 20.0;
            features.row_mut(row).copy_from_slice(&match row % 2 {
                0 => [1.0, noise, 0.3],
                _ => [noise, 1.0, 0.3],
            });
            texts.push(vec![if row % 2 == 0 { "tiger grass" } else { "plane sky" }]);
        }
        let data = Training { extractor: "by-hand/1", features: &features, texts: &texts };
        let params = Params {
            parts: vec![2, 1],
            neighbours: Some(6),
            words: Words::Keywords,
            ..Params::default()
        };
        NeighbourWords::fit(&data, method, &params, &Silent).unwrap()
    }

    #[test]
    fn the_words_of_the_nearest() {
        let images = Matrix::new(2, 3, vec![0.9, 0.1, 0.3, 0.1, 0.8, 0.3]).unwrap();
        for method in [Method::Jec, Method::TagProp, Method::TwoPass] {
            let model = fit(method);
            let found = model.annotate(&images, 2).unwrap();
            let mut first = found[0].clone();
            first.sort_unstable();
            assert_eq!(first, ["grass", "tiger"], "{method:?}");
            assert!(found[1].contains(&"plane") && found[1].contains(&"sky"), "{method:?}");
            let vectors = model.encode_images(&images).unwrap();
            assert_eq!(model.retrieve(&vectors, "sky").unwrap()[0].row, 1);
            let nothing = model.encode_images(&Matrix::zeros(1, 3)).unwrap();
            assert!(nothing.values().iter().all(|&value| value == 0.0));
        }
    }

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { neighbours: Some(0), ..good.clone() }, "neighbours"),
            (Params { of_each_word: Some(0), ..good.clone() }, "of_each_word"),
            (Params { fall: Some(-1.0), ..good.clone() }, "fall"),
            (Params { folds: 1, ..good.clone() }, "folds"),
            (Params { length: 0, ..good.clone() }, "length"),
            (Params { min_count: 0, ..good.clone() }, "min_count"),
        ];
        names_what_is_wrong(wrong);
    }
}
