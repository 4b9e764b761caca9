//! Semantic figures in the one shape of every result.

use rebus_collection::{Matrix, counted};

use super::SemanticMeasure;
use super::evaluate::{Direction, Gold, Mean, SemanticFigures, SemanticSettings, measure};
use crate::report::{Report, System};
use crate::{GoldMap, Result, Ties};

/// The semantic figures of one task: a direction, with or without gold items.
#[derive(Debug, Clone, PartialEq)]
pub struct SemanticTask {
    /// What is asked and what is ranked.
    pub direction: Direction,
    /// Whether gold items may be found.
    pub gold: Gold,
    /// The figures.
    pub figures: SemanticFigures,
}

impl Direction {
    /// The task's name in reports.
    pub fn task(self) -> &'static str {
        match self {
            Self::ImageToText => "annotation",
            Self::TextToImage => "search",
        }
    }
}

/// Measures a system in both directions, with and without gold items.
///
/// # Errors
/// As [`measure`].
pub fn measure_all(
    scores: &Matrix,
    phi: &Matrix,
    gold: &GoldMap,
    k: &[usize],
    m: &[usize],
    ties: Ties,
) -> Result<Vec<SemanticTask>> {
    let mut tasks = Vec::new();
    for kept in [Gold::Kept, Gold::Removed] {
        for direction in [Direction::ImageToText, Direction::TextToImage] {
            let settings = SemanticSettings { k: k.to_vec(), m: m.to_vec(), gold: kept, ties };
            let figures = measure(scores, phi, gold, direction, &settings)?;
            tasks.push(SemanticTask { direction, gold: kept, figures });
        }
    }
    Ok(tasks)
}

impl SemanticTask {
    /// The task's name: `annotation` and `search`, and `annotation without gold` and so on.
    pub fn name(&self) -> String {
        match self.gold {
            Gold::Kept => self.direction.task().to_owned(),
            Gold::Removed => format!("{} {}", self.direction.task(), self.gold),
        }
    }

    /// The figures by name: `NCS@5`, then `SR@5(m=10)` and equation 5 to the letter,
    /// `NCS@5(m=10)`, for each m.
    fn named(&self) -> Vec<(SemanticMeasure, &Mean)> {
        let ncs = self.figures.ncs.iter().map(|mean| (SemanticMeasure::ncs(mean.k, None), mean));
        let recall = self.figures.recall.iter();
        let recall = recall.map(|of| (SemanticMeasure::recall(of.mean.k, Some(of.m)), &of.mean));
        let letter = self.figures.ncs_within.iter();
        let letter = letter.map(|of| (SemanticMeasure::ncs(of.mean.k, Some(of.m)), &of.mean));
        ncs.chain(recall).chain(letter).collect()
    }
}

/// Adds a system's semantic figures to a report, beside what is there: those that were asked for, or
/// all of them and the sums where nothing was.
pub fn add_to_report(
    report: &mut Report,
    system: usize,
    tasks: &[SemanticTask],
    asked: &[SemanticMeasure],
) {
    let Some(place) = report.systems.get_mut(system) else { return };
    let mut grown = std::mem::take::<System>(place);
    for task in tasks {
        for (measure, mean) in task.named() {
            if asked.is_empty() || asked.iter().any(|asked| asked.covers(measure)) {
                grown = grown.figure(&task.name(), &measure.to_string(), mean.value);
            }
        }
    }
    let sums = [(Gold::Kept, "Nsum"), (Gold::Removed, "Nsum(N)")];
    for (gold, name) in sums.into_iter().filter(|_| asked.is_empty()) {
        if let Some(sum) = n_sum(tasks, gold) {
            grown = grown.figure("both", name, sum);
        }
    }
    let name = grown.name.clone();
    *place = grown;
    for task in tasks {
        report.notes.extend(notes(&name, task));
    }
}

/// The paper's Nsum: NCS@1, 5 and 10 of both directions added up; Nsum(N) is that without gold.
/// `None` where a part was not measured or is undefined.
fn n_sum(tasks: &[SemanticTask], gold: Gold) -> Option<f64> {
    let parts = |direction| {
        let task = tasks.iter().find(|t| t.gold == gold && t.direction == direction)?;
        let at = |k| task.figures.ncs.iter().find(|mean| mean.k == k)?.value;
        Some(at(1)? + at(5)? + at(10)?)
    };
    Some(parts(Direction::ImageToText)? + parts(Direction::TextToImage)?)
}

fn notes(system: &str, task: &SemanticTask) -> Vec<String> {
    let SemanticFigures { queries, ncs, tied_extension, .. } = &task.figures;
    let of = format!("{system}, {}", task.name());
    let queries = counted(*queries as u64, "query");
    let mut notes = Vec::new();
    for mean in ncs {
        if mean.undefined > 0 {
            notes.push(format!(
                "{of}: NCS@{} is undefined for {} of {queries}, which nothing resembles",
                mean.k, mean.undefined
            ));
        }
        if mean.tied > 0 {
            notes.push(format!(
                "{of}: equal scores lie on both sides of NCS@{} in {} of {queries}",
                mean.k, mean.tied
            ));
        }
    }
    for (m, tied) in tied_extension.iter().filter(|(_, tied)| *tied > 0) {
        notes.push(format!(
            "{of}: of equally similar items the first are among the m={m} in {tied} of {queries}"
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Protocol;

    #[test]
    fn the_papers_sum() {
        let scores = Matrix::new(1, 1, vec![0.5]).unwrap();
        let gold = GoldMap::even(1, 1).unwrap();
        let of = |k: &[usize]| measure_all(&scores, &scores, &gold, k, &[1], Ties::Worst).unwrap();
        assert_eq!(n_sum(&of(&[1, 5, 10]), Gold::Kept), Some(6.0));
        assert_eq!(n_sum(&of(&[1, 5, 10]), Gold::Removed), None);
        assert_eq!(n_sum(&of(&[1, 5]), Gold::Kept), None);
    }

    #[test]
    fn four_tasks_with_all_their_figures() {
        let scores = Matrix::new(2, 4, vec![0.9, 0.1, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1]).unwrap();
        let phi = Matrix::new(2, 4, vec![1.0, 0.5, 0.5, 0.125, 0.25, 0.5, 1.0, 1.0]).unwrap();
        let gold = GoldMap::even(2, 4).unwrap();
        let tasks = measure_all(&scores, &phi, &gold, &[1, 2], &[2], Ties::Worst).unwrap();
        let mut report = Report::new(Protocol::new());
        report.systems.push(System::new("one").figure("annotation", "R@1", 0.5));
        add_to_report(&mut report, 0, &tasks, &[]);
        let json = report.to_json();
        let system = &json["systems"][0];
        assert_eq!(system["annotation"]["R@1"], 0.5);
        assert_eq!(system["annotation"]["NCS@1"], (1.0 + 0.25) / 2.0);
        assert!(system["search"]["SR@2(m=2)"].is_number());
        assert!(system["annotation without gold"]["NCS@2(m=2)"].is_number());
        assert!(
            report.notes.iter().any(|note| note.contains("m=2 in 1 of 2")),
            "{:?}",
            report.notes
        );
        let mut report = Report::new(Protocol::new());
        report.systems.push(System::new("one"));
        let asked = ["NCS@2", "SR@1"].map(|name| name.parse().unwrap());
        add_to_report(&mut report, 0, &tasks, &asked);
        let json = report.to_json();
        let names: Vec<&String> =
            json["systems"][0]["search"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["NCS@2", "SR@1(m=2)"]);
        assert!(json["systems"][0].get("both").is_none());
    }
}
