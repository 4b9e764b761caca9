//! Model selection as in section 4.1.3: five settings each for R@1, R@5 and R@10, fifteen models,
//! one ranking by Borda count, for annotation and for search apart.
//!
//! kappa takes four values and n 46; the paper names the ends of n's range, the steps between are
//! ours. The factor d on the diagonal of the text kernel, and whether the image kernel is squared
//! or cubed, are "fixed in advance for each text image kernel pair": here by the best sum of
//! recalls on the same pictures that n and kappa are chosen on, with kappa = 1.

use faer::MatRef;
use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};
use rebus_eval::fusion::{Fusion, fuse};
use rebus_eval::{Evaluation, GoldMap, GoldRanks, Measure, Query, Ties};
use rebus_models::kcca::{Growing, Pairing, Ridge};

use crate::{Error, Result};

/// The values of kappa.
pub(super) const KAPPAS: [f64; 4] = [0.1, 0.5, 1.0, 5.0];
/// The values of d; the paper's are "in the range of (1, 15)".
pub(super) const DIAGONALS: [f64; 4] = [1.0, 3.0, 7.0, 15.0];
/// The kappa under which d and the power of the image kernel are chosen.
const FIRST_KAPPA: f64 = 1.0;
/// Settings kept for each of R@1, R@5 and R@10.
const KEPT: usize = 5;

/// The 46 numbers of dimensions, 10 to 6,000.
pub(super) fn dimensions() -> Vec<usize> {
    let small = (10..=100).step_by(10);
    let middle = (150..=1000).step_by(50);
    let large = (1100..=2000).step_by(100);
    small.chain(middle).chain(large).chain((2500..=6000).step_by(500)).collect()
}

/// One model of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) ridge: Ridge,
    pub(super) dimensions: usize,
}

/// Pictures and their captions in the eigenbases of a pairing, item by item.
#[derive(Clone, Copy)]
pub(super) struct Pool<'a> {
    pub(super) image: MatRef<'a, f32>,
    pub(super) text: MatRef<'a, f32>,
}

/// R@1, R@5 and R@10 of a setting, in hits, for annotation and for search.
#[derive(Debug, Clone, Copy)]
struct Tried {
    setting: Setting,
    hits: [[u32; 3]; 2],
}

impl Tried {
    fn sum(&self) -> u32 {
        self.hits.iter().flatten().sum()
    }
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    /// Fifteen settings for annotation, fifteen for search; one that is best by several recalls
    /// stands there several times.
    pub(super) models: [Vec<Setting>; 2],
    /// The largest sum of the three recalls of both tasks.
    pub(super) best: u32,
}

impl Chosen {
    /// What was chosen, for a reader: how often each kappa, and the range of n.
    pub(super) fn in_words(&self) -> String {
        let words = |models: &[Setting]| {
            let mut kappas: Vec<f64> = models.iter().map(|model| model.ridge.kappa).collect();
            kappas.sort_by(f64::total_cmp);
            kappas.dedup();
            let kappas: Vec<String> = kappas.iter().map(f64::to_string).collect();
            let n = models.iter().map(|model| model.dimensions);
            let (least, most) = (n.clone().min().unwrap_or(0), n.max().unwrap_or(0));
            format!("kappa {}, n {least} to {most}", kappas.join("/"))
        };
        let [annotation, search] = &self.models;
        let (annotation, search) = (words(annotation), words(search));
        let best = self.best;
        format!("annotation {annotation}; search {search}; best sum of hits there {best}")
    }
}

/// Sweeps one ridge over all numbers of dimensions.
fn sweep(pairing: &Pairing, pool: Pool<'_>, ridge: Ridge) -> Result<Vec<Tried>> {
    let directions = pairing.directions(ridge)?;
    let mut growing = Growing::new(&directions, pool.image, pool.text);
    let map = GoldMap::even(pool.image.nrows(), pool.text.nrows())?;
    let mut tried = Vec::new();
    for n in dimensions().into_iter().take_while(|&n| n <= directions.len()) {
        let ranks = GoldRanks::new(&growing.cosines(n), &map, Ties::Worst)?;
        let setting = Setting { ridge, dimensions: n };
        tried.push(Tried { setting, hits: [hits(&ranks.annotation)?, hits(&ranks.search)?] });
    }
    Ok(tried)
}

fn hits(queries: &[Query]) -> Result<[u32; 3]> {
    let measures = Measure::parse_list("R@1,R@5,R@10")?;
    let evaluation = Evaluation::of_queries(queries, &measures);
    let count = |at: usize| evaluation.values(at).into_iter().flatten().sum::<f64>() as u32;
    Ok([0, 1, 2].map(count))
}

/// The best d for a pairing on `pool`, and how good it is.
pub(super) fn choose_diagonal(
    pairing: &Pairing,
    pool: Pool<'_>,
    progress: &dyn Progress,
) -> Result<(f64, u32)> {
    let mut best = (DIAGONALS[0], 0);
    for diagonal in DIAGONALS {
        stop(progress)?;
        let tried = sweep(pairing, pool, Ridge { kappa: FIRST_KAPPA, diagonal })?;
        progress.advance(1);
        let sum = tried.iter().map(Tried::sum).max().unwrap_or(0);
        if sum > best.1 {
            best = (diagonal, sum);
        }
    }
    Ok(best)
}

