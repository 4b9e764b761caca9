//! k-means: the points' means after Lloyd's rounds, from a k-means++ start.
//!
//! Arthur and Vassilvitskii 2007, with the greedy choice that scikit-learn makes too: of several
//! candidates the one that leaves the least distance. The seed fixes the result, whatever the
//! number of threads: points are assigned each on its own, and sums are taken over blocks of fixed
//! size, in order, in `f64`. A mean that loses all its points takes the point that is farthest from
//! its own.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};

use crate::wide::wide;
use crate::{Error, Result};

/// How k-means is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// How many means.
    pub k: usize,
    /// The most rounds.
    pub rounds: usize,
    /// It ends when a round lowers the inertia by no more than this share of it.
    pub tolerance: f64,
    /// The seed of the start.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { k: 256, rounds: 100, tolerance: 1e-5, seed: 0 }
    }
}

impl Params {
    /// Looks at the settings.
    ///
    /// # Errors
    /// If there are to be no means or no rounds, or the tolerance is not a share.
    pub fn check(&self) -> Result<()> {
        let what = match *self {
            Self { k: 0, .. } => "k is 0; at least one mean is needed",
            Self { rounds: 0, .. } => "rounds is 0; at least one round is needed",
            Self { tolerance, .. } if !(0.0..1.0).contains(&tolerance) => {
                "tolerance is a share of the inertia, from 0 to below 1"
            }
            _ => return Ok(()),
        };
        Err(Error::Words { what: format!("k-means: {what}") })
    }
}

/// What k-means came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Means {
    /// One row a mean.
    pub means: Matrix,
    /// The sum of squared distances of the points to their nearest means.
    pub inertia: f64,
    /// How many rounds it took.
    pub rounds: usize,
}

/// Points in a block of sums; part of the result's definition.
const BLOCK: usize = 4096;

/// The `k` means of the rows of `points`.
///
/// # Errors
/// If a setting is wrong, there is no point, or a value is not finite; or [`Error::Interrupted`].
pub fn fit(points: &Matrix, params: &Params, progress: &dyn Progress) -> Result<Means> {
    params.check()?;
    if points.rows() == 0 || points.columns() == 0 {
        return Err(Error::Words { what: "k-means: no points".into() });
    }
    if let Some((row, column)) = points.first_not_finite() {
        let what = format!("k-means: point {row}, value {column} is not finite");
        return Err(Error::Words { what });
    }
    let squares = squares(points);
    let mut means = start(points, &squares, params, progress)?;
    let mut inertia = f64::INFINITY;
    for round in 1..=params.rounds {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        let nearest = nearest(points, &means);
        let blocks: Vec<Sums> = nearest
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(block, nearest)| Sums::of(points, &means, block * BLOCK, nearest))
            .collect();
        let mut sums = Sums::new(params.k, points.columns());
        blocks.iter().for_each(|block| sums.add(block));
        let done = inertia - sums.inertia <= params.tolerance * inertia;
        if (inertia.is_finite() && done) || round == params.rounds || sums.inertia == 0.0 {
            return Ok(Means { means, inertia: sums.inertia, rounds: round });
        }
        inertia = sums.inertia;
        means = sums.means(points);
        progress.advance(1);
    }
    Ok(Means { means, inertia, rounds: params.rounds })
}

/// The index of the nearest mean of every point; of equally near ones the first.
pub fn nearest(points: &Matrix, means: &Matrix) -> Vec<u32> {
    let width = means.columns().max(1);
    let norms = squares(means);
    points
        .values()
        .par_chunks(width * 1024)
        .flat_map_iter(|points| nearest_of(points, means, &norms))
        .collect()
}

/// The nearest means of some points that lie one after the other, on this thread.
pub(crate) fn nearest_of(points: &[f32], means: &Matrix, norms: &[f32]) -> Vec<u32> {
    let count = points.len() / means.columns().max(1);
    let mut dots = vec![0.0; count * means.rows()];
    products(points, means, &mut dots);
    wide(
        #[inline(always)]
        || dots.chunks_mut(means.rows().max(1)).map(|dots| pick(dots, norms)).collect(),
    )
}

/// The first of the least distances, which are made of the dot products in their place.
#[inline(always)]
fn pick(dots: &mut [f32], norms: &[f32]) -> u32 {
    let mut least = f32::INFINITY;
    for (dot, norm) in dots.iter_mut().zip(norms) {
        *dot = norm - 2.0 * *dot;
        least = if *dot < least { *dot } else { least };
    }
    dots.iter().position(|&far| far == least).unwrap_or(0) as u32
}

