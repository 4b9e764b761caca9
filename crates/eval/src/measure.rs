//! The measures of a ranking: one table, from which names, help and tests are drawn.

use std::fmt;
use std::str::FromStr;

use crate::measures;
use crate::{Error, Query};

/// What stands after the `@` of a measure's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// Nothing: `MAP`.
    Nothing,
    /// How many results are looked at: `P@5`.
    Cutoff,
    /// How many results are looked at, or nothing, for all: `nDCG`, `nDCG@10`.
    OptionalCutoff,
    /// A number from 0 to 1, with what it is when nothing is given, in hundredths: `RBP@0.8`.
    Share {
        /// The number, in hundredths.
        default: u8,
    },
}

/// A measure's parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter {
    /// None.
    Nothing,
    /// Only the first so many results count.
    Cutoff(usize),
    /// A number from 0 to 1.
    Share(f64),
}

impl Parameter {
    /// The cut-off, if it is one.
    pub fn cutoff(self) -> Option<usize> {
        match self {
            Self::Cutoff(cutoff) => Some(cutoff),
            _ => None,
        }
    }
}

/// How a measure's values for many queries become one figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summary {
    /// The arithmetic mean.
    Mean,
    /// The middle value; the mean of the two in the middle where their number is even.
    Median,
}

/// What a measure is.
#[derive(Debug)]
pub struct Definition {
    /// Its name, as papers spell it, without a parameter.
    pub name: &'static str,
    /// Other names under which it is known, trec_eval's among them.
    pub aliases: &'static [&'static str],
    /// What stands after the `@`.
    pub parameter: ParameterKind,
    /// The lowest and the highest value.
    pub range: (f64, f64),
    /// How values become one figure.
    pub summary: Summary,
    /// One line of help.
    pub about: &'static str,
    /// For which queries it is undefined.
    pub undefined: &'static str,
    pub(crate) value: fn(&Query, Parameter) -> Option<f64>,
}

/// Every measure of a ranking.
pub static MEASURES: &[&Definition] = &[
    &measures::recall::RECALL,
    &measures::success::SUCCESS,
    &measures::median_rank::MEDIAN_RANK,
    &measures::mean_rank::MEAN_RANK,
    &measures::reciprocal_rank::RECIPROCAL_RANK,
    &measures::precision::PRECISION,
    &measures::r_precision::R_PRECISION,
    &measures::average_precision::AVERAGE_PRECISION,
    &measures::interpolated_precision::ELEVEN_POINT,
    &measures::interpolated_precision::INTERPOLATED_PRECISION,
    &measures::ndcg::NDCG,
    &measures::bpref::BPREF,
    &measures::rbp::RBP,
];

/// A measure with its parameter: `P@5`, `nDCG@10`, `MAP`.
///
/// ```
/// use rebus_eval::Measure;
///
/// let measures = Measure::parse_list("P@5,nDCG@10,R^V@1")?;
/// assert_eq!(measures[1].to_string(), "nDCG@10");
/// assert!("P@zero".parse::<Measure>().is_err());
/// # Ok::<(), rebus_eval::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    definition: &'static Definition,
    /// The name under which it was asked for.
    name: &'static str,
    parameter: Parameter,
}

