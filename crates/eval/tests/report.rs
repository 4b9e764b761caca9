//! Every rendering of one small report, recorded; and text that tries to break them.
//!
//! After a wanted change, `INSTA_UPDATE=always cargo test -p rebus-eval --test report` records the
//! new output; look at the difference before committing it.

// The lints spare test functions, but not those that they call.
#![allow(clippy::expect_used, clippy::panic)]

use insta::assert_snapshot;
use proptest::prelude::*;
use quick_xml::events::Event;
use rebus_eval::report::{Evidence, Plot, Protocol, Report, Scale, System};

fn small() -> Report {
    let protocol = Protocol::new().with("ties", "worst: against the system").with("queries", 1000);
    let mut report = Report::new(protocol);
    let starred =
        |mark: &str, p: f64| Evidence { mark: mark.into(), p: Some(p), ..Evidence::default() };
    let runs = Evidence { deviation: Some(0.004), ..Evidence::default() };
    report.systems.push(
        System::new("NN & co_1")
            .figure_with("annotation", "R@1", 0.025, starred("***", 0.000_01))
            .figure("annotation", "median", 251.0)
            .published("annotation", "R@1", 0.025)
            .published("annotation", "median", 251.0)
            .figure_with("search", "R@1", 0.026, starred("**", 0.0312)),
    );
    report.systems.push(
        System::new("KCCA")
            .figure_with("annotation", "R@1", 0.081, runs)
            .figure("annotation", "median", 33.5)
            .published("annotation", "R@1", 0.083)
            .published("annotation", "median", 34.0)
            .figure("search", "R@1", None),
    );
    report.notes.push("search: 3 queries of KCCA have no gold item".into());
    report.plots.push(
        Plot::lines("Recall of the gold item", "k", "R@k")
            .scale(Scale::Log)
            .series("NN & co_1", vec![(1.0, 0.025), (5.0, 0.06), (10.0, 0.1), (100.0, 0.42)])
            .series("KCCA", vec![(1.0, 0.081), (5.0, 0.2), (10.0, 0.3), (100.0, 0.71)]),
    );
    report.plots.push(Plot::ranks("Ranks, KCCA", [1, 1, 1, 4, 9, 30, 120]));
    report
}

#[test]
fn text() {
    assert_snapshot!(small().to_text());
}

#[test]
fn json() {
    assert_snapshot!(format!("{:#}", small().to_json()));
}

#[test]
fn csv() {
    assert_snapshot!(small().to_csv());
}

#[test]
fn latex() {
    assert_snapshot!(small().to_latex());
}

#[test]
fn html() {
    assert_snapshot!(small().to_html());
}

#[test]
fn many_measures_go_down_the_page() {
    let mut report = Report::new(Protocol::new());
    let mut system = System::new("run");
    for k in 1..=9 {
        system = system.figure("search", &format!("P@{k}"), 0.1 * f64::from(k));
    }
    report.systems.push(system.published("search", "P@9", 0.95));
    assert_snapshot!(report.to_text());
}

#[test]
fn programs_go_by_the_name_of_a_task_and_people_by_its_heading() {
    let mut report = Report::new(Protocol::new());
    report.systems.push(System::new("run").figure("found", "recall", 0.5));
    report.head("found", "the 7 words that it finds");
    let json = report.to_json();
    assert_eq!(json["systems"][0]["found"]["recall"], 0.5);
    assert_eq!(json["tasks"]["found"], "the 7 words that it finds");
    assert!(report.to_csv().contains("\"run\",\"found\",\"recall\",0.5"), "{}", report.to_csv());
    assert!(report.to_text().contains("\nthe 7 words that it finds\n"));
    assert!(report.to_html().contains("The 7 words that it finds"));
}

#[test]
fn an_empty_report_has_its_protocol() {
    let report = Report::new(Protocol::new());
    for text in [report.to_text(), report.to_csv(), report.to_latex(), report.to_html()] {
        assert!(text.contains("shares from 0 to 1"), "{text}");
    }
}

#[test]
fn not_a_number_is_undefined() {
    let mut report = Report::new(Protocol::new());
    report.systems.push(System::new("run").figure("search", "MAP", f64::NAN));
    assert!(report.to_json()["systems"][0]["search"]["MAP"].is_null());
    assert!(report.to_text().contains("undefined"));
}