/// Dot products of points with means, on this thread: a row a point.
fn products(points: &[f32], means: &Matrix, dots: &mut [f32]) {
    let (width, rows) = (means.columns(), points.len() / means.columns().max(1));
    let points = MatRef::from_row_major_slice(points, rows, width);
    let columns = MatRef::from_row_major_slice(means.values(), means.rows(), width).transpose();
    let dots = MatMut::from_row_major_slice_mut(dots, rows, means.rows());
    matmul(dots, Accum::Replace, points, columns, 1.0, Par::Seq);
}

/// The squared length of every row.
pub(crate) fn squares(matrix: &Matrix) -> Vec<f32> {
    let square = |row| matrix.row(row).iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>();
    (0..matrix.rows()).into_par_iter().map(|row| square(row) as f32).collect()
}

/// The greedy k-means++ start.
fn start(
    points: &Matrix,
    squares: &[f32],
    params: &Params,
    progress: &dyn Progress,
) -> Result<Matrix> {
    let mut random = ChaCha8Rng::seed_from_u64(params.seed);
    let count = points.rows();
    let tries = 2 + (params.k as f64).ln() as usize;
    let mut chosen = vec![random.random_range(0..count)];
    let mut far = distances(points, squares, &chosen).pop().unwrap_or_default();
    while chosen.len() < params.k {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        let candidates: Vec<usize> = {
            let mut sum = 0.0;
            let sums: Vec<f64> = far
                .iter()
                .map(|&far| {
                    sum += f64::from(far);
                    sum
                })
                .collect();
            let mut draw = |_| {
                let at = random.random::<f64>() * sum;
                sums.partition_point(|&sum| sum <= at).min(count - 1)
            };
            (0..tries).map(&mut draw).collect()
        };
        let mut best = (f64::INFINITY, 0, Vec::new());
        for (candidate, mut left) in candidates.iter().zip(distances(points, squares, &candidates))
        {
            left.iter_mut().zip(&far).for_each(|(left, &far)| *left = left.min(far));
            let sum = left.iter().map(|&left| f64::from(left)).sum::<f64>();
            if sum < best.0 {
                best = (sum, *candidate, left);
            }
        }
        chosen.push(best.1);
        far = best.2;
    }
    let mut means = Matrix::zeros(params.k, points.columns());
    for (row, &point) in chosen.iter().enumerate() {
        means.row_mut(row).copy_from_slice(points.row(point));
    }
    Ok(means)
}

/// Squared distances of all points to each of some.
fn distances(points: &Matrix, squares: &[f32], to: &[usize]) -> Vec<Vec<f32>> {
    let width = points.columns();
    let mut ends = Matrix::zeros(to.len(), width);
    for (row, &point) in to.iter().enumerate() {
        ends.row_mut(row).copy_from_slice(points.row(point));
    }
    let blocks: Vec<Vec<f32>> = points
        .values()
        .par_chunks(width * BLOCK)
        .map(|block| {
            let mut dots = vec![0.0; block.len() / width * to.len()];
            products(block, &ends, &mut dots);
            dots
        })
        .collect();
    let dots = blocks.concat();
    (0..to.len())
        .into_par_iter()
        .map(|at| {
            let own = squares[to[at]];
            let dots = dots.iter().skip(at).step_by(to.len());
            squares
                .iter()
                .zip(dots)
                .map(|(square, dot)| (square + own - 2.0 * dot).max(0.0))
                .collect()
        })
        .collect()
}

/// What the points of a block add to the means.
struct Sums {
    sums: Vec<f64>,
    counts: Vec<u64>,
    inertia: f64,
    /// The points farthest from their mean, farthest first: for means that lose all points.
    far: Vec<(f64, usize)>,
    width: usize,
}

/// How many far points a block remembers.
const FAR: usize = 8;

impl Sums {
    fn new(k: usize, width: usize) -> Self {
        Self { sums: vec![0.0; k * width], counts: vec![0; k], inertia: 0.0, far: vec![], width }
    }

    fn of(points: &Matrix, means: &Matrix, first: usize, nearest: &[u32]) -> Self {
        let mut block = Self::new(means.rows(), points.columns());
        for (point, &mean) in (first..).zip(nearest) {
            let mean = mean as usize;
            let (row, width) = (points.row(point), block.width);
            let mut far = 0.0;
            let sums = &mut block.sums[mean * width..(mean + 1) * width];
            for ((sum, &value), &mean) in sums.iter_mut().zip(row).zip(means.row(mean)) {
                *sum += f64::from(value);
                far += f64::from(value - mean) * f64::from(value - mean);
            }
            block.counts[mean] += 1;
            block.inertia += far;
            block.far.push((far, point));
        }
        block.keep_farthest();
        block
    }

