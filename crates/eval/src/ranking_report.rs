//! Rankings measured and reported: what `rebus eval` prints.

use rebus_collection::counted;
use serde_json::{Map, Value, json};

use crate::measures::mean_rank::first_rank;
use crate::report::{Plot, Protocol, Report, Scale, System};
use crate::{
    Evaluation, GoldMap, GoldRanks, Measure, Options, Parameter, Qrels, Query, Result, Run, Ties,
    Topics, evaluate, rsum,
};

/// A report, and the values a query behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct RankingReport {
    /// The figures.
    pub report: Report,
    /// By system, in order.
    pub per_query: Vec<SystemQueries>,
}

/// The values of one system, a query at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemQueries {
    /// The system's name.
    pub system: String,
    /// By task: its name and its values.
    pub tasks: Vec<(String, Evaluation)>,
}

impl SystemQueries {
    /// The values as JSON: by task a list of objects, each with its query and its measures.
    pub fn to_json(&self) -> Value {
        let tasks = self.tasks.iter().map(|(task, evaluation)| {
            let rows = evaluation.per_query.iter().enumerate().map(|(at, values)| {
                let mut row = Map::new();
                row.insert("query".into(), query_name(evaluation, at));
                let named = evaluation.measures.iter().zip(values);
                row.extend(named.map(|(measure, value)| (measure.to_string(), json!(value))));
                Value::Object(row)
            });
            (task.clone(), Value::Array(rows.collect()))
        });
        Value::Object(tasks.collect())
    }
}

fn query_name(evaluation: &Evaluation, at: usize) -> Value {
    evaluation.queries.get(at).map_or_else(|| json!(at), |name| json!(name))
}

/// The measures of a score matrix unless others are asked for.
///
/// # Errors
/// If a cut-off is 0.
pub fn default_score_measures(cutoffs: &[usize]) -> Result<Vec<Measure>> {
    let mut names: Vec<String> = cutoffs.iter().map(|cutoff| format!("R@{cutoff}")).collect();
    names.extend(cutoffs.iter().map(|cutoff| format!("R^V@{cutoff}")));
    names.extend(["median", "mean", "MRR"].map(String::from));
    Measure::parse_list(&names.join(","))
}

/// The measures of a run unless others are asked for.
///
/// # Errors
/// If a cut-off is 0.
pub fn default_run_measures(cutoffs: &[usize]) -> Result<Vec<Measure>> {
    let mut names: Vec<String> = ["MAP", "R-precision", "bpref", "MRR", "nDCG", "11-point", "RBP"]
        .map(String::from)
        .to_vec();
    for name in ["P", "S", "R", "nDCG"] {
        names.extend(cutoffs.iter().map(|cutoff| format!("{name}@{cutoff}")));
    }
    Measure::parse_list(&names.join(","))
}

/// Measures score matrices in both directions: `annotation` (images to texts) and `search` (texts
/// to images); `both` has the sum of the recalls.
pub fn score_report(
    systems: &[(String, GoldRanks)],
    map: &GoldMap,
    measures: &[Measure],
    ties: Ties,
    protocol: Protocol,
) -> RankingReport {
    let protocol = protocol
        .with("images", map.images())
        .with("captions", map.captions())
        .with("captions an image", captions_an_image(map))
        .with("ties", ties.name());
    let mut whole = Whole::new();
    for (name, ranks) in systems {
        let tasks = ranks.tasks();
        let measured = tasks
            .map(|(task, queries)| (task.to_owned(), Evaluation::of_queries(queries, measures)));
        whole.add(name, measured.into());
        if let Some(system) = whole.systems.last_mut() {
            *system = std::mem::take(system).figure("both", "Rsum", rsum(ranks));
        }
        for (task, queries) in tasks {
            whole.plots.push(Plot::ranks(
                &format!("{name}: {task}, rank of the gold item"),
                ranks_of(queries),
            ));
        }
    }
    let mut curves: Vec<Plot> = Vec::new();
    for (name, ranks) in systems {
        for (at, (task, queries)) in ranks.tasks().into_iter().enumerate() {
            if curves.len() == at {
                let plot = Plot::lines(&format!("{task}: recall"), "k", "R^V@k");
                curves.push(plot.scale(Scale::Log));
            }
            curves[at] = curves[at].clone().series(name, recall_curve(queries));
        }
    }
    whole.plots.extend(curves);
    whole.finish(protocol, ties)
}

