//! More words than the captions have.
//!
//! Evidence says of pictures how surely each shows a word. A ridge regression from the pictures'
//! vectors to the evidence gives a direction a word: where pictures lie that show it. A new word
//! takes that direction, with the length of an ordinary word. A word that the captions have is
//! moved towards it, the less the more captions hold it.

use faer::Accum;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Mat, Par, Side};
use rebus_collection::Matrix;
use rebus_text::vocabulary::Entry;
use rustc_hash::FxHashMap;

use super::Params;
use crate::word_space::WordSpace;
use crate::{Error, Result};

/// Pictures, and what they show beyond captions.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// What the evidence is called in the model's record.
    pub name: &'a str,
    /// One row a picture, from the same extractor as the captioned pictures'.
    pub features: &'a Matrix,
    /// A word, and for each picture how surely it shows it, 0 to 1.
    pub words: Vec<(String, Vec<f32>)>,
    /// How far this evidence moves a word: 1 for what people said, less for guesses.
    pub trust: f64,
}

impl Evidence<'_> {
    pub(super) fn check(&self) -> Result<()> {
        let bad = |what: String| Err(Error::Data { what: format!("{}: {what}", self.name) });
        if !(self.trust.is_finite() && self.trust > 0.0) {
            return bad("trust must be above 0".into());
        }
        for (word, sure) in &self.words {
            if sure.len() != self.features.rows() {
                let rows = self.features.rows();
                return bad(format!("{} values for {rows} pictures at `{word}`", sure.len()));
            }
            if let Some(value) = sure.iter().find(|value| !(0.0..=1.0).contains(*value)) {
                return bad(format!("{value} at `{word}` is no probability"));
            }
        }
        Ok(())
    }

    /// What is one word to the bag and is seen often enough: as it is written, as the bag has it,
    /// and how surely each picture shows it.
    pub(super) fn single_words(
        &self,
        space: &WordSpace,
        params: &Params,
    ) -> impl Iterator<Item = (&str, String, &[f32])> {
        self.words.iter().filter_map(|(word, sure)| {
            let seen: f64 = sure.iter().map(|&sure| f64::from(sure)).sum();
            match &space.bag.tokens(word)[..] {
                [stem] if seen >= params.least => Some((word.as_str(), stem.clone(), &sure[..])),
                _ => None,
            }
        })
    }
}

/// The direction of length 1 of every word of the evidence that is one word and seen often enough.
fn directions(
    space: &WordSpace,
    evidence: &Evidence<'_>,
    params: &Params,
) -> Result<Vec<(String, Vec<f64>)>> {
    let words: Vec<(&str, String, &[f32])> = evidence.single_words(space, params).collect();
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let vectors = space.encode_images(evidence.features)?;
    let shown: Vec<&[f32]> = words.iter().map(|(_, _, sure)| *sure).collect();
    let found = regress(&vectors, &shown, params.ridge, evidence.name)?;
    let directions = words.into_iter().zip(found);
    Ok(directions.filter_map(|((_, stem, _), vector)| Some((stem, unit(vector)?))).collect())
}

