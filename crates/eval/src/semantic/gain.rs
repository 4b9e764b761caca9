//! What the first k of a ranking hold, with ties.

use crate::Ties;

/// The items that can be among the first k, best score first.
#[derive(Debug, Clone)]
pub struct TopK {
    /// Item and score, descending; items of equal score in the pool's order.
    ranked: Vec<(usize, f32)>,
}

/// What the first k hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// The sum of the gains.
    pub sum: f64,
    /// Whether items of equal score lie on both sides of the cut.
    pub tied: bool,
}

impl TopK {
    /// Finds the first `k` items by score, and all that share the score of the last of them,
    /// without sorting the rest. Scores must not be NaN.
    pub fn new(scores: &[f32], k: usize) -> Self {
        let at_least = match k.min(scores.len()) {
            0 => return Self { ranked: Vec::new() },
            k => kth_largest(scores, k),
        };
        let mut ranked: Vec<_> =
            scores.iter().copied().enumerate().filter(|&(_, score)| score >= at_least).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Self { ranked }
    }

    /// The gains of the first `k` items, where `gain` says what an item is worth. `k` must not
    /// exceed the `k` that was asked for when ranking.
    pub fn gains(&self, k: usize, ties: Ties, gain: impl Fn(usize) -> f64) -> Gains {
        let Some(&(_, last)) = self.ranked.get(k.saturating_sub(1)).filter(|_| k > 0) else {
            let sum = self.ranked.iter().take(k).map(|&(item, _)| gain(item)).sum();
            return Gains { sum, tied: false };
        };
        let above = self.ranked.iter().position(|&(_, score)| score == last).unwrap_or(0);
        let group = self.ranked[above..].iter().take_while(|&&(_, score)| score == last).count();
        let room = k - above;
        let sum: f64 = self.ranked[..above].iter().map(|&(item, _)| gain(item)).sum();
        let mut tied: Vec<f64> =
            self.ranked[above..above + group].iter().map(|&(item, _)| gain(item)).collect();
        let last: f64 = match ties {
            _ if group == room => tied.iter().sum(),
            Ties::Mean => tied.iter().sum::<f64>() * room as f64 / group as f64,
            // The pool's order stands for document ids, and trec_eval takes the last id first.
            Ties::Trec => tied.iter().rev().take(room).sum(),
            // Room is less than the group here, so there is an item beyond the cut.
            Ties::Worst => {
                tied.select_nth_unstable_by(room, f64::total_cmp);
                tied[..room].iter().sum()
            }
            Ties::Best => {
                tied.select_nth_unstable_by(room, |a, b| b.total_cmp(a));
                tied[..room].iter().sum()
            }
        };
        Gains { sum: sum + last, tied: group != room }
    }
}

/// The k-th largest of some numbers, k at least 1 and at most their count.
fn kth_largest(scores: &[f32], k: usize) -> f32 {
    // The k best so far, smallest first; nearly every number is below all of them.
    let mut best: Vec<f32> = scores[..k].to_vec();
    best.sort_by(f32::total_cmp);
    for &score in &scores[k..] {
        if score > best[0] {
            let place = best.partition_point(|&other| other < score);
            best[..place].rotate_left(1);
            best[place - 1] = score;
        }
    }
    best[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_rules_differ_only_at_the_cut() {
        let scores = [0.9, 0.5, 0.5, 0.5, 0.1];
        let worth = [1.0, 4.0, 2.0, 3.0, 9.0];
        let top = TopK::new(&scores, 2);
        let sum = |k, ties| top.gains(k, ties, |item| worth[item]);
        assert_eq!(sum(1, Ties::Worst), Gains { sum: 1.0, tied: false });
        assert_eq!(sum(2, Ties::Worst), Gains { sum: 3.0, tied: true });
        assert_eq!(sum(2, Ties::Best), Gains { sum: 5.0, tied: true });
        assert_eq!(sum(2, Ties::Mean), Gains { sum: 4.0, tied: true });
        assert_eq!(sum(2, Ties::Trec), Gains { sum: 4.0, tied: true });
    }

    #[test]
    fn a_group_that_fits_is_no_tie() {
        let top = TopK::new(&[0.5, 0.5, 0.1], 2);
        assert_eq!(top.gains(2, Ties::Worst, |_| 1.0), Gains { sum: 2.0, tied: false });
    }

    #[test]
    fn a_pool_smaller_than_k_is_taken_whole() {
        let top = TopK::new(&[0.2, 0.1], 5);
        assert_eq!(top.gains(5, Ties::Worst, |_| 1.0), Gains { sum: 2.0, tied: false });
        assert_eq!(TopK::new(&[], 5).gains(5, Ties::Worst, |_| 1.0).sum, 0.0);
    }

    proptest! {
        #[test]
        fn selection_agrees_with_sorting(
            scores in prop::collection::vec((0..20_u8).prop_map(f32::from), 1..60),
            k in 1..60_usize,
        ) {
            let k = k.min(scores.len());
            let mut sorted = scores.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            prop_assert_eq!(kth_largest(&scores, k), sorted[k - 1]);
            let top = TopK::new(&scores, k);
            let [worst, mean, best] = [Ties::Worst, Ties::Mean, Ties::Best]
                .map(|ties| top.gains(k, ties, |item| (item * 7 % 5) as f64).sum);
            prop_assert!(worst <= mean + 1e-9 && mean <= best + 1e-9);
        }
    }
}
