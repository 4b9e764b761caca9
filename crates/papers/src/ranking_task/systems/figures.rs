//! The figures of Table 11 (and of Table 3, which repeats some rows): ranks of the gold items, with
//! significance against the best system.

use rebus_eval::comparison::{Comparison, Contestant, QueryValues};
use rebus_eval::report::{Report, System};
use rebus_eval::{Evaluation, Measure, Query};

use super::experiment::Outcome;
use super::table::Printed;
use crate::Result;

const MEASURES: &str = "R@1,R@5,R@10,median";
pub(super) const TASKS: [&str; 2] = ["annotation", "search"];
const HEADINGS: [&str; 2] = ["Table 11: annotation", "Table 11: search"];

/// One system's queries for both tasks.
pub(super) struct Measured<'a> {
    pub(super) name: &'a str,
    pub(super) queries: [&'a [Query]; 2],
    /// The paper's figures, in the order of the measures.
    pub(super) printed: Option<Printed>,
}

/// Table 11.
pub(super) fn recall(outcomes: &[Outcome], baseline: usize, with_paper: Paper) -> Result<Report> {
    let measured: Vec<Measured<'_>> = outcomes
        .iter()
        .map(|outcome| Measured {
            name: outcome.system.name,
            queries: [&outcome.ranks[0], &outcome.ranks[1]],
            printed: (with_paper == Paper::Beside).then_some(outcome.system.recall),
        })
        .collect();
    let mut report = compared(&measured, MEASURES, TASKS, baseline)?;
    TASKS.iter().zip(HEADINGS).for_each(|(task, heading)| report.head(task, heading));
    Ok(report)
}

/// Whether the paper's figures stand beside ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paper {
    Beside,
    Absent,
}

/// The system with the most gold items among the first ten, over both tasks.
pub(super) fn best(outcomes: &[Outcome]) -> Result<usize> {
    let measures = Measure::parse_list("R@10")?;
    let found = |outcome: &Outcome| -> f64 {
        let of = |queries: &Vec<Query>| Evaluation::of_queries(queries, &measures).figures()[0];
        outcome.ranks.iter().filter_map(of).sum()
    };
    let values: Vec<f64> = outcomes.iter().map(found).collect();
    let best = |best: usize, at: usize| if values[at] > values[best] { at } else { best };
    Ok((0..outcomes.len()).fold(0, best))
}

/// Systems beside each other: shares in percent, as the paper prints them, with the evidence of a
/// comparison with the baseline.
pub(super) fn compared(
    systems: &[Measured<'_>],
    measures: &str,
    tasks: [&str; 2],
    baseline: usize,
) -> Result<Report> {
    let list = Measure::parse_list(measures)?;
    let contestants: Vec<Contestant> = systems
        .iter()
        .map(|system| {
            let values = system.queries.iter().zip(tasks).flat_map(|(queries, task)| {
                QueryValues::of_evaluation(&Evaluation::of_queries(queries, &list), task)
            });
            Contestant::new(system.name, values.collect())
        })
        .collect();
    let comparison = Comparison { baseline, ..Comparison::default() };
    let mut report = comparison.report(&contestants)?;
    for (row, system) in report.systems.iter_mut().zip(systems) {
        in_percent(row);
        let Some(printed) = system.printed else { continue };
        let mut with_paper = std::mem::take(row);
        for (task, printed) in tasks.iter().zip(printed) {
            for (measure, value) in list.iter().zip(printed) {
                with_paper = with_paper.published(task, &measure.to_string(), value);
            }
        }
        *row = with_paper;
    }
    Ok(report)
}

/// Shares become percent; ranks stay.
fn in_percent(system: &mut System) {
    for figure in system.ours.iter_mut().flat_map(|task| &mut task.figures) {
        if figure.measure != "median" {
            figure.value = figure.value.map(|value| 100.0 * value);
        }
    }
}
