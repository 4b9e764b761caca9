//! What becomes of documents that share a score.

use std::fmt;
use std::str::FromStr;

/// How documents that share a score are ordered.
///
/// A system that gives everything the same score knows nothing; under [`Ties::Worst`] it also
/// scores nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// Against the system: what is relevant comes last.
    #[default]
    Worst,
    /// As trec_eval: by document id, descending in byte order; in a score matrix by position,
    /// the last first.
    Trec,
    /// The expected value over all orders of the tied documents. It is exact for every measure
    /// but interpolated precision, which is the mean of 64 seeded shuffles.
    Mean,
    /// For the system: what is relevant comes first.
    Best,
}

impl Ties {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Worst, Self::Trec, Self::Mean, Self::Best];

    /// The rule's name, as the command and the protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Worst => "worst",
            Self::Trec => "trec",
            Self::Mean => "mean",
            Self::Best => "best",
        }
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Ties {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|rule| rule.name() == name);
        known.ok_or_else(|| format!("`{name}` is none of worst, trec, mean, best"))
    }
}
