//! An index that is read: a snapshot of its last commit.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rebus_collection::{ContentHash, EncodedPath};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tantivy::collector::Count;
use tantivy::columnar::Column;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{
    DocAddress, DocId, DocSet, IndexReader, Searcher, SegmentOrdinal, SegmentReader, TERMINATED,
    Term,
};

use crate::catalogue::document::{Entry, read};
use crate::catalogue::schema::{column, kind};
use crate::catalogue::{Catalogue, Fields};
use crate::commit::{Commit, ModelRecord, Root};
use crate::manifest::Manifest;
use crate::vectors::{Exact, Graph, Hnsw, VectorEngine, Vectors};
use crate::{Error, Failure, Photo, PhotoId, Result, Selection};

/// The folder of the vector files within an index.
pub(crate) const VECTORS: &str = "vectors";

/// An index as its last commit left it. Many threads may use it at once.
pub struct Index {
    folder: PathBuf,
    name: String,
    catalogue: Catalogue,
    reader: IndexReader,
    snapshot: RwLock<Arc<Snapshot>>,
}

/// What [`Index::refresh`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refreshed {
    /// There was no newer commit.
    Same,
    /// The index is now another: ids of photos may have changed.
    Newer,
}

/// How much an index holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Photos.
    pub photos: u64,
    /// Files that could not be indexed.
    pub failures: u64,
    /// Slots that were given, those of photos that are gone among them.
    pub slots: u64,
    /// Commits so far.
    pub generation: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

/// One commit: its payload, its documents, its vectors.
pub(crate) struct Snapshot {
    pub(crate) commit: Commit,
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    catalogue: PathBuf,
    vectors: FxHashMap<String, Vectors>,
    /// Of models with so many photos that their vectors are linked.
    graphs: FxHashMap<String, Graph>,
    /// What comparing with the disk reads, a segment each.
    columns: Vec<Columns>,
    everything: OnceLock<Selection>,
}

/// Columns of one segment.
struct Columns {
    slot: Column<u64>,
    bytes: Column<u64>,
    modified: Column<i64>,
    beside: Column<u64>,
    likeness: Column<u64>,
}

impl Columns {
    fn of(searcher: &Searcher, catalogue: &Catalogue) -> Result<Vec<Self>> {
        // A segment in which no document has a value has no column.
        let open = |segment: &SegmentReader| {
            let fast = segment.fast_fields();
            let documents = segment.max_doc();
            let numbers = |name: &str| -> tantivy::Result<Column<u64>> {
                let column = fast.column_opt(name)?;
                Ok(column.unwrap_or_else(|| Column::build_empty_column(documents)))
            };
            let modified = fast.column_opt(column::MODIFIED)?;
            Ok(Self {
                slot: numbers(column::SLOT)?,
                bytes: numbers(column::BYTES)?,
                modified: modified.unwrap_or_else(|| Column::build_empty_column(documents)),
                beside: numbers(column::BESIDE)?,
                likeness: numbers(column::LIKENESS)?,
            })
        };
        let opened: tantivy::Result<Vec<Self>> =
            searcher.segment_readers().iter().map(open).collect();
        opened.map_err(|error| catalogue.told(error))
    }
}

/// What the catalogue has under a path, as far as comparing with the disk needs it.
pub(crate) struct OnRecord {
    /// The photo; none where the file failed.
    pub(crate) id: Option<PhotoId>,
    pub(crate) bytes: u64,
    pub(crate) modified: i64,
    pub(crate) beside: u64,
    pub(crate) address: DocAddress,
}

