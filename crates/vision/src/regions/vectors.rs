//! `regions`: the vectors of a picture's regions, as a row of fixed length.

use crate::encoder::{self, Encoder};
use crate::visual_words::texture::FilterBank;
use crate::{Extractor, Picture, Result};

use super::canvas::Canvas;
use super::segmentation::{Method, Segmentation};
use super::{MOST, SMALLEST, SMALLEST_SHARE, low_level, pooled};

/// Changes whenever the same picture would get other vectors.
const VERSION: u32 = 1;

/// Divides pictures into regions and describes each: by colour, texture, position and shape, or by
/// what a network sees there.
///
/// As an [`Extractor`] it gives rows that hold the number of regions and then a vector for each of
/// [`MOST`]; those that are missing are zeros. [`vectors_of`] takes such a row apart.
pub struct RegionVectors {
    name: String,
    method: Method,
    eye: Eye,
    width: usize,
}

enum Eye {
    LowLevel(FilterBank),
    Network(Box<Encoder>),
}

/// A picture in regions.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The regions of the picture.
    pub segmentation: Segmentation,
    /// Those that are large enough to be described, in order; none in a picture of a few pixels.
    pub kept: Vec<usize>,
    /// The vector of each region that was kept.
    pub vectors: Vec<Vec<f32>>,
}

impl RegionVectors {
    /// The regions that a user names, if they are regions: `regions` (by normalised cuts) or
    /// `graph-regions`, or either with the name or path of a network behind a colon.
    ///
    /// # Errors
    /// If the network cannot be opened.
    pub fn named(name: &str) -> Result<Option<Self>> {
        for method in Method::ALL {
            match name.strip_prefix(method.extractor()) {
                Some("") => return Ok(Some(Self::low_level(method))),
                Some(rest) if let Some(network) = rest.strip_prefix(':') => {
                    let encoder = Encoder::open(&encoder::locate(network)?)?;
                    return Self::network(method, encoder).map(Some);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Regions by colour, texture, position and shape.
    pub fn low_level(method: Method) -> Self {
        let eye = Eye::LowLevel(FilterBank::new());
        let name = format!("{}/{VERSION}", method.extractor());
        Self { name, method, eye, width: low_level::WIDTH }
    }

    /// Regions by the mean of the vectors that a network gives their patches.
    ///
    /// # Errors
    /// If the network gives no vectors of patches.
    pub fn network(method: Method, encoder: Encoder) -> Result<Self> {
        let (network, hash) = encoder.name().split_once('/').unwrap_or((encoder.name(), ""));
        let name = format!("{}:{network}/{VERSION}-{hash}", method.extractor());
        let width = pooled::width(&encoder)?;
        Ok(Self { name, method, eye: Eye::Network(Box::new(encoder)), width })
    }

    /// How many numbers describe a region.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How pictures are divided.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The network that describes regions, if one does.
    pub fn encoder(&self) -> Option<&Encoder> {
        match &self.eye {
            Eye::LowLevel(_) => None,
            Eye::Network(encoder) => Some(encoder),
        }
    }

    /// How much each number counts when regions are compared, once it is standardised.
    pub(super) fn weights(&self) -> Vec<f32> {
        match &self.eye {
            Eye::LowLevel(_) => low_level::weights(),
            Eye::Network(_) => vec![1.0; self.width],
        }
    }

    /// Divides a picture and describes its regions.
    ///
    /// # Errors
    /// If the picture has no pixels, or the network fails.
    pub fn look(&self, picture: &Picture) -> Result<Seen> {
        let canvas = Canvas::new(picture)?;
        let segmentation = Segmentation::of(&canvas, self.method);
        let least = (SMALLEST_SHARE * canvas.pixels() as f64).max(SMALLEST as f64);
        let areas = segmentation.areas().iter().enumerate();
        let kept: Vec<usize> =
            areas.filter(|&(_, &area)| area as f64 >= least).map(|(region, _)| region).collect();
        if kept.is_empty() {
            return Ok(Seen { segmentation, kept, vectors: Vec::new() });
        }
        let mut all = match &self.eye {
            Eye::LowLevel(bank) => low_level::describe(picture, &canvas, &segmentation, bank),
            Eye::Network(encoder) => pooled::describe(picture, &segmentation, encoder)?,
        };
        let vectors = kept.iter().map(|&region| std::mem::take(&mut all[region])).collect();
        Ok(Seen { segmentation, kept, vectors })
    }
}

impl Extractor for RegionVectors {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        1 + MOST * self.width
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
        let seen = self.look(picture)?;
        features.fill(0.0);
        let Some((count, rest)) = features.split_first_mut() else { return Ok(()) };
        *count = seen.kept.len() as f32;
        for (to, from) in rest.chunks_exact_mut(self.width).zip(&seen.vectors) {
            to.copy_from_slice(from);
        }
        Ok(())
    }
}

/// The vectors in a row that [`RegionVectors`] gave.
pub fn vectors_of(row: &[f32]) -> impl Iterator<Item = &[f32]> {
    let (count, rest) = row.split_first().map_or((0, row), |(&count, rest)| (count as usize, rest));
    rest.chunks_exact((rest.len() / MOST).max(1)).take(count)
}

impl std::fmt::Debug for RegionVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegionVectors").field("name", &self.name).finish_non_exhaustive()
    }
}
