//! The one who writes: documents, vectors, and the commit that makes them count.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rebus_collection::EncodedPath;
use rebus_collection::writers::settle;
use tantivy::{IndexReader, IndexWriter, TantivyError, Term};

use super::Eye;
use super::repair::Saved;
use crate::catalogue::{Catalogue, FOLDER, document};
use crate::commit::{Commit, ModelRecord};
use crate::index::{Snapshot, VECTORS};
use crate::lock::{self, WriterLock};
use crate::manifest::{self, Manifest};
use crate::vectors::VectorWriter;
use crate::{Error, Failure, Photo, PhotoId, Result};

/// Memory for documents that are not written yet; the least that tantivy takes is 15 MB.
const BUFFER: usize = 32 << 20;

/// What the names of vector files end in.
const ENDING: &str = "vectors";

/// An index that is being written.
pub(super) struct Writer<'a> {
    _lock: WriterLock,
    pub(super) folder: PathBuf,
    pub(super) eyes: &'a [Eye<'a>],
    catalogue: Catalogue,
    reader: IndexReader,
    documents: IndexWriter,
    /// What the next commit will say.
    pub(super) commit: Commit,
    /// The vector files of the eyes, in their order.
    files: Vec<VectorWriter>,
    /// Vector files that no commit names once the next is made.
    obsolete: Vec<PathBuf>,
    pub(super) is_dirty: bool,
}

