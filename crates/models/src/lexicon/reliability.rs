//! How far probabilities can be believed: what was said beside what was so.

use serde::Serialize;

/// Into how many steps probabilities are put.
const STEPS: usize = 10;

/// Probabilities of one kind against what was so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// How many probabilities were looked at.
    pub pairs: usize,
    /// The mean squared difference between what was said and what was so (Brier 1950): 0 is best.
    pub brier: f64,
    /// The same for who always says how often it is so.
    pub brier_of_the_share: f64,
    /// By tenths of what was said; those that were never said are left out.
    pub steps: Vec<Step>,
}

/// The probabilities within one tenth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Step {
    /// Where it begins.
    pub from: f64,
    /// How many there are.
    pub pairs: usize,
    /// The mean of what was said.
    pub said: f64,
    /// How often it was so.
    pub was: f64,
}

/// Collects what was said and what was so.
#[derive(Debug, Default)]
pub(super) struct Tally {
    squares: f64,
    steps: [Sums; STEPS],
}

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    pairs: usize,
    often: f64,
    said: f64,
    was: f64,
}

impl Tally {
    /// One probability that counts `often`.
    pub(super) fn add(&mut self, said: f64, was: f64, often: f64) {
        self.squares += often * (said - was).powi(2);
        let step = &mut self.steps[((said * STEPS as f64) as usize).min(STEPS - 1)];
        step.pairs += 1;
        step.often += often;
        step.said += often * said;
        step.was += often * was;
    }

    /// `None` if nothing was said.
    pub(super) fn finish(&self) -> Option<Reliability> {
        let sum = |of: fn(&Sums) -> f64| self.steps.iter().map(of).sum::<f64>();
        let often = sum(|step| step.often);
        let share = sum(|step| step.was) / often;
        let step = |(at, step): (usize, &Sums)| Step {
            from: at as f64 / STEPS as f64,
            pairs: step.pairs,
            said: step.said / step.often,
            was: step.was / step.often,
        };
        (often > 0.0).then(|| Reliability {
            pairs: self.steps.iter().map(|step| step.pairs).sum(),
            brier: self.squares / often,
            brier_of_the_share: share * (1.0 - share),
            steps: self.steps.iter().enumerate().filter(|(_, s)| s.pairs > 0).map(step).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brier_and_steps_by_hand() {
        let mut tally = Tally::default();
        for (said, was) in [(0.25, 0.0), (0.25, 1.0), (1.0, 1.0)] {
            tally.add(said, was, 1.0);
        }
        let found = tally.finish().unwrap();
        assert!((found.brier - (0.0625 + 0.5625) / 3.0).abs() < 1e-12);
        assert!((found.brier_of_the_share - 2.0 / 9.0).abs() < 1e-12);
        let steps: Vec<_> = found.steps.iter().map(|s| (s.from, s.pairs, s.said, s.was)).collect();
        assert_eq!(steps, [(0.2, 2, 0.25, 0.5), (0.9, 1, 1.0, 1.0)]);
        assert_eq!(Tally::default().finish(), None);
    }
}
