//! Two passes of nearest neighbours (2PKNN: Verma and Jawahar 2012).
//!
//! First, for every word, the few training pictures nearest to the picture among those that have the
//! word: so every word, however rare, is among the neighbours. Second, the words of all these,
//! weighted by exp(-distance).

use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};

use super::super::counts::Counts;
use super::super::held_out::{HeldOut, fold};
use super::super::tried::{Best, Tried};
use super::Params;
use super::distances::{BLOCK, Base};
use crate::Result;
use crate::interruption::unless_interrupted;

/// What is tried where nothing is given; of equals, the first is taken.
const OF_EACH_WORD: [usize; 5] = [4, 1, 2, 8, 15];
const FALLS: [f64; 7] = [8.0, 2.0, 4.0, 12.0, 16.0, 24.0, 32.0];

/// How the second pass weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passes {
    /// How many pictures of each word are neighbours.
    pub(super) of_each_word: usize,
    /// How fast weights fall with the distance.
    pub(super) fall: f64,
}

/// p(w|I) for every word; `distances` are those of all training pictures.
pub(super) fn probabilities(distances: &[f64], words: &Counts, passes: Passes) -> Vec<f64> {
    let mut order: Vec<u32> = (0..distances.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        distances[a as usize].total_cmp(&distances[b as usize]).then(a.cmp(&b))
    });
    let nearest = order.first().map_or(0.0, |&first| distances[first as usize]);
    let mut taken = vec![0usize; words.columns()];
    let mut p = vec![0.0; words.columns()];
    let mut total = 0.0;
    for picture in order {
        let row = words.row(picture as usize);
        let wanted = row.iter().any(|&(word, _)| taken[word as usize] < passes.of_each_word);
        if !wanted {
            continue;
        }
        let weight = (-passes.fall * (distances[picture as usize] - nearest)).exp();
        total += weight;
        for &(word, _) in row {
            taken[word as usize] += 1;
            p[word as usize] += weight;
        }
    }
    p.iter_mut().for_each(|p| *p /= total);
    p
}

/// The distances of all training pictures, parts added up by their weights.
pub(super) fn weighted(distances: &[&[f32]], theta: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; distances.first().map_or(0, |part| part.len())];
    for (part, theta) in distances.iter().zip(theta) {
        sums.iter_mut().zip(*part).for_each(|(sum, &d)| *sum += theta * f64::from(d));
    }
    sums
}

/// How two passes weigh, chosen on one part of the pictures, held out of the others.
pub(super) fn choose(
    base: &Base,
    words: &Counts,
    theta: &[f64],
    params: &Params,
    progress: &dyn Progress,
) -> Result<Passes> {
    let counts = Tried::new(params.of_each_word, &OF_EACH_WORD);
    let falls = Tried::new(params.fall, &FALLS);
    let first = Passes { of_each_word: counts.first(), fall: falls.first() };
    if counts.len() * falls.len() == 1 || words.rows() < 2 * params.folds {
        return Ok(first);
    }
    let (held_out, kept) = fold(words.rows(), params.folds, 0);
    let (others, known) = (base.some(&kept), words.some(&kept));
    let mut distances: Vec<Vec<f64>> = Vec::new();
    for block in held_out.chunks(BLOCK) {
        let own: Vec<Matrix> = others.between_rows_of(base, block);
        distances.extend((0..block.len()).map(|at| {
            let parts: Vec<&[f32]> = own.iter().map(|part| part.row(at)).collect();
            weighted(&parts, theta)
        }));
    }
    let truth = HeldOut::new(words.some(&held_out), params.length);
    progress.begin("choosing neighbours", Some((counts.len() * falls.len()) as u64));
    let mut best = Best::new(first);
    for of_each_word in counts.iter() {
        for fall in falls.iter() {
            unless_interrupted(progress)?;
            let passes = Passes { of_each_word, fall };
            let given: Vec<Vec<f64>> = distances
                .par_iter()
                .map(|distances| probabilities(distances, &known, passes))
                .collect();
            best.offer(truth.measure(params.criterion, &given), passes);
            progress.advance(1);
        }
    }
    Ok(best.of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_is_heard() {
        // Many near pictures of word 0, one of word 1 somewhat farther.
        let words = Counts::new(2, (0..9).map(|row| vec![(u32::from(row == 8), 1.0)]));
        let distances = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2];
        let passes = Passes { of_each_word: 1, fall: 1.0 };
        let p = probabilities(&distances, &words, passes);
        // One picture each: 1 to exp(-0.1).
        assert!((p[1] / p[0] - (-0.1f64).exp()).abs() < 1e-12);
        assert!((p[0] + p[1] - 1.0).abs() < 1e-12);
    }
}
