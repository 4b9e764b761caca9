//! Choosing the smoothing on held-out training pictures (section 5.2.1 of the relevance-models
//! paper).
//!
//! The paper holds out 500 of its 4,500 training pictures, once. What is best differs much between
//! such parts, so that every picture is held out in turn, and the mean over the parts decides. The
//! model is then made of all training pictures.

use rayon::prelude::*;
use rebus_collection::Progress;

use super::cmrm::{Params, Retrieval};
use super::counts::{Counts, Entry};
use super::held_out::{self, Criterion, HeldOut};
use super::tried::{Best, Tried};
use super::urns::{Scratch, Urns};
use crate::Result;
use crate::interruption::unless_interrupted;

/// The values that are tried, the paper's first: of equals, the first is taken.
const ALPHAS: [f64; 6] = [0.1, 0.01, 0.05, 0.2, 0.3, 0.5];
const BETAS: [f64; 13] = [0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.95, 0.98];
const PICTURE_BETAS: [f64; 5] = [0.9, 0.7, 0.95, 0.98, 0.99];
/// In direct retrieval there are three values to choose; these are tried for the training pictures.
const DIRECT_BETAS: [f64; 5] = [0.9, 0.1, 0.3, 0.5, 0.7];
const DIRECT_ALPHAS: [f64; 5] = [0.1, 0.01, 0.2, 0.3, 0.5];

/// What was given or chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Smoothing {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) picture_beta: f64,
}

/// The smoothing of a model of these pictures, which come in an order without meaning, and what it
/// reached where it was chosen.
pub(super) fn choose(
    words: &Counts,
    blobs: &Counts,
    params: &Params,
    progress: &dyn Progress,
) -> Result<(Smoothing, Option<f64>)> {
    let grid = match params.retrieval {
        Retrieval::Annotation => Grid {
            alphas: Tried::new(params.alpha, &ALPHAS),
            betas: Tried::new(params.beta, &BETAS),
            picture_betas: Tried::new(params.picture_beta, &[0.9]),
        },
        Retrieval::Direct => Grid {
            alphas: Tried::new(params.alpha, &DIRECT_ALPHAS),
            betas: Tried::new(params.beta, &DIRECT_BETAS),
            picture_betas: Tried::new(params.picture_beta, &PICTURE_BETAS),
        },
    };
    let first = grid.first();
    // With fewer than two pictures a part there is nothing to choose on.
    if grid.values().count() == 1 || words.rows() < 2 * params.folds {
        return Ok((first, None));
    }
    progress.begin("choosing the smoothing", Some(params.folds as u64));
    let mut sums = vec![0.0; grid.values().count()];
    for fold in 0..params.folds {
        unless_interrupted(progress)?;
        let (held_out, kept) = held_out::fold(words.rows(), params.folds, fold);
        let part = Part {
            words: Urns::new(words.some(&kept), &blobs.some(&kept), params.size, first.alpha),
            blobs: Urns::new(blobs.some(&kept), &words.some(&kept), params.size, first.beta),
            held_out: HeldOut::new(words.some(&held_out), params.length),
            pictures: blobs.some(&held_out),
        };
        let values = match (params.retrieval, params.criterion) {
            (Retrieval::Direct, _) => part.direct(&grid),
            (_, criterion) => part.annotation(&grid, criterion),
        };
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        progress.advance(1);
    }
    let mut best = Best::new(first);
    sums.into_iter().zip(grid.values()).for_each(|(sum, smoothing)| best.offer(sum, smoothing));
    Ok((best.of, Some(best.value / params.folds as f64)))
}

/// What is tried.
struct Grid {
    alphas: Tried<f64>,
    betas: Tried<f64>,
    picture_betas: Tried<f64>,
}

impl Grid {
    fn first(&self) -> Smoothing {
        Smoothing {
            alpha: self.alphas.first(),
            beta: self.betas.first(),
            picture_beta: self.picture_betas.first(),
        }
    }

