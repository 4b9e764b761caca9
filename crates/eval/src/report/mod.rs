//! The one shape of every result: a protocol, systems, figures by task, the paper's beside ours;
//! and its renderings.
//!
//! | rendering | function | for |
//! | --- | --- | --- |
//! | JSON | [`Report::to_json`] | programs: full precision, the documented shape |
//! | text | [`Report::to_text`] | a terminal, without colour |
//! | CSV | [`Report::to_csv`] | spreadsheets: one figure a line |
//! | LaTeX | [`Report::to_latex`] | papers: `booktabs` tables |
//! | HTML | [`Report::to_html`] | a page that needs no other file, with the plots |
//!
//! # Units
//! Shares (recall, precision, MAP, agreement) are fractions from 0 to 1; ranks and counts are as
//! they are. A table that stands beside a paper's printed figures takes the paper's unit, for both
//! columns. Either way the protocol's `unit` says which: [`Report::new`] states the usual one
//! where the protocol states none.
//!
//! # The JSON shape
//! ```text
//! {"protocol": {"ties": "worst", ...},
//!  "systems": [{"name": "KCCA",
//!               "search": {"R@1": 0.076, ...},                        our figures, a task an object
//!               "paper": {"search": {"R@1": 0.076, ...}},             the paper's, where there are
//!               "evidence": {"search": {"R@1": {"mark": "*", "p": 0.01}}}}],   where there is some
//!  "tasks": {"search": "..."},                                        where a heading says more
//!  "notes": ["..."]}                                                  where there are some
//! ```
//! An undefined figure is `null`. `name`, `paper` and `evidence` are no names for a task.
//!
//! ```
//! use rebus_eval::report::{Protocol, Report, System};
//!
//! let mut report = Report::new(Protocol::new().with("ties", "worst").with("queries", 1000));
//! report.systems.push(System::new("KCCA").figure("search", "R@1", 0.076));
//! assert_eq!(report.to_json()["systems"][0]["search"]["R@1"], 0.076);
//! assert!(report.to_text().contains("ties     worst"));
//! ```

mod csv;
mod grid;
mod html;
mod latex;
mod plot;
mod svg;
mod text;

pub use html::escape as escape_html;
pub use plot::{Bar, Plot, Scale, Series, Shape};

use serde_json::{Map, Value, json};

/// The protocol's `unit` where nothing else is said.
const USUAL_UNIT: &str = "shares from 0 to 1, Rsum in percent; ranks and counts as they are";

/// What was measured and how: printed with every figure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Protocol(Map<String, Value>);

impl Protocol {
    /// A protocol that says nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one statement, in the order in which they shall be printed.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The statements in order.
    pub fn statements(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The statements in order, as one would write them.
    fn lines(&self) -> impl Iterator<Item = (&str, String)> {
        self.statements().map(|(name, value)| (name, one_line(&in_words(value))))
    }
}

/// A statement as one would write it: `annotation (R@1: 3, R@5: 1); search (R@1: 2)`.
fn in_words(value: &Value) -> String {
    let joined = |parts: Vec<String>, by: &str| parts.join(by);
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        Value::Array(values) => joined(values.iter().map(in_words).collect(), ", "),
        Value::Object(parts) if parts.values().any(Value::is_object) => {
            let part = |(name, value): (&String, &Value)| match value {
                Value::Object(_) => format!("{name} ({})", in_words(value)),
                _ => format!("{name}: {}", in_words(value)),
            };
            joined(parts.iter().map(part).collect(), "; ")
        }
        Value::Object(parts) => {
            let part = |(name, value): (&String, &Value)| format!("{name}: {}", in_words(value));
            joined(parts.iter().map(part).collect(), ", ")
        }
        other => other.to_string(),
    }
}

