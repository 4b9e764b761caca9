//! The catalogue: a tantivy index with one document a photo, which is the list of photos and the
//! text search in one. Its commit is the commit of the whole index: the payload says which rows of
//! the vector files count.

pub(crate) mod document;
mod folder;
pub(crate) mod schema;
pub(crate) mod words;

use std::path::{Path, PathBuf};

use tantivy::directory::error::OpenReadError;
use tantivy::index::SegmentComponent;
use tantivy::{Directory, ReloadPolicy, TantivyError};

use crate::commit::Commit;
use crate::{Error, Result};
use folder::{COMMIT, CatalogueFolder};
pub(crate) use schema::Fields;

/// The catalogue's folder within an index.
pub(crate) const FOLDER: &str = "catalogue";

/// The files of a segment.
const COMPONENTS: [SegmentComponent; 7] = [
    SegmentComponent::Delete,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Positions,
    SegmentComponent::Postings,
    SegmentComponent::Store,
    SegmentComponent::Terms,
];

/// An opened catalogue.
#[derive(Clone)]
pub(crate) struct Catalogue {
    pub(crate) path: PathBuf,
    pub(crate) index: tantivy::Index,
    pub(crate) fields: Fields,
}

impl Catalogue {
    /// Begins a catalogue; one that is there stays.
    pub(crate) fn create(index: &Path) -> Result<Self> {
        let path = index.join(FOLDER);
        std::fs::create_dir_all(&path).map_err(|source| Error::io(&path, source))?;
        let directory = CatalogueFolder::open(&path).map_err(|error| told(&path, error))?;
        let (schema, fields) = schema::schema();
        let opened = tantivy::Index::builder().schema(schema).open_or_create(directory);
        Ok(Self::with(opened.map_err(|error| told(&path, error))?, path, fields))
    }

    /// Opens the catalogue of an index.
    pub(crate) fn open(index: &Path) -> Result<Self> {
        let path = index.join(FOLDER);
        let opened = CatalogueFolder::open(&path).and_then(tantivy::Index::open);
        let opened = opened.map_err(|error| told(&path, error))?;
        let (schema, fields) = schema::schema();
        if opened.schema() != schema {
            return Err(Error::damaged(&path, "its fields are not those of this version"));
        }
        Ok(Self::with(opened, path, fields))
    }

    fn with(index: tantivy::Index, path: PathBuf, fields: Fields) -> Self {
        index.tokenizers().register(words::NAME, words::analyzer());
        Self { path, index, fields }
    }

    /// What the last commit says.
    pub(crate) fn commit(&self) -> Result<Commit> {
        let metas = self.index.load_metas().map_err(|error| self.told(error))?;
        let Some(payload) = metas.payload else { return Ok(Commit::default()) };
        serde_json::from_str(&payload).map_err(|error| {
            Error::damaged(&self.path.join(COMMIT), format!("the commit's payload: {error}"))
        })
    }

    /// A reader that looks for a newer commit only when asked.
    pub(crate) fn reader(&self) -> Result<tantivy::IndexReader> {
        let builder = self.index.reader_builder().reload_policy(ReloadPolicy::Manual);
        builder.try_into().map_err(|error| self.told(error))
    }

    /// The files of the last commit that do not fit their checksums, each with how many photos it may
    /// be about.
    pub(crate) fn damaged_files(&self) -> Result<Vec<(PathBuf, u32)>> {
        let directory = self.index.directory();
        let known = directory.list_managed_files();
        let segments = self.index.searchable_segment_metas().map_err(|error| self.told(error))?;
        let mut damaged = Vec::new();
        for segment in segments {
            let files = COMPONENTS.into_iter().map(|part| segment.relative_path(part));
            // A segment without deletions has no file of them.
            for file in files.filter(|file| known.contains(file)) {
                if directory.open_read(&file).is_err() {
                    damaged.push((self.path.join(file), segment.num_docs()));
                }
            }
        }
        Ok(damaged)
    }

    /// An error of tantivy, with the file put to it.
    pub(crate) fn told(&self, error: TantivyError) -> Error {
        told(&self.path, error)
    }
}

fn told(path: &Path, error: TantivyError) -> Error {
    use std::io::ErrorKind::{InvalidData, UnexpectedEof};
    match error {
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(file)) => {
            Error::damaged(&path.join(file), "is missing")
        }
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath })
            if matches!(io_error.kind(), InvalidData | UnexpectedEof) =>
        {
            Error::damaged(&path.join(filepath), io_error.to_string())
        }
        TantivyError::IoError(source) => {
            Error::io(path, std::io::Error::new(source.kind(), source.to_string()))
        }
        other => Error::damaged(path, other.to_string()),
    }
}
