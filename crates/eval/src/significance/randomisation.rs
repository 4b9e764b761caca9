//! Fisher's paired randomisation test (Fisher 1935; Smucker, Allan & Carterette 2007; ranking-task
//! paper, section 4.2.2).
//!
//! Under the null hypothesis it does not matter which of two systems reached which of two values
//! for a query. So the values are shared out anew at random, query by query, many times, and the
//! p-value is the share of samples whose difference between the systems is at least as large as
//! the one seen, on either side.
//!
//! - With at most as many ways to share out as samples asked for (16 differing queries for
//!   100,000), all are looked at and p is exact.
//! - Otherwise p = (b + 1) / (n + 1) for b of n samples: what was seen is itself one way to share
//!   out, so p is never 0 (Phipson & Smyth 2010; scipy does the same). With 100,000 samples the
//!   papers' b / n is less by at most 0.00001.
//! - Equal systems give p = 1, for every way to share out is as large as what was seen.
//!
//! Sums that are equal on paper may differ in the last bits, so "at least as large" allows for
//! the rounding error of the sum. The result depends on the seed only, not on the threads.
//!
//! Cost of a mean: a sample is a choice of signs for the differences. Eight signs are one random
//! byte and one look into a table of the 256 partial sums, so 1,000 queries cost 125 additions.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::Statistic;
use crate::Undefined;
use crate::undefined::check_pairs;

/// Samples that share one stream of random numbers.
const BLOCK: usize = 1024;

/// How the test is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Randomisation {
    /// Number of samples; the papers take 100,000.
    pub samples: usize,
    /// Seed of the samples.
    pub seed: u64,
}

impl Default for Randomisation {
    fn default() -> Self {
        Self { samples: 100_000, seed: 0 }
    }
}

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Randomised {
    /// The first system's statistic minus the second's.
    pub difference: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// How many ways to share out were looked at.
    pub samples: usize,
    /// Whether those were all there are.
    pub exact: bool,
}

/// Whether the means (or medians) of two systems' values for the same queries differ.
///
/// # Errors
/// Without queries, with lists of different lengths, with values that are no numbers, or when no
/// samples are asked for.
pub fn randomisation(
    first: &[f64],
    second: &[f64],
    statistic: Statistic,
    params: &Randomisation,
) -> Result<Randomised, Undefined> {
    check_pairs(first, second, 1)?;
    if params.samples == 0 {
        return Err(Undefined::Setting { name: "samples", range: "at least 1" });
    }
    let difference = statistic.of(&mut first.to_vec()) - statistic.of(&mut second.to_vec());
    let differing: Vec<usize> = (0..first.len()).filter(|&at| first[at] != second[at]).collect();
    let ways = u32::try_from(differing.len()).ok().and_then(|bits| 1usize.checked_shl(bits));
    let exact = ways.filter(|&ways| ways <= params.samples);
    let as_large = match statistic {
        Statistic::Mean => {
            let differences: Vec<f64> =
                differing.iter().map(|&at| first[at] - second[at]).collect();
            count_means(&differences, exact, params)
        }
        Statistic::Median => {
            let pairs = Pairs { first, second, differing: &differing, least: difference.abs() };
            pairs.count(exact, params)
        }
    };
    Ok(match exact {
        Some(ways) => {
            Randomised { difference, p: as_large as f64 / ways as f64, samples: ways, exact: true }
        }
        None => Randomised {
            difference,
            p: (as_large + 1) as f64 / (params.samples + 1) as f64,
            samples: params.samples,
            exact: false,
        },
    })
}

fn stream(seed: u64, block: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(block as u64);
    random
}

/// Sizes of the blocks that make up all samples, with their numbers.
fn blocks(samples: usize) -> impl IndexedParallelIterator<Item = (usize, usize)> {
    (0..samples.div_ceil(BLOCK))
        .into_par_iter()
        .map(move |block| (block, BLOCK.min(samples - block * BLOCK)))
}

