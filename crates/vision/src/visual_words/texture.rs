//! Texture at the points of the grid: responses of oriented filters at several scales.
//!
//! After Varma and Zisserman 2005 (section 2) and Leung and Malik 2001: edges (first derivative)
//! and bars (second derivative) of a Gaussian three times as long as wide, in six directions, and
//! the Laplacian of a round one, at three scales an octave apart. The larger scales are taken from
//! the picture at half and at a quarter of the size, by the same filters. Filters have no mean
//! and an absolute sum of 1; the responses of a point are scaled by Weber's law,
//! F log(1 + |F| / 0.03) / |F|, as there. The directions are kept apart rather than reduced to
//! the strongest: whether lines stand or lie tells buildings from beaches. The blurred brightness
//! itself, a filter of both papers, is left out: colour has it already, and without it pictures held
//! out of training were found better (R@10 25.1 against 23.8).

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::view::{POINTS, Plane, View, along};

/// Directions in half a turn.
const DIRECTIONS: usize = 6;
/// Octaves.
const SCALES: usize = 3;
/// Responses a scale: an edge and a bar a direction, and a Laplacian.
const RESPONSES: usize = 2 * DIRECTIONS + 1;
/// Responses a point.
pub(crate) const WIDTH: usize = SCALES * RESPONSES;
/// Deviations of the oriented Gaussians, across and along.
const ACROSS: f32 = 1.0;
const ALONG: f32 = 3.0;
/// Pixels from the middle of a filter to its border.
const REACH: usize = 8;
const TAPS: usize = (2 * REACH + 1) * (2 * REACH + 1);
/// Where Weber's law turns.
const WEBER: f32 = 0.03;

/// The filters; made once for all pictures.
pub(crate) struct FilterBank {
    /// One row a filter.
    filters: Vec<f32>,
}

impl FilterBank {
    pub(crate) fn new() -> Self {
        let mut filters = Vec::with_capacity(RESPONSES * TAPS);
        let reach = REACH as i32;
        let mut add = |value: &dyn Fn(f32, f32) -> f32| {
            let places = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y)));
            let mut filter: Vec<f32> = places.map(|(x, y)| value(x as f32, y as f32)).collect();
            let mean = filter.iter().sum::<f32>() / TAPS as f32;
            filter.iter_mut().for_each(|value| *value -= mean);
            let sum: f32 = filter.iter().map(|value| value.abs()).sum();
            filters.extend(filter.iter().map(|value| value / sum));
        };
        for direction in 0..DIRECTIONS {
            let angle = std::f32::consts::PI * direction as f32 / DIRECTIONS as f32;
            let (sin, cos) = angle.sin_cos();
            // The derivative is taken across the direction of the line.
            let turned = move |x: f32, y: f32| (cos * x + sin * y, -sin * x + cos * y);
            let gauss = move |along: f32, across: f32| {
                (-0.5 * ((along / ALONG).powi(2) + (across / ACROSS).powi(2))).exp()
            };
            add(&move |x, y| {
                let (along, across) = turned(x, y);
                -across * gauss(along, across)
            });
            add(&move |x, y| {
                let (along, across) = turned(x, y);
                ((across / ACROSS).powi(2) - 1.0) * gauss(along, across)
            });
        }
        let round = |x: f32, y: f32, sigma: f32| (x * x + y * y) / (sigma * sigma);
        add(&|x, y| (round(x, y, 2.0) - 2.0) * (-0.5 * round(x, y, 2.0)).exp());
        Self { filters }
    }

    /// The responses at the points of the grid, point after point.
    pub(crate) fn describe(&self, view: &View) -> Vec<f32> {
        let mut responses = vec![0.0; POINTS * WIDTH];
        let mut plane = normal(view.grey());
        let (rows, columns) = (along(view.height()), along(view.width()));
        for scale in 0..SCALES {
            if scale > 0 {
                plane = plane.halved();
            }
            self.at_scale(&plane, scale, &rows, &columns, &mut responses);
        }
        for point in responses.as_chunks_mut::<WIDTH>().0 {
            let length = point.iter().map(|value| value * value).sum::<f32>().sqrt();
            if length > 0.0 {
                let scale = (length / WEBER).ln_1p() / length;
                point.iter_mut().for_each(|value| *value *= scale);
            }
        }
        responses
    }

    fn at_scale(
        &self,
        plane: &Plane,
        scale: usize,
        rows: &[usize],
        columns: &[usize],
        responses: &mut [f32],
    ) {
        let side = 2 * REACH + 1;
        let padded = padded(plane);
        let width = plane.width + 2 * REACH;
        let filters = MatRef::from_row_major_slice(&self.filters, RESPONSES, TAPS).transpose();
        let mut patches = vec![0.0; columns.len() * TAPS];
        let mut found = vec![0.0; columns.len() * RESPONSES];
        for (y, row) in rows.iter().enumerate() {
            let top = (row >> scale).min(plane.height - 1);
            for (patch, column) in patches.chunks_mut(TAPS).zip(columns) {
                let left = (column >> scale).min(plane.width - 1);
                for (line, to) in patch.chunks_mut(side).enumerate() {
                    to.copy_from_slice(&padded[(top + line) * width + left..][..side]);
                }
            }
            let patches = MatRef::from_row_major_slice(&patches, columns.len(), TAPS);
            let to = MatMut::from_row_major_slice_mut(&mut found, columns.len(), RESPONSES);
            matmul(to, Accum::Replace, patches, filters, 1.0, Par::Seq);
            for (x, found) in found.chunks(RESPONSES).enumerate() {
                let at = (y * columns.len() + x) * WIDTH + scale * RESPONSES;
                responses[at..at + RESPONSES].copy_from_slice(found);
            }
        }
    }
}

