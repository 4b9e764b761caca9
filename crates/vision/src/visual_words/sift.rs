//! Dense SIFT: the directions of edges around every point of the grid.
//!
//! The descriptor of Lowe 2004 (section 6) at fixed places, sizes and directions: 4 x 4 bins around
//! the point, each a histogram of eight directions of the gradient, weighted by its strength, by
//! a Gaussian around the point, and shared linearly between neighbouring bins and directions; then
//! brought to length 1, cut at 0.2 and brought to length 1 again. As in VLFeat's `dsift`, the
//! Gaussian is taken at the middle of a bin rather than at each pixel, so that one filtered picture
//! of each direction serves all points. Values differ from OpenCV's by what rounding to bytes and
//! the Gaussian's place make (the comparison in `crates/bench/peers` tells how much).
//!
//! A patch without contrast has no direction; its descriptor is all zeros.

use super::view::{POINTS, Plane, View, along};
use crate::wide::wide;

/// Directions of the gradient.
const DIRECTIONS: usize = 8;
/// Bins a side.
const BINS: usize = 4;
/// Values of a descriptor.
pub(crate) const WIDTH: usize = BINS * BINS * DIRECTIONS;
/// Pixels a side of a bin. Even, so that the middles of bins fall on pixels. A second scale of 8 made
/// no difference on pictures held out of training, and doubles the time.
const BIN: usize = 4;
/// How much of the side of a bin the picture is blurred by beforehand.
const MAGNIFICATION: f32 = 6.0;
/// A descriptor's largest value, before it is brought to length 1 again.
const CUT: f32 = 0.2;
/// Below this strength (of a gradient of the picture from 0 to 1, over a bin) there is no contrast.
const CONTRAST: f32 = 0.005;

/// The descriptors at the points of the grid, point after point.
pub(crate) fn describe(view: &View) -> Vec<f32> {
    let grey = view.grey();
    let (rows, columns) = (along(view.height()), along(view.width()));
    let mut descriptors = vec![0.0; POINTS * WIDTH];
    at_scale(&grey, BIN, &rows, &columns, &mut descriptors);
    descriptors
}

/// The descriptors where rows and columns cross, with bins of so many pixels a side.
fn at_scale(grey: &Plane, side: usize, rows: &[usize], columns: &[usize], descriptors: &mut [f32]) {
    // What a camera blurs by itself is taken to be half a pixel.
    let blur = ((side as f32 / MAGNIFICATION).powi(2) - 0.25).max(0.01).sqrt();
    let grey = grey.blurred(blur);
    wide(
        #[inline(always)]
        || {
            let directions = Directions::of(&grey).pooled(side);
            let mut to = descriptors.as_chunks_mut::<WIDTH>().0.iter_mut();
            for &y in rows {
                for (&x, to) in columns.iter().zip(&mut to) {
                    directions.descriptor(x, y, side, to);
                }
            }
        },
    );
}

/// The strength of the gradient in each direction, at every pixel.
struct Directions {
    width: usize,
    height: usize,
    values: Vec<[f32; DIRECTIONS]>,
}

// All inlined into `describe`, so that they are compiled for the processor at hand.
impl Directions {
    #[inline(always)]
    fn of(grey: &Plane) -> Self {
        let (width, height) = (grey.width, grey.height);
        let mut values = vec![[0.0; DIRECTIONS]; width * height];
        let (mut across, mut strength, mut turns) =
            (vec![0.0; width], vec![0.0; width], vec![0.0; width]);
        for (y, to) in values.chunks_mut(width).enumerate() {
            let above = grey.row(y.saturating_sub(1));
            let below = grey.row((y + 1).min(height - 1));
            differences(grey.row(y), &mut across);
            for (((&across, below), above), (strength, turns)) in
                across.iter().zip(below).zip(above).zip(strength.iter_mut().zip(&mut turns))
            {
                let down = below - above;
                *strength = 0.5 * (across * across + down * down).sqrt();
                *turns = turn(across, down) * DIRECTIONS as f32;
            }
            for ((to, &strength), &turns) in to.iter_mut().zip(&strength).zip(&turns) {
                for (direction, to) in to.iter_mut().enumerate() {
                    // How far the gradient is from the direction, the short way round.
                    let apart = (turns - direction as f32).abs();
                    let apart = apart.min(DIRECTIONS as f32 - apart);
                    *to = strength * (1.0 - apart).max(0.0);
                }
            }
        }
        Self { width, height, values }
    }

