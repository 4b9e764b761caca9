//! The loop of sampled updates, with whatever rule makes a step.

use pulp::Arch;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rebus_collection::Progress;

use super::triples::Triples;
use super::weights::{Difference, Known, LazyWeights};
use crate::Result;
use crate::blocks::{Block, Blocks};
use crate::interruption::unless_interrupted;

/// Updates between two looks at the progress; the norm is summed anew as often.
const ROUND: u64 = 1 << 18;

/// How weights change by one triple.
pub(super) trait Step {
    /// One step by the difference `d` of two captions for the picture `x`.
    fn step(&mut self, weights: &mut LazyWeights, x: &[Block], d: &[(u32, f32)], known: Known);
}

/// What is known before a step.
#[inline(always)]
pub(super) fn known(weights: &LazyWeights, x: &[Block], x_squares: f64, d: &[(u32, f32)]) -> Known {
    let d_squares = d.iter().map(|&(_, weight)| f64::from(weight).powi(2)).sum();
    Known { margin: weights.margin(x, d), x_squares, d_squares }
}

/// What triples are sampled with.
pub(super) fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Makes so many updates.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn train(
    weights: &mut LazyWeights,
    rule: &mut impl Step,
    (pictures, triples): (&Blocks, &Triples),
    (updates, seed): (u64, u64),
    progress: &dyn Progress,
) -> Result<()> {
    let squares = pictures.squares();
    let mut random = random(seed);
    let mut difference = Difference::new();
    // Compiled for the widest instructions of the processor; nothing in it depends on their width.
    let arch = Arch::new();
    let mut done = 0;
    while done < updates {
        unless_interrupted(progress)?;
        let round = ROUND.min(updates - done);
        arch.dispatch(
            #[inline(always)]
            || {
                for _ in 0..round {
                    let triple = triples.sample(&mut random);
                    triples.difference(triple, &mut difference);
                    let picture = triple.picture as usize;
                    let x = pictures.row(picture);
                    let known = known(weights, x, squares[picture], &difference);
                    rule.step(weights, x, &difference, known);
                }
            },
        );
        weights.settle();
        progress.advance(round);
        done += round;
    }
    Ok(())
}
