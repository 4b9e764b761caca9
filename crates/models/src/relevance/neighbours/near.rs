//! The nearest training pictures of a picture, and what they say of words.

use rayon::prelude::*;
use rebus_collection::Progress;

use super::super::counts::Counts;
use super::distances::{BLOCK, Base};
use crate::Result;
use crate::interruption::unless_interrupted;

/// The neighbours of a picture: training pictures with their base distances.
#[derive(Debug, Clone)]
pub(super) struct Near {
    pub(super) pictures: Vec<u32>,
    /// A row a picture, a number a base distance.
    pub(super) distances: Vec<f32>,
}

impl Near {
    /// pi_IJ under these weights.
    pub(super) fn weights(&self, theta: &[f64]) -> Vec<f64> {
        let sums: Vec<f64> = self
            .distances
            .chunks_exact(theta.len())
            .map(|row| row.iter().zip(theta).map(|(&d, theta)| f64::from(d) * theta).sum())
            .collect();
        let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
        let weights: Vec<f64> = sums.iter().map(|sum| (least - sum).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }

    /// The words that neighbours have, with p(w|I), in the order of words.
    pub(super) fn words(&self, weights: &[f64], words: &Counts) -> Vec<(u32, f64)> {
        let mut found: Vec<(u32, f64)> = self
            .pictures
            .iter()
            .zip(weights)
            .flat_map(|(&picture, &weight)| {
                words.row(picture as usize).iter().map(move |&(word, _)| (word, weight))
            })
            .collect();
        found.sort_unstable_by_key(|&(word, _)| word);
        let sum = |same: &[(u32, f64)]| (same[0].0, same.iter().map(|(_, p)| p).sum());
        found.chunk_by(|a, b| a.0 == b.0).map(sum).collect()
    }
}

/// The nearest training pictures by the plain sum of base distances, the nearest first, one of them
/// left out.
pub(super) fn nearest(distances: &[&[f32]], count: usize, left_out: Option<u32>) -> Near {
    let pictures = distances.first().map_or(0, |part| part.len()) as u32;
    let sum = |picture: u32| distances.iter().map(|part| part[picture as usize]).sum::<f32>();
    let mut all: Vec<(f32, u32)> = (0..pictures)
        .filter(|picture| Some(*picture) != left_out)
        .map(|picture| (sum(picture), picture))
        .collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if count < all.len() {
        all.select_nth_unstable_by(count, order);
        all.truncate(count);
    }
    all.sort_unstable_by(order);
    let pictures: Vec<u32> = all.into_iter().map(|(_, picture)| picture).collect();
    let of = |&picture: &u32| distances.iter().map(move |part| part[picture as usize]);
    let distances = pictures.iter().flat_map(of).collect();
    Near { pictures, distances }
}

/// Every training picture's neighbours among the others.
pub(super) fn own_neighbours(
    base: &Base,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<Near>> {
    let pictures: Vec<usize> = (0..base.pictures()).collect();
    progress.begin("comparing training pictures", Some(pictures.len() as u64));
    let mut near = Vec::with_capacity(pictures.len());
    for block in pictures.chunks(BLOCK) {
        unless_interrupted(progress)?;
        let distances = base.between_rows_of(base, block);
        let of = |(at, &picture): (usize, &usize)| {
            let own: Vec<&[f32]> = distances.iter().map(|part| part.row(at)).collect();
            nearest(&own, count, Some(picture as u32))
        };
        near.par_extend(block.par_iter().enumerate().map(of));
        progress.advance(block.len() as u64);
    }
    Ok(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_by_the_sum_of_parts() {
        let parts: [&[f32]; 2] = [&[0.1, 0.4, 0.2, 0.3], &[0.5, 0.0, 0.1, 0.1]];
        let near = nearest(&parts, 2, None);
        assert_eq!(near.pictures, [2, 1]);
        assert_eq!(near.distances, [0.2, 0.1, 0.4, 0.0]);
        // One is left out, and of equals the first comes first.
        assert_eq!(nearest(&parts, 9, Some(2)).pictures, [1, 3, 0]);
    }
}
