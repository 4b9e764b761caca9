//! A task's figures laid out in rows and columns: what the text, LaTeX and HTML tables share.

use super::{Evidence, Report, System};

/// Above this many measures they go down the page instead of across.
const ACROSS: usize = 8;

/// A table of one task.
pub(super) struct Grid {
    pub(super) heading: String,
    /// Over the first column: what a row is.
    pub(super) corner: &'static str,
    /// Over the other columns.
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Row>,
}

impl Grid {
    /// The heading, with a capital.
    pub(super) fn title(&self) -> String {
        let mut chars = self.heading.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
    }
}

/// A row of a table.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) kind: Kind,
    pub(super) cells: Vec<Cell>,
}

/// Whose figures a row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ours,
    Paper,
    Difference,
}

/// A figure as it is printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// The number; `undefined` where there is none but should be, empty where none was asked.
    pub(super) number: String,
    /// How many decimals it has fewer than its neighbours: a published figure is shown with the
    /// digits that were printed, no more.
    pub(super) missing: usize,
    /// A mark of significance.
    pub(super) mark: String,
    /// What stands behind the figure, in words.
    pub(super) aside: String,
}

/// One table a task, in the order in which tasks appear.
pub(super) fn grids(report: &Report) -> Vec<Grid> {
    let mut tasks: Vec<&str> = Vec::new();
    for task in report.systems.iter().flat_map(|system| system.ours.iter().chain(&system.paper)) {
        if !tasks.contains(&task.name.as_str()) {
            tasks.push(&task.name);
        }
    }
    tasks.into_iter().map(|task| grid(report, task)).collect()
}

fn grid(report: &Report, task: &str) -> Grid {
    let heading = report.heading(task);
    let systems: Vec<&System> =
        report.systems.iter().filter(|system| measures(&[system], task).next().is_some()).collect();
    let mut names: Vec<&str> = Vec::new();
    for name in measures(&systems, task) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let columns: Vec<Column> =
        names.iter().map(|&measure| Column::new(&systems, task, measure, heading)).collect();
    let (corner, (header, rows)) = if columns.len() <= ACROSS {
        ("system", measures_across(task, &systems, &columns))
    } else {
        ("measure", measures_down(task, &systems, &columns))
    };
    Grid { heading: heading.to_owned(), corner, header, rows }
}

fn measures<'a>(systems: &[&'a System], task: &str) -> impl Iterator<Item = &'a str> {
    let figures = systems.iter().flat_map(|system| system.ours.iter().chain(&system.paper));
    figures
        .filter(move |known| known.name == task)
        .flat_map(|task| task.figures.iter().map(|figure| figure.measure.as_str()))
}

fn measures_across(task: &str, systems: &[&System], columns: &[Column]) -> (Vec<String>, Vec<Row>) {
    let mut rows = Vec::new();
    for system in systems {
        for kind in kinds(system, task) {
            let label = match kind {
                Kind::Ours => super::one_line(&system.name),
                Kind::Paper => "  paper".to_owned(),
                Kind::Difference => "  difference".to_owned(),
            };
            let cells = columns.iter().map(|column| column.cell(system, task, kind)).collect();
            rows.push(Row { label, kind, cells });
        }
    }
    (columns.iter().map(|column| column.measure.to_owned()).collect(), rows)
}

fn measures_down(task: &str, systems: &[&System], columns: &[Column]) -> (Vec<String>, Vec<Row>) {
    let asked: Vec<(&System, Kind)> = systems
        .iter()
        .flat_map(|&system| kinds(system, task).into_iter().map(move |kind| (system, kind)))
        .collect();
    let title = |&(system, kind): &(&System, Kind)| match kind {
        Kind::Ours => super::one_line(&system.name),
        Kind::Paper => "paper".to_owned(),
        Kind::Difference => "difference".to_owned(),
    };
    let row = |column: &Column| Row {
        label: column.measure.to_owned(),
        kind: Kind::Ours,
        cells: asked.iter().map(|&(system, kind)| column.cell(system, task, kind)).collect(),
    };
    (asked.iter().map(title).collect(), columns.iter().map(row).collect())
}

