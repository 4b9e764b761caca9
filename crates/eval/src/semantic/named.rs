//! The semantic measures by the names that reports and `--measure` know them by.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// A semantic measure with its cut-off, and the size of the extended ground truth where it has one:
/// `NCS@5`, `SR@10(m=20)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticMeasure {
    kind: Kind,
    k: usize,
    m: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ncs,
    Recall,
}

/// Names with their parameters, a line of help, and for which queries the measure is undefined.
pub static SEMANTIC_MEASURES: [(&str, &str, &str); 2] = [
    (
        "NCS@k",
        "phi of the first k results of the largest that k items can have (needs --phi or --semantic)",
        "where nothing resembles the query",
    ),
    (
        "SR@k[(m=M)]",
        "share of the M items most alike among the first k, for each --m (needs --phi or --semantic)",
        "where nothing resembles the query",
    ),
];

impl SemanticMeasure {
    pub(super) fn ncs(k: usize, m: Option<usize>) -> Self {
        Self { kind: Kind::Ncs, k, m }
    }

    pub(super) fn recall(k: usize, m: Option<usize>) -> Self {
        Self { kind: Kind::Recall, k, m }
    }

    /// Whether a name is meant for a semantic measure, well formed or not.
    pub fn is_meant(name: &str) -> bool {
        let name = name.split(['@', '(']).next().unwrap_or_default();
        name.eq_ignore_ascii_case("NCS") || name.eq_ignore_ascii_case("SR")
    }

    /// The cut-off.
    pub fn k(self) -> usize {
        self.k
    }

    /// The size of the extended ground truth, if one was named.
    pub fn m(self) -> Option<usize> {
        self.m
    }

    /// Whether a figure is what was asked for: semantic recall without a size is that of every size.
    pub(super) fn covers(self, figure: Self) -> bool {
        let all_sizes = self.kind == Kind::Recall && self.m.is_none();
        (self.kind, self.k) == (figure.kind, figure.k) && (all_sizes || self.m == figure.m)
    }
}

impl fmt::Display for SemanticMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            Kind::Ncs => "NCS",
            Kind::Recall => "SR",
        };
        write!(f, "{name}@{}", self.k)?;
        self.m.map_or(Ok(()), |m| write!(f, "(m={m})"))
    }
}

impl FromStr for SemanticMeasure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, rest) = text.split_once('@').unwrap_or((text, ""));
        let kind = match name.to_ascii_uppercase().as_str() {
            "NCS" => Kind::Ncs,
            "SR" => Kind::Recall,
            _ => return Err(Error::UnknownMeasure { name: text.to_owned() }),
        };
        let needs = || Error::MeasureParameter {
            name: text.to_owned(),
            needs: format!("whole numbers above 0, as in {name}@10 or {name}@10(m=20)"),
        };
        let number = |text: &str| text.parse().ok().filter(|&number| number > 0).ok_or_else(needs);
        let (k, m) = match rest.split_once("(m=") {
            Some((k, m)) => (k, Some(m.strip_suffix(')').ok_or_else(needs)?)),
            None => (rest, None),
        };
        Ok(Self { kind, k: number(k)?, m: m.map(number).transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in ["NCS@5", "SR@10", "SR@10(m=20)", "NCS@1(m=5)"] {
            assert!(SemanticMeasure::is_meant(name));
            assert_eq!(name.parse::<SemanticMeasure>().unwrap().to_string(), name);
        }
        assert!(!SemanticMeasure::is_meant("S@5") && !SemanticMeasure::is_meant("R@1"));
        for wrong in ["NCS", "NCS@0", "SR@5(m=0)", "SR@5(m=5", "SR@x", "R@5", ""] {
            assert!(wrong.parse::<SemanticMeasure>().is_err(), "{wrong}");
        }
    }
}
