//! The index's half of `rebus eval`: does search work on these photos?
//!
//! What people wrote about their photos serves as queries, hidden from the ranking; or queries of the
//! user's own, with the photos that are right, go the whole way of `rebus search`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rebus_collection::sidecar::OwnWords;
use rebus_eval::report::{Evidence, Protocol, Report, System};
use rebus_eval::significance::{Bootstrap, IntervalKind, Statistic};
use rebus_eval::{Evaluation, Measure, Query, Summary, Ties};
use rebus_index::search::{HeldOut, SearchOptions, Searcher, Show, Source, held_out};
use rebus_index::{ModelRecord, PhotoId, Selection};

use crate::output::{Outcome, ReportArgs, Usage, counted, print_report, say};
use crate::{home, index, indexed_model};

/// Which index to measure, and by what.
#[derive(Args)]
pub(super) struct IndexArgs {
    /// An index: how well each of its models finds photos again by what was written about them
    #[arg(long, value_name = "DIR|NAME", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["qrels", "run", "scores", "keywords", "model", "data"])]
    pub(super) index: Option<String>,
    /// With --index: your own queries in place of what was written: a query, a tab, the paths of the
    /// right photos with tabs between; or lines of JSON, {"query": "...", "right": ["...", ...]}
    #[arg(long, value_name = "FILE", requires = "index")]
    queries_file: Option<PathBuf>,
    /// With --index: at most so many queries of each kind, taken evenly
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "index")]
    most: usize,
}

/// What is measured unless other measures are asked for.
pub(super) fn default_index_measures(cutoffs: &[usize]) -> rebus_eval::Result<Vec<Measure>> {
    let recalls: Vec<String> = cutoffs.iter().map(|cutoff| format!("R@{cutoff}")).collect();
    Measure::parse_list(&format!("{},median,MAP", recalls.join(",")))
}

