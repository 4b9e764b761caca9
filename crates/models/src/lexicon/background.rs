//! How the vectors of ordinary pictures lie: a sample of them. With it a score becomes a number of
//! standard deviations, which means the same for every text.
//!
//! What a text is about may be in many of the ordinary pictures: one of four of Flickr8k shows a
//! dog. The middle of the scores and how far they spread below it hardly move for that, as long as
//! fewer than half of the pictures show it; a mean and a plain deviation would take *dog* for a
//! word of which no picture stands out.

use rebus_collection::Matrix;

use crate::{Error, Result};

/// How many pictures stand for all.
pub(super) const SAMPLE: usize = 512;

/// Vectors of ordinary pictures, a row each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Background {
    pub(super) sample: Matrix,
}

/// What scores an ordinary picture has with one text or picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    middle: f64,
    deviation: f64,
}

impl Spread {
    /// A score in standard deviations above the middle.
    pub(super) fn standard(&self, score: f32) -> f64 {
        (f64::from(score) - self.middle) / self.deviation
    }

    /// By what a score is multiplied, and what is added, to make it standard.
    pub(super) fn line(&self) -> (f64, f64) {
        (1.0 / self.deviation, -self.middle / self.deviation)
    }
}

impl Background {
    /// Of these vectors, evenly over all of them; where there are few, each stands there more than
    /// once.
    pub(super) fn of(vectors: &Matrix) -> Self {
        // In an order of their own, so that the order of the collection does not matter.
        let mut order: Vec<&[f32]> = (0..vectors.rows()).map(|row| vectors.row(row)).collect();
        order.sort_by(|a, b| {
            let first = a.iter().zip(*b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
            first.unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut sample = Matrix::zeros(SAMPLE, vectors.columns());
        for row in 0..SAMPLE {
            if let Some(vector) = order.get(row * order.len() / SAMPLE) {
                sample.row_mut(row).copy_from_slice(vector);
            }
        }
        Self { sample }
    }

    /// The spread of scores with a vector.
    ///
    /// # Errors
    /// If the vector has another length.
    pub(super) fn spread(&self, vector: &[f32]) -> Result<Spread> {
        let (expected, found) = (self.sample.columns(), vector.len());
        if expected != found {
            return Err(Error::Shape { expected, found });
        }
        let score = |row: usize| -> f64 {
            let pairs = self.sample.row(row).iter().zip(vector);
            pairs.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let mut scores: Vec<f64> = (0..self.sample.rows()).map(score).collect();
        scores.sort_unstable_by(f64::total_cmp);
        let below = &scores[..scores.len().div_ceil(2)];
        let middle = below.last().copied().unwrap_or(0.0);
        let squares: f64 = below.iter().map(|score| (middle - score).powi(2)).sum();
        let variance = squares / below.len().max(1) as f64;
        Ok(Spread { middle, deviation: variance.max(1e-12).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_what_lies_below_it_by_hand() {
        let scores = vec![0.1, 0.4, 0.2, 0.9];
        let spread = Background::of(&Matrix::new(4, 1, scores).unwrap()).spread(&[1.0]).unwrap();
        // The lower half is 0.1 and 0.2, its end the middle: the squares are 0.01 and 0.
        let deviation = (0.01f64 / 2.0).sqrt();
        assert!((spread.standard(0.9) - 0.7 / deviation).abs() < 1e-5);
        let (factor, shift) = spread.line();
        assert!((factor * 0.9 + shift - spread.standard(0.9)).abs() < 1e-5);
    }

    #[test]
    fn pictures_that_show_the_word_do_not_move_it() {
        let spread = |shown: usize| {
            let score = |k: usize| if k < shown { 0.9 } else { 0.001 * (k % 97) as f32 };
            let scores = Matrix::new(400, 1, (0..400).map(score).collect()).unwrap();
            Background::of(&scores).spread(&[1.0]).unwrap().standard(0.9)
        };
        assert!(spread(100) > 0.7 * spread(0), "{} {}", spread(100), spread(0));
    }
}
