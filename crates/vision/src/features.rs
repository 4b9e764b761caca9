//! Features of many pictures: in parallel, and kept from one run to the next.

use rayon::prelude::*;
use rebus_collection::{ContentHash, Item, ItemId, Matrix, Progress};

use crate::{Cache, Error, Extractor, Result, picture};

/// The features of a list of items.
#[derive(Debug)]
pub struct Features {
    /// The items that have features, in the order in which they were given.
    pub items: Vec<ItemId>,
    /// One row an item.
    pub matrix: Matrix,
    /// Why the others have none.
    pub failed: Vec<(ItemId, Error)>,
}

/// How many pictures are looked at between two writes to the cache.
const BLOCK: usize = 256;

/// Takes the features of `items`. A picture that cannot be read is left out and told in
/// [`Features::failed`]. With a cache, pictures seen before are not decoded again.
///
/// # Errors
/// If the cache cannot be written, or [`Error::Interrupted`]; what was done until then is in the
/// cache.
pub fn features(
    items: &[&Item],
    extractor: &dyn Extractor,
    mut cache: Option<&mut Cache>,
    progress: &dyn Progress,
) -> Result<Features> {
    progress.begin("looking at pictures", Some(items.len() as u64));
    let width = extractor.dimensions();
    let mut values = Vec::with_capacity(items.len() * width);
    let (mut seen, mut failed) = (Vec::with_capacity(items.len()), Vec::new());
    for block in items.chunks(BLOCK) {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        let known = cache.as_deref();
        let looks: Vec<Result<Look>> = block
            .par_iter()
            .map(|item| {
                let look = look(item, extractor, known);
                progress.advance(1);
                look
            })
            .collect();
        for (item, look) in block.iter().zip(looks) {
            match look {
                Ok(look) => {
                    if let (Some(cache), Some(hash)) = (cache.as_deref_mut(), look.fresh) {
                        cache.add(hash, &look.row)?;
                    }
                    values.extend_from_slice(&look.row);
                    seen.push(item.id.clone());
                }
                Err(error) => failed.push((item.id.clone(), error)),
            }
        }
        if let Some(cache) = cache.as_deref_mut() {
            cache.flush()?;
        }
    }
    let mut matrix = Matrix::zeros(seen.len(), width);
    matrix.values_mut().copy_from_slice(&values);
    Ok(Features { items: seen, matrix, failed })
}

struct Look {
    row: Vec<f32>,
    /// The content's hash, if the row is not in the cache yet.
    fresh: Option<ContentHash>,
}

fn look(item: &Item, extractor: &dyn Extractor, cache: Option<&Cache>) -> Result<Look> {
    let (bytes, name) = picture::bytes(item)?;
    let hash = cache.map(|_| ContentHash::of(&bytes));
    if let (Some(cache), Some(hash)) = (cache, hash)
        && let Some(row) = cache.get(hash)
    {
        return Ok(Look { row: row.to_vec(), fresh: None });
    }
    let mut row = vec![0.0; extractor.dimensions()];
    extractor.extract(&picture::decode(&bytes, &name)?, &mut row);
    Ok(Look { row, fresh: hash })
}
