//! SR@k and NCS@k of a score matrix, over all queries of one direction.

use std::fmt;

use rayon::prelude::*;
use rebus_collection::Matrix;

use super::extension::Extension;
use super::gain::{Gains, TopK};
use super::ncs::{ncs, ncs_within};
use super::semantic_recall::semantic_recall;
use crate::{Error, GoldMap, Result, Ties};

/// What is asked and what is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Captions for an image: annotation.
    ImageToText,
    /// Images for a caption: search.
    TextToImage,
}

/// Whether a query's own items may be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Gold {
    /// They stay in the pool.
    #[default]
    Kept,
    /// They are taken out of the ranking and of the ideal: the paper's "non-GT".
    Removed,
}

impl fmt::Display for Gold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept => "with gold",
            Self::Removed => "without gold",
        })
    }
}

/// What is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SemanticSettings {
    /// Cut-offs of the ranking.
    pub k: Vec<usize>,
    /// Sizes of the extended ground truth, for SR and for equation 5 to the letter.
    pub m: Vec<usize>,
    /// Whether gold items may be found.
    pub gold: Gold,
    /// What becomes of equal scores.
    pub ties: Ties,
}

impl Default for SemanticSettings {
    /// k of 1, 5, 10 as in the paper's tables; m of 5, 10, 20; gold kept.
    fn default() -> Self {
        Self { k: vec![1, 5, 10], m: vec![5, 10, 20], gold: Gold::Kept, ties: Ties::default() }
    }
}

/// A measure's mean over queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The cut-off.
    pub k: usize,
    /// The mean over the queries for which it is defined.
    pub value: Option<f64>,
    /// For how many queries it is undefined.
    pub undefined: usize,
    /// For how many queries equal scores lie on both sides of the cut-off.
    pub tied: usize,
}

/// A measure with an extended ground truth of a fixed size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Within {
    /// The size of the extended ground truth.
    pub m: usize,
    /// The mean.
    pub mean: Mean,
}

/// What was measured over all queries of one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct SemanticFigures {
    /// The number of queries.
    pub queries: usize,
    /// NCS@k, for each k.
    pub ncs: Vec<Mean>,
    /// SR@k, for each m and each k.
    pub recall: Vec<Within>,
    /// Equation 5 with a fixed m, for each m and each k.
    pub ncs_within: Vec<Within>,
    /// For each m, the queries whose m-th similar item has equals that were left out.
    pub tied_extension: Vec<(usize, usize)>,
}

/// Measures a system.
///
/// `scores` and `phi` have a row an image and a column a caption; `gold` says which belong to each
/// other.
///
/// # Errors
/// If the shapes do not fit, a number is not finite, or a cut-off is 0.
pub fn measure(
    scores: &Matrix,
    phi: &Matrix,
    gold: &GoldMap,
    direction: Direction,
    settings: &SemanticSettings,
) -> Result<SemanticFigures> {
    check(scores, phi, gold, settings)?;
    let owner = gold.image_of();
    let queries: Vec<Query> = match direction {
        Direction::ImageToText => (0..scores.rows())
            .into_par_iter()
            .map(|image| {
                let is_gold = |caption: usize| owner[caption] as usize == image;
                Query::new(scores.row(image), phi.row(image), is_gold, settings)
            })
            .collect(),
        Direction::TextToImage => {
            let blocks: Vec<_> = (0..scores.columns()).step_by(BLOCK).collect();
            let of_block = |&first: &usize| {
                let captions = first..(first + BLOCK).min(scores.columns());
                let (s, n) = (columns(scores, captions.clone()), columns(phi, captions.clone()));
                captions
                    .zip(s.iter().zip(&n))
                    .map(|(caption, (s, n))| {
                        Query::new(s, n, |image| image == owner[caption] as usize, settings)
                    })
                    .collect::<Vec<_>>()
            };
            blocks.par_iter().flat_map_iter(of_block).collect()
        }
    };
    Ok(sum_up(&queries, settings))
}

/// Captions that are turned from columns into rows at a time.
const BLOCK: usize = 64;

fn columns(matrix: &Matrix, columns: std::ops::Range<usize>) -> Vec<Vec<f32>> {
    let mut turned = vec![Vec::with_capacity(matrix.rows()); columns.len()];
    for row in 0..matrix.rows() {
        for (turned, &value) in turned.iter_mut().zip(&matrix.row(row)[columns.clone()]) {
            turned.push(value);
        }
    }
    turned
}

