//! What people's judgements say about the systems, on the test split: the rate of success and
//! R-precision (Tables 4, 5, 6 and 12), the experts' scores of first captions (Tables 1 and 2), and
//! how alike measures rank the systems (Table 7).
//!
//! A pair is relevant if at least 0.66 of the crowd said so, or if the caption was written for the
//! image; pairs that the crowd was not shown count as irrelevant (section 4.3.3). Experts judged
//! the first captions of the paper's own systems: the first captions of ours are judged only where
//! they are the same, and the tables say for how many images that is so.

use rebus_collection::Matrix;
use rebus_eval::captions::{unigram_bleu, unigram_rouge};
use rebus_eval::correlation::system_rankings;
use rebus_eval::report::{Report, System};
use rebus_eval::{Query, Ties};
use rebus_text::Analysis;

use super::super::judgements::{Data as Judgements, POOL_CAPTION, Pair, Texts, at_least};
use super::super::published::CROWD_RELEVANT;
use super::data::{Data, Part};
use super::experiment::Outcome;
use super::figures::{Measured, Paper, TASKS, compared};
use crate::Result;

const MEASURES: &str = "S@1,S@5,S@10,R-precision";
const TABLE_12: [&str; 2] = ["Table 12: annotation", "Table 12: search"];
const TABLE_5: &str = "Table 5: R-precision";
const TABLE_1: &str = "Table 1: first captions, % of those judged";
const TABLE_2: &str = "Table 2: first captions, mean";

/// Table 1's thresholds, in thirds, as they are printed.
const EXPERT_THRESHOLDS: [(&str, u32); 7] = [
    ("= 4.0", 12),
    (">= 3.66", 11),
    (">= 3.33", 10),
    (">= 3.0", 9),
    (">= 2.66", 8),
    (">= 2.33", 7),
    (">= 2.0", 6),
];

/// Tables 1 and 2, by system: shares at the thresholds; then mean expert score, BLEU and ROUGE.
const PRINTED: [(&str, [f64; 7], [f64; 3]); 5] = [
    ("NN5-F1-idf", [3.4, 4.1, 5.2, 8.5, 11.4, 16.3, 27.1], [1.57, 0.35, 0.11]),
    ("BoW1", [6.6, 8.1, 9.9, 18.3, 22.9, 29.7, 44.2], [1.90, 0.43, 0.14]),
    ("BoW5", [9.7, 11.8, 13.6, 19.8, 24.7, 33.0, 46.9], [1.98, 0.46, 0.15]),
    ("TAGRANK", [9.6, 12.3, 14.2, 21.1, 25.8, 32.9, 46.2], [1.99, 0.46, 0.15]),
    ("TRI5SEM", [11.0, 13.3, 15.7, 23.0, 28.1, 36.9, 53.0], [2.08, 0.48, 0.17]),
];

/// Table 7: rho and tau for annotation, then for search. (a) S@k against R@k.
const SUCCESS_AND_RECALL: [(&str, [f64; 4]); 3] = [
    ("S@1 and R@1", [0.86, 0.69, 0.97, 0.87]),
    ("S@5 and R@5", [0.92, 0.76, 0.97, 0.88]),
    ("S@10 and R@10", [0.96, 0.82, 0.97, 0.87]),
];
/// (b) R-precision against the automatic measures.
const PRECISION_AND_RECALL: [(&str, [f64; 4]); 4] = [
    ("R-precision and R@1", [0.85, 0.68, 0.94, 0.83]),
    ("R-precision and R@5", [0.93, 0.78, 0.96, 0.87]),
    ("R-precision and R@10", [0.94, 0.79, 0.97, 0.89]),
    ("R-precision and median", [-0.92, -0.79, -0.97, -0.89]),
];

/// Adds the tables to the report of Table 11, system by system, and Table 7 at its end.
pub(super) fn add(
    report: &mut Report,
    data: &Data,
    judgements: &Judgements,
    outcomes: &[Outcome],
    baseline: usize,
    paper: Paper,
) -> Result<()> {
    let queries: Vec<[Vec<Query>; 2]> =
        outcomes.iter().map(|outcome| relevance(judgements, data, outcome)).collect();
    let measured: Vec<Measured<'_>> = outcomes
        .iter()
        .zip(&queries)
        .map(|(outcome, queries)| Measured {
            name: outcome.system.name,
            queries: [&queries[0], &queries[1]],
            printed: (paper == Paper::Beside).then_some(outcome.system.success),
        })
        .collect();
    let success = compared(&measured, MEASURES, TABLE_12, baseline)?;
    let prepared = Prepared::new(&data.report);
    for ((row, table), outcome) in report.systems.iter_mut().zip(success.systems).zip(outcomes) {
        row.ours.extend(table.ours);
        row.paper.extend(table.paper);
        let with = totals(std::mem::take(row), outcome, paper);
        *row = first_captions(with, data, judgements, &prepared, outcome, paper);
    }
    report.systems.extend(table_7(report, paper));
    report.notes.extend(success.notes);
    Ok(())
}