/// Measures runs against judgements, as the task `search`.
pub fn run_report(
    runs: &[(String, Run)],
    qrels: &Qrels,
    measures: &[Measure],
    options: Options,
    protocol: Protocol,
) -> RankingReport {
    let protocol = protocol
        .with("judged topics", qrels.len())
        .with(
            "topics",
            match options.topics {
                Topics::Common => "judged and with results",
                Topics::AllJudged => "all that are judged",
            },
        )
        .with("threshold", options.threshold)
        .with("ties", options.ties.name());
    let mut whole = Whole::new();
    let levels: Vec<f64> = (0..=10).map(|at| f64::from(at) / 10.0).collect();
    let names: Vec<String> = levels.iter().map(|level| format!("iprec@{level}")).collect();
    let curve = Measure::parse_list(&names.join(",")).unwrap_or_default();
    let mut plot = Plot::lines("Interpolated precision", "recall", "precision");
    for (name, run) in runs {
        let evaluation = evaluate(run, qrels, measures, options);
        whole.note_topics(name, &evaluation, options.topics);
        whole.add(name, vec![("search".into(), evaluation)]);
        let figures = evaluate(run, qrels, &curve, options).figures();
        let points = levels.iter().zip(figures).filter_map(|(&x, y)| Some((x, y?)));
        plot = plot.series(name, points.collect());
    }
    whole.plots.push(plot);
    whole.finish(protocol, options.ties)
}

/// What becomes a report.
struct Whole {
    systems: Vec<System>,
    per_query: Vec<SystemQueries>,
    notes: Vec<String>,
    plots: Vec<Plot>,
}

impl Whole {
    fn new() -> Self {
        Self { systems: vec![], per_query: vec![], notes: vec![], plots: vec![] }
    }

    fn add(&mut self, name: &str, tasks: Vec<(String, Evaluation)>) {
        let mut system = System::new(name);
        for (task, evaluation) in &tasks {
            for (measure, figure) in evaluation.measures.iter().zip(evaluation.figures()) {
                system = system.figure(task, &measure.to_string(), figure);
            }
        }
        self.systems.push(system);
        self.per_query.push(SystemQueries { system: name.to_owned(), tasks });
    }

    fn note_topics(&mut self, name: &str, evaluation: &Evaluation, topics: Topics) {
        if !evaluation.without_results.is_empty() {
            let fate = match topics {
                Topics::Common => "left out",
                Topics::AllJudged => "measured as empty",
            };
            let count = evaluation.without_results.len();
            let which = some(&evaluation.without_results);
            self.notes
                .push(format!("{name}: judged topics without results, {fate}: {count} ({which})"));
        }
        if !evaluation.not_judged.is_empty() {
            let count = evaluation.not_judged.len();
            let which = some(&evaluation.not_judged);
            self.notes
                .push(format!("{name}: topics that nobody judged, left out: {count} ({which})"));
        }
    }

    fn finish(self, protocol: Protocol, ties: Ties) -> RankingReport {
        let protocol = protocol
            .with("queries", self.queries())
            .with("undefined", self.counts(|evaluation, at| evaluation.undefined()[at]))
            .with("tied at the cut-off", self.counts(|evaluation, at| evaluation.ties[at]));
        let mut report = Report::new(protocol);
        report.notes = self.tie_notes(ties);
        report.notes.extend(self.notes);
        report.systems = self.systems;
        report.plots = self.plots;
        RankingReport { report, per_query: self.per_query }
    }

