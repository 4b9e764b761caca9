//! Systems compared with a baseline: figures with stars, p-values, intervals and deviations.
//!
//! ```
//! use rebus_eval::comparison::{Comparison, Contestant, QueryValues};
//!
//! let values = |found: [f64; 6]| {
//!     let by_query = found.iter().enumerate().map(|(at, &v)| (format!("q{at}"), Some(v))).collect();
//!     vec![QueryValues::new("search", "R@1", by_query)]
//! };
//! let systems = [
//!     Contestant::new("TRI5SEM", values([1.0, 1.0, 1.0, 1.0, 1.0, 1.0])),
//!     Contestant::new("NN", values([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])),
//! ];
//! let report = Comparison::default().report(&systems)?;
//! // McNemar: six discordant pairs, all one way, 2 / 64.
//! assert_eq!(report.to_json()["systems"][1]["evidence"]["search"]["R@1"]["p"], 0.03125);
//! # Ok::<(), rebus_eval::Error>(())
//! ```

mod orders;
mod test;
mod values;

use std::collections::BTreeMap;

pub use orders::add_orders;
pub use test::Test;
pub use values::QueryValues;

use rebus_collection::counted;

use crate::report::{Evidence, Plot, Protocol, Report, System};
use crate::significance::{
    Bootstrap, Correction, IntervalKind, Randomisation, Repeats, Stars, Statistic,
};
use crate::{Error, Undefined};

/// A system that takes part, with one run or several that differ by their seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Contestant {
    /// Its name.
    pub name: String,
    /// By run: the values of every measure.
    pub runs: Vec<Vec<QueryValues>>,
}

impl Contestant {
    /// A system with one run.
    pub fn new(name: impl Into<String>, values: Vec<QueryValues>) -> Self {
        Self { name: name.into(), runs: vec![values] }
    }

    /// The values of one measure, by run.
    fn values(&self, column: &Column) -> Vec<&QueryValues> {
        let of_run = |run: &'_ Vec<QueryValues>| run.iter().position(|values| column.is(values));
        self.runs.iter().filter_map(|run| Some(&run[of_run(run)?])).collect()
    }
}

/// How systems are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The system, by position, that the others are compared with.
    pub baseline: usize,
    /// The test of significance.
    pub test: Test,
    /// Samples and seed of the randomisation test.
    pub randomisation: Randomisation,
    /// The adjustment for many systems, measure by measure.
    pub correction: Correction,
    /// Intervals of the figures, if wanted.
    pub intervals: Option<Bootstrap>,
}

impl Default for Comparison {
    fn default() -> Self {
        Self {
            baseline: 0,
            test: Test::Auto,
            randomisation: Randomisation::default(),
            correction: Correction::None,
            intervals: None,
        }
    }
}

/// A measure of a task.
#[derive(Debug, Clone, PartialEq)]
struct Column {
    task: String,
    measure: String,
    statistic: Statistic,
}

impl std::fmt::Display for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.task, self.measure)
    }
}

impl Column {
    fn is(&self, values: &QueryValues) -> bool {
        values.task == self.task && values.measure == self.measure
    }
}

/// One system's part of a column.
struct Entry<'a> {
    figures: Option<Repeats>,
    /// The values a query, means over the runs where there are several.
    by_query: BTreeMap<&'a str, f64>,
    undefined: usize,
}

impl Comparison {
    /// Compares every system with the baseline, measure by measure, on the queries for which both have
    /// a value. Several runs of a system give mean and deviation; tested is the mean over its runs,
    /// query by query.
    ///
    /// # Errors
    /// If there is no system, no baseline of that number, no measure that all systems have, or a test
    /// that none of the measures allows.
    pub fn report(&self, systems: &[Contestant]) -> Result<Report, Error> {
        let mismatch = |what: String| Error::Mismatch { what };
        let baseline = systems.get(self.baseline).ok_or_else(|| {
            mismatch(format!("there is no system {} to compare with", self.baseline))
        })?;
        let columns = columns(systems);
        if columns.is_empty() {
            return Err(mismatch("the systems have no measure in common".to_owned()));
        }
        let mut outcome = Outcome::new(systems);
        for column in &columns {
            self.column(column, systems, &mut outcome);
        }
        if outcome.tried > 0 && outcome.impossible == outcome.tried {
            return Err(Error::ImpossibleTest { test: self.test.to_string() });
        }
        let mut report = Report::new(self.protocol(systems, baseline, &outcome));
        report.systems = outcome.systems;
        report.notes = outcome.notes;
        report.plots = columns.iter().map(|column| plot(column, &report.systems)).collect();
        Ok(report)
    }

