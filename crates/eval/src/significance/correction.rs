//! Many tests at once: p-values adjusted so that the chance of any false star stays small.
//!
//! - **Holm** (1979): sorted p-values times (m, m-1, ..., 1), made monotone. Holds the chance of
//!   one or more false findings, and is never weaker than Bonferroni.
//! - **Bonferroni**: every p-value times m.
//! - **Benjamini-Hochberg** (1995): holds the expected share of false findings instead.
//!
//! An undefined p-value is no test: it stays undefined and is not counted in m.

/// How p-values of several tests are adjusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Correction {
    /// Not at all.
    #[default]
    None,
    /// Holm's step-down.
    Holm,
    /// Times the number of tests.
    Bonferroni,
    /// Benjamini and Hochberg's false discovery rate.
    BenjaminiHochberg,
}

impl Correction {
    /// The name used in protocols.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Holm => "holm",
            Self::Bonferroni => "bonferroni",
            Self::BenjaminiHochberg => "benjamini-hochberg",
        }
    }

    /// The adjusted p-values, in the order given, at most 1 each.
    pub fn adjust(self, p_values: &[Option<f64>]) -> Vec<Option<f64>> {
        let mut order: Vec<(usize, f64)> =
            p_values.iter().enumerate().filter_map(|(at, p)| p.map(|p| (at, p))).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        let tests = order.len() as f64;
        match self {
            Self::None => {}
            Self::Bonferroni => order.iter_mut().for_each(|(_, p)| *p *= tests),
            Self::Holm => {
                let mut least = 0.0f64;
                for (before, (_, p)) in order.iter_mut().enumerate() {
                    least = least.max(*p * (tests - before as f64));
                    *p = least;
                }
            }
            Self::BenjaminiHochberg => {
                let mut most = f64::INFINITY;
                for (before, (_, p)) in order.iter_mut().enumerate().rev() {
                    most = most.min(*p * tests / (before as f64 + 1.0));
                    *p = most;
                }
            }
        }
        let mut adjusted = vec![None; p_values.len()];
        for (at, p) in order {
            adjusted[at] = Some(p.min(1.0));
        }
        adjusted
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Correction;

    #[test]
    fn a_worked_example() {
        let p = [Some(0.01), Some(0.04), Some(0.03), Some(0.005)];
        let near = |got: Vec<Option<f64>>, want: [f64; 4]| {
            got.iter().zip(want).all(|(got, want)| (got.unwrap() - want).abs() < 1e-12)
        };
        // Sorted: .005 x 4, .01 x 3, .03 x 2, then .04 x 1 lifted to the .06 before it.
        assert!(near(Correction::Holm.adjust(&p), [0.03, 0.06, 0.06, 0.02]));
        assert!(near(Correction::Bonferroni.adjust(&p), [0.04, 0.16, 0.12, 0.02]));
        assert!(near(Correction::BenjaminiHochberg.adjust(&p), [0.02, 0.04, 0.04, 0.02]));
        assert!(near(Correction::None.adjust(&p), [0.01, 0.04, 0.03, 0.005]));
    }

    #[test]
    fn what_is_undefined_is_no_test() {
        let adjusted = Correction::Holm.adjust(&[Some(0.01), None, Some(0.5)]);
        assert_eq!(adjusted, [Some(0.02), None, Some(0.5)]);
        assert!(Correction::Holm.adjust(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn adjusted_values_are_ordered_and_never_smaller(
            p in prop::collection::vec(prop::option::of(0.0..=1.0f64), 0..20),
        ) {
            let holm = Correction::Holm.adjust(&p);
            let bonferroni = Correction::Bonferroni.adjust(&p);
            let rate = Correction::BenjaminiHochberg.adjust(&p);
            for at in 0..p.len() {
                let Some(raw) = p[at] else {
                    prop_assert!(holm[at].is_none() && rate[at].is_none());
                    continue;
                };
                let [holm, bonferroni, rate] = [&holm, &bonferroni, &rate].map(|all| all[at].unwrap());
                prop_assert!(raw <= rate + 1e-15 && rate <= holm + 1e-15);
                prop_assert!(holm <= bonferroni + 1e-15 && bonferroni <= 1.0);
            }
        }
    }
}
