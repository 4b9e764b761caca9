//! Looking at every vector in 8 bits, then again at the best few in 16.
//!
//! Half the bytes of a vector are read, which is what a large scan waits for. A row is its numbers in
//! steps of its largest divided by 127; so is the query. What comes out best is scored again by the
//! vectors themselves, so that scores are exact and only a photo near the border may be missed.

use rayon::prelude::*;

use super::nearest::Nearest;
use super::scan::{WORD, scan};
use super::{Exact, Scored, VectorEngine, Vectors, wide};
use crate::{PhotoId, Result, Selection};

/// The largest code.
const MOST: f32 = 127.0;
/// How many more photos than asked for are scored again: a factor, and a number at least.
const AGAIN: (usize, usize) = (3, 50);

/// Codes of all vectors in memory, over the vectors they stand for.
pub struct Quantised {
    exact: Exact,
    dimensions: usize,
    codes: Vec<i8>,
    /// A row's step.
    steps: Vec<f32>,
}

impl Quantised {
    /// Makes the codes of a file's vectors.
    ///
    /// # Errors
    /// If vectors are damaged.
    pub fn new(vectors: Vectors) -> Result<Self> {
        vectors.trust(None)?;
        let (rows, dimensions) = (vectors.len(), vectors.dimensions());
        let mut codes = vec![0; rows * dimensions];
        let mut steps = vec![0.0; rows];
        codes.par_chunks_mut(dimensions.max(1)).zip(&mut steps).enumerate().for_each(
            |(row, (codes, step))| {
                let vector = vectors.widened(row);
                *step = step_of(&vector);
                for (code, value) in codes.iter_mut().zip(vector) {
                    *code = (value / *step).round() as i8;
                }
            },
        );
        Ok(Self { exact: Exact::new(vectors), dimensions, codes, steps })
    }

    /// Bytes that the codes take.
    pub fn bytes(&self) -> usize {
        self.codes.len() + 4 * self.steps.len()
    }

    fn candidates(&self, query: &[f32], count: usize, among: Option<&Selection>) -> Vec<PhotoId> {
        let step = step_of(query);
        let query: Vec<i16> = query.iter().map(|value| (value / step).round() as i16).collect();
        let score = |from: usize, scores: &mut [f32]| {
            let to = from + scores.len();
            let mut products = [0; WORD];
            let products = &mut products[..scores.len()];
            let codes = &self.codes[from * self.dimensions..to * self.dimensions];
            wide::code_products(codes, &query, products);
            for ((score, &product), step) in
                scores.iter_mut().zip(&*products).zip(&self.steps[from..to])
            {
                *score = product as f32 * step;
            }
        };
        let keeper = || Nearest::new(count);
        let kept = scan(self.steps.len(), among, score, keeper, Nearest::show, Nearest::merge);
        kept.into_sorted().into_iter().map(|(id, _)| id).collect()
    }
}

/// The step in which a vector's largest number is the largest code.
fn step_of(vector: &[f32]) -> f32 {
    let largest = vector.iter().fold(0.0f32, |most, value| most.max(value.abs()));
    if largest > 0.0 { largest / MOST } else { 1.0 }
}

impl VectorEngine for Quantised {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn nearest(
        &self,
        query: &[f32],
        count: usize,
        among: Option<&Selection>,
    ) -> Result<Vec<Scored>> {
        self.exact.check(query)?;
        let (factor, least) = AGAIN;
        let again = count.saturating_mul(factor).max(count.saturating_add(least));
        if again >= self.steps.len() {
            return self.exact.nearest(query, count, among);
        }
        let ids = self.candidates(query, again, among);
        let mut kept = Nearest::new(count);
        for (id, score) in ids.iter().zip(self.exact.scores(query, &ids)?) {
            if let Some(score) = score {
                kept.show(*id, score);
            }
        }
        Ok(kept.into_sorted())
    }

    fn above(&self, query: &[f32], least: f32, among: Option<&Selection>) -> Result<Vec<Scored>> {
        self.exact.above(query, least, among)
    }

    fn scores(&self, query: &[f32], of: &[PhotoId]) -> Result<Vec<Option<f32>>> {
        self.exact.scores(query, of)
    }
}

#[cfg(test)]
mod tests {
    use rebus_collection::ContentHash;

    use super::*;
    use crate::vectors::VectorWriter;

    const WIDTH: usize = 37;

    fn random(seed: u64) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / 16_777_216.0 - 0.5
        };
        (0..WIDTH).map(|_| next()).collect()
    }

    #[test]
    fn it_finds_what_the_exact_engine_finds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let model = ContentHash::of(b"model");
        let mut writer = VectorWriter::create(&path, model, WIDTH).unwrap();
        (0..5000).for_each(|row| writer.push(&random(row)).unwrap());
        writer.push(&[0.0; WIDTH]).unwrap();
        let committed = writer.commit().unwrap();
        let vectors = Vectors::open(&path, model, WIDTH, &committed).unwrap();
        let (exact, quantised) = (Exact::new(vectors.clone()), Quantised::new(vectors).unwrap());
        let some: Selection = (0..5001).filter(|id| id % 3 != 0).map(PhotoId).collect();
        let (mut same, mut all) = (0, 0);
        for query in 10_000..10_050 {
            let query = random(query);
            for among in [None, Some(&some)] {
                let want = exact.nearest(&query, 10, among).unwrap();
                let found = quantised.nearest(&query, 10, among).unwrap();
                assert_eq!(found.len(), 10);
                all += want.len();
                // Scores are those of the vectors, to the last bit.
                same += found.iter().filter(|scored| want.contains(scored)).count();
            }
        }
        assert!(same * 1000 >= all * 995, "{same} of {all}");
        let query = random(77);
        assert_eq!(
            quantised.nearest(&query, 5000, None).unwrap(),
            exact.nearest(&query, 5000, None).unwrap()
        );
    }
}
