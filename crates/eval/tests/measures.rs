//! One suite for every measure: range, order of the input, ties, undefined queries.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use proptest::prelude::*;
use rebus_eval::{
    Evaluation, MEASURES, Measure, Options, ParameterKind, Qrels, Query, Run, Ties, Topics,
    evaluate,
};

/// Every measure with some parameters.
fn all() -> Vec<Measure> {
    let names = MEASURES.iter().flat_map(|definition| {
        let name = definition.name;
        let parameters: &[&str] = match definition.parameter {
            ParameterKind::Nothing => &[""],
            ParameterKind::Cutoff => &["@1", "@3", "@1000"],
            ParameterKind::OptionalCutoff => &["", "@1", "@4"],
            ParameterKind::Share { .. } => &["", "@0", "@0.5", "@1"],
        };
        parameters.iter().map(move |parameter| format!("{name}{parameter}"))
    });
    names.map(|name| name.parse().unwrap()).collect()
}

/// Scored and perhaps judged documents.
fn topic() -> impl Strategy<Value = Vec<(u8, Option<i32>)>> {
    prop::collection::vec((0u8..6, prop::option::of(-1i32..4)), 0..25)
}

fn files(documents: &[(u8, Option<i32>)], order: &[usize]) -> (Run, Qrels) {
    let mut run = Run::new("test");
    let mut qrels = Qrels::new();
    // So that the topic is judged and retrieved at all.
    qrels.judge("q", "elsewhere", 0).unwrap();
    run.add("q", "nowhere", -1.0).unwrap();
    for &at in order {
        let (score, grade) = documents[at];
        let name = format!("d{at}");
        run.add("q", &name, f64::from(score)).unwrap();
        if let Some(grade) = grade {
            qrels.judge("q", &name, grade).unwrap();
        }
    }
    run.sort().unwrap();
    (run, qrels)
}

fn values(
    documents: &[(u8, Option<i32>)],
    order: &[usize],
    ties: Ties,
    threshold: i32,
) -> Evaluation {
    let (run, qrels) = files(documents, order);
    let options = Options { ties, threshold, topics: Topics::Common };
    evaluate(&run, &qrels, &all(), options)
}

