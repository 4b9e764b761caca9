//! Normalised cuts (Shi and Malik 2000) on a graph of superpixels.
//!
//! Two superpixels are tied the stronger the more alike and the nearer they are. A cut into A and B
//! costs cut(A, B) / assoc(A, V) + cut(A, B) / assoc(B, V); the best one is read from the second
//! smallest eigenvector of (D - W) y = lambda D y, at the threshold with the least cost. The part
//! whose cut costs least is cut first, until there are enough parts or every cut costs too much.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::prelude::default;
use faer::{Accum, Mat, Par};

use super::canvas::{CHANNELS, Canvas, squared};
use super::superpixels::{Mean, Superpixels};

/// The distance of colours at which a tie has lost most of its strength.
const COLOURS: f32 = 9.0;
/// The distance of places likewise, in sides of a superpixel.
const PLACES: f32 = 2.0;
/// Superpixels farther apart are not tied at all.
const FARTHEST: f32 = 3.0 * PLACES;
/// A cut that costs more is not made.
const DEAREST: f64 = 0.7;

/// Columns that the search for an eigenvector begins with: places, and channels of colours.
const START: usize = 2 + CHANNELS;
/// Rounds of inverse iteration.
const ROUNDS: usize = 8;
/// What keeps the matrix that is inverted from being singular.
const SHIFT: f64 = 1e-4;

/// A part of the graph and its best cut.
struct Part {
    nodes: Vec<usize>,
    cut: Option<Cut>,
}

struct Cut {
    cost: f64,
    sides: [Vec<usize>; 2],
}

/// The part of every pixel, of at most `most` parts that each have at least `smallest` pixels.
/// Parts need not hang together.
pub(super) fn segment(canvas: &Canvas, most: usize, smallest: f64) -> Vec<u32> {
    let superpixels = Superpixels::new(canvas);
    let ties = ties(&superpixels);
    let part = |nodes: Vec<usize>| {
        let cut = best_cut(&ties, &superpixels, &nodes, smallest);
        Part { nodes, cut }
    };
    let mut parts = vec![part((0..superpixels.means.len()).collect())];
    while parts.len() < most {
        let costs =
            parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.cut.as_ref()?.cost)));
        let Some((at, _)) = costs.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        let Some(Cut { sides, .. }) = parts.swap_remove(at).cut else { break };
        parts.extend(sides.map(part));
    }
    let mut part_of = vec![0; superpixels.means.len()];
    for (number, part) in parts.iter().enumerate() {
        part.nodes.iter().for_each(|&node| part_of[node] = number as u32);
    }
    superpixels.labels.iter().map(|&superpixel| part_of[superpixel as usize]).collect()
}

/// How strongly every two superpixels are tied.
fn ties(superpixels: &Superpixels) -> Mat<f64> {
    let Superpixels { means, step, .. } = superpixels;
    let usual = step * step;
    Mat::from_fn(means.len(), means.len(), |one, two| {
        let (one, two) = (&means[one], &means[two]);
        let place = ((one.x - two.x).powi(2) + (one.y - two.y).powi(2)) / usual;
        if place > FARTHEST * FARTHEST {
            return 0.0;
        }
        let colour = squared(&one.colour, &two.colour);
        let apart = colour / (2.0 * COLOURS * COLOURS) + place / (2.0 * PLACES * PLACES);
        // A superpixel stands for its pixels.
        f64::from(one.area / usual) * f64::from(two.area / usual) * f64::from(-apart).exp()
    })
}

