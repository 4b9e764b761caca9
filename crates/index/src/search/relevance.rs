//! What scores mean, and how evidence becomes one probability.

use rebus_collection::Matrix;
use rebus_models::{Meaning, Understands};

use crate::vectors::VectorEngine;
use crate::{PhotoId, Result, Selection};

/// How many photos tell how an uncalibrated model's scores lie.
const SAMPLE: usize = 2048;
/// Without a calibration: how many robust deviations above the middle a photo is as likely relevant
/// as not, and how fast that changes. A match lies three above; of normal scores, one in 740 does.
const MIDDLE: f64 = 3.55;
const STEEPNESS: f64 = 2.0;
/// The median absolute deviation of a normal distribution, as a share of its deviation.
const NORMAL: f64 = 0.674_5;
/// Probabilities are kept off 0 and 1, where odds are infinite.
const EDGE: f64 = 1e-9;

/// How photos of the index score with one part of a query, and what that means.
pub(super) enum Relevance {
    /// Nothing is known about the part.
    Nothing,
    /// By the model's own calibration.
    Calibrated(Vec<f64>),
    /// By how the photos of the index score.
    Uncalibrated(Vec<f64>),
}

/// What is asked for: a text with its probes, or the vector of a picture.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    Text { text: &'a str, probes: &'a Matrix },
    Image(&'a [f32]),
}

impl<'a> Asked<'a> {
    /// The vectors with which photos are scored.
    pub(super) fn vectors(self) -> impl Iterator<Item = &'a [f32]> {
        let (probes, image) = match self {
            Self::Text { probes, .. } => (Some(probes), None),
            Self::Image(image) => (None, Some(image)),
        };
        let rows =
            probes.into_iter().flat_map(|probes| (0..probes.rows()).map(|row| probes.row(row)));
        rows.chain(image)
    }
}

/// The relevance of each photo: `scores` has a row for each vector of what is asked for, a column a
/// photo.
pub(super) fn relevance(
    model: &dyn Understands,
    engine: &dyn VectorEngine,
    seen: &Selection,
    asked: Asked<'_>,
    scores: &Matrix,
) -> Result<Relevance> {
    let first = scores.row(0);
    let meaning = match asked {
        Asked::Text { text, .. } => model.meaning_for_text(text, scores)?,
        Asked::Image(image) => model.meaning_for_image(image, first)?,
    };
    Ok(match meaning {
        Meaning::Nothing => Relevance::Nothing,
        Meaning::Probabilities(probabilities) => Relevance::Calibrated(probabilities),
        Meaning::Uncalibrated => {
            let spread = Spread::of(engine, seen, asked.vectors().next().unwrap_or_default())?;
            Relevance::Uncalibrated(first.iter().map(|&score| spread.relevance(score)).collect())
        }
    })
}

/// The middle of scores and how far they lie from it.
#[derive(Debug, Clone, Copy)]
struct Spread {
    middle: f64,
    deviation: f64,
}

impl Spread {
    /// Of photos that lie evenly among those seen.
    fn of(engine: &dyn VectorEngine, seen: &Selection, vector: &[f32]) -> Result<Self> {
        let step = seen.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<PhotoId> = seen.iter().step_by(step).collect();
        let scores = engine.scores(vector, &sample)?;
        let scores: Vec<f64> = scores.into_iter().flatten().map(f64::from).collect();
        Ok(Self::of_scores(scores))
    }

    fn of_scores(mut scores: Vec<f64>) -> Self {
        let middle = median(&mut scores);
        scores.iter_mut().for_each(|score| *score = (*score - middle).abs());
        Self { middle, deviation: (median(&mut scores) / NORMAL).max(1e-12) }
    }

    fn relevance(&self, score: f32) -> f64 {
        let standard = (f64::from(score) - self.middle) / self.deviation;
        1.0 / (1.0 + (-STEEPNESS * (standard - MIDDLE)).exp())
    }
}

fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The weighted mean of probabilities in log odds (a logarithmic opinion pool): several opinions about
/// one thing.
pub(super) fn pooled(parts: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (weight, probability) in parts {
        let p = probability.clamp(EDGE, 1.0 - EDGE);
        sum += weight * (p / (1.0 - p)).ln();
        weights += weight;
    }
    if weights == 0.0 { 0.0 } else { 1.0 / (1.0 + (-sum / weights).exp()) }
}

/// How probable it is that several independent things are so, each as far as its weight asks: with
/// equal weights their product.
pub(super) fn all_of(parts: &[(f64, f64)]) -> f64 {
    let weights: f64 = parts.iter().map(|(weight, _)| weight).sum();
    match parts {
        [(_, only)] => return *only,
        _ if weights == 0.0 => return 0.0,
        _ => {}
    }
    let sum: f64 = parts.iter().map(|(weight, p)| weight * p.max(EDGE).ln()).sum();
    (sum * parts.len() as f64 / weights).exp()
}

/// Either of two independent kinds of evidence will do (noisy or).
pub(super) fn either(a: f64, b: f64) -> f64 {
    1.0 - (1.0 - a) * (1.0 - b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_by_hand() {
        assert!((pooled([(1.0, 0.8)]) - 0.8).abs() < 1e-12);
        assert!((pooled([(1.0, 0.8), (1.0, 0.2)]) - 0.5).abs() < 1e-12);
        // Twice the weight counts as twice the part.
        let twice = pooled([(1.0, 0.9), (1.0, 0.9), (1.0, 0.1)]);
        assert!((pooled([(2.0, 0.9), (1.0, 0.1)]) - twice).abs() < 1e-12);
        assert!(pooled([(1.0, 1.0), (1.0, 0.0)]).is_finite());
        assert_eq!(pooled([]), 0.0);
    }

    #[test]
    fn all_of_by_hand() {
        assert!((all_of(&[(3.0, 0.4)]) - 0.4).abs() < 1e-12);
        assert!((all_of(&[(2.0, 0.4), (2.0, 0.5)]) - 0.2).abs() < 1e-12);
        // A weight of three against one: 1.5 and 0.5 in place of one each.
        assert!((all_of(&[(3.0, 0.25), (1.0, 0.64)]) - 0.125 * 0.8).abs() < 1e-12);
        assert_eq!(all_of(&[]), 0.0);
    }

    #[test]
    fn either_by_hand() {
        assert!((either(0.5, 0.5) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn what_stands_out_is_relevant_and_a_few_do_not_move_the_middle() {
        let mut scores: Vec<f64> = (0..1000).map(|k| f64::from(k % 100) / 1000.0).collect();
        scores.extend([0.9; 20]);
        let spread = Spread::of_scores(scores);
        assert!(spread.relevance(0.9) > 0.99);
        assert!(spread.relevance(0.05) < 0.01);
        assert!(spread.relevance(0.099) < super::super::CUT_OFF);
        let three = Spread { middle: 0.0, deviation: 1.0 }.relevance(3.0);
        assert!((three - super::super::CUT_OFF).abs() < 0.01, "{three}");
    }
}
