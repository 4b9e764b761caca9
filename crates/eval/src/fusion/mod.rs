//! Several rankings of the same query made into one.
//!
//! | method | what is added up over the systems |
//! | --- | --- |
//! | [`Fusion::Borda`] | N - r, by position (ranking-task paper, section 4.1.3) |
//! | [`Fusion::ReciprocalRank`] | 1 / (k + rank), by position (Cormack et al. 2009) |
//! | [`Fusion::CombSum`] | normalised scores (Fox & Shaw 1994) |
//! | [`Fusion::CombMnz`] | the same, times the number of systems that list the document |
//!
//! Within a system, documents of one score share the mean of their positions, so that a system
//! that scores everything alike decides nothing.
//!
//! **A document that a system does not list** gets from it what is worst: no points (Borda), no
//! share (reciprocal rank), the lowest value of the normalisation (0, or for the z-score the lowest
//! one in that list). A system that has nothing at all for a query gives nothing to anyone.
//!
//! ```
//! use rebus_eval::fusion::{Fusion, fuse};
//!
//! let one = [("a.jpg", 0.9), ("b.jpg", 0.5), ("c.jpg", 0.1)];
//! let other = [("b.jpg", 12.0), ("a.jpg", 7.0), ("c.jpg", 3.0)];
//! let third = [("b.jpg", 0.3), ("c.jpg", 0.2), ("a.jpg", 0.1)];
//! let fused = fuse(&[&one[..], &other[..], &third[..]], Fusion::Borda)?;
//! let order: Vec<&str> = fused.iter().map(|(document, _)| *document).collect();
//! assert_eq!(order, ["b.jpg", "a.jpg", "c.jpg"]);
//! # Ok::<(), rebus_eval::fusion::FusionError>(())
//! ```

mod borda;
mod comb;
mod normalise;
mod reciprocal_rank;
mod runs;

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use rustc_hash::FxHashMap;

pub use normalise::Normalisation;
pub use runs::fuse_runs;

use crate::midrank::Midranks;

/// How rankings are made into one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fusion {
    /// Borda count; ties by the median of the ranks.
    Borda,
    /// Reciprocal rank fusion.
    ReciprocalRank {
        /// Damps the first ranks; the paper takes 60.
        k: f64,
    },
    /// Sum of normalised scores.
    CombSum(Normalisation),
    /// Sum of normalised scores times the number of systems that list the document.
    CombMnz(Normalisation),
}

impl Fusion {
    /// Reciprocal rank fusion as its paper has it, k = 60.
    pub const RECIPROCAL_RANK: Self = Self::ReciprocalRank { k: 60.0 };
}

impl fmt::Display for Fusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Borda => f.write_str("borda"),
            Self::ReciprocalRank { k } => write!(f, "rrf:{k}"),
            Self::CombSum(normalisation) => write!(f, "combsum:{normalisation}"),
            Self::CombMnz(normalisation) => write!(f, "combmnz:{normalisation}"),
        }
    }
}

impl FromStr for Fusion {
    type Err = FusionError;

    /// Reads `borda`, `rrf` or `rrf:K`, `combsum` or `combsum:NORM`, and the same for `combmnz`.
    fn from_str(text: &str) -> Result<Self, FusionError> {
        let unknown = || FusionError::Unknown { name: text.to_owned() };
        let (name, setting) = match text.split_once(':') {
            Some((name, setting)) => (name, Some(setting)),
            None => (text, None),
        };
        let normalisation = || setting.map_or(Ok(Normalisation::MinMax), str::parse);
        match name.to_ascii_lowercase().as_str() {
            "borda" if setting.is_none() => Ok(Self::Borda),
            "rrf" => match setting.map(str::parse::<f64>) {
                None => Ok(Self::RECIPROCAL_RANK),
                Some(Ok(k)) if k.is_finite() && k >= 0.0 => Ok(Self::ReciprocalRank { k }),
                Some(_) => Err(unknown()),
            },
            "combsum" => Ok(Self::CombSum(normalisation()?)),
            "combmnz" => Ok(Self::CombMnz(normalisation()?)),
            _ => Err(unknown()),
        }
    }
}

