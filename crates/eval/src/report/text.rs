//! Tables for a terminal, readable without colour.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::grid::{Cell, Grid, Kind, grids};
use super::{Report, one_line};

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    protocol(report, &mut out);
    for grid in grids(report) {
        let _ = writeln!(out, "\n{}\n{}", one_line(&grid.heading), table(&grid));
    }
    if !report.notes.is_empty() {
        out.push('\n');
    }
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", one_line(note));
    }
    out.truncate(out.trim_end().len());
    out
}

fn protocol(report: &Report, out: &mut String) {
    let width = report.protocol.statements().map(|(name, _)| name.chars().count()).max();
    let Some(width) = width else { return };
    out.push_str("protocol\n");
    for (name, value) in report.protocol.lines() {
        let _ = writeln!(out, "  {name:width$}  {value}");
    }
}

fn table(grid: &Grid) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let header = std::iter::once(grid.corner).chain(grid.header.iter().map(String::as_str));
    table.set_header(header);
    let widths: Vec<usize> = (0..grid.header.len()).map(|at| suffix_width(grid, at)).collect();
    for row in &grid.rows {
        let label = match row.kind {
            Kind::Ours => row.label.clone(),
            // The indent is a sign of its own: these rows belong to the one above.
            Kind::Paper | Kind::Difference => format!("  {}", row.label.trim_start()),
        };
        table.add_row(std::iter::once(label).chain(row.cells.iter().zip(&widths).map(cell)));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if let Some(first) = table.column_mut(0) {
        first.set_padding((2, 1));
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// How wide the marks and asides of a column are: numbers shall stand beneath each other.
fn suffix_width(grid: &Grid, column: usize) -> usize {
    let cells = grid.rows.iter().filter_map(|row| row.cells.get(column));
    cells.map(|cell| suffix(cell).chars().count()).max().unwrap_or(0)
}

fn cell((cell, &width): (&Cell, &usize)) -> String {
    if cell.number.is_empty() {
        return String::new();
    }
    format!("{}{}{:width$}", cell.number, " ".repeat(cell.missing), suffix(cell))
}

fn suffix(cell: &Cell) -> String {
    let aside = if cell.aside.is_empty() { String::new() } else { format!(" ({})", cell.aside) };
    format!("{}{aside}", cell.mark)
}
