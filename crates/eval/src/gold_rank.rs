//! The rank of the gold item, from a matrix of scores, in both directions at once.
//!
//! Nothing is sorted: the rank of a gold item is one more than the number of items that score
//! higher. One pass over the matrix, row after row, counts them for both directions: along the row
//! for the image's captions, and down the columns for every caption's image, in counters that lie
//! beside each other. The matrix is never copied.

use std::ops::Range;

use rayon::prelude::*;
use rebus_collection::Matrix;

use crate::query::GoldItem;
use crate::{Error, GoldMap, Query, Result, Ties};

/// Columns looked at together, so that they stay in the nearest cache.
const TILE: usize = 2048;

/// Where the gold items stand, for both directions.
///
/// ```
/// use rebus_collection::Matrix;
/// use rebus_eval::{Evaluation, GoldMap, GoldRanks, Measure, Ties};
///
/// // Two images (rows), a caption each (columns).
/// let scores = Matrix::new(2, 2, vec![0.9, 0.1, 0.8, 0.3])?;
/// let ranks = GoldRanks::new(&scores, &GoldMap::even(2, 2)?, Ties::Worst)?;
/// let measures = Measure::parse_list("R@1,median")?;
/// let annotation = Evaluation::of_queries(&ranks.annotation, &measures);
/// assert_eq!(annotation.figures(), [Some(0.5), Some(1.5)]);
/// let search = Evaluation::of_queries(&ranks.search, &measures);
/// assert_eq!(search.figures(), [Some(1.0), Some(1.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GoldRanks {
    /// Images to texts: a query an image.
    pub annotation: Vec<Query>,
    /// Texts to images: a query a caption.
    pub search: Vec<Query>,
}

impl GoldRanks {
    /// Ranks from scores: a row an image, a column a caption.
    ///
    /// # Errors
    /// If the map does not fit the matrix, or a score is not finite (row and column are named).
    pub fn new(scores: &Matrix, map: &GoldMap, ties: Ties) -> Result<Self> {
        let (rows, columns) = (scores.rows(), scores.columns());
        if map.images() != rows || map.captions() != columns {
            let what = format!(
                "the matrix has {rows} x {columns} scores, of images and captions, the map {} x {}",
                map.images(),
                map.captions()
            );
            return Err(Error::Shape { what });
        }
        let pool = |count: usize| {
            let what = format!("a pool of {count} is too large");
            u32::try_from(count).map_err(|_| Error::Shape { what })
        };
        let (images, texts) = (pool(rows)?, pool(columns)?);
        let gold: Vec<f32> = map
            .image_of()
            .iter()
            .zip(0..)
            .map(|(&image, text)| scores.row(image as usize)[text])
            .collect();
        let counting = Counting { scores, map, gold: &gold, pool: texts, ties };
        let stripe = rows.div_ceil(4 * rayon::current_num_threads()).max(1);
        let stripes: Vec<Stripe> = (0..rows.div_ceil(stripe))
            .into_par_iter()
            .map(|at| {
                let rows = at * stripe..rows.min((at + 1) * stripe);
                counting.stripe(rows)
            })
            .collect();
        if !stripes.iter().all(|stripe| stripe.is_finite)
            && let Some((row, column)) = scores.first_not_finite()
        {
            return Err(Error::NotFinite { row, column, value: scores.row(row)[column] });
        }
        let mut columns = Columns::new(columns);
        let mut annotation = Vec::with_capacity(rows);
        for stripe in stripes {
            columns.add(&stripe.columns);
            annotation.extend(stripe.annotation);
        }
        let search = (0..texts as usize).into_par_iter().with_min_len(256);
        let search = search.map(|at| Query::from_gold(&[columns.item(at)], images, ties));
        Ok(Self { annotation, search: search.collect() })
    }

    /// Both directions by the names of their tasks.
    pub fn tasks(&self) -> [(&'static str, &[Query]); 2] {
        [("annotation", &self.annotation), ("search", &self.search)]
    }
}

/// By column, compared with the column's gold item.
struct Columns {
    /// Rows that score higher.
    higher: Vec<u32>,
    /// Rows that score as high, the gold item included.
    equal: Vec<u32>,
    /// Of these, rows after the gold item; counted only where ties are broken by position.
    ahead: Vec<u32>,
}

impl Columns {
    fn new(count: usize) -> Self {
        Self { higher: vec![0; count], equal: vec![0; count], ahead: vec![0; count] }
    }

    fn add(&mut self, other: &Self) {
        add(&mut self.higher, &other.higher);
        add(&mut self.equal, &other.equal);
        add(&mut self.ahead, &other.ahead);
    }

