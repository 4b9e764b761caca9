//! Tables to paste into a paper: `booktabs`, nothing else needed.

use std::fmt::Write;

use super::grid::{Cell, Grid, Kind, Row, grids};
use super::{Report, one_line};

pub(super) fn render(report: &Report) -> String {
    let mut out = String::from("% needs \\usepackage{booktabs}\n");
    for (name, value) in report.protocol.lines() {
        let _ = writeln!(out, "% {}: {value}", one_line(name));
    }
    let protocol = report
        .protocol
        .lines()
        .map(|(name, value)| format!("{}: {}", escape(name), escape(&value)))
        .collect::<Vec<_>>()
        .join("; ");
    for grid in grids(report) {
        table(&grid, &protocol, &report.notes, &mut out);
    }
    out.truncate(out.trim_end().len());
    out
}

fn table(grid: &Grid, protocol: &str, notes: &[String], out: &mut String) {
    let columns = "r".repeat(grid.header.len());
    let _ = writeln!(out, "\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{l{columns}}}");
    let header: Vec<String> =
        std::iter::once(grid.corner.to_owned()).chain(grid.header.iter().cloned()).collect();
    let header: Vec<String> = header.iter().map(|name| escape(name)).collect();
    let _ = writeln!(out, "\\toprule\n{} \\\\\n\\midrule", header.join(" & "));
    for row in &grid.rows {
        let _ = writeln!(out, "{} \\\\", line(row));
    }
    let _ = writeln!(out, "\\bottomrule\n\\end{{tabular}}");
    let mut caption = format!("{}. {protocol}.", escape(&grid.title()));
    for note in notes {
        let _ = write!(caption, " {}.", escape(note.trim_end_matches('.')));
    }
    let _ = writeln!(out, "\\caption{{{caption}}}\n\\end{{table}}\n");
}

fn line(row: &Row) -> String {
    let label = match row.kind {
        Kind::Ours => escape(&row.label),
        Kind::Paper | Kind::Difference => format!("\\quad {}", escape(row.label.trim_start())),
    };
    std::iter::once(label).chain(row.cells.iter().map(cell)).collect::<Vec<_>>().join(" & ")
}

fn cell(cell: &Cell) -> String {
    // A hyphen before a digit is a minus only in mathematics; `undefined` is a word.
    let mut text = match cell.number.as_bytes().first() {
        Some(b'+' | b'-') => format!("${}$", cell.number),
        _ => cell.number.clone(),
    };
    if cell.missing > 0 {
        let _ = write!(text, "\\phantom{{{}}}", "0".repeat(cell.missing));
    }
    if !cell.mark.is_empty() {
        let _ = write!(text, "$^{{\\mbox{{{}}}}}$", escape(&cell.mark));
    }
    if !cell.aside.is_empty() {
        let aside = escape(&cell.aside).replace('±', "$\\pm$");
        let _ = write!(text, " ({aside})");
    }
    text
}

/// Text that LaTeX prints as it is.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            // The straight quote is in no encoding that is always there.
            '"' => out.push_str("{''}"),
            other => out.push(other),
        }
    }
    out
}
