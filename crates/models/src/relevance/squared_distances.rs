//! Squared distances between the rows of two matrices, by one matrix product.

use rayon::prelude::*;
use rebus_collection::Matrix;

use crate::{Result, dot_products};

/// Rows are compared so many at a time at least: a product of few rows is added up in another order,
/// and a picture would not be the same alone as among others.
const ROWS: usize = 16;

/// The squared lengths of rows.
pub(super) fn squares(rows: &Matrix) -> Vec<f64> {
    let square = |row: usize| rows.row(row).iter().map(|&value| f64::from(value).powi(2)).sum();
    (0..rows.rows()).map(square).collect()
}

/// The squared distance of every row of `a` from every row of `b`, whose squared lengths are known.
///
/// # Errors
/// If the rows have different lengths.
pub(super) fn squared_distances(a: &Matrix, b: &Matrix, squares_of_b: &[f64]) -> Result<Matrix> {
    let mut padded = Matrix::zeros(a.rows().next_multiple_of(ROWS), a.columns());
    padded.values_mut()[..a.values().len()].copy_from_slice(a.values());
    let products = dot_products(&padded, b)?;
    let mut distances = Matrix::zeros(a.rows(), b.rows());
    let own = squares(a);
    distances.values_mut().par_chunks_mut(b.rows().max(1)).enumerate().for_each(|(at, to)| {
        for ((to, product), square) in to.iter_mut().zip(products.row(at)).zip(squares_of_b) {
            *to = (own[at] + square - 2.0 * f64::from(*product)).max(0.0) as f32;
        }
    });
    Ok(distances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand_and_alone_as_among_others() {
        let a = Matrix::new(2, 2, vec![0.0, 0.0, 3.0, 1.0]).unwrap();
        let b = Matrix::new(2, 2, vec![3.0, 4.0, 0.0, 1.0]).unwrap();
        let found = squared_distances(&a, &b, &squares(&b)).unwrap();
        assert_eq!(found.values(), [25.0, 1.0, 9.0, 9.0]);
        let mut many = Matrix::zeros(40, 300);
        for (at, value) in many.values_mut().iter_mut().enumerate() {
            *value = ((at * 7919) % 1013) as f32 / 333.0;
        }
        let all = squared_distances(&many, &many, &squares(&many)).unwrap();
        let one = Matrix::new(1, 300, many.row(33).to_vec()).unwrap();
        let alone = squared_distances(&one, &many, &squares(&many)).unwrap();
        assert_eq!(alone.row(0), all.row(33));
    }
}
