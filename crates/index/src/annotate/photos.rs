//! Annotating photos one after another: looking, suggesting, and writing where that is asked for.

use std::path::{Path, PathBuf};

use rebus_collection::sidecar::{Additions, Journal, Written};
use rebus_collection::{ContentHash, ImageSource, Item, Matrix, Progress};
use rebus_models::Understands;
use rebus_vision::{Cache, Extractor, features};
use rustc_hash::FxHashMap;

use super::{Annotator, Asked, Judged, Suggestions};
use crate::vectors::Vectors;
use crate::{Error, Index, Photo, Result, Selection};

/// Photos that are annotated together: an interruption loses at most so many.
const BATCH: usize = 64;

/// A model, and what looks at pictures for it.
#[derive(Clone, Copy)]
pub struct Viewer<'a> {
    /// The model.
    pub model: &'a dyn Understands,
    /// The extractor whose features it takes.
    pub extractor: &'a dyn Extractor,
}

/// Photos of an index.
#[derive(Debug, Clone, Copy)]
pub struct Indexed<'a> {
    /// The index.
    pub index: &'a Index,
    /// What it calls the models, in the annotator's order.
    pub models: &'a [&'a str],
    /// Only photos of these paths, or in these folders; all if there are none.
    pub within: &'a [PathBuf],
}

/// What becomes of suggestions.
pub enum Writing<'a> {
    /// They are only told.
    Nothing,
    /// It is told what would be written.
    Plan(Floor),
    /// They are written into sidecars.
    Sidecars(Floor, &'a mut Journal),
}

/// Nothing that is less probable, or of unknown probability, is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor(pub f64);

impl Default for Floor {
    fn default() -> Self {
        Self(0.5)
    }
}

/// A photo that was looked at.
#[derive(Debug)]
pub struct Annotated {
    /// The photo.
    pub path: PathBuf,
    /// Keywords that it had already.
    pub known: Vec<String>,
    /// What is suggested beyond these.
    pub suggestions: Suggestions,
    /// What was written, or would be; nothing if there was nothing to write.
    pub written: Option<Written>,
}

/// A photo that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedOver {
    /// The photo.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

/// What came of one photo.
pub type Annotation = std::result::Result<Annotated, PassedOver>;

/// Looks at photos with several models and hands what is found to an [`Annotator`].
pub struct Studio<'a> {
    viewers: Vec<Viewer<'a>>,
    /// By viewer.
    caches: Vec<Option<Cache>>,
    annotator: Annotator<'a>,
    reviews: FxHashMap<ContentHash, Judged>,
}

