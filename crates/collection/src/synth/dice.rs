//! Chance, from one seed: the same numbers for the same picture, whatever else is drawn.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a stream of numbers is used for; each part of a picture has a stream of its own, so that
/// a change to one part leaves the others as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Scene,
    Picture,
    Captions,
}

/// A source of chance for one purpose of one picture.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of picture `number`.
    pub(super) fn new(seed: u64, number: u64, purpose: Purpose) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let stream = match purpose {
            Purpose::Scene => 0,
            Purpose::Picture => 1,
            Purpose::Captions => 2,
        };
        rng.set_stream(number.wrapping_mul(4).wrapping_add(stream));
        Self(rng)
    }

    /// A number from 0 up to, but not including, 1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1u32 << 24) as f32
    }

    /// A number between `low` and `high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f32) as usize).min(end.saturating_sub(1))
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// One of `choices`, all alike.
    pub(super) fn pick<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        const { assert!(N > 0, "nothing to pick from") };
        choices[self.below(N)]
    }

    /// One of `choices`, by weight.
    pub(super) fn weighted<T: Copy, const N: usize>(&mut self, choices: [(f32, T); N]) -> T {
        const { assert!(N > 0, "nothing to pick from") };
        let total: f32 = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.unit() * total;
        for (weight, choice) in choices {
            left -= weight;
            if left < 0.0 {
                return choice;
            }
        }
        choices[N - 1].1
    }

    /// Rough bell curve around 0 with a deviation of 1: for grain.
    pub(super) fn bell(&mut self) -> f32 {
        let bits = self.0.next_u32();
        let sum: u32 = bits.to_le_bytes().into_iter().map(u32::from).sum();
        (sum as f32 - 510.0) / 147.8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_do_not_share_numbers() {
        let first: Vec<f32> = (0..4).map(|k| Dice::new(7, k, Purpose::Scene).unit()).collect();
        let again: Vec<f32> = (0..4).map(|k| Dice::new(7, k, Purpose::Scene).unit()).collect();
        assert_eq!(first, again);
        assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
        assert_ne!(
            Dice::new(7, 0, Purpose::Scene).unit(),
            Dice::new(7, 0, Purpose::Picture).unit()
        );
    }

    #[test]
    fn weights_are_kept() {
        let mut dice = Dice::new(1, 0, Purpose::Scene);
        let rare = (0..10_000).filter(|_| dice.weighted([(9.0, false), (1.0, true)])).count();
        assert!((800..1200).contains(&rare), "{rare}");
    }
}