/// Where the relevant items stand, both ways.
fn relevance(judgements: &Judgements, data: &Data, outcome: &Outcome) -> [Vec<Query>; 2] {
    let relevant = |image: usize, caption: usize| {
        let pair = judgements.pair(&data.report.items, image, caption);
        image == caption
            || pair.is_some_and(|pair| {
                judgements.crowd.get(&pair).is_some_and(|votes| votes.share() >= CROWD_RELEVANT)
            })
    };
    let [annotation, search] = &outcome.scores;
    let n = annotation.rows();
    let images = (0..n).map(|image| {
        query((0..n).map(|caption| (annotation.row(image)[caption], relevant(image, caption))))
    });
    let captions = (0..n).map(|caption| {
        query((0..n).map(|image| (search.row(image)[caption], relevant(image, caption))))
    });
    [images.collect(), captions.collect()]
}

fn query(scored: impl Iterator<Item = (f32, bool)>) -> Query {
    let mut ranking: Vec<(f64, Option<i32>)> =
        scored.map(|(score, relevant)| (f64::from(score), Some(i32::from(relevant)))).collect();
    ranking.sort_by(|a, b| b.0.total_cmp(&a.0));
    let judged: Vec<i32> = ranking.iter().filter_map(|(_, grade)| *grade).collect();
    Query::from_grades(ranking.into_iter(), judged.into_iter(), 1, Ties::Worst)
}

/// Table 5: R-precision of both tasks and their mean. Table 6 is the same figures, arranged.
fn totals(system: System, outcome: &Outcome, paper: Paper) -> System {
    let of = |task: &str| {
        let task = system.ours.iter().find(|known| known.name == task)?;
        task.figures.iter().find(|figure| figure.measure == "R-precision")?.value
    };
    let total = of(TABLE_12[0]).zip(of(TABLE_12[1])).map(|(a, b)| 0.5 * (a + b));
    let printed = 0.5 * (outcome.system.success[0][3] + outcome.system.success[1][3]);
    let system = system.figure(TABLE_5, "mean of both tasks", total);
    match paper {
        Paper::Beside => system.published(TABLE_5, "mean of both tasks", printed),
        Paper::Absent => system,
    }
}

/// The captions in both preparations of section 4.2.2.
struct Prepared {
    plain: Texts,
    stemmed: Texts,
}

impl Prepared {
    fn new(part: &Part) -> Self {
        Self {
            plain: Texts::new(&part.captions, &Analysis::ranking_task()),
            stemmed: Texts::new(&part.captions, &Analysis::ranking_task_stemmed()),
        }
    }
}

