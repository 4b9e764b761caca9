//! `co-occurrence` and `translation`: a probability of every word for every blob, P(w|b).
//!
//! The baselines of the relevance-models paper. By co-occurrence (Mori, Takahashi and Oka 1999) P(w|b)
//! is counted: of the words of all pictures with the blob, the share of each. By translation (Duygulu,
//! Barnard, de Freitas and Forsyth 2002; equation 10) P(w|b) is what the alignment models 1 and 2 of
//! Brown et al. (1993) learn from blobs as one language and words as the other. Both give a picture
//! the mean of P(w|b) over its regions.
//!
//! Model 2 learns from positions. Blobs of a picture have no order but that of their numbers, so that
//! by default there are rounds of model 1 only; the paper's form is `model_2` above 0.

use std::path::Path;

use rebus_collection::{Matrix, Progress};
use rebus_text::similarity::ibm::{self, Empty, Rounds};
use serde::{Deserialize, Serialize};

use super::counts::{Counting, Counts, Entry, rows, totals, with_both};
use super::word_probabilities::{encodes_words, likeliest};
use super::word_side::{self, WordSide};
use crate::bag_of_words::Words;
use crate::folder::{Reader, Writer};
use crate::interruption::unless_interrupted;
use crate::origin::Origin;
use crate::settings::{Settings, at_least, shares};
use crate::{BagOfWords, Error, Model, Result, Training};

/// What [`crate::SYSTEMS`] calls the model that counts.
pub const CO_OCCURRENCE: &str = "co-occurrence";
/// What [`crate::SYSTEMS`] calls the model that aligns.
pub const TRANSLATION: &str = "translation";
const VERSION: u32 = 1;

/// The settings of [`BlobWords`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// Rounds of alignment model 1 (translation).
    pub model_1: usize,
    /// Rounds of alignment model 2 after them (translation).
    pub model_2: usize,
    /// The share of P(w) that is mixed into P(w|I), so that no word is impossible.
    pub background: f64,
    /// How the numbers of a feature row count.
    pub counting: Counting,
    /// How texts are taken apart.
    pub words: Words,
    /// A word must occur at least so often in the training texts.
    pub min_count: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            model_1: 20,
            model_2: 0,
            background: 0.01,
            counting: Counting::AsGiven,
            words: Words::Lemmas,
            min_count: 1,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        shares(&[("background", Some(self.background))])?;
        // Without a round of either model there is nothing to learn.
        at_least(&[
            ("model_1", Some((self.model_1 + self.model_2) as u64), 1),
            ("min_count", Some(self.min_count), 1),
        ])
    }
}

/// P(w|b) for every blob.
#[derive(Debug, Clone, PartialEq)]
pub struct BlobWords {
    kind: &'static str,
    origin: Origin,
    params: Params,
    word_side: WordSide,
    /// How often training pictures have each blob, as one row.
    blobs: Matrix,
    /// P(w|b), a row a blob; zeros for a blob that no training picture has.
    table: Matrix,
}

/// What both models learn from.
struct Learnt {
    bag: BagOfWords,
    words: Counts,
    blobs: Counts,
}

impl BlobWords {
    /// Counts which words come with which blobs.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what.
    pub fn co_occurrence(
        data: &Training<'_>,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let learnt = Learnt::new(data, params)?;
        progress.begin("counting words of blobs", Some(1));
        let mut table = Matrix::zeros(learnt.blobs.columns(), learnt.words.columns());
        let mut sums = vec![0.0f64; table.values().len()];
        for row in 0..learnt.words.rows() {
            for &(blob, regions) in learnt.blobs.row(row) {
                let from = blob as usize * learnt.words.columns();
                for &(word, count) in learnt.words.row(row) {
                    sums[from + word as usize] += regions * count;
                }
            }
        }
        for (to, sums) in (0..table.rows()).zip(sums.chunks_exact(learnt.words.columns())) {
            let total: f64 = sums.iter().sum();
            if total > 0.0 {
                let row = table.row_mut(to).iter_mut();
                row.zip(sums).for_each(|(p, sum)| *p = (sum / total) as f32);
            }
        }
        progress.advance(1);
        Ok(Self::new(CO_OCCURRENCE, data, params, learnt, table))
    }