#[test]
fn the_page_asks_nothing_of_the_network() {
    let page = small().to_html();
    for outside in ["src=", "href=", "url(", "@import", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// The text of an XML piece; fails where it is not well formed.
fn xml_text(xml: &str) -> String {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut text = String::new();
    let mut depth = 0;
    loop {
        match reader.read_event().expect("well formed") {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(piece) => text.push_str(&piece),
            Event::GeneralRef(name) => text.push_str(match &*name {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                "quot" => "\"",
                "#39" => "'",
                other => panic!("unknown entity {other}"),
            }),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    text
}

#[test]
fn plots_are_well_formed() {
    let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 1e-300];
    let points: Vec<(f64, f64)> = odd.iter().flat_map(|&x| odd.map(|y| (x, y))).collect();
    let mut plots = small().plots;
    for scale in [Scale::Linear, Scale::Log] {
        plots.push(Plot::lines("odd", "x", "y").scale(scale).series("points", points.clone()));
        plots.push(Plot::lines("none", "x", "y").scale(scale));
        plots.push(Plot::lines("one", "x", "y").scale(scale).series("a", vec![(3.0, 3.0)]));
    }
    plots.push(odd.iter().fold(Plot::bars("odd", "x", "y"), |plot, &value| plot.bar("b", value)));
    plots.push(Plot::bars("below", "x", "y").bar("a", -2.0).bar("b", 3.0));
    for plot in plots {
        let svg = plot.to_svg();
        xml_text(&svg);
        // Places are what attributes hold; labels and descriptions may speak of what is odd.
        let mut reader = quick_xml::Reader::from_str(&svg);
        loop {
            let tag = match reader.read_event().expect("well formed") {
                Event::Start(tag) | Event::Empty(tag) => tag,
                Event::Eof => break,
                _ => continue,
            };
            let tag = tag.to_string();
            assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag} in {}", plot.title);
        }
    }
}

proptest! {
    #[test]
    fn any_name_survives_svg(name in "\\PC{0,40}") {
        let svg = Plot::lines(&name, "x", "y").series("a", vec![(1.0, 1.0)]).to_svg();
        prop_assert!(xml_text(&svg).contains(&name));
    }

    #[test]
    fn any_name_survives_html(name in any::<String>()) {
        let mut report = Report::new(Protocol::new().with("file", name.as_str()));
        report.systems.push(System::new(name.as_str()).figure("search", "R@1", 0.5));
        let page = report.to_html();
        // As many tags as a harmless name makes: nothing of the name became markup.
        let mut harmless = Report::new(Protocol::new().with("file", "x"));
        harmless.systems.push(System::new("x").figure("search", "R@1", 0.5));
        prop_assert_eq!(page.matches('<').count(), harmless.to_html().matches('<').count());
    }

    #[test]
    fn any_name_survives_csv(name in any::<String>(), note in any::<String>()) {
        let mut report = Report::new(Protocol::new());
        report.systems.push(System::new(name.as_str()).figure("search", "R@1", 0.5));
        report.notes.push(note);
        let text = report.to_csv();
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(records.len(), 1);
        prop_assert_eq!(&records[0][0], name.as_str());
        prop_assert_eq!(&records[0][3], "0.5");
    }

    #[test]
    fn any_name_survives_latex(name in any::<String>()) {
        let mut report = Report::new(Protocol::new());
        report.systems.push(System::new(name.as_str()).figure("search", "R@1", 0.5));
        let text = report.to_latex();
        // Braces balance and no line breaks out of its row.
        let mut depth = 0_i64;
        let mut escaped = false;
        for c in text.lines().filter(|line| !line.starts_with('%')).flat_map(str::chars) {
            match c {
                _ if escaped => escaped = false,
                '\\' => { escaped = true; continue }
                '{' => depth += 1,
                '}' => depth -= 1,
                '#' | '%' | '_' | '~' => prop_assert!(false, "bare {} in {}", c, text),
                _ => {}
            }
            prop_assert!(depth >= 0);
        }
        prop_assert_eq!(depth, 0);
        prop_assert_eq!(text.matches('&').count() - text.matches("\\&").count(), 2);
    }
}
