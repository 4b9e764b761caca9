//! The weights of pairs of words and features while they are learnt.
//!
//! w = scale * values, so that shrinking and projecting all weights costs one multiplication, and
//! the norm is carried along: an update by a * (x (outer) d) changes |values|^2 by
//! 2 a <values, x (outer) d> + a^2 |x|^2 |d|^2, of which the first product is known from the margin.
//! The outer product of picture and caption is never built: d has a dozen words, and a word's
//! weights are one row.

use rebus_collection::Matrix;

use crate::blocks::{self, Block, Blocks, LANES};

/// Below this scale the values are multiplied out, long before they could overflow.
const SMALLEST_SCALE: f64 = 1e-9;

/// The difference of two captions: words, sorted, each with what it counts more in the first.
pub(super) type Difference = Vec<(u32, f32)>;

/// The weights: a row a word, a column a feature.
#[derive(Debug, Clone)]
pub(super) struct LazyWeights {
    values: Blocks,
    scale: f64,
    /// |values|^2.
    squares: f64,
}

impl LazyWeights {
    pub(super) fn zeros(words: usize, columns: usize) -> Self {
        Self { values: Blocks::zeros(words, columns), scale: 1.0, squares: 0.0 }
    }

    /// <w, x (outer) d>: how much more the picture answers to the first caption of `d`.
    #[inline(always)]
    pub(super) fn margin(&self, x: &[Block], d: &[(u32, f32)]) -> f64 {
        let (blocks, width) = (self.values.blocks(), self.values.width());
        let mut sums = [0.0f32; LANES];
        for (at, x) in x.iter().enumerate() {
            let mut mixed = [0.0f32; LANES];
            for &(word, weight) in d {
                let values = &blocks[word as usize * width + at].0;
                for (mixed, value) in mixed.iter_mut().zip(values) {
                    *mixed += weight * value;
                }
            }
            for ((sum, mixed), x) in sums.iter_mut().zip(&mixed).zip(&x.0) {
                *sum += mixed * x;
            }
        }
        self.scale * sums.iter().map(|&sum| f64::from(sum)).sum::<f64>()
    }

    /// w += step * (x (outer) d), where `margin` is <w, x (outer) d> before.
    #[inline(always)]
    pub(super) fn add(&mut self, step: f64, x: &[Block], d: &[(u32, f32)], known: Known) {
        let step = step / self.scale;
        for &(word, weight) in d {
            blocks::add(self.values.row_mut(word as usize), step as f32 * weight, x);
        }
        let product = known.margin / self.scale;
        self.squares += 2.0 * step * product + step * step * known.x_squares * known.d_squares;
    }

    /// w *= factor, which is above 0.
    #[inline(always)]
    pub(super) fn shrink(&mut self, factor: f64) {
        self.scale *= factor;
        if self.scale < SMALLEST_SCALE {
            self.settle();
        }
    }

    /// |w|.
    #[inline(always)]
    pub(super) fn norm(&self) -> f64 {
        self.scale * self.squares.max(0.0).sqrt()
    }

    /// Moves w to the nearest point of the ball of this radius.
    #[inline(always)]
    pub(super) fn project(&mut self, radius: f64) {
        let norm = self.norm();
        if norm > radius {
            self.shrink(radius / norm);
        }
    }

    /// Multiplies the scale out and sums the squares anew, against the drift of many updates.
    pub(super) fn settle(&mut self) {
        let scale = self.scale as f32;
        for block in self.values.blocks_mut() {
            block.0.iter_mut().for_each(|value| *value *= scale);
        }
        self.scale = 1.0;
        self.squares = blocks::squares(self.values.blocks());
    }

    /// The weights themselves: a row a word.
    pub(super) fn into_matrix(mut self) -> Matrix {
        self.settle();
        self.values.to_matrix()
    }
}

/// What is known of an update before it is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// <w, x (outer) d>.
    pub(super) margin: f64,
    /// |x|^2.
    pub(super) x_squares: f64,
    /// |d|^2.
    pub(super) d_squares: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is added and shrunk, the carried norm is the true one, and a projection ends
        /// in the ball without turning the weights.
        #[test]
        fn the_norm_is_carried_and_the_ball_is_kept(
            updates in prop::collection::vec(
                (prop::collection::vec(-2.0f32..2.0, 5), 0u32..4, 0u32..4, -1.5f64..1.5, 0.1f64..1.0),
                1..40,
            ),
            radius in 0.01f64..3.0,
        ) {
            let mut weights = LazyWeights::zeros(4, 5);
            let mut plain = [[0.0f64; 5]; 4];
            for (x, plus, minus, step, factor) in updates {
                let rows = Blocks::of(&Matrix::new(1, 5, x.clone()).unwrap(), &[0]);
                let d: Difference = if plus == minus {
                    vec![]
                } else {
                    let mut d = vec![(plus, 1.0), (minus, -0.5)];
                    d.sort_by_key(|&(word, _)| word);
                    d
                };
                let margin = weights.margin(rows.row(0), &d);
                let mut true_margin = 0.0;
                for &(word, weight) in &d {
                    for (w, &x) in plain[word as usize].iter().zip(&x) {
                        true_margin += w * f64::from(weight) * f64::from(x);
                    }
                }
                prop_assert!((margin - true_margin).abs() < 1e-3, "{margin} {true_margin}");
                let known = Known {
                    margin,
                    x_squares: rows.squares()[0],
                    d_squares: d.iter().map(|&(_, weight)| f64::from(weight).powi(2)).sum(),
                };
                weights.shrink(factor);
                let known = Known { margin: known.margin * factor, ..known };
                weights.add(step, rows.row(0), &d, known);
                plain.iter_mut().flatten().for_each(|w| *w *= factor);
                for &(word, weight) in &d {
                    for (w, &x) in plain[word as usize].iter_mut().zip(&x) {
                        *w += step * f64::from(weight) * f64::from(x);
                    }
                }
            }
            let norm = plain.iter().flatten().map(|w| w * w).sum::<f64>().sqrt();
            prop_assert!((weights.norm() - norm).abs() < 1e-3 * (1.0 + norm));
            weights.project(radius);
            prop_assert!(weights.norm() <= radius * (1.0 + 1e-6));
            let factor = (radius / norm).min(1.0);
            let matrix = weights.into_matrix();
            for (row, plain) in plain.iter().enumerate() {
                for (a, b) in matrix.row(row).iter().zip(plain) {
                    prop_assert!((f64::from(*a) - b * factor).abs() < 2e-3 * (1.0 + b.abs()));
                }
            }
        }
    }

    #[test]
    fn a_scale_that_falls_is_multiplied_out() {
        let mut weights = LazyWeights::zeros(1, 2);
        let x = Blocks::of(&Matrix::new(1, 2, vec![3.0, 4.0]).unwrap(), &[0]);
        let known = Known { margin: 0.0, x_squares: 25.0, d_squares: 1.0 };
        weights.add(2.0, x.row(0), &[(0, 1.0)], known);
        assert!((weights.norm() - 10.0).abs() < 1e-9);
        (0..20).for_each(|_| weights.shrink(0.1));
        assert!(weights.scale >= SMALLEST_SCALE);
        assert!((weights.norm() / 1e-19 - 1.0).abs() < 1e-5);
    }
}