    /// Learns to translate blobs into words, by equation 10.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn translation(
        data: &Training<'_>,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let learnt = Learnt::new(data, params)?;
        progress.begin("aligning words and blobs", Some(1));
        let sentence = |row: &[Entry]| -> Vec<u32> {
            let repeats = |&(token, count): &Entry| {
                std::iter::repeat_n(token, (count.round() as usize).max(1))
            };
            row.iter().flat_map(repeats).collect()
        };
        let pairs: Vec<(Vec<u32>, Vec<u32>)> = (0..learnt.words.rows())
            .map(|row| (sentence(learnt.blobs.row(row)), sentence(learnt.words.row(row))))
            .collect();
        unless_interrupted(progress)?;
        let pairs: Vec<(&[u32], &[u32])> =
            pairs.iter().map(|(blobs, words)| (blobs.as_slice(), words.as_slice())).collect();
        let rounds =
            Rounds { model_1: params.model_1, model_2: params.model_2, empty: Empty::None };
        let translation = ibm::train(&pairs, &rounds);
        let mut table = Matrix::zeros(learnt.blobs.columns(), learnt.words.columns());
        for blob in 0..table.rows() {
            for &(word, p) in translation.of(blob as u32) {
                table.row_mut(blob)[word as usize] = p as f32;
            }
        }
        progress.advance(1);
        Ok(Self::new(TRANSLATION, data, params, learnt, table))
    }

    fn new(
        kind: &'static str,
        data: &Training<'_>,
        params: &Params,
        learnt: Learnt,
        table: Matrix,
    ) -> Self {
        let blobs = totals(&learnt.blobs);
        let (origin, params) = (Origin::of(data), params.clone());
        let word_side = WordSide::of_vocabulary(learnt.bag);
        Self { kind, origin, params, word_side, blobs, table }
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The likeliest word of every region, each once and the likeliest first: how Duygulu et al.
    /// annotate, with as many words as blobs have different ones.
    ///
    /// # Errors
    /// If the features do not fit the model.
    pub fn word_of_each_blob(&self, features: &Matrix) -> Result<Vec<Vec<&str>>> {
        let bags = self.bags(features)?;
        let words: Vec<&str> = self.word_side.words().collect();
        let picture = |row: usize| {
            let mut found: Vec<(f32, usize)> = Vec::new();
            for &(blob, _) in bags.row(row) {
                let probabilities = self.table.row(blob as usize);
                let Some(&best) = likeliest(probabilities, 1).first() else { continue };
                if probabilities[best] > 0.0 && found.iter().all(|&(_, word)| word != best) {
                    found.push((probabilities[best], best));
                }
            }
            found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            found.into_iter().map(|(_, word)| words[word]).collect()
        };
        Ok((0..features.rows()).map(picture).collect())
    }

    /// Reads a model of either kind from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let found = crate::manifest(folder)?.kind;
        let kind = if found == TRANSLATION { TRANSLATION } else { CO_OCCURRENCE };
        let reader = Reader::open(folder, kind, VERSION)?;
        let params: Params = reader.settings()?;
        let bag = word_side::read(&reader, params.words)?;
        let blobs = reader.tensor("blobs.totals", [Some(1), None])?;
        let table = reader.tensor("blobs.words", [Some(blobs.columns()), Some(bag.len())])?;
        let (origin, word_side) = (Origin::read(&reader), WordSide::of_vocabulary(bag));
        Ok(Self { kind, origin, params, word_side, blobs, table })
    }

    /// The bags of pictures, checked, without blobs that no training picture has.
    fn bags(&self, features: &Matrix) -> Result<Counts> {
        let expected = self.table.rows();
        if features.columns() != expected {
            return Err(Error::Shape { expected, found: features.columns() });
        }
        let all = Counts::of_features(features, self.params.counting)?;
        let known = |&(blob, _): &Entry| self.blobs.values()[blob as usize] > 0.0;
        let rows = (0..all.rows()).map(|row| all.row(row).iter().copied().filter(known).collect());
        Ok(Counts::new(expected, rows.collect::<Vec<Vec<Entry>>>()))
    }

    /// P(w|I) of each picture, put into rows by `fill`; the prior for one without a known blob.
    fn for_pictures(
        &self,
        features: &Matrix,
        fill: impl Fn(&[f64], &mut [f32]) + Sync,
    ) -> Result<Matrix> {
        let bags = self.bags(features)?;
        let prior = self.word_side.prior();
        Ok(rows(features.rows(), prior.len(), |(): &mut (), picture, row| {
            let size = bags.size(picture);
            if size == 0.0 {
                return fill(prior, row);
            }
            let mut p: Vec<f64> =
                prior.iter().map(|prior| self.params.background * prior).collect();
            for &(blob, count) in bags.row(picture) {
                let share = (1.0 - self.params.background) * count / size;
                for (p, &given) in p.iter_mut().zip(self.table.row(blob as usize)) {
                    *p += share * f64::from(given);
                }
            }
            fill(&p, row);
        }))
    }
}

