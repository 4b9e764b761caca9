//! Kendall's rank correlation tau: concordant minus discordant pairs of pairs, as a share.
//!
//! With P concordant and Q discordant pairs, T and U pairs tied in one list only, n pairs of
//! values, and m the smaller number of distinct values:
//!
//! - tau-b = (P - Q) / sqrt((P + Q + T)(P + Q + U)), which reaches 1 for equal orders with ties;
//! - tau-c = 2 (P - Q) / (n^2 (m - 1) / m), Stuart's, for scales of different lengths.
//!
//! The p-value is the same for both, as in scipy: exact for up to 33 values without ties (or
//! where all but one pair agree), otherwise normal with the variance adjusted for ties.
//! Discordant pairs are counted by merge sort (Knight 1966), so the cost is n log n.

use super::Correlation;
use crate::Undefined;
use crate::midrank::Midranks;
use crate::special::normal_two_sided;
use crate::undefined::check_pairs;

/// Which tau.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tau {
    /// Adjusted for ties.
    #[default]
    B,
    /// Adjusted for ties and for scales of different lengths.
    C,
}

/// Kendall's tau of paired values.
///
/// # Errors
/// With fewer than two pairs, lists of different lengths, values that are no numbers, or a
/// constant list.
pub fn kendall(first: &[f64], second: &[f64], tau: Tau) -> Result<Correlation, Undefined> {
    check_pairs(first, second, 2)?;
    let (first, second) = (Midranks::of(first), Midranks::of(second));
    if first.ties.len() == 1 || second.ties.len() == 1 {
        return Err(Undefined::Constant);
    }
    let counts = Counts::of(&first.ranks, &second.ranks);
    let n = counts.pairs as f64;
    let tied = |ranked: &Midranks| pairs_within(ranked.ties.iter().copied());
    let all = pairs_of(counts.pairs);
    let (left, right) = (tied(&first), tied(&second));
    // P - Q, with P = all - T - U - both + ... counted from the discordant ones.
    let excess = all - left - right + counts.tied_in_both - 2 * counts.discordant;
    let coefficient = match tau {
        Tau::B => excess as f64 / ((all - left) as f64).sqrt() / ((all - right) as f64).sqrt(),
        Tau::C => {
            let classes = first.ties.len().min(second.ties.len()) as f64;
            2.0 * (excess as f64 / (n * n)) / ((classes - 1.0) / classes)
        }
    };
    let fewer = counts.discordant.min(all - counts.discordant);
    let p = if left == 0 && right == 0 && (counts.pairs <= 33 || fewer <= 1) {
        exact(counts.pairs, fewer)
    } else {
        normal(excess as f64, n, &first, &second)
    };
    let coefficient = coefficient.clamp(-1.0, 1.0);
    Ok(Correlation { coefficient, p: Some(p), pairs: counts.pairs })
}

fn pairs_of(count: usize) -> i64 {
    let count = count as i64;
    count * (count - 1) / 2
}

fn pairs_within(sizes: impl Iterator<Item = usize>) -> i64 {
    sizes.map(pairs_of).sum()
}

/// What the pairs of pairs do.
struct Counts {
    pairs: usize,
    discordant: i64,
    tied_in_both: i64,
}

impl Counts {
    fn of(first: &[f64], second: &[f64]) -> Self {
        let mut both: Vec<(f64, f64)> = first.iter().copied().zip(second.iter().copied()).collect();
        both.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let tied_in_both = pairs_within(both.chunk_by(|a, b| a == b).map(<[_]>::len));
        let mut order: Vec<f64> = both.into_iter().map(|(_, second)| second).collect();
        let mut room = order.clone();
        Self { pairs: first.len(), discordant: inversions(&mut order, &mut room), tied_in_both }
    }
}

