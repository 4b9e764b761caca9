//! Semantic Recall, SR@k.
//!
//! Biten et al. (2022), equation 4: the share of the extended ground truth, the m items of largest
//! phi, that is among the first k retrieved.
//!
//! Range 0 to 1, and no more than k / m. Undefined where no item has a phi above 0, for then
//! nothing is similar to anything.

use super::extension::Extension;
use super::gain::{Gains, TopK};
use crate::Ties;

/// Equation 4 for one query. `None` where it is undefined.
pub fn semantic_recall(
    top: &TopK,
    extension: &Extension,
    k: usize,
    m: usize,
    ties: Ties,
) -> Option<Gains> {
    if extension.ideal(m) <= 0.0 {
        return None;
    }
    let is_relevant = |item| extension.phi_within(item, m).is_some();
    let found = top.gains(k, ties, |item| f64::from(u8::from(is_relevant(item))));
    Some(Gains { sum: found.sum / extension.first(m).len() as f64, ..found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        // Most similar: items 3, 1, 0. Retrieved: 0, 2, 3.
        let extension = Extension::new(&[0.5, 0.6, 0.1, 0.9], 3);
        let top = TopK::new(&[0.9, 0.1, 0.8, 0.7], 3);
        let recall = |k, m| semantic_recall(&top, &extension, k, m, Ties::Worst).unwrap().sum;
        assert_eq!(recall(1, 3), 1.0 / 3.0);
        assert_eq!(recall(3, 3), 2.0 / 3.0);
        assert_eq!(recall(3, 2), 1.0 / 2.0);
    }

    #[test]
    fn nothing_similar_is_undefined() {
        let extension = Extension::new(&[0.0, 0.0], 1);
        assert!(
            semantic_recall(&TopK::new(&[1.0, 2.0], 1), &extension, 1, 1, Ties::Best).is_none()
        );
    }
}