/// Tables 1 and 2, for the caption that annotation returns first.
fn first_captions(
    mut system: System,
    data: &Data,
    judgements: &Judgements,
    prepared: &Prepared,
    outcome: &Outcome,
    paper: Paper,
) -> System {
    let first = firsts(&outcome.scores[0]);
    let pool = POOL_CAPTION;
    let scores: Vec<f64> = first
        .iter()
        .enumerate()
        .filter_map(|(image, &caption)| {
            let pair: Pair = judgements.pair(&data.report.items, image, caption)?;
            judgements.expert_score(pair)
        })
        .collect();
    let share =
        |count: usize| (!scores.is_empty()).then(|| 100.0 * count as f64 / scores.len() as f64);
    for (label, thirds) in EXPERT_THRESHOLDS {
        let count = scores.iter().filter(|&&score| score >= at_least(thirds).0).count();
        system = system.figure(TABLE_1, label, share(count));
    }
    system = system.figure(TABLE_1, "images judged", scores.len() as f64);
    let mean = |values: Vec<f64>| {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let by = |score: &dyn Fn(usize, usize) -> Option<f64>| {
        let of = |(image, &caption): (usize, &usize)| score(image, caption).unwrap_or(0.0);
        mean(first.iter().enumerate().map(of).collect())
    };
    let (plain, stemmed) = (&prepared.plain.0, &prepared.stemmed.0);
    let bleu = by(&|image, caption| unigram_bleu(&plain[caption][pool], &plain[image]));
    let rouge = by(&|image, caption| unigram_rouge(&stemmed[caption][pool], &stemmed[image]));
    system = system
        .figure(TABLE_2, "expert", mean(scores))
        .figure(TABLE_2, "BLEU", bleu)
        .figure(TABLE_2, "ROUGE", rouge);
    let printed = PRINTED.iter().find(|(name, ..)| *name == outcome.system.name);
    if let (Some((_, shares, means)), Paper::Beside) = (printed, paper) {
        for ((label, _), &value) in EXPERT_THRESHOLDS.iter().zip(shares) {
            system = system.published(TABLE_1, label, value);
        }
        for (measure, &value) in ["expert", "BLEU", "ROUGE"].iter().zip(means) {
            system = system.published(TABLE_2, measure, value);
        }
    }
    system
}

/// The caption with the highest score of each image; of equals the first.
fn firsts(scores: &Matrix) -> Vec<usize> {
    let first = |row: usize| {
        let best = |best: (usize, f32), (at, &score): (usize, &f32)| {
            if score > best.1 { (at, score) } else { best }
        };
        scores.row(row).iter().enumerate().fold((0, f32::NEG_INFINITY), best).0
    };
    (0..scores.rows()).map(first).collect()
}

/// Table 7, over the systems in the report; nothing where there are fewer than three.
fn table_7(report: &Report, paper: Paper) -> Vec<System> {
    let figures = |task: &str, measure: &str| -> Vec<Option<f64>> {
        let of = |system: &System| {
            let task = system.ours.iter().find(|known| known.name == task)?;
            task.figures.iter().find(|figure| figure.measure == measure)?.value
        };
        report.systems.iter().map(of).collect()
    };
    let whole = report.systems.len() == super::table::SYSTEMS.len();
    if report.systems.len() < 3 {
        return Vec::new();
    }
    let pairs = SUCCESS_AND_RECALL.iter().chain(&PRECISION_AND_RECALL);
    let row = |(name, printed): &(&str, [f64; 4])| {
        let (human, automatic) = name.split_once(" and ").unwrap_or((name, name));
        let mut system = System::new(*name);
        for (at, (task, table)) in TASKS.iter().zip(TABLE_12).enumerate() {
            let (one, other): (Vec<f64>, Vec<f64>) = figures(table, human)
                .into_iter()
                .zip(figures(task, automatic))
                .filter_map(|(a, b)| a.zip(b))
                .unzip();
            let relation = system_rankings(&one, &other).ok();
            let title = format!("Table 7: {task}");
            system = system
                .figure(&title, "rho", relation.map(|it| it.spearman.coefficient))
                .figure(&title, "tau", relation.map(|it| it.kendall.coefficient));
            if whole && paper == Paper::Beside {
                system = system.published(&title, "rho", printed[2 * at]).published(
                    &title,
                    "tau",
                    printed[2 * at + 1],
                );
            }
        }
        system
    };
    pairs.map(row).collect()
}

/// The mean over all systems of the share of first captions that experts judged, for the notes.
pub(super) fn judged_share(data: &Data, judgements: &Judgements, outcomes: &[Outcome]) -> f64 {
    let judged = |outcome: &Outcome| {
        let first = firsts(&outcome.scores[0]);
        let known = |&(image, caption): &(usize, usize)| {
            let pair = judgements.pair(&data.report.items, image, caption);
            pair.is_some_and(|pair| judgements.expert_score(pair).is_some())
        };
        let count = first.iter().copied().enumerate().filter(known).count();
        count as f64 / first.len().max(1) as f64
    };
    outcomes.iter().map(judged).sum::<f64>() / outcomes.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use rebus_eval::{Evaluation, Measure};

    use super::*;

    #[test]
    fn a_ranking_by_hand() {
        // Three relevant items of five, at ranks 1, 3 and 5: two of the first three.
        let queries = [query(
            [(0.9, true), (0.8, false), (0.7, true), (0.6, false), (0.5, true)].into_iter(),
        )];
        let measures = Measure::parse_list(MEASURES).unwrap();
        let figures = Evaluation::of_queries(&queries, &measures).figures();
        assert_eq!(figures[0], Some(1.0));
        assert!((figures[3].unwrap() - 2.0 / 3.0).abs() < 1e-9);
    }
}