fn kinds(system: &System, task: &str) -> Vec<Kind> {
    if system.paper.iter().any(|known| known.name == task) {
        vec![Kind::Ours, Kind::Paper, Kind::Difference]
    } else {
        vec![Kind::Ours]
    }
}

/// A measure and how many decimals its figures are printed with.
struct Column<'a> {
    measure: &'a str,
    decimals: usize,
    /// The paper's own, at most as many.
    printed: usize,
}

impl<'a> Column<'a> {
    fn new(systems: &[&System], task: &str, measure: &'a str, heading: &str) -> Self {
        let ours = systems.iter().filter_map(|system| system.our(task, measure)?.value);
        let theirs = systems.iter().filter_map(|system| system.theirs(task, measure));
        let decimals = if heading.contains('%') || measure.contains('%') {
            2
        } else {
            decimals(ours.chain(theirs.clone()))
        };
        Self { measure, decimals, printed: printed(theirs).min(decimals) }
    }

    fn cell(&self, system: &System, task: &str, kind: Kind) -> Cell {
        let number = |value: f64| format!("{value:.*}", self.decimals);
        let cell = match kind {
            Kind::Ours => system.our(task, self.measure).map(|figure| Cell {
                number: figure.value.map_or_else(|| "undefined".to_owned(), number),
                mark: figure.evidence.mark.clone(),
                aside: aside(&figure.evidence, self.decimals),
                missing: 0,
            }),
            Kind::Paper => system.theirs(task, self.measure).map(|value| Cell {
                number: format!("{value:.*}", self.printed),
                // The point is missing too where no decimal is there.
                missing: self.decimals - self.printed
                    + usize::from(self.printed == 0 && self.decimals > 0),
                ..Cell::default()
            }),
            Kind::Difference => system
                .difference(task, self.measure)
                .map(|value| Cell { number: signed(value, self.decimals), ..Cell::default() }),
        };
        cell.unwrap_or_default()
    }
}

/// The fewest decimals that say all these figures in full.
fn printed(values: impl Iterator<Item = f64>) -> usize {
    let needed = |value: f64| {
        (0..6).find(|&decimals| format!("{value:.decimals$}").parse() == Ok(value)).unwrap_or(6)
    };
    values.map(needed).max().unwrap_or(0)
}

/// A difference with its sign; what rounds to zero has none.
fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let zero = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if zero { text.trim_start_matches(['+', '-']).to_owned() } else { text }
}

/// None for counts, one for halves (median ranks), fewer for large numbers, four for shares.
fn decimals(values: impl Iterator<Item = f64> + Clone) -> usize {
    let largest = values.clone().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let all = |step: f64| values.clone().all(|value| (value / step).fract() == 0.0);
    match largest {
        _ if largest > 1.0 && all(1.0) => 0,
        _ if largest > 1.0 && all(0.5) => 1,
        100.0.. => 1,
        10.0.. => 2,
        _ => 4,
    }
}

fn aside(evidence: &Evidence, decimals: usize) -> String {
    let p = evidence.p.map(p_value);
    let deviation = evidence.deviation.map(|value| format!("± {value:.decimals$}"));
    let interval =
        evidence.interval.map(|(low, high)| format!("[{low:.decimals$}, {high:.decimals$}]"));
    [deviation, interval, p].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_follow_the_kind_of_figure() {
        let of = |values: &[f64]| decimals(values.iter().copied());
        assert_eq!(of(&[0.076, 0.3]), 4);
        assert_eq!(of(&[1.0, 0.0]), 4);
        assert_eq!(of(&[12.0, 1.0]), 0);
        assert_eq!(of(&[12.5, 1.0]), 1);
        assert_eq!(of(&[86.03]), 2);
        assert_eq!(of(&[150.3]), 1);
        assert_eq!(of(&[]), 4);
    }

    #[test]
    fn no_signed_zero() {
        assert_eq!(signed(-0.00001, 4), "0.0000");
        assert_eq!(signed(0.25, 2), "+0.25");
        assert_eq!(signed(-1.0, 0), "-1");
    }
}
