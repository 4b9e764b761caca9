//! Who said what about which unit, with gaps.

use rustc_hash::FxHashMap;

use crate::Undefined;

/// Judgements of units by judges. Not every judge need judge every unit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratings {
    units: Names,
    judges: Names,
    values: FxHashMap<(usize, usize), f64>,
}

/// Names in the order in which they were met.
#[derive(Debug, Clone, Default, PartialEq)]
struct Names {
    list: Vec<String>,
    at: FxHashMap<String, usize>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&at) = self.at.get(name) {
            return at;
        }
        self.at.insert(name.to_owned(), self.list.len());
        self.list.push(name.to_owned());
        self.list.len() - 1
    }
}

/// Why a judgement cannot be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RatingsError {
    /// One judge, one unit, two values.
    #[error("judge {judge} judged {unit} twice: {first} and {second}")]
    Twice {
        /// The judge.
        judge: String,
        /// The unit.
        unit: String,
        /// The first value.
        first: f64,
        /// The second value.
        second: f64,
    },
    /// A value that is NaN or infinite.
    #[error("judge {judge} gave {unit} a value that is no finite number")]
    NotFinite {
        /// The judge.
        judge: String,
        /// The unit.
        unit: String,
    },
}

impl Ratings {
    /// No judgements yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a judge's value for a unit.
    ///
    /// # Errors
    /// If this judge has judged the unit already, or the value is no finite number.
    pub fn add(&mut self, unit: &str, judge: &str, value: f64) -> Result<(), RatingsError> {
        let named = || (judge.to_owned(), unit.to_owned());
        if !value.is_finite() {
            let (judge, unit) = named();
            return Err(RatingsError::NotFinite { judge, unit });
        }
        let place = (self.units.number(unit), self.judges.number(judge));
        if let Some(&first) = self.values.get(&place) {
            let (judge, unit) = named();
            return Err(RatingsError::Twice { judge, unit, first, second: value });
        }
        self.values.insert(place, value);
        Ok(())
    }

    /// The units, in the order in which they were met.
    pub fn units(&self) -> &[String] {
        &self.units.list
    }

    /// The judges, in the order in which they were met.
    pub fn judges(&self) -> &[String] {
        &self.judges.list
    }

    /// Number of judgements.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no judgements.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value a judge gave a unit, both by number.
    pub fn value(&self, unit: usize, judge: usize) -> Option<f64> {
        self.values.get(&(unit, judge)).copied()
    }

    /// The values of each unit, in the order of the judges.
    pub fn by_unit(&self) -> Vec<Vec<f64>> {
        let judges = 0..self.judges.list.len();
        (0..self.units.list.len())
            .map(|unit| judges.clone().filter_map(|judge| self.value(unit, judge)).collect())
            .collect()
    }

    /// The values of two judges for the units that both judged.
    ///
    /// # Errors
    /// If there is no such unit.
    pub fn shared(&self, first: usize, second: usize) -> Result<(Vec<f64>, Vec<f64>), Undefined> {
        let both = |unit| Some((self.value(unit, first)?, self.value(unit, second)?));
        let shared: (Vec<f64>, Vec<f64>) = (0..self.units.list.len()).filter_map(both).unzip();
        if shared.0.is_empty() {
            return Err(Undefined::NothingPairable);
        }
        Ok(shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_doubles() {
        let mut ratings = Ratings::new();
        ratings.add("a", "x", 1.0).unwrap();
        ratings.add("a", "y", 2.0).unwrap();
        ratings.add("b", "y", 3.0).unwrap();
        assert_eq!(ratings.by_unit(), [vec![1.0, 2.0], vec![3.0]]);
        assert_eq!(ratings.shared(0, 1), Ok((vec![1.0], vec![2.0])));
        let twice = ratings.add("b", "y", 4.0).unwrap_err();
        assert_eq!(twice.to_string(), "judge y judged b twice: 3 and 4");
        assert!(ratings.add("c", "x", f64::NAN).is_err());
        assert_eq!(ratings.len(), 3);
        assert_eq!(Ratings::new().shared(0, 0), Err(Undefined::NothingPairable));
    }
}
