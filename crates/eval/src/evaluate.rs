//! Many queries measured: values a query, one figure a measure, and what was undefined or tied.

use rayon::prelude::*;
use rebus_collection::trec::{Qrels, Run};

use crate::{Measure, Query, Ties};

/// How a run is measured against judgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What becomes of documents that share a score.
    pub ties: Ties,
    /// The grade from which on a document is relevant.
    pub threshold: i32,
    /// Which topics count.
    pub topics: Topics,
}

impl Default for Options {
    fn default() -> Self {
        Self { ties: Ties::default(), threshold: 1, topics: Topics::Common }
    }
}

/// Which topics count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Topics {
    /// Those that are judged and have results, as trec_eval does unless told otherwise.
    #[default]
    Common,
    /// All that are judged; one without results has retrieved nothing (trec_eval's `-c`).
    AllJudged,
}

/// The values of some measures for many queries.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The measures.
    pub measures: Vec<Measure>,
    /// The names of the queries; empty where they have none.
    pub queries: Vec<String>,
    /// Values by query, then by measure; `None` where a measure is undefined.
    pub per_query: Vec<Vec<Option<f64>>>,
    /// By measure: queries where relevant and other documents share a score on both sides of the
    /// cut-off, or anywhere, where the measure has none.
    pub ties: Vec<usize>,
    /// Judged topics without results.
    pub without_results: Vec<String>,
    /// Topics with results that nobody judged.
    pub not_judged: Vec<String>,
}

/// Measures a run against judgements.
///
/// ```
/// use rebus_collection::trec::{Qrels, Run};
/// use rebus_eval::{Measure, Options, evaluate};
///
/// let mut qrels = Qrels::new();
/// qrels.judge("dogs", "dog.jpg", 1)?;
/// let mut run = Run::new("mine");
/// run.add("dogs", "cat.jpg", 0.9)?;
/// run.add("dogs", "dog.jpg", 0.8)?;
/// run.sort()?;
/// let measures = Measure::parse_list("MRR,P@1")?;
/// let evaluation = evaluate(&run, &qrels, &measures, Options::default());
/// assert_eq!(evaluation.figures(), [Some(0.5), Some(0.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(run: &Run, qrels: &Qrels, measures: &[Measure], options: Options) -> Evaluation {
    let mut without_results = Vec::new();
    let mut pairs = Vec::with_capacity(qrels.len());
    for (name, judged) in qrels.topics() {
        let ranking = run.topic(name);
        if ranking.is_none() {
            without_results.push(name.to_owned());
        }
        if ranking.is_some() || options.topics == Topics::AllJudged {
            pairs.push((name, judged, ranking));
        }
    }
    let rows = pairs.par_iter().with_min_len(8).map(|&(_, judged, ranking)| {
        let ranked = ranking.into_iter().flat_map(|ranking| ranking.grades(judged));
        let query = Query::from_grades(ranked, judged.grades(), options.threshold, options.ties);
        measured(&query, measures)
    });
    let rows: Vec<Row> = rows.collect();
    let not_judged = run.topics().map(|(name, _)| name);
    let not_judged = not_judged.filter(|name| qrels.topic(name).is_none());
    Evaluation {
        queries: pairs.iter().map(|pair| pair.0.to_owned()).collect(),
        without_results,
        not_judged: not_judged.map(str::to_owned).collect(),
        ..Evaluation::from_rows(rows, measures)
    }
}

/// A query's values, and whether each is touched by a tie.
type Row = Vec<(Option<f64>, bool)>;

fn measured(query: &Query, measures: &[Measure]) -> Row {
    let value =
        |measure: &Measure| (measure.of(query), query.is_tied_at(measure.parameter().cutoff()));
    measures.iter().map(value).collect()
}

impl Evaluation {
    /// Measures queries that have no names.
    pub fn of_queries(queries: &[Query], measures: &[Measure]) -> Self {
        let rows = queries.par_iter().with_min_len(64).map(|query| measured(query, measures));
        Self::from_rows(rows.collect(), measures)
    }

    fn from_rows(rows: Vec<Row>, measures: &[Measure]) -> Self {
        let ties = (0..measures.len()).map(|at| rows.iter().filter(|row| row[at].1).count());
        Self {
            measures: measures.to_vec(),
            queries: Vec::new(),
            ties: ties.collect(),
            per_query: rows
                .into_iter()
                .map(|row| row.into_iter().map(|(value, _)| value).collect())
                .collect(),
            without_results: Vec::new(),
            not_judged: Vec::new(),
        }
    }

    /// The values of one measure, by query.
    pub fn values(&self, measure: usize) -> Vec<Option<f64>> {
        self.per_query.iter().map(|row| row[measure]).collect()
    }

    /// One figure a measure over the queries for which it is defined; `None` where there are none.
    pub fn figures(&self) -> Vec<Option<f64>> {
        let figure = |at: usize| self.measures[at].summarise(&self.values(at));
        (0..self.measures.len()).map(figure).collect()
    }

    /// By measure: for how many queries it is undefined.
    pub fn undefined(&self) -> Vec<usize> {
        let count = |at: usize| self.per_query.iter().filter(|row| row[at].is_none()).count();
        (0..self.measures.len()).map(count).collect()
    }
}
