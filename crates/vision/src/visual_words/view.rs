//! A picture as the low-level features see it: at one size, with a grid of points over it.

use std::borrow::Cow;

use image::imageops::{FilterType, resize};

use crate::Picture;

/// Points a side of the grid. A multiple of four, so that every cell of the pyramid has equally
/// many, and histograms of any two pictures count the same number of points.
pub(crate) const SIDE: usize = 60;
/// Points of the grid.
pub(crate) const POINTS: usize = SIDE * SIDE;
/// The shorter side of a picture while it is looked at, in pixels.
const SHORTER: u32 = 224;
/// The longer side at most. A panorama that is longer is squeezed.
const LONGER: u32 = 4 * SHORTER;

/// A picture at the size at which it is looked at.
pub(crate) struct View<'a> {
    pub(crate) picture: Cow<'a, Picture>,
}

impl<'a> View<'a> {
    pub(crate) fn new(picture: &'a Picture) -> Self {
        let (width, height) = picture.dimensions();
        let shorter = width.min(height).max(1);
        let side = |side: u32| {
            let scaled = u64::from(side) * u64::from(SHORTER) + u64::from(shorter) / 2;
            (scaled / u64::from(shorter)).clamp(1, u64::from(LONGER)) as u32
        };
        let (to_width, to_height) = (side(width), side(height));
        if (width, height) == (to_width, to_height) {
            return Self { picture: Cow::Borrowed(picture) };
        }
        Self { picture: Cow::Owned(resize(picture, to_width, to_height, FilterType::Triangle)) }
    }

    pub(crate) fn width(&self) -> usize {
        self.picture.width() as usize
    }

    pub(crate) fn height(&self) -> usize {
        self.picture.height() as usize
    }

    /// Brightness, 0 to 1, in the weights that JPEG and OpenCV use.
    pub(crate) fn grey(&self) -> Plane {
        let values = self.picture.as_raw().as_chunks::<3>().0.iter().map(|&[r, g, b]| {
            (0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b)) / 255.0
        });
        Plane { width: self.width(), height: self.height(), values: values.collect() }
    }
}

/// Where the points of the grid lie along a side of so many pixels: the middles of equal parts.
pub(crate) fn along(pixels: usize) -> [usize; SIDE] {
    std::array::from_fn(|at| ((2 * at + 1) * pixels / (2 * SIDE)).min(pixels.saturating_sub(1)))
}

/// One number a pixel.
#[derive(Clone)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<f32>,
}

impl Plane {
    pub(crate) fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// Blurred by a Gaussian; past the border the last pixel goes on.
    pub(crate) fn blurred(&self, sigma: f32) -> Self {
        let radius = (3.0 * sigma).ceil() as usize;
        let mut taps: Vec<f32> =
            (0..=radius).map(|at| (-0.5 * (at as f32 / sigma).powi(2)).exp()).collect();
        let sum = taps[0] + 2.0 * taps[1..].iter().sum::<f32>();
        taps.iter_mut().for_each(|tap| *tap /= sum);
        self.filtered(&taps)
    }

    /// Filtered down and across by the same symmetric filter, given from its middle outwards.
    fn filtered(&self, taps: &[f32]) -> Self {
        let (width, height) = (self.width, self.height);
        let mut down = vec![0.0; width * height];
        for (y, to) in down.chunks_mut(width).enumerate() {
            for (at, &tap) in taps.iter().enumerate() {
                let above = self.row(y.saturating_sub(at));
                let below = self.row((y + at).min(height - 1));
                let tap = if at == 0 { tap / 2.0 } else { tap };
                for ((to, above), below) in to.iter_mut().zip(above).zip(below) {
                    *to += tap * (above + below);
                }
            }
        }
        let radius = taps.len() - 1;
        let mut padded = vec![0.0; width + 2 * radius];
        let mut values = vec![0.0; width * height];
        for (from, to) in down.chunks(width).zip(values.chunks_mut(width)) {
            padded[..radius].fill(from[0]);
            padded[radius..radius + width].copy_from_slice(from);
            padded[radius + width..].fill(from[width - 1]);
            for (at, &tap) in taps.iter().enumerate() {
                let tap = if at == 0 { tap / 2.0 } else { tap };
                let (left, right) = (&padded[radius - at..], &padded[radius + at..]);
                for ((to, left), right) in to.iter_mut().zip(left).zip(right) {
                    *to += tap * (left + right);
                }
            }
        }
        Self { width, height, values }
    }

    /// At half the size: blurred, then every second pixel.
    pub(crate) fn halved(&self) -> Self {
        let blurred = self.blurred(1.0);
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let rows = (0..height).flat_map(|y| blurred.row(2 * y).iter().step_by(2).copied());
        Self { width, height, values: rows.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_picture_is_seen_at_about_one_size() {
        for (from, to) in [
            ((224, 300), (224, 300)),
            ((1, 1), (224, 224)),
            ((20_000, 3), (896, 224)),
            ((3, 20_000), (224, 896)),
            ((448, 600), (224, 300)),
        ] {
            let picture = Picture::new(from.0, from.1);
            let view = View::new(&picture);
            assert_eq!((view.width(), view.height()), to, "{from:?}");
        }
    }

    #[test]
    fn points_lie_in_the_middles_of_equal_parts() {
        let points = along(300);
        assert_eq!((points[0], points[59]), (2, 297));
        assert!(along(1).iter().all(|&at| at == 0));
    }

    #[test]
    fn blurring_keeps_what_is_even() {
        let plane = Plane { width: 5, height: 3, values: vec![0.5; 15] };
        assert!(plane.blurred(2.0).values.iter().all(|value| (value - 0.5).abs() < 1e-6));
        assert_eq!((plane.halved().width, plane.halved().height), (3, 2));
    }
}