/// Sorts the numbers and counts how many pairs stood the wrong way round.
fn inversions(numbers: &mut [f64], room: &mut [f64]) -> i64 {
    if numbers.len() < 2 {
        return 0;
    }
    let middle = numbers.len() / 2;
    let (left, right) = numbers.split_at_mut(middle);
    let (left_room, right_room) = room.split_at_mut(middle);
    let mut count = inversions(left, left_room) + inversions(right, right_room);
    let (mut l, mut r) = (0, 0);
    for place in room.iter_mut() {
        if r == right.len() || (l < left.len() && left[l] <= right[r]) {
            *place = left[l];
            l += 1;
        } else {
            *place = right[r];
            r += 1;
            count += (left.len() - l) as i64;
        }
    }
    numbers.copy_from_slice(room);
    count
}

/// Twice the share of orders of n items with at most `inversions` inversions, at most 1.
fn exact(items: usize, inversions: i64) -> f64 {
    if 2 * inversions == pairs_of(items) {
        return 1.0;
    }
    let most = inversions as usize;
    // The chance of each number of inversions: item k is in front of 0 to k - 1 of its elders.
    let mut chance = vec![0.0f64; most + 1];
    chance[0] = 1.0;
    for item in 2..=items {
        let mut running = 0.0;
        let before = chance.clone();
        for count in 0..=most {
            running += before[count];
            if count >= item {
                running -= before[count - item];
            }
            chance[count] = running / item as f64;
        }
    }
    (2.0 * chance.iter().sum::<f64>()).clamp(0.0, 1.0)
}

fn normal(excess: f64, n: f64, first: &Midranks, second: &Midranks) -> f64 {
    let sum = |ranked: &Midranks, term: fn(f64) -> f64| -> f64 {
        ranked.ties.iter().map(|&size| term(size as f64)).sum()
    };
    let pairs = |t: f64| t * (t - 1.0);
    let triples = |t: f64| t * (t - 1.0) * (t - 2.0);
    let weighted = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let all = n * (n - 1.0);
    let mut variance = (all * (2.0 * n + 5.0) - sum(first, weighted) - sum(second, weighted))
        / 18.0
        + sum(first, pairs) * sum(second, pairs) / (2.0 * all);
    if n > 2.0 {
        variance += sum(first, triples) * sum(second, triples) / (9.0 * all * (n - 2.0));
    }
    normal_two_sided(excess / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn worked_by_hand() {
        // 1 2 3 4 against 1 3 2 4: five pairs agree, one does not.
        let found = kendall(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], Tau::B).unwrap();
        assert!((found.coefficient - 4.0 / 6.0).abs() < 1e-15);
        // Of 24 orders, 1 + 3 have at most one inversion.
        assert!((found.p.unwrap() - 8.0 / 24.0).abs() < 1e-14);
    }

    #[test]
    fn ties_by_hand() {
        // Pairs: (1,1)-(1,2) tied left, (1,1)-(2,2) agrees, (1,2)-(2,2) tied right.
        let (a, b) = ([1.0, 1.0, 2.0], [1.0, 2.0, 2.0]);
        assert!((kendall(&a, &b, Tau::B).unwrap().coefficient - 0.5).abs() < 1e-15);
        // 2 x 1 / (9 x 1 / 2).
        assert!((kendall(&a, &b, Tau::C).unwrap().coefficient - 4.0 / 9.0).abs() < 1e-15);
        assert_eq!(kendall(&a, &[1.0; 3], Tau::B), Err(Undefined::Constant));
    }

    proptest! {
        #[test]
        fn equal_to_counting_all_pairs(
            pairs in prop::collection::vec((0i8..8, 0i8..8), 2..40),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let Ok(found) = kendall(&a, &b, Tau::B) else { return Ok(()) };
            let (mut excess, mut left, mut right) = (0.0f64, 0.0f64, 0.0f64);
            for i in 0..a.len() {
                for j in 0..i {
                    let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
                    let (da, db) = (sign(a[i] - a[j]), sign(b[i] - b[j]));
                    excess += da * db;
                    left += da.abs();
                    right += db.abs();
                }
            }
            prop_assert!((found.coefficient - excess / (left * right).sqrt()).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&found.p.unwrap()));
        }
    }
}
