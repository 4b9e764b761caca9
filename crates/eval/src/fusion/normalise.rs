//! Scores of different systems on one scale.
//!
//! | name | value | of what is not listed | where all scores are the same |
//! | --- | --- | --- | --- |
//! | min-max | (s - min) / (max - min) | 0 | 1 |
//! | z-score | (s - mean) / deviation | the lowest in the list | 0 |
//! | sum | (s - min) / sum of those | 0 | 1 / n |
//! | rank | 1 - (rank - 1) / n | 0 | (n + 1) / 2n |
//!
//! The deviation is that of the list itself (divided by n). Each list, that is one system's results
//! for one query, is normalised on its own.

use std::fmt;
use std::str::FromStr;

use super::{FusionError, Listed};

/// How a list of scores is normalised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Normalisation {
    /// From 0 for the lowest to 1 for the highest.
    #[default]
    MinMax,
    /// Mean 0, deviation 1.
    ZScore,
    /// Shifted to start at 0, with sum 1.
    Sum,
    /// By position: 1 for the first, 1 / n for the last.
    Rank,
}

impl fmt::Display for Normalisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MinMax => "min-max",
            Self::ZScore => "z-score",
            Self::Sum => "sum",
            Self::Rank => "rank",
        })
    }
}

impl FromStr for Normalisation {
    type Err = FusionError;

    fn from_str(text: &str) -> Result<Self, FusionError> {
        match text.to_ascii_lowercase().as_str() {
            "min-max" => Ok(Self::MinMax),
            "z-score" => Ok(Self::ZScore),
            "sum" => Ok(Self::Sum),
            "rank" => Ok(Self::Rank),
            _ => Err(FusionError::Unknown { name: text.to_owned() }),
        }
    }
}

impl Normalisation {
    /// The normalised values in the order of the list, and that of a document not listed.
    pub(super) fn apply(self, list: &[Listed]) -> (Vec<f64>, f64) {
        if list.is_empty() {
            return (Vec::new(), 0.0);
        }
        let count = list.len() as f64;
        let scores = || list.iter().map(|listed| listed.score);
        let least = scores().fold(f64::INFINITY, f64::min);
        let most = scores().fold(f64::NEG_INFINITY, f64::max);
        let constant = least == most;
        match self {
            Self::MinMax if constant => (vec![1.0; list.len()], 0.0),
            Self::MinMax => {
                // Halved, so that the widest range of all does not overflow.
                let range = most / 2.0 - least / 2.0;
                let value = |score: f64| (score / 2.0 - least / 2.0) / range;
                (scores().map(value).collect(), 0.0)
            }
            Self::ZScore if constant => (vec![0.0; list.len()], 0.0),
            Self::ZScore => {
                let mean = scores().map(|score| score / count).sum::<f64>();
                let largest = (most - mean).max(mean - least);
                let centred = || scores().map(|score| (score - mean) / largest);
                let variance = centred().map(|value| value * value / count).sum::<f64>();
                let values: Vec<f64> = centred().map(|value| value / variance.sqrt()).collect();
                let floor = values.iter().copied().fold(f64::INFINITY, f64::min);
                (values, floor)
            }
            Self::Sum if constant => (vec![1.0 / count; list.len()], 0.0),
            Self::Sum => {
                let sum: f64 = scores().map(|score| score - least).sum();
                (scores().map(|score| (score - least) / sum).collect(), 0.0)
            }
            Self::Rank => {
                (list.iter().map(|listed| 1.0 - (listed.rank - 1.0) / count).collect(), 0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(scores: &[f64], normalisation: Normalisation) -> (Vec<f64>, f64) {
        let list: Vec<Listed> = scores
            .iter()
            .enumerate()
            .map(|(at, &score)| Listed { document: at, score, rank: at as f64 + 1.0 })
            .collect();
        normalisation.apply(&list)
    }

    #[test]
    fn worked_by_hand() {
        assert_eq!(apply(&[6.0, 4.0, 2.0], Normalisation::MinMax), (vec![1.0, 0.5, 0.0], 0.0));
        let (sum, _) = apply(&[6.0, 4.0, 2.0], Normalisation::Sum);
        assert!((sum[0] - 4.0 / 6.0).abs() < 1e-15 && sum[2] == 0.0);
        let (rank, _) = apply(&[6.0, 4.0, 2.0, 1.0], Normalisation::Rank);
        assert_eq!(rank, [1.0, 0.75, 0.5, 0.25]);
        let (z, floor) = apply(&[1.0, -1.0], Normalisation::ZScore);
        assert_eq!((z, floor), (vec![1.0, -1.0], -1.0));
    }

    #[test]
    fn constant_and_extreme_scores() {
        assert_eq!(apply(&[3.0, 3.0], Normalisation::MinMax).0, [1.0, 1.0]);
        assert_eq!(apply(&[3.0, 3.0], Normalisation::ZScore), (vec![0.0, 0.0], 0.0));
        assert_eq!(apply(&[3.0, 3.0], Normalisation::Sum).0, [0.5, 0.5]);
        let (wide, _) = apply(&[f64::MAX, 0.0, f64::MIN], Normalisation::MinMax);
        assert_eq!(wide, [1.0, 0.5, 0.0]);
    }
}
