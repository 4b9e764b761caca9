//! Vectors of pictures from a network, against Python's ONNX Runtime and Pillow.

use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::synth::{self, Settings};
use rebus_collection::{ImageSource, Item, Silent};
use rebus_vision::encoder::{Encoder, Filter, locate, resize};
use rebus_vision::{Picture, features, open};
use serde_json::Value;

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const NETWORK: Case = Case {
    group: "encoders",
    name: "network",
    about: "TinyViT-5M on 128 pictures that are ready for it",
    work: network,
};

pub(crate) const PIPELINE: Case = Case {
    group: "encoders",
    name: "pipeline",
    about: "TinyViT-5M on 128 photos: read, decode, resize, encode",
    work: |options| pipeline(&Photos::new(options, PICTURES)?, options),
};

pub(crate) const PHOTOGRAPHS: Case = Case {
    group: "encoders",
    name: "photographs",
    about: "the same on 32 photos as cameras make them, 12 megapixels each",
    work: |options| pipeline(&Photos::new(options, PHOTOGRAPHED)?.enlarged(options.seed)?, options),
};

const SCRIPT: Script = Script { name: "encoders.py", text: include_str!("../peers/encoders.py") };
const NAME: &str = "tiny-vit-5m";
pub(crate) const PICTURES: usize = 128;
pub(crate) const PHOTOGRAPHED: usize = 32;
/// The size of a photograph.
const PIXELS: [u32; 2] = [4000, 3000];
/// Which share of ONNX Runtime's speed the network alone shall reach, and the whole.
const NETWORK_TARGET: f64 = 0.7;
const PIPELINE_TARGET: f64 = 1.5;
/// The size that the network looks at.
const SIDE: u32 = 224;

pub(crate) fn ours(error: impl std::fmt::Display) -> Error {
    Error::Ours(error.to_string())
}

fn network(options: &Options) -> Result<Outcome, Error> {
    let photos = Photos::new(options, PICTURES)?;
    let (encoder, path) = encoder()?;
    let pictures: Vec<Picture> = photos
        .paths
        .iter()
        .map(|path| Ok(resize(&open(path).map_err(ours)?, SIDE, SIDE, Filter::Bicubic)))
        .collect::<Result<_, Error>>()?;
    // Both see the same pixels, so that only the networks differ.
    let pixels: Vec<u8> = pictures.iter().flat_map(|picture| picture.as_raw()).copied().collect();
    write(&photos.folder.path().join("pictures.u8"), &pixels)?;
    let (seconds, vectors) = best_of(3, || {
        pictures
            .par_iter()
            .map(|picture| Ok(encoder.look(picture)?.vector))
            .collect::<rebus_vision::Result<Vec<_>>>()
    });
    let vectors = vectors.map_err(ours)?.concat();
    photos.outcome(options, seconds, &vectors, &path, "network")
}

fn pipeline(photos: &Photos, options: &Options) -> Result<Outcome, Error> {
    let (encoder, path) = encoder()?;
    let items = photos.items();
    let items: Vec<&Item> = items.iter().collect();
    let (seconds, seen) = best_of(3, || features(&items, &encoder, None, &Silent));
    let seen = seen.map_err(ours)?;
    if let Some((_, error)) = seen.failed.first() {
        return Err(ours(error));
    }
    photos.outcome(options, seconds, seen.matrix.values(), &path, "pipeline")
}

pub(crate) fn encoder() -> Result<(Encoder, PathBuf), Error> {
    let path = locate(NAME).map_err(ours)?;
    Ok((Encoder::open(&path).map_err(ours)?, path.join("model.onnx")))
}

/// The photos that both look at.
pub(crate) struct Photos {
    pub(crate) paths: Vec<PathBuf>,
    /// Kept until the photos in it were seen.
    folder: tempfile::TempDir,
}

