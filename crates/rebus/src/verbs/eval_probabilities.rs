//! The part of `rebus eval` that asks how far a model's probabilities can be believed.

use rebus_eval::report::{Protocol, Report, System};
use rebus_models::lexicon::Reliability;
use rebus_models::{Lexicon, Training};

/// A row for all probabilities and one for each tenth of them, for texts and for pictures as
/// queries; `None` if the pictures tell nothing.
pub(super) fn report(
    lexicon: &Lexicon,
    captioned: &Training<'_>,
    protocol: Protocol,
) -> anyhow::Result<Option<Report>> {
    let Some(found) = lexicon.reliability(captioned)? else { return Ok(None) };
    let protocol = protocol
        .with("relevance", "texts with pictures; relevant if the captions hold every word")
        .with("likeness", "pictures with pictures; alike if their captions are")
        .with("said", "mean probability; was: how often it was so");
    let mut report = Report::new(protocol);
    report.systems = rows(&found);
    Ok(Some(report))
}

const TASKS: [&str; 2] = ["relevance", "likeness"];

fn rows(found: &[Reliability; 2]) -> Vec<System> {
    let mut all = System::new("all");
    for (task, found) in TASKS.iter().zip(found) {
        all = all
            .figure(task, "pairs", found.pairs as f64)
            .figure(task, "Brier", found.brier)
            .figure(task, "Brier of the share", found.brier_of_the_share);
    }
    let mut rows = vec![all];
    for tenth in 0..10 {
        let from = f64::from(tenth) / 10.0;
        let mut row = System::new(format!("{from:.1} to {:.1}", from + 0.1));
        let mut any = false;
        for (task, found) in TASKS.iter().zip(found) {
            let Some(step) = found.steps.iter().find(|step| (step.from - from).abs() < 1e-9) else {
                continue;
            };
            any = true;
            row = row
                .figure(task, "pairs", step.pairs as f64)
                .figure(task, "said", step.said)
                .figure(task, "was", step.was);
        }
        if any {
            rows.push(row);
        }
    }
    rows
}