    /// Summed over bins of so many pixels a side, by a triangle that reaches to the middles of
    /// the neighbouring bins. Outside of the picture there is nothing, but bins reach there: the
    /// result has two bins more on each side.
    #[inline(always)]
    fn pooled(&self, side: usize) -> Self {
        let (margin, height) = (BINS / 2 * side, self.height);
        let wider = self.width + 2 * margin;
        let taps: Vec<f32> = (0..side).map(|at| 1.0 - at as f32 / side as f32).collect();
        let mut down = vec![[0.0; DIRECTIONS]; self.width];
        let mut values = vec![[0.0; DIRECTIONS]; wider * (height + 2 * margin)];
        for (y, to) in values.chunks_mut(wider).enumerate() {
            down.fill([0.0; DIRECTIONS]);
            let from = (y + 1).saturating_sub(margin + side)..(y + side).saturating_sub(margin);
            for (from, row) in
                self.values.chunks(self.width).enumerate().take(from.end).skip(from.start)
            {
                add(&mut down, row, taps[(from + margin).abs_diff(y)]);
            }
            for (at, &tap) in taps.iter().enumerate() {
                add(&mut to[margin + at..], &down, tap);
                if at > 0 {
                    add(&mut to[margin - at..], &down, tap);
                }
            }
        }
        Self { width: wider, height: height + 2 * margin, values }
    }

    /// The descriptor at a point of the picture, from sums with two bins more on each side.
    #[inline(always)]
    fn descriptor(&self, x: usize, y: usize, side: usize, descriptor: &mut [f32; WIDTH]) {
        let bins = descriptor.as_chunks_mut::<DIRECTIONS>().0;
        for (bin, to) in bins.iter_mut().enumerate() {
            // Middles of bins lie at -1.5, -0.5, 0.5 and 1.5 sides from the point.
            let (column, row) = (bin % BINS, bin / BINS);
            let x = x + (2 * column + 1) * side / 2;
            let y = y + (2 * row + 1) * side / 2;
            let weight = WINDOW[column] * WINDOW[row];
            let from = &self.values[y * self.width + x];
            to.iter_mut().zip(from).for_each(|(to, value)| *to = value * weight);
        }
        normalise(descriptor, (side * side) as f32);
    }
}

#[inline(always)]
fn add(to: &mut [[f32; DIRECTIONS]], from: &[[f32; DIRECTIONS]], tap: f32) {
    for (to, from) in to.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
        *to += tap * from;
    }
}

/// The differences of each pixel's neighbours in a row; at the ends, of the pixel itself.
#[inline(always)]
fn differences(row: &[f32], to: &mut [f32]) {
    let last = row.len() - 1;
    for ((to, right), left) in to.iter_mut().skip(1).zip(row.iter().skip(2)).zip(row) {
        *to = right - left;
    }
    to[0] = row[last.min(1)] - row[0];
    to[last] = row[last] - row[last.saturating_sub(1)];
}

/// The Gaussian around the point, of a deviation of half the patch (two bins), at the middles of
/// bins: exp(-1.5^2 / 8) and exp(-0.5^2 / 8).
const WINDOW: [f32; BINS] = [0.754_839_6, 0.969_233_2, 0.969_233_2, 0.754_839_6];

#[inline(always)]
fn normalise(descriptor: &mut [f32; WIDTH], pixels: f32) {
    let before = length(descriptor);
    if before < CONTRAST * pixels {
        descriptor.fill(0.0);
        return;
    }
    let scale = 1.0 / before;
    descriptor.iter_mut().for_each(|value| *value = (*value * scale).min(CUT));
    let scale = 1.0 / length(descriptor);
    descriptor.iter_mut().for_each(|value| *value *= scale);
}

#[inline(always)]
fn length(descriptor: &[f32; WIDTH]) -> f32 {
    let mut lanes = [0.0; DIRECTIONS];
    for values in descriptor.as_chunks::<DIRECTIONS>().0 {
        lanes.iter_mut().zip(values).for_each(|(lane, value)| *lane += value * value);
    }
    lanes.iter().sum::<f32>().sqrt()
}

