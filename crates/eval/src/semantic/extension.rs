//! The extended ground truth of a query: the items that phi finds most similar.
//!
//! Biten et al. (2022), section 3.2: "the most similar m sentences from N_i".

use rustc_hash::FxHashMap;

/// The items of largest phi, best first.
#[derive(Debug, Clone)]
pub struct Extension {
    /// Item and phi; one more than was asked for, to see ties.
    best: Vec<(usize, f32)>,
    /// The place of each of them, from 0.
    places: FxHashMap<usize, usize>,
}

impl Extension {
    /// Finds the `most` items of largest phi; of equal ones the earlier in the pool.
    pub fn new(phi: &[f32], most: usize) -> Self {
        let mut best: Vec<_> = phi.iter().copied().enumerate().collect();
        let order = |a: &(usize, f32), b: &(usize, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        let kept = most.saturating_add(1).min(best.len());
        if kept < best.len() {
            best.select_nth_unstable_by(kept, order);
            best.truncate(kept);
        }
        best.sort_unstable_by(order);
        let places = best.iter().enumerate().map(|(place, &(item, _))| (item, place)).collect();
        Self { best, places }
    }

    /// The first m of them.
    pub fn first(&self, m: usize) -> &[(usize, f32)] {
        &self.best[..m.min(self.best.len())]
    }

    /// The phi of an item, if it is one of the first m.
    pub fn phi_within(&self, item: usize, m: usize) -> Option<f32> {
        let &place = self.places.get(&item)?;
        self.first(m).get(place).map(|&(_, phi)| phi)
    }

    /// Their phi, added up: what nobody can exceed with m items.
    pub fn ideal(&self, m: usize) -> f64 {
        self.first(m).iter().map(|&(_, phi)| f64::from(phi)).sum()
    }

    /// Whether the m-th item is in and an item of equal phi is out.
    pub fn is_tied(&self, m: usize) -> bool {
        m > 0 && m < self.best.len() && self.best[m - 1].1 == self.best[m].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_then_the_earliest() {
        let extension = Extension::new(&[0.1, 0.7, 0.3, 0.7, 0.3], 3);
        assert_eq!(extension.first(3), [(1, 0.7), (3, 0.7), (2, 0.3)]);
        assert_eq!(extension.phi_within(3, 2), Some(0.7));
        assert_eq!(extension.phi_within(2, 2), None);
        assert!(!extension.is_tied(2));
        assert!(extension.is_tied(3));
        assert!((extension.ideal(2) - 1.4).abs() < 1e-6);
    }

    #[test]
    fn more_than_there_are() {
        let extension = Extension::new(&[0.1, 0.2], 9);
        assert_eq!(extension.first(9).len(), 2);
        assert!(!extension.is_tied(9));
    }
}
