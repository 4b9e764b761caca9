//! Giving back the slots of photos that are gone.
//!
//! Photos that change or go leave their rows behind in the vector files. When these are many, every
//! photo gets a new slot, in the old order, and every model a new file; one commit puts them in place.

use std::path::Path;

use rebus_collection::Progress;

use super::writer::{Writer, open_vectors};
use crate::commit::ModelRecord;
use crate::vectors::{VectorWriter, Vectors};
use crate::{Error, PhotoId, Result};

/// Below so many empty slots nothing is done about them.
const FEW: usize = 1000;

/// A model's file of before, and the one that takes its place.
struct Copying {
    old: ModelRecord,
    rows: Vectors,
    new: ModelRecord,
    writer: VectorWriter,
}

impl Copying {
    fn of(writer: &Writer<'_>, old: &ModelRecord) -> Result<Self> {
        let new = ModelRecord {
            file: writer.new_file(&old.name),
            committed: Default::default(),
            lacking: Vec::new(),
            ..old.clone()
        };
        let vectors = open_vectors(&new, &writer.folder)?;
        Ok(Self { rows: old.open(&writer.folder)?, old: old.clone(), new, writer: vectors })
    }

    /// Copies the row of an old slot, if the model had come that far.
    fn copy(&mut self, slot: u32, to: u32) -> Result<()> {
        if slot >= self.old.rows() {
            return Ok(());
        }
        match self.rows.row(PhotoId(slot))?.filter(|_| self.old.has(slot)) {
            Some(row) => self.writer.push(&row),
            None => {
                self.new.lack(to);
                self.writer.push(&vec![0.0; self.old.dimensions])
            }
        }
    }
}

/// Gives new slots if half of the slots as there are photos are empty; everything must have been
/// committed. Leaves a commit behind, or nothing at all.
pub(super) fn compact(writer: &mut Writer<'_>, progress: &dyn Progress) -> Result<()> {
    let start = writer.snapshot()?;
    let photos = start.everything();
    let empty = (start.commit.slots as usize).saturating_sub(photos.len());
    if empty < FEW || empty * 2 < photos.len() {
        return Ok(());
    }
    progress.begin("giving back empty slots", Some(photos.len() as u64));
    let mut models = Vec::new();
    for record in &start.commit.models {
        models.push(Copying::of(writer, record)?);
    }
    let mut slots = 0;
    for id in photos.iter() {
        if progress.interrupted() {
            remove(&models, &writer.folder);
            return Err(Error::Interrupted);
        }
        let Some(mut photo) = start.photo(id)? else { continue };
        for model in &mut models {
            model.copy(id.0, slots)?;
        }
        // Old slots come in their order and are never below the new ones: what is taken out here is
        // never a photo that has its new slot already.
        writer.remove(id);
        photo.id = PhotoId(slots);
        writer.put(&photo)?;
        slots += 1;
        progress.advance(1);
    }
    let mut records = Vec::new();
    for mut model in models {
        model.new.committed = model.writer.commit()?;
        records.push((model.new, model.old, model.writer));
    }
    writer.replace(slots, records)
}

fn remove(models: &[Copying], folder: &Path) {
    for model in models {
        // What cannot be removed is only in the way.
        let _ = std::fs::remove_file(model.new.path(folder));
    }
}
