//! Making again what is damaged.
//!
//! Vectors of blocks that do not fit their checksum are encoded again, the others are copied into a new
//! file. A catalogue that cannot be read is given up: the index begins anew with the folders that it
//! still names.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::catalogue::{Catalogue, FOLDER};
use crate::check::catalogue_is_sound;
use crate::commit::{Commit, ModelRecord};
use crate::index::VECTORS;
use crate::lock::WriterLock;
use crate::manifest::{self, Manifest};
use crate::vectors::Vectors;
use crate::{Error, PhotoId, Result};

/// What can be saved of an index, and what cannot.
#[derive(Debug, Default)]
pub(super) struct Salvage {
    /// Folders of a catalogue that was given up.
    pub(super) roots: Vec<PathBuf>,
    /// Models whose vector files are begun anew.
    pub(super) models: Vec<Saved>,
}

/// The vectors of a model that are still good.
#[derive(Debug)]
pub(super) struct Saved {
    record: ModelRecord,
    /// None where the file as a whole is of no use.
    vectors: Option<Vectors>,
    damaged: Vec<Range<u32>>,
}

impl Saved {
    pub(super) fn name(&self) -> &str {
        &self.record.name
    }

    /// The vector of a slot, if it is still good.
    pub(super) fn row(&self, id: PhotoId) -> Option<Vec<f32>> {
        let is_good =
            self.record.has(id.0) && !self.damaged.iter().any(|range| range.contains(&id.0));
        self.vectors.as_ref().filter(|_| is_good)?.row(id).ok().flatten()
    }
}

/// Looks for damage; clears away a catalogue that is of no use.
pub(super) fn salvage(folder: &Path) -> Result<Salvage> {
    match Manifest::read(folder) {
        Err(Error::Absent { .. }) => return Ok(Salvage::default()),
        Err(newer @ Error::Newer { .. }) => return Err(newer),
        // A manifest that is damaged goes with the catalogue, if that is sound it is written anew.
        Ok(_) | Err(_) => {}
    }
    let lock = WriterLock::take(folder)?;
    let commit = Catalogue::open(folder).and_then(|catalogue| catalogue.commit());
    if catalogue_is_sound(folder)
        && let Ok(commit) = commit
    {
        if Manifest::read(folder).is_err() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            Manifest::new(&name).write(folder)?;
        }
        return Ok(Salvage { roots: Vec::new(), models: damaged_models(folder, &commit) });
    }
    let roots = commit.unwrap_or_default().roots;
    drop(lock);
    for path in [folder.join(manifest::FILE), folder.join(FOLDER), folder.join(VECTORS)] {
        let removed = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(&path, error));
            }
            _ => {}
        }
    }
    let roots = roots.iter().map(|root| root.path().to_path_buf()).collect();
    Ok(Salvage { roots, models: Vec::new() })
}

fn damaged_models(folder: &Path, commit: &Commit) -> Vec<Saved> {
    let mut models = Vec::new();
    for record in &commit.models {
        let vectors = record.open(folder).ok();
        let damaged = vectors.as_ref().map(Vectors::damage);
        if damaged.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let damaged = damaged.unwrap_or_default();
        let damaged = damaged.into_iter().map(|(first, last)| first..last + 1).collect();
        models.push(Saved { record: record.clone(), vectors, damaged });
    }
    models
}