/// How many choices of signs give a sum at least as far from 0 as all plus signs do.
fn count_means(differences: &[f64], exact: Option<usize>, params: &Randomisation) -> usize {
    let total: f64 = differences.iter().sum();
    let size: f64 = differences.iter().map(|difference| difference.abs()).sum();
    let slack = (differences.len() + 8) as f64 * f64::EPSILON * size;
    let least = total.abs() - slack;
    let tables: Vec<[f64; 256]> = differences.chunks(8).map(signed_sums).collect();
    let count = |block: usize, samples: usize| {
        let mut sums = [0.0f64; BLOCK];
        let mut bytes = [0u8; BLOCK];
        let mut random = stream(params.seed, block);
        for (group, table) in tables.iter().enumerate() {
            match exact {
                Some(_) => number_bytes(&mut bytes, block * BLOCK, group),
                None => random.fill_bytes(&mut bytes),
            }
            for (sum, &signs) in sums.iter_mut().zip(&bytes) {
                *sum += table[usize::from(signs)];
            }
        }
        sums[..samples].iter().filter(|sum| sum.abs() >= least).count()
    };
    blocks(exact.unwrap_or(params.samples)).map(|(block, samples)| count(block, samples)).sum()
}

/// The `group`th byte of the numbers from `start` on.
fn number_bytes(bytes: &mut [u8; BLOCK], start: usize, group: usize) {
    for (offset, byte) in bytes.iter_mut().enumerate() {
        *byte = ((start + offset) >> (8 * group)) as u8;
    }
}

/// The sums of up to eight numbers under every choice of signs; a set bit is a minus.
fn signed_sums(numbers: &[f64]) -> [f64; 256] {
    std::array::from_fn(|signs| {
        numbers.iter().enumerate().fold(0.0, |sum, (bit, number)| {
            if signs >> bit & 1 == 0 { sum + number } else { sum - number }
        })
    })
}

/// The paired values of a statistic that has no short way.
struct Pairs<'a> {
    first: &'a [f64],
    second: &'a [f64],
    differing: &'a [usize],
    least: f64,
}