    fn keep_farthest(&mut self) {
        self.far.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.far.truncate(FAR.max(self.counts.len()));
    }

    fn add(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, other)| *count += other);
        self.inertia += other.inertia;
        self.far.extend(&other.far);
        self.keep_farthest();
    }

    fn means(&self, points: &Matrix) -> Matrix {
        let mut means = Matrix::zeros(self.counts.len(), self.width);
        let mut far = self.far.iter();
        for (mean, &count) in self.counts.iter().enumerate() {
            let to = means.row_mut(mean);
            if count > 0 {
                let sums = &self.sums[mean * self.width..(mean + 1) * self.width];
                to.iter_mut().zip(sums).for_each(|(to, sum)| *to = (sum / count as f64) as f32);
            } else if let Some(&(_, point)) = far.next() {
                to.copy_from_slice(points.row(point));
            }
        }
        means
    }
}

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;

    /// Points around four corners of a square, a thousand apart.
    fn corners(count: usize) -> Matrix {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let values = (0..count).flat_map(|at| {
            let corner = [(at % 2) as f32, (at / 2 % 2) as f32];
            let mut jitter = || random.random::<f32>() - 0.5;
            [1000.0 * corner[0] + jitter(), 1000.0 * corner[1] + jitter()]
        });
        let values: Vec<f32> = values.collect();
        Matrix::new(count, 2, values).unwrap()
    }

    #[test]
    fn finds_what_lies_apart() {
        let points = corners(400);
        let found = fit(&points, &Params { k: 4, ..Params::default() }, &Silent).unwrap();
        let mut means: Vec<[i32; 2]> = (0..4)
            .map(|row| [0, 1].map(|at| (found.means.row(row)[at] / 1000.0).round() as i32))
            .collect();
        means.sort_unstable();
        assert_eq!(means, [[0, 0], [0, 1], [1, 0], [1, 1]]);
        // A uniform square of side 1 has a variance of 1/12 a side.
        assert!((found.inertia / 400.0 - 2.0 / 12.0).abs() < 0.02, "{}", found.inertia);
        let near = nearest(&points, &found.means);
        assert!(near.iter().enumerate().all(|(at, &mean)| mean == near[at % 4]));
    }

    /// tests/reference/low_level.py made the answer, with scikit-learn and ten seeds.
    #[test]
    fn the_inertia_is_that_of_scikit_learn() {
        let reference: serde_json::Value =
            serde_json::from_str(include_str!("../tests/reference/low_level.json")).unwrap();
        let (count, width) = (3000, 6);
        let mut state = 1u32;
        let values = (0..count * width).map(|at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (row, column) = (at / width, at % width);
            ((state >> 16) % 1000 + (row % 7 * 700 * (column % 2)) as u32) as f32
        });
        let points = Matrix::new(count, width, values.collect()).unwrap();
        let inertia = |seed| {
            let params = Params { k: 20, seed, ..Params::default() };
            fit(&points, &params, &Silent).unwrap().inertia
        };
        let mean = (0..10).map(inertia).sum::<f64>() / 10.0;
        let theirs = reference["kmeans"]["mean"].as_f64().unwrap();
        assert!((mean / theirs - 1.0).abs() < 0.02, "{mean} {theirs}");
    }

    #[test]
    fn more_means_than_different_points() {
        let points = Matrix::new(3, 1, vec![1.0, 1.0, 5.0]).unwrap();
        let found = fit(&points, &Params { k: 4, ..Params::default() }, &Silent).unwrap();
        assert_eq!(found.inertia, 0.0);
        assert!(found.means.first_not_finite().is_none());
    }

    #[test]
    fn the_same_on_any_number_of_threads() {
        let points = corners(9000);
        let params = Params { k: 9, rounds: 12, ..Params::default() };
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&points, &params, &Silent).unwrap())
        };
        assert_eq!(on(1), on(3));
        assert_ne!(on(1), fit(&points, &Params { seed: 1, ..params }, &Silent).unwrap());
    }

    #[test]
    fn nothing_and_nonsense_are_refused() {
        let say = |points: &Matrix, params: Params| {
            fit(points, &params, &Silent).unwrap_err().to_string()
        };
        assert!(say(&Matrix::zeros(0, 3), Params::default()).contains("no points"));
        let nan = Matrix::new(1, 2, vec![0.0, f32::NAN]).unwrap();
        assert!(say(&nan, Params::default()).contains("point 0, value 1"));
        assert!(say(&corners(4), Params { k: 0, ..Params::default() }).contains("k is 0"));
    }
}
