//! `visual-words`: the picture as counts of colours, textures and shapes, in parts of the picture.
//!
//! Section 3.3 of the ranking-task paper. At every point of a grid over the picture there is
//! a colour (CIELAB), a texture (responses of a filter bank) and a shape (SIFT). Each is replaced
//! by the nearest of a vocabulary of 128, 256 and 256 words, which k-means found in 1,000 points of
//! each of 200 pictures. A row of features is the shares of points with each word, H(v): first in
//! the whole picture (level 0), then in each quarter (level 1), then in each of 4 x 4 parts (level
//! 2); shares are of all points, so that a level's cells add up to the level before. In a cell, 128
//! colours are followed by 256 textures and 256 shapes.
//!
//! A picture and its mirror image are counted together: what people say of them is the same, and
//! a dog that looks to the left is found by one that looks to the right.
//!
//! [`Kernel::Histo`](crate::Kernel) and [`Kernel::Pyramid`](crate::Kernel) compare such rows.
//!
//! ```
//! use rebus_collection::{Silent, synth};
//! use rebus_vision::{Extractor, VisualWords, visual_words::Params};
//!
//! let pictures: Vec<_> = (0..3).map(|at| synth::specimen(1, at).picture).collect();
//! let params = Params { points: 300, ..Params::default() };
//! let words = VisualWords::fit_pictures(&pictures, &params, &Silent)?;
//! let mut row = vec![0.0; words.dimensions()];
//! words.extract(&pictures[0], &mut row)?;
//! // Every point has one colour: the shares of the 128 colours add up to 1.
//! assert!((row[..128].iter().sum::<f32>() - 1.0).abs() < 1e-5);
//! # Ok::<(), rebus_vision::Error>(())
//! ```

mod colour;
mod fit;
mod folder;
mod sift;
pub(crate) mod texture;
pub(crate) mod view;

use std::fmt;

use image::imageops::flip_horizontal;
use rebus_collection::{ContentHash, Matrix};

use crate::kmeans::{nearest_of, squares};
use crate::{Extractor, Picture, Result};

pub use fit::Params;
use view::{POINTS, SIDE, View};

/// What extractors of visual words and their folders are called.
pub(crate) const NAME: &str = "visual-words";

/// Cells a side, at each level of the pyramid.
pub const LEVELS: [usize; 3] = [1, 2, 4];
/// Cells of all levels.
pub const CELLS: usize = 1 + 4 + 16;
/// Words of the three vocabularies, colour, texture and SIFT: the bins of a cell.
pub const WORDS: [usize; 3] = [128, 256, 256];
/// Bins of a cell.
pub const BINS: usize = WORDS[0] + WORDS[1] + WORDS[2];

/// What the vocabularies are called, in files and messages.
const NAMES: [&str; 3] = ["colour", "texture", "sift"];
/// Values of a descriptor of each kind.
const WIDTHS: [usize; 3] = [colour::WIDTH, texture::WIDTH, sift::WIDTH];
/// Changes whenever the same picture would get other features.
const VERSION: u32 = 2;
/// Points that are given their words together.
const BATCH: usize = 720;
/// What a point counts: a picture and its mirror image have the same number each.
const SHARE: f32 = 1.0 / (2 * POINTS) as f32;

/// Visual words on a spatial pyramid; see the [module](self).
pub struct VisualWords {
    name: String,
    vocabularies: [Vocabulary; 3],
    eye: Eye,
    training: Training,
}

/// What the vocabularies were made from.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
struct Training {
    params: Params,
    /// Pictures that points were taken from.
    pictures: usize,
    /// The sums of squared distances to the words, by vocabulary.
    inertia: [f64; 3],
}

/// Words of one kind: the means of k-means.
struct Vocabulary {
    words: Matrix,
    norms: Vec<f32>,
}

impl Vocabulary {
    fn new(words: Matrix) -> Self {
        Self { norms: squares(&words), words }
    }
}

/// What takes descriptors from a picture, before there are words.
struct Eye {
    bank: texture::FilterBank,
}

impl Eye {
    fn new() -> Self {
        Self { bank: texture::FilterBank::new() }
    }

    /// The descriptors of each kind, point after point.
    fn describe(&self, picture: &Picture) -> [Vec<f32>; 3] {
        let view = View::new(picture);
        [colour::describe(&view), self.bank.describe(&view), sift::describe(&view)]
    }
}

impl VisualWords {
    fn new(vocabularies: [Matrix; 3], training: Training) -> Self {
        let bytes: Vec<u8> = vocabularies
            .iter()
            .flat_map(|words| words.values())
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let hash = ContentHash::of(&bytes).to_string();
        Self {
            name: format!("{NAME}/{VERSION}-{}", hash.get(..12).unwrap_or(&hash)),
            vocabularies: vocabularies.map(Vocabulary::new),
            eye: Eye::new(),
            training,
        }
    }
}

impl VisualWords {
    /// How many pictures the vocabularies were made from: those that could be read.
    pub fn made_from(&self) -> usize {
        self.training.pictures
    }
}

impl Extractor for VisualWords {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        CELLS * BINS
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
        features.fill(0.0);
        self.count(picture, features);
        self.count(&flip_horizontal(picture), features);
        // Counts are whole numbers until here, so that their sums are exact.
        features.iter_mut().for_each(|count| *count *= SHARE);
        Ok(())
    }
}

impl VisualWords {
    /// Adds the words at the points of the grid to the cells that they lie in.
    fn count(&self, picture: &Picture, features: &mut [f32]) {
        let mut first = 0;
        for (descriptors, vocabulary) in self.eye.describe(picture).iter().zip(&self.vocabularies) {
            let Vocabulary { words, norms } = vocabulary;
            for (batch, descriptors) in descriptors.chunks(BATCH * words.columns()).enumerate() {
                let found = nearest_of(descriptors, words, norms);
                for (point, word) in (batch * BATCH..).zip(found) {
                    for cell in cells(point) {
                        features[cell * BINS + first + word as usize] += 1.0;
                    }
                }
            }
            first += words.rows();
        }
    }
}

/// Dense SIFT descriptors of a picture at the points of the grid that [`VisualWords`] uses: one row
/// a point, from left to right, then from top to bottom.
pub fn dense_sift(picture: &Picture) -> Matrix {
    let values = sift::describe(&View::new(picture));
    let mut matrix = Matrix::zeros(values.len() / sift::WIDTH, sift::WIDTH);
    matrix.values_mut().copy_from_slice(&values);
    matrix
}

/// The cells that a point of the grid lies in, one a level.
fn cells(point: usize) -> [usize; 3] {
    let (x, y) = (point % SIDE, point / SIDE);
    let mut first = 0;
    LEVELS.map(|side| {
        let cell = first + y * side / SIDE * side + x * side / SIDE;
        first += side * side;
        cell
    })
}

impl fmt::Debug for VisualWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VisualWords")
            .field("name", &self.name)
            .field("training", &self.training)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_all_levels() {
        assert_eq!(cells(0), [0, 1, 5]);
        assert_eq!(cells(POINTS - 1), [0, 4, 20]);
        // The last point of the first line lies in the upper right.
        assert_eq!(cells(SIDE - 1), [0, 2, 8]);
        let mut counts = [0; CELLS];
        (0..POINTS).flat_map(cells).for_each(|cell| counts[cell] += 1);
        assert!(counts[5..].iter().all(|&count| count == POINTS / 16));
    }
}
