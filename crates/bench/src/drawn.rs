//! Drawn pictures, for cases that look at pixels.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_vision::Picture;

use crate::peer::write;
use crate::{Error, Options};

/// Pictures of one size, no two alike.
pub(crate) fn pictures(
    size: [u32; 2],
    count: usize,
    options: &Options,
) -> Result<Vec<Picture>, Error> {
    let drawn: Option<Vec<Picture>> =
        (0..count).into_par_iter().map(|at| draw(size, options.seed, at as u64)).collect();
    drawn.ok_or_else(|| Error::Ours("a picture could not be drawn".into()))
}

/// Writes the pixels of pictures, one after the other, where a peer finds them.
pub(crate) fn write_pixels(pictures: &[Picture], folder: &Path) -> Result<(), Error> {
    let pixels: Vec<u8> = pictures.iter().flat_map(|picture| picture.as_raw()).copied().collect();
    write(&folder.join("pictures.u8"), &pixels)
}

/// A picture of random squares, so that there are edges.
fn draw(size: [u32; 2], seed: u64, stream: u64) -> Option<Picture> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(stream);
    let [width, height] = size.map(|side| side as usize);
    let mut pixels = vec![128u8; width * height * 3];
    for _ in 0..300 {
        let side = random.random_range(4..60);
        let (left, top) = (random.random_range(0..width), random.random_range(0..height));
        let colour: [u8; 3] = random.random();
        for y in top..height.min(top + side) {
            let row = &mut pixels[(y * width + left) * 3..(y * width + width.min(left + side)) * 3];
            row.as_chunks_mut::<3>().0.fill(colour);
        }
    }
    Picture::from_raw(size[0], size[1], pixels)
}