/// The direction of a vector as a part of a turn, from 0 up to 1, to about 1e-4: `atan2` in a form
/// that is fast enough for every pixel.
#[inline(always)]
fn turn(x: f32, y: f32) -> f32 {
    let (ax, ay) = (x.abs(), y.abs());
    let (small, large) = if ax < ay { (ax, ay) } else { (ay, ax) };
    let ratio = if large > 0.0 { small / large } else { 0.0 };
    let square = ratio * ratio;
    // The first terms of the arctangent, with coefficients that spread the error evenly.
    let eighth = ratio
        * (0.159_128_9
            + square
                * (-0.052_586_1
                    + square * (0.028_661_8 + square * (-0.013_524_9 + square * 0.003_319_9))));
    let quarter = if ax < ay { 0.25 - eighth } else { eighth };
    let half = if x < 0.0 { 0.5 - quarter } else { quarter };
    if y < 0.0 { 1.0 - half } else { half }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;

    #[test]
    fn turns() {
        for step in 0..720 {
            let angle = std::f32::consts::PI * step as f32 / 360.0;
            let got = turn(3.0 * angle.cos(), 3.0 * angle.sin());
            let want = step as f32 / 720.0;
            let apart = (got - want).abs();
            assert!(apart.min(1.0 - apart) < 1e-4, "{step}: {got} {want}");
        }
        assert_eq!(turn(0.0, 0.0), 0.0);
    }

    #[test]
    fn a_ramp_points_one_way() {
        // Brighter to the right: direction 0 alone.
        let ramp = Picture::from_fn(224, 224, |x, _| Rgb([x as u8; 3]));
        let descriptors = describe(&View::new(&ramp));
        assert_eq!(descriptors.len(), POINTS * WIDTH);
        let middle = &descriptors[(POINTS / 2 + 30) * WIDTH..][..WIDTH];
        for bin in middle.as_chunks::<DIRECTIONS>().0 {
            assert!(bin[0] > 0.15 && bin[1..].iter().all(|&value| value < 1e-3), "{bin:?}");
        }
        let length: f32 = middle.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-5);
    }

    /// tests/reference/low_level.py made the answers, with OpenCV.
    #[test]
    fn descriptors_are_close_to_those_of_opencv() {
        let reference: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/reference/low_level.json")).unwrap();
        let picture = Picture::from_fn(224, 224, |x, y| {
            let (x, y) = (i64::from(x), i64::from(y));
            let mut value = 90 + 60 * ((x + 2 * y) / 37 % 2);
            if (x - 70).pow(2) + (y - 90).pow(2) < 40 * 40 {
                value = 200 - x / 3;
            }
            if (x - 150).pow(2) + 3 * (y - 150).pow(2) < 45 * 45 {
                value = 20 + y / 2;
            }
            Rgb([value as u8; 3])
        });
        let grey = View::new(&picture).grey();
        let points: Vec<[usize; 2]> =
            serde_json::from_value(reference["sift"]["points"].clone()).unwrap();
        let theirs: Vec<Vec<f32>> =
            serde_json::from_value(reference["sift"]["descriptors"].clone()).unwrap();
        let mut likeness = Vec::new();
        for (&[x, y], theirs) in points.iter().zip(&theirs) {
            let mut ours = [0.0; WIDTH];
            at_scale(&grey, 4, &[y], &[x], &mut ours);
            let length = theirs.iter().map(|v| v * v).sum::<f32>().sqrt();
            if ours.iter().any(|&value| value > 0.0) && length > 0.0 {
                let dot: f32 = ours.iter().zip(theirs).map(|(a, b)| a * b).sum();
                likeness.push(dot / length);
            }
        }
        likeness.sort_by(f32::total_cmp);
        assert!(likeness.len() > 50, "{}", likeness.len());
        let median = likeness[likeness.len() / 2];
        assert!(likeness[0] > 0.9 && median > 0.99, "{} {median}", likeness[0]);
    }

    #[test]
    fn no_contrast_no_direction() {
        let even = describe(&View::new(&Picture::from_pixel(224, 224, Rgb([90; 3]))));
        assert!(even.iter().all(|&value| value == 0.0));
    }

    #[test]
    fn light_does_not_matter() {
        let at = |gain: f32| {
            let picture = Picture::from_fn(224, 224, |x, y| {
                Rgb([(gain * ((x * 7 + y * 3) % 64) as f32) as u8; 3])
            });
            describe(&View::new(&picture))
        };
        let (dark, bright) = (at(1.0), at(3.0));
        let apart = dark.iter().zip(&bright).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-3, "{apart}");
    }
}