    fn item(&self, at: usize) -> GoldItem {
        GoldItem { before: self.higher[at], ahead: self.ahead[at], size: self.equal[at] }
    }
}

fn add(sums: &mut [u32], values: &[u32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

/// What some rows tell: the ranks of their own captions, and their part of the columns' counts.
struct Stripe {
    annotation: Vec<Query>,
    columns: Columns,
    is_finite: bool,
}

/// What is counted.
struct Counting<'a> {
    scores: &'a Matrix,
    map: &'a GoldMap,
    /// The score of each caption with its own image.
    gold: &'a [f32],
    pool: u32,
    ties: Ties,
}

impl Counting<'_> {
    /// Counts some rows, with the widest vector instructions that the processor has: binaries are
    /// built for any processor of the kind, which alone would halve the speed.
    fn stripe(&self, rows: Range<usize>) -> Stripe {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor was just asked whether it has AVX2.
            return unsafe { self.count_avx2(rows) };
        }
        self.count(rows)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn count_avx2(&self, rows: Range<usize>) -> Stripe {
        self.count(rows)
    }

    // Inlined with all it calls, so that it is compiled for the caller's instructions.
    #[inline(always)]
    fn count(&self, rows: Range<usize>) -> Stripe {
        let &Self { scores, map, gold, pool, ties } = self;
        let columns = scores.columns();
        let mut stripe = Stripe {
            annotation: Vec::with_capacity(rows.len()),
            columns: Columns::new(columns),
            is_finite: true,
        };
        let mut own: Vec<Own> = Vec::new();
        let mut items: Vec<GoldItem> = Vec::new();
        for row in rows {
            let values = scores.row(row);
            own.clear();
            own.extend(map.captions_of(row).iter().map(|&column| Own {
                column: column as usize,
                score: values[column as usize],
                higher: 0,
                equal: 0,
            }));
            for begin in (0..columns).step_by(TILE) {
                let tile = begin..columns.min(begin + TILE);
                let values = &values[tile.clone()];
                let higher = &mut stripe.columns.higher[tile.clone()];
                let equal = &mut stripe.columns.equal[tile.clone()];
                stripe.is_finite &= down(values, &gold[tile.clone()], higher, equal);
                for own in &mut own {
                    own.count(values);
                }
                if ties == Ties::Trec {
                    let image_of = &map.image_of()[tile.clone()];
                    let ahead = &mut stripe.columns.ahead[tile.clone()];
                    down_in_order(values, &gold[tile], image_of, row as u32, ahead);
                }
            }
            items.clear();
            items.extend(own.iter().map(|own| own.item(values)));
            items.sort_unstable();
            stripe.annotation.push(Query::from_gold(&items, pool, ties));
        }
        stripe
    }
}

/// One of an image's own captions.
struct Own {
    column: usize,
    score: f32,
    higher: u32,
    equal: u32,
}

impl Own {
    #[inline(always)]
    fn count(&mut self, values: &[f32]) {
        let score = self.score;
        let (mut higher, mut at_least) = (0u32, 0u32);
        for &value in values {
            // Wrapping, so that debug builds use vector instructions as well; a row is no longer.
            higher = higher.wrapping_add(u32::from(value > score));
            at_least = at_least.wrapping_add(u32::from(value >= score));
        }
        self.higher += higher;
        self.equal += at_least - higher;
    }

