//! R-precision: precision among the first R results, where R relevant documents exist.
//!
//! Used on human judgements by Hodosh, Young and Hockenmaier (2013), section 4.3.3. Range 0 to 1;
//! undefined where nothing is relevant.

use super::found;
use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};

pub(crate) static R_PRECISION: Definition = Definition {
    name: "R-precision",
    aliases: &["Rprec"],
    parameter: ParameterKind::Nothing,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "share of the first R results that are relevant, where R relevant documents exist",
    undefined: "where nothing is relevant",
    value,
};

fn value(query: &Query, _: Parameter) -> Option<f64> {
    let relevant = query.relevant;
    (relevant > 0).then(|| found(query, relevant as usize) / f64::from(relevant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        let of = |query| value(&query, Parameter::Nothing);
        assert_eq!(of(Query::from_relevance(&[true, false, true], 2)), Some(0.5));
        assert_eq!(of(Query::from_relevance(&[true], 4)), Some(0.25));
        assert_eq!(of(Query::from_relevance(&[true, false], 0)), Some(1.0));
        assert_eq!(of(Query::from_relevance(&[false, false], 0)), None);
    }
}
