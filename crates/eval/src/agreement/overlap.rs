//! Precision, recall and F of one set of yes/no judgements against another (ranking-task paper,
//! Table 10b: the crowd's against the experts').
//!
//! Precision: of what the tested set says yes to, the share the reference says yes to. Recall: of
//! what the reference says yes to, the share the tested set finds. F: their harmonic mean.
//! Precision is undefined where the tested set never says yes, recall where the reference never
//! does; F where both are, that is where nobody says yes.

use super::kappa;
use super::kappa::Kappa;
use crate::Undefined;

/// How two sets of yes/no judgements of the same units lie over each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Overlap {
    /// Both say yes.
    pub both: u64,
    /// Only the tested set says yes.
    pub only_tested: u64,
    /// Only the reference says yes.
    pub only_reference: u64,
    /// Both say no.
    pub neither: u64,
}

impl Overlap {
    /// Counts what two lists say about the same units.
    ///
    /// # Errors
    /// If the lists differ in length.
    pub fn of(tested: &[bool], reference: &[bool]) -> Result<Self, Undefined> {
        if tested.len() != reference.len() {
            return Err(Undefined::Unpaired { left: tested.len(), right: reference.len() });
        }
        let mut overlap = Self::default();
        for pair in tested.iter().zip(reference) {
            *match pair {
                (true, true) => &mut overlap.both,
                (true, false) => &mut overlap.only_tested,
                (false, true) => &mut overlap.only_reference,
                (false, false) => &mut overlap.neither,
            } += 1;
        }
        Ok(overlap)
    }

    /// Share of the tested set's yes that is right.
    ///
    /// # Errors
    /// If the tested set never says yes.
    pub fn precision(&self) -> Result<f64, Undefined> {
        ratio(self.both, self.both + self.only_tested, "relevant in the tested set")
    }

    /// Share of the reference's yes that is found.
    ///
    /// # Errors
    /// If the reference never says yes.
    pub fn recall(&self) -> Result<f64, Undefined> {
        ratio(self.both, self.both + self.only_reference, "relevant in the reference")
    }

    /// Harmonic mean of precision and recall.
    ///
    /// # Errors
    /// If neither set says yes to anything.
    pub fn f1(&self) -> Result<f64, Undefined> {
        let all = 2 * self.both + self.only_tested + self.only_reference;
        ratio(2 * self.both, all, "relevant in either set")
    }

    /// Cohen's kappa of the two sets.
    ///
    /// # Errors
    /// Without units, or where both sets always say the same one thing.
    pub fn kappa(&self) -> Result<Kappa, Undefined> {
        kappa::from_counts(self.both, self.only_tested, self.only_reference, self.neither)
    }
}

fn ratio(part: u64, whole: u64, what: &'static str) -> Result<f64, Undefined> {
    if whole == 0 {
        return Err(Undefined::Empty(what));
    }
    Ok(part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        let tested = [true, true, true, false, false, false];
        let reference = [true, true, false, true, false, false];
        let overlap = Overlap::of(&tested, &reference).unwrap();
        let counts = Overlap { both: 2, only_tested: 1, only_reference: 1, neither: 2 };
        assert_eq!(overlap, counts);
        assert_eq!(overlap.precision(), Ok(2.0 / 3.0));
        assert_eq!(overlap.recall(), Ok(2.0 / 3.0));
        assert_eq!(overlap.f1(), Ok(2.0 / 3.0));
        assert!((overlap.kappa().unwrap().kappa - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn nothing_to_divide_by() {
        let silent = Overlap::of(&[false, false], &[true, false]).unwrap();
        assert!(silent.precision().is_err());
        assert_eq!((silent.recall(), silent.f1()), (Ok(0.0), Ok(0.0)));
        assert!(Overlap::default().f1().is_err() && Overlap::default().kappa().is_err());
    }
}
