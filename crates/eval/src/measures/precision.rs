//! Precision: the share of the first k results that are relevant.
//!
//! P@k = (relevant among the first k) / k. Results that are missing count as not relevant, as in
//! trec_eval. Range 0 to 1; never undefined.

use super::found;
use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static PRECISION: Definition = Definition {
    name: "P",
    aliases: &["precision"],
    parameter: ParameterKind::Cutoff,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "share of the first k results that are relevant",
    undefined: "never",
    value,
};

fn value(query: &Query, parameter: Parameter) -> Option<f64> {
    let cutoff = parameter.cutoff()?;
    Some(found(query, cutoff) / cutoff as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        let query = Query::from_relevance(&[true, false, true], 5);
        assert_eq!(value(&query, Parameter::Cutoff(2)), Some(0.5));
        assert_eq!(value(&query, Parameter::Cutoff(10)), Some(0.2));
    }
}
