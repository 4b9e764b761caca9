//! A small illustrated world, drawn from a seed: pictures with captions, keywords and splits, so
//! that tests and first steps need no download.
//!
//! [`specimen`] makes one picture in memory; [`write()`] makes a whole collection in a folder.
//! Picture `k` of a seed is always the same, whatever else is drawn and on however many threads.
//!
//! ```
//! use rebus_collection::synth;
//!
//! let specimen = synth::specimen(1, 0);
//! assert_eq!(specimen.captions.len(), 5);
//! assert!(specimen.picture.width() >= 192);
//! assert_eq!(specimen.captions, synth::specimen(1, 0).captions);
//! ```
//!
//! Inside, a scene comes first; the picture, the captions and the keywords are made from it, each
//! without knowledge of the others: `imagine` -> `scene` -> `draw` | `describe` | `keywords`.

mod canvas;
mod describe;
mod dice;
mod draw;
mod imagine;
mod keywords;
mod scene;
mod write;

use image::RgbImage;

use crate::Split;
use dice::{Dice, Purpose};

pub use write::{COLLECTION, Settings, Written, write};

/// One picture of the synthetic world and what is said about it.
#[derive(Debug, Clone)]
pub struct Specimen {
    /// The picture.
    pub picture: RgbImage,
    /// Five sentences, by five authors.
    pub captions: Vec<String>,
    /// True keywords from a small list.
    pub keywords: Vec<String>,
    /// Of ten pictures in a row, eight are for training, one for development, one for testing.
    pub split: Split,
}

/// Makes picture `number` of the world that `seed` names.
pub fn specimen(seed: u64, number: u64) -> Specimen {
    let scene = imagine::imagine(&mut Dice::new(seed, number, Purpose::Scene));
    Specimen {
        picture: draw::draw(&scene, &mut Dice::new(seed, number, Purpose::Picture)),
        captions: describe::describe(&scene, &mut Dice::new(seed, number, Purpose::Captions)),
        keywords: keywords::keywords(&scene),
        split: split(number),
    }
}

fn split(number: u64) -> Split {
    match number % 10 {
        8 => Split::Dev,
        9 => Split::Test,
        _ => Split::Train,
    }
}