impl Measure {
    /// Measures whose names are separated by commas.
    ///
    /// # Errors
    /// Names the first that is unknown or lacks its parameter.
    pub fn parse_list(names: &str) -> Result<Vec<Self>, Error> {
        names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::parse).collect()
    }

    /// What it is.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Its parameter.
    pub fn parameter(&self) -> Parameter {
        self.parameter
    }

    /// Its value for one query; `None` where it is undefined.
    pub fn of(&self, query: &Query) -> Option<f64> {
        (self.definition.value)(query, self.parameter)
    }

    /// One figure for the values of many queries, undefined ones left out.
    pub fn summarise(&self, values: &[Option<f64>]) -> Option<f64> {
        match self.definition.summary {
            Summary::Mean => {
                let count = values.iter().flatten().count();
                (count > 0).then(|| values.iter().flatten().sum::<f64>() / count as f64)
            }
            Summary::Median => median(values.iter().flatten().copied().collect()),
        }
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.definition, other.definition) && self.parameter == other.parameter
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parameter {
            Parameter::Nothing => f.write_str(self.name),
            Parameter::Cutoff(cutoff) => write!(f, "{}@{cutoff}", self.name),
            Parameter::Share(share) => write!(f, "{}@{share}", self.name),
        }
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownMeasure { name: text.to_owned() };
        if let Some((definition, name)) = find(text) {
            return match definition.parameter {
                ParameterKind::Nothing | ParameterKind::OptionalCutoff => {
                    Ok(Self { definition, name, parameter: Parameter::Nothing })
                }
                ParameterKind::Share { default } => {
                    let parameter = Parameter::Share(f64::from(default) / 100.0);
                    Ok(Self { definition, name, parameter })
                }
                ParameterKind::Cutoff => Err(Error::MeasureParameter {
                    name: text.to_owned(),
                    needs: format!("a cut-off, as in {name}@10"),
                }),
            };
        }
        let (name, parameter) =
            text.split_once('@').or_else(|| text.rsplit_once('_')).ok_or_else(unknown)?;
        let (definition, name) = find(name).ok_or_else(unknown)?;
        let needs = |needs: &str| Error::MeasureParameter {
            name: text.to_owned(),
            needs: format!("{needs} after {name}"),
        };
        let parameter = match definition.parameter {
            ParameterKind::Nothing => return Err(needs("nothing")),
            ParameterKind::Cutoff | ParameterKind::OptionalCutoff => {
                let cutoff = parameter.parse().ok().filter(|&cutoff| cutoff > 0);
                Parameter::Cutoff(cutoff.ok_or_else(|| needs("a whole number above 0"))?)
            }
            ParameterKind::Share { .. } => {
                let share = parameter.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                Parameter::Share(share.ok_or_else(|| needs("a number from 0 to 1"))?)
            }
        };
        Ok(Self { definition, name, parameter })
    }
}

/// The measure of this name, and the name as it is spelt. Case matters only where two measures
/// differ by nothing else.
fn find(name: &str) -> Option<(&'static Definition, &'static str)> {
    let spellings = || {
        MEASURES.iter().flat_map(|&definition| {
            let names = std::iter::once(&definition.name).chain(definition.aliases);
            names.map(move |&name| (definition, name))
        })
    };
    let exact = spellings().find(|(_, known)| *known == name);
    exact.or_else(|| spellings().find(|(_, known)| known.eq_ignore_ascii_case(name)))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { (values[middle - 1] + upper) / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for definition in MEASURES {
            for name in std::iter::once(&definition.name).chain(definition.aliases) {
                assert!(seen.insert(*name), "{name} twice");
                assert!(std::ptr::eq(find(name).unwrap().0, *definition));
            }
            assert!(!definition.about.is_empty() && !definition.undefined.is_empty());
        }
    }

    #[test]
    fn names_with_parameters() {
        for (text, shown) in [
            ("P@5", "P@5"),
            ("P_5", "P@5"),
            ("map_cut_10", "map_cut@10"),
            ("ndcg_cut_10", "ndcg_cut@10"),
            ("recip_rank", "recip_rank"),
            ("R^V@10", "R^V@10"),
            ("RBP", "RBP@0.9"),
            ("RBP@0.5", "RBP@0.5"),
            ("ndcg", "nDCG"),
            ("R-precision", "R-precision"),
            ("iprec_at_recall_0.10", "iprec_at_recall@0.1"),
        ] {
            assert_eq!(text.parse::<Measure>().unwrap().to_string(), shown);
        }
        for wrong in ["", "P", "P@0", "P@-1", "P@x", "MAP@0", "bpref@3", "nonsense", "RBP@2", "@5"]
        {
            assert!(wrong.parse::<Measure>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_median() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
    }
}
