//! Corel5k as the paper's models see it: keywords, and bags of blobs of which repeats are partly
//! unknown.

use std::collections::BTreeSet;
use std::path::Path;

use rebus_collection::format::{self, ReadOptions};
use rebus_collection::{Collection, Item, Matrix, Place, Progress, Split};
use rebus_models::Training;

use crate::{Error, Result};

/// What is made of regions whose blob is unknown: a photo has more regions than blobs, and only for a
/// third of the photos is it known which blobs repeat (none).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// A blob is there or not.
    Presence,
    /// The surplus is shared by all blobs of the photo.
    Spread,
}

/// One part of the photos, with a keyword at least.
#[derive(Clone)]
pub(super) struct Photos<'a> {
    pub(super) items: Vec<&'a Item>,
    /// How many blobs there are.
    blobs: usize,
}

/// The photos to learn from, and those on which figures are taken.
pub(super) struct Parts<'a> {
    pub(super) train: Photos<'a>,
    pub(super) test: Photos<'a>,
}

/// Every so many photo of train makes the part for development: the paper's 4,000 and 500.
const EVERY: usize = 9;
/// The name of the bag of given blobs as features.
const EXTRACTOR: &str = "corel5k-blobs/1";

pub(super) fn read(
    data: &Path,
    photos: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Collection> {
    progress.begin("reading Corel5k", None);
    let mut collection = Collection::new();
    let options = ReadOptions { photos: photos.map(Path::to_path_buf), ..ReadOptions::default() };
    format::by_name("corel5k")?.read(data, &options, &mut collection)?;
    Ok(collection)
}

/// The words that later papers take means over, where the data come with the list.
pub(super) fn words_260(data: &Path) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(data.join("words_260.txt")).ok()?;
    Some(text.split_whitespace().map(str::to_owned).collect())
}

impl<'a> Parts<'a> {
    /// Train and test; or, with dev, train without every ninth photo, and those.
    ///
    /// # Errors
    /// If a part is empty, or another split is asked for.
    pub(super) fn new(collection: &'a Collection, split: &Split) -> Result<Self> {
        let blobs = collection.items().iter().flat_map(|item| &item.blobs);
        let blobs = blobs.map(|blob| blob.token as usize + 1).max().unwrap_or(0);
        let of = |wanted: &Split| -> Vec<&'a Item> {
            let inside = |item: &&Item| {
                collection.split_of(&item.id) == Some(wanted) && !item.keywords.is_empty()
            };
            collection.items().iter().filter(inside).collect()
        };
        let (train, test) = match split {
            Split::Test => (of(&Split::Train), of(&Split::Test)),
            Split::Dev => {
                let numbered = of(&Split::Train).into_iter().enumerate();
                let (test, train): (Vec<_>, Vec<_>) =
                    numbered.partition(|(at, _)| at % EVERY == EVERY - 1);
                let items = |part: Vec<(usize, &'a Item)>| part.into_iter().map(|(_, item)| item);
                (items(train).collect(), items(test).collect())
            }
            other => {
                let what = format!("figures are for dev or test, not for {other}");
                return Err(rebus_collection::Error::malformed(Place::default(), what).into());
            }
        };
        for (name, items) in [("train", &train), (split.as_str(), &test)] {
            if items.is_empty() {
                return Err(Error::Ours(format!("no photo of the {name} split has keywords")));
            }
        }
        Ok(Self { train: Photos { items: train, blobs }, test: Photos { items: test, blobs } })
    }

    /// # Errors
    /// If a part has no blobs.
    pub(super) fn with_blobs(self) -> Result<Self> {
        for photos in [&self.train, &self.test] {
            if photos.items.iter().all(|item| item.blobs.is_empty()) {
                let what = "the data lack blobs.tsv, the blobs of the photos";
                return Err(Error::Ours(what.to_owned()));
            }
        }
        Ok(self)
    }
}

impl<'a> Photos<'a> {
    /// The bag of blobs of each photo.
    pub(super) fn features(&self, repeats: Repeats) -> Matrix {
        let mut features = Matrix::zeros(self.items.len(), self.blobs);
        for (row, item) in self.items.iter().enumerate() {
            let known = item.blobs.len() as f32;
            let count = match (repeats, item.regions) {
                (Repeats::Spread, Some(regions)) => (regions as f32 / known).max(1.0),
                _ => 1.0,
            };
            for blob in &item.blobs {
                features.row_mut(row)[blob.token as usize] = count;
            }
        }
        features
    }

    /// The keywords of each photo, a text each.
    pub(super) fn texts(&self) -> Vec<Vec<&'a str>> {
        self.items.iter().map(|item| item.keywords.iter().map(String::as_str).collect()).collect()
    }

    /// Some photos of the part.
    pub(super) fn of(&self, items: &[&'a Item]) -> Self {
        Self { items: items.to_vec(), blobs: self.blobs }
    }

    /// Every keyword of the part, in the order of the alphabet.
    pub(super) fn words(&self) -> BTreeSet<&'a str> {
        self.items.iter().flat_map(|item| &item.keywords).map(String::as_str).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }
}

/// What a model is fitted on.
pub(super) fn training<'a>(features: &'a Matrix, texts: &'a [Vec<&'a str>]) -> Training<'a> {
    Training { extractor: EXTRACTOR, features, texts }
}
