//! The best few of many scores.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Scored;
use crate::PhotoId;

/// Keeps the best so many of what it is shown.
pub(super) struct Nearest {
    count: usize,
    /// The worst of the kept on top.
    kept: BinaryHeap<Ranked>,
}

/// Orders what is worse after what is better.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked(pub(super) Scored);

/// The order of answers: higher scores first, then smaller numbers.
pub(super) fn order(a: &Scored, b: &Scored) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&self.0, &other.0)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl Nearest {
    pub(super) fn new(count: usize) -> Self {
        Self { count, kept: BinaryHeap::new() }
    }

    /// Shows it a photo.
    pub(super) fn show(&mut self, id: PhotoId, score: f32) {
        let shown = Ranked((id, score));
        if self.kept.len() < self.count {
            self.kept.push(shown);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && shown < *worst
        {
            *worst = shown;
        }
    }

    /// Whether it has enough that is better, or as good and came first.
    pub(super) fn has_no_place_for(&self, scored: Scored) -> bool {
        let is_full = self.kept.len() >= self.count;
        is_full && self.kept.peek().is_none_or(|worst| Ranked(scored) >= *worst)
    }

    /// Shows it all that another kept.
    pub(super) fn merge(mut self, other: Self) -> Self {
        other.kept.into_iter().for_each(|Ranked((id, score))| self.show(id, score));
        self
    }

    /// What it kept, best first.
    pub(super) fn into_sorted(self) -> Vec<Scored> {
        self.kept.into_sorted_vec().into_iter().map(|Ranked(scored)| scored).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_in_order_and_ties_by_number() {
        let scores = [0.5, 0.9, 0.5, -1.0, 0.9, 0.5];
        for count in 0..8 {
            let mut all: Vec<Scored> =
                scores.iter().enumerate().map(|(at, &score)| (PhotoId(at as u32), score)).collect();
            let (mut left, mut right) = (Nearest::new(count), Nearest::new(count));
            for (at, &(id, score)) in all.iter().enumerate().rev() {
                if at % 2 == 0 { &mut left } else { &mut right }.show(id, score);
            }
            all.sort_by(order);
            all.truncate(count);
            assert_eq!(left.merge(right).into_sorted(), all);
        }
    }
}
