//! Normalised cuts (Shi and Malik 2000) on a graph of superpixels.
//!
//! Two superpixels are tied the stronger the more alike and the nearer they are. A cut into A and B
//! costs cut(A, B) / assoc(A, V) + cut(A, B) / assoc(B, V); the best one is read from the second
//! smallest eigenvector of (D - W) y = lambda D y, at the threshold with the least cost. The part
//! whose cut costs least is cut first, until there are enough parts or every cut costs too much.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::prelude::default;
use faer::{Mat, Par};

use super::canvas::{Canvas, squared};
use super::superpixels::Superpixels;

/// The distance of colours at which a tie has lost most of its strength.
const COLOURS: f32 = 9.0;
/// The distance of places likewise, in sides of a superpixel.
const PLACES: f32 = 2.0;
/// Superpixels farther apart are not tied at all.
const FARTHEST: f32 = 3.0 * PLACES;
/// A cut that costs more is not made.
const DEAREST: f64 = 0.7;

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
    let vector = second(&normal)?;
    let value = |at: usize| vector[at] / degrees[at].sqrt();
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

/// The eigenvector of the second largest eigenvalue: that of the second smallest of the original.
fn second(symmetric: &Mat<f64>) -> Option<Vec<f64>> {
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
    Some(vectors.col(n - 2).iter().copied().collect())
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
    fn the_cost_of_a_cut_by_hand() {
        // Two pairs of nodes with ties of 1 within (and to themselves) and 0.1 across.
        let ties = Mat::from_fn(4, 4, |a, b| if a / 2 == b / 2 { 1.0 } else { 0.1 });
        let mean = super::super::superpixels::Mean { area: 1.0, ..Default::default() };
        let superpixels = Superpixels { labels: vec![0, 1, 2, 3], means: vec![mean; 4], step: 1.0 };
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
