//! The relevance-models paper's figures: on a small made-up collection, and on Corel5k where it is at
//! hand.

// The lints spare test functions, but not those that they call.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use rebus_collection::{Silent, Split, synth};
use rebus_eval::report::Report;
use rebus_papers::Request;
use rebus_vision::GridColourEdge;

fn run(folder: &Path, split: Option<Split>) -> rebus_papers::Result<Report> {
    let part = rebus_papers::part("relevance-models", "blobs").expect("known");
    part.run(folder, &Request { split, ..Request::default() }, &Silent)
}

/// A figure of ours.
fn ours(report: &Report, system: &str, task: &str, measure: &str) -> f64 {
    let systems = report.systems.iter().filter(|known| known.name == system);
    let tasks = systems.flat_map(|system| &system.ours).filter(|known| known.name == task);
    let mut figures = tasks.flat_map(|task| &task.figures).filter(|known| known.measure == measure);
    figures.next().and_then(|figure| figure.value).expect(measure)
}

/// Photos of four kinds, each with words and blobs of its own, and one blob that all may have.
fn collection(folder: &Path) {
    let kinds = [("tiger", "grass"), ("plane", "sky"), ("sun", "sea"), ("flower", "garden")];
    let (mut keywords, mut train, mut test) = (String::new(), String::new(), String::new());
    let mut blobs = String::from("id\tsplit\tn_blobs\tn_distinct\texact\ttokens\n");
    for id in 0..120usize {
        let kind = id % 4;
        let (first, second) = kinds[kind];
        let words = if id % 3 == 0 { first.to_owned() } else { format!("{first},{second}") };
        writeln!(keywords, "{id}\t{words}").unwrap();
        let split = if id < 96 { "train" } else { "test" };
        let own = [3 * kind + 1, 3 * kind + 2, 3 * kind + 3];
        let tokens: Vec<String> = [own[id / 4 % 3], 13].iter().map(usize::to_string).collect();
        let (regions, exact) = if id % 5 == 0 { (2, 1) } else { (4, 0) };
        writeln!(blobs, "{id}\t{split}\t{regions}\t2\t{exact}\t{}", tokens.join(",")).unwrap();
        writeln!(if id < 96 { &mut train } else { &mut test }, "{id}").unwrap();
    }
    let words: Vec<&str> = kinds.iter().flat_map(|&(a, b)| [a, b]).collect();
    for (name, text) in [
        ("keywords.tsv", keywords),
        ("blobs.tsv", blobs),
        ("train.txt", train),
        ("test.txt", test),
        ("words.txt", words.join("\n")),
        ("words_260.txt", words.join("\n")),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn a_small_collection_from_blobs_to_the_page() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    for split in [None, Some(Split::Dev)] {
        let report = run(folder.path(), split).unwrap();
        // The blobs tell the kind, and the kind its words.
        let all = "annotation, all words of the photos";
        assert!(ours(&report, "FACMRM", all, "recall") > 0.99);
        let own = "annotation, the words that the model finds";
        assert_eq!(ours(&report, "FACMRM", own, "words"), 8.0);
        // How many words a table is about is said to people; programs find it by one name.
        assert!(report.to_text().contains("annotation, all 8 words of the photos"));
        for model in ["PACMRM", "DRCMRM"] {
            assert!(ours(&report, model, "Table 1: queries of 1 word", "AveP") > 0.7, "{model}");
        }
        assert_eq!(ours(&report, "queries", "Table 1: queries of 1 word", "queries"), 8.0);
        assert_eq!(ours(&report, "queries", "Table 1: queries of 3 words", "queries"), 0.0);
        let page = report.to_html();
        assert!(page.contains("Figure 4") && page.contains("<svg"));
        assert!(report.compared() > 20, "{}", report.compared());
        assert!(report.to_text().contains("TagProp (2009)"));
    }
    assert_eq!(run(folder.path(), None).unwrap(), run(folder.path(), None).unwrap());
    let error = run(folder.path(), Some(Split::Train)).unwrap_err().to_string();
    assert!(error.contains("dev or test"), "{error}");
    std::fs::remove_file(folder.path().join("blobs.tsv")).unwrap();
    let error = run(folder.path(), None).unwrap_err().to_string();
    assert!(error.contains("blobs"), "{error}");
}

/// Drawn photos with keywords, in the form of Corel5k.
fn drawn(folder: &Path) {
    let (mut keywords, mut train) = (String::new(), String::new());
    std::fs::create_dir_all(folder.join("photos")).unwrap();
    for id in 0..180u64 {
        let specimen = synth::specimen(5, id);
        specimen.picture.save(folder.join("photos").join(format!("{id}.jpeg"))).unwrap();
        writeln!(keywords, "{id}\t{}", specimen.keywords.join(",")).unwrap();
        writeln!(train, "{id}").unwrap();
    }
    for (name, text) in [("keywords.tsv", keywords), ("train.txt", train)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn photos_are_annotated_from_their_pixels() {
    let folder = tempfile::tempdir().unwrap();
    drawn(folder.path());
    let part = rebus_papers::part("relevance-models", "pixels").unwrap();
    let mut request = Request::default();
    let error = part.run(folder.path(), &request, &Silent).unwrap_err().to_string();
    assert!(error.contains("--features"), "{error}");
    request.extractor = Some(&GridColourEdge);
    let report = part.run(folder.path(), &request, &Silent).unwrap();
    let names: Vec<&str> = report.systems.iter().map(|system| system.name.as_str()).collect();
    assert_eq!(names, ["crm", "mbrm", "jec", "tagprop", "2pknn"]);
    for name in names {
        // By chance a word is among five of some fifty.
        let recall = ours(&report, name, "annotation, all words of the measured photos", "recall");
        assert!(recall > 0.25, "{name}: {recall}");
    }
    request.split = Some(Split::Test);
    assert!(part.run(folder.path(), &request, &Silent).is_err());
}

/// The folder of Corel5k, or nothing where it is absent.
fn corel5k() -> Option<PathBuf> {
    let data = std::env::var_os("REBUS_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("corel5k");
    if folder.join("blobs.tsv").exists() {
        return Some(folder);
    }
    println!("skipped: no blobs in {}", folder.display());
    None
}

#[test]
fn corel5k_reaches_the_papers_figures() {
    let Some(folder) = corel5k() else { return };
    let report = run(&folder, None).unwrap();
    println!("{}", report.to_text());
    let own = "annotation, the words that the model finds";
    assert!(ours(&report, "FACMRM", own, "words") >= 66.0);
    assert!(ours(&report, "FACMRM", own, "precision") >= 0.28);
    assert!(ours(&report, "FACMRM", own, "recall") >= 0.34);
    // The paper's own counts of queries.
    let one = "Table 1: queries of 1 word";
    assert_eq!(ours(&report, "queries", one, "queries"), 179.0);
    assert_eq!(ours(&report, "queries", one, "relevant"), 1675.0);
    assert!(ours(&report, "PACMRM", one, "AveP") >= 0.15);
    assert!(ours(&report, "DRCMRM", one, "AveP") >= ours(&report, "PACMRM", one, "AveP"));
    for worse in ["Co-occurrence", "Translation"] {
        let task = "annotation, the union of queries";
        assert!(ours(&report, "FACMRM", task, "F") > ours(&report, worse, task, "F"), "{worse}");
    }
}