impl<'a> Studio<'a> {
    /// Puts models, in the annotator's order, and the annotator together. `reviews` is what people said
    /// about photos before.
    pub fn new(
        viewers: &[Viewer<'a>],
        annotator: Annotator<'a>,
        reviews: FxHashMap<ContentHash, Judged>,
    ) -> Self {
        let caches = viewers.iter().map(|_| None).collect();
        Self { viewers: viewers.to_vec(), caches, annotator, reviews }
    }

    /// Keeps features in a folder, so that photos need not be looked at again. Photos can be
    /// annotated without that too: hands back why a model's cache cannot be had.
    pub fn keep_features(&mut self, folder: &Path) -> Vec<rebus_vision::Error> {
        let mut troubles = Vec::new();
        for (cache, viewer) in self.caches.iter_mut().zip(&self.viewers) {
            match Cache::open(folder, viewer.extractor) {
                Ok(opened) => *cache = Some(opened),
                Err(error) => troubles.push(error),
            }
        }
        troubles
    }

    /// Annotates photos in their order; what comes of each is handed to `each`.
    ///
    /// # Errors
    /// If the journal cannot be written, a model fails, or [`Error::Interrupted`]; what was handed
    /// over until then is done.
    pub fn annotate(
        &mut self,
        items: &[Item],
        asked: &Asked,
        mut writing: Writing<'_>,
        progress: &dyn Progress,
        each: &mut dyn FnMut(Annotation),
    ) -> Result<()> {
        progress.begin("annotating photos", Some((items.len() * self.viewers.len()) as u64));
        for batch in items.chunks(BATCH) {
            let batch: Vec<&Item> = batch.iter().collect();
            let (images, failed) = self.look(&batch, progress)?;
            self.speak(&batch, &images, &failed, asked, &mut writing, each)?;
        }
        Ok(())
    }

    /// Annotates photos of an index by the vectors that it has.
    ///
    /// # Errors
    /// As [`Self::annotate`], or if the index lacks a model or is damaged.
    pub fn annotate_index(
        &mut self,
        indexed: &Indexed<'_>,
        asked: &Asked,
        mut writing: Writing<'_>,
        progress: &dyn Progress,
        each: &mut dyn FnMut(Annotation),
    ) -> Result<()> {
        let &Indexed { index, models, within } = indexed;
        let mut photos = Vec::new();
        for photo in index.photos() {
            let photo = photo?;
            if within.is_empty() || within.iter().any(|path| photo.path.starts_with(path)) {
                photos.push(photo);
            }
        }
        photos.sort_by(|a, b| a.path.cmp(&b.path));
        let vectors: Vec<Vectors> =
            models.iter().map(|name| index.vectors(name)).collect::<Result<_>>()?;
        let seen: Vec<Selection> =
            models.iter().map(|name| index.seen_by(name)).collect::<Result<_>>()?;
        progress.begin("annotating photos", Some(photos.len() as u64));
        for batch in photos.chunks(BATCH) {
            if progress.interrupted() {
                return Err(Error::Interrupted);
            }
            let mut failed = FxHashMap::default();
            let mut rows: Vec<Vec<f32>> = vec![Vec::new(); models.len()];
            let mut count = 0;
            for photo in batch {
                if seen.iter().any(|seen| !seen.contains(photo.id)) {
                    let why = "not seen by every model yet: run `rebus index` again".to_owned();
                    failed.insert(name_of(photo), why);
                    continue;
                }
                for (rows, vectors) in rows.iter_mut().zip(&vectors) {
                    rows.extend(vectors.row(photo.id)?.unwrap_or_default());
                }
                count += 1;
            }
            let images = rows.into_iter().zip(&vectors).map(|(rows, vectors)| {
                let columns = vectors.dimensions();
                Ok(Matrix::new(count, columns, rows)?)
            });
            let images = images.collect::<Result<Vec<_>>>()?;
            let items: Vec<Item> = batch.iter().map(item_of).collect();
            let items: Vec<&Item> = items.iter().collect();
            self.speak(&items, &images, &failed, asked, &mut writing, each)?;
            progress.advance(batch.len() as u64);
        }
        Ok(())
    }

    /// Suggests for a batch of which the failed have no vectors.
    fn speak(
        &self,
        items: &[&Item],
        images: &[Matrix],
        failed: &FxHashMap<String, String>,
        asked: &Asked,
        writing: &mut Writing<'_>,
        each: &mut dyn FnMut(Annotation),
    ) -> Result<()> {
        let mut suggestions = self.annotator.suggest(images, asked)?.into_iter();
        for item in items {
            match failed.get(item.id.as_str()) {
                Some(why) => each(Err(PassedOver { path: path_of(item), why: why.clone() })),
                None => {
                    let found = suggestions.next().unwrap_or_default();
                    each(self.finish(item, found, writing));
                }
            }
        }
        Ok(())
    }

    /// The vectors, by each model, of the photos that every model could look at, and by id why not
    /// the others.
    fn look(
        &mut self,
        items: &[&Item],
        progress: &dyn Progress,
    ) -> Result<(Vec<Matrix>, FxHashMap<String, String>)> {
        let progress = Within(progress);
        let mut failed = FxHashMap::default();
        let mut looks = Vec::with_capacity(self.viewers.len());
        for (viewer, cache) in self.viewers.iter().zip(&mut self.caches) {
            let looked = features(items, viewer.extractor, cache.as_mut(), &progress)?;
            for (id, error) in &looked.failed {
                failed.insert(id.as_str().to_owned(), error.to_string());
            }
            looks.push(looked);
        }
        let kept = |id: &str| !failed.contains_key(id);
        let mut images = Vec::with_capacity(looks.len());
        for (look, viewer) in looks.iter().zip(&self.viewers) {
            let rows: Vec<usize> =
                (0..look.items.len()).filter(|&row| kept(look.items[row].as_str())).collect();
            images.push(viewer.model.encode_images(&look.matrix.only(&rows))?);
        }
        Ok((images, failed))
    }

    fn finish(
        &self,
        item: &Item,
        suggestions: Suggestions,
        writing: &mut Writing<'_>,
    ) -> Annotation {
        let path = path_of(item);
        let known: Vec<String> = item.metadata.tags.iter().chain(&item.keywords).cloned().collect();
        let judged = self.judged(item, &path);
        let said = judged.iter().flat_map(|judged| &judged.unfitting).chain(&known);
        let suggestions = suggestions.without(said.map(String::as_str));
        let additions = |floor: &Floor| {
            let sure = |probability: Option<f64>| probability.is_some_and(|p| p >= floor.0);
            let accepted = judged.iter().flat_map(|judged| &judged.fitting).cloned();
            let probable = suggestions.keywords.iter().filter(|keyword| sure(keyword.probability));
            let sentence =
                suggestions.sentences.first().filter(|sentence| sure(sentence.probability));
            Additions {
                keywords: accepted.chain(probable.map(|keyword| keyword.text.clone())).collect(),
                inherited: known.clone(),
                description: sentence
                    .filter(|_| item.metadata.description.is_none())
                    .map(|sentence| sentence.text.clone()),
            }
        };
        let written = match writing {
            Writing::Nothing => Ok(None),
            Writing::Plan(floor) => Journal::plan(&path, &additions(floor)),
            Writing::Sidecars(floor, journal) => journal.write(&path, &additions(floor)),
        };
        match written {
            Ok(written) => Ok(Annotated { path, known, suggestions, written }),
            Err(error) => Err(PassedOver { path, why: error.to_string() }),
        }
    }

    /// What people said about a photo before.
    fn judged(&self, item: &Item, path: &Path) -> Option<&Judged> {
        if self.reviews.is_empty() {
            return None;
        }
        let read = || Some(ContentHash::of(&std::fs::read(path).ok()?));
        self.reviews.get(&item.hash.or_else(read)?)
    }
}

/// A photo of an index as an item.
fn item_of(photo: &Photo) -> Item {
    let mut item = Item::new(name_of(photo));
    item.image = ImageSource::File(photo.path.clone());
    item.hash = Some(photo.hash);
    item.metadata = photo.metadata.clone();
    item.keywords = photo.keywords.clone();
    item
}

fn name_of(photo: &Photo) -> String {
    photo.id.to_string()
}

fn path_of(item: &Item) -> PathBuf {
    match &item.image {
        ImageSource::File(path) => path.clone(),
        _ => PathBuf::from(item.id.as_str()),
    }
}

/// A stage within another: it advances what is shown, and begins nothing of its own.
struct Within<'a>(&'a dyn Progress);

impl Progress for Within<'_> {
    fn begin(&self, _what: &str, _total: Option<u64>) {}

    fn advance(&self, by: u64) {
        self.0.advance(by);
    }

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
