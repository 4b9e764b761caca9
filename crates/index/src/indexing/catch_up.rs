//! A model that comes later, or was away: it is shown the photos of before, in the order of their
//! slots, before any photo gets a new slot.

use std::sync::Arc;

use rebus_collection::Progress;

use super::keep::Keeper;
use super::look::{Known, OnDisk};
use super::pipeline::{Step, Stream, run};
use super::repair::Saved;
use crate::index::Snapshot;
use crate::{Photo, PhotoId, Result};

/// Shows photos to the eyes that have not seen them.
struct CatchingUp<'s, 'w, 'a> {
    keeper: &'s mut Keeper<'w, 'a>,
    start: Arc<Snapshot>,
    /// The next slot to show.
    next: u32,
    /// The next slot to be written.
    slot: u32,
    /// How many rows each eye had.
    rows: Vec<u32>,
    progress: &'s dyn Progress,
}

/// A photo for the eyes of these numbers; no photo where the slot has none.
struct Behind {
    photo: Option<Photo>,
    eyes: Vec<usize>,
}

/// Shows every photo of the index to the eyes that are behind.
pub(super) fn catch_up(
    keeper: &mut Keeper<'_, '_>,
    known: &Known<'_>,
    start: Arc<Snapshot>,
    saved: &[Saved],
    progress: &dyn Progress,
) -> Result<()> {
    let rows: Vec<u32> = (0..keeper.eyes().len()).map(|eye| keeper.writer.rows(eye)).collect();
    let slots = keeper.writer.commit.slots;
    let first = rows.iter().copied().min().unwrap_or(slots);
    if first >= slots {
        return Ok(());
    }
    progress.begin("encoding photos for a new model", Some(u64::from(slots - first)));
    let mut stream = CatchingUp { keeper, start, next: first, slot: first, rows, progress };
    let work = |behind: &Behind| match &behind.photo {
        Some(photo) => see(photo, &behind.eyes, known, saved),
        None => Shown {
            vectors: behind.eyes.iter().map(|&eye| (eye, None)).collect(),
            is_encoded: false,
        },
    };
    let done = run(&mut stream, work, progress);
    keeper.commit()?;
    done
}

/// A vector, or none, for each of some eyes.
struct Shown {
    vectors: Vec<(usize, Option<Vec<f32>>)>,
    /// Whether the photo was looked at for them.
    is_encoded: bool,
}

/// Encodes a photo for some eyes, where its vector was not saved; none where the photo is not as it
/// was, or cannot be read now.
fn see(photo: &Photo, eyes: &[usize], known: &Known<'_>, saved: &[Saved]) -> Shown {
    let old = |eye: usize| {
        let model = saved.iter().find(|saved| saved.name() == known.eyes[eye].name);
        model.and_then(|model| model.row(photo.id))
    };
    let mut vectors: Vec<_> = eyes.iter().map(|&eye| (eye, old(eye))).collect();
    let lacking: Vec<_> = vectors.iter_mut().filter(|(_, vector)| vector.is_none()).collect();
    let is_same = || {
        OnDisk::of(&photo.path)
            .is_ok_and(|file| file.bytes == photo.bytes && file.modified == photo.modified)
    };
    let mut is_encoded = false;
    if !lacking.is_empty() && is_same() {
        let some: Vec<_> = lacking.iter().map(|(eye, _)| known.eyes[*eye]).collect();
        let seen = known.see_photo(photo, &some).unwrap_or_default();
        for ((_, vector), seen) in lacking.into_iter().zip(seen) {
            *vector = Some(seen);
            is_encoded = true;
        }
    }
    Shown { vectors, is_encoded }
}

impl Stream for CatchingUp<'_, '_, '_> {
    type Job = Behind;
    type Outcome = Shown;

    fn next(&mut self) -> Result<Step<Behind>> {
        let slot = self.next;
        if slot >= self.keeper.writer.commit.slots {
            return Ok(Step::End);
        }
        self.next += 1;
        let eyes = self.rows.iter().enumerate();
        let eyes = eyes.filter(|&(_, &rows)| rows <= slot).map(|(eye, _)| eye).collect();
        Ok(Step::Job(Behind { photo: self.start.photo(PhotoId(slot))?, eyes }))
    }

    fn take(&mut self, shown: Shown) -> Result<()> {
        for (eye, vector) in &shown.vectors {
            self.keeper.writer.push(*eye, vector.as_deref())?;
        }
        self.keeper.update.encoded += u64::from(shown.is_encoded);
        self.slot += 1;
        self.progress.advance(1);
        self.keeper.note();
        self.keeper.commit_in_time()?;
        Ok(())
    }
}
