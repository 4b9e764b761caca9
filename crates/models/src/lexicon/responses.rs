//! How each word responds to a picture: the log odds that somebody would use it of the picture.
//!
//! A response is linear in the picture's vector. It is learnt from pictures that are known to show the
//! word (`many_logistic.rs`): those whose captions hold it, and those of each evidence. One of ten
//! pictures is kept back, to learn how far the odds can be believed; then all pictures are used. Where
//! several sources tell of a word they are averaged, each as far as it moves the word's vector
//! (`widen.rs`). A word that no picture at hand shows responds by how far the score with its own
//! vector stands out.
//!
//! The vector of a word is made so that sums of them tell whole captions apart. Its response has no
//! such duty, and is the better judge of the word alone.

use rebus_collection::Matrix;
use rustc_hash::FxHashSet;

use super::background::Background;
use super::logistic::{Sample, Weights};
use super::many_logistic::{self, log_odds};
use super::widen::Evidence;
use super::{Params, Sources};
use crate::word_space::WordSpace;
use crate::{Result, Training, dot_products};

/// One picture of so many is kept back.
const KEPT_BACK: usize = 10;

/// The responses of all words of a space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Responses {
    /// A row a word of the bag: its weights, then the constant.
    pub(super) rows: Matrix,
}

impl Responses {
    /// Learns them from everything that shows words; `space` has all words already.
    pub(super) fn fit(
        space: &WordSpace,
        background: &Background,
        data: &Sources<'_>,
        params: &Params,
    ) -> Result<Self> {
        let mut sums = Self::of_vectors(space, background, &data.held_out)?;
        let mut weights = vec![0.0; space.bag.len()];
        let mut add = |source: &Source, trust: &dyn Fn(usize) -> f64| -> Result<()> {
            let learnt = source.learn(params)?;
            for (from, &word) in source.words.iter().enumerate() {
                let trust = trust(word);
                weights[word] += trust;
                // The mean so far, moved: the first source takes the place of what was there.
                let share = (trust / weights[word]) as f32;
                for (to, from) in sums.rows.row_mut(word).iter_mut().zip(learnt.row(from)) {
                    *to += share * (from - *to);
                }
            }
            Ok(())
        };
        add(&Source::of_captions(space, &data.captioned, params)?, &|_| 1.0)?;
        for evidence in data.evidence {
            let told = |word: usize| {
                let captions =
                    space.bag.word(word).map_or(0, |stem| space.bag.documents_with(stem));
                evidence.trust / (1.0 + captions as f64 / params.steadiness)
            };
            add(&Source::of_evidence(space, evidence, params)?, &told)?;
        }
        Ok(sums)
    }

    /// Every word by how far its own vector's score stands out and by how frequent it is, as far as
    /// these pictures, which the space was not fitted on, bear that out.
    pub(super) fn of_vectors(
        space: &WordSpace,
        background: &Background,
        held_out: &Training<'_>,
    ) -> Result<Self> {
        let images = space.encode_images(held_out.features)?;
        let mentioned = mentioned(space, held_out);
        let documents = space.bag.documents().max(1) as f64;
        let (mut samples, mut lines) = (Vec::new(), Vec::new());
        for (row, stem) in space.bag.words().enumerate() {
            let odds = share_to_log_odds(space.bag.documents_with(stem) as f64 / documents);
            let Some(vector) = space.of_words(&[row]) else { continue };
            let spread = background.spread(vector.row(0))?;
            if mentioned.iter().any(|words| words.contains(&row)) {
                let scores = dot_products(&vector, &images)?;
                for (&score, mentioned) in scores.row(0).iter().zip(&mentioned) {
                    let sure = if mentioned.contains(&row) { 1.0 } else { 0.0 };
                    let inputs = [spread.standard(score), odds];
                    samples.push(Sample { inputs, sure, often: 1.0 });
                }
            }
            lines.push((row, vector, spread.line(), odds));
        }
        let Weights { inputs: [by_score, by_odds], constant } = Weights::fit(&samples);
        let side = space.dimensions();
        let mut rows = Matrix::zeros(space.bag.len(), side + 1);
        for (row, vector, (factor, shift), odds) in lines {
            let to = rows.row_mut(row);
            for (to, value) in to.iter_mut().zip(vector.row(0)) {
                *to = (by_score * factor) as f32 * value;
            }
            to[side] = (by_score * shift + by_odds * odds + constant) as f32;
        }
        Ok(Self { rows })
    }

    /// The log odds of each of these words for each picture: a row a picture, a column a word.
    ///
    /// # Errors
    /// If the vectors of the pictures have another length.
    pub(super) fn of(&self, images: &Matrix, words: &[usize]) -> Result<Matrix> {
        log_odds(images, &self.rows.only(words))
    }

