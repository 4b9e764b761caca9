//! A region by colour, texture, position and shape: 61 numbers.
//!
//! The paper's regions have 33 such features. Here they are ten of the shape (`shape.rs`); means and
//! deviations of red, green and blue and of CIELAB's L, a and b; and the mean strength of the
//! responses of each of the 39 texture filters of the visual words (edges and bars in six
//! directions and a Laplacian, at three scales) at the points of their grid.

use super::canvas::Canvas;
use super::segmentation::Segmentation;
use super::shape;
use crate::Picture;
use crate::visual_words::texture::{self, FilterBank};
use crate::visual_words::view::{View, along};

const COLOURS: usize = 12;
/// How many numbers describe a region.
pub(super) const WIDTH: usize = shape::WIDTH + COLOURS + texture::WIDTH;

/// The features that belong together, and how much each kind counts when regions are compared:
/// once they are standardised, all features of a kind together count by the square of its weight.
/// Chosen by F of CMRM on Corel5k's training photos, those left out that figures are reported for.
const KINDS: [(usize, f32); 3] = [(shape::WIDTH, 0.5), (COLOURS, 2.0), (texture::WIDTH, 1.0)];

/// The weight of every feature.
pub(super) fn weights() -> Vec<f32> {
    let kind =
        |(size, weight): (usize, f32)| std::iter::repeat_n(weight / (size as f32).sqrt(), size);
    KINDS.into_iter().flat_map(kind).collect()
}

/// The features of all regions, region after region.
pub(super) fn describe(
    picture: &Picture,
    canvas: &Canvas,
    segmentation: &Segmentation,
    bank: &FilterBank,
) -> Vec<Vec<f32>> {
    let shapes = shape::describe(segmentation);
    let colours = colours(canvas, segmentation);
    let textures = textures(picture, segmentation, bank);
    let parts = shapes.iter().zip(&colours).zip(&textures);
    parts
        .map(|((shape, colour), texture)| {
            shape.iter().chain(colour).chain(texture).copied().collect()
        })
        .collect()
}

/// Means of red, green and blue and of L, a and b, then their deviations.
fn colours(canvas: &Canvas, segmentation: &Segmentation) -> Vec<[f32; COLOURS]> {
    let mut sums = vec![[0.0f64; COLOURS]; segmentation.areas().len()];
    for ((&label, rgb), lab) in segmentation.labels().iter().zip(&canvas.rgb).zip(&canvas.lab) {
        let (means, squares) = sums[usize::from(label)].split_at_mut(COLOURS / 2);
        let values = rgb.iter().map(|&v| f64::from(v) / 255.0).chain(lab.map(f64::from));
        for ((sum, square), value) in means.iter_mut().zip(squares).zip(values) {
            *sum += value;
            *square += value * value;
        }
    }
    let regions = sums.iter().zip(segmentation.areas());
    let finished = |(sums, &area): (&[f64; COLOURS], &usize)| {
        let mean = |at: usize| sums[at] / area as f64;
        std::array::from_fn(|at| match at.checked_sub(COLOURS / 2) {
            None => mean(at) as f32,
            Some(of) => (mean(at) - mean(of) * mean(of)).max(0.0).sqrt() as f32,
        })
    };
    regions.map(finished).collect()
}

/// The mean strength of every filter's responses; zero for a region between the points of the grid.
fn textures(
    picture: &Picture,
    segmentation: &Segmentation,
    bank: &FilterBank,
) -> Vec<[f32; texture::WIDTH]> {
    let responses = bank.describe(&View::new(picture));
    let (width, height) = segmentation.dimensions();
    let places = along(height).into_iter().flat_map(|y| along(width).map(move |x| y * width + x));
    let mut sums = vec![[0.0f32; texture::WIDTH]; segmentation.areas().len()];
    let mut counts = vec![0.0f32; sums.len()];
    for (place, point) in places.zip(responses.as_chunks::<{ texture::WIDTH }>().0) {
        let region = usize::from(segmentation.labels()[place]);
        counts[region] += 1.0;
        sums[region].iter_mut().zip(point).for_each(|(sum, value)| *sum += value.abs());
    }
    for (sums, count) in sums.iter_mut().zip(counts) {
        sums.iter_mut().for_each(|sum| *sum /= count.max(1.0));
    }
    sums
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::regions::Method;

    #[test]
    fn colours_and_textures_of_two_halves() {
        // An even half and one of lying stripes, in other colours.
        let picture = Picture::from_fn(180, 120, |x, y| {
            let stripe = if y / 3 % 2 == 0 { 40 } else { 0 };
            Rgb(if x < 90 { [51, 102, 204] } else { [200 + stripe, 80 + stripe, 20] })
        });
        let canvas = Canvas::new(&picture).unwrap();
        let segmentation = Segmentation::of(&canvas, Method::NormalisedCuts);
        assert_eq!(segmentation.areas().len(), 2);
        let found = describe(&picture, &canvas, &segmentation, &FilterBank::new());
        assert!(found.iter().all(|region| region.len() == WIDTH));
        let colour = &found[0][shape::WIDTH..];
        for (got, want) in colour.iter().zip([0.2, 0.4, 0.8]) {
            assert!((got - want).abs() < 0.02, "{got} {want}");
        }
        // The deviation of red: none on the left, 20 of 255 on the right.
        let deviation = |region: usize| found[region][shape::WIDTH + 6];
        assert!(deviation(0) < 0.02 && (deviation(1) - 20.0 / 255.0).abs() < 0.02);
        // The first filter is for edges that lie, the seventh for those that stand.
        let texture = |region: usize, filter: usize| found[region][shape::WIDTH + COLOURS + filter];
        assert!(texture(1, 0) > 3.0 * texture(0, 0), "{} {}", texture(1, 0), texture(0, 0));
        assert!(texture(1, 0) > 2.0 * texture(1, 6));
    }

    #[test]
    fn every_feature_has_a_weight() {
        assert_eq!(weights().len(), WIDTH);
        const { assert!(WIDTH >= 33) };
    }
}
