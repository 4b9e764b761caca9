//! Section 5.3: ranked retrieval, Table 1 and Figure 4.

use rebus_collection::{Matrix, counted};
use rebus_eval::report::{Evidence, Plot, System};
use rebus_eval::significance::{Stars, WilcoxonParams, wilcoxon};
use rebus_eval::{Measure, Query};
use rebus_models::DualEncoder;

use super::data::Photos;
use super::published::TABLE_1;
use super::queries::{Asked, mean, queries, rankings, relevant, values};
use crate::Result;

/// The task of Figure 4.
const CURVE: &str = "Figure 4: precision at levels of recall, all queries";

/// Every set of queries.
pub(super) struct Table {
    sets: Vec<Vec<Asked>>,
}

/// A model's rankings for every set of queries, in the order of Table 1.
pub(super) struct Ranked {
    pub(super) name: String,
    sets: Vec<Vec<Query>>,
}

impl Ranked {
    fn average_precision(&self, set: usize) -> Result<Vec<f64>> {
        Ok(values(&"MAP".parse::<Measure>()?, &self.sets[set]))
    }

    /// Mean average precision of the queries of one word.
    pub(super) fn one_word(&self) -> Result<Option<f64>> {
        Ok(mean(&self.average_precision(0)?))
    }
}

impl Table {
    pub(super) fn new(photos: &Photos<'_>) -> Self {
        Self { sets: TABLE_1.iter().map(|column| queries(photos, column.words)).collect() }
    }

    pub(super) fn rank(
        &self,
        name: &str,
        model: &dyn DualEncoder,
        features: &Matrix,
    ) -> Result<Ranked> {
        let sets = self.sets.iter().map(|set| rankings(model, features, set));
        Ok(Ranked { name: name.to_owned(), sets: sets.collect::<Result<_>>()? })
    }

    /// Table 1: the queries, each model, and whether it differs from the first.
    pub(super) fn systems(&self, ranked: &[Ranked]) -> Result<Vec<System>> {
        let mut queries = System::new("queries");
        let mut systems: Vec<System> =
            ranked.iter().map(|ranked| System::new(&ranked.name)).collect();
        for (set, column) in TABLE_1.iter().enumerate() {
            let task = task(column.words);
            queries = queries
                .figure(&task, "queries", self.sets[set].len() as f64)
                .figure(&task, "relevant", relevant(&self.sets[set]) as f64)
                .published(&task, "queries", column.queries)
                .published(&task, "relevant", column.relevant);
            let Some(base) = ranked.first() else { continue };
            let base = base.average_precision(set)?;
            for (at, (system, ranked)) in systems.iter_mut().zip(ranked).enumerate() {
                let values = ranked.average_precision(set)?;
                // All queries alike: there is nothing to test.
                let p = wilcoxon(&values, &base, &WilcoxonParams::default()).ok().map(|it| it.p);
                let evidence = match p {
                    Some(p) if at > 0 => Evidence {
                        mark: Stars::of(p).to_string(),
                        p: Some(p),
                        ..Evidence::default()
                    },
                    _ => Evidence::default(),
                };
                let taken = std::mem::take(system);
                *system = taken.figure_with(&task, "AveP", mean(&values), evidence);
                let printed = match ranked.name.as_str() {
                    super::PACMRM => Some(column.pacmrm),
                    super::DRCMRM => Some(column.drcmrm),
                    _ => None,
                };
                if let Some(printed) = printed {
                    *system = std::mem::take(system).published(&task, "AveP", printed);
                }
            }
        }
        let mut all = vec![queries];
        all.extend(systems);
        Ok(all)
    }

    /// Figure 4: figures and the plot.
    pub(super) fn curve(&self, ranked: &[Ranked]) -> Result<(Vec<System>, Plot)> {
        let mut plot = Plot::lines(
            "Figure 4: 11-point recall and precision, queries of 1 to 4 words",
            "recall",
            "precision",
        );
        let mut systems = Vec::new();
        for ranked in ranked {
            let mut points = Vec::new();
            let mut system = System::new(&ranked.name);
            for level in 0..=10 {
                let recall = f64::from(level) / 10.0;
                let measure: Measure = format!("iprec@{recall:.1}").parse()?;
                let all: Vec<f64> =
                    ranked.sets.iter().flat_map(|set| values(&measure, set)).collect();
                let precision = mean(&all);
                system = system.figure(CURVE, &format!("{recall:.1}"), precision);
                points.extend(precision.map(|precision| (recall, precision)));
            }
            systems.push(system);
            plot = plot.series(&ranked.name, points);
        }
        Ok((systems, plot))
    }
}

fn task(words: usize) -> String {
    format!("Table 1: queries of {}", counted(words as u64, "word"))
}
