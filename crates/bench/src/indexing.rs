//! Photos into an index, end to end, against a Python pipeline of the same encoder.
//!
//! Ours walks the folder, hashes, reads metadata, decodes, resizes, encodes and commits a catalogue
//! with vectors; Pillow and ONNX Runtime read, decode, resize and encode.

use std::path::Path;

use rebus_collection::{ContentHash, Matrix, Silent};
use rebus_index::{Eye, Index, Options as IndexOptions, Origin, update};
use rebus_models::DualEncoder;
use rebus_vision::Extractor;

use crate::encoders::{PHOTOGRAPHED, PICTURES, Photos, encoder, ours};
use crate::peer::folder;
use crate::{Case, Error, Options, Outcome};

pub(crate) const SMALL: Case = Case {
    group: "index",
    name: "end-to-end",
    about: "128 photos into a new index by TinyViT-5M",
    work: |options| run(&Photos::new(options, PICTURES)?, options),
};

pub(crate) const PHOTOGRAPHS: Case = Case {
    group: "index",
    name: "photographs",
    about: "the same with 32 photos as cameras make them, 12 megapixels each",
    work: |options| run(&Photos::new(options, PHOTOGRAPHED)?.enlarged(options.seed)?, options),
};

/// How often it is done; the best counts.
const ROUNDS: usize = 2;

/// Takes features as vectors: what is timed is the index, not a model.
pub(crate) struct AsTheyAre {
    pub(crate) extractor: String,
    pub(crate) dimensions: usize,
}

impl DualEncoder for AsTheyAre {
    fn extractor(&self) -> &str {
        &self.extractor
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn encode_images(&self, features: &Matrix) -> rebus_models::Result<Matrix> {
        Ok(features.clone())
    }

    fn encode_texts(&self, texts: &[&str]) -> rebus_models::Result<Matrix> {
        Ok(Matrix::zeros(texts.len(), self.dimensions))
    }
}

fn run(photos: &Photos, options: &Options) -> Result<Outcome, Error> {
    let (encoder, network) = encoder()?;
    let model = AsTheyAre { extractor: encoder.name().into(), dimensions: encoder.dimensions() };
    let eye = Eye {
        name: "bench",
        origin: &Origin::BuiltIn,
        version: ContentHash::of(b"bench"),
        model: &model,
        extractor: &encoder,
    };
    let scratch = folder()?;
    let io = |path: &Path, source| Error::Io { path: path.to_path_buf(), source };
    let home = scratch.path().join("photos");
    std::fs::create_dir(&home).map_err(|source| io(&home, source))?;
    let home = home.canonicalize().map_err(|source| io(&home, source))?;
    let mut copies = Vec::new();
    for (number, path) in photos.paths.iter().enumerate() {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let copy = home.join(format!("{number:05}.{ending}"));
        std::fs::copy(path, &copy).map_err(|source| io(path, source))?;
        copies.push(copy);
    }
    let mut best = f64::INFINITY;
    for round in 0..ROUNDS {
        let index = scratch.path().join(format!("index-{round}"));
        let start = std::time::Instant::now();
        let done =
            update(&index, std::slice::from_ref(&home), &[eye], &IndexOptions::default(), &Silent);
        let seconds = start.elapsed().as_secs_f64();
        if let Some(failure) = done.map_err(ours)?.failed.first() {
            return Err(Error::Ours(failure.reason.clone()));
        }
        best = best.min(seconds);
    }
    let index = Index::open(&scratch.path().join("index-0")).map_err(ours)?;
    let vectors = index.vectors(eye.name).map_err(ours)?;
    let mut rows = Vec::new();
    for path in &copies {
        let row = match index.photo_at(path).map_err(ours)? {
            Some(photo) => vectors.row(photo.id).map_err(ours)?,
            None => None,
        };
        rows.extend(row.ok_or_else(|| Error::Ours(format!("{} is lost", path.display())))?);
    }
    photos.outcome(options, best, &rows, &network, "pipeline")
}
