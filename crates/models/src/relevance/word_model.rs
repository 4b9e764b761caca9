//! How words are drawn from a training picture by relevance models over region vectors.

use super::counts::Counts;
use super::crm::{CRM, MBRM};
use super::urns::Urns;

/// How words are drawn from a training picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordModel {
    /// One after the other from an urn: `crm`.
    Multinomial,
    /// Each by itself, there or not: `mbrm`.
    Bernoulli,
}

impl WordModel {
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Multinomial => CRM,
            Self::Bernoulli => MBRM,
        }
    }

    /// Words as they are drawn.
    pub(super) fn counted(self, words: Counts) -> Counts {
        match self {
            Self::Multinomial => words,
            Self::Bernoulli => words.present(),
        }
    }

    /// How many words are drawn for a picture's text: words that are there or not have probabilities
    /// of their own.
    pub(super) fn length(self, words: &Counts) -> f64 {
        match self {
            Self::Multinomial => words.mean_size(),
            Self::Bernoulli => 1.0,
        }
    }

    /// The urns of words, with |J| = 1 where a word is there or not.
    pub(super) fn urns(self, words: Counts, alpha: f64) -> Urns {
        let size = |row: usize| match self {
            Self::Multinomial => words.size(row),
            Self::Bernoulli => 1.0,
        };
        let sizes: Vec<f64> = (0..words.rows()).map(size).collect();
        Urns::of_sizes(words, &sizes, alpha)
    }

    /// P(w|I) from the mean of the urns' shares.
    pub(super) fn probabilities(self, urns: &Urns, shares: &mut [f64], alpha: f64) {
        match self {
            Self::Multinomial => urns.smooth(shares, alpha),
            Self::Bernoulli => {
                for (share, background) in shares.iter_mut().zip(urns.background()) {
                    *share = (1.0 - alpha) * *share + alpha * background;
                }
            }
        }
    }
}
