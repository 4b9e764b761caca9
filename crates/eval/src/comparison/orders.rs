//! How alike the measures order the systems that are compared (ranking-task paper, Table 7).

use crate::correlation::system_rankings;
use crate::report::{Evidence, Report, System};
use crate::significance::Stars;
use crate::{Error, Result};

/// Under which task the coefficients stand in a report.
const TASK: &str = "order of the systems";

/// A measure of a task, and its figure for every system.
struct Figures<'a> {
    task: &'a str,
    measure: &'a str,
    values: Vec<f64>,
}

/// Adds to a comparison how alike every two of its measures order the systems: Spearman's rho and
/// Kendall's tau-b with their p-values, one entry a pair of measures. Without names all measures are
/// related; a name is that of a measure, of every task that has it. A figure that some system lacks
/// is told and left out.
///
/// # Errors
/// If a name is not among the measures, or fewer than two measures are left.
pub fn add_orders(report: &mut Report, names: &[String]) -> Result<()> {
    let figures = figures(report, names)?;
    let several = figures.iter().any(|one| one.task != figures[0].task);
    let name = |of: &Figures<'_>| match several {
        true => format!("{} {}", of.task, of.measure),
        false => of.measure.to_owned(),
    };
    let (mut pairs, mut notes) = (Vec::new(), Vec::new());
    for (at, first) in figures.iter().enumerate() {
        for second in &figures[at + 1..] {
            let name = format!("{} ~ {}", name(first), name(second));
            let mut system = System::new(&name);
            match system_rankings(&first.values, &second.values) {
                Ok(found) => {
                    for (what, found) in
                        [("Spearman", found.spearman), ("Kendall tau-b", found.kendall)]
                    {
                        let mark = found.p.map(|p| Stars::of(p).to_string()).unwrap_or_default();
                        let evidence = Evidence { mark, p: found.p, ..Evidence::default() };
                        system = system.figure_with(TASK, what, found.coefficient, evidence);
                    }
                }
                Err(why) => {
                    notes.push(format!("{name}: no correlation: {why}"));
                    system =
                        system.figure(TASK, "Spearman", None).figure(TASK, "Kendall tau-b", None);
                }
            }
            pairs.push(system);
        }
    }
    let protocol = std::mem::take(&mut report.protocol);
    report.protocol = protocol.with(
        TASK,
        "correlation of the systems' figures by two measures; below 0 where more is better by one of \
         them and less by the other",
    );
    report.systems.extend(pairs);
    report.notes.extend(notes);
    Ok(())
}

fn figures<'a>(report: &'a Report, names: &[String]) -> Result<Vec<Figures<'a>>> {
    let mismatch = |what: String| Error::Mismatch { what };
    let first =
        report.systems.first().ok_or_else(|| mismatch("there are no systems".to_owned()))?;
    if let Some(name) = names.iter().find(|name| {
        !first.ours.iter().flat_map(|task| &task.figures).any(|figure| figure.measure == **name)
    }) {
        return Err(Error::UnknownMeasure { name: name.clone() });
    }
    let mut figures = Vec::new();
    for task in &first.ours {
        for figure in &task.figures {
            let of = |system: &System| system.our(&task.name, &figure.measure)?.value;
            let values: Option<Vec<f64>> = report.systems.iter().map(of).collect();
            let wanted = names.is_empty() || names.contains(&figure.measure);
            if let Some(values) = values.filter(|_| wanted) {
                figures.push(Figures { task: &task.name, measure: &figure.measure, values });
            }
        }
    }
    if figures.len() < 2 {
        let what = "fewer than two measures have a figure for every system: none can be related";
        return Err(mismatch(what.to_owned()));
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Protocol;

    fn report(systems: &[(f64, f64)]) -> Report {
        let mut report = Report::new(Protocol::new());
        for (at, &(recall, median)) in systems.iter().enumerate() {
            let system = System::new(at.to_string()).figure("search", "R@1", recall);
            report.systems.push(system.figure("search", "median", median));
        }
        report
    }

    #[test]
    fn every_pair_of_measures_is_related() {
        let mut found = report(&[(0.1, 40.0), (0.2, 20.0), (0.3, 30.0), (0.4, 10.0)]);
        add_orders(&mut found, &[]).unwrap();
        let json = found.to_json();
        let pair = &json["systems"][4];
        assert_eq!(pair["name"], "R@1 ~ median");
        // Ranks 1 2 3 4 against 4 2 3 1: rho = 1 - 6 (9 + 0 + 0 + 9) / 60, one of six pairs agrees.
        let close =
            |value: &serde_json::Value, to: f64| (value.as_f64().unwrap() - to).abs() < 1e-12;
        assert!(close(&pair[TASK]["Spearman"], -0.8), "{pair}");
        assert!(close(&pair[TASK]["Kendall tau-b"], -4.0 / 6.0), "{pair}");
    }

    #[test]
    fn what_cannot_be_related_is_told() {
        let mut found = report(&[(0.1, 40.0), (0.1, 20.0)]);
        add_orders(&mut found, &[]).unwrap();
        assert!(found.notes[0].contains("all values are the same"), "{:?}", found.notes);
        let mut found = report(&[(0.1, 40.0), (0.1, 20.0)]);
        assert!(add_orders(&mut found, &["MAP".to_owned()]).unwrap_err().is_wrong_usage());
        assert!(add_orders(&mut found, &["R@1".to_owned()]).is_err());
        assert!(add_orders(&mut Report::default(), &[]).is_err());
    }
}
