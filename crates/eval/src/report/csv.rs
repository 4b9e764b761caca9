//! Comma-separated values: one figure a line, so that any tool can pivot them.
//!
//! The protocol and the notes come first, as lines that begin with `#`. Text is always quoted, so
//! no line of figures can be taken for one of those.

use std::fmt::Write;

use csv::{QuoteStyle, WriterBuilder};

use super::{Figure, Report, System, one_line};

const HEADER: [&str; 11] = [
    "system",
    "task",
    "measure",
    "value",
    "paper",
    "difference",
    "mark",
    "p",
    "deviation",
    "low",
    "high",
];

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for (name, value) in report.protocol.lines() {
        let _ = writeln!(out, "# {}: {value}", one_line(name));
    }
    for note in &report.notes {
        let _ = writeln!(out, "# note: {}", one_line(note));
    }
    let mut writer =
        WriterBuilder::new().quote_style(QuoteStyle::NonNumeric).from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(HEADER);
    for system in &report.systems {
        for record in records(system) {
            let _ = writer.write_record(record);
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    out.push_str(&String::from_utf8_lossy(&bytes));
    out.truncate(out.trim_end().len());
    out
}

fn records(system: &System) -> Vec<[String; 11]> {
    let mut records = Vec::new();
    for task in &system.ours {
        for figure in &task.figures {
            let paper = system.theirs(&task.name, &figure.measure);
            records.push(record(system, &task.name, figure, figure.value, paper));
        }
    }
    for task in &system.paper {
        for figure in &task.figures {
            if system.our(&task.name, &figure.measure).is_none() {
                records.push(record(system, &task.name, figure, None, figure.value));
            }
        }
    }
    records
}

fn record(
    system: &System,
    task: &str,
    figure: &Figure,
    value: Option<f64>,
    paper: Option<f64>,
) -> [String; 11] {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let evidence = &figure.evidence;
    [
        system.name.clone(),
        task.to_owned(),
        figure.measure.clone(),
        number(value),
        number(paper),
        number(system.difference(task, &figure.measure).map(|value| (value * 1e12).round() / 1e12)),
        evidence.mark.clone(),
        number(evidence.p),
        number(evidence.deviation),
        number(evidence.interval.map(|(low, _)| low)),
        number(evidence.interval.map(|(_, high)| high)),
    ]
}
