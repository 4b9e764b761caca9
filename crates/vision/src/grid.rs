//! `grid-colour-edge/1`: colours and edges on grids of several sizes. No training, no download.
//!
//! The picture is brought to 96 x 96 pixels and seen in CIELAB. Its features are
//! - the mean L, a and b of each cell of an 8 x 8 grid;
//! - a histogram of colour bins for the whole, for each quarter and for each of 4 x 4 cells;
//! - a histogram of edge directions, by strength of the edge, for the same cells;
//! - what stands out (`standout.rs`): its colours, where it is, and its outline.
//!
//! Histograms hold square roots of shares, so that small bright things count beside large skies.

use image::imageops::{FilterType, resize};

use crate::cielab::lab;
use crate::standout::{self, Standout};
use crate::{Extractor, Picture, Result};

/// Pixels a side, after the picture was made small.
pub(crate) const SIDE: usize = 96;
const MEANS: usize = 8;
/// Cells a side, at each level of the pyramid.
const LEVELS: [usize; 3] = [1, 2, 4];
const CELLS: usize = 1 + 4 + 16;
const GREYS: usize = 5;
const HUES: usize = 10;
const TONES: usize = 3;
pub(crate) const COLOURS: usize = GREYS + HUES * TONES;
pub(crate) const DIRECTIONS: usize = 9;
const GRID: usize = CELLS * (COLOURS + DIRECTIONS);
const DIMENSIONS: usize = MEANS * MEANS * 3 + GRID + standout::DIMENSIONS;

/// Below this distance from the grey axis of CIELAB a pixel has no hue worth naming.
const GREY_CHROMA: f32 = 13.0;

/// Colours and edges on a grid; see the [module](self).
#[derive(Debug, Clone, Copy, Default)]
pub struct GridColourEdge;

impl Extractor for GridColourEdge {
    fn name(&self) -> &str {
        "grid-colour-edge/1"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
        let small = resize(picture, SIDE as u32, SIDE as u32, FilterType::Triangle);
        let lab: Vec<[f32; 3]> = small.pixels().map(|pixel| lab(pixel.0)).collect();
        let (means, rest) = features.split_at_mut(MEANS * MEANS * 3);
        let (histograms, outstanding) = rest.split_at_mut(GRID);
        mean_colours(&lab, means);
        let (colours, edges) = histograms.split_at_mut(CELLS * COLOURS);
        pyramid(colours, COLOURS, |x, y| (colour_bin(lab[y * SIDE + x]), 1.0));
        pyramid(edges, DIRECTIONS, |x, y| edge(&lab, x, y));
        Standout::new(&lab).describe(&lab, outstanding);
        Ok(())
    }
}

/// The direction of the edge at a pixel, as a bin, and its strength.
pub(crate) fn edge(lab: &[[f32; 3]], x: usize, y: usize) -> (usize, f32) {
    let light = |x: usize, y: usize| lab[y.min(SIDE - 1) * SIDE + x.min(SIDE - 1)][0];
    let across = light(x + 1, y) - light(x.saturating_sub(1), y);
    let down = light(x, y + 1) - light(x, y.saturating_sub(1));
    (direction_bin(across, down), across.hypot(down) / 100.0)
}

fn mean_colours(lab: &[[f32; 3]], means: &mut [f32]) {
    let cell = SIDE / MEANS;
    means.fill(0.0);
    for (at, pixel) in lab.iter().enumerate() {
        let (x, y) = (at % SIDE / cell, at / SIDE / cell);
        for (channel, value) in pixel.iter().enumerate() {
            means[(y * MEANS + x) * 3 + channel] += value / (100.0 * (cell * cell) as f32);
        }
    }
}

/// Histograms for the cells of all levels, as square roots of shares of the cell's pixels.
fn pyramid(histograms: &mut [f32], bins: usize, bin: impl Fn(usize, usize) -> (usize, f32)) {
    histograms.fill(0.0);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let (bin, weight) = bin(x, y);
            let mut first = 0;
            for cells in LEVELS {
                let cell = first + y * cells / SIDE * cells + x * cells / SIDE;
                let pixels = (SIDE / cells * (SIDE / cells)) as f32;
                histograms[cell * bins + bin] += weight / pixels;
                first += cells * cells;
            }
        }
    }
    for value in histograms {
        *value = value.sqrt();
    }
}

pub(crate) fn colour_bin([l, a, b]: [f32; 3]) -> usize {
    if a.hypot(b) < GREY_CHROMA {
        return ((l / 100.0 * GREYS as f32) as usize).min(GREYS - 1);
    }
    let turn = b.atan2(a) / (2.0 * std::f32::consts::PI) + 0.5;
    let hue = ((turn * HUES as f32) as usize).min(HUES - 1);
    let tone = match l {
        l if l < 38.0 => 0,
        l if l < 66.0 => 1,
        _ => 2,
    };
    GREYS + hue * TONES + tone
}

fn direction_bin(across: f32, down: f32) -> usize {
    let half_turn = (down.atan2(across) / std::f32::consts::PI).rem_euclid(1.0);
    ((half_turn * DIRECTIONS as f32) as usize).min(DIRECTIONS - 1)
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn one_colour_fills_one_bin_and_has_no_edges() {
        let picture = Picture::from_pixel(50, 31, Rgb([216, 48, 43]));
        let mut features = vec![f32::NAN; DIMENSIONS];
        GridColourEdge.extract(&picture, &mut features).unwrap();
        let histograms = &features[MEANS * MEANS * 3..][..GRID];
        let filled = histograms.iter().filter(|&&value| value > 1e-3).count();
        assert_eq!(filled, CELLS);
        assert!(features.iter().all(|value| value.is_finite()));
    }

    #[test]
    fn the_smallest_picture_has_features() {
        let mut features = vec![f32::NAN; DIMENSIONS];
        GridColourEdge.extract(&Picture::new(1, 1), &mut features).unwrap();
        assert!(features.iter().all(|value| value.is_finite()));
    }
}
