//! What becomes of what the workers found: in the order of the walk, by one thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rebus_collection::ContentHash;

use super::look::{Content, Outcome, Place, Seen, Why};
use super::writer::Writer;
use super::{Eye, Update};
use crate::{PhotoId, Result, Selection};

/// The most photos from one commit to the next, however fast they come.
const COMMIT_AFTER: u32 = 2000;

/// Keeps what was found, and counts it.
pub(super) struct Keeper<'w, 'a> {
    pub(super) writer: &'w mut Writer<'a>,
    pub(super) update: Update,
    /// Slots of photos that were met, or taken by one that was moved or replaced.
    pub(super) met: Selection,
    pub(super) withheld: Vec<PathBuf>,
    every: Duration,
    committed: Instant,
    since: u32,
}

/// A photo that others of the same content may be copied from before the next commit.
pub(super) type Added = Option<(ContentHash, Arc<Content>)>;

impl<'w, 'a> Keeper<'w, 'a> {
    pub(super) fn new(writer: &'w mut Writer<'a>, every: Duration) -> Self {
        Self {
            writer,
            every,
            update: Update::default(),
            met: Selection::new(),
            withheld: Vec::new(),
            committed: Instant::now(),
            since: 0,
        }
    }

    pub(super) fn eyes(&self) -> &'a [Eye<'a>] {
        self.writer.eyes
    }

    /// Counts a photo towards the next commit.
    pub(super) fn note(&mut self) {
        self.since += 1;
    }

    /// Keeps one outcome.
    pub(super) fn keep(&mut self, outcome: Outcome) -> Result<Added> {
        self.note();
        match outcome {
            Outcome::Seen(seen) => self.keep_photo(*seen),
            Outcome::Failed(failure, why) => {
                // A photo of before that is only looked at again stays as it was.
                if matches!(why, Why::New | Why::Changed) {
                    self.writer.put_failure(&failure)?;
                }
                self.update.failed.push(failure);
                Ok(None)
            }
        }
    }

    fn keep_photo(&mut self, seen: Seen) -> Result<Added> {
        let Seen { mut photo, place, vectors, why } = seen;
        // Of several files with the content of some that are gone, the first are those.
        let moved = match &place {
            Place::Move(gone) => gone.iter().copied().find(|&id| !self.met.contains(id)),
            _ => None,
        };
        if let Place::Keep(id) = place {
            photo.id = id;
            self.writer.put(&photo)?;
            match why {
                Why::Beside => self.update.described += 1,
                // Written, but with the same bytes.
                _ => self.update.unchanged += 1,
            }
            return Ok(None);
        }
        if let Some(id) = moved {
            self.met.insert(id);
            self.update.moved += 1;
            // What was here before lies nowhere now.
            self.update.deleted += u64::from(why == Why::Changed);
            if self.is_complete(id) {
                photo.id = id;
                self.writer.put(&photo)?;
                return Ok(None);
            }
            self.writer.remove(id);
        } else {
            match why {
                Why::New => self.update.new += 1,
                Why::Changed => self.update.changed += 1,
                Why::Incomplete | Why::Beside => self.update.encoded += 1,
            }
        }
        let (hash, size, likeness) = (photo.hash, photo.size, photo.likeness);
        self.writer.add(photo, &vectors)?;
        Ok(Some((hash, Arc::new(Content { size, likeness, vectors }))))
    }

    fn is_complete(&self, id: PhotoId) -> bool {
        self.writer.commit.is_complete(id, self.writer.eyes)
    }

    /// Commits if it is time; says whether it did.
    pub(super) fn commit_in_time(&mut self) -> Result<bool> {
        if self.since < COMMIT_AFTER && self.committed.elapsed() < self.every {
            return Ok(false);
        }
        self.commit()
    }

    /// Commits; says whether there was anything to commit.
    pub(super) fn commit(&mut self) -> Result<bool> {
        let dirty = self.writer.is_dirty;
        self.writer.commit()?;
        self.committed = Instant::now();
        self.since = 0;
        Ok(dirty)
    }
}
