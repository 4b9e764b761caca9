//! A model that has learnt from reviews.

use rebus_collection::{ContentHash, Matrix};
use rebus_models::Lexicon;
use rebus_models::lexicon::{Opinion, Refit};
use rustc_hash::FxHashMap;

use super::Reviews;
use crate::Result;

/// So many photos stand for those that nobody reviewed.
const ORDINARY: usize = 2000;

/// A model that has learnt from reviews, and what it learnt.
#[derive(Debug)]
pub struct Refitted {
    /// The model.
    pub model: Lexicon,
    /// What changed in it.
    pub changes: Refit,
    /// How many reviewed photos were at hand.
    pub photos: usize,
    /// How many verdicts they have.
    pub verdicts: usize,
}

/// Fits the keywords of a model to what people made of them. `photos` are the contents of photos in
/// the order of the rows of `images`, their vectors by this model; reviews of other photos wait.
///
/// # Errors
/// If the reviews cannot be read, or the vectors do not fit the model.
pub fn refit(
    model: &Lexicon,
    photos: &[ContentHash],
    images: &Matrix,
    reviews: &Reviews,
) -> Result<Refitted> {
    let by_photo = reviews.by_photo()?;
    let mut rows: FxHashMap<ContentHash, usize> = FxHashMap::default();
    for (row, photo) in photos.iter().enumerate().take(images.rows()) {
        if by_photo.contains_key(photo) {
            // Of copies the first will do.
            rows.entry(*photo).or_insert(row);
        }
    }
    let mut reviewed: Vec<(usize, ContentHash)> =
        rows.iter().map(|(photo, row)| (*row, *photo)).collect();
    reviewed.sort_unstable();
    let others: Vec<usize> =
        (0..images.rows()).filter(|&row| !by_photo.contains_key(&photos[row])).collect();
    let stride = others.len().div_ceil(ORDINARY).max(1);
    let others: Vec<usize> = others.into_iter().step_by(stride).collect();
    let seen: Vec<usize> = reviewed.iter().map(|(row, _)| *row).collect();
    let mut opinions = Vec::new();
    for (row, (_, photo)) in reviewed.iter().enumerate() {
        let judged = &by_photo[photo];
        let yes = judged.fitting.iter().map(|word| Opinion { row, word, fits: true });
        let no = judged.unfitting.iter().map(|word| Opinion { row, word, fits: false });
        opinions.extend(yes.chain(no));
    }
    let (model, changes) = model.refit(&images.only(&seen), &images.only(&others), &opinions)?;
    Ok(Refitted { model, changes, photos: reviewed.len(), verdicts: opinions.len() })
}