/// One query measured: what it is a case of, and the ranking.
type Measured = Vec<(&'static str, Vec<Query>)>;

impl IndexArgs {
    /// Measures every model of the index.
    pub(super) fn measure(
        &self,
        named: &str,
        measures: &[Measure],
        ties: Ties,
        output: &ReportArgs,
    ) -> anyhow::Result<Outcome> {
        let index = index::open(Some(named).filter(|name| !name.is_empty()))?;
        let models = index.models();
        if models.is_empty() {
            return Err(Usage("the index has no model yet".into()).into());
        }
        let own = self.queries_file.as_deref().map(read_queries).transpose()?;
        let held_out = match own {
            None => held_out(&index, self.most, &OwnWords::read(&home::journal())?)?,
            Some(_) => Vec::new(),
        };
        let protocol = Protocol::new()
            .with("index", index.folder().display().to_string())
            .with("photos", index.len())
            .with(
                "queries",
                match &self.queries_file {
                    Some(path) => format!("{}, by the whole search", path.display()),
                    None => "what people wrote about the photos, by vectors alone".to_owned(),
                },
            )
            .with("ties", ties.name())
            .with("intervals", "95%, bootstrap over the queries");
        let mut report = Report::new(protocol);
        let mut queries = 0;
        for record in &models {
            let reader = indexed_model::reader(record)?;
            let look = |path: &Path| indexed_model::look(record, path);
            let searcher = Searcher::new(&index, &record.name, &*reader)?.looking(&look);
            let measured = match &own {
                Some(own) => by_search(&searcher, own, ties, &mut report.notes)?,
                None => by_vectors(&searcher, &held_out, ties, record, &mut report.notes)?,
            };
            queries = queries.max(measured.iter().map(|(_, queries)| queries.len()).sum());
            report.systems.push(figures(record, &measured, measures));
        }
        if queries == 0 {
            say(match self.queries_file {
                None => "nobody wrote anything about these photos: give --queries-file",
                Some(_) => "no photo that is named as right is in the index",
            });
            return Ok(Outcome::Short);
        }
        print_report(&report, output)?;
        let models = counted(models.len() as u64, "model");
        say(format_args!("measured {models} on {}", counted(queries as u64, "query")));
        Ok(Outcome::Fine)
    }
}

/// The figures of one model, with intervals.
fn figures(record: &ModelRecord, measured: &Measured, measures: &[Measure]) -> System {
    let mut system = System::new(record.name.clone());
    for (task, queries) in measured {
        let evaluation = Evaluation::of_queries(queries, measures);
        for (at, (measure, figure)) in measures.iter().zip(evaluation.figures()).enumerate() {
            let values: Vec<f64> = evaluation.values(at).into_iter().flatten().collect();
            let statistic = match measure.definition().summary {
                Summary::Median => Statistic::Median,
                _ => Statistic::Mean,
            };
            let interval = interval(&values, statistic);
            let evidence = Evidence { interval, ..Evidence::default() };
            system = system.figure_with(task, &measure.to_string(), figure, evidence);
        }
        let count = queries.len() as f64;
        system = system.figure(task, "queries", count);
    }
    system
}

/// Where a figure lies; the plain percentiles where the corrected ones are undefined.
fn interval(values: &[f64], statistic: Statistic) -> Option<(f64, f64)> {
    let bootstrap = Bootstrap { draws: 2000, ..Bootstrap::default() };
    let plain = Bootstrap { kind: IntervalKind::Percentile, ..bootstrap };
    let found = bootstrap.interval(values, statistic);
    let found = found.or_else(|_| plain.interval(values, statistic)).ok()?;
    Some((found.low, found.high))
}

/// A ranking as measures see it. Photos that were not ranked come last, together.
fn as_query(ranked: Vec<(PhotoId, f64)>, right: &Selection, ties: Ties) -> Query {
    let ranked = ranked.into_iter().map(|(id, score)| (score, right.contains(id).then_some(1)));
    let there = right.len();
    Query::from_grades(ranked, std::iter::repeat_n(1, there), 1, ties)
}

fn by_vectors(
    searcher: &Searcher<'_>,
    held_out: &[HeldOut],
    ties: Ties,
    record: &ModelRecord,
    notes: &mut Vec<String>,
) -> anyhow::Result<Measured> {
    let mut measured = Vec::new();
    let mut unknown = 0;
    for source in [Source::Title, Source::Description, Source::Caption, Source::Keyword] {
        let mut queries = Vec::new();
        for held in held_out.iter().filter(|held| held.source == source) {
            let mut right = held.right.clone();
            right.intersect(searcher.seen());
            if right.is_empty() {
                continue;
            }
            let ranked = searcher.rank(&held.text)?;
            unknown += usize::from(ranked.is_none());
            let scored = ranked.unwrap_or_default().into_iter();
            let scored = scored.map(|(id, score)| (id, f64::from(score))).collect();
            queries.push(as_query(scored, &right, ties));
        }
        if !queries.is_empty() {
            measured.push((source.name(), queries));
        }
    }
    if unknown > 0 {
        notes.push(format!(
            "{}: {} without a word that it knows, which found nothing",
            record.name,
            counted(unknown as u64, "query")
        ));
    }
    Ok(measured)
}

/// A query of the user's, and the paths that are right.
struct Own {
    query: rebus_query::Query,
    right: Vec<PathBuf>,
    line: usize,
}

fn by_search(
    searcher: &Searcher<'_>,
    own: &[Own],
    ties: Ties,
    notes: &mut Vec<String>,
) -> anyhow::Result<Measured> {
    let mut queries = Vec::new();
    for Own { query, right, line } in own {
        let mut wanted = Selection::new();
        for path in right {
            match searcher.photo_of(path)? {
                Some(id) => wanted.insert(id),
                None => notes.push(format!("line {line}: {} is not in the index", path.display())),
            }
        }
        if wanted.is_empty() {
            notes.push(format!("line {line}: no right photo is in the index: it does not count"));
            continue;
        }
        let options =
            SearchOptions { limit: usize::MAX, show: Show::All, ..SearchOptions::default() };
        let found = searcher.search(query, &options)?;
        // The order of the answer is the ranking: what shares a relevance is told apart by score.
        let ranked = found.results.iter().enumerate();
        let ranked = ranked.map(|(rank, hit)| (hit.id, -(rank as f64))).collect();
        queries.push(as_query(ranked, &wanted, ties));
    }
    Ok(vec![("queries", queries)])
}

#[derive(serde::Deserialize)]
struct Line {
    query: String,
    right: Vec<PathBuf>,
}

fn read_queries(path: &Path) -> anyhow::Result<Vec<Own>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut own = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}, line {}", path.display(), at + 1);
        let Line { query, right } = if line.trim_start().starts_with('{') {
            serde_json::from_str(line).with_context(place)?
        } else {
            let mut fields = line.split('\t');
            let query = fields.next().unwrap_or_default().to_owned();
            Line { query, right: fields.map(PathBuf::from).collect() }
        };
        anyhow::ensure!(!right.is_empty(), "{}: no photo is named as right", place());
        let read = rebus_query::Query::parse(&query)
            .map_err(|error| anyhow::anyhow!("{}: {}", place(), error.pointed(&query)))?;
        own.push(Own { query: read, right, line: at + 1 });
    }
    anyhow::ensure!(!own.is_empty(), "{}: no query in it", path.display());
    Ok(own)
}
