//! Of what years, cameras, places, folders and keywords photos are.

use std::collections::HashSet;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::Searcher;
use crate::{PhotoId, Result};

/// How many photos are counted at most.
const COUNTED: usize = 1000;
/// How many values of a kind are named.
const NAMED: usize = 12;

/// A value and how many photos have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The value.
    pub value: String,
    /// How many photos.
    pub photos: usize,
}

/// What the matches have in common, the most frequent values first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Facets {
    /// How many of the matches were counted: the best thousand at most.
    pub counted: usize,
    /// The years in which they were taken.
    pub years: Vec<Count>,
    /// The cameras.
    pub cameras: Vec<Count>,
    /// The places, by name.
    pub places: Vec<Count>,
    /// The folders in which they lie.
    pub folders: Vec<Count>,
    /// Their tags and keywords.
    pub keywords: Vec<Count>,
}

impl Facets {
    pub(super) fn of(
        searcher: &Searcher<'_>,
        photos: impl Iterator<Item = PhotoId>,
    ) -> Result<Self> {
        let mut tallies: [FxHashMap<String, usize>; 5] = Default::default();
        let mut counted = 0;
        for id in photos.take(COUNTED) {
            let Some(photo) = searcher.snapshot.photo(id)? else { continue };
            counted += 1;
            let metadata = photo.metadata;
            let year = metadata.date.as_deref().and_then(|date| date.get(..4));
            let folder = photo.path.parent().map(|folder| folder.display().to_string());
            // A keyword may also be a tag: it counts once.
            let words: HashSet<String> = metadata.tags.into_iter().chain(photo.keywords).collect();
            let values = [
                year.map(str::to_owned).into_iter().collect(),
                metadata.camera.into_iter().collect(),
                metadata.place.into_iter().collect(),
                folder.into_iter().collect(),
                words.into_iter().collect::<Vec<String>>(),
            ];
            for (tally, values) in tallies.iter_mut().zip(values) {
                values.into_iter().for_each(|value| *tally.entry(value).or_default() += 1);
            }
        }
        let [years, cameras, places, folders, keywords] = tallies.map(most_frequent);
        Ok(Self { counted, years, cameras, places, folders, keywords })
    }
}

fn most_frequent(tally: FxHashMap<String, usize>) -> Vec<Count> {
    let counts = tally.into_iter().map(|(value, photos)| Count { value, photos });
    let mut counts: Vec<Count> = counts.collect();
    counts.sort_by(|a, b| b.photos.cmp(&a.photos).then_with(|| a.value.cmp(&b.value)));
    counts.truncate(NAMED);
    counts
}