    fn column(&self, column: &Column, systems: &[Contestant], outcome: &mut Outcome) {
        let entries: Vec<Entry> = systems.iter().map(|system| entry(system, column)).collect();
        let binary = column.statistic == Statistic::Mean
            && entries.iter().all(|entry| entry.by_query.values().all(|&v| v == 0.0 || v == 1.0));
        let test = self.test.chosen(binary);
        outcome.tested(test, column);
        let baseline = &entries[self.baseline].by_query;
        let mut p_values = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let name = &systems[at].name;
            if entry.undefined > 0 {
                let what = format!("{column} of {name}: undefined queries");
                outcome.notes.push(format!("{what}: {}", entry.undefined));
            }
            if at == self.baseline {
                p_values.push(None);
                continue;
            }
            let (ours, theirs): (Vec<f64>, Vec<f64>) = entry
                .by_query
                .iter()
                .filter_map(|(query, &value)| Some((value, *baseline.get(query)?)))
                .unzip();
            let alone = entry.by_query.len() + baseline.len() - 2 * ours.len();
            if alone > 0 {
                outcome.notes.push(format!(
                    "{column} of {name}: tested on the {} that both it and the baseline have, \
                     {alone} left out",
                    counted(ours.len() as u64, "query")
                ));
            }
            outcome.queries.push(ours.len());
            let p = test.p_value(&ours, &theirs, column.statistic, &self.randomisation);
            outcome.tried += 1;
            p_values.push(p.map_err(|why| outcome.untested(why, column, name)).ok());
        }
        let p_values = self.correction.adjust(&p_values);
        for ((at, entry), p) in entries.iter().enumerate().zip(p_values) {
            let evidence = Evidence {
                mark: p.map(|p| Stars::of(p).to_string()).unwrap_or_default(),
                p,
                deviation: entry.figures.and_then(|figures| figures.deviation),
                interval: self.interval(entry, column.statistic),
            };
            let figure = entry.figures.map(|figures| figures.mean);
            let system = std::mem::take(&mut outcome.systems[at]);
            outcome.systems[at] =
                system.figure_with(&column.task, &column.measure, figure, evidence);
        }
    }

    fn interval(&self, entry: &Entry<'_>, statistic: Statistic) -> Option<(f64, f64)> {
        let bootstrap = self.intervals?;
        let values: Vec<f64> = entry.by_query.values().copied().collect();
        let interval = bootstrap.interval(&values, statistic).or_else(|_| {
            // BCa has no value where leaving a query out changes nothing, as with many medians.
            let plain = Bootstrap { kind: IntervalKind::Percentile, ..bootstrap };
            plain.interval(&values, statistic)
        });
        interval.ok().map(|interval| (interval.low, interval.high))
    }

    fn protocol(
        &self,
        systems: &[Contestant],
        baseline: &Contestant,
        outcome: &Outcome,
    ) -> Protocol {
        let mut protocol = Protocol::new().with("baseline", baseline.name.as_str());
        if let (Some(&least), Some(&most)) =
            (outcome.queries.iter().min(), outcome.queries.iter().max())
        {
            let queries =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            protocol = protocol.with("queries", queries);
        }
        for (test, columns) in &outcome.tests {
            let what = test.about(&self.randomisation);
            protocol = protocol.with(&format!("test of {}", listed(columns)), what);
        }
        protocol = protocol.with("stars", Stars::LEGEND);
        let correction = match self.correction {
            Correction::None => "none".to_owned(),
            other => format!("{} over the systems, measure by measure", other.name()),
        };
        protocol = protocol.with("correction", correction);
        if let Some(bootstrap) = self.intervals {
            protocol = protocol.with(
                "intervals",
                format!(
                    "{} %, bootstrap over the queries, {} draws, seed {}",
                    100.0 * bootstrap.confidence,
                    bootstrap.draws,
                    bootstrap.seed
                ),
            );
        }
        if systems.iter().any(|system| system.runs.len() > 1) {
            let what =
                "mean and sample deviation; tested are the means over the runs, query by query";
            protocol = protocol.with("several runs", what);
        }
        protocol
    }
}

/// What comes of all columns.
struct Outcome {
    systems: Vec<System>,
    notes: Vec<String>,
    /// By test: what was tested, task and measure.
    tests: Vec<(Test, Vec<(String, String)>)>,
    queries: Vec<usize>,
    /// Tests that were made, and those that the values do not allow.
    tried: usize,
    impossible: usize,
}

impl Outcome {
    fn new(systems: &[Contestant]) -> Self {
        Self {
            systems: systems.iter().map(|system| System::new(&system.name)).collect(),
            notes: Vec::new(),
            tests: Vec::new(),
            queries: Vec::new(),
            tried: 0,
            impossible: 0,
        }
    }