proptest! {
    #[test]
    fn every_value_is_in_range(documents in topic(), threshold in 0i32..3) {
        let order: Vec<usize> = (0..documents.len()).collect();
        for ties in Ties::ALL {
            let evaluation = values(&documents, &order, ties, threshold);
            for (measure, value) in evaluation.measures.iter().zip(&evaluation.per_query[0]) {
                if let Some(value) = *value {
                    let (low, high) = measure.definition().range;
                    prop_assert!(value >= low - 1e-9 && value <= high + 1e-9, "{measure} {value}");
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_input_does_not_matter(
        (documents, order) in topic().prop_flat_map(|documents| {
            let order: Vec<usize> = (0..documents.len()).collect();
            (Just(documents), Just(order).prop_shuffle())
        }),
    ) {
        let sorted: Vec<usize> = (0..documents.len()).collect();
        for ties in Ties::ALL {
            let a = values(&documents, &sorted, ties, 1);
            let b = values(&documents, &order, ties, 1);
            prop_assert_eq!(a.per_query, b.per_query);
        }
    }

    #[test]
    fn ties_lie_between_worst_and_best(documents in topic(), threshold in 0i32..3) {
        let order: Vec<usize> = (0..documents.len()).collect();
        let of = |ties| values(&documents, &order, ties, threshold);
        let (worst, best) = (of(Ties::Worst), of(Ties::Best));
        for rule in [Ties::Trec, Ties::Mean] {
            let between = of(rule);
            for (at, measure) in worst.measures.iter().enumerate() {
                let value = |evaluation: &Evaluation| evaluation.per_query[0][at];
                let (Some(low), Some(middle), Some(high)) = (value(&worst), value(&between), value(&best)) else {
                    prop_assert_eq!(value(&worst), value(&best), "undefined by a tie: {}", measure);
                    continue;
                };
                // Ranks are better the lower they are.
                let (low, high) = if measure.definition().range.0 == 1.0 { (high, low) } else { (low, high) };
                prop_assert!(low <= middle + 1e-9 && middle <= high + 1e-9,
                    "{}: {} {} {} under {}", measure, low, middle, high, rule);
            }
        }
    }

    #[test]
    fn where_nothing_is_tied_the_rule_does_not_matter(grades in prop::collection::vec(prop::option::of(0i32..3), 0..20)) {
        let ranking = |grades: &[Option<i32>]| grades.iter().enumerate().map(|(at, &grade)| (-(at as f64), grade)).collect::<Vec<_>>();
        let of = |ties| {
            let judged: Vec<i32> = grades.iter().flatten().copied().collect();
            Query::from_grades(ranking(&grades).into_iter(), judged.into_iter(), 1, ties)
        };
        for measure in all() {
            let worst = measure.of(&of(Ties::Worst));
            for rule in Ties::ALL {
                prop_assert_eq!(measure.of(&of(rule)), worst);
            }
        }
    }

    /// The expected value against the plain mean over every order of a small tie.
    #[test]
    fn the_mean_is_the_mean_over_all_orders(grades in prop::collection::vec(prop::option::of(0i32..3), 1..6), above in 0usize..3) {
        let judged: Vec<i32> = grades.iter().flatten().copied().chain([1, 0]).collect();
        let tied = (0..above).map(|at| (9.0 - at as f64, Some(0))).chain(grades.iter().map(|&grade| (1.0, grade)));
        let query = Query::from_grades(tied, judged.iter().copied(), 1, Ties::Mean);
        let mut orders = Vec::new();
        permute(&mut grades.clone(), 0, &mut |order| orders.push(order.to_vec()));
        for measure in all() {
            if measure.definition().name.contains("iprec") || measure.definition().name.starts_with("11") {
                continue;
            }
            let Some(expected) = measure.of(&query) else { continue };
            let sum: f64 = orders.iter().map(|order| {
                let ranking = (0..above).map(|_| Some(0)).chain(order.iter().copied()).enumerate();
                let ranking = ranking.map(|(at, grade)| (-(at as f64), grade));
                measure.of(&Query::from_grades(ranking, judged.iter().copied(), 1, Ties::Trec)).unwrap()
            }).sum();
            prop_assert!((expected - sum / orders.len() as f64).abs() < 1e-9, "{}", measure);
        }
    }
}

fn permute(items: &mut Vec<Option<i32>>, from: usize, take: &mut impl FnMut(&[Option<i32>])) {
    if from == items.len() {
        return take(items);
    }
    for at in from..items.len() {
        items.swap(from, at);
        permute(items, from + 1, take);
        items.swap(from, at);
    }
}

#[test]
fn a_topic_without_relevant_documents_is_undefined_and_counted() {
    let (run, qrels) = files(&[(1, Some(0)), (2, None)], &[0, 1]);
    let measures =
        Measure::parse_list("MAP,nDCG,R@5,R-precision,bpref,MRR,11-point,median,P@5,S@5").unwrap();
    let evaluation = evaluate(&run, &qrels, &measures, Options::default());
    assert_eq!(evaluation.undefined(), [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(evaluation.figures()[0], None);
    assert_eq!(evaluation.figures()[8], Some(0.0));
}

#[test]
fn topics_missing_on_either_side() {
    let mut run = Run::new("test");
    let mut qrels = Qrels::new();
    qrels.judge("both", "a", 1).unwrap();
    qrels.judge("judged", "a", 1).unwrap();
    run.add("both", "a", 1.0).unwrap();
    run.add("found", "a", 1.0).unwrap();
    run.sort().unwrap();
    let measures = Measure::parse_list("MAP,median").unwrap();
    let common = evaluate(&run, &qrels, &measures, Options::default());
    assert_eq!(
        (common.figures(), common.queries),
        (vec![Some(1.0), Some(1.0)], vec!["both".to_owned()])
    );
    assert_eq!(common.without_results, ["judged"]);
    assert_eq!(common.not_judged, ["found"]);
    let options = Options { topics: Topics::AllJudged, ..Options::default() };
    let complete = evaluate(&run, &qrels, &measures, options);
    assert_eq!(complete.figures(), [Some(0.5), Some(1.0)]);
    assert_eq!(complete.undefined(), [0, 1]);
}

#[test]
fn ties_at_the_cut_off_are_counted() {
    // Ranks 2 and 3 share a score, and one of the two is relevant.
    let documents = [(5, Some(0)), (3, Some(1)), (3, None), (1, Some(0))];
    let (run, qrels) = files(&documents, &[0, 1, 2, 3]);
    let measures = Measure::parse_list("P@1,P@2,P@3,MAP").unwrap();
    let evaluation = evaluate(&run, &qrels, &measures, Options::default());
    assert_eq!(evaluation.ties, [0, 1, 0, 1]);
}