    fn item(&self, values: &[f32]) -> GoldItem {
        let ahead = match self.equal {
            0 | 1 => 0,
            _ => values[self.column + 1..].iter().filter(|&&value| value == self.score).count(),
        };
        GoldItem { before: self.higher, ahead: ahead as u32, size: self.equal }
    }
}

/// Counts a row into the columns: higher than the column's gold item, and as high. Tells whether all
/// values are finite, since it is the first to see them.
#[inline(always)]
fn down(values: &[f32], gold: &[f32], higher: &mut [u32], equal: &mut [u32]) -> bool {
    const EXPONENT: u32 = 0x7f80_0000;
    let mut wrong = 0u32;
    let counts = higher.iter_mut().zip(equal);
    for ((&value, &gold), (higher, equal)) in values.iter().zip(gold).zip(counts) {
        *higher = higher.wrapping_add(u32::from(value > gold));
        *equal = equal.wrapping_add(u32::from(value == gold));
        wrong |= u32::from(value.to_bits() & EXPONENT == EXPONENT);
    }
    wrong == 0
}

/// Counts the rows that score as high as the gold item and stand after it: where ties are broken
/// by position, the last first, these are ahead of it.
fn down_in_order(values: &[f32], gold: &[f32], image_of: &[u32], row: u32, ahead: &mut [u32]) {
    let golds = gold.iter().zip(image_of);
    for ((&value, (&gold, &image)), ahead) in values.iter().zip(golds).zip(ahead) {
        *ahead = ahead.wrapping_add(u32::from(value == gold) & u32::from(row > image));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluation, Measure};

    fn figures(queries: &[Query], names: &str) -> Vec<Option<f64>> {
        Evaluation::of_queries(queries, &Measure::parse_list(names).unwrap()).figures()
    }

    #[test]
    fn a_constant_model_does_not_look_good() {
        let scores = Matrix::zeros(4, 8);
        let map = GoldMap::even(4, 8).unwrap();
        let of = |ties| {
            let ranks = GoldRanks::new(&scores, &map, ties).unwrap();
            [figures(&ranks.annotation, "R^V@1,median"), figures(&ranks.search, "R@1,median")]
                .concat()
        };
        assert_eq!(of(Ties::Worst), [Some(0.0), Some(7.0), Some(0.0), Some(4.0)]);
        assert_eq!(of(Ties::Best), [Some(1.0), Some(1.0), Some(1.0), Some(1.0)]);
        assert_eq!(of(Ties::Mean), [Some(0.25), Some(3.0), Some(0.25), Some(2.5)]);
        // By position, the last first: image 3 owns the first places; the captions of image 0
        // stand at 8 and 7. Search: image 3 first, so ranks are 4 3 2 1, twice each.
        assert_eq!(of(Ties::Trec), [Some(0.25), Some(4.0), Some(0.25), Some(2.5)]);
    }

    #[test]
    fn both_recalls() {
        // One image with two captions among four texts: ranks 1 and 3.
        let scores = Matrix::new(2, 4, vec![0.9, 0.5, 0.7, 0.1, 0.0, 0.0, 0.5, 0.6]).unwrap();
        let ranks = GoldRanks::new(&scores, &GoldMap::even(2, 4).unwrap(), Ties::Worst).unwrap();
        assert_eq!(
            figures(&ranks.annotation[..1], "R@1,R^V@1,R@3"),
            [Some(0.5), Some(1.0), Some(1.0)]
        );
        assert_eq!(figures(&ranks.search, "mean"), [Some(1.25)]);
    }

    #[test]
    fn what_is_not_finite_is_named() {
        let mut scores = Matrix::zeros(3, 3);
        scores.row_mut(2)[1] = f32::INFINITY;
        let error =
            GoldRanks::new(&scores, &GoldMap::even(3, 3).unwrap(), Ties::Worst).unwrap_err();
        assert!(error.to_string().contains("row 2, column 1"), "{error}");
        assert!(GoldRanks::new(&scores, &GoldMap::even(3, 6).unwrap(), Ties::Worst).is_err());
    }

    #[test]
    fn an_image_without_captions_is_undefined() {
        let scores = Matrix::zeros(2, 1);
        let ranks = GoldRanks::new(&scores, &GoldMap::new(&[1], 2).unwrap(), Ties::Worst).unwrap();
        let measures = Measure::parse_list("R@1").unwrap();
        let evaluation = Evaluation::of_queries(&ranks.annotation, &measures);
        assert_eq!(evaluation.undefined(), [1]);
    }

    #[test]
    fn sorting_gives_the_same_ranks() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        for _ in 0..50 {
            let (rows, each) = (random.random_range(1..9), random.random_range(1..4));
            let columns = rows * each;
            // Few values, many ties.
            let values =
                (0..rows * columns).map(|_| f32::from(random.random_range(0..5u8))).collect();
            let scores = Matrix::new(rows, columns, values).unwrap();
            let map = GoldMap::even(rows, columns).unwrap();
            for ties in Ties::ALL {
                let ranks = GoldRanks::new(&scores, &map, ties).unwrap();
                for (row, query) in ranks.annotation.iter().enumerate() {
                    let is_gold = |column: usize| column / each == row;
                    assert_eq!(*query, sorted(scores.row(row), is_gold, ties));
                }
                for (column, query) in ranks.search.iter().enumerate() {
                    let down: Vec<f32> = (0..rows).map(|row| scores.row(row)[column]).collect();
                    assert_eq!(*query, sorted(&down, |row| column / each == row, ties));
                }
            }
        }
    }

    /// The slow way: sort, then look.
    fn sorted(scores: &[f32], is_gold: impl Fn(usize) -> bool, ties: Ties) -> Query {
        let mut order: Vec<usize> = (0..scores.len()).rev().collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let ranking: Vec<(f64, Option<i32>)> =
            order.iter().map(|&at| (scores[at].into(), Some(is_gold(at).into()))).collect();
        let judged: Vec<i32> = ranking.iter().filter_map(|pair| pair.1).collect();
        Query::from_grades(ranking.into_iter(), judged.into_iter(), 1, ties)
    }
}
