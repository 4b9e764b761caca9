//! TAGRANK: Hwang and Grauman's kernel of words and their ranks, as section 3.4.2 of the
//! ranking-task paper has it.
//!
//! A caption becomes two vectors over words. With p the place of a word, counted from 1 and averaged
//! if it stands there more than once: the absolute rank a = 1 / log2(1 + p) (equation 9), and the
//! relative rank r, the share of its occurrences in the training captions that come after p
//! (equation 10; of a word that never occurs there it is undefined, and 0 here). Of two captions
//! the kernel is the mean of two chi-square kernels (equation 11),
//!
//! ```text
//! 1/2 [ exp(-X(r, r') / 2 Omega) + exp(-X(a, a') / 2 Omega') ],  X(u, v) = sum (u - v)^2 / (u + v)
//! ```
//!
//! A term with u = v = 0 is 0. The paper calls Omega a normalisation term; as usual for chi-square
//! kernels it is the mean of X over all pairs of training captions here, computed exactly. Two
//! items have the mean over the cross product of their captions, divided by the geometric mean of
//! what each has with itself. A caption without words gives 0.
//!
//! (u - v)^2 / (u + v) = u + v - 4 u v / (u + v), so that only words which two captions share need
//! be looked at, and most pairs of captions share none.

use rayon::prelude::*;
use rebus_collection::Matrix;
use rustc_hash::FxHashMap;

use super::gram::{self, Block, Pairs};
use super::lexicon::Encoded;

/// The rows that a thread does at a time.
const HEIGHT: usize = 8;

/// The relative and the absolute rank of a word.
type Rank = [f32; 2];

/// Where words stand in the training captions.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    /// For each word the share of its occurrences that come after place k, for k = 0, 1, ...
    after: Vec<Vec<f32>>,
    /// Omega of the relative and of the absolute ranks.
    omega: [f32; 2],
}

/// A caption as two vectors of ranks.
struct Ranked {
    entries: Vec<(u32, Rank)>,
    /// exp(-sum / 2 Omega) of both vectors.
    decay: [f32; 2],
}

impl Ranks {
    /// Learns from the training captions.
    pub(super) fn learn(training: &Encoded) -> Self {
        let mut counts: Vec<Vec<u32>> = vec![Vec::new(); training.lexicon()];
        for caption in 0..training.captions() {
            for (at, &word) in training.caption(caption).iter().enumerate() {
                let places = &mut counts[word as usize];
                if places.len() <= at {
                    places.resize(at + 1, 0);
                }
                places[at] += 1;
            }
        }
        let after = counts.iter().map(|places| shares(places)).collect();
        let mut ranks = Self { after, omega: [1.0; 2] };
        let captions: Vec<Vec<(u32, Rank)>> = (0..training.captions())
            .map(|caption| ranks.entries(training.caption(caption)))
            .filter(|entries| !entries.is_empty())
            .collect();
        ranks.omega = [0, 1].map(|side| mean_distance(&captions, side));
        ranks
    }

    /// Equations 9 and 10, for every word of a caption.
    fn entries(&self, words: &[u32]) -> Vec<(u32, Rank)> {
        let mut placed: Vec<(u32, usize)> = words.iter().copied().zip(1..).collect();
        placed.sort_unstable();
        let entry = |run: &[(u32, usize)]| {
            let word = run[0].0;
            let sum: usize = run.iter().map(|&(_, place)| place).sum();
            let place = sum as f32 / run.len() as f32;
            // Behind the last place that a word was ever seen at, none is left.
            let after = self.after.get(word as usize).and_then(|after| after.get(place as usize));
            (word, [after.copied().unwrap_or(0.0), 1.0 / (1.0 + place).log2()])
        };
        placed.chunk_by(|a, b| a.0 == b.0).map(entry).collect()
    }

    fn ranked(&self, items: &Encoded) -> Vec<Ranked> {
        let ranked = |caption| {
            let entries = self.entries(items.caption(caption));
            let decay = [0, 1].map(|side| {
                let sum: f32 = entries.iter().map(|(_, rank)| rank[side]).sum();
                if entries.is_empty() { 0.0 } else { (-sum / (2.0 * self.omega[side])).exp() }
            });
            Ranked { entries, decay }
        };
        (0..items.captions()).map(ranked).collect()
    }

    /// Equation 11; the ranks of one caption are laid out by word.
    fn pair(&self, by_word: &[Rank], decay: [f32; 2], other: &Ranked) -> f32 {
        let mut shared = [0f32; 2];
        for &(word, there) in &other.entries {
            let here = by_word[word as usize];
            // The absolute rank of a word that is there is above 0.
            if here[1] > 0.0 {
                for side in [0, 1] {
                    let (product, sum) = (here[side] * there[side], here[side] + there[side]);
                    shared[side] += if sum > 0.0 { 4.0 * product / sum } else { 0.0 };
                }
            }
        }
        let [relative, absolute] = [0, 1].map(|side| {
            let apart = decay[side] * other.decay[side];
            let closer = shared[side] / (2.0 * self.omega[side]);
            if closer > 0.0 { apart * closer.exp() } else { apart }
        });
        0.5 * (relative + absolute)
    }