impl Pairs<'_> {
    fn count(&self, exact: Option<usize>, params: &Randomisation) -> usize {
        let count = |block: usize, samples: usize| {
            let mut random = stream(params.seed, block);
            let mut signs = vec![0u8; self.differing.len().div_ceil(8)];
            let mut room = (self.first.to_vec(), self.second.to_vec());
            let mut as_large = 0;
            for sample in 0..samples {
                match exact {
                    Some(_) => {
                        let number = block * BLOCK + sample;
                        for (group, byte) in signs.iter_mut().enumerate() {
                            *byte = (number >> (8 * group)) as u8;
                        }
                    }
                    None => random.fill_bytes(&mut signs),
                }
                as_large += usize::from(self.shared_out(&signs, &mut room) >= self.least);
            }
            as_large
        };
        blocks(exact.unwrap_or(params.samples)).map(|(block, samples)| count(block, samples)).sum()
    }

    /// The distance of the medians after the values are shared out by `signs`.
    fn shared_out(&self, signs: &[u8], (one, other): &mut (Vec<f64>, Vec<f64>)) -> f64 {
        one.copy_from_slice(self.first);
        other.copy_from_slice(self.second);
        for (bit, &at) in self.differing.iter().enumerate() {
            if signs[bit / 8] >> (bit % 8) & 1 == 1 {
                (one[at], other[at]) = (other[at], one[at]);
            }
        }
        (super::median(one) - super::median(other)).abs()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mean(first: &[f64], second: &[f64]) -> Randomised {
        randomisation(first, second, Statistic::Mean, &Randomisation::default()).unwrap()
    }

    /// Fisher's own example: Darwin's maize, 15 pairs, heights in eighths of an inch. Fisher
    /// (1935, section 21) counts 863 of 32,768 arrangements with a sum of at least 314 on one side,
    /// so 1,726 on both.
    #[test]
    fn darwins_maize() {
        let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
        let crossed = differences.map(f64::from);
        let test = mean(&crossed, &[0.0; 15]);
        assert!(test.exact);
        assert_eq!(test.samples, 32_768);
        assert_eq!(test.p, 1_726.0 / 32_768.0);
    }

    #[test]
    fn equal_systems_differ_in_nothing() {
        let test = mean(&[0.1, 0.2], &[0.1, 0.2]);
        assert_eq!((test.difference, test.p, test.exact), (0.0, 1.0, true));
    }

    #[test]
    fn sums_equal_on_paper_count_as_equal() {
        // 0.1 + 0.2 is not 0.3 in binary: the two ways to share out must still tie.
        let test = mean(&[0.1, 0.2, 0.0], &[0.0, 0.0, 0.3]);
        assert_eq!(test.p, 1.0);
        let test = mean(&[0.05; 12], &[0.0; 12]);
        assert_eq!(test.p, 2.0 / 4096.0);
    }

    #[test]
    fn a_sampled_p_is_never_zero() {
        let test = mean(&[1.0; 200], &[0.0; 200]);
        assert_eq!(test.p, 1.0 / 100_001.0);
        assert!(!test.exact);
    }

    #[test]
    fn medians_of_ranks() {
        // Four queries; the 16 ways to share out, by hand: a median gap of 9 only with all or none
        // swapped.
        let params = Randomisation::default();
        let (a, b) = ([1.0, 1.0, 1.0, 1.0], [10.0, 10.0, 10.0, 10.0]);
        let test = randomisation(&a, &b, Statistic::Median, &params).unwrap();
        // Three or four on one side give a gap of 9: 2 (1 + 4) of 16.
        assert_eq!((test.difference, test.p), (-9.0, 10.0 / 16.0));
    }

    #[test]
    fn samples_agree_with_all_ways() {
        let first: Vec<f64> = (0..14).map(|at| f64::from(at * 7 % 5)).collect();
        let second: Vec<f64> = (0..14).map(|at| f64::from(at * 3 % 4)).collect();
        for statistic in [Statistic::Mean, Statistic::Median] {
            let all = randomisation(&first, &second, statistic, &Randomisation::default()).unwrap();
            let few = Randomisation { samples: 16_000, seed: 1 };
            let some = randomisation(&first, &second, statistic, &few).unwrap();
            assert!(all.exact || first.len() > 16);
            assert!((all.p - some.p).abs() < 0.02, "{} {}", all.p, some.p);
        }
    }

    #[test]
    fn threads_do_not_matter() {
        let first: Vec<f64> = (0..300).map(|at| f64::from(at * 7919 % 101) / 101.0).collect();
        let second: Vec<f64> = (0..300).map(|at| f64::from(at * 104_729 % 97) / 101.0).collect();
        let params = Randomisation { samples: 5_000, seed: 9 };
        for statistic in [Statistic::Mean, Statistic::Median] {
            let run = || randomisation(&first, &second, statistic, &params).unwrap();
            let pool =
                |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool(1).install(run), pool(5).install(run));
        }
    }

    #[test]
    fn bad_input_is_told() {
        let params = Randomisation::default();
        let test = |a: &[f64], b: &[f64]| randomisation(a, b, Statistic::Mean, &params);
        assert_eq!(test(&[], &[]), Err(Undefined::TooFew { needed: 1, given: 0 }));
        assert_eq!(test(&[1.0], &[f64::NAN]), Err(Undefined::NotFinite { at: 0 }));
        let none = Randomisation { samples: 0, seed: 0 };
        assert!(randomisation(&[1.0], &[2.0], Statistic::Mean, &none).is_err());
    }

    proptest! {
        #[test]
        fn swapping_the_systems_changes_the_sign_only(
            pairs in prop::collection::vec((0u8..20, 0u8..20), 1..40),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let params = Randomisation { samples: 2_000, seed: 3 };
            for statistic in [Statistic::Mean, Statistic::Median] {
                let one = randomisation(&a, &b, statistic, &params).unwrap();
                let other = randomisation(&b, &a, statistic, &params).unwrap();
                prop_assert_eq!(one.difference, -other.difference);
                prop_assert_eq!(one.p, other.p);
                prop_assert!(one.p > 0.0 && one.p <= 1.0);
            }
        }
    }
}