/// The cheapest cut that the second eigenvector offers, if one is cheap enough and leaves so many
/// pixels on both sides.
fn best_cut(
    ties: &Mat<f64>,
    superpixels: &Superpixels,
    nodes: &[usize],
    smallest: f64,
) -> Option<Cut> {
    let n = nodes.len();
    if n < 2 {
        return None;
    }
    let area = |node: usize| f64::from(superpixels.means[node].area);
    let all: f64 = nodes.iter().map(|&node| area(node)).sum();
    if all < 2.0 * smallest {
        return None;
    }
    let degrees: Vec<f64> =
        nodes.iter().map(|&one| nodes.iter().map(|&two| ties[(one, two)]).sum()).collect();
    let normal = Mat::from_fn(n, n, |one, two| {
        ties[(nodes[one], nodes[two])] / (degrees[one] * degrees[two]).sqrt()
    });
    let first: Vec<f64> = degrees.iter().map(|degree| degree.sqrt()).collect();
    let means: Vec<Mean> = nodes.iter().map(|&node| superpixels.means[node]).collect();
    let vector = second(&normal, &first, &means)?;
    let value = |at: usize| vector[at] / first[at];
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
    let total: f64 = degrees.iter().sum();
    let (mut cut, mut left, mut pixels) = (0.0, 0.0, 0.0);
    let mut best: Option<(f64, usize)> = None;
    for (place, &at) in order.iter().enumerate().take(n - 1) {
        // The node goes to the left: its ties to the left are cut no more, all others are.
        let within: f64 = order[..place].iter().map(|&other| ties[(nodes[at], nodes[other])]).sum();
        let own = ties[(nodes[at], nodes[at])];
        cut += degrees[at] - own - 2.0 * within;
        left += degrees[at];
        pixels += area(nodes[at]);
        if pixels < smallest || all - pixels < smallest {
            continue;
        }
        let cost = cut / left + cut / (total - left);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, place + 1));
        }
    }
    let (cost, place) = best.filter(|&(cost, _)| cost <= DEAREST)?;
    let side = |order: &[usize]| {
        let mut side: Vec<usize> = order.iter().map(|&at| nodes[at]).collect();
        side.sort_unstable();
        side
    };
    Some(Cut { cost, sides: [side(&order[..place]), side(&order[place..])] })
}

/// The eigenvector of the second largest eigenvalue of D^-1/2 W D^-1/2: that of the second smallest
/// of the original problem, times D^1/2. The first one, which is D^1/2 times a constant, is known.
///
/// A few rounds of inverse iteration from places and colours, which good cuts go along, and a
/// Rayleigh-Ritz step: one Cholesky factor instead of all eigenvectors.
fn second(normal: &Mat<f64>, first: &[f64], means: &[Mean]) -> Option<Vec<f64>> {
    let n = normal.nrows();
    let mut factor =
        Mat::from_fn(n, n, |a, b| if a == b { 1.0 + SHIFT } else { 0.0 } - normal[(a, b)]);
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(n, Par::Seq, default()));
    let stack = MemStack::new(&mut memory);
    cholesky_in_place(factor.as_mut(), default(), Par::Seq, stack, default()).ok()?;
    let start = |mean: &Mean| {
        let [l, a, b, t] = mean.colour.map(f64::from);
        [f64::from(mean.x), f64::from(mean.y), l, a, b, t]
    };
    let mut basis = Mat::from_fn(n, START, |row, column| first[row] * start(&means[row])[column]);
    basis = orthonormal(&basis, first)?;
    for _ in 0..ROUNDS {
        solve_in_place(factor.as_ref(), basis.as_mut(), Par::Seq, stack);
        basis = orthonormal(&basis, first)?;
    }
    let columns = basis.ncols();
    let mut image = Mat::zeros(n, columns);
    matmul(image.as_mut(), Accum::Replace, normal, &basis, 1.0, Par::Seq);
    let mut small = Mat::zeros(columns, columns);
    matmul(small.as_mut(), Accum::Replace, basis.transpose(), &image, 1.0, Par::Seq);
    let turn = largest(&small)?;
    let value = |row: usize| (0..columns).map(|column| basis[(row, column)] * turn[column]).sum();
    Some((0..n).map(value).collect())
}

/// Columns of length 1 at right angles to one another and to `first`; those that depend on others
/// are left out. None if all do.
fn orthonormal(basis: &Mat<f64>, first: &[f64]) -> Option<Mat<f64>> {
    let mut done = vec![first.to_vec()];
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let scale = length(first);
    done[0].iter_mut().for_each(|x| *x /= scale);
    for column in 0..basis.ncols() {
        let mut next: Vec<f64> = basis.col(column).iter().copied().collect();
        let before = length(&next);
        // Twice is enough.
        for other in done.iter().chain(&done) {
            let along: f64 = next.iter().zip(other).map(|(a, b)| a * b).sum();
            next.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
        }
        let after = length(&next);
        if after > 1e-9 * before {
            next.iter_mut().for_each(|x| *x /= after);
            done.push(next);
        }
    }
    let columns = done.len() - 1;
    (columns > 0).then(|| Mat::from_fn(basis.nrows(), columns, |row, column| done[column + 1][row]))
}

