//! Bootstrap intervals: how far a figure may be off, given that the queries are a sample
//! (Efron 1979, 1987).
//!
//! The queries are drawn anew with replacement, as many as there are, and the figure is taken of
//! each draw. The interval lies between two percentiles of those figures:
//!
//! - percentile: the 2.5th and the 97.5th for 95% confidence;
//! - BCa: percentiles shifted for bias (how many draws fall below the figure itself) and for skew
//!   (from leaving one query out at a time). Better for small or skewed samples, and the default.
//!
//! For the difference of two systems, give the paired differences. Undefined for fewer than two
//! values; BCa also where all draws give the same figure.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::Statistic;
use crate::Undefined;
use crate::special::{normal_cdf, normal_quantile};
use crate::undefined::check_values;

/// Draws that share one stream of random numbers.
const BLOCK: usize = 256;

/// How the percentiles are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum IntervalKind {
    /// Corrected for bias and skew.
    #[default]
    BiasCorrected,
    /// As they are.
    Percentile,
}

/// How the interval is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Number of draws.
    pub draws: usize,
    /// Chance that the interval holds the true figure, between 0 and 1.
    pub confidence: f64,
    /// How the percentiles are chosen.
    pub kind: IntervalKind,
    /// Seed of the draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { draws: 10_000, confidence: 0.95, kind: IntervalKind::BiasCorrected, seed: 0 }
    }
}

/// A figure with the interval it lies in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The figure itself.
    pub figure: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Bootstrap {
    /// The interval of the mean or median of `values`, one a query.
    ///
    /// # Errors
    /// With fewer than two values, values that are no numbers, settings out of range, or (for
    /// BCa) values that are all the same.
    pub fn interval(&self, values: &[f64], statistic: Statistic) -> Result<Interval, Undefined> {
        check_values(values, 2)?;
        if self.draws == 0 {
            return Err(Undefined::Setting { name: "draws", range: "at least 1" });
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Undefined::Setting { name: "confidence", range: "between 0 and 1" });
        }
        let figure = statistic.of(&mut values.to_vec());
        let mut drawn = self.draw(values, statistic);
        drawn.sort_by(f64::total_cmp);
        let (low, high) = match self.kind {
            IntervalKind::Percentile => percentile(&drawn, self.confidence),
            IntervalKind::BiasCorrected => {
                bias_corrected(&drawn, figure, &left_out(values, statistic), self.confidence)?
            }
        };
        Ok(Interval { figure, low, high })
    }

    fn draw(&self, values: &[f64], statistic: Statistic) -> Vec<f64> {
        let mut drawn = vec![0.0; self.draws];
        drawn.par_chunks_mut(BLOCK).enumerate().for_each(|(block, figures)| {
            let mut random = ChaCha8Rng::seed_from_u64(self.seed);
            random.set_stream(block as u64);
            let mut sample = vec![0.0; values.len()];
            for figure in figures {
                sample
                    .iter_mut()
                    .for_each(|value| *value = values[below(&mut random, values.len())]);
                *figure = statistic.of(&mut sample);
            }
        });
        drawn
    }
}

/// A number below `limit`, by the high half of a product (Lemire 2019). The bias of at most
/// limit / 2^64 is far below what any number of draws could show.
fn below(random: &mut ChaCha8Rng, limit: usize) -> usize {
    ((u128::from(random.next_u64()) * limit as u128) >> 64) as usize
}

/// The figures with each query left out in turn.
fn left_out(values: &[f64], statistic: Statistic) -> Vec<f64> {
    match statistic {
        Statistic::Mean => {
            let sum: f64 = values.iter().sum();
            values.iter().map(|value| (sum - value) / (values.len() - 1) as f64).collect()
        }
        Statistic::Median => {
            let mut sorted = values.to_vec();
            sorted.sort_by(f64::total_cmp);
            let middle = |at: usize, skip: usize| sorted[if at < skip { at } else { at + 1 }];
            let left = sorted.len() - 1;
            let without = |skip: usize| match left.is_multiple_of(2) {
                true => 0.5 * (middle(left / 2 - 1, skip) + middle(left / 2, skip)),
                false => middle(left / 2, skip),
            };
            (0..sorted.len()).map(without).collect()
        }
    }
}

