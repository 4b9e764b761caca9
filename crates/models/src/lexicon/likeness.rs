//! How probable it is that somebody would call two pictures alike.
//!
//! On captioned pictures that the space was not fitted on, two pictures count as alike if the bags
//! of all their captions have a cosine of at least [`ALIKE`] (the kernel BoW5 of the ranking-task
//! paper, section 3.1, with idf). At that level most pairs share who is in them and either what
//! they do or where they are; it holds for fewer than one of a hundred pairs of Flickr8k. The
//! probability is logistic in the standard score of the pictures' cosine.

use super::background::{Background, Spread};
use super::logistic::{Sample, Weights};
use crate::word_space::WordSpace;
use crate::{Result, Training, dot_products};

/// The cosine of captions from which on pictures are alike.
pub(super) const ALIKE: f64 = 0.25;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Likeness {
    pub(super) weights: Weights<1>,
}

impl Likeness {
    pub(super) fn fit(
        space: &WordSpace,
        background: &Background,
        data: &Training<'_>,
    ) -> Result<Self> {
        let mut samples = Vec::new();
        pairs(space, background, data, &mut |standard, alike| {
            let sure = if alike { 1.0 } else { 0.0 };
            samples.push(Sample { inputs: [standard], sure, often: 1.0 });
        })?;
        Ok(Self { weights: Weights::fit(&samples) })
    }

    /// The probability for a score.
    pub(super) fn of(&self, spread: &Spread, score: f32) -> f64 {
        self.weights.probability([spread.standard(score)])
    }
}

/// Every picture as a query for every other: the standard score, and whether they are alike.
pub(super) fn pairs(
    space: &WordSpace,
    background: &Background,
    data: &Training<'_>,
    take: &mut dyn FnMut(f64, bool),
) -> Result<()> {
    let images = space.encode_images(data.features)?;
    let scores = dot_products(&images, &images)?;
    let bags: Vec<Vec<(usize, f64)>> =
        data.texts.iter().map(|texts| space.bag.encode(texts)).collect();
    for query in 0..images.rows() {
        let spread = background.spread(images.row(query))?;
        for other in (0..images.rows()).filter(|&other| other != query) {
            let alike = cosine(&bags[query], &bags[other]) >= ALIKE;
            take(spread.standard(scores.row(query)[other]), alike);
        }
    }
    Ok(())
}

/// The dot product of two sorted bags of length 1.
fn cosine(a: &[(usize, f64)], b: &[(usize, f64)]) -> f64 {
    let (mut a, mut b, mut sum) = (a.iter().peekable(), b.iter().peekable(), 0.0);
    while let (Some(&&(left, x)), Some(&&(right, y))) = (a.peek(), b.peek()) {
        if left == right {
            sum += x * y;
        }
        if left <= right {
            a.next();
        }
        if right <= left {
            b.next();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cosine_of_bags_by_hand() {
        let (a, b) = ([(1, 0.6), (4, 0.8)], [(0, 0.5), (4, 0.5), (9, 0.7)]);
        assert!((cosine(&a, &b) - 0.4).abs() < 1e-12);
        assert_eq!(cosine(&a, &[]), 0.0);
    }
}