impl Model for BlobWords {
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = self.word_side.bag().analysis();
        let manifest = self.origin.manifest((self.kind, VERSION), analysis, &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        writer.tensors(&[("blobs.totals", &self.blobs), ("blobs.words", &self.table)])?;
        writer.vocabulary(&self.word_side.bag().to_text())?;
        writer.finish()
    }
}

impl Learnt {
    /// The words and blobs of pictures that have both, in an order of their content.
    fn new(data: &Training<'_>, params: &Params) -> Result<Self> {
        params.check()?;
        data.check()?;
        let (bag, words) = word_side::learn(data.texts, params.words, params.min_count)?;
        let blobs = Counts::of_features(data.features, params.counting)?;
        let kept = with_both(data, &words, |row| !blobs.row(row).is_empty())?;
        Ok(Self { bag, words: words.some(&kept), blobs: blobs.some(&kept) })
    }
}

encodes_words!(BlobWords);

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;
    use crate::settings::names_what_is_wrong;
    use crate::{DualEncoder, WordProbabilities};

    /// Blob 0 with tiger alone and with tiger and grass, blob 1 with grass; blob 2 in no picture.
    fn fit(translate: fn(&Training<'_>, &Params, &dyn Progress) -> Result<BlobWords>) -> BlobWords {
        let features =
            Matrix::new(3, 3, vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
        let texts = [vec!["tiger"], vec!["tiger grass"], vec!["grass"]];
        let data = Training { extractor: "by-hand/1", features: &features, texts: &texts };
        let params = Params { words: Words::Keywords, ..Params::default() };
        translate(&data, &params, &Silent).unwrap()
    }

    #[test]
    fn counted_by_hand() {
        let model = fit(BlobWords::co_occurrence);
        // Words in order: grass, tiger. With blob 0 come two tigers and one grass.
        assert_eq!(model.table.row(0), [1.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(model.table.row(2), [0.0, 0.0]);
        let image = Matrix::new(1, 3, vec![2.0, 1.0, 5.0]).unwrap();
        let p = model.word_probabilities(&image).unwrap();
        // Two of three known regions say 2/3, one says 1/3, mixed with 1 % of 1/2.
        let expected = 0.99 * (2.0 / 3.0 * 2.0 / 3.0 + 1.0 / 3.0 / 3.0) + 0.01 * 0.5;
        assert!((f64::from(p.row(0)[1]) - expected).abs() < 1e-6);
    }

    #[test]
    fn alignment_tells_blobs_apart() {
        let model = fit(BlobWords::translation);
        assert!(model.table.row(0)[1] > 0.99, "{:?}", model.table.row(0));
        let image = Matrix::new(2, 3, vec![1.0, 3.0, 1.0, 0.0, 0.0, 1.0]).unwrap();
        let found = model.word_of_each_blob(&image).unwrap();
        assert_eq!(found[0].len(), 2);
        assert!(found[1].is_empty());
        let vectors = model.encode_images(&image).unwrap();
        assert!(vectors.row(1).iter().all(|&value| value == 0.0));
    }

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { background: 0.0, ..good.clone() }, "background"),
            (Params { model_1: 0, ..good.clone() }, "model_1"),
            (Params { min_count: 0, ..good.clone() }, "min_count"),
        ];
        names_what_is_wrong(wrong);
    }
}