/// Why rankings could not be made into one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FusionError {
    /// A name that is no method.
    #[error(
        "`{name}` is no fusion: take borda, rrf[:K], combsum[:NORM] or combmnz[:NORM], where NORM \
         is min-max, z-score, sum or rank"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// A score is NaN or infinite.
    #[error("ranking {ranking}, result {at} (both counted from 0): the score is not finite")]
    NotFinite {
        /// Which ranking.
        ranking: usize,
        /// Which result.
        at: usize,
    },
    /// A document stands in one ranking twice.
    #[error("ranking {ranking}, result {at} (both counted from 0): the document occurs twice")]
    Twice {
        /// Which ranking.
        ranking: usize,
        /// Which result.
        at: usize,
    },
}

/// Makes rankings of one query into one: documents with the fused scores, the best first; of equal
/// scores the smaller document first. The order within a ranking given is by its scores alone.
///
/// # Errors
/// If a score is not finite, or a document occurs twice in one ranking.
pub fn fuse<D: Clone + Eq + Hash + Ord>(
    rankings: &[&[(D, f64)]],
    method: Fusion,
) -> Result<Vec<(D, f64)>, FusionError> {
    let pool = Pool::new(rankings)?;
    let scores = match method {
        Fusion::Borda => borda::scores(&pool),
        Fusion::ReciprocalRank { k } => reciprocal_rank::scores(&pool, k),
        Fusion::CombSum(normalisation) => comb::sum(&pool, normalisation),
        Fusion::CombMnz(normalisation) => comb::mnz(&pool, normalisation),
    };
    let mut fused: Vec<(D, f64)> = pool.documents.iter().map(|&d| d.clone()).zip(scores).collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(fused)
}

/// All documents of a query, and what each system says about those it lists.
struct Pool<'a, D> {
    documents: Vec<&'a D>,
    lists: Vec<Vec<Listed>>,
}

/// A document as one system lists it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Listed {
    document: usize,
    score: f64,
    /// Position from 1; documents of one score share the mean of theirs.
    rank: f64,
}

