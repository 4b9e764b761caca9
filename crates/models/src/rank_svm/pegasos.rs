//! Pegasos: stochastic sub-gradient steps on the RankSVM objective, projected onto a ball.
//!
//! The objective of section 3 of the scalable-explicit paper is
//!
//! ```text
//! lambda / 2 |w|^2 + mean over (i, c+, c-) of max(0, 1 - <w, phi(i, c+) - phi(i, c-)>)
//! ```
//!
//! and step t on one sampled triple (Shalev-Shwartz, Singer and Srebro 2007, with one example a
//! step) is, with eta = 1 / (lambda t):
//!
//! ```text
//! w <- (1 - eta lambda) w, and + eta (phi(i, c+) - phi(i, c-)) if the margin was below 1
//! w <- w min(1, 1 / (sqrt(lambda) |w|))
//! ```

use super::step::Step;
use super::weights::{Known, LazyWeights};
use crate::blocks::Block;

/// The state of the optimiser.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pegasos {
    lambda: f64,
    radius: f64,
    t: u64,
}

impl Pegasos {
    pub(super) fn new(lambda: f64) -> Self {
        Self { lambda, radius: 1.0 / lambda.sqrt(), t: 0 }
    }
}

impl Step for Pegasos {
    #[inline(always)]
    fn step(&mut self, weights: &mut LazyWeights, x: &[Block], d: &[(u32, f32)], known: Known) {
        self.t += 1;
        let t = self.t as f64;
        let kept = 1.0 - 1.0 / t;
        // The first step would multiply by 0, and the weights are 0 already.
        if self.t > 1 {
            weights.shrink(kept);
        }
        if known.margin < 1.0 {
            let after = Known { margin: known.margin * kept, ..known };
            weights.add(1.0 / (self.lambda * t), x, d, after);
        }
        weights.project(self.radius);
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::known;
    use super::*;
    use crate::blocks::Blocks;
    use rebus_collection::Matrix;

    /// Two words, two features, lambda = 0.25: the ball has radius 2.
    #[test]
    fn two_steps_by_hand() {
        let pictures = Matrix::new(2, 2, vec![1.0, 0.0, 0.6, 0.8]).unwrap();
        let x = Blocks::of(&pictures, &[0, 1]);
        let mut weights = LazyWeights::zeros(2, 2);
        let mut pegasos = Pegasos::new(0.25);
        // Step 1: margin 0, eta = 4. d = (1, -1): w = 4 ((1, 0), (-1, 0)), |w| = 5.66, so it is
        // projected to 2: w = 2 / sqrt(2) ((1, 0), (-1, 0)).
        let d = [(0, 1.0), (1, -1.0)];
        let before = known(&weights, x.row(0), 1.0, &d);
        assert_eq!(before.margin, 0.0);
        pegasos.step(&mut weights, x.row(0), &d, before);
        let root = 2.0f64.sqrt();
        assert!((weights.norm() - 2.0).abs() < 1e-9);
        // Step 2: d = (0, 1), x = (0.6, 0.8): margin -0.6 sqrt(2) < 1; w halves, and
        // eta = 1 / (0.25 * 2) = 2: the second word becomes (-sqrt(2)/2 + 1.2, 1.6).
        let d = [(1, 1.0)];
        let before = known(&weights, x.row(1), 1.0, &d);
        assert!((before.margin + 0.6 * root).abs() < 1e-6);
        pegasos.step(&mut weights, x.row(1), &d, before);
        let want = [root / 2.0, 0.0, 1.2 - root / 2.0, 1.6];
        let norm = want.iter().map(|w| w * w).sum::<f64>().sqrt();
        assert!(norm < 2.0 && (weights.norm() - norm).abs() < 1e-6);
        // Step 3: the margin of d = (0, 1) with x = (0.6, 0.8) is 0.6 * 0.4929 + 0.8 * 1.6 > 1,
        // so the weights only shrink, by 2/3.
        let before = known(&weights, x.row(1), 1.0, &d);
        assert!(before.margin > 1.0);
        pegasos.step(&mut weights, x.row(1), &d, before);
        for (ours, want) in weights.into_matrix().values().iter().zip(want) {
            assert!((f64::from(*ours) - want * 2.0 / 3.0).abs() < 1e-6, "{ours} {want}");
        }
    }
}
