//! What a worker does: one photo from the file to its vectors.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::UNIX_EPOCH;

use rebus_collection::photo::examine::{CUT, MOST_BYTES, is_cut};
use rebus_collection::photo::{Looked, PhotoFolder};
use rebus_collection::{ContentHash, Matrix, Size};
use rebus_vision::{Picture, decode, likeness};
use rustc_hash::FxHashMap;

use super::Eye;
use super::keep::Added;
use crate::index::Snapshot;
use crate::photo::Retry;
use crate::{Error, Failure, Photo, PhotoId, Result};

/// Pictures with more pixels than this are looked at one at a time, so that a machine with many cores
/// does not hold dozens of panoramas at once.
const LARGE: u64 = 32 << 20;

/// A file as the disk has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OnDisk {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) modified: i64,
}

impl OnDisk {
    pub(super) fn of(path: &Path) -> std::io::Result<Self> {
        let about = fs::metadata(path)?;
        let modified = about.modified().unwrap_or(UNIX_EPOCH);
        let modified = match modified.duration_since(UNIX_EPOCH) {
            Ok(since) => since.as_nanos() as i64,
            Err(before) => -(before.duration().as_nanos() as i64),
        };
        Ok(Self { path: path.to_path_buf(), bytes: about.len(), modified })
    }

    pub(super) fn failed(&self, reason: impl Into<String>, retry: Retry) -> Failure {
        Failure {
            path: self.path.clone(),
            reason: reason.into(),
            retry,
            bytes: self.bytes,
            modified: self.modified,
        }
    }
}

/// Why a photo is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The catalogue has nothing under its path.
    New,
    /// The catalogue has something else under its path.
    Changed,
    /// Some model has not seen it.
    Incomplete,
    /// Something beside it is written anew; the photo itself is as it was.
    Beside,
}

/// A photo to look at.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) file: OnDisk,
    pub(super) folder: Arc<PhotoFolder>,
    pub(super) beside: u64,
    pub(super) why: Why,
}

/// Where a photo goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// It keeps the slot that it has.
    Keep(PhotoId),
    /// The photo of one of these slots, which is no longer where it was, lies here now.
    Move(Vec<PhotoId>),
    /// It gets a slot of its own.
    New,
}

/// A photo with its vectors, one an eye; none where it keeps its slot.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) photo: Photo,
    pub(super) place: Place,
    pub(super) vectors: Vec<Vec<f32>>,
    pub(super) why: Why,
}

/// What came of a job.
#[derive(Debug)]
pub(super) enum Outcome {
    Seen(Box<Seen>),
    Failed(Failure, Why),
}

/// What workers know of the index: the last commit, and what was added since.
pub(super) struct Known<'a> {
    pub(super) folder: &'a Path,
    pub(super) eyes: &'a [Eye<'a>],
    pub(super) away: &'a [PathBuf],
    pub(super) latest: RwLock<Arc<Snapshot>>,
    pub(super) pending: RwLock<FxHashMap<ContentHash, Arc<Content>>>,
    pub(super) large: Mutex<()>,
}

/// What follows from a photo's content alone.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) size: Option<Size>,
    pub(super) likeness: u64,
    pub(super) vectors: Vec<Vec<f32>>,
}

/// Why a photo could not be looked at, and whether that may pass.
struct Trouble(String, Retry);

impl Trouble {
    fn lasting(error: &rebus_vision::Error, path: &Path) -> Self {
        // The report has the path already.
        let text = error.to_string();
        let shown = format!("{}: ", path.display());
        Self(text.strip_prefix(&shown).unwrap_or(&text).to_owned(), Retry::WhenChanged)
    }
}

