//! Walking through the folders, and comparing what is there with what the catalogue has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rebus_collection::Progress;
use rebus_collection::photo::{Met, PhotoFolder, walk};

use super::keep::Keeper;
use super::look::{Job, Known, OnDisk, Outcome, Why};
use super::pipeline::{Step, Stream};
use crate::index::Snapshot;
use crate::manifest::is_index;
use crate::photo::Retry;
use crate::{Failure, PhotoId, Result};

/// Walks, compares, and keeps what comes of it.
pub(super) struct Comparing<'s, 'w, 'a> {
    pub(super) keeper: &'s mut Keeper<'w, 'a>,
    pub(super) known: &'s Known<'s>,
    /// The index as it was when the run began.
    pub(super) start: Arc<Snapshot>,
    pub(super) progress: &'s dyn Progress,
    walk: Box<dyn Iterator<Item = Met>>,
    folder: Option<(Arc<PhotoFolder>, usize)>,
}

/// Walks through photos, but not into other indexes.
pub(super) fn walk_photos(root: &Path) -> impl Iterator<Item = Met> + use<> {
    walk(root, |folder| !is_index(folder))
}

impl<'s, 'w, 'a> Comparing<'s, 'w, 'a> {
    pub(super) fn new(
        roots: &[PathBuf],
        keeper: &'s mut Keeper<'w, 'a>,
        known: &'s Known<'s>,
        start: Arc<Snapshot>,
        progress: &'s dyn Progress,
    ) -> Self {
        let roots = roots.to_vec();
        let walk = Box::new(roots.into_iter().flat_map(|root| walk_photos(&root)));
        Self { keeper, known, start, progress, walk, folder: None }
    }

    /// Looks whether a photo is known, and as it was.
    fn compare(&mut self, folder: &Arc<PhotoFolder>, path: &Path) -> Result<Step<Job>> {
        let file = match OnDisk::of(path) {
            Ok(file) => file,
            Err(error) => {
                self.trouble(path.to_path_buf(), error.to_string());
                return Ok(Step::Pause);
            }
        };
        let beside = folder.stamp(path);
        let job = |why| Step::Job(Job { file: file.clone(), folder: folder.clone(), beside, why });
        let Some(known) = self.start.on_record(path)? else { return Ok(job(Why::New)) };
        let is_same = known.bytes == file.bytes && known.modified == file.modified;
        let Some(id) = known.id else {
            let failure = self.start.failure(known.address)?;
            if !is_same || failure.retry == Retry::Always {
                return Ok(job(Why::New));
            }
            self.keeper.update.failed.push(failure);
            return Ok(Step::Pause);
        };
        self.keeper.met.insert(id);
        Ok(match () {
            () if !is_same => job(Why::Changed),
            () if !self.is_complete(id) => job(Why::Incomplete),
            () if known.beside != beside => job(Why::Beside),
            () => {
                self.keeper.update.unchanged += 1;
                Step::Pause
            }
        })
    }

    fn is_complete(&self, id: PhotoId) -> bool {
        self.keeper.writer.commit.is_complete(id, self.keeper.eyes())
    }

    /// What cannot be read is told, and photos in it stay.
    fn trouble(&mut self, path: PathBuf, reason: String) {
        self.keeper.withheld.push(path.clone());
        let retry = Retry::Always;
        let failure = Failure { path, reason, retry, bytes: 0, modified: 0 };
        self.keeper.update.failed.push(failure);
    }
}

impl Stream for Comparing<'_, '_, '_> {
    type Job = Job;
    type Outcome = Outcome;

    fn next(&mut self) -> Result<Step<Job>> {
        if let Some((folder, at)) = self.folder.take()
            && let Some(path) = folder.photos.get(at)
        {
            self.folder = Some((folder.clone(), at + 1));
            let step = self.compare(&folder, path)?;
            if matches!(step, Step::Pause) {
                self.progress.advance(1);
            }
            return Ok(step);
        }
        match self.walk.next() {
            Some(Met::Folder(folder)) => {
                self.keeper.update.not_yet += folder.not_yet;
                self.folder = Some((Arc::new(folder), 0));
                Ok(Step::Pause)
            }
            Some(Met::Trouble { path, what }) => {
                self.trouble(path, what);
                Ok(Step::Pause)
            }
            None => Ok(Step::End),
        }
    }

    fn take(&mut self, outcome: Outcome) -> Result<()> {
        let added = self.keeper.keep(outcome)?;
        self.progress.advance(1);
        self.known.add(added);
        if self.keeper.commit_in_time()? {
            self.known.renew(self.keeper.writer.snapshot()?);
        }
        Ok(())
    }
}
