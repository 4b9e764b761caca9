//! trec_eval's own lines, figure for figure, for versions 9.0.8 and 10.0.
//!
//! The rules are trec_eval's, not ours: ties by document id, a measure that is undefined for a
//! topic counts as 0, scores are compared as double precision numbers (as both versions do; up to
//! 9.0.7 they were single precision), a negative grade is a document that was pooled but not judged. Where the two versions differ, so do we:
//!
//! | | 9.0.8 | 10.0 |
//! | --- | --- | --- |
//! | a level r of recall asks for | floor(r · R + 0.9) documents | round(r · R) documents |
//! | `rbp`, `rbp_resid`, `unj_*` | not among all measures | among them |
//! | judged topics without results, all judged wanted | count as 0, not printed | printed as 0 |
//!
//! One thing is done better: 10.0 itself stops, or measures the results of another topic, where a
//! judged topic has no results and the complete set is not wanted. Here such topics are left out,
//! as by 9.0.8, and named.

mod columns;
mod gains;
mod inferred;
mod topic;

use std::fmt::Write;

use rayon::prelude::*;
use rebus_collection::trec::{Qrels, Run};

use crate::Topics;
use columns::{Column, Kind, columns};
use topic::Topic;

/// Which trec_eval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Version {
    /// 9.0.8
    V9,
    /// 10.0
    #[default]
    V10,
}

/// Which measures are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// Those that trec_eval prints unless told otherwise.
    #[default]
    Official,
    /// All of them (`-m all_trec`).
    All,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// One block of lines for all topics.
    #[default]
    Summary,
    /// A block a topic before it (`-q`).
    PerTopic,
}

/// What trec_eval is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Which trec_eval.
    pub version: Version,
    /// Which measures.
    pub selection: Selection,
    /// Topics one by one, or only together.
    pub detail: Detail,
    /// Which topics count (`-c`).
    pub topics: Topics,
    /// The grade from which on a document is relevant (`-l`).
    pub relevance_level: i32,
    /// Results shown by `relstring`, which then bears their number (`-m relstring.N`); unless
    /// told otherwise it shows ten.
    pub relstring: Option<usize>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            version: Version::default(),
            selection: Selection::default(),
            detail: Detail::default(),
            topics: Topics::default(),
            relevance_level: 1,
            relstring: None,
        }
    }
}

/// trec_eval's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The lines.
    pub text: String,
    /// Number of topics that were measured.
    pub topics: usize,
    /// Judged topics without results.
    pub without_results: Vec<String>,
    /// Topics with results that nobody judged.
    pub not_judged: Vec<String>,
}

/// The lowest value that enters a geometric mean.
const LOWEST: f64 = 0.00001;

/// Prints what trec_eval prints.
///
/// ```
/// use rebus_eval::trec_eval::{self, Request};
/// use rebus_eval::{Qrels, Run};
///
/// let mut qrels = Qrels::new();
/// qrels.judge("1", "a", 1)?;
/// let mut run = Run::new("mine");
/// run.add("1", "a", 0.5)?;
/// run.sort()?;
/// let answer = trec_eval::print(&run, &qrels, &Request::default());
/// assert!(answer.text.starts_with("runid                 \tall\tmine\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn print(run: &Run, qrels: &Qrels, request: &Request) -> Answer {
    let columns = columns(request);
    let complete = request.topics == Topics::AllJudged;
    let topics: Vec<_> = qrels.topics().collect();
    let measured: Vec<Option<(Vec<f64>, String)>> = topics
        .par_iter()
        .map(|&(name, judged)| {
            let ranking = run.topic(name);
            if ranking.is_none() && !complete {
                return None;
            }
            let topic = Topic::new(ranking, judged, request.relevance_level);
            let values = columns.iter().map(|column| (column.value)(&topic)).collect();
            Some((values, topic.relstring(request.relstring.unwrap_or(10))))
        })
        .collect();

    let mut text = String::new();
    let mut sums = vec![0.0; columns.len()];
    let mut count = 0;
    let mut without_results = Vec::new();
    for (&(name, _), measured) in topics.iter().zip(&measured) {
        let is_there = run.topic(name).is_some();
        if !is_there {
            without_results.push(name.to_owned());
        }
        let Some((values, relstring)) = measured else { continue };
        count += 1;
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        if request.detail == Detail::PerTopic && (is_there || request.version == Version::V10) {
            for (column, &value) in columns.iter().zip(values) {
                print_topic(&mut text, column, name, value, relstring);
            }
        }
    }
    for (column, &sum) in columns.iter().zip(&sums) {
        print_all(&mut text, column, sum, count, run.name());
    }
    let not_judged = run.topics().map(|(name, _)| name);
    let not_judged = not_judged.filter(|name| qrels.topic(name).is_none()).map(str::to_owned);
    Answer { text, topics: count, without_results, not_judged: not_judged.collect() }
}

fn print_topic(text: &mut String, column: &Column, topic: &str, value: f64, relstring: &str) {
    // Writing to a string cannot fail.
    let _ = match column.kind {
        Kind::Sum => writeln!(text, "{:<22}\t{topic}\t{value:.0}", column.name),
        Kind::Mean => writeln!(text, "{:<22}\t{topic}\t{value:6.4}", column.name),
        Kind::Relstring => writeln!(text, "{:<22}\t{topic}\t'{relstring}'", column.name),
        Kind::RunId | Kind::TopicCount | Kind::GeometricMean => Ok(()),
    };
}

fn print_all(text: &mut String, column: &Column, sum: f64, count: usize, run: &str) {
    let name = &column.name;
    let mean = if count > 0 { sum / count as f64 } else { 0.0 };
    let _ = match column.kind {
        Kind::RunId => writeln!(text, "{name:<22}\tall\t{run}"),
        Kind::TopicCount => writeln!(text, "{name:<22}\tall\t{count}"),
        Kind::Sum => writeln!(text, "{name:<22}\tall\t{sum:.0}"),
        Kind::Mean => writeln!(text, "{name:<22}\tall\t{mean:6.4}"),
        Kind::GeometricMean => writeln!(text, "{name:<22}\tall\t{:6.4}", mean.exp()),
        Kind::Relstring => Ok(()),
    };
}
