//! The queries of section 5.3: every combination of one to four words that two or more photos have.

use std::collections::BTreeMap;

use rebus_collection::Matrix;
use rebus_eval::{Measure, Query, Ties};
use rebus_models::{DualEncoder, dot_products};

use super::data::Photos;
use crate::Result;

/// A query and the photos that have all of its words.
pub(super) struct Asked {
    text: String,
    relevant: Vec<usize>,
}

/// Queries of so many words, in the order of the alphabet.
pub(super) fn queries(photos: &Photos<'_>, words: usize) -> Vec<Asked> {
    let mut photos_with: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (row, texts) in photos.texts().into_iter().enumerate() {
        let mut own = texts;
        own.sort_unstable();
        own.dedup();
        combinations(&own, words, &mut Vec::new(), &mut |chosen| {
            photos_with.entry(chosen.to_vec()).or_default().push(row);
        });
    }
    let twice = photos_with.into_iter().filter(|(_, photos)| photos.len() > 1);
    twice.map(|(words, relevant)| Asked { text: words.join(" "), relevant }).collect()
}

/// Every choice of `count` of the words, in order.
fn combinations<'a>(
    words: &[&'a str],
    count: usize,
    chosen: &mut Vec<&'a str>,
    each: &mut impl FnMut(&[&'a str]),
) {
    if count == 0 {
        return each(chosen);
    }
    for (at, word) in words.iter().enumerate() {
        chosen.push(word);
        combinations(&words[at + 1..], count - 1, chosen, each);
        chosen.pop();
    }
}

/// How many photos are relevant, added up over the queries.
pub(super) fn relevant(queries: &[Asked]) -> usize {
    queries.iter().map(|query| query.relevant.len()).sum()
}

/// The rankings of the photos, whose features these are, for each query.
pub(super) fn rankings(
    model: &dyn DualEncoder,
    features: &Matrix,
    queries: &[Asked],
) -> Result<Vec<Query>> {
    let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
    let scores = dot_products(&model.encode_texts(&texts)?, &model.encode_images(features)?)?;
    let ranking = |(row, query): (usize, &Asked)| {
        let scores = scores.row(row);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let grade = |photo: usize| i32::from(query.relevant.binary_search(&photo).is_ok());
        let ranked = order.into_iter().map(|at| (f64::from(scores[at]), Some(grade(at))));
        Query::from_grades(ranked, (0..scores.len()).map(grade), 1, Ties::Worst)
    };
    Ok(queries.iter().enumerate().map(ranking).collect())
}

/// A measure of every ranking.
pub(super) fn values(measure: &Measure, rankings: &[Query]) -> Vec<f64> {
    rankings.iter().filter_map(|query| measure.of(query)).collect()
}

/// The mean; nothing of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_once() {
        let mut found = Vec::new();
        combinations(&["a", "b", "c"], 2, &mut Vec::new(), &mut |chosen| {
            found.push(chosen.join(""))
        });
        assert_eq!(found, ["ab", "ac", "bc"]);
    }
}
