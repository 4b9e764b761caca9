//! The pictures of splits with their features.

use std::path::Path;

use rebus_collection::{Collection, Item, Matrix, Place, Progress, Split};
use rebus_vision::{Cache, Extractor, features};

use crate::{Error, Result};

/// Pictures of one split with their features, in the order of the collection.
pub(super) struct Seen<'a> {
    pub(super) items: Vec<&'a Item>,
    pub(super) features: Matrix,
    /// How many could not be looked at.
    pub(super) failed: usize,
}

impl<'a> Seen<'a> {
    /// The pictures of several splits, their features kept in a folder.
    ///
    /// # Errors
    /// If a split has no picture that can be looked at.
    pub(super) fn splits(
        collection: &'a Collection,
        splits: &[Split],
        (extractor, cache): (&dyn Extractor, Option<&Path>),
        progress: &dyn Progress,
    ) -> Result<Vec<Self>> {
        let folder = cache.map(|folder| folder.join("features"));
        let mut cache = folder.map(|folder| Cache::open(&folder, extractor)).transpose()?;
        let look = |split: &Split| -> Result<Self> {
            let items: Vec<&Item> = collection.items_in(split).collect();
            let looked = features(&items, extractor, cache.as_mut(), progress)?;
            let seen: Option<Vec<&Item>> =
                looked.items.iter().map(|id| collection.item(id)).collect();
            let (items, failed) = (seen.unwrap_or_default(), looked.failed.len());
            match (items.is_empty(), looked.failed.into_iter().next()) {
                (true, Some((_, error))) => Err(error.into()),
                (true, None) => Err(lacking(split)),
                (false, _) => Ok(Self { items, features: looked.matrix, failed }),
            }
        };
        splits.iter().map(look).collect()
    }
}

fn lacking(split: &Split) -> Error {
    let what = format!("the {split} split is empty");
    let error = rebus_collection::Error::malformed(Place::default(), what);
    Error::from(error.with_hint("put the split lists beside the captions"))
}
