//! Colour at the points of the grid: the three coordinates of CIELAB.
//!
//! A point stands for the part of the picture around it, so its light is averaged over the pixels
//! nearest to it before CIELAB is taken.

use crate::cielab;

use super::view::{POINTS, View, along};

/// L, a and b.
pub(crate) const WIDTH: usize = 3;

/// How far around a point light is averaged, in pixels.
const REACH: usize = 1;

/// The colours at the points of the grid, point after point.
pub(crate) fn describe(view: &View) -> Vec<f32> {
    let light: [f32; 256] = std::array::from_fn(|value| cielab::linear(value as u8));
    let (width, height) = (view.width(), view.height());
    let pixels = view.picture.as_raw();
    let mut colours = Vec::with_capacity(POINTS * WIDTH);
    for y in along(height) {
        for x in along(width) {
            let mut sum = [0.0; 3];
            let mut count = 0.0;
            for y in y.saturating_sub(REACH)..(y + REACH + 1).min(height) {
                for x in x.saturating_sub(REACH)..(x + REACH + 1).min(width) {
                    let pixel = &pixels[(y * width + x) * 3..][..3];
                    sum.iter_mut().zip(pixel).for_each(|(sum, &v)| *sum += light[usize::from(v)]);
                    count += 1.0;
                }
            }
            colours.extend(cielab::of_linear(sum.map(|sum| sum / count)));
        }
    }
    colours
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;

    #[test]
    fn a_red_picture_is_red_at_every_point() {
        let colours = describe(&View::new(&Picture::from_pixel(224, 250, Rgb([255, 0, 0]))));
        assert_eq!(colours.len(), POINTS * WIDTH);
        for colour in colours.as_chunks::<3>().0 {
            assert!((colour[0] - 53.24).abs() < 0.05 && (colour[2] - 67.20).abs() < 0.05);
        }
    }
}
