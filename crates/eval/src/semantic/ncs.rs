//! The Normalised Cumulative Semantic score, NCS@k.
//!
//! Biten et al. (2022), section 3.3: the phi of the first k retrieved, divided by the largest phi
//! that k items can have ([`ncs`]). Equation 5 itself counts only what lies in the extended ground
//! truth of m items, above and below the line ([`ncs_within`]).
//!
//! Range 0 to 1. Undefined where no item has a phi above 0.

use super::extension::Extension;
use super::gain::{Gains, TopK};
use crate::Ties;

/// The phi of the first k over the best that k items can have. `None` where that is 0.
pub fn ncs(top: &TopK, extension: &Extension, phi: &[f32], k: usize, ties: Ties) -> Option<Gains> {
    share(top.gains(k, ties, |item| f64::from(phi[item])), extension.ideal(k))
}

/// Equation 5 with an extended ground truth of m items. `None` where their phi is 0.
pub fn ncs_within(
    top: &TopK,
    extension: &Extension,
    k: usize,
    m: usize,
    ties: Ties,
) -> Option<Gains> {
    let worth = |item| extension.phi_within(item, m).map_or(0.0, f64::from);
    share(top.gains(k, ties, worth), extension.ideal(m))
}

/// What was found of the best there is.
fn share(found: Gains, ideal: f64) -> Option<Gains> {
    (ideal > 0.0).then(|| Gains { sum: (found.sum / ideal).min(1.0), ..found })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHI: [f32; 4] = [0.5, 0.25, 0.125, 1.0];

    #[test]
    fn worked_example() {
        let extension = Extension::new(&PHI, 3);
        // Retrieved: 0, 2, 3.
        let top = TopK::new(&[0.9, 0.1, 0.8, 0.7], 3);
        let value = |k| ncs(&top, &extension, &PHI, k, Ties::Worst).unwrap().sum;
        assert_eq!(value(1), 0.5 / 1.0);
        assert_eq!(value(2), 0.625 / 1.5);
        assert_eq!(value(3), 1.625 / 1.75);
    }

    #[test]
    fn equation_5_counts_only_the_extended_ground_truth() {
        let extension = Extension::new(&PHI, 2);
        let top = TopK::new(&[0.9, 0.1, 0.8, 0.7], 3);
        let value = |k| ncs_within(&top, &extension, k, 2, Ties::Worst).unwrap().sum;
        // The ground truth is items 3 and 0.
        assert_eq!(value(1), 0.5 / 1.5);
        assert_eq!(value(2), 0.5 / 1.5);
        assert_eq!(value(3), 1.0);
    }

    #[test]
    fn nothing_similar_is_undefined() {
        let extension = Extension::new(&[0.0, 0.0], 2);
        let top = TopK::new(&[0.9, 0.1], 1);
        assert!(ncs(&top, &extension, &[0.0, 0.0], 1, Ties::Worst).is_none());
    }
}
