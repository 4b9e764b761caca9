//! The one shape of every result: a protocol, systems, figures by task, the paper's beside ours.
//!
//! ```
//! use rebus_eval::report::{Protocol, Report, System};
//!
//! let mut report = Report::new(Protocol::new().with("ties", "worst").with("queries", 1000));
//! report.systems.push(System::new("KCCA").figure("search", "R@1", 0.076));
//! assert_eq!(report.to_json()["systems"][0]["search"]["R@1"], 0.076);
//! ```

use serde_json::{Map, Value, json};

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
}

/// Figures by task (`annotation`, `search`, ...), in the order in which they shall be printed.
pub type Figures = Vec<Task>;

/// The figures of one task.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The task's name.
    pub name: String,
    /// The figures, in order; `None` is a measure that is undefined here.
    pub figures: Vec<(String, Option<f64>)>,
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
    pub fn figure(mut self, task: &str, measure: &str, value: impl Into<Option<f64>>) -> Self {
        add(&mut self.ours, task, measure, value.into());
        self
    }

    /// Adds one of the paper's figures.
    #[must_use]
    pub fn published(mut self, task: &str, measure: &str, value: f64) -> Self {
        add(&mut self.paper, task, measure, Some(value));
        self
    }
}

fn add(figures: &mut Figures, task: &str, measure: &str, value: Option<f64>) {
    let figure = (measure.to_owned(), value);
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
    /// Remarks that a reader of the figures must know (undefined queries, touched ties).
    pub notes: Vec<String>,
}

impl Report {
    /// A report without systems.
    pub fn new(protocol: Protocol) -> Self {
        Self { protocol, ..Self::default() }
    }

    /// The documented JSON shape.
    pub fn to_json(&self) -> Value {
        let systems: Vec<Value> = self.systems.iter().map(system_json).collect();
        let mut whole = json!({ "protocol": self.protocol.0, "systems": systems });
        if !self.notes.is_empty() {
            whole["notes"] = json!(self.notes);
        }
        whole
    }
}

fn system_json(system: &System) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), json!(system.name));
    object.extend(figures_json(&system.ours));
    if !system.paper.is_empty() {
        object.insert("paper".into(), Value::Object(figures_json(&system.paper)));
    }
    Value::Object(object)
}

fn figures_json(figures: &Figures) -> Map<String, Value> {
    let task = |task: &Task| {
        let figures: Map<String, Value> =
            task.figures.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        (task.name.clone(), Value::Object(figures))
    };
    figures.iter().map(task).collect()
}
