//! What the BLEU filters remove and lose, section 4.3.2, and what a random pair scores.

use rayon::prelude::*;
use rebus_collection::Progress;
use rebus_eval::captions::{unigram_bleu, unigram_rouge};
use rebus_eval::report::{Plot, System};

use super::super::published::{self, FILTERS, Filter, FilterKind};
use super::approximations::Prepared;
use super::data::{Data, POOL_CAPTION, Pair};
use super::{at_least, words::Words};
use crate::{Error, Result};

const FILTER: &str = "filter";
const JUDGED: &str = "crowd-judged";
const RANDOM: &str = "all-pairs";
/// The tasks, and what they are headed with.
pub(super) const HEADINGS: [(&str, &str); 3] = [
    (FILTER, "Section 4.3.2: what a filter removes (%)"),
    (JUDGED, "Section 4.3.2: pairs the crowd judged"),
    (RANDOM, "Section 4.2.2 and Table 2: all pairs of the pool"),
];

/// Scores of every pair of an image (row) and a caption of the pool (column).
struct Scores {
    columns: usize,
    values: Vec<f64>,
}

impl Scores {
    /// Scores every pair; a pair without words scores 0.
    fn new<F>(texts: &[Vec<Words>], progress: &dyn Progress, score: F) -> Result<Self>
    where
        F: Fn(&Words, &[Words]) -> Option<f64> + Sync,
    {
        let row = |references: &Vec<Words>| {
            if progress.interrupted() {
                return Err(Error::from(rebus_collection::Error::Interrupted));
            }
            let scores = texts.iter().map(|s| score(&s[POOL_CAPTION], references).unwrap_or(0.0));
            progress.advance(1);
            Ok(scores.collect::<Vec<f64>>())
        };
        let rows: Result<Vec<Vec<f64>>> = texts.par_iter().map(row).collect();
        Ok(Self { columns: texts.len(), values: rows?.concat() })
    }

    fn of(&self, pair: Pair) -> f64 {
        self.values[pair.image * self.columns + pair.caption]
    }

    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Percent of all pairs for which this holds.
    fn percent(&self, holds: impl Fn(f64) -> bool) -> f64 {
        let count = self.values.iter().filter(|&&value| holds(value)).count();
        100.0 * count as f64 / self.values.len() as f64
    }
}

/// BLEU and ROUGE of every pair.
pub(super) struct AllPairs {
    bleu: Scores,
    bleu_pre: Scores,
    rouge: Scores,
    bigrams: Scores,
}

impl AllPairs {
    pub(super) fn new(data: &Data, prepared: &Prepared, progress: &dyn Progress) -> Result<Self> {
        progress.begin("scoring all pairs", Some(4 * data.captions.len() as u64));
        let (plain, stemmed) = (&prepared.plain.0, &prepared.stemmed.0);
        Ok(Self {
            bleu: Scores::new(plain, progress, unigram_bleu)?,
            bleu_pre: Scores::new(stemmed, progress, unigram_bleu)?,
            rouge: Scores::new(stemmed, progress, unigram_rouge)?,
            bigrams: Scores::new(stemmed, progress, |s, r| Some(share_two_words(s, r)))?,
        })
    }

    /// Whether a filter removes a pair of this score.
    fn removes(filter: &Filter, score: f64) -> bool {
        match filter.kind {
            FilterKind::BleuPre | FilterKind::Bleu => score < filter.threshold,
            FilterKind::BleuAbove => score <= filter.threshold,
        }
    }

    fn scores(&self, kind: FilterKind) -> &Scores {
        match kind {
            FilterKind::BleuPre => &self.bleu_pre,
            FilterKind::Bleu | FilterKind::BleuAbove => &self.bleu,
        }
    }

    /// A row a filter; the first, which the paper used, also with what the crowd saw of it.
    pub(super) fn filters(&self, data: &Data) -> Vec<System> {
        let mut rows: Vec<System> =
            FILTERS.iter().map(|filter| self.filter(filter, data)).collect();
        rows[0] = self.judged(rows[0].clone(), data);
        rows
    }