    /// The sum over the captions of an item and those of each of `others`, to `into`.
    fn sums<'a>(
        &self,
        by_word: &mut [Rank],
        captions: &[Ranked],
        others: impl Iterator<Item = &'a [Ranked]> + Clone,
        into: &mut [f32],
    ) {
        for caption in captions.iter().filter(|caption| !caption.entries.is_empty()) {
            caption.entries.iter().for_each(|&(word, rank)| by_word[word as usize] = rank);
            for (sum, others) in into.iter_mut().zip(others.clone()) {
                let pairs = others.iter().map(|other| self.pair(by_word, caption.decay, other));
                *sum += pairs.sum::<f32>();
            }
            caption.entries.iter().for_each(|&(word, _)| by_word[word as usize] = [0.0; 2]);
        }
    }

    /// The kernel between all rows and columns, normalised; sums serve as well as means for that.
    pub(super) fn matrix(&self, [rows, columns]: [&Encoded; 2], pairs: Pairs) -> Matrix {
        let by_word = || vec![[0f32; 2]; rows.lexicon()];
        let (row_captions, column_captions) = (self.ranked(rows), self.ranked(columns));
        let own = |items: &Encoded, captions: &[Ranked]| -> Vec<f64> {
            let own = |by_word: &mut Vec<Rank>, item| {
                let captions = &captions[items.captions_of(item)];
                let mut sum = [0f32];
                self.sums(by_word, captions, std::iter::once(captions), &mut sum);
                f64::from(sum[0])
            };
            (0..items.len()).into_par_iter().map_init(by_word, own).collect()
        };
        let (own_rows, own_columns) = (own(rows, &row_captions), own(columns, &column_captions));
        let work = |by_word: &mut Vec<Rank>, mut block: Block<'_>| {
            let wanted = block.columns.clone();
            let others = wanted.clone().map(|column| &column_captions[columns.captions_of(column)]);
            for row in block.rows.clone() {
                let captions = &row_captions[rows.captions_of(row)];
                let into = &mut block.row_mut(row)[wanted.clone()];
                self.sums(by_word, captions, others.clone(), into);
            }
            gram::normalise(&mut block, &own_rows, &own_columns);
        };
        gram::matrix((rows.len(), columns.len()), pairs, HEIGHT, by_word, work)
    }
}

/// The share of a word's occurrences that come after place k, for k = 0, 1, ..., given how many
/// there are at each place.
fn shares(counts: &[u32]) -> Vec<f32> {
    let total: u32 = counts.iter().sum();
    let mut left = total;
    let after = counts.iter().map(|count| {
        left -= count;
        left as f32 / total as f32
    });
    std::iter::once(1.0).chain(after).collect()
}

/// The mean chi-square distance of two different captions; 1 where there are no two, or where they
/// are all the same.
fn mean_distance(captions: &[Vec<(u32, Rank)>], side: usize) -> f32 {
    let count = captions.len() as f64;
    let mut total = 0.0;
    // Of each word the ranks it has, and how often; there are few different ones.
    let mut ranks: FxHashMap<u32, FxHashMap<u32, u32>> = FxHashMap::default();
    for &(word, rank) in captions.iter().flatten() {
        total += f64::from(rank[side]);
        *ranks.entry(word).or_default().entry(rank[side].to_bits()).or_default() += 1;
    }
    // Each caption meets all others, each pair twice.
    let apart = 2.0 * total * (count - 1.0);
    let mut words: Vec<(u32, FxHashMap<u32, u32>)> = ranks.into_iter().collect();
    words.sort_unstable_by_key(|&(word, _)| word);
    let shared: f64 = words.into_iter().map(|(_, ranks)| shared(ranks)).sum();
    let mean = (apart - shared) / (count * (count - 1.0));
    if mean.is_finite() && mean > 0.0 { mean as f32 } else { 1.0 }
}

/// The sum of 4 u v / (u + v) over all pairs of different captions that have a word.
fn shared(ranks: FxHashMap<u32, u32>) -> f64 {
    let mut ranks: Vec<(f64, f64)> = ranks
        .into_iter()
        .map(|(bits, count)| (f64::from(f32::from_bits(bits)), f64::from(count)))
        .collect();
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    for &(one, count) in ranks.iter().filter(|(rank, _)| *rank > 0.0) {
        let all = ranks.iter().map(|&(other, times)| times * 4.0 * one * other / (one + other));
        // 4 u u / (u + u) = 2 u is what a caption would share with itself.
        sum += count * (all.sum::<f64>() - 2.0 * one);
    }
    sum
}
