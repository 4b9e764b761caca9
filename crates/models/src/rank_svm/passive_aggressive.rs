//! PAMIR's optimiser: passive-aggressive steps.
//!
//! Grangier and Bengio (2008) train the same affinity with the passive-aggressive algorithm: a
//! triple with a margin of 1 or more changes nothing, any other moves the weights no further than
//! it must,
//!
//! ```text
//! w <- w + tau v,  v = phi(i, c+) - phi(i, c-),  tau = min(C, max(0, 1 - <w, v>) / |v|^2)
//! ```
//!
//! where C, the aggressiveness, bounds a step. |v|^2 is |x|^2 |d|^2, as v is an outer product.

use super::step::Step;
use super::weights::{Known, LazyWeights};
use crate::blocks::Block;

/// The bound of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct PassiveAggressive {
    pub(super) aggressiveness: f64,
}

impl Step for PassiveAggressive {
    #[inline(always)]
    fn step(&mut self, weights: &mut LazyWeights, x: &[Block], d: &[(u32, f32)], known: Known) {
        let squares = known.x_squares * known.d_squares;
        if known.margin < 1.0 && squares > 0.0 {
            let tau = ((1.0 - known.margin) / squares).min(self.aggressiveness);
            weights.add(tau, x, d, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::known;
    use super::*;
    use crate::blocks::Blocks;
    use rebus_collection::Matrix;

    #[test]
    fn steps_by_hand() {
        let x = Blocks::of(&Matrix::new(1, 2, vec![3.0, 4.0]).unwrap(), &[0]);
        let d = [(0, 1.0), (1, -1.0)];
        let mut weights = LazyWeights::zeros(2, 2);
        // |v|^2 = 25 * 2, loss 1: tau = 0.02, and the margin is then exactly 1.
        let mut free = PassiveAggressive { aggressiveness: 1.0 };
        let before = known(&weights, x.row(0), 25.0, &d);
        free.step(&mut weights, x.row(0), &d, before);
        let after = known(&weights, x.row(0), 25.0, &d);
        assert!((after.margin - 1.0).abs() < 1e-6);
        // Nothing more to do.
        let norm = weights.norm();
        let done = Known { margin: 1.0, ..after };
        free.step(&mut weights, x.row(0), &d, done);
        assert_eq!(weights.norm(), norm);
        // A bound of 0.01 gives half of the way.
        let mut weights = LazyWeights::zeros(2, 2);
        PassiveAggressive { aggressiveness: 0.01 }.step(&mut weights, x.row(0), &d, before);
        assert!((known(&weights, x.row(0), 25.0, &d).margin - 0.5).abs() < 1e-6);
        for (ours, want) in weights.into_matrix().values().iter().zip([0.03, 0.04, -0.03, -0.04]) {
            assert!((ours - want).abs() < 1e-7);
        }
    }
}
