//! trec_eval's experimental measures of gain: G, binary G, and nDCG averaged over several ranks.
//!
//! The gain of a document is its grade. The ideal ranking holds all judged documents with a grade
//! above 0, the highest first. All are 0 where they are undefined.

use super::topic::Topic;
use crate::measures::ndcg::discount;

/// Binary G: the mean over the relevant documents of 1 / log2(2 + documents above that are not
/// relevant).
pub(super) fn binary_g(topic: &Topic) -> f64 {
    let (mut sum, mut others) = (0.0, 0);
    for &place in &topic.ranked {
        if topic.is_relevant(place) {
            sum += 1.0 / discount(others + 1);
        } else {
            others += 1;
        }
    }
    if topic.relevant == 0 { 0.0 } else { sum / topic.relevant as f64 }
}

/// G: each gain divided by log2(2 + cost - gain so far), where every rank costs what the ideal
/// ranking gains there, and at least 1; the sum relative to all gain there is.
pub(super) fn g(topic: &Topic) -> f64 {
    let total: f64 = topic.ideal.iter().map(|&gain| f64::from(gain)).sum();
    if total == 0.0 {
        return 0.0;
    }
    let (mut sum, mut cost, mut gained) = (0.0, 0.0, 0.0);
    for (at, place) in topic.ranked.iter().enumerate() {
        gained += place.gain();
        cost += topic.ideal.get(at).map_or(1.0, |&gain| f64::from(gain));
        if place.gain() != 0.0 {
            sum += place.gain() / (2.0 + cost - gained).log2();
        }
    }
    sum / total
}

/// nDCG averaged over the ranks of the documents with gain; one that was not retrieved has the
/// nDCG at the end.
pub(super) fn ndcg_at_relevant(topic: &Topic) -> f64 {
    if topic.ideal.is_empty() {
        return 0.0;
    }
    let curve = Curve::new(topic);
    let (mut sum, mut seen) = (0.0, 0);
    for (at, place) in topic.ranked.iter().enumerate() {
        if place.gain() > 0.0 {
            sum += curve.ndcg(at + 1);
            seen += 1;
        }
    }
    let all = topic.ideal.len();
    sum += (all as f64 - f64::from(seen)) * curve.ndcg(usize::MAX);
    sum / all as f64
}

/// nDCG averaged over the ranks where the ideal ranking goes down to the next grade, and the end
/// of the results.
pub(super) fn ndcg_at_levels(topic: &Topic) -> f64 {
    if topic.ideal.is_empty() || topic.relevant == 0 {
        return 0.0;
    }
    let curve = Curve::new(topic);
    let (mut sum, mut count, mut rank) = (0.0, 0.0, 0);
    for level in topic.ideal.chunk_by(|a, b| a == b) {
        rank += level.len();
        sum += curve.ndcg(rank);
        count += 1.0;
    }
    // The end counts only if it lies beyond the rank after the last ideal one.
    if topic.retrieved() > topic.ideal.len() + 1 {
        sum += curve.ndcg(topic.retrieved());
        count += 1.0;
    }
    sum / count
}

/// Discounted cumulative gain after each rank, of the results and of the ideal ranking.
struct Curve {
    gained: Vec<f64>,
    ideal: Vec<f64>,
}

impl Curve {
    fn new(topic: &Topic) -> Self {
        Self {
            gained: cumulated(topic.ranked.iter().map(|place| place.gain())),
            ideal: cumulated(topic.ideal.iter().map(|&gain| f64::from(gain))),
        }
    }

    /// nDCG among the first `rank` results.
    fn ndcg(&self, rank: usize) -> f64 {
        let at = |sums: &[f64]| sums[rank.min(sums.len() - 1)];
        at(&self.gained) / at(&self.ideal)
    }
}

fn cumulated(gains: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    for (gain, rank) in gains.zip(1..) {
        sum += gain / discount(rank);
        sums.push(sum);
    }
    sums
}
