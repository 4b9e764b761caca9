//! One linear support vector machine, by dual coordinate descent.
//!
//! The problem is that of LIBLINEAR's default solver: with labels y of +1 and -1,
//!
//! ```text
//! minimise 1/2 |w|^2 + C sum over i of max(0, 1 - y_i w'x_i)^2
//! ```
//!
//! Its dual has one variable alpha_i >= 0 an example, and w = sum of alpha_i y_i x_i. Hsieh, Chang,
//! Lin, Keerthi and Sundararajan (2008), Algorithm 1, improves one variable at a time, in a new
//! random order each round, until the projected gradients lie within a tolerance of each other.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::blocks::{self, Block, Blocks};

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Until {
    /// The projected gradients lie within so much.
    pub(super) tolerance: f64,
    /// Or so many rounds over all examples were made.
    pub(super) rounds: usize,
}

/// A machine while it is trained. Training goes on from where it stands, so that a sweep over
/// rising costs is warm.
#[derive(Debug, Clone)]
pub(super) struct Svm {
    alpha: Vec<f64>,
    pub(super) weights: Vec<Block>,
}

impl Svm {
    pub(super) fn new(examples: usize, width: usize) -> Self {
        Self { alpha: vec![0.0; examples], weights: vec![Block::default(); width] }
    }

    /// Trains with this cost on the examples `x`, of which `positive` says the labels and
    /// `squares` the squared lengths.
    #[inline(always)]
    pub(super) fn train(
        &mut self,
        (x, squares): (&Blocks, &[f64]),
        positive: &[bool],
        cost: f64,
        until: Until,
        random: &mut ChaCha8Rng,
    ) {
        let diagonal = 0.5 / cost;
        let mut order: Vec<u32> = (0..positive.len() as u32).collect();
        for _ in 0..until.rounds {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for at in 0..order.len() {
                let swap = random.random_range(at as u32..order.len() as u32) as usize;
                order.swap(at, swap);
                let i = order[at] as usize;
                let y = if positive[i] { 1.0 } else { -1.0 };
                let alpha = self.alpha[i];
                let row = x.row(i);
                let gradient = y * blocks::dot(&self.weights, row) - 1.0 + diagonal * alpha;
                let projected = if alpha == 0.0 { gradient.min(0.0) } else { gradient };
                (least, most) = (least.min(projected), most.max(projected));
                if projected != 0.0 {
                    let next = (alpha - gradient / (squares[i] + diagonal)).max(0.0);
                    self.alpha[i] = next;
                    blocks::add(&mut self.weights, ((next - alpha) * y) as f32, row);
                }
            }
            if most - least <= until.tolerance {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rebus_collection::Matrix;

    /// Two examples on a line, x = 1 and x = -1 with labels +1 and -1: w minimises
    /// w^2 / 2 + 2 C (1 - w)^2, so w = 4 C / (1 + 4 C).
    #[test]
    fn a_machine_by_hand() {
        let x = Blocks::of(&Matrix::new(2, 1, vec![1.0, -1.0]).unwrap(), &[0, 1]);
        let until = Until { tolerance: 1e-9, rounds: 1000 };
        let mut svm = Svm::new(2, x.width());
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for cost in [0.25, 1.0] {
            svm.train((&x, &x.squares()), &[true, false], cost, until, &mut random);
            let want = 4.0 * cost / (1.0 + 4.0 * cost);
            assert!((f64::from(svm.weights[0].0[0]) - want).abs() < 1e-6);
        }
    }

    #[test]
    fn machines_are_liblinears() {
        let reference = include_str!("../../tests/reference/svm.json");
        let reference: serde_json::Value = serde_json::from_str(reference).unwrap();
        for case in reference["cases"].as_array().unwrap() {
            let rows = case["x"].as_array().unwrap();
            let number = |value: &serde_json::Value| value.as_f64().unwrap() as f32;
            let values: Vec<f32> =
                rows.iter().flat_map(|row| row.as_array().unwrap()).map(number).collect();
            let columns = values.len() / rows.len();
            let order: Vec<usize> = (0..rows.len()).collect();
            let x = Blocks::of(&Matrix::new(rows.len(), columns, values).unwrap(), &order);
            let positive: Vec<bool> =
                case["positive"].as_array().unwrap().iter().map(|y| y.as_bool().unwrap()).collect();
            let mut svm = Svm::new(rows.len(), x.width());
            let mut random = ChaCha8Rng::seed_from_u64(7);
            for machine in case["machines"].as_array().unwrap() {
                let until = Until { tolerance: 1e-6, rounds: 10_000 };
                let cost = machine["cost"].as_f64().unwrap();
                svm.train((&x, &x.squares()), &positive, cost, until, &mut random);
                let ours = svm.weights.iter().flat_map(|block| block.0);
                for (ours, theirs) in ours.zip(machine["weights"].as_array().unwrap()) {
                    assert!((ours - number(theirs)).abs() < 1e-4, "{ours} {theirs}");
                }
            }
        }
    }
}
