//! Learning from what people made of suggested keywords.
//!
//! A keyword that is known is adjusted: its log odds x become s x + t, fitted to the opinions, with
//! imagined opinions that agree with the old odds, so that a single click does not turn everything
//! over. A word that the lexicon does not give yet, and that several people's pictures have, becomes
//! a keyword by evidence (see `widen.rs`), with ordinary pictures as those that do not show it. Both
//! change how the word responds, and so how searches for it are judged.

use std::collections::BTreeMap;

use rebus_collection::Matrix;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::json;

use super::Lexicon;
use super::keywords::Entry;
use super::logistic::{Sample, Weights};
use super::responses::Responses;
use super::widen::{moved, regress};
use crate::word_space::WordSpace;
use crate::{Error, Result, dot_products};

/// What somebody said about a keyword and a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opinion<'a> {
    /// The picture's row.
    pub row: usize,
    /// The keyword.
    pub word: &'a str,
    /// Whether it fits.
    pub fits: bool,
}

/// What a re-fit changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Refit {
    /// Keywords whose probabilities were adjusted.
    pub adjusted: Vec<String>,
    /// Keywords that the lexicon could not give before.
    pub new: Vec<String>,
    /// Words of which too little was said, or that are several words.
    pub left_out: Vec<String>,
}

/// Where the imagined opinions lie, in log odds, and what each counts: together as much as four.
const IMAGINED: std::ops::RangeInclusive<i32> = -4..=4;
const COUNTS: f64 = 4.0 / 9.0;
/// The order of pictures that a keyword gives is flattened at most so far, and never turned round.
const FLATTEST: f64 = 0.2;
/// The log odds of a new keyword for an ordinary picture: it hardly ever fits.
const ORDINARY: f64 = -4.0;

/// Everything that was said about one word.
struct Said<'a> {
    word: &'a str,
    /// The picture's row, and whether the word fits.
    opinions: Vec<(usize, bool)>,
}