    fn tested(&mut self, test: Test, column: &Column) {
        let tested = (column.task.clone(), column.measure.clone());
        match self.tests.iter_mut().find(|(known, _)| *known == test) {
            Some((_, columns)) => columns.push(tested),
            None => self.tests.push((test, vec![tested])),
        }
    }

    fn untested(&mut self, why: Undefined, column: &Column, name: &str) {
        self.impossible += usize::from(why == Undefined::NotBinary);
        self.notes.push(format!("{column} of {name}: no p-value: {why}"));
    }
}

/// Measures and their tasks in few words: `R@1, R@5 (annotation); R@1 (search)`.
fn listed(columns: &[(String, String)]) -> String {
    let mut tasks: Vec<(&str, Vec<&str>)> = Vec::new();
    for (task, measure) in columns {
        match tasks.iter_mut().find(|(known, _)| known == task) {
            Some((_, measures)) => measures.push(measure),
            None => tasks.push((task, vec![measure])),
        }
    }
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    for (task, measures) in tasks {
        match parts.iter_mut().find(|(_, known)| *known == measures) {
            Some((tasks, _)) => *tasks = format!("{tasks}, {task}"),
            None => parts.push((task.to_owned(), measures)),
        }
    }
    let part =
        |(tasks, measures): (String, Vec<&str>)| format!("{} ({tasks})", measures.join(", "));
    parts.into_iter().map(part).collect::<Vec<_>>().join("; ")
}

/// A measure of every system, with its interval where there is one.
fn plot(column: &Column, systems: &[System]) -> Plot {
    let title = format!("{}: {}", column.task, column.measure);
    let plot = Plot::bars(&title, "system", &column.measure);
    systems.iter().fold(plot, |plot, system| {
        let tasks = system.ours.iter().filter(|task| task.name == column.task);
        let mut figures = tasks.flat_map(|task| &task.figures);
        let figure = figures.find(|figure| figure.measure == column.measure);
        match figure.and_then(|figure| Some((figure.value?, figure.evidence.interval))) {
            Some((value, interval)) => plot.bar_within(&system.name, value, interval),
            None => plot,
        }
    })
}

/// The measures that every run of every system has, in the order of the first.
fn columns(systems: &[Contestant]) -> Vec<Column> {
    let Some(first) = systems.first().and_then(|system| system.runs.first()) else {
        return Vec::new();
    };
    let column = |values: &QueryValues| Column {
        task: values.task.clone(),
        measure: values.measure.clone(),
        statistic: values.statistic,
    };
    let shared = |column: &Column| {
        systems.iter().all(|system| system.values(column).len() == system.runs.len())
    };
    first.iter().map(column).filter(shared).collect()
}