impl<'a> Writer<'a> {
    /// Opens an index for writing, or begins one.
    ///
    /// The vector files of models that are `saved` only in part are begun anew.
    pub(super) fn open(
        folder: &Path,
        name: Option<&str>,
        eyes: &'a [Eye<'a>],
        saved: &[Saved],
    ) -> Result<Self> {
        let is_new = match Manifest::read(folder) {
            Ok(_) => false,
            Err(Error::Absent { .. }) => true,
            Err(error) => return Err(error),
        };
        if is_new {
            check_unused(folder)?;
            fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        }
        let lock = WriterLock::take(folder)?;
        let catalogue = Catalogue::create(folder)?;
        if is_new {
            // Last: whoever finds this file finds the rest.
            let shown = folder.file_name().map(|name| name.to_string_lossy());
            let name = name.map_or_else(|| shown.unwrap_or_default().into_owned(), str::to_owned);
            Manifest::new(&name).write(folder)?;
        }
        let documents = catalogue.index.writer_with_num_threads(1, BUFFER);
        let documents = documents.map_err(|error| match error {
            TantivyError::LockFailure(..) => {
                Error::InUse { path: folder.to_path_buf(), process: None }
            }
            other => catalogue.told(other),
        })?;
        let mut writer = Self {
            _lock: lock,
            folder: folder.to_path_buf(),
            eyes,
            commit: catalogue.commit()?,
            reader: catalogue.reader()?,
            catalogue,
            documents,
            files: Vec::new(),
            obsolete: Vec::new(),
            is_dirty: false,
        };
        clear_left_over(&writer.commit, folder);
        for eye in eyes {
            let is_saved = saved.iter().any(|saved| saved.name() == eye.name);
            writer.open_eye(eye, is_saved)?;
        }
        Ok(writer)
    }

    /// Opens the vector file of a model, or begins one; vectors of another version of it go.
    fn open_eye(&mut self, eye: &Eye<'_>, is_damaged: bool) -> Result<()> {
        let (at, is_same) = match self.commit.models.iter().position(|m| m.name == eye.name) {
            Some(at) => {
                let record = &self.commit.models[at];
                let is_same = record.version == eye.version
                    && record.dimensions == eye.model.dimensions()
                    && !is_damaged;
                (at, is_same)
            }
            None => (self.commit.models.len(), false),
        };
        if !is_same {
            let record = ModelRecord {
                name: eye.name.to_owned(),
                origin: eye.origin.clone(),
                version: eye.version,
                extractor: eye.extractor.name().to_owned(),
                dimensions: eye.model.dimensions(),
                file: self.new_file(eye.name),
                committed: Default::default(),
                lacking: Vec::new(),
            };
            if at < self.commit.models.len() {
                let old = std::mem::replace(&mut self.commit.models[at], record);
                self.obsolete.extend([old.path(&self.folder), old.graph_path(&self.folder)]);
            } else {
                self.commit.models.push(record);
            }
            self.is_dirty = true;
        }
        let record = &mut self.commit.models[at];
        record.origin = eye.origin.clone();
        let file = open_vectors(record, &self.folder)?;
        self.files.push(file);
        Ok(())
    }

    /// A name for a vector file that no commit so far has used.
    pub(super) fn new_file(&self, model: &str) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let key: String = model.chars().map(plain).collect();
        // A name of dots alone is not that of a file.
        let key = if key.trim_matches('.').is_empty() { "model".to_owned() } else { key };
        format!("{key}/{}.{ENDING}", self.commit.generation + 1)
    }

    /// How many rows the vector file of an eye has.
    pub(super) fn rows(&self, eye: usize) -> u32 {
        self.files[eye].len() as u32
    }

    /// Appends a row to the file of an eye; a slot without a vector is noted.
    pub(super) fn push(&mut self, eye: usize, vector: Option<&[f32]>) -> Result<()> {
        let slot = self.rows(eye);
        self.is_dirty = true;
        match vector {
            Some(vector) => self.files[eye].push(vector),
            None => {
                let name = self.eyes[eye].name;
                let record = self.commit.models.iter_mut().find(|record| record.name == name);
                if let Some(record) = record {
                    record.lack(slot);
                    self.files[eye].push(&vec![0.0; record.dimensions])?;
                }
                Ok(())
            }
        }
    }

    /// Gives a photo the next slot, with a vector an eye.
    pub(super) fn add(&mut self, mut photo: Photo, vectors: &[Vec<f32>]) -> Result<PhotoId> {
        photo.id = PhotoId(self.commit.slots);
        for (eye, vector) in vectors.iter().enumerate() {
            self.push(eye, Some(vector))?;
        }
        self.commit.slots += 1;
        self.put(&photo)?;
        Ok(photo.id)
    }

    /// Writes the document of a photo that has its slot, in place of what is there under its path or
    /// slot.
    pub(super) fn put(&mut self, photo: &Photo) -> Result<()> {
        self.remove(photo.id);
        self.remove_at(&photo.path);
        let document = document::of_photo(photo, &self.catalogue.fields);
        self.documents.add_document(document).map_err(|error| self.catalogue.told(error))?;
        Ok(())
    }

    /// Remembers a file that failed, in place of what is there under its path.
    pub(super) fn put_failure(&mut self, failure: &Failure) -> Result<()> {
        self.remove_at(&failure.path);
        let document = document::of_failure(failure, &self.catalogue.fields);
        self.documents.add_document(document).map_err(|error| self.catalogue.told(error))?;
        Ok(())
    }

    /// Takes a photo out.
    pub(super) fn remove(&mut self, id: PhotoId) {
        let slot = u64::from(id.0);
        self.documents.delete_term(Term::from_field_u64(self.catalogue.fields.slot, slot));
        self.is_dirty = true;
    }

    /// Takes out what is there under a path.
    pub(super) fn remove_at(&mut self, path: &Path) {
        let bytes = EncodedPath::bytes(path);
        self.documents.delete_term(Term::from_field_bytes(self.catalogue.fields.path, bytes));
        self.is_dirty = true;
    }

    /// Makes everything so far count, in one step: vectors first, then the documents with the payload
    /// that names them.
    pub(super) fn commit(&mut self) -> Result<()> {
        if !self.is_dirty {
            return Ok(());
        }
        for (eye, file) in self.eyes.iter().zip(&mut self.files) {
            let committed = file.commit()?;
            if let Some(record) = self.commit.models.iter_mut().find(|m| m.name == eye.name) {
                record.committed = committed;
            }
        }
        self.commit.generation += 1;
        let payload = serde_json::to_string(&self.commit)
            .map_err(|error| Error::damaged(&self.folder, error.to_string()))?;
        let told = |error| self.catalogue.told(error);
        let mut prepared = self.documents.prepare_commit().map_err(told)?;
        prepared.set_payload(&payload);
        prepared.commit().map_err(told)?;
        self.is_dirty = false;
        for path in self.obsolete.drain(..) {
            // A reader may still have it open; then the system keeps it for that one. A file that
            // cannot be removed is only in the way.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Puts other vector files in the place of those that there are, with a commit.
    pub(super) fn replace(
        &mut self,
        slots: u32,
        models: Vec<(ModelRecord, ModelRecord, VectorWriter)>,
    ) -> Result<()> {
        self.commit.slots = slots;
        for (new, old, writer) in models {
            if let Some(eye) = self.eyes.iter().position(|eye| eye.name == new.name) {
                self.files[eye] = writer;
            }
            self.obsolete.extend([old.path(&self.folder), old.graph_path(&self.folder)]);
            if let Some(record) = self.commit.models.iter_mut().find(|m| m.name == new.name) {
                *record = new;
            }
        }
        self.is_dirty = true;
        self.commit()
    }

    /// The last commit.
    pub(super) fn snapshot(&self) -> Result<Arc<Snapshot>> {
        Ok(Arc::new(Snapshot::take(&self.catalogue, &self.reader, &self.folder)?))
    }

    /// Waits for what tantivy does in the background.
    pub(super) fn finish(self) -> Result<()> {
        let Self { documents, catalogue, .. } = self;
        documents.wait_merging_threads().map_err(|error| catalogue.told(error))
    }
}

/// Opens the vector file of a model behind its committed rows, or begins it.
pub(super) fn open_vectors(record: &ModelRecord, index: &Path) -> Result<VectorWriter> {
    let path = record.path(index);
    if record.rows() > 0 {
        let (version, dimensions) = (record.version, record.dimensions);
        return VectorWriter::append(&path, version, dimensions, &record.committed);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
    }
    let file = VectorWriter::create(&path, record.version, record.dimensions)?;
    settle(&path).map_err(|source| Error::io(&path, source))?;
    Ok(file)
}

/// Removes vector files that no commit names, and their graphs: a run was killed before its first commit with them.
/// Nothing is done about one that cannot be removed.
fn clear_left_over(commit: &Commit, index: &Path) {
    let named: Vec<PathBuf> = commit.models.iter().map(|model| model.path(index)).collect();
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    for folder in entries(&index.join(VECTORS)) {
        for file in entries(&folder.path()) {
            let path = file.path();
            let ours = path.extension().is_some_and(|end| end == ENDING || end == "graph");
            if ours && !named.contains(&path.with_extension(ENDING)) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Refuses a folder that has other things in it.
fn check_unused(folder: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let ours = [FOLDER, VECTORS, lock::FILE];
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let partial = format!(".{}.partial-", manifest::FILE);
        if !ours.contains(&name.as_str()) && !name.starts_with(&partial) {
            return Err(Error::Taken { path: folder.to_path_buf(), by: name });
        }
    }
    Ok(())
}