fn check(scores: &Matrix, phi: &Matrix, gold: &GoldMap, settings: &SemanticSettings) -> Result<()> {
    let shape = |what: String| Err(Error::Shape { what });
    let (rows, width) = (scores.rows(), scores.columns());
    if (phi.rows(), phi.columns()) != (rows, width) {
        return shape(format!(
            "scores of {rows} x {width}, images and captions, but similarities of {} x {}",
            phi.rows(),
            phi.columns()
        ));
    }
    if (gold.images(), gold.captions()) != (rows, width) {
        return shape(format!(
            "scores of {rows} x {width}, images and captions, but a map of {} x {}",
            gold.images(),
            gold.captions()
        ));
    }
    for size in settings.k.iter().chain(&settings.m) {
        if *size == 0 {
            return shape("the cut-offs k and m must be at least 1".into());
        }
    }
    for matrix in [scores, phi] {
        let bad = matrix.values().par_iter().position_first(|value| !value.is_finite());
        if let Some(at) = bad {
            let value = matrix.values()[at];
            return Err(Error::NotFinite { row: at / width, column: at % width, value });
        }
    }
    Ok(())
}

/// The values of one query, in the order of the settings.
struct Query {
    ncs: Vec<Option<Gains>>,
    recall: Vec<Option<Gains>>,
    within: Vec<Option<Gains>>,
    tied_extension: Vec<bool>,
}

impl Query {
    fn new(
        scores: &[f32],
        phi: &[f32],
        is_gold: impl Fn(usize) -> bool,
        settings: &SemanticSettings,
    ) -> Self {
        if settings.gold == Gold::Kept {
            return Self::measured(scores, phi, settings);
        }
        let others = |values: &[f32]| -> Vec<f32> {
            values.iter().enumerate().filter(|&(item, _)| !is_gold(item)).map(|(_, v)| *v).collect()
        };
        Self::measured(&others(scores), &others(phi), settings)
    }

    fn measured(scores: &[f32], phi: &[f32], settings: &SemanticSettings) -> Self {
        let SemanticSettings { k, m, ties, .. } = settings;
        let deepest = k.iter().copied().max().unwrap_or(0);
        let widest = m.iter().copied().max().unwrap_or(0);
        let top = TopK::new(scores, deepest);
        let extension = Extension::new(phi, deepest.max(widest));
        let each = |of: &dyn Fn(usize, usize) -> Option<Gains>| {
            m.iter().flat_map(|&m| k.iter().map(move |&k| of(k, m))).collect()
        };
        Self {
            ncs: k.iter().map(|&k| ncs(&top, &extension, phi, k, *ties)).collect(),
            recall: each(&|k, m| semantic_recall(&top, &extension, k, m, *ties)),
            within: each(&|k, m| ncs_within(&top, &extension, k, m, *ties)),
            tied_extension: m.iter().map(|&m| extension.is_tied(m)).collect(),
        }
    }
}

