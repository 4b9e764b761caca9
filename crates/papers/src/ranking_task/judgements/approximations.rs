//! BLEU and ROUGE against the experts: Tables 8 and 9.

use rebus_eval::agreement::{Threshold, ThresholdGrid};
use rebus_eval::captions::{ReferenceChoice, unigram_bleu, unigram_rouge};
use rebus_eval::report::{Plot, System};
use rebus_text::Analysis;

use super::super::published::{EXPERT, KAPPA_TABLES, KappaTable, Measure};
use super::data::{Data, POOL_CAPTION, Pair};
use super::words::Texts;
use super::{expert_thresholds, undefined};
use crate::Result;

/// The captions in both preparations.
pub(super) struct Prepared {
    pub(super) plain: Texts,
    pub(super) stemmed: Texts,
}

impl Prepared {
    pub(super) fn new(data: &Data) -> Self {
        Self {
            plain: Texts::new(&data.captions, &Analysis::ranking_task()),
            stemmed: Texts::new(&data.captions, &Analysis::ranking_task_stemmed()),
        }
    }

    /// The measure of each pair; a pair without a score (no words) reaches no threshold above 0.
    fn scores(&self, measure: Measure, references: ReferenceChoice, pairs: &[Pair]) -> Vec<f64> {
        let score = |pair: &Pair| match measure {
            Measure::Bleu => {
                let references = references.of(&self.plain.0[pair.image], POOL_CAPTION);
                unigram_bleu(&self.plain.0[pair.caption][POOL_CAPTION], &references)
            }
            Measure::Rouge => {
                let references = references.of(&self.stemmed.0[pair.image], POOL_CAPTION);
                unigram_rouge(&self.stemmed.0[pair.caption][POOL_CAPTION], &references)
            }
        };
        pairs.iter().map(|pair| score(pair).unwrap_or(0.0)).collect()
    }
}

/// Adds the figures of Tables 8 and 9 to the rows, which are the experts' thresholds.
pub(super) fn tables(
    data: &Data,
    prepared: &Prepared,
    mut rows: Vec<System>,
) -> Result<Vec<System>> {
    for table in &KAPPA_TABLES {
        let kappa = kappas(data, prepared, table, &table.thresholds)?;
        rows = rows
            .into_iter()
            .enumerate()
            .map(|(row, system)| {
                table.thresholds.iter().enumerate().fold(system, |system, (column, threshold)| {
                    let measure = format!(">= {threshold:.1}");
                    system.figure(table.name, &measure, kappa[row][column]).published(
                        table.name,
                        &measure,
                        table.kappa[row][column],
                    )
                })
            })
            .collect();
    }
    Ok(rows)
}

/// A row for each of [`EXPERT`], a column for each threshold; the mean over the reference sets.
/// `None` where kappa is undefined.
fn kappas(
    data: &Data,
    prepared: &Prepared,
    table: &KappaTable,
    thresholds: &[f64],
) -> Result<Vec<Vec<Option<f64>>>> {
    let (pairs, experts) = data.expert_scores();
    let columns: Vec<Threshold> = thresholds.iter().copied().map(Threshold).collect();
    let mut grids = Vec::new();
    for &references in table.references {
        let scores = prepared.scores(table.measure, references, &pairs);
        let grid = ThresholdGrid::new((&scores, &columns), (&experts, &expert_thresholds()))
            .map_err(undefined(table.title))?;
        grids.push(grid);
    }
    let kappa = |row, column| {
        let each: Option<Vec<f64>> =
            grids.iter().map(|grid| Some(grid.at(row, column).kappa().ok()?.kappa)).collect();
        each.map(|each| each.iter().sum::<f64>() / each.len() as f64)
    };
    Ok((0..EXPERT.len())
        .map(|row| (0..thresholds.len()).map(|column| kappa(row, column)).collect())
        .collect())
}

/// Kappa over all thresholds of a measure, for the four sets of references.
pub(super) fn plots(data: &Data, prepared: &Prepared) -> Result<Vec<Plot>> {
    const ROW: usize = 2;
    const NAMES: [&str; 4] = ["all five", "the pool's", "four others", "one other"];
    let thresholds: Vec<f64> = (1..=20).map(|step| f64::from(step) / 20.0).collect();
    let mut plots = Vec::new();
    for (measure, name) in [(Measure::Bleu, "BLEU"), (Measure::Rouge, "ROUGE")] {
        let title = format!("Agreement of {name} with the experts ({})", EXPERT[ROW].label);
        let mut plot = Plot::lines(&title, &format!("least {name}"), "kappa");
        let tables = KAPPA_TABLES.iter().filter(|table| table.measure == measure);
        for (table, references) in tables.zip(NAMES) {
            let kappa = kappas(data, prepared, table, &thresholds)?;
            let points = thresholds.iter().zip(&kappa[ROW]);
            let points = points.filter_map(|(&at, &kappa)| Some((at, kappa?))).collect();
            plot = plot.series(references, points);
        }
        plots.push(plot);
    }
    Ok(plots)
}
