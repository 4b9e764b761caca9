//! Dense SIFT at 3,600 points a picture, against OpenCV.

use rayon::prelude::*;
use rebus_vision::visual_words::dense_sift;

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of, drawn};

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
    let pictures = drawn::pictures(SIZE, count, options)?;
    let look = || -> usize { pictures.par_iter().map(|picture| dense_sift(picture).rows()).sum() };
    let (seconds, points) = best_of(3, look);
    let mut peers = Vec::new();
    if let Some(python) = &options.python {
        let part = count.min(PART);
        let folder = folder()?;
        drawn::write_pixels(&pictures[..part], folder.path())?;
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
