//! Reciprocal rank fusion (Cormack, Clarke & Buettcher 2009): the sum of 1 / (k + rank), ranks from
//! 1. A document that a system does not list gets nothing from it.

use super::Pool;

pub(super) fn scores<D>(pool: &Pool<'_, D>, k: f64) -> Vec<f64> {
    let mut scores = vec![0.0; pool.documents.len()];
    for listed in pool.lists.iter().flatten() {
        scores[listed.document] += 1.0 / (k + listed.rank);
    }
    scores
}

#[cfg(test)]
mod tests {
    use crate::fusion::{Fusion, fuse};

    #[test]
    fn worked_by_hand() {
        let one = [("a", 0.9), ("b", 0.8)];
        let other = [("b", 3.0), ("c", 2.0)];
        let fused = fuse(&[&one[..], &other[..]], Fusion::RECIPROCAL_RANK).unwrap();
        assert_eq!(fused[0], ("b", 1.0 / 62.0 + 1.0 / 61.0));
        assert_eq!(fused[1], ("a", 1.0 / 61.0));
        assert_eq!(fused[2], ("c", 1.0 / 62.0));
    }
}