impl Lexicon {
    /// A lexicon that has learnt from opinions, and what has changed. `images` are the vectors of
    /// the pictures that the opinions are about, `ordinary` those of other pictures, both rows of
    /// [`DualEncoder::encode_images`](crate::DualEncoder::encode_images).
    ///
    /// # Errors
    /// If the rows have another length, or an opinion is about a picture that is not there.
    pub fn refit(
        &self,
        images: &Matrix,
        ordinary: &Matrix,
        opinions: &[Opinion<'_>],
    ) -> Result<(Self, Refit)> {
        let side = self.space.dimensions();
        for matrix in [images, ordinary] {
            if matrix.columns() != side {
                return Err(Error::Shape { expected: side, found: matrix.columns() });
            }
        }
        let (said, mut refit) = self.sorted(images, opinions)?;
        let space = self.widened(&said, images, ordinary, &mut refit)?;
        let mut keywords = self.keywords.clone();
        for entry in &mut keywords.list {
            entry.row = space.bag.position(&entry.stem).unwrap_or(entry.row);
        }
        let none = Responses { rows: Matrix::zeros(space.bag.len(), side + 1) };
        let mut responses = self.responses.in_space(&self.space, &space, none);
        for (stem, said) in &said {
            let Some(row) = space.bag.position(stem) else { continue };
            let new = refit.new.iter().any(|word| word == said.word);
            let known = keywords.list.iter().find(|entry| entry.row == row);
            match known {
                Some(entry) => refit.adjusted.push(entry.word.clone()),
                None if !new => continue,
                None => {
                    keywords.list.push(Entry {
                        word: said.word.to_owned(),
                        stem: stem.clone(),
                        row,
                    });
                }
            }
            if self.space.bag.position(stem).is_none() {
                let Some(vector) = space.of_words(&[row]) else { continue };
                let scores = dot_products(&vector, images)?;
                let fitting = said.opinions.iter().filter(|(_, fits)| *fits);
                let shown: Vec<f32> = fitting.map(|(at, _)| scores.row(0)[*at]).collect();
                let usual = dot_products(&vector, ordinary)?;
                let (factor, constant) = first_line(usual.row(0), &shown);
                let to = responses.rows.row_mut(row);
                for (to, value) in to.iter_mut().zip(vector.row(0)) {
                    *to = factor as f32 * value;
                }
                to[side] = constant as f32;
            }
            let odds = responses.of(images, &[row])?;
            let seen = |(at, fits): &(usize, bool)| (f64::from(odds.row(*at)[0]), *fits);
            let seen: Vec<(f64, bool)> = said.opinions.iter().map(seen).collect();
            let (slope, shift) = adjustment(&seen);
            let to = responses.rows.row_mut(row);
            to.iter_mut().for_each(|value| *value *= slope as f32);
            to[side] += shift as f32;
        }
        keywords.list.sort_by(|a, b| a.word.cmp(&b.word));
        let mut origin = self.origin.clone();
        origin.training.insert(
            "refit".into(),
            json!({ "opinions": opinions.len(), "adjusted": refit.adjusted.len(),
                    "new": refit.new.len() }),
        );
        Ok((Self { origin, space, responses, keywords, ..self.clone() }, refit))
    }

    /// The opinions by the word as the bag has it.
    fn sorted<'o>(
        &self,
        images: &Matrix,
        opinions: &[Opinion<'o>],
    ) -> Result<(BTreeMap<String, Said<'o>>, Refit)> {
        let (mut said, mut refit) = (BTreeMap::new(), Refit::default());
        for &Opinion { row, word, fits } in opinions {
            if row >= images.rows() {
                let what = format!("an opinion about picture {row} of {}", images.rows());
                return Err(Error::Data { what });
            }
            match &self.space.bag.tokens(word)[..] {
                [stem] => {
                    let said: &mut Said<'_> = said
                        .entry(stem.clone())
                        .or_insert_with(|| Said { word, opinions: Vec::new() });
                    said.opinions.push((row, fits));
                }
                _ if refit.left_out.iter().any(|other| other == word) => {}
                _ => refit.left_out.push(word.to_owned()),
            }
        }
        Ok((said, refit))
    }

    /// The space with the words that are new to it. Which words become keywords is told in `refit`.
    fn widened(
        &self,
        said: &BTreeMap<String, Said<'_>>,
        images: &Matrix,
        ordinary: &Matrix,
        refit: &mut Refit,
    ) -> Result<WordSpace> {
        let rows = ordinary.rows() + images.rows();
        let mut vectors = Matrix::zeros(rows, images.columns());
        let values = ordinary.values().iter().chain(images.values());
        vectors.values_mut().iter_mut().zip(values).for_each(|(to, from)| *to = *from);
        let (mut stems, mut shown) = (Vec::new(), Vec::new());
        for (stem, Said { word, opinions }) in said {
            if self.keywords.list.iter().any(|entry| entry.stem == *stem) {
                continue;
            }
            let fitting = opinions.iter().filter(|(_, fits)| *fits);
            if (fitting.clone().count() as f64) < self.params.least {
                refit.left_out.push((*word).to_owned());
                continue;
            }
            refit.new.push((*word).to_owned());
            if self.space.bag.position(stem).is_none() {
                let mut sure = vec![0.0f32; rows];
                fitting.for_each(|(row, _)| sure[ordinary.rows() + row] = 1.0);
                stems.push(stem.clone());
                shown.push(sure);
            }
        }
        if stems.is_empty() {
            return Ok(self.space.clone());
        }
        let targets: Vec<&[f32]> = shown.iter().map(Vec::as_slice).collect();
        let found = regress(&vectors, &targets, self.params.ridge, "corrections")?;
        let moves: FxHashMap<String, Vec<f64>> = stems.into_iter().zip(found).collect();
        Ok(moved(&self.space, &moves, &self.params))
    }
}

/// A first guess at the line from scores to log odds of a new keyword: where ordinary pictures and
/// those that show it lie.
fn first_line(ordinary: &[f32], shown: &[f32]) -> (f64, f64) {
    let mean = |scores: &[f32]| {
        scores.iter().map(|&score| f64::from(score)).sum::<f64>() / scores.len().max(1) as f64
    };
    let (usual, shown) = (mean(ordinary), mean(shown));
    // Half way from ordinary pictures to those that show it, both are equally probable.
    let factor = -2.0 * ORDINARY / (shown - usual).abs().max(1e-3);
    (factor, ORDINARY - factor * usual)
}

/// By what log odds are multiplied, and what is added, for opinions to agree with them: each opinion
/// with the log odds of its picture.
fn adjustment(seen: &[(f64, bool)]) -> (f64, f64) {
    let real = seen.iter().map(|&(odds, fits)| Sample {
        inputs: [odds],
        sure: if fits { 1.0 } else { 0.0 },
        often: 1.0,
    });
    let imagined = IMAGINED.map(|odds| {
        let odds = f64::from(odds);
        Sample { inputs: [odds], sure: 1.0 / (1.0 + (-odds).exp()), often: COUNTS }
    });
    let samples: Vec<_> = real.chain(imagined).collect();
    let Weights { inputs: [slope], constant: shift } = Weights::fit(&samples);
    (slope.max(FLATTEST), shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::four_words::fitted;
    use crate::{DualEncoder, Model};

    fn probability(lexicon: &Lexicon, images: &Matrix, row: usize, word: &str) -> Option<f64> {
        let all = lexicon.keywords(images).unwrap();
        all[row].iter().find(|keyword| keyword.word == word).map(|keyword| keyword.probability)
    }

    #[test]
    fn nobody_said_anything_so_nothing_changes() {
        let (slope, shift) = adjustment(&[]);
        assert!((slope - 1.0).abs() < 0.01 && shift.abs() < 0.01, "{slope} {shift}");
    }

    #[test]
    fn opinions_move_probabilities_their_way() {
        let at = |(slope, shift): (f64, f64), odds: f64| slope * odds + shift;
        let lower = adjustment(&[(1.2, false), (1.6, false), (0.8, false)]);
        let higher = adjustment(&[(-1.2, true), (-1.6, true)]);
        assert!(at(lower, 1.2) < 1.2 - 0.5);
        assert!(at(higher, -1.2) > -1.2 + 0.5);
        // The better the score, the more probable, still.
        assert!(lower.0 > 0.0 && higher.0 > 0.0);
    }

    #[test]
    fn a_word_that_people_add_becomes_a_keyword() {
        let (lexicon, features) = fitted();
        let images = lexicon.encode_images(&features).unwrap();
        let known = lexicon.keyword_list().next().unwrap().to_owned();
        let sure = |row: usize| probability(&lexicon, &images, row, &known).unwrap();
        let surest = (0..16).max_by(|&a, &b| sure(a).total_cmp(&sure(b))).unwrap();
        // The first dimension of these pictures is what the first word is about.
        let shows: Vec<usize> = (0..8).map(|k| k * 4).collect();
        let mut opinions: Vec<Opinion<'_>> =
            shows.iter().map(|&row| Opinion { row, word: "zxqv", fits: true }).collect();
        opinions.extend((0..8).map(|k| Opinion { row: k * 4 + 1, word: "zxqv", fits: false }));
        opinions.push(Opinion { row: surest, word: &known, fits: false });
        opinions.push(Opinion { row: 0, word: "qqq", fits: true });
        opinions.push(Opinion { row: 0, word: "qqq rrr", fits: true });
        let (learnt, refit) = lexicon.refit(&images, &images, &opinions).unwrap();
        assert_eq!(refit.new, ["zxqv"]);
        assert_eq!(refit.adjusted, [known.as_str()]);
        assert_eq!(refit.left_out, ["qqq rrr", "qqq"]);
        assert!(!lexicon.unknown("zxqv").is_empty() && learnt.unknown("zxqv").is_empty());
        let [yes, no] = [0, 1].map(|row| probability(&learnt, &images, row, "zxqv").unwrap());
        assert!(yes > 0.5 && no < 0.5, "{yes} {no}");
        assert!(probability(&learnt, &images, surest, &known).unwrap() < sure(surest));
        // It is a model like any other.
        let folder = tempfile::tempdir().unwrap();
        learnt.save(folder.path()).unwrap();
        let again = Lexicon::load(folder.path()).unwrap();
        let kept = probability(&again, &images, 0, "zxqv").unwrap();
        assert!((kept - yes).abs() < 0.05, "{kept} {yes}");
        assert!(lexicon.refit(&images, &images, &[Opinion { row: 999, ..opinions[0] }]).is_err());
        assert!(lexicon.refit(&Matrix::zeros(1, 1), &images, &[]).is_err());
    }
}
