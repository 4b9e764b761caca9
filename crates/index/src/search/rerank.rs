//! A second look at the first few, by a system that looks at picture and text together.

use std::time::{Duration, Instant};

use rebus_collection::Matrix;
use rebus_models::PairScorer;
use rustc_hash::FxHashMap;

use super::evidence::Judged;
use crate::{PhotoId, Result};

/// Photos that are scored at once: the time is looked at in between.
const BATCH: usize = 16;

/// The features of photos, a row each, from the scorer's extractor.
pub type FeaturesOf<'a> = dyn Fn(&[PhotoId]) -> Result<Matrix> + Send + Sync + 'a;

/// How the first photos are put into a better order.
///
/// Only the order changes: relevance, and with it what is a match, stays that of the first stage.
#[derive(Clone, Copy)]
pub struct Rerank<'a> {
    /// What scores them.
    pub scorer: &'a dyn PairScorer,
    /// Their features.
    pub features: &'a FeaturesOf<'a>,
    /// How many are scored at most.
    pub first: usize,
    /// How long it may take; those that were not reached stay behind, as they were.
    pub budget: Duration,
}

impl Rerank<'_> {
    /// Orders the first of `ranked` anew, and says what they scored.
    pub(super) fn apply<T: Copy>(
        &self,
        ranked: &mut [(Judged, T)],
        text: String,
    ) -> Result<FxHashMap<PhotoId, f32>> {
        let mut scores = FxHashMap::default();
        if text.is_empty() {
            return Ok(scores);
        }
        let start = Instant::now();
        let first = self.first.min(ranked.len());
        let mut reached = 0;
        while reached < first && start.elapsed() < self.budget {
            let batch = &ranked[reached..first.min(reached + BATCH)];
            let ids: Vec<PhotoId> = batch.iter().map(|(judged, _)| judged.id).collect();
            let found = self.scorer.score(&(self.features)(&ids)?, &[&text])?;
            scores.extend(ids.iter().copied().zip(found.values().iter().copied()));
            reached += ids.len();
        }
        let score = |judged: &Judged| scores.get(&judged.id).copied().unwrap_or(f32::NEG_INFINITY);
        ranked[..reached].sort_by(|(a, _), (b, _)| score(b).total_cmp(&score(a)));
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores a picture by its only feature, slowly.
    struct Slow(Duration);

    impl PairScorer for Slow {
        fn extractor(&self) -> &str {
            "number/1"
        }

        fn score(&self, features: &Matrix, _texts: &[&str]) -> rebus_models::Result<Matrix> {
            std::thread::sleep(self.0);
            Ok(features.clone())
        }
    }

    fn ranked() -> Vec<(Judged, ())> {
        let judged =
            |id| Judged { id: PhotoId(id), relevance: 1.0 / f64::from(id + 1), score: None };
        (0..40).map(|id| (judged(id), ())).collect()
    }

    fn ids(ranked: &[(Judged, ())]) -> Vec<u32> {
        ranked.iter().map(|(judged, ())| judged.id.0).collect()
    }

    #[test]
    fn the_first_are_ordered_anew_as_far_as_time_allows() {
        let features = |ids: &[PhotoId]| {
            let values = ids.iter().map(|id| id.0 as f32).collect();
            Ok(Matrix::new(ids.len(), 1, values)?)
        };
        let run = |pause: Duration, budget: Duration, text: &str| {
            let mut ranked = ranked();
            let scorer = Slow(pause);
            let rerank = Rerank { scorer: &scorer, features: &features, first: 20, budget };
            let scores = rerank.apply(&mut ranked, text.into()).unwrap();
            (ids(&ranked), scores.len())
        };
        let (order, scored) = run(Duration::ZERO, Duration::from_secs(60), "a dog");
        let want: Vec<u32> = (0..20).rev().chain(20..40).collect();
        assert_eq!((order, scored), (want, 20));
        // One batch is always tried; the second finds the time gone.
        let (order, scored) = run(Duration::from_millis(30), Duration::from_millis(10), "a dog");
        let want: Vec<u32> = (0..16).rev().chain(16..40).collect();
        assert_eq!((order, scored), (want, 16));
        assert_eq!(run(Duration::ZERO, Duration::from_secs(60), "").1, 0);
    }
}
