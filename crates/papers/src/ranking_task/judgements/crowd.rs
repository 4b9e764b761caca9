//! The crowd against the experts, Table 10, and what its judgements add, section 4.3.2.

use rebus_eval::agreement::{Threshold, ThresholdGrid};
use rebus_eval::report::System;

use super::super::published::{
    self, CROWD_KAPPA, CROWD_PRECISION, CROWD_RECALL, CROWD_RELEVANT, CROWD_THRESHOLDS,
};
use super::data::Data;
use super::{expert_thresholds, undefined};
use crate::Result;

const TABLE_A: &str = "crowd-kappa";
const TABLE_B: &str = "crowd-against-experts";
const COUNTS: &str = "relevant-answers";
const ADDED: &str = "relevant-pairs";
/// The tasks, and what they are headed with.
pub(super) const HEADINGS: [(&str, &str); 4] = [
    (TABLE_A, "Table 10 (a): kappa of the crowd"),
    (TABLE_B, "Table 10 (b): the crowd at 0.66 against the experts"),
    (COUNTS, "Section 4.3.2: of 1,000 items, how many have so many relevant answers"),
    (ADDED, "Section 4.3.2: relevant pairs"),
];

/// Adds the figures of Table 10 to the rows, which are the experts' thresholds.
///
/// A pair that the experts saw and the crowd did not has the score 0: the filter held it to be
/// irrelevant, and the paper's later measures take it so.
pub(super) fn table(data: &Data, rows: Vec<System>) -> Result<Vec<System>> {
    let (pairs, experts) = data.expert_scores();
    let crowd: Vec<f64> =
        pairs.iter().map(|pair| data.crowd.get(pair).map_or(0.0, |votes| votes.share())).collect();
    let mut columns: Vec<Threshold> =
        CROWD_THRESHOLDS.iter().map(|&(_, threshold)| Threshold(threshold)).collect();
    columns.push(Threshold(CROWD_RELEVANT));
    let grid = ThresholdGrid::new((&crowd, &columns), (&experts, &expert_thresholds()))
        .map_err(undefined(TABLE_A))?;
    let with_kappas = |(row, mut system): (usize, System)| {
        for (column, (label, _)) in CROWD_THRESHOLDS.iter().enumerate() {
            let kappa = grid.at(row, column).kappa().ok().map(|kappa| kappa.kappa);
            system = system.figure(TABLE_A, label, kappa);
            system = system.published(TABLE_A, label, CROWD_KAPPA[row][column]);
        }
        let overlap = grid.at(row, CROWD_THRESHOLDS.len());
        system = system
            .figure(TABLE_B, "precision", overlap.precision().ok())
            .figure(TABLE_B, "recall", overlap.recall().ok())
            .figure(TABLE_B, "F1", overlap.f1().ok());
        for (measure, quoted) in [("precision", CROWD_PRECISION), ("recall", CROWD_RECALL)] {
            if let Some(value) = quoted[row] {
                system = system.published(TABLE_B, measure, value);
            }
        }
        system
    };
    Ok(rows.into_iter().enumerate().map(with_kappas).collect())
}

/// How many images a caption describes, how many captions an image has, and how many pairs the
/// crowd adds to those of an image and its own caption, which always count.
pub(super) fn relevant_pairs(data: &Data) -> Vec<System> {
    let n = data.captions.len();
    let (mut of_caption, mut of_image) = (vec![1_usize; n], vec![1_usize; n]);
    let mut added = 0;
    for (pair, votes) in &data.crowd {
        if !pair.is_own() && votes.share() >= CROWD_RELEVANT {
            of_caption[pair.caption] += 1;
            of_image[pair.image] += 1;
            added += 1;
        }
    }
    vec![
        System::new("crowd >= 0.66")
            .figure(ADDED, "added to the images' own", f64::from(added))
            .published(ADDED, "added to the images' own", published::ADDED),
        spread("captions", &of_caption, published::IMAGES_A_CAPTION),
        spread("images", &of_image, published::CAPTIONS_AN_IMAGE),
    ]
}

fn spread(name: &str, answers: &[usize], printed: [f64; 4]) -> System {
    const MEASURES: [&str; 4] = ["one", "two", "three", "four or more"];
    let mut counts = [0_usize; 4];
    for &answers in answers {
        counts[answers.min(4) - 1] += 1;
    }
    MEASURES.iter().zip(counts).zip(printed).fold(
        System::new(name),
        |system, ((measure, count), printed)| {
            system.figure(COUNTS, measure, count as f64).published(COUNTS, measure, printed)
        },
    )
}