/// With no mean and a deviation of 1, so that the light of the scene does not matter. A picture
/// of one colour stays empty.
fn normal(mut plane: Plane) -> Plane {
    let count = plane.values.len() as f64;
    let mean = plane.values.iter().map(|&value| f64::from(value)).sum::<f64>() / count;
    let square = |value: f64| value * value;
    let variance = plane.values.iter().map(|&v| square(f64::from(v) - mean)).sum::<f64>() / count;
    // A deviation below one step of eight bits is no texture.
    let deviation = variance.sqrt().max(1.0 / 255.0);
    for value in &mut plane.values {
        *value = ((f64::from(*value) - mean) / deviation) as f32;
    }
    plane
}

/// With a border in which the last pixels go on.
fn padded(plane: &Plane) -> Vec<f32> {
    let width = plane.width + 2 * REACH;
    let mut values = Vec::with_capacity(width * (plane.height + 2 * REACH));
    for y in 0..plane.height + 2 * REACH {
        let row = plane.row(y.saturating_sub(REACH).min(plane.height - 1));
        values.extend(std::iter::repeat_n(row[0], REACH));
        values.extend_from_slice(row);
        values.extend(std::iter::repeat_n(row[plane.width - 1], REACH));
    }
    values
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;

    /// Stripes of eight pixels, lying or standing.
    fn stripes(lying: bool) -> Picture {
        Picture::from_fn(224, 224, |x, y| {
            let at = if lying { y } else { x };
            Rgb([if at / 4 % 2 == 0 { 40 } else { 200 }; 3])
        })
    }

    #[test]
    fn lines_answer_the_filters_of_their_direction() {
        let bank = FilterBank::new();
        let strength = |picture: &Picture, direction: usize| -> f32 {
            let responses = bank.describe(&View::new(picture));
            let points = responses.as_chunks::<WIDTH>().0;
            points.iter().map(|point| point[2 * direction].abs()).sum()
        };
        // Direction 0 is lines that lie, direction 3 lines that stand.
        for (picture, with, against) in [(stripes(true), 0, 3), (stripes(false), 3, 0)] {
            assert!(strength(&picture, with) > 20.0 * strength(&picture, against));
        }
    }

    #[test]
    fn filters_are_normal() {
        let bank = FilterBank::new();
        for (at, filter) in bank.filters.chunks(TAPS).enumerate() {
            let absolute: f32 = filter.iter().map(|value| value.abs()).sum();
            let sum: f32 = filter.iter().sum();
            assert!((absolute - 1.0).abs() < 1e-5 && sum.abs() < 1e-5, "{at}");
        }
    }

    #[test]
    fn one_colour_has_no_texture() {
        let bank = FilterBank::new();
        let responses = bank.describe(&View::new(&Picture::from_pixel(9, 4, Rgb([7, 7, 7]))));
        assert!(responses.iter().all(|value| value.abs() < 1e-3));
    }
}
