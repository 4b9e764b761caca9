//! A page that needs no other file: protocol, tables, plots with their numbers, notes.

use std::fmt::Write;

use super::grid::{Cell, Grid, Kind, Row, grids};
use super::plot::{Plot, Shape};
use super::{Report, one_line};

const STYLE: &str = include_str!("page.css");

pub(super) fn render(report: &Report) -> String {
    let title = title(report);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
        escape(&title)
    );
    protocol(report, &mut out);
    for grid in grids(report) {
        table(&grid, &mut out);
    }
    for plot in &report.plots {
        figure(plot, &mut out);
    }
    for section in &report.sections {
        let _ = writeln!(
            out,
            "<section>\n<h2>{}</h2>\n{}\n</section>",
            escape(&section.title),
            section.html
        );
    }
    notes(report, &mut out);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// The page's title: the protocol's own, or the systems' names.
fn title(report: &Report) -> String {
    let stated = report.protocol.lines().find(|(name, _)| *name == "title" || *name == "paper");
    if let Some((_, value)) = stated {
        return value;
    }
    let mut names: Vec<&str> = report.systems.iter().map(|system| system.name.as_str()).collect();
    if names.len() > 3 {
        names.truncate(3);
        names.push("…");
    }
    if names.is_empty() { "Report".to_owned() } else { one_line(&names.join(", ")) }
}

fn protocol(report: &Report, out: &mut String) {
    out.push_str("<section>\n<h2>Protocol</h2>\n<dl>\n");
    for (name, value) in report.protocol.lines() {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(&value));
    }
    out.push_str("</dl>\n</section>\n");
}

fn notes(report: &Report, out: &mut String) {
    if report.notes.is_empty() {
        return;
    }
    out.push_str("<section>\n<h2>Notes</h2>\n<ul>\n");
    for note in &report.notes {
        let _ = writeln!(out, "<li>{}</li>", escape(note));
    }
    out.push_str("</ul>\n</section>\n");
}

fn table(grid: &Grid, out: &mut String) {
    let _ = write!(
        out,
        "<section class=\"table\">\n<h2>{}</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">{}</th>",
        escape(&grid.title()),
        grid.corner
    );
    for name in &grid.header {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &grid.rows {
        line(row, out);
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn line(row: &Row, out: &mut String) {
    let class = match row.kind {
        Kind::Ours => "ours",
        Kind::Paper => "paper",
        Kind::Difference => "difference",
    };
    let label = escape(row.label.trim_start());
    let _ = write!(out, "<tr class=\"{class}\"><th scope=\"row\">{label}</th>");
    for cell in &row.cells {
        value(cell, out);
    }
    out.push_str("</tr>\n");
}

fn value(cell: &Cell, out: &mut String) {
    // A true minus sign is as wide as a figure.
    let number = match cell.number.strip_prefix('-') {
        Some(rest) => format!("−{rest}"),
        None => cell.number.clone(),
    };
    // A figure space is as wide as a figure, and does not break.
    let _ = write!(out, "<td>{}{}", escape(&number), "\u{2007}".repeat(cell.missing));
    if !cell.mark.is_empty() {
        let _ = write!(out, "<sup>{}</sup>", escape(&cell.mark));
    }
    if !cell.aside.is_empty() {
        let _ = write!(out, "<small>{}</small>", escape(&cell.aside));
    }
    out.push_str("</td>");
}

fn figure(plot: &Plot, out: &mut String) {
    let title = escape(&plot.title);
    let _ = write!(
        out,
        "<section>\n<h2>{title}</h2>\n<figure>\n{}\n</figure>\n\
         <details><summary>The numbers of this plot</summary>\n\
         <div class=\"wide\"><table>\n<caption>{title}</caption>\n",
        plot.to_svg()
    );
    match &plot.shape {
        Shape::Lines(series) => {
            head(&["series", &plot.x, &plot.y], out);
            for series in series {
                for (x, y) in &series.points {
                    numbers(&series.name, &[*x, *y], out);
                }
            }
        }
        Shape::Bars(bars) | Shape::Histogram(bars) => {
            if bars.iter().any(|bar| bar.interval.is_some()) {
                head(&[&plot.x, &plot.y, "from", "to"], out);
            } else {
                head(&[&plot.x, &plot.y], out);
            }
            for bar in bars {
                match bar.interval {
                    Some((low, high)) => numbers(&bar.name, &[bar.value, low, high], out),
                    None => numbers(&bar.name, &[bar.value], out),
                }
            }
        }
    }
    out.push_str("</tbody>\n</table></div></details>\n</section>\n");
}

fn head(names: &[&str], out: &mut String) {
    out.push_str("<thead><tr>");
    for name in names {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
}

fn numbers(name: &str, values: &[f64], out: &mut String) {
    let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(name));
    for value in values {
        // Four decimals, as in the tables.
        let rounded = (value * 1e4).round() / 1e4;
        let _ = write!(out, "<td>{}</td>", if rounded.is_finite() { rounded } else { *value });
    }
    out.push_str("</tr>\n");
}

/// Text that HTML and XML print as it is, in elements and in attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // No XML document may hold these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
