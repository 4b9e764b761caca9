//! trec_eval's own test files, byte for byte, for both versions.

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
