//! One part of a collection as a model sees it: pictures that can be looked at, and their captions.

use std::path::Path;

use anyhow::Context;
use rebus_collection::{Caption, Collection, Item, Matrix, Progress, Split};
use rebus_vision::{Cache, Extractor, features};

use crate::output::say;

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

    /// The first `most` captions of each item.
    pub(crate) fn captions<'c>(
        &'c self,
        collection: &'c Collection,
        most: usize,
    ) -> impl Iterator<Item = Vec<&'c Caption>> {
        self.items.iter().map(move |item| collection.captions_of(&item.id).take(most).collect())
    }
}
