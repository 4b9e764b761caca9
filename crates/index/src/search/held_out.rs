//! What people wrote about their photos, as queries: does search find the photo again by its looks?
//!
//! The words are hidden from the ranking, which is by vectors alone. A title, description or caption
//! asks for the photos that have it; a keyword for those that were given it.

use std::collections::BTreeMap;

use rebus_collection::sidecar::OwnWords;
use serde::Serialize;

use super::Searcher;
use crate::vectors::Scored;
use crate::{Index, PhotoId, Result, Selection};

/// From where a query was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A title.
    Title,
    /// A description.
    Description,
    /// A caption.
    Caption,
    /// A tag or keyword.
    Keyword,
}

impl Source {
    /// What reports call such queries.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "titles",
            Self::Description => "descriptions",
            Self::Caption => "captions",
            Self::Keyword => "keywords",
        }
    }
}

/// A query that somebody wrote without knowing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldOut {
    /// From where it was taken.
    pub source: Source,
    /// The words.
    pub text: String,
    /// The photos about which they were written.
    pub right: Selection,
}

/// What people wrote about the photos of an index, at most `most` texts of each source, taken evenly;
/// without `ours`, which says nothing about how well we do.
///
/// # Errors
/// If the catalogue is damaged.
pub fn held_out(index: &Index, most: usize, ours: &OwnWords) -> Result<Vec<HeldOut>> {
    let mut written: BTreeMap<(Source, String), Selection> = BTreeMap::new();
    for photo in index.photos() {
        let photo = photo?;
        let metadata = photo.metadata;
        let words = metadata.tags.into_iter().chain(photo.keywords).map(|word| word.to_lowercase());
        let texts = metadata
            .title
            .into_iter()
            .map(|text| (Source::Title, text))
            .chain(metadata.description.into_iter().map(|text| (Source::Description, text)))
            .chain(photo.captions.into_iter().map(|text| (Source::Caption, text)))
            .chain(words.map(|text| (Source::Keyword, text)));
        let (path, hash) = (&photo.path, photo.hash);
        let is_said = |text: &str| !text.trim().is_empty() && !ours.contains(path, hash, text);
        for (source, text) in texts.filter(|(_, text)| is_said(text)) {
            written.entry((source, text)).or_default().insert(photo.id);
        }
    }
    let mut found = Vec::new();
    for source in [Source::Title, Source::Description, Source::Caption, Source::Keyword] {
        let of_source: Vec<_> = written.iter().filter(|((from, _), _)| *from == source).collect();
        let step = of_source.len().div_ceil(most.max(1)).max(1);
        found.extend(of_source.into_iter().step_by(step).map(|((source, text), right)| HeldOut {
            source: *source,
            text: text.clone(),
            right: right.clone(),
        }));
    }
    Ok(found)
}

impl Searcher<'_> {
    /// Every photo that the model has seen, ordered for a text by vectors alone; `None` if the model
    /// knows nothing of the text.
    ///
    /// # Errors
    /// If the text cannot be encoded.
    pub fn rank(&self, text: &str) -> Result<Option<Vec<Scored>>> {
        let vectors = self.model.encode_texts(&[text])?;
        let vector = vectors.row(0);
        if vector.iter().all(|&value| value == 0.0) {
            return Ok(None);
        }
        self.engine.nearest(vector, self.seen.len(), Some(&self.seen)).map(Some)
    }

    /// The photos that it can rank.
    pub fn seen(&self) -> &Selection {
        &self.seen
    }

    /// The number of the photo of a path, as it was indexed or as it is given.
    ///
    /// # Errors
    /// If the catalogue is damaged.
    pub fn photo_of(&self, path: &std::path::Path) -> Result<Option<PhotoId>> {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        Ok(self.snapshot.photo_at(&whole)?.map(|photo| photo.id))
    }
}