impl Index {
    /// Opens an index for reading. A writer may go on with it meanwhile.
    ///
    /// # Errors
    /// If there is none, it is of a newer version, or damaged.
    pub fn open(folder: &Path) -> Result<Self> {
        let manifest = Manifest::read(folder)?;
        let catalogue = Catalogue::open(folder)?;
        let reader = catalogue.reader()?;
        let snapshot = Snapshot::take(&catalogue, &reader, folder)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            name: manifest.name,
            catalogue,
            reader,
            snapshot: RwLock::new(Arc::new(snapshot)),
        })
    }

    /// Picks up a newer commit, if another process made one.
    ///
    /// # Errors
    /// If the index is damaged; then it stays as it was.
    pub fn refresh(&self) -> Result<Refreshed> {
        let old = self.snapshot();
        if self.catalogue.commit()?.generation == old.commit.generation {
            return Ok(Refreshed::Same);
        }
        let new = Snapshot::take(&self.catalogue, &self.reader, &self.folder)?;
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
        Ok(Refreshed::Newer)
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many photos it has.
    pub fn len(&self) -> usize {
        self.everything().len()
    }

    /// True if it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The models whose vectors it holds, in the order in which they came.
    pub fn models(&self) -> Vec<ModelRecord> {
        self.snapshot().commit.models.clone()
    }

    /// The folders that were indexed.
    pub fn roots(&self) -> Vec<Root> {
        self.snapshot().commit.roots.clone()
    }

    /// Every photo that is there.
    pub fn everything(&self) -> Selection {
        self.snapshot().everything().clone()
    }

    /// The photos that a model has seen: those behind are still to be encoded.
    ///
    /// # Errors
    /// If the index does not have the model.
    pub fn seen_by(&self, model: &str) -> Result<Selection> {
        let snapshot = self.snapshot();
        let record = snapshot.model(model)?;
        let mut seen = Selection::first(record.rows() as usize);
        for &(from, to) in &record.lacking {
            (from..to).for_each(|slot| seen.remove(PhotoId(slot)));
        }
        seen.intersect(snapshot.everything());
        Ok(seen)
    }

    /// The vectors of a model, memory-mapped.
    ///
    /// # Errors
    /// If the index does not have the model, or its file is damaged.
    pub fn vectors(&self, model: &str) -> Result<Vectors> {
        self.snapshot().vectors(&self.folder, model)
    }

    /// The photo with this id, if it is there.
    ///
    /// # Errors
    /// If the catalogue is damaged.
    pub fn photo(&self, id: PhotoId) -> Result<Option<Photo>> {
        self.snapshot().photo(id)
    }

    /// The photo of this path, if it is there. The path is taken as it was indexed: absolute,
    /// without links.
    ///
    /// # Errors
    /// If the catalogue is damaged.
    pub fn photo_at(&self, path: &Path) -> Result<Option<Photo>> {
        self.snapshot().photo_at(path)
    }

    /// The photos of this content.
    ///
    /// # Errors
    /// If the catalogue is damaged.
    pub fn photos_with(&self, hash: ContentHash) -> Result<Vec<Photo>> {
        self.snapshot().photos_with(hash)
    }

    /// Every photo, one after the other, in no particular order; an error in place of one that
    /// cannot be read.
    pub fn photos(&self) -> impl Iterator<Item = Result<Photo>> + use<> {
        self.snapshot().entries().filter_map(|entry| match entry {
            Ok(Entry::Photo(photo)) => Some(Ok(photo)),
            Ok(Entry::Failure(_)) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// The files that could not be indexed, by path.
    ///
    /// # Errors
    /// If the catalogue is damaged.
    pub fn failures(&self) -> Result<Vec<Failure>> {
        self.snapshot().failures()
    }

    /// How much there is.
    ///
    /// # Errors
    /// If the catalogue is damaged.
    pub fn statistics(&self) -> Result<Statistics> {
        let snapshot = self.snapshot();
        let term = TermQuery::new(snapshot.failures_term(), IndexRecordOption::Basic);
        let failures = snapshot.searcher.search(&term, &Count);
        Ok(Statistics {
            photos: snapshot.everything().len() as u64,
            failures: failures.map_err(|error| self.catalogue.told(error))? as u64,
            slots: u64::from(snapshot.commit.slots),
            generation: snapshot.commit.generation,
            bytes: size_of_folder(&self.folder),
        })
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("folder", &self.folder).finish_non_exhaustive()
    }
}

fn size_of_folder(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => size_of_folder(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

impl Snapshot {
    /// Reads payload and documents of one and the same commit.
    pub(crate) fn take(catalogue: &Catalogue, reader: &IndexReader, index: &Path) -> Result<Self> {
        let mut commit = catalogue.commit()?;
        loop {
            reader.reload().map_err(|error| catalogue.told(error))?;
            // Mapped now, for a later commit may be without these files. One that is damaged is told
            // when somebody asks for it.
            let models = commit.models.iter();
            let vectors =
                models.filter_map(|model| Some((model.name.clone(), model.open(index).ok()?)));
            let vectors = vectors.collect();
            let models = commit.models.iter();
            let graphs =
                models.filter_map(|model| Some((model.name.clone(), model.graph(index).ok()?)));
            let graphs = graphs.collect();
            // A writer may have committed meanwhile.
            let again = catalogue.commit()?;
            if again.generation == commit.generation {
                let searcher = reader.searcher();
                return Ok(Self {
                    columns: Columns::of(&searcher, catalogue)?,
                    commit,
                    searcher,
                    fields: catalogue.fields,
                    catalogue: catalogue.path.clone(),
                    vectors,
                    graphs,
                    everything: OnceLock::new(),
                });
            }
            commit = again;
        }
    }

    pub(crate) fn model(&self, name: &str) -> Result<&ModelRecord> {
        self.commit.model(name).ok_or_else(|| Error::NoSuch {
            kind: "model",
            name: name.to_owned(),
            known: self.commit.models.iter().map(|model| model.name.clone()).collect(),
        })
    }

    pub(crate) fn vectors(&self, folder: &Path, model: &str) -> Result<Vectors> {
        match self.vectors.get(model) {
            Some(vectors) => Ok(vectors.clone()),
            None => self.model(model)?.open(folder),
        }
    }

    /// What finds the nearest photos by a model: along links where there are so many photos that
    /// they were linked.
    pub(crate) fn engine(&self, folder: &Path, model: &str) -> Result<Box<dyn VectorEngine>> {
        let vectors = self.vectors(folder, model)?;
        Ok(match self.graphs.get(model) {
            Some(graph) => Box::new(Hnsw::new(vectors, graph.clone())),
            None => Box::new(Exact::new(vectors)),
        })
    }

    /// Every slot that a photo has.
    pub(crate) fn everything(&self) -> &Selection {
        self.everything.get_or_init(|| {
            let mut all = Selection::new();
            for (segment, columns) in self.searcher.segment_readers().iter().zip(&self.columns) {
                for document in segment.doc_ids_alive() {
                    // Failures have none.
                    if let Some(slot) = columns.slot.first(document) {
                        all.insert(PhotoId(slot as u32));
                    }
                }
            }
            all
        })
    }

    /// How every photo looks.
    pub(crate) fn likenesses(&self) -> Vec<(PhotoId, u64)> {
        let mut all = Vec::new();
        for (segment, columns) in self.searcher.segment_readers().iter().zip(&self.columns) {
            for document in segment.doc_ids_alive() {
                let likeness = columns.likeness.first(document);
                if let Some((slot, likeness)) = columns.slot.first(document).zip(likeness) {
                    all.push((PhotoId(slot as u32), likeness));
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// All documents.
    fn addresses(&self) -> impl Iterator<Item = DocAddress> + use<> {
        let searcher = self.searcher.clone();
        let segments = searcher.segment_readers().len() as SegmentOrdinal;
        (0..segments).flat_map(move |segment| {
            let reader = searcher.segment_reader(segment);
            let alive = reader.alive_bitset().cloned();
            let is_alive = move |document: &DocId| {
                alive.as_ref().is_none_or(|alive| alive.is_alive(*document))
            };
            let documents = (0..reader.max_doc()).filter(is_alive);
            documents.map(move |document| DocAddress::new(segment, document))
        })
    }

    /// Every photo and failure, in no particular order.
    pub(crate) fn entries(self: &Arc<Self>) -> impl Iterator<Item = Result<Entry>> + use<> {
        let snapshot = self.clone();
        self.addresses().map(move |address| snapshot.read(address))
    }

    /// The files that could not be indexed, by path.
    pub(crate) fn failures(&self) -> Result<Vec<Failure>> {
        let found = self.find(&self.failures_term())?;
        let mut failures =
            found.into_iter().map(|at| self.failure(at)).collect::<Result<Vec<_>>>()?;
        failures.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(failures)
    }

    /// A document that is known to be that of a failure.
    pub(crate) fn failure(&self, address: DocAddress) -> Result<Failure> {
        match self.read(address)? {
            Entry::Failure(failure) => Ok(failure),
            Entry::Photo(_) => Err(self.damaged("a photo among the failures".into())),
        }
    }

    /// Whether any photo lies under a folder.
    pub(crate) fn has_photos_under(self: &Arc<Self>, folder: &Path) -> bool {
        self.entries().any(|entry| entry.is_ok_and(|entry| entry.path().starts_with(folder)))
    }

    /// What is known of a path, read from columns alone.
    pub(crate) fn on_record(&self, path: &Path) -> Result<Option<OnRecord>> {
        let Some(&address) = self.find(&self.path_term(path))?.first() else { return Ok(None) };
        let Some(columns) = self.columns.get(address.segment_ord as usize) else {
            return Ok(None);
        };
        let document = address.doc_id;
        Ok(Some(OnRecord {
            id: columns.slot.first(document).map(|slot| PhotoId(slot as u32)),
            bytes: columns.bytes.first(document).unwrap_or_default(),
            modified: columns.modified.first(document).unwrap_or_default(),
            beside: columns.beside.first(document).unwrap_or_default(),
            address,
        }))
    }

    /// The documents with a term.
    pub(crate) fn find(&self, term: &Term) -> Result<Vec<DocAddress>> {
        let mut found = Vec::new();
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            let damaged = |error: tantivy::TantivyError| self.damaged(error.to_string());
            let inverted = reader.inverted_index(term.field()).map_err(damaged)?;
            let postings = inverted.read_postings(term, IndexRecordOption::Basic);
            let postings = postings.map_err(|error| self.damaged(error.to_string()))?;
            let Some(mut postings) = postings else { continue };
            while postings.doc() != TERMINATED {
                let document = postings.doc();
                if reader.alive_bitset().is_none_or(|alive| alive.is_alive(document)) {
                    found.push(DocAddress::new(segment as SegmentOrdinal, document));
                }
                postings.advance();
            }
        }
        Ok(found)
    }

    fn failures_term(&self) -> Term {
        Term::from_field_text(self.fields.kind, kind::FAILURE)
    }

    pub(crate) fn damaged(&self, what: String) -> Error {
        Error::damaged(&self.catalogue, what)
    }

    /// Reads a document.
    pub(crate) fn read(&self, address: DocAddress) -> Result<Entry> {
        let document = self.searcher.doc(address).map_err(|e| self.damaged(e.to_string()))?;
        read(&document, &self.fields).map_err(|what| self.damaged(what))
    }

    pub(crate) fn photo(&self, id: PhotoId) -> Result<Option<Photo>> {
        let term = Term::from_field_u64(self.fields.slot, u64::from(id.0));
        self.photo_with(&term)
    }

    pub(crate) fn photo_at(&self, path: &Path) -> Result<Option<Photo>> {
        self.photo_with(&self.path_term(path))
    }

    fn photo_with(&self, term: &Term) -> Result<Option<Photo>> {
        match self.find(term)?.first() {
            Some(&address) => match self.read(address)? {
                Entry::Photo(photo) => Ok(Some(photo)),
                Entry::Failure(_) => Ok(None),
            },
            None => Ok(None),
        }
    }

    pub(crate) fn path_term(&self, path: &Path) -> Term {
        Term::from_field_bytes(self.fields.path, EncodedPath::bytes(path))
    }

    pub(crate) fn photos_with(&self, hash: ContentHash) -> Result<Vec<Photo>> {
        let mut photos = Vec::new();
        for address in self.find(&Term::from_field_bytes(self.fields.hash, &hash.0))? {
            if let Entry::Photo(photo) = self.read(address)? {
                photos.push(photo);
            }
        }
        photos.sort_by_key(|photo| photo.id);
        Ok(photos)
    }
}
