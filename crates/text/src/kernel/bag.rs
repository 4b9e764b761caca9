//! Bags of words: the cosine of section 3.4.1, and the F1 measure of section 3.1, of the
//! ranking-task paper.
//!
//! Both see an item as one document, its captions merged, and ignore the order of words. The
//! cosine is between vectors of frequencies, each times the word's weight. F1 is the harmonic mean
//! of precision and recall: with |A| the sum of the weights of the tokens of A, and A n B having
//! each word as often as both have it, 2 |A n B| / (|A| + |B|). Both are 1 for an item with itself.
//! An item without words, or whose words all weigh nothing, has 0 with every item, itself included.

use rebus_collection::Matrix;

use super::gram::{self, Block, Pairs};
use super::lexicon::{Encoded, Lexicon};

/// The rows that a thread does at a time.
const HEIGHT: usize = 16;

/// A word of a document and how much of it there is.
type Entry = (u32, f32);

/// The cosine of weighted bags.
pub(super) fn cosine(lexicon: &Lexicon, [rows, columns]: [&Encoded; 2], pairs: Pairs) -> Matrix {
    let unit = |items: &Encoded| documents(items, |word, count| count * lexicon.weight(word), true);
    sparse_rows([unit(rows), unit(columns)], rows.lexicon(), pairs, |row, column, _| {
        column.iter().map(|&(word, weight)| row[word as usize] * weight).sum()
    })
}

/// The F1 measure of weighted bags.
pub(super) fn f1(lexicon: &Lexicon, [rows, columns]: [&Encoded; 2], pairs: Pairs) -> Matrix {
    let bags =
        |items: &Encoded| documents(items, |word, count| count * lexicon.weight(word), false);
    sparse_rows([bags(rows), bags(columns)], rows.lexicon(), pairs, |row, column, size| {
        let shared: f32 = column.iter().map(|&(word, weight)| row[word as usize].min(weight)).sum();
        let sizes = size + column.iter().map(|&(_, weight)| weight).sum::<f32>();
        if sizes > 0.0 { 2.0 * shared / sizes } else { 0.0 }
    })
}

/// Every item as a sorted sparse vector.
fn documents(items: &Encoded, value: impl Fn(u32, f64) -> f64, unit: bool) -> Vec<Vec<Entry>> {
    let document = |item| {
        let mut words = items.words_of(item).to_vec();
        words.sort_unstable();
        let runs = words.chunk_by(|a, b| a == b);
        let counted: Vec<(u32, f64)> =
            runs.map(|run| (run[0], value(run[0], run.len() as f64))).collect();
        let length = counted.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
        let scale = if unit && length > 0.0 { 1.0 / length } else { 1.0 };
        counted.into_iter().map(|(word, value)| (word, (value * scale) as f32)).collect()
    };
    (0..items.len()).map(document).collect()
}

/// A matrix of `score(row as a dense vector, column, sum of the row)`.
fn sparse_rows(
    [rows, columns]: [Vec<Vec<Entry>>; 2],
    lexicon: usize,
    pairs: Pairs,
    score: impl Fn(&[f32], &[Entry], f32) -> f32 + Sync + Send,
) -> Matrix {
    let dense = || vec![0f32; lexicon];
    let work = |dense: &mut Vec<f32>, mut block: Block<'_>| {
        for row in block.rows.clone() {
            let wanted = block.columns.clone();
            rows[row].iter().for_each(|&(word, weight)| dense[word as usize] = weight);
            let size = rows[row].iter().map(|&(_, weight)| weight).sum();
            let values = &mut block.row_mut(row)[wanted.clone()];
            for (value, column) in values.iter_mut().zip(&columns[wanted]) {
                *value = score(dense, column, size);
            }
            rows[row].iter().for_each(|&(word, _)| dense[word as usize] = 0.0);
        }
    };
    gram::matrix((rows.len(), columns.len()), pairs, HEIGHT, dense, work)
}