fn sum_up(queries: &[Query], settings: &SemanticSettings) -> SemanticFigures {
    let mean = |k: usize, of: &dyn Fn(&Query) -> Option<Gains>| {
        let defined: Vec<Gains> = queries.iter().filter_map(of).collect();
        let sum: f64 = defined.iter().map(|gains| gains.sum).sum();
        Mean {
            k,
            value: (!defined.is_empty()).then(|| sum / defined.len() as f64),
            undefined: queries.len() - defined.len(),
            tied: defined.iter().filter(|gains| gains.tied).count(),
        }
    };
    let within = |of: &dyn Fn(&Query, usize) -> Option<Gains>| {
        let pairs = settings.m.iter().flat_map(|&m| settings.k.iter().map(move |&k| (m, k)));
        pairs.enumerate().map(|(at, (m, k))| Within { m, mean: mean(k, &|q| of(q, at)) }).collect()
    };
    SemanticFigures {
        queries: queries.len(),
        ncs: settings.k.iter().enumerate().map(|(at, &k)| mean(k, &|q| q.ncs[at])).collect(),
        recall: within(&|q, at| q.recall[at]),
        ncs_within: within(&|q, at| q.within[at]),
        tied_extension: settings
            .m
            .iter()
            .enumerate()
            .map(|(at, &m)| (m, queries.iter().filter(|q| q.tied_extension[at]).count()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(gold: Gold) -> SemanticSettings {
        SemanticSettings { k: vec![1, 2], m: vec![2], gold, ties: Ties::Worst }
    }

    /// Two images, four captions: the first two of image 0, the others of image 1.
    fn example() -> (Matrix, Matrix, GoldMap) {
        let scores = Matrix::new(2, 4, vec![0.9, 0.1, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1]).unwrap();
        let phi = Matrix::new(2, 4, vec![1.0, 0.5, 0.25, 0.125, 0.25, 0.5, 1.0, 1.0]).unwrap();
        (scores, phi, GoldMap::even(2, 4).unwrap())
    }

    #[test]
    fn captions_for_images() {
        let (scores, phi, gold) = example();
        let found =
            measure(&scores, &phi, &gold, Direction::ImageToText, &settings(Gold::Kept)).unwrap();
        // Image 0: 1 / 1 and (1 + 0.25) / 1.5. Image 1: 0.25 / 1 and 0.75 / 2.
        assert_eq!(found.ncs[0].value, Some((1.0 + 0.25) / 2.0));
        assert_eq!(found.ncs[1].value, Some((1.25 / 1.5 + 0.75 / 2.0) / 2.0));
        // Image 0: one of {0, 1} in the first two. Image 1: none of {2, 3}.
        assert_eq!(found.recall[1].mean.value, Some((0.5 + 0.0) / 2.0));
        assert_eq!(found.queries, 2);
    }

    #[test]
    fn captions_for_images_without_their_own() {
        let (scores, phi, gold) = example();
        let found = measure(&scores, &phi, &gold, Direction::ImageToText, &settings(Gold::Removed))
            .unwrap();
        // Image 0 is left captions 2, 3: first 2, 0.25 / 0.25. Image 1: first 0, 0.25 / 0.5.
        assert_eq!(found.ncs[0].value, Some((1.0 + 0.5) / 2.0));
        assert_eq!(found.ncs[1].value, Some(1.0));
    }

    #[test]
    fn images_for_captions() {
        let (scores, phi, gold) = example();
        let found =
            measure(&scores, &phi, &gold, Direction::TextToImage, &settings(Gold::Kept)).unwrap();
        assert_eq!(found.queries, 4);
        // Caption 1 ranks image 1 first, of equal phi; captions 2 and 3 rank image 0 first.
        assert_eq!(found.ncs[0].value, Some((1.0 + 1.0 + 0.25 + 0.125) / 4.0));
        assert_eq!(found.tied_extension, [(2, 0)]);
        let alone = measure(&scores, &phi, &gold, Direction::TextToImage, &settings(Gold::Removed))
            .unwrap();
        assert_eq!(alone.ncs[0].value, Some(1.0));
    }

    #[test]
    fn a_constant_system_gains_least_and_is_counted() {
        let (_, phi, gold) = example();
        let scores = Matrix::zeros(2, 4);
        let found =
            measure(&scores, &phi, &gold, Direction::ImageToText, &settings(Gold::Kept)).unwrap();
        assert_eq!(found.ncs[0].value, Some((0.125 + 0.25) / 2.0));
        assert_eq!(found.ncs[0].tied, 2);
        assert_eq!(found.recall[0].mean.value, Some(0.0));
    }

    #[test]
    fn queries_that_nothing_resembles_are_counted() {
        let (scores, _, gold) = example();
        let mut phi = Matrix::zeros(2, 4);
        phi.row_mut(1)[3] = 1.0;
        let found =
            measure(&scores, &phi, &gold, Direction::ImageToText, &settings(Gold::Kept)).unwrap();
        assert_eq!(found.ncs[0].undefined, 1);
        assert_eq!(found.ncs[0].value, Some(0.0));
    }

    #[test]
    fn bad_input_is_named() {
        let (scores, phi, gold) = example();
        let kept = settings(Gold::Kept);
        let direction = Direction::ImageToText;
        assert!(measure(&scores, &Matrix::zeros(2, 3), &gold, direction, &kept).is_err());
        let other = GoldMap::even(2, 2).unwrap();
        assert!(measure(&scores, &phi, &other, direction, &kept).is_err());
        let mut broken = scores.clone();
        broken.row_mut(1)[2] = f32::NAN;
        let error = measure(&broken, &phi, &gold, direction, &kept).unwrap_err();
        assert!(error.to_string().contains("row 1, column 2"), "{error}");
    }
}