fn entry<'a>(system: &'a Contestant, column: &Column) -> Entry<'a> {
    let runs = system.values(column);
    let figures: Vec<f64> = runs.iter().filter_map(|run| run.figure()).collect();
    let figures = if figures.len() == runs.len() { Repeats::of(&figures).ok() } else { None };
    let mut by_query: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    let mut undefined = 0;
    for run in &runs {
        for (query, value) in &run.by_query {
            let entry = by_query.entry(query).or_default();
            match value {
                Some(value) => *entry = (entry.0 + value, entry.1 + 1),
                None => undefined += 1,
            }
        }
    }
    let complete = |(query, (sum, count)): (&'a str, (f64, usize))| {
        (count == runs.len()).then(|| (query, sum / count as f64))
    };
    let by_query = by_query.into_iter().filter_map(complete).collect();
    Entry { figures, by_query, undefined }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(measure: &str, values: &[f64]) -> Vec<QueryValues> {
        let by_query = (0..).map(|at: u32| at.to_string()).zip(values.iter().copied().map(Some));
        vec![QueryValues::new("search", measure, by_query.collect())]
    }

    #[test]
    fn success_is_tested_by_mcnemar_and_means_by_randomisation() {
        let systems = [
            Contestant::new("A", values("R@1", &[1.0; 8])),
            Contestant::new("B", values("R@1", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])),
            Contestant::new("C", values("R@1", &[1.0; 8])),
        ];
        let report = Comparison::default().report(&systems).unwrap();
        let json = report.to_json();
        assert_eq!(json["systems"][1]["search"]["R@1"], 0.125);
        assert_eq!(json["systems"][1]["evidence"]["search"]["R@1"]["p"], 2.0 / 128.0);
        assert!(json["systems"][2].get("evidence").is_none());
        assert!(report.notes[0].contains("search R@1 of C: no p-value: no discordant pairs"));
        assert!(json["protocol"]["test of R@1 (search)"].as_str().unwrap().contains("McNemar"));

        let systems = [
            Contestant::new("A", values("MAP", &[0.5, 0.75, 1.0, 0.5, 0.25])),
            Contestant::new("B", values("MAP", &[0.25, 0.5, 0.5, 0.25, 0.0])),
        ];
        let json = Comparison::default().report(&systems).unwrap().to_json();
        assert_eq!(json["systems"][1]["evidence"]["search"]["MAP"]["p"], 2.0 / 32.0);
        assert_eq!(json["systems"][1]["evidence"]["search"]["MAP"]["mark"], "*");
    }

    #[test]
    fn tests_are_told_with_their_tasks() {
        let pair = |task: &str, measure: &str| (task.to_owned(), measure.to_owned());
        let both = [pair("annotation", "R@1"), pair("search", "R@1")];
        assert_eq!(listed(&both), "R@1 (annotation, search)");
        let more = [pair("annotation", "R@1"), pair("annotation", "R@5"), pair("search", "R@1")];
        assert_eq!(listed(&more), "R@1, R@5 (annotation); R@1 (search)");
    }

    #[test]
    fn correction_works_over_the_systems() {
        let systems = [
            Contestant::new("A", values("R@1", &[1.0; 6])),
            Contestant::new("B", values("R@1", &[0.0; 6])),
            Contestant::new("C", values("R@1", &[0.0; 6])),
        ];
        let comparison = Comparison { correction: Correction::Holm, ..Comparison::default() };
        let json = comparison.report(&systems).unwrap().to_json();
        for system in [1, 2] {
            let p = json["systems"][system]["evidence"]["search"]["R@1"]["p"].as_f64().unwrap();
            assert!((p - 4.0 / 64.0).abs() < 1e-12);
        }
    }

    #[test]
    fn seeds_give_mean_and_deviation() {
        let mut seeds = Contestant::new("A", values("R@1", &[1.0, 1.0, 0.0, 0.0]));
        seeds.runs.push(values("R@1", &[1.0, 1.0, 1.0, 1.0]));
        let other = Contestant::new("B", values("R@1", &[0.0; 4]));
        let json = Comparison::default().report(&[seeds, other]).unwrap().to_json();
        assert_eq!(json["systems"][0]["search"]["R@1"], 0.75);
        let deviation = json["systems"][0]["evidence"]["search"]["R@1"]["deviation"].as_f64();
        assert!((deviation.unwrap() - 0.125f64.sqrt()).abs() < 1e-12);
        // Means over runs are no longer found or not found: randomisation, all 16 ways.
        assert_eq!(json["systems"][1]["evidence"]["search"]["R@1"]["p"], 2.0 / 16.0);
    }

    #[test]
    fn undefined_and_missing_queries_are_told() {
        let mut broken = values("MAP", &[0.5, 0.25, 0.75]);
        broken[0].by_query[1].1 = None;
        let systems =
            [Contestant::new("A", values("MAP", &[0.1, 0.2, 0.3])), Contestant::new("B", broken)];
        let report = Comparison::default().report(&systems).unwrap();
        assert_eq!(report.to_json()["systems"][1]["search"]["MAP"], 0.625);
        assert!(report.notes.iter().any(|note| note.contains("B: undefined queries: 1")));
        assert!(report.notes.iter().any(|note| note.contains("on the 2 queries")));
        let mut systems = systems;
        systems[0].runs[0][0].by_query[0].1 = None;
        let report = Comparison::default().report(&systems).unwrap();
        let told = |note: &String| note.contains("on the 1 query ") && note.contains("2 left out");
        assert!(report.notes.iter().any(told), "{:?}", report.notes);
    }

    #[test]
    fn intervals_and_what_cannot_be_compared() {
        let systems = [Contestant::new("A", values("median", &[1.0, 2.0, 3.0, 10.0, 20.0]))];
        let comparison =
            Comparison { intervals: Some(Bootstrap::default()), ..Comparison::default() };
        let json = comparison.report(&systems).unwrap().to_json();
        assert_eq!(json["systems"][0]["search"]["median"], 3.0);
        assert!(json["systems"][0]["evidence"]["search"]["median"]["interval"].is_array());
        assert!(Comparison::default().report(&[]).is_err());
        let other = Contestant::new("B", values("MAP", &[1.0]));
        assert!(Comparison::default().report(&[systems[0].clone(), other]).is_err());
        let test = Test::McNemar(crate::significance::McNemarKind::Exact);
        let impossible = Comparison { test, ..Comparison::default() };
        let error = impossible.report(&[systems[0].clone(), systems[0].clone()]).unwrap_err();
        assert!(error.is_wrong_usage() && error.to_string().contains("`mcnemar`"), "{error}");
        let beyond = Comparison { baseline: 3, ..Comparison::default() };
        assert!(beyond.report(&systems).is_err());
    }
}
