//! How well a model ranks a pool, by the paper's protocol: one caption an image, each the only
//! relevant one for its image; annotation as in Table 1, and search as well.

use rebus_collection::Matrix;
use rebus_eval::{Evaluation, GoldMap, GoldRanks, Measure, Query, Ties};
use rebus_models::{Affinity, DualEncoder, WordResponses};

use super::published::MEASURES;
use crate::Result;

/// Pictures and the caption of each that is ranked.
pub(super) struct Pool<'a> {
    pub(super) features: &'a Matrix,
    pub(super) captions: Vec<&'a str>,
}

/// The figures of one model on a pool, shares in percent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figures {
    pub(super) annotation: [f64; 4],
    pub(super) search: [f64; 4],
    /// Captions without a known word. They stand last for every image, and their own image last
    /// for them.
    pub(super) unrankable: usize,
}

impl Figures {
    /// What settings are chosen by: R@1 + R@5 + R@10 of annotation, the paper's task.
    pub(super) fn sum(&self) -> f64 {
        self.annotation[..3].iter().sum()
    }
}

/// Measures a model.
pub(super) fn measure(model: &dyn WordResponses, pool: &Pool<'_>) -> Result<Figures> {
    let encoder: &dyn DualEncoder = model;
    let mut scores = Affinity::Dual(encoder).matrix(pool.features, &pool.captions)?;
    let unrankable: Vec<usize> = (0..pool.captions.len())
        .filter(|&at| model.bag().encode(&[pool.captions[at]]).is_empty())
        .collect();
    for row in 0..scores.rows() {
        let scores = scores.row_mut(row);
        unrankable.iter().for_each(|&column| scores[column] = f32::MIN);
    }
    let map = GoldMap::even(scores.rows(), scores.columns())?;
    let ranks = GoldRanks::new(&scores, &map, Ties::Worst)?;
    Ok(Figures {
        annotation: figures(&ranks.annotation)?,
        search: figures(&ranks.search)?,
        unrankable: unrankable.len(),
    })
}

fn figures(queries: &[Query]) -> Result<[f64; 4]> {
    let measures = Measure::parse_list(&MEASURES.join(","))?;
    let evaluation = Evaluation::of_queries(queries, &measures);
    let mut figures = [0.0; 4];
    for (at, (to, value)) in figures.iter_mut().zip(evaluation.figures()).enumerate() {
        // One gold item a query: nothing is undefined. Ranks are ranks, the rest is per cent.
        *to = value.unwrap_or(0.0) * if at < 3 { 100.0 } else { 1.0 };
    }
    Ok(figures)
}