/// Text from outside (a system's name, a file's) without line breaks and control characters.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// What stands behind a figure: a test of significance, several runs, an interval.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// The mark that papers print after the figure, such as `**`.
    pub mark: String,
    /// The p-value behind the mark.
    pub p: Option<f64>,
    /// The standard deviation over several runs, whose mean the figure is.
    pub deviation: Option<f64>,
    /// The lower and upper end of a confidence interval.
    pub interval: Option<(f64, f64)>,
}

impl Evidence {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn to_json(&self) -> Value {
        let mut object = Map::new();
        if !self.mark.is_empty() {
            object.insert("mark".into(), json!(self.mark));
        }
        if let Some(p) = self.p {
            object.insert("p".into(), json!(p));
        }
        if let Some(deviation) = self.deviation {
            object.insert("deviation".into(), json!(deviation));
        }
        if let Some((low, high)) = self.interval {
            object.insert("interval".into(), json!([low, high]));
        }
        Value::Object(object)
    }
}

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The measure, spelt as the papers do: `R@1`, `median`, `MAP`.
    pub measure: String,
    /// The value; `None` is a measure that is undefined here.
    pub value: Option<f64>,
    /// What stands behind it.
    pub evidence: Evidence,
}

/// Figures by task (`annotation`, `search`, ...), in the order in which they shall be printed.
pub type Figures = Vec<Task>;

/// The figures of one task.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The task's name.
    pub name: String,
    /// The figures, in order.
    pub figures: Vec<Figure>,
}

/// One system and what was measured of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct System {
    /// The system's name.
    pub name: String,
    /// Our figures.
    pub ours: Figures,
    /// The paper's figures for the same system.
    pub paper: Figures,
}

impl System {
    /// A system without figures.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds one of our figures.
    #[must_use]
    pub fn figure(self, task: &str, measure: &str, value: impl Into<Option<f64>>) -> Self {
        self.figure_with(task, measure, value, Evidence::default())
    }

    /// Adds one of our figures with what stands behind it.
    #[must_use]
    pub fn figure_with(
        mut self,
        task: &str,
        measure: &str,
        value: impl Into<Option<f64>>,
        evidence: Evidence,
    ) -> Self {
        let value = value.into().filter(|value| value.is_finite());
        add(&mut self.ours, task, Figure { measure: measure.to_owned(), value, evidence });
        self
    }

    /// Adds one of the paper's figures.
    #[must_use]
    pub fn published(mut self, task: &str, measure: &str, value: f64) -> Self {
        let (measure, evidence) = (measure.to_owned(), Evidence::default());
        add(&mut self.paper, task, Figure { measure, value: Some(value), evidence });
        self
    }

    /// Our figure, where there is one.
    pub(crate) fn our(&self, task: &str, measure: &str) -> Option<&Figure> {
        find(&self.ours, task, measure)
    }

    /// The paper's value, where there is one.
    fn theirs(&self, task: &str, measure: &str) -> Option<f64> {
        find(&self.paper, task, measure)?.value
    }

    /// Ours less the paper's.
    fn difference(&self, task: &str, measure: &str) -> Option<f64> {
        Some(self.our(task, measure)?.value? - self.theirs(task, measure)?)
    }
}

fn find<'a>(figures: &'a Figures, task: &str, measure: &str) -> Option<&'a Figure> {
    let task = figures.iter().find(|known| known.name == task)?;
    task.figures.iter().find(|figure| figure.measure == measure)
}

fn add(figures: &mut Figures, task: &str, figure: Figure) {
    match figures.iter_mut().find(|known| known.name == task) {
        Some(known) => known.figures.push(figure),
        None => figures.push(Task { name: task.to_owned(), figures: vec![figure] }),
    }
}