    /// The same responses for the words of a larger space; words that are new to it have those of
    /// `others`, which has a row for every word of the larger space.
    pub(super) fn in_space(&self, old: &WordSpace, new: &WordSpace, mut others: Self) -> Self {
        for (row, stem) in new.bag.words().enumerate() {
            if let Some(from) = old.bag.position(stem) {
                others.rows.row_mut(row).copy_from_slice(self.rows.row(from));
            }
        }
        others
    }
}

/// For each picture the words of the bag that its captions hold.
pub(super) fn mentioned(space: &WordSpace, data: &Training<'_>) -> Vec<FxHashSet<usize>> {
    let words = |texts: &Vec<&str>| space.bag.encode(texts).into_iter().map(|(word, _)| word);
    data.texts.iter().map(|texts| words(texts).collect()).collect()
}

/// The log odds of a share, kept off 0 and 1.
fn share_to_log_odds(share: f64) -> f64 {
    let share = share.clamp(1e-5, 1.0 - 1e-5);
    (share / (1.0 - share)).ln()
}

/// Pictures, and how surely each shows some words of the bag.
struct Source {
    images: Matrix,
    /// Rows of the bag.
    words: Vec<usize>,
    /// A row a word, a column a picture.
    shown: Matrix,
}

impl Source {
    fn of_captions(space: &WordSpace, data: &Training<'_>, params: &Params) -> Result<Self> {
        let images = space.encode_images(data.features)?;
        let mentioned = mentioned(space, data);
        let mut counts = vec![0usize; space.bag.len()];
        mentioned.iter().flatten().for_each(|&word| counts[word] += 1);
        let often = |word: &usize| counts[*word] as f64 >= params.least;
        let words: Vec<usize> = (0..counts.len()).filter(often).collect();
        let mut shown = Matrix::zeros(words.len(), images.rows());
        for (row, word) in words.iter().enumerate() {
            for (sure, mentioned) in shown.row_mut(row).iter_mut().zip(&mentioned) {
                *sure = if mentioned.contains(word) { 1.0 } else { 0.0 };
            }
        }
        Ok(Self { images, words, shown })
    }

    fn of_evidence(space: &WordSpace, evidence: &Evidence<'_>, params: &Params) -> Result<Self> {
        let images = space.encode_images(evidence.features)?;
        let (mut words, mut rows) = (Vec::new(), Vec::new());
        for (_, stem, sure) in evidence.single_words(space, params) {
            if let Some(row) = space.bag.position(&stem) {
                words.push(row);
                rows.push(sure);
            }
        }
        let mut shown = Matrix::zeros(rows.len(), images.rows());
        for (row, sure) in rows.into_iter().enumerate() {
            shown.row_mut(row).copy_from_slice(sure);
        }
        Ok(Self { images, words, shown })
    }

    /// A row a word: its response, as far as it can be believed.
    fn learn(&self, params: &Params) -> Result<Matrix> {
        let pictures = self.images.rows();
        let (back, used): (Vec<usize>, Vec<usize>) =
            (0..pictures).partition(|row| row.is_multiple_of(KEPT_BACK));
        let learnt = |rows: &[usize]| {
            let shown = columns(&self.shown, rows);
            many_logistic::fit(&self.images.only(rows), &shown, params.response_ridge)
        };
        let share = |word: usize| {
            let sum: f64 = self.shown.row(word).iter().map(|&sure| f64::from(sure)).sum();
            share_to_log_odds(sum / pictures.max(1) as f64)
        };
        let shares: Vec<f64> = (0..self.words.len()).map(share).collect();
        let mut samples = Vec::new();
        if !used.is_empty() {
            let odds = log_odds(&self.images.only(&back), &learnt(&used)?)?;
            for (row, &picture) in back.iter().enumerate() {
                for (word, &odds) in odds.row(row).iter().enumerate() {
                    let sure = f64::from(self.shown.row(word)[picture]);
                    let inputs = [f64::from(odds), shares[word]];
                    samples.push(Sample { inputs, sure, often: 1.0 });
                }
            }
        }
        let believed = match Weights::fit(&samples) {
            believed if believed.inputs[0] > 0.0 => believed,
            // Too few pictures were kept back to tell.
            _ => Weights { inputs: [1.0, 0.0], constant: 0.0 },
        };
        let Weights { inputs: [by_odds, by_share], constant } = believed;
        let mut learnt = learnt(&(0..pictures).collect::<Vec<_>>())?;
        for (word, share) in shares.iter().enumerate() {
            let row = learnt.row_mut(word);
            row.iter_mut().for_each(|value| *value *= by_odds as f32);
            if let Some(last) = row.last_mut() {
                *last += (by_share * share + constant) as f32;
            }
        }
        Ok(learnt)
    }
}

/// Some columns of a matrix.
fn columns(matrix: &Matrix, columns: &[usize]) -> Matrix {
    let mut to = Matrix::zeros(matrix.rows(), columns.len());
    for row in 0..matrix.rows() {
        let from = matrix.row(row);
        to.row_mut(row).iter_mut().zip(columns).for_each(|(to, &column)| *to = from[column]);
    }
    to
}
