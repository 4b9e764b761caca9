//! Going along links from photo to photo instead of looking at all of them: a hierarchical navigable
//! small world (Malkov and Yashunin, 2018).
//!
//! Every photo is linked with some that are near it (`build.rs`), fewer and fewer of them on higher
//! layers; a search comes down through the layers and then goes from better to better photo
//! (`walk.rs`). It looks at a few thousand vectors of a million and may miss a photo. What it finds
//! is scored by the vectors themselves, so that scores are those of [`Exact`]. `file.rs` is the graph
//! on disk.
//!
//! Checking whole blocks of vectors for the few rows that a walk touches would cost more than the walk:
//! who shows photos checks theirs ([`Vectors::trust_photos`]).
//!
//! Where few photos are asked about, or so many that going along links would be no faster, every one
//! of them is looked at instead.

mod build;
mod file;
mod walk;

pub use file::Graph;

use super::nearest::Nearest;
use super::{Exact, Scored, VectorEngine, Vectors};
use crate::{Result, Selection};
use walk::{Scratch, Walk};

/// How many photos are kept in view beside those asked for: a share of them, and a number at least, or
/// the root of all photos.
const VIEW: (f64, usize) = (0.5, 150);
/// About so many vectors are looked at for each photo in view, each about as dear as so many of
/// those that one looks at in their order.
const LOOKS: f64 = 12.0;
const DEARER: f64 = 2.5;

/// A graph over the vectors of a file.
#[derive(Debug, Clone)]
pub struct Hnsw {
    exact: Exact,
    graph: Graph,
}

impl Hnsw {
    /// Over vectors, by their graph; what the graph lacks is looked at one by one.
    pub fn new(vectors: Vectors, graph: Graph) -> Self {
        Self { exact: Exact::new(vectors), graph }
    }

    /// How many photos are kept in view to find `count` among the `wanted` ones; `None` if looking at
    /// every one of these is no slower.
    fn view(&self, count: usize, wanted: usize) -> Option<usize> {
        let all = self.exact.vectors().len();
        // Among more photos more are nearly as good: the first found are less surely the best.
        let view = count + VIEW.1.max((count as f64 * VIEW.0) as usize).max(all.isqrt());
        // Photos that are not wanted are passed through on the way.
        let passed = all as f64 / wanted.max(1) as f64;
        let cost = view as f64 * LOOKS * DEARER * passed;
        (cost < wanted as f64).then_some(view)
    }

    /// The best photos of the graph.
    fn along_links(&self, query: &[f32], view: usize, among: Option<&Selection>) -> Vec<Scored> {
        let vectors = self.exact.vectors();
        let rows = self.graph.len().min(vectors.len());
        let walk = Walk { links: &self.graph, vectors, query, rows };
        let mut scratch = Scratch::default();
        let Some(start) = walk.descend(0, &mut scratch) else { return Vec::new() };
        let wanted = |id| among.is_none_or(|among| among.contains(id));
        walk.explore(&[start], 0, view, wanted, &mut scratch)
    }
}

impl VectorEngine for Hnsw {
    fn dimensions(&self) -> usize {
        self.exact.dimensions()
    }

    fn nearest(
        &self,
        query: &[f32],
        count: usize,
        among: Option<&Selection>,
    ) -> Result<Vec<Scored>> {
        self.exact.check(query)?;
        let rows = self.exact.vectors().len();
        let wanted = match among {
            Some(among) => among.len(),
            None => rows,
        };
        let Some(view) = self.view(count, wanted) else {
            return self.exact.nearest(query, count, among);
        };
        let found = self.along_links(query, view, among);
        // What the graph does not have yet.
        let mut behind = Selection::first(rows);
        behind.subtract(&Selection::first(self.graph.len()));
        if let Some(among) = among {
            behind.intersect(among);
        }
        if found.len() + behind.len() < count.min(wanted) {
            return self.exact.nearest(query, count, among);
        }
        let mut kept = Nearest::new(count);
        let behind = self.exact.nearest(query, count, Some(&behind))?;
        found.into_iter().chain(behind).for_each(|(id, score)| kept.show(id, score));
        Ok(kept.into_sorted())
    }

    fn above(&self, query: &[f32], least: f32, among: Option<&Selection>) -> Result<Vec<Scored>> {
        self.exact.above(query, least, among)
    }

    fn scores(&self, query: &[f32], of: &[crate::PhotoId]) -> Result<Vec<Option<f32>>> {
        self.exact.scores_as_they_are(query, of)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rebus_collection::{ContentHash, Progress, Silent};

    use super::*;
    use crate::vectors::{Committed, VectorWriter};
    use crate::{Error, PhotoId};

    const WIDTH: usize = 24;
    const BLOCK: usize = 4096;

    /// A vector of length 1 near one of fifty places, by its number.
    fn vector(number: u64) -> Vec<f32> {
        let numbers = |seed: u64, size: f32| -> Vec<f32> {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let next = |_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                size * ((state >> 40) as f32 / 16_777_216.0 - 0.5)
            };
            (0..WIDTH).map(next).collect()
        };
        let place = numbers(number % 50 + 1_000_003, 1.0);
        let own = numbers(number + 7, 0.9);
        let mut sum: Vec<f32> = place.iter().zip(own).map(|(a, b)| a + b).collect();
        let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        sum.iter_mut().for_each(|value| *value /= length);
        sum
    }