/// For each word the direction in which vectors that show it lie: a ridge regression from
/// `vectors` to how surely each row shows the word. The ridge is in units of the mean
/// variance of a dimension.
pub(super) fn regress(
    vectors: &Matrix,
    shown: &[&[f32]],
    ridge: f64,
    name: &str,
) -> Result<Vec<Vec<f64>>> {
    let (rows, side) = (vectors.rows(), vectors.columns());
    let share = 1.0 / rows as f64;
    let mut x = Mat::from_fn(rows, side, |row, k| f64::from(vectors.row(row)[k]));
    for column in 0..side {
        let mean = (0..rows).map(|row| x[(row, column)]).sum::<f64>() * share;
        (0..rows).for_each(|row| x[(row, column)] -= mean);
    }
    let mean = |sure: &[f32]| sure.iter().map(|&sure| f64::from(sure)).sum::<f64>() * share;
    let means: Vec<f64> = shown.iter().map(|sure| mean(sure)).collect();
    let y = Mat::from_fn(rows, shown.len(), |row, k| f64::from(shown[k][row]) - means[k]);
    let mut covariance = Mat::zeros(side, side);
    matmul(covariance.as_mut(), Accum::Replace, x.transpose(), &x, share, Par::rayon(0));
    let mean = (0..side).map(|k| covariance[(k, k)]).sum::<f64>() / side as f64;
    (0..side).for_each(|k| covariance[(k, k)] += ridge * mean.max(1e-12));
    let mut cross = Mat::zeros(side, shown.len());
    matmul(cross.as_mut(), Accum::Replace, x.transpose(), &y, share, Par::rayon(0));
    let factor = covariance
        .llt(Side::Lower)
        .map_err(|_| Error::Data { what: format!("{name}: the pictures have no variance") })?;
    factor.solve_in_place(cross.as_mut());
    let vector = |k: usize| (0..side).map(|j| cross[(j, k)]).collect();
    Ok((0..shown.len()).map(vector).collect())
}

/// Scaled to length 1; `None` for zeros.
pub(super) fn unit(mut vector: Vec<f64>) -> Option<Vec<f64>> {
    let length = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    (length > 0.0).then_some(vector)
}

fn length(row: &[f32]) -> f64 {
    row.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt()
}

/// How long the vector of an ordinary word is: half of them are longer.
pub(super) fn ordinary_length(space: &WordSpace) -> f64 {
    let mut lengths: Vec<f64> =
        (0..space.words.rows()).map(|k| length(space.words.row(k))).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(1.0)
}

/// The space with the words of all evidence.
pub(super) fn widen(
    space: &WordSpace,
    evidence: &[Evidence<'_>],
    params: &Params,
) -> Result<WordSpace> {
    let mut moves: FxHashMap<String, Vec<f64>> = FxHashMap::default();
    for evidence in evidence {
        evidence.check()?;
        for (stem, direction) in directions(space, evidence, params)? {
            let sum = moves.entry(stem).or_insert_with(|| vec![0.0; space.dimensions()]);
            for (sum, value) in sum.iter_mut().zip(direction) {
                *sum += evidence.trust * value;
            }
        }
    }
    Ok(moved(space, &moves, params))
}

/// The space with words moved in these directions, and those that are new to it put there.
pub(super) fn moved(
    space: &WordSpace,
    moves: &FxHashMap<String, Vec<f64>>,
    params: &Params,
) -> WordSpace {
    let ordinary = ordinary_length(space);

    // A word that no caption has weighs as much as one that a single picture's captions have.
    let new = moves.keys().filter(|stem| space.bag.position(stem).is_none());
    let new: Vec<Entry> =
        new.map(|stem| Entry { word: stem.clone(), count: 1, texts: 1 }).collect();
    let bag = space.bag.with(new);
    let mut words = Matrix::zeros(bag.len(), space.dimensions());
    for (row, stem) in bag.words().enumerate() {
        let to = words.row_mut(row);
        let direction = moves.get(stem);
        match (space.bag.position(stem), direction) {
            (Some(old), None) => to.copy_from_slice(space.words.row(old)),
            (Some(old), Some(direction)) => {
                let from = space.words.row(old);
                let frequency = space.bag.documents_with(stem) as f64;
                let far = length(from) / (1.0 + frequency / params.steadiness);
                for ((to, &from), way) in to.iter_mut().zip(from).zip(direction) {
                    *to = (f64::from(from) + far * way) as f32;
                }
            }
            (None, Some(direction)) => {
                let direction = unit(direction.clone()).unwrap_or_default();
                for (to, way) in to.iter_mut().zip(direction) {
                    *to = (ordinary * way) as f32;
                }
            }
            (None, None) => {}
        }
    }
    WordSpace { bag, words, ..space.clone() }
}
