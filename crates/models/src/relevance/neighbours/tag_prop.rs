//! TagProp (Guillaumin, Mensink, Verbeek and Schmid 2009): the words of the nearest training pictures,
//! weighted by distances whose weights are learnt.
//!
//! pi_IJ falls with exp(-sum of theta_d d(I, J)) among the K nearest J, and p(w|I) is the sum of pi_IJ
//! over those that have w. The theta_d, one for each base distance, maximise the likelihood of the
//! training pictures' own words, each picture left out of its own neighbours, words that are there
//! and words that are not counting as much as each other. Afterwards a logistic curve for each word
//! corrects what neighbours say too seldom of rare words.

use rayon::prelude::*;

use super::super::counts::Counts;
use super::near::Near;
use crate::lexicon::logistic::{Sample, Weights};

/// No neighbour makes a word quite impossible or sure.
const LEAST: f64 = 1e-5;
/// Steps of the ascent.
const STEPS: usize = 60;
/// Where weights begin, in units of mean distances.
const START: f64 = 8.0;

/// What a word's presence and absence count: positives and negatives have the same weight together.
#[derive(Debug, Clone, Copy)]
struct Costs {
    present: f64,
    absent: f64,
}

/// The weights of base distances that make training pictures' own words likeliest; `near` has the
/// neighbours of each, itself left out.
pub(super) fn learn(near: &[Near], words: &Counts, parts: usize) -> Vec<f64> {
    let present: usize = (0..words.rows()).map(|row| words.row(row).len()).sum();
    let all = words.rows() * words.columns();
    let costs =
        Costs { present: 1.0 / present as f64, absent: 1.0 / (all - present).max(1) as f64 };
    let mut theta = vec![START / parts as f64; parts];
    let (mut value, mut slope) = likelihood(near, words, &theta, costs);
    let mut step = START;
    for _ in 0..STEPS {
        let length = slope.iter().map(|s| s * s).sum::<f64>().sqrt();
        if length == 0.0 || step < 1e-3 {
            break;
        }
        let next: Vec<f64> = theta
            .iter()
            .zip(&slope)
            .map(|(theta, slope)| (theta + step * slope / length).max(0.0))
            .collect();
        let (found, found_slope) = likelihood(near, words, &next, costs);
        if found > value {
            (theta, value, slope) = (next, found, found_slope);
            step *= 1.5;
        } else {
            step *= 0.4;
        }
    }
    theta
}

/// The weighted log-likelihood of the training pictures' words, and its slope.
fn likelihood(near: &[Near], words: &Counts, theta: &[f64], costs: Costs) -> (f64, Vec<f64>) {
    let of_picture = |(row, near): (usize, &Near)| {
        let weights = near.weights(theta);
        let found = near.words(&weights, words);
        let own = words.row(row);
        let has = |word: u32| own.binary_search_by_key(&word, |entry| entry.0).is_ok();
        let mut value = 0.0;
        // By word: what one more of p(w|I) is worth.
        let mut worth: Vec<(u32, f64)> = Vec::with_capacity(found.len());
        for &(word, p) in &found {
            let p = p.clamp(LEAST, 1.0 - LEAST);
            if has(word) {
                value += costs.present * p.ln();
                worth.push((word, costs.present / p));
            } else {
                value += costs.absent * (1.0 - p).ln();
                worth.push((word, -costs.absent / (1.0 - p)));
            }
        }
        let missed = own.len() - found.iter().filter(|(word, _)| has(*word)).count();
        value += costs.present * missed as f64 * LEAST.ln();
        let gains: Vec<f64> = near
            .pictures
            .iter()
            .map(|&picture| {
                let of = |&(word, _): &(u32, f64)| {
                    let at = worth.binary_search_by_key(&word, |entry| entry.0);
                    at.map_or(0.0, |at| worth[at].1)
                };
                words.row(picture as usize).iter().map(of).sum()
            })
            .collect();
        let mut slope = vec![0.0; theta.len()];
        for (d, slope) in slope.iter_mut().enumerate() {
            let distance = |at: usize| f64::from(near.distances[at * theta.len() + d]);
            let mean: f64 = weights.iter().enumerate().map(|(at, pi)| pi * distance(at)).sum();
            let each = weights.iter().zip(&gains).enumerate();
            *slope = each.map(|(at, (pi, gain))| -pi * (distance(at) - mean) * gain).sum();
        }
        (value, slope)
    };
    let each: Vec<(f64, Vec<f64>)> = near.par_iter().enumerate().map(of_picture).collect();
    // Added up in one order, so that the sum does not depend on the threads.
    let mut sum = (0.0, vec![0.0; theta.len()]);
    for (value, slope) in each {
        sum.0 += value;
        sum.1.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
    }
    sum
}

