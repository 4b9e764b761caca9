//! trec_eval's own test files, byte for byte, for both versions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use std::path::PathBuf;

use rebus_eval::trec_eval::{self, Detail, Request, Selection, Version};
use rebus_eval::{Qrels, Run, Topics};

fn folder() -> Option<PathBuf> {
    let data = std::env::var_os("REBUS_DATA")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = data.join("trec_eval");
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
    }
    folder.is_dir().then_some(folder)
}

fn same(qrels: &str, run: &str, output: &str, request: Request) {
    let Some(folder) = folder() else { return };
    let qrels = Qrels::read(folder.join(qrels)).unwrap();
    let run = Run::read(folder.join(run)).unwrap();
    for (version, name) in [(Version::V9, "v9.0.8"), (Version::V10, "v10.0")] {
        let path = folder.join(name).join(output);
        let expected = std::fs::read_to_string(&path).unwrap();
        let answer = trec_eval::print(&run, &qrels, &Request { version, ..request });
        let (mut ours, mut theirs) = (answer.text.lines(), expected.lines());
        loop {
            let (our, their) = (ours.next(), theirs.next());
            assert_eq!(our, their, "{}", path.display());
            if our.is_none() {
                break;
            }
        }
    }
}

const ALL: Request = Request {
    version: Version::V10,
    selection: Selection::All,
    detail: Detail::PerTopic,
    topics: Topics::Common,
    relevance_level: 1,
    relstring: None,
};

#[test]
fn official_measures() {
    same("qrels.test", "results.test", "out.test", Request::default());
}

#[test]
fn all_measures() {
    let request = Request { detail: Detail::Summary, ..ALL };
    same("qrels.test", "results.test", "out.test.a", request);
}

#[test]
fn every_topic() {
    same("qrels.test", "results.test", "out.test.aq", ALL);
}

#[test]
fn topics_without_results() {
    let request = Request { topics: Topics::AllJudged, ..ALL };
    same("qrels.test", "results.trunc", "out.test.aqc", request);
}

#[test]
fn another_relevance_level() {
    let request = Request { relevance_level: 2, relstring: Some(20), ..ALL };
    same("qrels.rel_level", "results.test", "out.test.aql", request);
}

/// Both versions hold scores as double precision numbers (up to 9.0.7 they were single), so two that
/// differ by less than 1e-7 are no tie.
#[test]
fn scores_that_differ_by_little() {
    let mut qrels = Qrels::new();
    qrels.judge("q", "a", 1).unwrap();
    let mut run = Run::new("close");
    run.add("q", "a", 0.900_000_01).unwrap();
    run.add("q", "b", 0.9).unwrap();
    run.sort().unwrap();
    for version in [Version::V9, Version::V10] {
        let answer = trec_eval::print(&run, &qrels, &Request { version, ..Request::default() });
        let line = answer.text.lines().find(|line| line.starts_with("recip_rank")).unwrap();
        assert!(line.ends_with("\t1.0000"), "{line}");
    }
}

/// Recorded figures of trec_eval 9 (see the script beside them): ties, negative grades, topics
/// missing on either side, other relevance levels.
#[test]
fn recorded_random_topics() {
    let recorded = include_str!("reference/trec_eval_random.json");
    let cases: serde_json::Value = serde_json::from_str(recorded).unwrap();
    let mut compared = 0;
    for case in cases.as_array().unwrap() {
        let mut qrels = Qrels::new();
        for (topic, judged) in case["qrels"].as_object().unwrap() {
            for (document, grade) in judged.as_object().unwrap() {
                qrels.judge(topic, document, grade.as_i64().unwrap() as i32).unwrap();
            }
        }
        let mut run = Run::new("recorded");
        for (topic, results) in case["run"].as_object().unwrap() {
            for (document, score) in results.as_object().unwrap() {
                run.add(topic, document, score.as_f64().unwrap()).unwrap();
            }
        }
        run.sort().unwrap();
        let relevance_level = case["level"].as_i64().unwrap() as i32;
        let request = Request { version: Version::V9, relevance_level, ..ALL };
        let answer = trec_eval::print(&run, &qrels, &request);
        for line in answer.text.lines() {
            let [measure, topic, value] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let measure = measure.trim();
            if topic == "all" || measure == "relstring" {
                continue;
            }
            let expected = case["expected"][topic][measure].as_f64().unwrap();
            let value: f64 = value.parse().unwrap();
            assert!((value - expected).abs() < 5.1e-5, "{topic} {measure}: {value}, {expected}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}
