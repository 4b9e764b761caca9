//! The ranking-task paper's figures on the real judgements, where they are at hand.

// The lints spare test functions, but not those that they call.
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rebus_collection::Silent;
use rebus_eval::report::Report;

/// The folder of Flickr8k, or nothing where it is absent.
fn flickr8k() -> Option<PathBuf> {
    let data = std::env::var_os("REBUS_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("flickr8k");
    if folder.join("ExpertAnnotations.txt").exists() {
        return Some(folder);
    }
    println!("skipped: no judgements in {}", folder.display());
    None
}

/// Recomputed once for all tests.
fn report() -> Option<&'static Report> {
    static REPORT: OnceLock<Option<Report>> = OnceLock::new();
    let recompute = || {
        let part = rebus_papers::part("ranking-task", "judgements").expect("known");
        Some(
            part.run(&flickr8k()?, &rebus_papers::Request::default(), &Silent).expect("recomputed"),
        )
    };
    REPORT.get_or_init(recompute).as_ref()
}

/// The largest difference to the paper in a task, over all rows and the measures that `chosen` picks.
fn farthest(report: &Report, task: &str, chosen: impl Fn(&str) -> bool) -> f64 {
    let mut compared = 0;
    let mut farthest = 0.0_f64;
    for system in &report.systems {
        let Some(paper) = system.paper.iter().find(|known| known.name == task) else { continue };
        let ours = system.ours.iter().find(|known| known.name == task).expect("ours");
        for printed in paper.figures.iter().filter(|figure| chosen(&figure.measure)) {
            let our = ours.figures.iter().find(|known| known.measure == printed.measure);
            let our = our.and_then(|figure| figure.value).expect("defined");
            farthest = farthest.max((our - printed.value.expect("printed")).abs());
            compared += 1;
        }
    }
    assert!(compared > 0, "nothing compared in {task}");
    farthest
}

fn within(report: &Report, task: &str, tolerance: f64) {
    let farthest = farthest(report, task, |_| true);
    assert!(farthest <= tolerance, "{task}: {farthest} > {tolerance}");
}

#[test]
fn figures_are_as_near_to_the_paper_as_the_documentation_says() {
    let Some(report) = report() else { return };
    assert_eq!(report.compared(), 168);
    within(report, "experts", 0.022);
    within(report, "bleu-five", 0.005);
    within(report, "rouge-five", 0.009);
    let gold = "bleu-pool";
    assert!(farthest(report, gold, |measure| measure != ">= 0.6") <= 0.006);
    assert!(farthest(report, gold, |measure| measure == ">= 0.6") <= 0.048);
    within(report, "rouge-pool", 0.023);
    within(report, "bleu-others", 0.007);
    within(report, "rouge-others", 0.005);
    within(report, "bleu-one-other", 0.023);
    within(report, "rouge-one-other", 0.019);
    within(report, "crowd-kappa", 0.01);
    within(report, "crowd-against-experts", 0.029);
    within(report, "relevant-pairs", 35.0);
    within(report, "all-pairs", 0.12);
}

#[test]
fn the_filter_removes_what_the_paper_says() {
    let Some(report) = report() else { return };
    let json = report.to_json();
    let systems = json["systems"].as_array().expect("systems");
    assert_eq!(json["tasks"]["filter"], "Section 4.3.2: what a filter removes (%)");
    assert!(report.to_text().contains("Section 4.3.2: what a filter removes (%)"));
    let figure = |system: &str, measure: &str| {
        let found = systems.iter().find(|known| known["name"] == system).expect("system");
        found["filter"][measure].as_f64().expect("figure")
    };
    for (system, measure, printed, tolerance) in [
        ("BLEU_pre >= 0.25", "of all pairs", 86.0, 0.1),
        ("BLEU_pre >= 0.25", "of expert >= 2.66", 6.7, 0.2),
        ("BLEU_pre >= 0.25", "of expert >= 3.0", 3.5, 0.2),
        ("BLEU_pre >= 0.26", "of all pairs", 90.4, 0.1),
        ("BLEU_pre >= 0.26", "of expert >= 2.66", 12.3, 0.2),
        ("BLEU_pre >= 0.26", "of expert >= 3.0", 7.5, 0.1),
        ("BLEU >= 0.330", "of all pairs", 55.0, 0.3),
        ("BLEU >= 0.330", "of expert >= 2.66", 6.9, 0.1),
        ("BLEU > 1/3", "of all pairs", 65.0, 0.5),
        ("BLEU > 1/3", "of expert >= 2.66", 11.9, 0.1),
    ] {
        let ours = figure(system, measure);
        assert!((ours - printed).abs() <= tolerance, "{system}, {measure}: {ours}");
    }
}

#[test]
fn no_name_stands_twice() {
    let Some(report) = report() else { return };
    let mut names: Vec<&str> = report.systems.iter().map(|system| system.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), report.systems.len());
}

#[test]
fn what_is_missing_is_said() {
    let folder = tempfile::tempdir().expect("folder");
    let part = rebus_papers::part("ranking-task", "judgements").expect("known");
    let run = || {
        part.run(folder.path(), &rebus_papers::Request::default(), &Silent)
            .expect_err("fails")
            .to_string()
    };
    assert!(run().contains(&folder.path().display().to_string()), "{}", run());

    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let captions: String = (0..5).map(|k| format!("a.jpg#{k}\tA dog runs .\n")).collect();
    write("Flickr8k.token.txt", &captions);
    assert!(run().contains("no test split"), "{}", run());
    write("Flickr_8k.testImages.txt", "a.jpg\n");
    assert!(run().contains("no judgements of experts"), "{}", run());
    write("ExpertAnnotations.txt", "a.jpg\ta.jpg#2\t4\t4\t4\n");
    assert!(run().contains("no judgements of the crowd"), "{}", run());
    write("CrowdFlowerAnnotations.txt", "a.jpg\ta.jpg#2\t1\t3\t0\n");
    // One pair that all agree on: alpha has no value, and that is said.
    assert!(run().contains("alpha of the experts"), "{}", run());
    write("Flickr8k.token.txt", "a.jpg#0\tA dog runs .\n");
    assert!(run().contains("has 1 caption, not five"), "{}", run());
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let error = rebus_papers::part("ranking-task", "figures").expect_err("unknown");
    assert!(error.to_string().contains("figures"), "{error}");
    assert!(rebus_papers::paper("ranking").is_err());
}