    /// Counts by system (unless there is only one), task and measure; what is 0 is left out.
    fn counts(&self, count: impl Fn(&Evaluation, usize) -> usize) -> Value {
        let mut systems = Map::new();
        for system in &self.per_query {
            let mut tasks = Map::new();
            for (task, evaluation) in &system.tasks {
                let measures = evaluation.measures.iter().enumerate();
                let counted = measures.map(|(at, measure)| (measure, count(evaluation, at)));
                let counted = counted.filter(|&(_, count)| count > 0);
                let counted: Map<String, Value> =
                    counted.map(|(measure, count)| (measure.to_string(), json!(count))).collect();
                if !counted.is_empty() {
                    tasks.insert(task.clone(), Value::Object(counted));
                }
            }
            if !tasks.is_empty() {
                systems.insert(system.system.clone(), Value::Object(tasks));
            }
        }
        by_system(systems, self.per_query.len()).unwrap_or(json!(0))
    }

    /// The number of queries by system (unless there is only one) and task.
    fn queries(&self) -> Value {
        let systems = self.per_query.iter().map(|system| {
            let tasks = system.tasks.iter();
            let tasks = tasks.map(|(task, found)| (task.clone(), json!(found.per_query.len())));
            (system.system.clone(), Value::Object(tasks.collect()))
        });
        by_system(systems.collect(), self.per_query.len()).unwrap_or(json!(0))
    }

    fn tie_notes(&self, ties: Ties) -> Vec<String> {
        let mut notes = Vec::new();
        for system in &self.per_query {
            for (task, evaluation) in &system.tasks {
                let queries = counted(evaluation.per_query.len() as u64, "query");
                let most = evaluation.measures.iter().zip(&evaluation.ties);
                let Some((measure, &count)) = most.max_by_key(|&(_, &count)| count) else {
                    continue;
                };
                if count > 0 {
                    notes.push(format!(
                        "{}, {task}: ties touch up to {count} of {queries} (at {measure}); they \
                         were broken by the rule `{ties}`",
                        system.system
                    ));
                }
                let undefined = evaluation.undefined();
                let most = evaluation.measures.iter().zip(&undefined);
                let Some((measure, &count)) = most.max_by_key(|&(_, &count)| count) else {
                    continue;
                };
                if count > 0 {
                    notes.push(format!(
                        "{}, {task}: {measure} is undefined for {count} of {queries} ({}); they \
                         are left out of its figure",
                        system.system,
                        measure.definition().undefined
                    ));
                }
            }
        }
        notes
    }
}

/// The only system's value, or all of them by name; nothing where there is none.
fn by_system(systems: Map<String, Value>, count: usize) -> Option<Value> {
    match (systems.is_empty(), count) {
        (true, _) => None,
        (false, 1) => systems.into_iter().next().map(|(_, value)| value),
        (false, _) => Some(Value::Object(systems)),
    }
}

/// The first few of many names.
fn some(names: &[String]) -> String {
    let shown = names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown}, ...") } else { shown }
}

fn captions_an_image(map: &GoldMap) -> Value {
    let counts = (0..map.images()).map(|image| map.captions_of(image).len());
    let (fewest, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    if fewest == most { json!(most) } else { json!(format!("{fewest} to {most}")) }
}

fn ranks_of(queries: &[Query]) -> impl Iterator<Item = u64> {
    let rank = |query: &Query| first_rank(query, Parameter::Nothing);
    queries.iter().filter_map(rank).map(|rank| rank.round() as u64)
}

/// R^V at every k of a grid that grows by halves.
fn recall_curve(queries: &[Query]) -> Vec<(f64, f64)> {
    let mut ranks: Vec<u64> = ranks_of(queries).collect();
    ranks.sort_unstable();
    let Some(&last) = ranks.last() else { return Vec::new() };
    let mut points = Vec::new();
    let mut cutoff = 1;
    loop {
        let found = ranks.partition_point(|&rank| rank <= cutoff);
        points.push((cutoff as f64, found as f64 / queries.len() as f64));
        if cutoff >= last {
            return points;
        }
        cutoff = (cutoff + cutoff.div_ceil(2)).min(last);
    }
}