impl<'a, D: Eq + Hash> Pool<'a, D> {
    fn new(rankings: &[&'a [(D, f64)]]) -> Result<Self, FusionError> {
        let mut numbers: FxHashMap<&D, usize> = FxHashMap::default();
        let mut documents = Vec::new();
        let mut lists = Vec::with_capacity(rankings.len());
        for (ranking, results) in rankings.iter().enumerate() {
            let negated: Vec<f64> = results.iter().map(|(_, score)| -score).collect();
            if let Some(at) = negated.iter().position(|score| !score.is_finite()) {
                return Err(FusionError::NotFinite { ranking, at });
            }
            let ranks = Midranks::of(&negated).ranks;
            let mut seen = vec![false; documents.len() + results.len()];
            let mut list = Vec::with_capacity(results.len());
            for (at, ((document, score), rank)) in results.iter().zip(ranks).enumerate() {
                let number = *numbers.entry(document).or_insert_with(|| {
                    documents.push(document);
                    documents.len() - 1
                });
                if std::mem::replace(&mut seen[number], true) {
                    return Err(FusionError::Twice { ranking, at });
                }
                list.push(Listed { document: number, score: *score, rank });
            }
            lists.push(list);
        }
        Ok(Self { documents, lists })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const METHODS: [Fusion; 10] = [
        Fusion::Borda,
        Fusion::RECIPROCAL_RANK,
        Fusion::CombSum(Normalisation::MinMax),
        Fusion::CombSum(Normalisation::ZScore),
        Fusion::CombSum(Normalisation::Sum),
        Fusion::CombSum(Normalisation::Rank),
        Fusion::CombMnz(Normalisation::MinMax),
        Fusion::CombMnz(Normalisation::ZScore),
        Fusion::CombMnz(Normalisation::Sum),
        Fusion::CombMnz(Normalisation::Rank),
    ];

    #[test]
    fn names_come_back() {
        for method in METHODS {
            assert_eq!(method.to_string().parse::<Fusion>().unwrap(), method);
        }
        assert_eq!("CombSum".parse(), Ok(Fusion::CombSum(Normalisation::MinMax)));
        for wrong in ["", "borda:1", "rrf:x", "rrf:-1", "rrf:inf", "combsum:best", "median"] {
            assert!(wrong.parse::<Fusion>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn bad_rankings_are_named() {
        let twice = fuse(&[&[("a", 1.0)][..], &[("a", 1.0), ("a", 0.5)][..]], Fusion::Borda);
        assert_eq!(twice, Err(FusionError::Twice { ranking: 1, at: 1 }));
        let broken = fuse(&[&[("a", f64::NAN)][..]], Fusion::Borda);
        assert_eq!(broken, Err(FusionError::NotFinite { ranking: 0, at: 0 }));
        assert_eq!(fuse::<&str>(&[], Fusion::Borda), Ok(vec![]));
        assert_eq!(fuse::<&str>(&[&[], &[]], Fusion::CombMnz(Normalisation::ZScore)), Ok(vec![]));
    }

    #[test]
    fn a_constant_system_decides_nothing() {
        let order = [("a", 3.0), ("b", 2.0), ("c", 1.0)];
        let constant = [("c", 5.0), ("b", 5.0), ("a", 5.0)];
        for method in METHODS {
            let fused = fuse(&[&order[..], &constant[..]], method).unwrap();
            let names: Vec<&str> = fused.iter().map(|(document, _)| *document).collect();
            assert_eq!(names, ["a", "b", "c"], "{method}");
        }
    }

    proptest! {
        #[test]
        fn order_of_systems_and_results_does_not_matter(
            lists in prop::collection::vec(
                prop::collection::btree_map(0u8..12, -20i8..20, 0..12), 1..5),
        ) {
            let lists: Vec<Vec<(u8, f64)>> = lists
                .into_iter()
                .map(|list| list.into_iter().map(|(d, s)| (d, f64::from(s))).collect())
                .collect();
            let turned: Vec<Vec<(u8, f64)>> =
                lists.iter().rev().map(|list| list.iter().rev().copied().collect()).collect();
            let refs = |lists: &'_ [Vec<(u8, f64)>]| -> Vec<Vec<(u8, f64)>> { lists.to_vec() };
            for method in METHODS {
                let (one, other) = (refs(&lists), refs(&turned));
                let slices = |all: &'_ [Vec<(u8, f64)>]| -> Vec<(u8, f64)> {
                    let all: Vec<&[(u8, f64)]> = all.iter().map(Vec::as_slice).collect();
                    let mut fused = fuse(&all, method).unwrap();
                    fused.sort_by_key(|&(document, _)| document);
                    fused
                };
                for (a, b) in slices(&one).into_iter().zip(slices(&other)) {
                    prop_assert_eq!(a.0, b.0);
                    prop_assert!((a.1 - b.1).abs() < 1e-9 && a.1.is_finite());
                }
            }
        }

        #[test]
        fn one_ranking_keeps_its_order(
            list in prop::collection::btree_map(0u8..30, -90i8..90, 1..30),
        ) {
            let list: Vec<(u8, f64)> = list.into_iter().map(|(d, s)| (d, f64::from(s))).collect();
            let score: std::collections::BTreeMap<u8, f64> = list.iter().copied().collect();
            for method in METHODS {
                let fused = fuse(&[&list[..]], method).unwrap();
                prop_assert!(fused.windows(2).all(|pair| score[&pair[0].0] >= score[&pair[1].0]));
            }
        }
    }
}
