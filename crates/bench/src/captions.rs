//! Captions to work on: of a collection, or of the synthetic world.

use rebus_collection::format::{self, ReadOptions};
use rebus_collection::{Collection, synth};

use crate::{Error, Options};

/// Captions an image.
const CAPTIONS: usize = 5;

/// Five captions for each of up to `count` images: of the collection given, which may have fewer, or
/// of the synthetic world.
pub(crate) fn captions(options: &Options, count: usize) -> Result<Vec<Vec<String>>, Error> {
    let Some(path) = &options.captions else {
        let caption = |number| synth::specimen(options.seed, number).captions;
        return Ok((0..count as u64).map(caption).collect());
    };
    let ours = |error: rebus_collection::Error| Error::Ours(error.to_string());
    let mut collection = Collection::new();
    let read = ReadOptions::default();
    format::guess(path).map_err(ours)?.read(path, &read, &mut collection).map_err(ours)?;
    let images = collection.items().iter().map(|item| collection.captions_of(&item.id));
    let images = images.filter(|captions| captions.len() >= CAPTIONS).take(count);
    Ok(images.map(|of| of.take(CAPTIONS).map(|caption| caption.text.clone()).collect()).collect())
}