    fn filter(&self, filter: &Filter, data: &Data) -> System {
        let scores = self.scores(filter.kind);
        let removes = |score: f64| Self::removes(filter, score);
        let lost = |thirds| lost(data, thirds, |pair| removes(scores.of(pair)));
        let mut system = System::new(filter.label);
        for (measure, ours, printed) in [
            ("of all pairs", Some(scores.percent(removes)), filter.removed),
            ("of expert >= 2.66", lost(8), filter.lost_2_66),
            ("of expert >= 3.0", lost(9), filter.lost_3),
        ] {
            system = system.figure(FILTER, measure, ours);
            if let Some(printed) = printed {
                system = system.published(FILTER, measure, printed);
            }
        }
        system
    }

    /// How many judged pairs the filter would have kept and removed, and what the crowd said of
    /// the removed ones.
    fn judged(&self, mut system: System, data: &Data) -> System {
        let removed = |pair: &Pair| Self::removes(&FILTERS[0], self.bleu_pre.of(*pair));
        let shown = || data.crowd.iter().filter(|(pair, _)| !pair.is_own());
        let of_removed: Vec<_> =
            shown().filter(|(pair, _)| removed(pair)).map(|(_, votes)| *votes).collect();
        let percent = |count: usize| {
            (!of_removed.is_empty()).then(|| 100.0 * count as f64 / of_removed.len() as f64)
        };
        let all_no = of_removed.iter().filter(|votes| votes.yes == 0).count();
        let most_no = of_removed.iter().filter(|votes| votes.yes < votes.no).count();
        for (measure, ours, printed) in [
            ("kept", Some((shown().count() - of_removed.len()) as f64), published::JUDGED_KEPT),
            ("removed", Some(of_removed.len() as f64), published::JUDGED_REMOVED),
            ("removed, nobody said yes (%)", percent(all_no), published::REMOVED_ALL_NO),
            ("removed, most said no (%)", percent(most_no), published::REMOVED_MAJORITY_NO),
        ] {
            system = system.figure(JUDGED, measure, ours).published(JUDGED, measure, printed);
        }
        system
    }

    /// What a caption drawn by chance scores.
    pub(super) fn random(&self) -> System {
        let above_zero = |scores: &Scores| scores.percent(|score| score > 0.0);
        let mut system = System::new("random");
        for (measure, ours, printed) in [
            ("BLEU", self.bleu.mean(), published::RANDOM_BLEU),
            ("ROUGE", self.rouge.mean(), published::RANDOM_ROUGE),
            ("share a word (%)", above_zero(&self.bleu_pre), published::NONZERO_UNIGRAMS),
            ("share two in a row (%)", above_zero(&self.bigrams), published::NONZERO_BIGRAMS),
        ] {
            system = system.figure(RANDOM, measure, ours).published(RANDOM, measure, printed);
        }
        system
    }

    /// What BLEU_pre removes and loses over its thresholds.
    pub(super) fn plot(&self, data: &Data) -> Plot {
        let thresholds: Vec<f64> = (0..=20).map(|step| f64::from(step) / 20.0).collect();
        let line = |share: &dyn Fn(f64) -> Option<f64>| {
            thresholds.iter().filter_map(|&at| Some((at, share(at)?))).collect()
        };
        let lost_at =
            |thirds| move |at: f64| lost(data, thirds, |pair| self.bleu_pre.of(pair) < at);
        Plot::lines("What the BLEU_pre filter removes", "least BLEU_pre that passes", "% removed")
            .series("all pairs", line(&|at| Some(self.bleu_pre.percent(|score| score < at))))
            .series("expert >= 2.66", line(&lost_at(8)))
            .series("expert >= 3.0", line(&lost_at(9)))
    }
}

/// Percent of the pairs with at least this expert score that are removed.
fn lost(data: &Data, thirds: u32, removed: impl Fn(Pair) -> bool) -> Option<f64> {
    let (pairs, scores) = data.expert_scores();
    let good: Vec<Pair> = pairs
        .into_iter()
        .zip(scores)
        .filter(|&(_, score)| score >= at_least(thirds).0)
        .map(|(pair, _)| pair)
        .collect();
    let count = good.iter().filter(|&&pair| removed(pair)).count();
    (!good.is_empty()).then(|| 100.0 * count as f64 / good.len() as f64)
}

/// 1 where a caption has two words in a row that a reference has too, else 0.
fn share_two_words(s: &Words, references: &[Words]) -> f64 {
    let shared = s.windows(2).any(|two| references.iter().any(|r| r.windows(2).any(|r| r == two)));
    if shared { 1.0 } else { 0.0 }
}