    fn values(&self) -> impl Iterator<Item = Smoothing> {
        self.betas.iter().flat_map(move |beta| {
            self.alphas.iter().flat_map(move |alpha| {
                let picture_betas = self.picture_betas.iter();
                picture_betas.map(move |picture_beta| Smoothing { alpha, beta, picture_beta })
            })
        })
    }
}

/// Urns of the pictures that are kept, and the words and blobs of those that are held out.
struct Part {
    words: Urns,
    blobs: Urns,
    held_out: HeldOut,
    pictures: Counts,
}

impl Part {
    /// What each value of the grid reaches.
    fn annotation(&self, grid: &Grid, criterion: Criterion) -> Vec<f64> {
        let of_beta = |beta: f64| {
            let blobs = self.blobs.clone().smoothed(beta);
            let mut scratch = Scratch::default();
            let shares: Vec<Vec<f64>> = (0..self.pictures.rows())
                .map(|row| {
                    let posterior = blobs.posterior(self.pictures.row(row), &mut scratch);
                    self.words.shares(&posterior)
                })
                .collect();
            let of_alpha = |alpha: f64| {
                let mut probabilities = shares.clone();
                probabilities.iter_mut().for_each(|row| self.words.smooth(row, alpha));
                self.held_out.measure(criterion, &probabilities)
            };
            grid.alphas
                .iter()
                .flat_map(|alpha| vec![of_alpha(alpha); grid.picture_betas.len()])
                .collect::<Vec<f64>>()
        };
        let betas: Vec<f64> = grid.betas.iter().collect();
        betas.into_par_iter().flat_map(of_beta).collect()
    }

    /// What each value of the grid reaches in direct retrieval.
    fn direct(&self, grid: &Grid) -> Vec<f64> {
        let pairs = grid.betas.iter().flat_map(|beta| grid.alphas.iter().map(move |a| (a, beta)));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        let of_pair = |&(alpha, beta): &(f64, f64)| {
            let words = self.words.clone().smoothed(alpha);
            let blobs = self.blobs.clone().smoothed(beta);
            let mut scratch = Scratch::default();
            let mut model = |word: usize| {
                blobs.expectation(&words.posterior(&[(word as u32, 1.0)], &mut scratch))
            };
            let models: Vec<Vec<f64>> = (0..words.counts().columns()).map(&mut model).collect();
            let of_picture_beta = |picture_beta: f64| {
                let smoothing = Smoothing { alpha, beta, picture_beta };
                let picture = |row: usize| -> Vec<Entry> {
                    let bag = self.pictures.row(row);
                    against_background(bag, blobs.background(), &smoothing).collect()
                };
                let pictures: Vec<Vec<Entry>> = (0..self.pictures.rows()).map(picture).collect();
                self.held_out.mean_average_precision(|word| {
                    let of = |&(blob, log): &Entry| log * models[word][blob as usize];
                    pictures.iter().map(|row| row.iter().map(of).sum()).collect()
                })
            };
            grid.picture_betas.iter().map(of_picture_beta).collect::<Vec<f64>>()
        };
        pairs.par_iter().flat_map(of_pair).collect()
    }
}

/// ln(P(b|I) / (smoothing P(b))) of equation 5 for the blobs that a picture has; all others are 0.
/// Blobs that no training picture has are passed over.
pub(super) fn against_background(
    bag: &[Entry],
    background: &[f64],
    smoothing: &Smoothing,
) -> impl Iterator<Item = Entry> {
    let beta = smoothing.picture_beta;
    let known = |&&(blob, _): &&Entry| background[blob as usize] > 0.0;
    let size: f64 = bag.iter().filter(known).map(|(_, count)| count).sum();
    bag.iter().filter(known).map(move |&(blob, count)| {
        let own = (1.0 - beta) * count / size;
        (blob, (own / (beta * background[blob as usize])).ln_1p())
    })
}
