//! Matrices of kernels: filled in parallel, some rows at a time, the symmetric half only where
//! both sides are the same items.

use std::ops::Range;

use rayon::prelude::*;
use rebus_collection::Matrix;

/// Which pairs of items a kernel is taken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairs {
    /// Every row with every column.
    All,
    /// Rows and columns are the same items, and the kernel is symmetric.
    Symmetric,
}

/// What is left of a row or column by [`matrix`].
pub(super) struct Block<'a> {
    /// The items of these rows.
    pub(super) rows: Range<usize>,
    /// The items of these columns, which are wanted; others need not be filled.
    pub(super) columns: Range<usize>,
    values: &'a mut [f32],
    width: usize,
}

impl Block<'_> {
    /// A row of the matrix, all columns of it.
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let start = (row - self.rows.start) * self.width;
        &mut self.values[start..start + self.width]
    }
}

/// A matrix that `work` fills, `height` rows at a time; each thread has a state of its own.
pub(super) fn matrix<S>(
    (rows, columns): (usize, usize),
    pairs: Pairs,
    height: usize,
    state: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, Block<'_>) + Sync + Send,
) -> Matrix {
    let mut matrix = Matrix::zeros(rows, columns);
    if matrix.values().is_empty() {
        return matrix;
    }
    let blocks = matrix.values_mut().par_chunks_mut(height * columns).enumerate();
    // Later blocks of a half are smaller: give them out one by one, the largest first.
    blocks.with_max_len(1).for_each_init(state, |state, (block, values)| {
        let start = block * height;
        let first = if pairs == Pairs::Symmetric { start } else { 0 };
        let rows = start..(start + height).min(rows);
        work(state, Block { rows, columns: first..columns, values, width: columns });
    });
    if pairs == Pairs::Symmetric {
        mirror(&mut matrix);
    }
    matrix
}

/// Copies what is above the diagonal below it, in tiles, so that both ends stay in the cache.
fn mirror(matrix: &mut Matrix) {
    const TILE: usize = 64;
    let size = matrix.rows();
    let values = matrix.values_mut();
    for top in (0..size).step_by(TILE) {
        for left in (0..=top).step_by(TILE) {
            for row in top..(top + TILE).min(size) {
                for column in left..(left + TILE).min(row) {
                    values[row * size + column] = values[column * size + row];
                }
            }
        }
    }
}

/// Divides by the geometric mean of what each of the two items gives with itself, so that an item
/// has 1 with itself. An item that has nothing with itself has nothing with any.
pub(super) fn normalise(block: &mut Block<'_>, rows: &[f64], columns: &[f64]) {
    let inverse = |own: f64| if own > 0.0 { 1.0 / own.sqrt() } else { 0.0 };
    for row in block.rows.clone() {
        let own = inverse(rows[row]);
        let wanted = block.columns.clone();
        let values = &mut block.row_mut(row)[wanted.clone()];
        for (value, &other) in values.iter_mut().zip(&columns[wanted]) {
            *value = (f64::from(*value) * own * inverse(other)) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_is_mirrored_and_nothing_is_left_out() {
        for size in [0, 1, 7, 8, 130, 201] {
            let product = |row: usize, column: usize| (row + column) as f32;
            let work = |_: &mut (), mut block: Block<'_>| {
                for row in block.rows.clone() {
                    for column in block.columns.clone() {
                        block.row_mut(row)[column] = product(row, column);
                    }
                }
            };
            let half = matrix((size, size), Pairs::Symmetric, 8, || (), work);
            let whole = matrix((size, size), Pairs::All, 8, || (), work);
            assert_eq!(half, whole);
            assert!((0..size).all(|k| whole.row(k)[size - 1] == product(k, size - 1)));
        }
        assert_eq!(matrix((0, 3), Pairs::All, 8, || (), |_, _| ()).columns(), 3);
        assert_eq!(matrix((3, 0), Pairs::All, 8, || (), |_, _| ()).rows(), 3);
    }
}
