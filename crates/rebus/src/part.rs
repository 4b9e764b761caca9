//! One part of a collection as a model sees it: pictures that can be looked at, and their captions.

use std::path::{Path, PathBuf};

use anyhow::Context;
use rebus_collection::format::{self, ReadOptions};
use rebus_collection::{Collection, Item, Matrix, Progress, Split};
use rebus_vision::{Cache, Extractor, features};

use crate::home;
use crate::output::{Usage, say};

/// How many broken pictures are told one by one.
const TOLD: usize = 10;

/// The pictures of a part with their features, in the collection's order.
pub(crate) struct Part<'a> {
    pub(crate) items: Vec<&'a Item>,
    /// One row an item.
    pub(crate) features: Matrix,
    /// How many pictures of the part could not be looked at.
    pub(crate) failed: usize,
}

impl<'a> Part<'a> {
    /// Looks at the pictures of a split, or at all. A picture that cannot be read is told and left
    /// out; `cache` is the folder in which features are kept.
    pub(crate) fn new(
        collection: &'a Collection,
        split: Option<&Split>,
        extractor: &dyn Extractor,
        cache: &Path,
        progress: &dyn Progress,
    ) -> anyhow::Result<Self> {
        let inside = |item: &&Item| split.is_none() || collection.split_of(&item.id) == split;
        let items: Vec<&Item> = collection.items().iter().filter(inside).collect();
        let mut cache = Cache::open(cache, extractor)?;
        let looked = features(&items, extractor, Some(&mut cache), progress)?;
        for (_, error) in looked.failed.iter().take(TOLD) {
            say(format_args!("note: left out: {error}"));
        }
        if looked.failed.len() > TOLD {
            say(format_args!("note: left out: {} more", looked.failed.len() - TOLD));
        }
        let items = looked.items.iter().map(|id| collection.item(id));
        Ok(Self {
            items: items.collect::<Option<_>>().context("features of an unknown item")?,
            features: looked.matrix,
            failed: looked.failed.len(),
        })
    }
}

/// A collection of which parts are looked at.
pub(crate) struct Pictures {
    pub(crate) collection: Collection,
    path: PathBuf,
}

impl Pictures {
    pub(crate) fn read(path: &Path, photos: Option<&Path>) -> anyhow::Result<Self> {
        let options =
            ReadOptions { photos: photos.map(Path::to_path_buf), ..ReadOptions::default() };
        let mut collection = Collection::new();
        format::choose(path, None)?.read(path, &options, &mut collection)?;
        Ok(Self { collection, path: path.to_path_buf() })
    }

    /// The part that was asked for; the usual one, or else everything, if none was.
    pub(crate) fn split(
        &self,
        wanted: Option<&str>,
        usual: &Split,
    ) -> anyhow::Result<Option<Split>> {
        let there = |split: &Split| self.collection.items_in(split).next().is_some();
        match wanted.map(|name| Split::from(name.to_owned())) {
            Some(split) if there(&split) => Ok(Some(split)),
            Some(split) => {
                Err(Usage(format!("{} has no part `{split}`", self.path.display())).into())
            }
            None => Ok(Some(usual.clone()).filter(there)),
        }
    }

    pub(crate) fn part(
        &self,
        split: Option<&Split>,
        extractor: &dyn Extractor,
        progress: &dyn Progress,
    ) -> anyhow::Result<Part<'_>> {
        let part = Part::new(&self.collection, split, extractor, &home::features()?, progress)?;
        anyhow::ensure!(!part.items.is_empty(), "{} has no pictures there", self.path.display());
        Ok(part)
    }
}

/// The captions of each picture of a part; the keywords of a picture that has none, a text each.
pub(crate) fn texts<'a>(collection: &'a Collection, part: &Part<'a>) -> Vec<Vec<&'a str>> {
    let texts = |item: &&'a Item| -> Vec<&'a str> {
        let captions = collection.captions_of(&item.id);
        match captions.len() {
            0 => item.keywords.iter().map(String::as_str).collect(),
            _ => captions.map(|caption| caption.text.as_str()).collect(),
        }
    };
    part.items.iter().map(texts).collect()
}
