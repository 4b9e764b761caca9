//! Dense SIFT at 3,600 points a picture, against OpenCV.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_vision::Picture;
use rebus_vision::visual_words::dense_sift;

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "vision",
    name: "dense-sift",
    about: "descriptors at 3,600 points of each of 100 pictures of 298 x 224 pixels",
    work,
};

const SCRIPT: Script =
    Script { name: "dense_sift.py", text: include_str!("../peers/dense_sift.py") };
const SIZE: [u32; 2] = [298, 224];
/// Pictures that OpenCV looks at; its time is scaled to all.
const PART: usize = 10;

fn work(options: &Options) -> Result<Outcome, Error> {
    let count = options.scaled(100);
    let pictures: Option<Vec<Picture>> =
        (0..count).into_par_iter().map(|at| draw(SIZE, options.seed, at as u64)).collect();
    let pictures = pictures.ok_or_else(|| Error::Ours("a picture could not be drawn".into()))?;
    let look = || -> usize { pictures.par_iter().map(|picture| dense_sift(picture).rows()).sum() };
    let (seconds, points) = best_of(3, look);
    let mut peers = Vec::new();
    if let Some(python) = &options.python {
        let part = count.min(PART);
        let folder = folder()?;
        let pixels: Vec<u8> = pictures[..part].iter().flat_map(|p| p.as_raw()).copied().collect();
        write(&folder.path().join("pictures.u8"), &pixels)?;
        let descriptors: Vec<u8> = pictures[..part]
            .iter()
            .flat_map(|picture| dense_sift(picture).values().to_vec())
            .flat_map(f32::to_le_bytes)
            .collect();
        write(&folder.path().join("descriptors.f32"), &descriptors)?;
        let answer = SCRIPT.run(python, folder.path(), &[&part.to_string()])?;
        peers.push(PeerTime {
            name: "OpenCV",
            seconds: number(&answer, "/seconds", &SCRIPT)? * count as f64 / part as f64,
            target: 2.0,
            // How far the median cosine is from 1: the two weigh pixels a little differently.
            difference: 1.0 - number(&answer, "/cosine", &SCRIPT)?,
        });
    }
    Ok(Outcome {
        seconds,
        limit: None,
        peers,
        note: format!("{:.0} pictures a second, {points} points", count as f64 / seconds),
    })
}

/// A picture of random squares, so that there are edges.
pub(crate) fn draw(size: [u32; 2], seed: u64, stream: u64) -> Option<Picture> {
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
