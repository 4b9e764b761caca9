//! A picture divided into a few regions, by one of two methods.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::canvas::Canvas;
use super::patchwork::Patchwork;
use super::{MOST, graph_based, normalised_cuts};
use crate::{Error, Picture, Result};

/// Neighbours that differ by less than this in CIELAB, on average, are one region.
const ALIKE: f32 = 3.0;
/// What takes a smaller share of the picture, not counting a strip along its border, belongs to a
/// neighbour.
const FRAGMENT: f64 = 0.005;

/// How a picture is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Normalised cuts on superpixels (Shi and Malik 2000), the paper's method.
    #[default]
    NormalisedCuts,
    /// Felzenszwalb and Huttenlocher (2004): faster.
    GraphBased,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::NormalisedCuts, Self::GraphBased];

    /// What extractors of such regions are called.
    pub(crate) fn extractor(self) -> &'static str {
        match self {
            Self::NormalisedCuts => "regions",
            Self::GraphBased => "graph-regions",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NormalisedCuts => "normalised-cuts",
            Self::GraphBased => "graph-based",
        })
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|method| method.to_string() == text).ok_or_else(|| {
            super::wrong(&format!("no method `{text}`; there are normalised-cuts and graph-based"))
        })
    }
}

/// A picture divided into at most [`MOST`] regions, each of which hangs together; every pixel is in
/// one. It is made on a copy of the picture whose longer side has at most 192 pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segmentation {
    width: usize,
    height: usize,
    labels: Vec<u8>,
    areas: Vec<usize>,
}

impl Segmentation {
    /// Divides a picture.
    ///
    /// # Errors
    /// If the picture has no pixels.
    pub fn new(picture: &Picture, method: Method) -> Result<Self> {
        Ok(Self::of(&Canvas::new(picture)?, method))
    }

    pub(super) fn of(canvas: &Canvas, method: Method) -> Self {
        let fragment = FRAGMENT * canvas.pixels() as f64;
        let parts = match method {
            Method::NormalisedCuts => normalised_cuts::segment(canvas, MOST, fragment),
            Method::GraphBased => graph_based::segment(canvas),
        };
        let mut work = Patchwork::new(canvas, &parts);
        work.join_thin(fragment);
        work.join_alike(ALIKE);
        work.join_to(MOST);
        let (labels, count) = work.finish();
        let labels: Vec<u8> = labels.into_iter().map(|label| label as u8).collect();
        let mut areas = vec![0; count];
        labels.iter().for_each(|&label| areas[usize::from(label)] += 1);
        Self { width: canvas.width, height: canvas.height, labels, areas }
    }

    /// Pixels across and down of the copy that was divided.
    pub fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The region of every pixel of the copy, line by line. Regions are counted from 0 in the order
    /// in which they begin.
    pub fn labels(&self) -> &[u8] {
        &self.labels
    }

    /// How many pixels of the copy each region has.
    pub fn areas(&self) -> &[usize] {
        &self.areas
    }

    /// The region at a place, given as shares of the picture's width and height.
    pub(super) fn at(&self, x: f32, y: f32) -> usize {
        let pixel = |share: f32, pixels: usize| ((share * pixels as f32) as usize).min(pixels - 1);
        usize::from(self.labels[pixel(y, self.height) * self.width + pixel(x, self.width)])
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    fn count(picture: &Picture, method: Method) -> usize {
        Segmentation::new(picture, method).unwrap().areas().len()
    }

    #[test]
    fn as_many_regions_as_flat_colours() {
        let one = Picture::from_pixel(150, 100, Rgb([90, 120, 30]));
        let two = Picture::from_fn(150, 100, |_, y| {
            Rgb(if y < 40 { [110, 170, 240] } else { [50, 130, 40] })
        });
        // A red disc before sky and meadow.
        let three = Picture::from_fn(150, 100, |x, y| {
            let inside = (x as f32 - 70.0).hypot(y as f32 - 50.0) < 25.0;
            if inside { Rgb([210, 30, 30]) } else { *two.get_pixel(x, y) }
        });
        for method in Method::ALL {
            assert_eq!(count(&one, method), 1, "{method}");
            assert_eq!(count(&two, method), 2, "{method}");
            assert_eq!(count(&three, method), 3, "{method}");
            let found = Segmentation::new(&two, method).unwrap();
            let sky = found.areas()[0] as f32 / 15_000.0;
            assert!((sky - 0.4).abs() < 0.03, "{method}: {sky}");
        }
    }

    #[test]
    fn pictures_of_a_few_pixels_and_huge_ones() {
        for method in Method::ALL {
            for (width, height) in [(1, 1), (2, 1), (1, 9), (3, 3), (3000, 2), (4000, 3000)] {
                let picture =
                    Picture::from_fn(width, height, |x, y| Rgb([((x + y) * 90) as u8; 3]));
                let found = Segmentation::new(&picture, method).unwrap();
                assert!((1..=MOST).contains(&found.areas().len()), "{width} x {height}");
                assert!(found.dimensions().0.max(found.dimensions().1) <= 192);
            }
            assert!(Segmentation::new(&Picture::new(0, 0), method).is_err());
        }
    }

    #[test]
    fn methods_by_name() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse::<Method>().unwrap(), method);
        }
        assert!("magic".parse::<Method>().unwrap_err().to_string().contains("graph-based"));
    }
}