/// A whole result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// What was measured and how.
    pub protocol: Protocol,
    /// The systems, in the order in which they shall be printed.
    pub systems: Vec<System>,
    /// What tables are headed with where that is more than the task's name, which programs go by and
    /// which stays the same: tasks and headings.
    pub headings: Vec<(String, String)>,
    /// Remarks that a reader of the figures must know (undefined queries, touched ties).
    pub notes: Vec<String>,
    /// Plots for the page. What they show that no figure says is in the page's tables only.
    pub plots: Vec<Plot>,
    /// Further sections of the page, behind the plots.
    pub sections: Vec<Section>,
}

/// A section of the page that no other rendering has: pictures, examples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// Its markup. What comes from outside must have gone through [`escape_html`].
    pub html: String,
}

impl Report {
    /// A report without systems. States the usual unit where the protocol states none.
    pub fn new(mut protocol: Protocol) -> Self {
        if !protocol.0.contains_key("unit") {
            protocol = protocol.with("unit", USUAL_UNIT);
        }
        Self { protocol, ..Self::default() }
    }

    /// Heads the table of a task.
    pub fn head(&mut self, task: &str, heading: impl Into<String>) {
        self.headings.push((task.to_owned(), heading.into()));
    }

    /// What the table of a task is headed with.
    fn heading<'a>(&'a self, task: &'a str) -> &'a str {
        let known = self.headings.iter().find(|(known, _)| known == task);
        known.map_or(task, |(_, heading)| heading)
    }

    /// How many of our figures stand beside a published one.
    pub fn compared(&self) -> usize {
        let of_system = |system: &System| {
            let figures = |task: &Task| {
                let both = |figure: &&Figure| system.theirs(&task.name, &figure.measure).is_some();
                task.figures.iter().filter(both).count()
            };
            system.ours.iter().map(figures).sum::<usize>()
        };
        self.systems.iter().map(of_system).sum()
    }

    /// The documented JSON shape.
    pub fn to_json(&self) -> Value {
        let systems: Vec<Value> = self.systems.iter().map(system_json).collect();
        let mut whole = json!({ "protocol": self.protocol.0, "systems": systems });
        if !self.headings.is_empty() {
            let headings = self.headings.iter().cloned();
            whole["tasks"] = headings.map(|(task, heading)| (task, json!(heading))).collect();
        }
        if !self.notes.is_empty() {
            whole["notes"] = json!(self.notes);
        }
        whole
    }

    /// Tables for a terminal: the protocol, a table a task, the notes.
    pub fn to_text(&self) -> String {
        text::render(self)
    }

    /// Comma-separated values, one figure a line, after the protocol as lines that begin with `#`.
    pub fn to_csv(&self) -> String {
        csv::render(self)
    }

    /// A `booktabs` table a task, with the protocol beneath.
    pub fn to_latex(&self) -> String {
        latex::render(self)
    }

    /// A page that needs no other file: tables, plots as SVG, for light and dark screens.
    pub fn to_html(&self) -> String {
        html::render(self)
    }
}

fn system_json(system: &System) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), json!(system.name));
    object.extend(figures_json(&system.ours, |figure| Some(json!(figure.value))));
    let paper = figures_json(&system.paper, |figure| Some(json!(figure.value)));
    if !paper.is_empty() {
        object.insert("paper".into(), Value::Object(paper));
    }
    let evidence = figures_json(&system.ours, |figure| {
        (!figure.evidence.is_empty()).then(|| figure.evidence.to_json())
    });
    if !evidence.is_empty() {
        object.insert("evidence".into(), Value::Object(evidence));
    }
    Value::Object(object)
}

/// An object a task with what `value` gives for its figures; tasks without any are left out.
fn figures_json(figures: &Figures, value: impl Fn(&Figure) -> Option<Value>) -> Map<String, Value> {
    let of_task = |task: &Task| {
        let figures: Map<String, Value> = task
            .figures
            .iter()
            .filter_map(|figure| Some((figure.measure.clone(), value(figure)?)))
            .collect();
        (!figures.is_empty()).then(|| (task.name.clone(), Value::Object(figures)))
    };
    figures.iter().filter_map(of_task).collect()
}
