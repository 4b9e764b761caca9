//! `GET /judgements`, `POST /judgements`: does it work on these photos?
//!
//! A person judges the first results of a query; the share of right ones among the first k is
//! `rebus-eval`'s P@k. Judgements are kept beside the index, the last one of a query counts.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::State;
use rebus_collection::writers::{Contention, Log};
use rebus_eval::{Measure, Query};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Json;
use crate::problem::Problem;
use crate::shared::Shared;
use crate::work::{Queue, work};

/// The k of P@k.
const MEASURES: &str = "P@1,P@5,P@10,P@20";
/// The most results that are judged at once.
const MOST: usize = 100;

/// The judged results of a query, in their order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judgement {
    query: String,
    judged: Vec<Verdict>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    id: u32,
    relevant: bool,
}

/// A line of the file: photos by their content, which outlasts numbers and paths.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    query: String,
    photos: Vec<String>,
    relevant: Vec<bool>,
}

/// The share of right ones among the first k, for every k up to as many as were judged.
fn precision(relevant: &[bool]) -> Result<Vec<(usize, f64)>, Problem> {
    let measures = Measure::parse_list(MEASURES).map_err(|e| Problem::ours(e.to_string()))?;
    let query = Query::from_relevance(relevant, relevant.iter().filter(|&&right| right).count());
    let with = |measure: &Measure| {
        let k = measure.parameter().cutoff().filter(|&k| k <= relevant.len())?;
        // Without a right one the measure has nothing to divide by elsewhere; here it is none of k.
        Some((k, measure.of(&query).unwrap_or(0.0)))
    };
    Ok(measures.iter().filter_map(with).collect())
}

fn told(precision: &[(usize, f64)]) -> Value {
    precision.iter().map(|(k, value)| json!({ "k": k, "value": value })).collect()
}

fn file(shared: &Shared) -> PathBuf {
    shared.library.index().folder().join("annotations/judgements.jsonl")
}

pub(crate) async fn judge(
    State(shared): State<Arc<Shared>>,
    Json(judgement): Json<Judgement>,
) -> Result<axum::Json<Value>, Problem> {
    if judgement.judged.is_empty() || judgement.judged.len() > MOST {
        return Err(Problem::bad(format!("from 1 to {MOST} results are judged at once")));
    }
    work(&shared, Queue::Thinking, move |shared| {
        let Judgement { query, judged } = judgement;
        let mut kept = Kept { query, photos: Vec::new(), relevant: Vec::new() };
        for verdict in judged {
            let photo = shared.library.photo(rebus_index::PhotoId(verdict.id))?;
            kept.photos.push(photo.hash.to_string());
            kept.relevant.push(verdict.relevant);
        }
        let (mut log, _) = Log::open(&file(shared), Contention::Wait)?;
        log.append(&kept)?;
        let precision = precision(&kept.relevant)?;
        Ok(axum::Json(json!({ "query": kept.query, "precision": told(&precision) })))
    })
    .await
}

pub(crate) async fn all(State(shared): State<Arc<Shared>>) -> Result<axum::Json<Value>, Problem> {
    work(&shared, Queue::Thinking, |shared| {
        let mut last: Vec<Kept> = Vec::new();
        for kept in Log::<Kept>::read(&file(shared))? {
            last.retain(|other| other.query != kept.query);
            last.push(kept);
        }
        let mut queries = Vec::new();
        let mut sums: Vec<(usize, f64, usize)> = Vec::new();
        for kept in &last {
            let precision = precision(&kept.relevant)?;
            for &(k, value) in &precision {
                match sums.iter_mut().find(|(other, ..)| *other == k) {
                    Some((_, sum, count)) => (*sum, *count) = (*sum + value, *count + 1),
                    None => sums.push((k, value, 1)),
                }
            }
            queries.push(json!({ "query": kept.query, "precision": told(&precision) }));
        }
        sums.sort_unstable_by_key(|(k, ..)| *k);
        let mean: Vec<(usize, f64)> =
            sums.into_iter().map(|(k, sum, count)| (k, sum / count as f64)).collect();
        Ok(axum::Json(json!({ "queries": queries, "mean": told(&mean) })))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_first() {
        let right = [true, false, true, true, false, true];
        assert_eq!(precision(&right).unwrap(), [(1, 1.0), (5, 0.6)]);
        assert_eq!(precision(&[false; 10]).unwrap(), [(1, 0.0), (5, 0.0), (10, 0.0)]);
    }
}
