//! A picture as segmentation sees it: small, and every pixel as a point among colours.

use crate::cielab;
use crate::visual_words::view::Plane;
use crate::{Picture, Result};

/// The longer side of a picture while it is divided, in pixels; larger pictures are reduced first.
pub(super) const LONGER: u32 = 192;
/// L, a and b of CIELAB, and how lively the surroundings are.
pub(super) const CHANNELS: usize = 4;
/// A pixel or the mean of some.
pub(super) type Colour = [f32; CHANNELS];

/// How far apart even pixels and lively ones lie, in units of CIELAB a unit of contrast.
const LIVELINESS: f32 = 1.5;
/// The contrast from which on a pixel is as lively as can be, so that a single sharp border does not
/// look like much texture.
const LIVELY: f32 = 8.0;
/// Over how many pixels contrast is taken, and then averaged.
const FINE: f32 = 1.5;
const COARSE: f32 = 3.0;
/// How much noise is blurred away before pixels are compared.
const SMOOTH: f32 = 0.8;

/// The pixels of a reduced picture.
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    /// As they are.
    pub(super) rgb: Vec<[u8; 3]>,
    pub(super) lab: Vec<[f32; 3]>,
    /// As they are compared: smoothed.
    pub(super) colours: Vec<Colour>,
}

impl Canvas {
    pub(super) fn new(picture: &Picture) -> Result<Self> {
        let longer = picture.width().max(picture.height());
        let small;
        let picture = if longer > LONGER {
            let side =
                |side: u32| (u64::from(side) * u64::from(LONGER) / u64::from(longer)).max(1) as u32;
            small =
                image::imageops::thumbnail(picture, side(picture.width()), side(picture.height()));
            &small
        } else {
            picture
        };
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        if width * height == 0 {
            return Err(super::wrong("a picture without pixels has no regions"));
        }
        let light: [f32; 256] = std::array::from_fn(|value| cielab::linear(value as u8));
        let rgb: Vec<[u8; 3]> = picture.as_raw().as_chunks::<3>().0.to_vec();
        let linear = |pixel: &[u8; 3]| pixel.map(|value| light[usize::from(value)]);
        let lab: Vec<[f32; 3]> = rgb.iter().map(|pixel| cielab::of_linear(linear(pixel))).collect();
        let colours = colours(width, height, &lab);
        Ok(Self { width, height, rgb, lab, colours })
    }

    pub(super) fn pixels(&self) -> usize {
        self.width * self.height
    }

    /// Calls `pair` with every two pixels that lie side by side.
    pub(super) fn pairs(&self, mut pair: impl FnMut(usize, usize)) {
        for at in 0..self.pixels() {
            if at % self.width + 1 < self.width {
                pair(at, at + 1);
            }
            if at + self.width < self.pixels() {
                pair(at, at + self.width);
            }
        }
    }
}

fn colours(width: usize, height: usize, lab: &[[f32; 3]]) -> Vec<Colour> {
    let plane = |channel: usize| {
        let values = lab.iter().map(|pixel| pixel[channel]).collect();
        Plane { width, height, values }
    };
    let bright = plane(0);
    let mut contrast = bright.blurred(FINE);
    for (smooth, value) in contrast.values.iter_mut().zip(&bright.values) {
        *smooth = (value - *smooth).abs().min(LIVELY);
    }
    let contrast = contrast.blurred(COARSE);
    let [l, a, b] = [0, 1, 2].map(|channel| plane(channel).blurred(SMOOTH).values);
    (0..lab.len()).map(|at| [l[at], a[at], b[at], LIVELINESS * contrast.values[at]]).collect()
}

/// The squared distance of two colours.
#[inline]
pub(super) fn squared(a: &Colour, b: &Colour) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn huge_pictures_are_reduced_and_small_ones_stay() {
        let sized = |width, height| {
            let canvas = Canvas::new(&Picture::new(width, height)).unwrap();
            (canvas.width, canvas.height)
        };
        assert_eq!(sized(192, 128), (192, 128));
        assert_eq!(sized(6000, 4000), (192, 128));
        assert_eq!(sized(1, 20_000), (1, 192));
        assert_eq!(sized(1, 1), (1, 1));
        assert!(Canvas::new(&Picture::new(0, 3)).is_err());
    }

    #[test]
    fn lively_surroundings_set_pixels_apart() {
        let chequered = Picture::from_fn(60, 60, |x, y| {
            Rgb([if x >= 30 && (x + y) % 2 == 0 { 200 } else { 120 }; 3])
        });
        let canvas = Canvas::new(&chequered).unwrap();
        let at = |x: usize| canvas.colours[30 * 60 + x][3];
        assert!(at(5) < 0.1 && at(55) > 4.0, "{} {}", at(5), at(55));
    }
}