/// Chooses the fifteen models of each task on `pool`.
pub(super) fn choose(
    pairing: &Pairing,
    pool: Pool<'_>,
    diagonal: f64,
    progress: &dyn Progress,
) -> Result<Chosen> {
    let mut tried = Vec::new();
    for kappa in KAPPAS {
        stop(progress)?;
        tried.extend(sweep(pairing, pool, Ridge { kappa, diagonal })?);
        progress.advance(1);
    }
    let best = tried.iter().map(Tried::sum).max().unwrap_or(0);
    let models = [0, 1].map(|task| {
        let of_recall = |at: usize| {
            let mut order: Vec<&Tried> = tried.iter().collect();
            // Sorting keeps the order of equals: the smaller kappa, then the smaller n.
            order.sort_by_key(|tried| {
                std::cmp::Reverse((tried.hits[task][at], tried.hits[task].iter().sum::<u32>()))
            });
            order.into_iter().take(KEPT).map(|tried| tried.setting).collect::<Vec<_>>()
        };
        (0..3).flat_map(of_recall).collect()
    });
    Ok(Chosen { models, best })
}

/// The scores of the chosen models on another pool, fused: a row an image, a column a caption; for
/// annotation, then for search.
pub(super) fn fused(
    pairing: &Pairing,
    pool: Pool<'_>,
    chosen: &Chosen,
    progress: &dyn Progress,
) -> Result<[Matrix; 2]> {
    let mut ridges: Vec<Ridge> = Vec::new();
    for setting in chosen.models.iter().flatten() {
        if !ridges.contains(&setting.ridge) {
            ridges.push(setting.ridge);
        }
    }
    let mut matrices: [Vec<Matrix>; 2] = [Vec::new(), Vec::new()];
    for ridge in ridges {
        stop(progress)?;
        let directions = pairing.directions(ridge)?;
        let mut growing = Growing::new(&directions, pool.image, pool.text);
        for n in dimensions() {
            let setting = Setting { ridge, dimensions: n };
            let times = [0, 1].map(|task: usize| {
                chosen.models[task].iter().filter(|&&model| model == setting).count()
            });
            if times == [0, 0] {
                continue;
            }
            let cosines = growing.cosines(n);
            for (task, &times) in times.iter().enumerate() {
                matrices[task].extend(std::iter::repeat_n(&cosines, times).cloned());
            }
        }
        progress.advance(1);
    }
    let [annotation, search] = matrices;
    let turned: Vec<Matrix> = search.iter().map(transposed).collect();
    Ok([borda(&annotation)?, transposed(&borda(&turned)?)])
}

/// One ranking of the columns for each row, from several.
fn borda(models: &[Matrix]) -> Result<Matrix> {
    let Some(first) = models.first() else { return Ok(Matrix::zeros(0, 0)) };
    let mut fused = Matrix::zeros(first.rows(), first.columns());
    let columns = first.columns();
    let rows = fused.values_mut().par_chunks_mut(columns.max(1)).enumerate();
    rows.try_for_each(|(row, to)| -> Result<()> {
        let rankings: Vec<Vec<(usize, f64)>> = models
            .iter()
            .map(|model| model.row(row).iter().map(|&v| f64::from(v)).enumerate().collect())
            .collect();
        let rankings: Vec<&[(usize, f64)]> = rankings.iter().map(Vec::as_slice).collect();
        let scores = fuse(&rankings, Fusion::Borda).map_err(|e| Error::Ours(e.to_string()))?;
        // Points and the tie rule need more digits than `f32` has: keep the order instead.
        let mut last = (f64::NAN, 0.0);
        for (place, (column, score)) in scores.into_iter().enumerate() {
            if score != last.0 {
                last = (score, -(place as f32));
            }
            to[column] = last.1;
        }
        Ok(())
    })?;
    Ok(fused)
}

fn transposed(matrix: &Matrix) -> Matrix {
    let mut to = Matrix::zeros(matrix.columns(), matrix.rows());
    for row in 0..matrix.rows() {
        for (column, &value) in matrix.row(row).iter().enumerate() {
            to.row_mut(column)[row] = value;
        }
    }
    to
}

fn stop(progress: &dyn Progress) -> Result<()> {
    if progress.interrupted() {
        return Err(rebus_collection::Error::Interrupted.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_46_steps_from_10_to_6000() {
        let steps = dimensions();
        assert_eq!((steps.len(), steps[0], steps[45]), (46, 10, 6000));
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn borda_of_rows_keeps_ties() {
        let model = |values: [f32; 3]| Matrix::new(1, 3, values.to_vec()).unwrap();
        // By hand: the first and the second caption have 5 points each and the same median.
        let fused = borda(&[model([0.9, 0.8, 0.1]), model([0.8, 0.9, 0.1])]).unwrap();
        assert_eq!(fused.values(), [0.0, 0.0, -2.0]);
    }
}