    struct Made {
        folder: tempfile::TempDir,
        vectors: Vectors,
        committed: Committed,
    }

    impl Made {
        fn of(rows: impl Iterator<Item = Vec<f32>>) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("1.vectors");
            let model = ContentHash::of(b"model");
            let mut writer = VectorWriter::create(&path, model, WIDTH).unwrap();
            rows.for_each(|row| writer.push(&row).unwrap());
            let committed = writer.commit().unwrap();
            let vectors = Vectors::open(&path, model, WIDTH, &committed).unwrap();
            Self { folder, vectors, committed }
        }

        fn new(rows: usize) -> Self {
            Self::of((0..rows as u64).map(vector))
        }

        fn graph(&self) -> Graph {
            let path = self.folder.path().join("1.graph");
            Graph::build(&path, &self.vectors, &self.committed, &Silent).unwrap()
        }
    }

    /// The share of what the exact engine finds that is found along links.
    fn recall(made: &Made, engine: &Hnsw, count: usize, among: Option<&Selection>) -> f64 {
        let exact = Exact::new(made.vectors.clone());
        let (mut same, mut all) = (0, 0);
        for query in 0..60 {
            let query = vector(1_000_000 + query);
            let want = exact.nearest(&query, count, among).unwrap();
            let found = engine.along_links(&query, count + VIEW.1, among);
            all += want.len();
            // Scores are those of the vectors, to the last bit.
            same += want.iter().filter(|scored| found.contains(scored)).count();
        }
        same as f64 / all as f64
    }

    #[test]
    fn it_finds_nearly_all_that_the_exact_engine_finds() {
        let made = Made::new(2 * BLOCK);
        let engine = Hnsw::new(made.vectors.clone(), made.graph());
        assert_eq!(engine.graph.len(), 2 * BLOCK);
        let most: Selection = (0..2 * BLOCK as u32).filter(|id| id % 3 != 0).map(PhotoId).collect();
        for among in [None, Some(&most)] {
            let share = recall(&made, &engine, 10, among);
            assert!(share >= 0.98, "{share}");
        }
    }

    #[test]
    fn copies_of_one_photo_do_not_cut_others_off() {
        let rows = (0..BLOCK as u64).map(|row| vector(if row % 3 == 0 { 5 } else { row }));
        let made = Made::of(rows);
        let engine = Hnsw::new(made.vectors.clone(), made.graph());
        // Which of the copies are found does not matter, only how near what is found is.
        let exact = Exact::new(made.vectors.clone());
        let (mut same, mut all) = (0, 0);
        for query in 0..60 {
            let query = vector(1_000_000 + query);
            let want = exact.nearest(&query, 10, None).unwrap();
            let found = engine.along_links(&query, 160, None);
            same += want.iter().zip(&found).filter(|(want, found)| want.1 == found.1).count();
            all += want.len();
        }
        assert!(same * 100 >= all * 97, "{same} of {all}");
    }

    #[test]
    fn the_same_on_any_number_of_threads_and_in_one_go_or_in_two() {
        let made = Made::new(2 * BLOCK);
        let read = |path: &std::path::Path| std::fs::read(path).unwrap();
        let build = |name: &str, committed: &Committed, threads: usize| {
            let path = made.folder.path().join(name);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Graph::build(&path, &made.vectors, committed, &Silent).unwrap());
            read(&path)
        };
        let whole = build("one.graph", &made.committed, 1);
        assert_eq!(whole, build("three.graph", &made.committed, 3));
        let half = Made::new(BLOCK + 17);
        let first = build("later.graph", &half.committed, 2);
        assert!(first.len() < whole.len());
        assert_eq!(whole, build("later.graph", &made.committed, 2));
        // Nothing is left of what is written before it is in its place.
        let names = std::fs::read_dir(made.folder.path()).unwrap().count();
        assert_eq!(names, 4);
    }

    #[test]
    fn what_damaged_vectors_bring_forward_is_not_trusted() {
        let made = Made::new(2 * BLOCK);
        let graph = made.graph();
        // The last byte lies in the second block.
        let path = made.folder.path().join("1.vectors");
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 0x10;
        std::fs::write(&path, bytes).unwrap();
        let model = ContentHash::of(b"model");
        let vectors = Vectors::open(&path, model, WIDTH, &made.committed).unwrap();
        let engine = Hnsw::new(vectors.clone(), graph);
        let shown = |number: u64| -> Vec<PhotoId> {
            engine.along_links(&vector(number), 10, None).into_iter().map(|found| found.0).collect()
        };
        let second = |id: &PhotoId| id.0 as usize >= BLOCK;
        let both = [3, BLOCK as u64 + 3].map(shown).concat();
        let (bad, good): (Vec<PhotoId>, Vec<PhotoId>) = both.into_iter().partition(second);
        assert!(!good.is_empty() && vectors.trust_photos(&good).is_ok());
        assert!(
            !bad.is_empty() && matches!(vectors.trust_photos(&bad), Err(Error::Damaged { .. }))
        );
    }

    #[test]
    fn other_vectors_and_damage_are_found() {
        let made = Made::new(BLOCK + 100);
        let graph = made.graph();
        assert!(graph.is_whole());
        let other = Made::of((9..BLOCK as u64 + 9).map(vector));
        assert!(matches!(
            Graph::open(graph.path(), &other.committed),
            Err(Error::Damaged { what, .. }) if what.contains("other vectors")
        ));
        let engine = |graph: Graph| Hnsw::new(made.vectors.clone(), graph);
        let bytes = std::fs::read(graph.path()).unwrap();
        let path = made.folder.path().join("bad.graph");
        for at in [0, 9, 30, 60, 90] {
            let mut bad = bytes.clone();
            bad[at] ^= 0x40;
            std::fs::write(&path, &bad).unwrap();
            assert!(Graph::open(&path, &made.committed).is_err(), "byte {at}");
        }
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(Graph::open(&path, &made.committed).is_err());
        // Damage behind the header is found by who looks, and does no harm to who does not.
        for at in (200..bytes.len()).step_by(bytes.len() / 40) {
            let mut bad = bytes.clone();
            bad[at..].iter_mut().take(5).for_each(|byte| *byte = 0xff);
            std::fs::write(&path, &bad).unwrap();
            if let Ok(graph) = Graph::open(&path, &made.committed) {
                assert!(!graph.is_whole(), "byte {at}");
                engine(graph).along_links(&vector(3), 20, None);
            }
        }
        // One that is damaged is not gone on with.
        let mended = Graph::build(&path, &made.vectors, &made.committed, &Silent).unwrap();
        assert!(mended.is_whole());
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn whoever_interrupts_keeps_what_was_there() {
        struct Stop;
        impl Progress for Stop {
            fn begin(&self, _: &str, _: Option<u64>) {}
            fn advance(&self, _: u64) {}
            fn interrupted(&self) -> bool {
                true
            }
        }
        let made = Made::new(2 * BLOCK);
        let half = Made::new(BLOCK);
        let path = made.folder.path().join("1.graph");
        Graph::build(&path, &made.vectors, &half.committed, &Silent).unwrap();
        let built = Graph::build(&path, &made.vectors, &made.committed, &Stop);
        assert!(matches!(built, Err(Error::Interrupted)));
        assert_eq!(Graph::open(&path, &made.committed).unwrap().len(), BLOCK);
    }

    #[test]
    fn too_few_photos_make_no_graph() {
        let made = Made::new(100);
        let graph = made.graph();
        assert!(graph.is_empty());
        let engine = Hnsw::new(made.vectors.clone(), graph);
        assert!(engine.along_links(&vector(1), 10, None).is_empty());
        let exact = Exact::new(made.vectors);
        let (query, all) = (vector(2), None);
        assert_eq!(engine.nearest(&query, 7, all).unwrap(), exact.nearest(&query, 7, all).unwrap());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        /// Whatever is asked: only photos that are wanted, as many as there are, in order, with their
        /// own scores; and what lies behind the graph is found like the rest.
        #[test]
        fn filters_always_hold(
            query in 0u64..1000,
            count in 0usize..400,
            every in 1u32..4000,
            rest in 0u32..4000,
        ) {
            static MADE: std::sync::OnceLock<(Made, Hnsw)> = std::sync::OnceLock::new();
            let (made, engine) = MADE.get_or_init(|| {
                let made = Made::new(2 * BLOCK + 333);
                let engine = Hnsw::new(made.vectors.clone(), made.graph());
                (made, engine)
            });
            let rows = made.vectors.len() as u32;
            let among: Selection =
                (0..rows).filter(|id| id % every <= rest % every).map(PhotoId).collect();
            let query = vector(2_000_000 + query);
            let found = engine.nearest(&query, count, Some(&among)).unwrap();
            prop_assert_eq!(found.len(), count.min(among.len()));
            let ids: Vec<PhotoId> = found.iter().map(|scored| scored.0).collect();
            prop_assert!(ids.iter().all(|&id| among.contains(id)));
            let scores = engine.scores(&query, &ids).unwrap();
            prop_assert!(found.iter().zip(scores).all(|(found, score)| Some(found.1) == score));
            prop_assert!(found.is_sorted_by(|a, b| crate::vectors::nearest::order(a, b).is_lt()));
            let want = Exact::new(made.vectors.clone()).nearest(&query, count, Some(&among)).unwrap();
            let same = want.iter().filter(|scored| found.contains(scored)).count();
            prop_assert!(same * 10 >= want.len() * 8, "{} of {}", same, want.len());
            let last = |id: &&PhotoId| id.0 >= 2 * BLOCK as u32;
            let behind = want.iter().map(|scored| &scored.0).filter(last);
            prop_assert!(behind.into_iter().all(|id| ids.contains(id)));
        }
    }
}
