//! Looking at every vector.

use rayon::prelude::*;

use super::nearest::{Nearest, order};
use super::scan::scan;
use super::{Scored, VectorEngine, Vectors};
use crate::{Error, PhotoId, Result, Selection};

/// Photos that one task scores.
const FEW: usize = 1024;

/// The reference: every vector is compared, on all cores.
#[derive(Debug, Clone)]
pub struct Exact {
    vectors: Vectors,
}

impl Exact {
    /// Over the vectors of a file.
    pub fn new(vectors: Vectors) -> Self {
        Self { vectors }
    }

    /// The vectors.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    pub(super) fn check(&self, query: &[f32]) -> Result<()> {
        let expected = self.vectors.dimensions();
        if query.len() != expected {
            return Err(Error::Shape { expected, found: query.len() });
        }
        match query.iter().position(|value| !value.is_finite()) {
            Some(column) => Err(Error::NotFinite { column, value: query[column] }),
            None => Ok(()),
        }
    }

    /// The scores of photos by vectors as they lie there, whole or not.
    pub(super) fn scores_as_they_are(
        &self,
        query: &[f32],
        of: &[PhotoId],
    ) -> Result<Vec<Option<f32>>> {
        self.check(query)?;
        let one = |id: &PhotoId| {
            let row = id.0 as usize;
            let mut score = [0.0];
            (row < self.vectors.len()).then(|| {
                self.vectors.score(row, query, &mut score);
                score[0]
            })
        };
        // Waking others takes longer than a few.
        Ok(if of.len() < 2 * FEW {
            of.iter().map(one).collect()
        } else {
            of.par_iter().with_min_len(FEW).map(one).collect()
        })
    }

    /// Shows every photo asked for, with its score, to keepers.
    fn scan<K: Send>(
        &self,
        query: &[f32],
        among: Option<&Selection>,
        keeper: impl Fn() -> K + Sync + Send,
        show: impl Fn(&mut K, PhotoId, f32) + Sync + Send,
        merge: impl Fn(K, K) -> K + Sync + Send,
    ) -> K {
        let score = |from: usize, scores: &mut [f32]| self.vectors.score(from, query, scores);
        scan(self.vectors.len(), among, score, keeper, show, merge)
    }
}

impl VectorEngine for Exact {
    fn dimensions(&self) -> usize {
        self.vectors.dimensions()
    }

    fn nearest(
        &self,
        query: &[f32],
        count: usize,
        among: Option<&Selection>,
    ) -> Result<Vec<Scored>> {
        self.check(query)?;
        self.vectors.trust(among)?;
        let keeper = || Nearest::new(count);
        Ok(self.scan(query, among, keeper, Nearest::show, Nearest::merge).into_sorted())
    }

    fn above(&self, query: &[f32], least: f32, among: Option<&Selection>) -> Result<Vec<Scored>> {
        self.check(query)?;
        self.vectors.trust(among)?;
        let show = |kept: &mut Vec<Scored>, id, score| {
            if score >= least {
                kept.push((id, score));
            }
        };
        let merge = |mut a: Vec<Scored>, b| {
            a.extend(b);
            a
        };
        let mut found = self.scan(query, among, Vec::new, show, merge);
        found.par_sort_unstable_by(order);
        Ok(found)
    }

    fn scores(&self, query: &[f32], of: &[PhotoId]) -> Result<Vec<Option<f32>>> {
        self.vectors.trust_photos(of)?;
        self.scores_as_they_are(query, of)
    }
}

#[cfg(test)]
mod tests {
    use rebus_collection::ContentHash;

    use super::*;
    use crate::vectors::VectorWriter;

    /// `count` vectors of 20 numbers, many of which score alike.
    fn engine(count: usize) -> (tempfile::TempDir, Exact) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let model = ContentHash::of(b"model");
        let mut writer = VectorWriter::create(&path, model, 20).unwrap();
        for row in 0..count {
            let vector: Vec<f32> =
                (0..20).map(|k| ((row * 31 + k * k * 7) % 13) as f32 / 8.0 - 0.75).collect();
            writer.push(&vector).unwrap();
        }
        let committed = writer.commit().unwrap();
        let vectors = Vectors::open(&path, model, 20, &committed).unwrap();
        (folder, Exact::new(vectors))
    }

    fn query() -> Vec<f32> {
        (0..20).map(|k| (k as f32 - 9.0) / 16.0).collect()
    }

    /// One by one, by the definition.
    fn by_hand(engine: &Exact, among: Option<&Selection>) -> Vec<Scored> {
        let mut all: Vec<Scored> = (0..engine.vectors().len() as u32)
            .map(PhotoId)
            .filter(|&id| among.is_none_or(|among| among.contains(id)))
            .map(|id| {
                let row = engine.vectors().row(id).unwrap().unwrap();
                (id, row.iter().zip(query()).map(|(a, b)| a * b).sum())
            })
            .collect();
        all.sort_by(order);
        all
    }

    #[test]
    fn it_finds_what_comparing_one_by_one_finds() {
        for count in [0, 1, 64, 1000, 16_384 + 70] {
            let (_folder, engine) = engine(count);
            let sparse: Selection = (0..count as u32 + 9).step_by(7).map(PhotoId).collect();
            let dense: Selection =
                (0..count as u32 + 9).filter(|id| id % 5 != 0).map(PhotoId).collect();
            for among in [None, Some(&sparse), Some(&dense), Some(&Selection::new())] {
                // Numbers of these tests are sums of few bits: every order of adding is exact.
                let all = by_hand(&engine, among);
                for k in [0, 1, 10, count + 5] {
                    let want = &all[..k.min(all.len())];
                    assert_eq!(engine.nearest(&query(), k, among).unwrap(), want);
                }
                let least = all.get(all.len() / 3).map_or(0.0, |scored| scored.1);
                let want: Vec<Scored> =
                    all.iter().copied().filter(|scored| scored.1 >= least).collect();
                assert_eq!(engine.above(&query(), least, among).unwrap(), want);
                let (ids, scores): (Vec<PhotoId>, Vec<Option<f32>>) =
                    all.iter().map(|&(id, score)| (id, Some(score))).unzip();
                assert_eq!(engine.scores(&query(), &ids).unwrap(), scores);
            }
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let (_folder, engine) = engine(40_000);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| engine.nearest(&query(), 100, None).unwrap())
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (_folder, engine) = engine(3);
        assert!(matches!(
            engine.nearest(&[1.0; 19], 1, None),
            Err(Error::Shape { expected: 20, found: 19 })
        ));
        let mut bad = query();
        bad[4] = f32::NAN;
        assert!(matches!(engine.above(&bad, 0.0, None), Err(Error::NotFinite { column: 4, .. })));
        assert_eq!(engine.scores(&query(), &[PhotoId(3)]).unwrap(), [None]);
    }
}
