//! What is served: an index, and the model by which it is searched.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rebus_collection::Matrix;
use rebus_eval::fusion::Fusion;
use rebus_index::annotate::{Annotator, Asked, CaptionPool, Reviews, Suggestions};
use rebus_index::search::Searcher;
use rebus_index::{Index, Photo, PhotoId};
use rebus_models::Model;
use rebus_vision::{Extractor, Picture};

use crate::problem::Problem;

/// An index, ready to be served.
pub struct Library {
    index: Index,
    name: String,
    /// It stays until the program ends, as the server does: the annotator and every request hold on
    /// to it.
    model: &'static dyn Model,
    extractor: Box<dyn Extractor>,
    annotator: OnceLock<Annotator<'static>>,
}

/// Sentences of the index from which the best are chosen for a photo.
const MOST_SENTENCES: usize = 20_000;
/// With fewer sentences of its own than this, an index is lent the built-in ones.
const ENOUGH_SENTENCES: usize = 500;

/// The model by which an index is searched.
pub struct Sight {
    /// What the index calls it.
    pub name: String,
    /// The model.
    pub model: Box<dyn Model>,
    /// What it looks through.
    pub extractor: Box<dyn Extractor>,
}

impl Library {
    /// An index, and the model by which it is searched.
    pub fn new(index: Index, sight: Sight) -> Self {
        let Sight { name, model, extractor } = sight;
        Self { index, name, model: Box::leak(model), extractor, annotator: OnceLock::new() }
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Searches the last commit. It opens no picture: an example is a photo of the index.
    pub(crate) fn searcher(&self) -> Result<Searcher<'_>, Problem> {
        Ok(Searcher::new(&self.index, &self.name, self.model)?)
    }

    /// A photo of the index.
    pub(crate) fn photo(&self, id: PhotoId) -> Result<Photo, Problem> {
        self.index.photo(id)?.ok_or_else(|| Problem::missing(format!("there is no photo {id}")))
    }

    /// The vector of a photo of the index.
    pub(crate) fn vector(&self, id: PhotoId) -> Result<Vec<f32>, Problem> {
        let vectors = self.index.vectors(&self.name)?;
        let seen = self.index.seen_by(&self.name)?.contains(id);
        let vector = if seen { vectors.row(id)? } else { None };
        vector.ok_or_else(|| {
            Problem::missing("the model has not looked at this photo yet").hint("run rebus index")
        })
    }

    /// The vector of any picture.
    pub(crate) fn look(&self, picture: &Picture) -> Result<Vec<f32>, Problem> {
        let mut features = Matrix::zeros(1, self.extractor.dimensions());
        self.extractor.extract(picture, features.row_mut(0))?;
        Ok(self.model.encode_images(&features)?.row(0).to_vec())
    }

    /// Keywords and sentences for a photo, given its vector.
    pub(crate) fn suggestions(
        &self,
        vector: Vec<f32>,
        asked: &Asked,
    ) -> Result<Suggestions, Problem> {
        let annotator = match self.annotator.get() {
            Some(annotator) => annotator,
            None => {
                let made = Annotator::new(&[self.model], self.pool()?, Fusion::Borda)?;
                self.annotator.get_or_init(|| made)
            }
        };
        let image = Matrix::new(1, vector.len(), vector)?;
        Ok(annotator.suggest(&[image], asked)?.pop().unwrap_or_default())
    }

    /// The sentences that a photo may be given: those of the index, and the built-in ones where they are
    /// few.
    fn pool(&self) -> Result<CaptionPool, Problem> {
        let mut captions = Vec::new();
        for photo in self.index.photos() {
            captions.extend(photo?.captions);
            if captions.len() >= MOST_SENTENCES {
                break;
            }
        }
        if captions.len() < ENOUGH_SENTENCES {
            captions.extend_from_slice(CaptionPool::built_in().sentences());
        }
        Ok(CaptionPool::of(captions.iter().map(String::as_str)).known_to(self.model))
    }

    /// What people made of suggested keywords.
    pub(crate) fn reviews(&self) -> Reviews {
        Reviews::of_index(self.index.folder())
    }

    /// Where a photo's file lies. It must still be where the index found it: a link that was put in
    /// its place leads nowhere.
    pub(crate) fn file(&self, photo: &Photo) -> Result<PathBuf, Problem> {
        let away = || Problem::missing(format!("{} is not there now", name_of(&photo.path)));
        let found = photo.path.canonicalize().map_err(|_| away())?;
        let inside = self.index.roots().iter().any(|root| found.starts_with(root.path()));
        if found == photo.path && inside { Ok(found) } else { Err(away()) }
    }
}

/// The name of a file, for people.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
