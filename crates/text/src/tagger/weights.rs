//! The tagger's weights, and their file.
//!
//! A file is `RBTAG` and a format number, the number of features, the features' hashes in rising
//! order, for each a mask of the tags that it has a weight for, and the weights, a byte each.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::Tag;
use crate::{Error, Result};

/// The first bytes of a file of weights.
const MAGIC: &[u8; 6] = b"RBTAG\x01";
/// Hash and mask of one feature.
const HEAD: usize = 4 + 3;

pub(super) const TAGS: usize = Tag::ALL.len();

/// A weight for each tag, padded so that a row is not split over many cache lines.
pub(super) type Row = [i8; 32];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Weights {
    rows: Vec<Row>,
    places: FxHashMap<u32, u32>,
}

impl Weights {
    /// From features and their weights; a feature that comes twice counts once.
    pub(super) fn new(features: impl IntoIterator<Item = (u32, [i8; TAGS])>) -> Self {
        let mut weights = Self::default();
        for (feature, values) in features {
            if values == [0; TAGS] {
                continue;
            }
            let mut row = Row::default();
            row[..TAGS].copy_from_slice(&values);
            let place = u32::try_from(weights.rows.len()).unwrap_or(u32::MAX);
            if weights.places.insert(feature, place).is_none() {
                weights.rows.push(row);
            }
        }
        weights
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds the weights of features to the scores.
    pub(super) fn add(&self, features: &[u32], scores: &mut [i32; TAGS]) {
        for feature in features {
            if let Some(row) = self.places.get(feature).and_then(|&at| self.rows.get(at as usize)) {
                scores.iter_mut().zip(row).for_each(|(score, &w)| *score += i32::from(w));
            }
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut order: Vec<(u32, u32)> = self.places.iter().map(|(&f, &at)| (f, at)).collect();
        order.sort_unstable();
        let mut bytes = MAGIC.to_vec();
        let count = u32::try_from(order.len()).unwrap_or(u32::MAX);
        bytes.extend(count.to_le_bytes());
        order.iter().for_each(|(feature, _)| bytes.extend(feature.to_le_bytes()));
        let row = |at: u32| self.rows.get(at as usize).copied().unwrap_or_default();
        for &(_, at) in &order {
            let mask = (0..TAGS).filter(|&tag| row(at)[tag] != 0).fold(0u32, |m, tag| m | 1 << tag);
            bytes.extend(&mask.to_le_bytes()[..3]);
        }
        for &(_, at) in &order {
            bytes.extend(row(at).iter().filter(|&&w| w != 0).map(|&w| w.to_le_bytes()[0]));
        }
        bytes
    }

    /// Takes what [`Self::to_bytes`] gave; `path` is the file that errors name.
    pub(super) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let damaged = |what: &str| Error::damaged(path, what);
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| damaged("not a file of tagger weights, or of another version"))?;
        let (count, rest) = rest.split_first_chunk().ok_or_else(|| damaged("cut off"))?;
        let count = u32::from_le_bytes(*count) as usize;
        // The count is checked against the bytes that are there before anything is made for it.
        let heads = count.checked_mul(HEAD).filter(|&n| n <= rest.len());
        let (heads, mut values) = rest.split_at(heads.ok_or_else(|| damaged("cut off"))?);
        let (hashes, masks) = heads.split_at(count * 4);
        let mut weights = Self {
            rows: Vec::with_capacity(count),
            places: FxHashMap::with_capacity_and_hasher(count, Default::default()),
        };
        for (hash, mask) in hashes.chunks_exact(4).zip(masks.chunks_exact(3)) {
            let &[a, b, c, d] = hash else { continue };
            let &[x, y, z] = mask else { continue };
            let mask = u32::from_le_bytes([x, y, z, 0]);
            if mask >> TAGS != 0 {
                return Err(damaged("a feature has weights for tags that do not exist"));
            }
            let mut row = Row::default();
            for tag in (0..TAGS).filter(|tag| mask >> tag & 1 == 1) {
                let (&value, rest) = values.split_first().ok_or_else(|| damaged("cut off"))?;
                row[tag] = i8::from_le_bytes([value]);
                values = rest;
            }
            let place = u32::try_from(weights.rows.len()).unwrap_or(u32::MAX);
            if weights.places.insert(u32::from_le_bytes([a, b, c, d]), place).is_some() {
                return Err(damaged("a feature is there twice"));
            }
            weights.rows.push(row);
        }
        if values.is_empty() { Ok(weights) } else { Err(damaged("there are bytes left over")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> Weights {
        let mut one = [0; TAGS];
        (one[0], one[16]) = (-128, 127);
        let mut two = [0; TAGS];
        two[3] = 5;
        Weights::new([(77, one), (5, two), (9, [0; TAGS])])
    }

    #[test]
    fn bytes_come_back_and_scores_add_up() {
        let path = Path::new("weights");
        let bytes = weights().to_bytes();
        let read = Weights::from_bytes(&bytes, path).unwrap();
        assert_eq!((read.len(), read.to_bytes()), (2, bytes));
        let mut scores = [0; TAGS];
        read.add(&[5, 77, 5, 123], &mut scores);
        assert_eq!((scores[0], scores[3], scores[16]), (-128, 10, 127));
    }

    #[test]
    fn damage_is_said_wherever_it_is() {
        let path = Path::new("weights");
        let bytes = weights().to_bytes();
        for length in 0..bytes.len() {
            assert!(Weights::from_bytes(&bytes[..length], path).is_err(), "{length}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert!(Weights::from_bytes(&long, path).is_err());
        let mut huge = bytes;
        huge[6..10].copy_from_slice(&u32::MAX.to_le_bytes());
        let said = Weights::from_bytes(&huge, path).unwrap_err().to_string();
        assert!(said.contains("weights") && said.contains("cut off"), "{said}");
    }
}