/// For each word a logistic curve from what neighbours say to whether the picture has it: a slope and
/// a constant.
pub(super) fn curves(near: &[Near], words: &Counts, theta: &[f64]) -> Vec<[f64; 2]> {
    let said: Vec<Vec<(u32, f64)>> =
        near.par_iter().map(|near| near.words(&near.weights(theta), words)).collect();
    let mut samples: Vec<Vec<Sample<1>>> = vec![Vec::new(); words.columns()];
    for (row, said) in said.iter().enumerate() {
        let own = words.row(row);
        for &(word, p) in said {
            let has = own.binary_search_by_key(&word, |entry| entry.0).is_ok();
            let sure = if has { 1.0 } else { 0.0 };
            samples[word as usize].push(Sample { inputs: [p], sure, often: 1.0 });
        }
        for &(word, _) in own {
            if said.binary_search_by_key(&word, |entry| entry.0).is_err() {
                samples[word as usize].push(Sample { inputs: [0.0], sure: 1.0, often: 1.0 });
            }
        }
    }
    let fit = |samples: &Vec<Sample<1>>| {
        // All other pictures: no neighbour has the word, nor have they.
        let others = near.len().saturating_sub(samples.len()) as f64;
        let mut all = samples.clone();
        all.push(Sample { inputs: [0.0], sure: 0.0, often: others });
        let Weights { inputs: [slope], constant } = Weights::fit(&all);
        // A curve that falls has seen too little of the word.
        [slope.max(0.0), constant]
    };
    samples.par_iter().map(fit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two base distances: the first tells words apart, the second is noise.
    fn world() -> (Vec<Near>, Counts) {
        let words = Counts::new(2, (0..20).map(|row| vec![(row % 2, 1.0)]));
        let near = (0..20u32)
            .map(|own| {
                let pictures: Vec<u32> = (0..20).filter(|&other| other != own).collect();
                let distances = pictures.iter().flat_map(|&other| {
                    let unlike = (own + other) % 2;
                    [0.5 + unlike as f32, 0.5 + ((own * 7 + other * 5) % 11) as f32 / 11.0]
                });
                Near { distances: distances.collect(), pictures }
            })
            .collect();
        (near, words)
    }

    #[test]
    fn the_distance_that_tells_words_apart_counts() {
        let (near, words) = world();
        let theta = learn(&near, &words, 2);
        assert!(theta[0] > 4.0 * theta[1], "{theta:?}");
        let said = near[0].words(&near[0].weights(&theta), &words);
        assert!(said[0].1 > 0.9 && (said.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_slope_is_that_of_the_likelihood() {
        let (near, words) = world();
        let costs = Costs { present: 0.05, absent: 0.05 };
        let at = [1.5, 0.7];
        let (_, slope) = likelihood(&near, &words, &at, costs);
        for d in 0..2 {
            let (mut low, mut high) = (at, at);
            low[d] -= 1e-5;
            high[d] += 1e-5;
            let difference = likelihood(&near, &words, &high, costs).0
                - likelihood(&near, &words, &low, costs).0;
            assert!((difference / 2e-5 - slope[d]).abs() < 1e-6, "{d}");
        }
    }

    #[test]
    fn curves_rise() {
        let (near, words) = world();
        let curves = curves(&near, &words, &learn(&near, &words, 2));
        assert!(curves.iter().all(|[slope, _]| *slope > 0.0), "{curves:?}");
    }
}