/// The percentiles that leave equal shares of the sorted figures on either side.
pub fn percentile(sorted: &[f64], confidence: f64) -> (f64, f64) {
    let tail = 0.5 * (1.0 - confidence);
    (quantile(sorted, tail), quantile(sorted, 1.0 - tail))
}

/// The percentiles of the sorted figures, shifted for bias and skew (Efron 1987).
///
/// # Errors
/// Where all figures are the same or lie on one side of `figure`, so that the shift is infinite.
pub fn bias_corrected(
    sorted: &[f64],
    figure: f64,
    left_out: &[f64],
    confidence: f64,
) -> Result<(f64, f64), Undefined> {
    let under = sorted.partition_point(|&drawn| drawn < figure) as f64;
    let up_to = sorted.partition_point(|&drawn| drawn <= figure) as f64;
    let bias = normal_quantile((under + up_to) / (2.0 * sorted.len() as f64));
    let mean = left_out.iter().sum::<f64>() / left_out.len() as f64;
    let (mut cubes, mut squares) = (0.0, 0.0);
    for &without in left_out {
        let distance = mean - without;
        squares += distance * distance;
        cubes += distance * distance * distance;
    }
    if squares == 0.0 || !bias.is_finite() {
        return Err(Undefined::Constant);
    }
    let skew = cubes / (6.0 * squares.powf(1.5));
    let tail = normal_quantile(0.5 * (1.0 - confidence));
    let shifted = |z: f64| normal_cdf(bias + (bias + z) / (1.0 - skew * (bias + z)));
    Ok((quantile(sorted, shifted(tail)), quantile(sorted, shifted(-tail))))
}

/// A quantile of sorted numbers, going straight from one number to the next (numpy's default).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_go_straight_between_numbers() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&sorted, 0.0), 1.0);
        assert_eq!(quantile(&sorted, 0.5), 3.0);
        assert_eq!(quantile(&sorted, 1.0), 8.0);
    }

    #[test]
    fn the_interval_of_a_normal_mean_is_the_textbooks() {
        // Quantiles of the normal distribution as a sample: mean 0, deviation close to 1.
        let values: Vec<f64> =
            (0..400).map(|at| normal_quantile((f64::from(at) + 0.5) / 400.0)).collect();
        for kind in [IntervalKind::Percentile, IntervalKind::BiasCorrected] {
            let found = Bootstrap { kind, ..Bootstrap::default() };
            let found = found.interval(&values, Statistic::Mean).unwrap();
            assert!(found.figure.abs() < 1e-12);
            assert!((found.low + 0.098).abs() < 0.006 && (found.high - 0.098).abs() < 0.006);
        }
    }

    #[test]
    fn leaving_one_out() {
        assert_eq!(left_out(&[1.0, 2.0, 6.0], Statistic::Mean), [4.0, 3.5, 1.5]);
        assert_eq!(left_out(&[6.0, 1.0, 2.0], Statistic::Median), [4.0, 3.5, 1.5]);
        assert_eq!(left_out(&[1.0, 2.0, 3.0, 9.0], Statistic::Median), [3.0, 3.0, 2.0, 2.0]);
    }

    #[test]
    fn threads_do_not_matter_and_the_seed_does() {
        let values: Vec<f64> = (0..50).map(|at| f64::from(at * at % 17)).collect();
        let run = |seed: u64, threads: usize| {
            let params = Bootstrap { draws: 1000, seed, ..Bootstrap::default() };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| params.interval(&values, Statistic::Mean).unwrap())
        };
        assert_eq!(run(1, 1), run(1, 4));
        assert_ne!(run(1, 1), run(2, 1));
    }

    #[test]
    fn what_has_no_interval() {
        let params = Bootstrap::default();
        let one = params.interval(&[1.0], Statistic::Mean);
        assert_eq!(one, Err(Undefined::TooFew { needed: 2, given: 1 }));
        assert_eq!(params.interval(&[3.0; 9], Statistic::Mean), Err(Undefined::Constant));
        let plain = Bootstrap { kind: IntervalKind::Percentile, ..params };
        assert_eq!(plain.interval(&[3.0; 9], Statistic::Mean).unwrap().low, 3.0);
        assert!(Bootstrap { draws: 0, ..params }.interval(&[1.0, 2.0], Statistic::Mean).is_err());
        let sure = Bootstrap { confidence: 1.0, ..params };
        assert!(sure.interval(&[1.0, 2.0], Statistic::Mean).is_err());
    }
}
