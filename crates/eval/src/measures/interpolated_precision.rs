//! Interpolated precision at a level of recall, and its mean over the eleven levels 0, 0.1, … 1.
//!
//! The precision at recall r is the highest precision at any rank at which at least
//! round(r · R) of the R relevant documents were found, as in trec_eval 10.0; 0 where so many were
//! never found. Jeon, Lavrenko and Manmatha (2003) draw the eleven levels in figure 4. Range 0 to
//! 1; undefined where nothing is relevant.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Query;
use crate::measure::{Definition, Parameter, ParameterKind, Summary};
use crate::query::Group;

pub(crate) static ELEVEN_POINT: Definition = Definition {
    name: "11-point",
    aliases: &["11pt_avg"],
    parameter: ParameterKind::Nothing,
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "interpolated precision, mean over the recall levels 0, 0.1, ... 1",
    undefined: "where nothing is relevant",
    value: eleven_point,
};

pub(crate) static INTERPOLATED_PRECISION: Definition = Definition {
    name: "iprec",
    aliases: &["iprec_at_recall"],
    parameter: ParameterKind::Share { default: 0 },
    range: (0.0, 1.0),
    summary: Summary::Mean,
    about: "highest precision at any rank where at least this share of the relevant was found",
    undefined: "where nothing is relevant",
    value: at_recall,
};

/// How many orders of tied documents the mean is taken over.
const SHUFFLES: u64 = 64;

fn eleven_point(query: &Query, _: Parameter) -> Option<f64> {
    let levels: [f64; 11] = std::array::from_fn(|at| at as f64 / 10.0);
    average(query, |query| levels.iter().map(|&level| precision(query, level)).sum::<f64>() / 11.0)
}

fn at_recall(query: &Query, parameter: Parameter) -> Option<f64> {
    let Parameter::Share(level) = parameter else { return None };
    average(query, |query| precision(query, level))
}

/// The value, or its mean over shuffles where documents share a rank.
fn average(query: &Query, value: impl Fn(&Query) -> f64) -> Option<f64> {
    if query.relevant == 0 {
        return None;
    }
    if !query.is_unresolved() {
        return Some(value(query));
    }
    let sum: f64 = (0..SHUFFLES).map(|seed| value(&shuffled(query, seed))).sum();
    Some(sum / SHUFFLES as f64)
}

fn precision(query: &Query, level: f64) -> f64 {
    precision_from(query, (level * f64::from(query.relevant)).round() as u32)
}

/// The highest precision at any rank where at least `wanted` relevant documents were found.
pub(crate) fn precision_from(query: &Query, wanted: u32) -> f64 {
    let found = (1u32..).zip(query.ranks());
    let found = found.filter(|&(found, _)| found >= wanted.max(1));
    found.map(|(found, rank)| f64::from(found) / f64::from(rank)).fold(0.0, f64::max)
}

/// The query with one order for its tied documents.
fn shuffled(query: &Query, seed: u64) -> Query {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut resolved = query.clone();
    resolved.groups.clear();
    for group in query.groups.iter().filter(|group| group.relevant > 0) {
        let mut places: Vec<u32> = (0..group.size).collect();
        for at in 0..group.relevant as usize {
            places.swap(at, random.random_range(at..group.size as usize));
        }
        places.truncate(group.relevant as usize);
        places.sort_unstable();
        resolved.groups.extend(places.into_iter().map(|at| Group {
            before: group.before + at,
            size: 1,
            relevant: 1,
            ..*group
        }));
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ties;

    #[test]
    fn worked_example() {
        // Relevant at ranks 1, 4 and 5 of 4: precision 1, 0.5, 0.6.
        let query = Query::from_relevance(&[true, false, false, true, true], 4);
        let at = |level| at_recall(&query, Parameter::Share(level)).unwrap();
        assert_eq!([at(0.0), at(0.25), at(0.5), at(0.75), at(1.0)], [1.0, 1.0, 0.6, 0.6, 0.0]);
        // The levels 0 to 0.3 ask for 0 or 1, 0.4 to 0.8 for 2 or 3, 0.9 and 1 for 4.
        let expected = (4.0 * 1.0 + 5.0 * 0.6) / 11.0;
        assert!((eleven_point(&query, Parameter::Nothing).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn a_tie_lies_between_worst_and_best() {
        let of = |ties| eleven_point(&Query::from_tie(1, 6, 2, ties), Parameter::Nothing);
        assert!(of(Ties::Worst) < of(Ties::Mean) && of(Ties::Mean) < of(Ties::Best));
    }
}
