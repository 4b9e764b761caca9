//! Squared distances between the rows of two matrices.
//!
//! By differences, not by a matrix product: that is exact for vectors that lie close together, and a
//! row has the same distances alone as among others.

use pulp::Arch;
use rayon::prelude::*;
use rebus_collection::Matrix;

/// Numbers that are added up side by side.
const LANES: usize = 16;
/// Rows that are compared with a row of the other matrix while it is at hand.
const TOGETHER: usize = 8;

/// The squared distance of every row of `a` from every row of `b`, which has rows of the same length.
pub(super) fn squared_distances(a: &Matrix, b: &Matrix) -> Matrix {
    let mut distances = Matrix::zeros(a.rows(), b.rows());
    let columns = b.rows();
    if columns == 0 {
        return distances;
    }
    let arch = Arch::new();
    let blocks = distances.values_mut().par_chunks_mut(columns * TOGETHER).enumerate();
    blocks.for_each(|(block, to)| {
        arch.dispatch(
            #[inline(always)]
            || {
                for column in 0..columns {
                    let other = b.row(column);
                    for (at, to) in to.chunks_exact_mut(columns).enumerate() {
                        to[column] = squared_distance(a.row(block * TOGETHER + at), other);
                    }
                }
            },
        );
    });
    distances
}

#[inline(always)]
fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            let difference = a - b;
            *sum += difference * difference;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| (a - b) * (a - b)).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand_and_alone_as_among_others() {
        let a = Matrix::new(2, 2, vec![0.0, 0.0, 3.0, 1.0]).unwrap();
        let b = Matrix::new(2, 2, vec![3.0, 4.0, 0.0, 1.0]).unwrap();
        assert_eq!(squared_distances(&a, &b).values(), [25.0, 1.0, 9.0, 9.0]);
        let mut many = Matrix::zeros(40, 300);
        for (at, value) in many.values_mut().iter_mut().enumerate() {
            *value = ((at * 7919) % 1013) as f32 / 333.0;
        }
        let all = squared_distances(&many, &many);
        let one = Matrix::new(1, 300, many.row(33).to_vec()).unwrap();
        assert_eq!(squared_distances(&one, &many).row(0), all.row(33));
        let plain: f64 =
            many.row(1).iter().zip(many.row(2)).map(|(a, b)| f64::from(a - b).powi(2)).sum();
        assert!((f64::from(all.row(1)[2]) - plain).abs() < 1e-4 * plain);
        assert_eq!(all.row(7)[7], 0.0);
    }
}