impl Photos {
    /// Those of the folder that the options name, else of the synthetic world.
    pub(crate) fn new(options: &Options, count: usize) -> Result<Self, Error> {
        let scratch = folder()?;
        let count = options.scaled(count);
        let home = match &options.photos {
            Some(home) => home.clone(),
            None => {
                let world = scratch.path().join("world");
                let settings = Settings { images: count as u64, seed: options.seed };
                synth::write(&world, settings, &Silent).map_err(ours)?;
                world.join("photos")
            }
        };
        let entries =
            std::fs::read_dir(&home).map_err(|source| Error::Io { path: home.clone(), source })?;
        let known = |path: &PathBuf| {
            let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
            matches!(extension.as_deref(), Some("jpg" | "jpeg" | "png"))
        };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(known).collect();
        paths.sort();
        paths.truncate(count);
        if paths.is_empty() {
            return Err(Error::Ours(format!("{}: no photos in it", home.display())));
        }
        Ok(Self { paths, folder: scratch })
    }

    /// Photographs of the same: larger, with the grain of a sensor.
    pub(crate) fn enlarged(mut self, seed: u64) -> Result<Self, Error> {
        let enlarged = self.folder.path().join("enlarged");
        let io = |path: &Path, source| Error::Io { path: path.to_path_buf(), source };
        std::fs::create_dir(&enlarged).map_err(|source| io(&enlarged, source))?;
        let [width, height] = PIXELS;
        let one = |(at, path): (usize, &PathBuf)| -> Result<PathBuf, Error> {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(at as u64);
            let small = open(path).map_err(ours)?;
            let mut picture = resize(&small, width, height, Filter::Bicubic);
            for pixel in picture.as_chunks_mut::<3>().0 {
                let grain = random.random_range(-6..=6i16);
                *pixel = pixel.map(|value| (i16::from(value) + grain).clamp(0, 255) as u8);
            }
            let to = enlarged.join(format!("{at:04}.jpg"));
            picture.save(&to).map_err(ours)?;
            Ok(to)
        };
        self.paths = self.paths.par_iter().enumerate().map(one).collect::<Result<_, _>>()?;
        Ok(self)
    }

    pub(crate) fn items(&self) -> Vec<Item> {
        let item = |path: &PathBuf| {
            let mut item = Item::new(path.display().to_string());
            item.image = ImageSource::File(path.clone());
            item
        };
        self.paths.iter().map(item).collect()
    }

    pub(crate) fn outcome(
        &self,
        options: &Options,
        seconds: f64,
        vectors: &[f32],
        network: &Path,
        part: &str,
    ) -> Result<Outcome, Error> {
        let rate = |seconds: f64| self.paths.len() as f64 / seconds;
        let mut note = format!("{:.1} pictures/s", rate(seconds));
        let mut peers = Vec::new();
        if let Some(python) = &options.python {
            let list: Vec<String> =
                self.paths.iter().map(|path| path.display().to_string()).collect();
            let folder = self.folder.path();
            write(&folder.join("photos.txt"), list.join("\n").as_bytes())?;
            let threads = rayon::current_num_threads().to_string();
            let network = network.display().to_string();
            let answer: Value = SCRIPT.run(python, folder, &[&network, part, &threads])?;
            let theirs = number(&answer, "/seconds", &SCRIPT)?;
            let path = folder.join("vectors.f32");
            let bytes = std::fs::read(&path).map_err(|source| Error::Io { path, source })?;
            let fours = bytes.as_chunks::<4>().0.iter();
            let others: Vec<f32> = fours.map(|&four| f32::from_le_bytes(four)).collect();
            if others.len() != vectors.len() {
                return Err(Error::Ours("ONNX Runtime gave vectors of another length".into()));
            }
            let differences = others.iter().zip(vectors).map(|(a, b)| f64::from((a - b).abs()));
            let difference = differences.fold(0.0, f64::max);
            note += &format!(
                "; ONNX Runtime {:.1}/s; smallest cosine of two vectors {:.6}",
                rate(theirs),
                smallest_cosine(vectors, &others, vectors.len() / self.paths.len())
            );
            if part == "pipeline" {
                note += " (pictures decoded and resized by each side itself)";
            }
            peers.push(PeerTime {
                name: "onnxruntime and Pillow",
                seconds: theirs,
                target: if part == "network" { NETWORK_TARGET } else { PIPELINE_TARGET },
                difference,
            });
        }
        Ok(Outcome { seconds, limit: None, peers, note })
    }
}

/// The smallest cosine between two vectors of the same picture.
fn smallest_cosine(ours: &[f32], theirs: &[f32], width: usize) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let pairs = ours.chunks(width.max(1)).zip(theirs.chunks(width.max(1)));
    pairs.map(|(a, b)| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).fold(1.0, f64::min)
}
