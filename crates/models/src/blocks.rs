//! Rows of numbers in blocks of sixteen, for loops that run hundreds of millions of times.
//!
//! A block is one cache line, and loops over its lanes have a fixed length, so that the compiler
//! uses vector instructions. Sums are made in a fixed order with separate multiplications and
//! additions: the result is the same on every machine, whatever the width of its registers.

use rebus_collection::Matrix;

/// Sixteen numbers, one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(align(64))]
pub(crate) struct Block(pub(crate) [f32; LANES]);

/// How many numbers a block has.
pub(crate) const LANES: usize = 16;

/// Rows in blocks, filled up with zeros.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Blocks {
    columns: usize,
    /// Blocks a row.
    width: usize,
    blocks: Vec<Block>,
}

impl Blocks {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        let width = columns.div_ceil(LANES);
        Self { columns, width, blocks: vec![Block::default(); rows * width] }
    }

    /// The rows of a matrix, in the order of `order`.
    pub(crate) fn of(matrix: &Matrix, order: &[usize]) -> Self {
        let mut rows = Self::zeros(order.len(), matrix.columns());
        for (to, &from) in order.iter().enumerate() {
            let blocks = rows.row_mut(to).iter_mut();
            for (block, values) in blocks.zip(matrix.row(from).chunks(LANES)) {
                block.0[..values.len()].copy_from_slice(values);
            }
        }
        rows
    }

    pub(crate) fn rows(&self) -> usize {
        self.blocks.len().checked_div(self.width).unwrap_or(0)
    }

    /// Blocks a row.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[Block] {
        &self.blocks[row * self.width..(row + 1) * self.width]
    }

    #[inline(always)]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [Block] {
        &mut self.blocks[row * self.width..(row + 1) * self.width]
    }

    /// All blocks, one row after the other.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(crate) fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    /// The sum of the squares of each row.
    pub(crate) fn squares(&self) -> Vec<f64> {
        self.blocks.chunks(self.width.max(1)).map(squares).collect()
    }

    /// The rows without what they were filled up with.
    pub(crate) fn to_matrix(&self) -> Matrix {
        let mut matrix = Matrix::zeros(self.rows(), self.columns);
        for row in 0..self.rows() {
            let values = self.row(row).iter().flat_map(|block| block.0);
            matrix.row_mut(row).iter_mut().zip(values).for_each(|(to, value)| *to = value);
        }
        matrix
    }
}

/// The sum of the squares of all numbers.
pub(crate) fn squares(blocks: &[Block]) -> f64 {
    blocks.iter().flat_map(|block| block.0).map(|value| f64::from(value).powi(2)).sum()
}

/// The dot product of two rows.
#[inline(always)]
pub(crate) fn dot(a: &[Block], b: &[Block]) -> f64 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(&a.0).zip(&b.0) {
            *sum += a * b;
        }
    }
    sums.iter().map(|&sum| f64::from(sum)).sum()
}

/// to += factor * x.
#[inline(always)]
pub(crate) fn add(to: &mut [Block], factor: f32, x: &[Block]) {
    for (to, x) in to.iter_mut().zip(x) {
        for (to, x) in to.0.iter_mut().zip(&x.0) {
            *to += factor * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_products_are_right() {
        let values: Vec<f32> = (0..51).map(|k| k as f32 - 20.0).collect();
        let matrix = Matrix::new(3, 17, values).unwrap();
        let blocks = Blocks::of(&matrix, &[2, 0, 1]);
        assert_eq!((blocks.rows(), blocks.width()), (3, 2));
        let back = blocks.to_matrix();
        assert_eq!(back.row(0), matrix.row(2));
        let want: f32 = matrix.row(2).iter().zip(matrix.row(0)).map(|(a, b)| a * b).sum();
        assert_eq!(dot(blocks.row(0), blocks.row(1)), f64::from(want));
        let mut sum = blocks.row(0).to_vec();
        add(&mut sum, -1.0, blocks.row(0));
        assert_eq!(squares(&sum), 0.0);
        assert_eq!(Blocks::zeros(2, 0).rows(), 0);
    }
}