impl Known<'_> {
    /// Looks at a photo. Whatever a decoder does, it is one photo that fails.
    pub(super) fn look(&self, job: &Job) -> Outcome {
        let looked = catch_unwind(AssertUnwindSafe(|| self.attempt(job)));
        let looked = looked
            .unwrap_or_else(|_| Err(Trouble("the decoder broke down".into(), Retry::WhenChanged)));
        match looked {
            Ok(seen) => Outcome::Seen(Box::new(seen)),
            Err(Trouble(reason, retry)) => Outcome::Failed(job.file.failed(reason, retry), job.why),
        }
    }

    fn attempt(&self, job: &Job) -> std::result::Result<Seen, Trouble> {
        let passing = |error: &dyn std::fmt::Display| Trouble(error.to_string(), Retry::Always);
        let path = &job.file.path;
        let latest = self.latest();
        let known = latest.photo_at(path).map_err(|e| passing(&e))?;
        if let (Why::Beside, Some(known)) = (job.why, &known) {
            let looked = job.folder.look(path);
            let photo = job.photo(looked, known.hash, known.size, known.likeness);
            return Ok(Seen {
                photo,
                place: Place::Keep(known.id),
                vectors: Vec::new(),
                why: job.why,
            });
        }
        if job.file.bytes > MOST_BYTES {
            let what = format!("{} bytes are more than the {MOST_BYTES} read", job.file.bytes);
            return Err(Trouble(what, Retry::WhenChanged));
        }
        let bytes = fs::read(path).map_err(|e| passing(&e))?;
        if OnDisk::of(path).map_err(|e| passing(&e))? != job.file {
            return Err(passing(&"it was written while it was read"));
        }
        let hash = ContentHash::of(&bytes);
        let looked = job.folder.look(path);
        let same = latest.photos_with(hash).map_err(|e| passing(&e))?;
        let complete = |photo: &Photo| latest.commit.is_complete(photo.id, self.eyes);
        if let Some(known) = known.filter(|known| known.hash == hash && complete(known)) {
            let photo = job.photo(looked, hash, known.size, known.likeness);
            let place = Place::Keep(known.id);
            return Ok(Seen { photo, place, vectors: Vec::new(), why: job.why });
        }
        let content = match self.content_of(hash, &same, &latest).map_err(|e| passing(&e))? {
            Some(content) => content,
            None => Arc::new(self.see(&bytes, path, looked.size)?),
        };
        let from: Vec<PhotoId> = match job.why {
            Why::New | Why::Changed => same
                .iter()
                .filter(|photo| self.is_gone(&photo.path))
                .map(|photo| photo.id)
                .collect(),
            Why::Incomplete | Why::Beside => Vec::new(),
        };
        Ok(Seen {
            photo: job.photo(looked, hash, content.size, content.likeness),
            place: if from.is_empty() { Place::New } else { Place::Move(from) },
            vectors: content.vectors.clone(),
            why: job.why,
        })
    }

    /// Notes what was added, for copies that come before the next commit.
    pub(super) fn add(&self, added: Added) {
        if let Some((hash, content)) = added {
            self.pending.write().unwrap_or_else(PoisonError::into_inner).insert(hash, content);
        }
    }

    /// Goes on from a newer commit.
    pub(super) fn renew(&self, latest: Arc<Snapshot>) {
        *self.latest.write().unwrap_or_else(PoisonError::into_inner) = latest;
        self.pending.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The vectors of a photo for some eyes, if it can be looked at.
    pub(super) fn see_photo(&self, photo: &Photo, eyes: &[Eye<'_>]) -> Option<Vec<Vec<f32>>> {
        let look = || {
            let bytes = fs::read(&photo.path).ok()?;
            let _one_at_a_time = self.one_at_a_time(photo.size);
            let picture = decode(&bytes, &photo.path.display().to_string()).ok()?;
            vectors(&picture, eyes).ok()
        };
        catch_unwind(AssertUnwindSafe(look)).ok().flatten()
    }

    fn latest(&self) -> Arc<Snapshot> {
        self.latest.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a photo is no longer where the catalogue has it. One whose drive is away may be.
    fn is_gone(&self, path: &Path) -> bool {
        let away = self.away.iter().any(|root| path.starts_with(root));
        let found = fs::symlink_metadata(path);
        !away && found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    }

    /// What the index has of this content, if every eye has seen it.
    fn content_of(
        &self,
        hash: ContentHash,
        same: &[Photo],
        latest: &Snapshot,
    ) -> Result<Option<Arc<Content>>> {
        let pending = self.pending.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = pending.get(&hash) {
            return Ok(Some(content.clone()));
        }
        drop(pending);
        let Some(photo) = same.iter().find(|photo| latest.commit.is_complete(photo.id, self.eyes))
        else {
            return Ok(None);
        };
        let mut vectors = Vec::new();
        for eye in self.eyes {
            match latest.vectors(self.folder, eye.name)?.row(photo.id) {
                Ok(Some(vector)) => vectors.push(vector),
                // What is damaged is not copied, but looked at anew.
                Ok(None) | Err(Error::Damaged { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(Arc::new(Content { size: photo.size, likeness: photo.likeness, vectors })))
    }

    /// Decodes a picture once, and shows it to every eye.
    fn see(
        &self,
        bytes: &[u8],
        path: &Path,
        size: Option<Size>,
    ) -> std::result::Result<Content, Trouble> {
        let _one_at_a_time = self.one_at_a_time(size);
        let picture = decode(bytes, &path.display().to_string())
            .map_err(|error| Trouble::lasting(&error, path))?;
        if is_cut(bytes) {
            return Err(Trouble(CUT.to_owned(), Retry::WhenChanged));
        }
        let vectors = vectors(&picture, self.eyes).map_err(|error| match error {
            Error::Vision(error) => Trouble::lasting(&error, path),
            other => Trouble(other.to_string(), Retry::WhenChanged),
        })?;
        let (width, height) = picture.dimensions();
        let size = Some(Size { width, height });
        Ok(Content { size, likeness: likeness(&picture), vectors })
    }

    /// Waits until no other large picture is held.
    fn one_at_a_time(&self, size: Option<Size>) -> Option<MutexGuard<'_, ()>> {
        let pixels = size.map_or(0, |size| u64::from(size.width) * u64::from(size.height));
        (pixels > LARGE).then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The vectors of a picture, one an eye; eyes that share an extractor share its work.
pub(super) fn vectors(picture: &Picture, eyes: &[Eye<'_>]) -> Result<Vec<Vec<f32>>> {
    let mut features: Vec<(&str, Matrix)> = Vec::new();
    let mut vectors = Vec::with_capacity(eyes.len());
    for eye in eyes {
        let name = eye.extractor.name();
        let at = match features.iter().position(|(known, _)| *known == name) {
            Some(at) => at,
            None => {
                let mut row = Matrix::zeros(1, eye.extractor.dimensions());
                eye.extractor.extract(picture, row.row_mut(0))?;
                features.push((name, row));
                features.len() - 1
            }
        };
        let vector = eye.model.encode_images(&features[at].1)?.row(0).to_vec();
        if let Some(column) = vector.iter().position(|v| !half::f16::from_f32(*v).is_finite()) {
            return Err(Error::NotFinite { column, value: vector[column] });
        }
        vectors.push(vector);
    }
    Ok(vectors)
}

impl Job {
    /// The photo, with what its header and the files beside it say.
    fn photo(&self, looked: Looked, hash: ContentHash, size: Option<Size>, likeness: u64) -> Photo {
        let Looked { metadata, captions, keywords, .. } = looked;
        Photo {
            id: PhotoId::default(),
            path: self.file.path.clone(),
            hash,
            bytes: self.file.bytes,
            modified: self.file.modified,
            size,
            metadata,
            keywords,
            captions,
            likeness,
            beside: self.beside,
        }
    }
}
