//! Borda count (ranking-task paper, section 4.1.3; van Erp & Schomaker 2000).
//!
//! With N documents in all, a system gives N - r points to the document in position r = 0 ... N - 1,
//! and points are added up. Ties are broken by the median of the document's positions over all
//! systems, the lower the better.
//!
//! Points are whole or half numbers. The fused score carries the tie rule as a fraction below 1/2 on
//! top of them, so that it survives sorting by score alone, as in a TREC run; documents equal in
//! both stay tied. A document that a system does not list stands in position N: no points.

use super::Pool;

pub(super) fn scores<D>(pool: &Pool<'_, D>) -> Vec<f64> {
    let count = pool.documents.len();
    let last = count as f64;
    // A system without any result says nothing, and has no part in the median either.
    let lists: Vec<_> = pool.lists.iter().filter(|list| !list.is_empty()).collect();
    let mut positions = vec![vec![last; lists.len()]; count];
    for (system, list) in lists.iter().enumerate() {
        for listed in *list {
            positions[listed.document][system] = listed.rank - 1.0;
        }
    }
    let score = |mut positions: Vec<f64>| {
        let points: f64 = positions.iter().map(|position| last - position).sum();
        points + 0.25 * (last - median(&mut positions)) / (last + 1.0)
    };
    positions.into_iter().map(score).collect()
}

fn median(positions: &mut [f64]) -> f64 {
    positions.sort_by(f64::total_cmp);
    let middle = positions.len() / 2;
    match positions.len() % 2 {
        _ if positions.is_empty() => 0.0,
        1 => positions[middle],
        _ => 0.5 * (positions[middle - 1] + positions[middle]),
    }
}

#[cfg(test)]
mod tests {
    use crate::fusion::{Fusion, fuse};

    fn ranking(order: &str) -> Vec<(char, f64)> {
        order.chars().zip((0..).map(|position| -f64::from(position))).collect()
    }

    fn borda(orders: &[&str]) -> Vec<(char, f64)> {
        let rankings: Vec<_> = orders.iter().map(|order| ranking(order)).collect();
        let slices: Vec<_> = rankings.iter().map(Vec::as_slice).collect();
        fuse(&slices, Fusion::Borda).unwrap()
    }

    #[test]
    fn worked_by_hand() {
        // a: 3 + 3 + 1, b: 2 + 1 + 3, c: 1 + 2 + 2.
        let fused = borda(&["abc", "acb", "bca"]);
        let points: Vec<(char, f64)> =
            fused.iter().map(|&(document, score)| (document, score.floor())).collect();
        assert_eq!(points, [('a', 7.0), ('b', 6.0), ('c', 5.0)]);
    }

    #[test]
    fn ties_go_by_the_median_rank() {
        // a and b both have 11 points: a in positions 0, 0, 4, b in 1, 1, 2; a's median is lower.
        let fused = borda(&["abcde", "abdce", "cdbea"]);
        let points = |of: char| fused.iter().find(|(d, _)| *d == of).unwrap().1;
        assert_eq!(points('a').floor(), 11.0);
        assert_eq!(points('b').floor(), 11.0);
        assert!(points('a') > points('b'));
        assert_eq!(fused[0].0, 'a');
    }

    #[test]
    fn equal_in_both_stays_tied() {
        let fused = borda(&["ab", "ba"]);
        assert_eq!(fused[0].1, fused[1].1);
        assert_eq!((fused[0].0, fused[1].0), ('a', 'b'));
    }

    #[test]
    fn what_is_not_listed_gets_no_points() {
        // Three documents in all: a 3 + 0, b 2 + 3, c 0 + 2. The silent system changes nothing.
        let fused = borda(&["ab", "bc", ""]);
        let points: Vec<(char, f64)> = fused.iter().map(|&(d, s)| (d, s.floor())).collect();
        assert_eq!(points, [('b', 5.0), ('a', 3.0), ('c', 2.0)]);
    }
}