/// The eigenvector of the largest eigenvalue of a small matrix.
fn largest(symmetric: &Mat<f64>) -> Option<Vec<f64>> {
    let n = symmetric.nrows();
    let mut values = Diag::<f64>::zeros(n);
    let mut vectors = Mat::<f64>::zeros(n, n);
    let scratch = self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, default());
    self_adjoint_evd(
        symmetric.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        default(),
    )
    .ok()?;
    // Found in ascending order.
    Some(vectors.col(n - 1).iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;

    #[test]
    fn a_cut_follows_the_border_of_two_colours() {
        let picture = Picture::from_fn(120, 80, |x, y| {
            Rgb(if x + y / 2 < 60 { [200, 40, 40] } else { [40, 60, 200] })
        });
        let canvas = Canvas::new(&picture).unwrap();
        let superpixels = Superpixels::new(&canvas);
        let nodes: Vec<usize> = (0..superpixels.means.len()).collect();
        let cut = best_cut(&ties(&superpixels), &superpixels, &nodes, 10.0).unwrap();
        assert!(cut.cost < 0.01, "{}", cut.cost);
        let red = |node: &usize| {
            superpixels.means[*node].colour[1] > 30.0 && superpixels.means[*node].colour[2] > 0.0
        };
        let [one, two] = cut
            .sides
            .map(|side| side.iter().filter(|node| red(node)).count() as f32 / side.len() as f32);
        assert!(one.max(two) > 0.95 && one.min(two) < 0.05, "{one} {two}");
    }

    #[test]
    fn the_second_eigenvector_is_that_of_the_whole_decomposition() {
        let canvas = Canvas::new(&rebus_collection::synth::specimen(4, 2).picture).unwrap();
        let superpixels = Superpixels::new(&canvas);
        let ties = ties(&superpixels);
        let n = superpixels.means.len();
        let degrees: Vec<f64> = (0..n).map(|a| (0..n).map(|b| ties[(a, b)]).sum()).collect();
        let normal = Mat::from_fn(n, n, |a, b| ties[(a, b)] / (degrees[a] * degrees[b]).sqrt());
        let first: Vec<f64> = degrees.iter().map(|degree| degree.sqrt()).collect();
        let ours = second(&normal, &first, &superpixels.means).unwrap();
        // Without the first, the second is the largest.
        let total: f64 = degrees.iter().sum();
        let deflated = Mat::from_fn(n, n, |a, b| normal[(a, b)] - first[a] * first[b] / total);
        let theirs = largest(&deflated).unwrap();
        let cosine: f64 = ours.iter().zip(&theirs).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() > 0.99, "{cosine}");
    }

    #[test]
    fn the_cost_of_a_cut_by_hand() {
        // Two pairs of nodes with ties of 1 within (and to themselves) and 0.1 across.
        let ties = Mat::from_fn(4, 4, |a, b| if a / 2 == b / 2 { 1.0 } else { 0.1 });
        let mean = |x: usize| Mean { area: 1.0, x: x as f32, ..Mean::default() };
        let means = (0..4).map(mean).collect();
        let superpixels = Superpixels { labels: vec![0, 1, 2, 3], means, step: 1.0 };
        let cut = best_cut(&ties, &superpixels, &[0, 1, 2, 3], 1.0).unwrap();
        // Across are four ties of 0.1; a side has two nodes of degree 2.2.
        assert!((cut.cost - 2.0 * 0.4 / 4.4).abs() < 1e-9, "{}", cut.cost);
        let mut sides = cut.sides;
        sides.sort();
        assert_eq!(sides, [vec![0, 1], vec![2, 3]]);
        assert!(best_cut(&ties, &superpixels, &[0, 1, 2, 3], 3.0).is_none());
        assert!(best_cut(&ties, &superpixels, &[0], 0.0).is_none());
    }
}
