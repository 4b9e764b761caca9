//! Blocks of rows: what each hashes to, and which were found to be so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rebus_collection::ContentHash;
use serde::{Deserialize, Serialize};

use crate::{PhotoId, Selection};

/// Rows that share a checksum.
pub(super) const BLOCK: usize = 4096;
/// Words of a [`Selection`] that are the rows of one block.
const WORDS: usize = BLOCK / 64;

/// The first eight bytes of a BLAKE3 hash, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCheck(pub(super) u64);

impl BlockCheck {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let [first, ..] = *ContentHash::of(bytes).0.as_chunks::<8>().0 else { return Self(0) };
        Self(u64::from_le_bytes(first))
    }
}

impl Serialize for BlockCheck {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for BlockCheck {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map(Self).map_err(serde::de::Error::custom)
    }
}

/// How much of a file of vectors counts: part of the catalogue's commit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Committed {
    /// How many rows.
    pub rows: u32,
    /// A checksum of every 4,096 rows, the last of what is left over.
    pub checks: Vec<BlockCheck>,
}

impl Committed {
    /// How many rows are in blocks that are full: those never change any more.
    pub(super) fn in_whole_blocks(&self) -> usize {
        self.rows as usize / BLOCK * BLOCK
    }

    /// A hash of the first rows, which must be whole blocks; `None` if there are not so many.
    pub(super) fn hash_of(&self, rows: usize) -> Option<ContentHash> {
        let whole = rows.is_multiple_of(BLOCK) && rows <= self.rows as usize;
        let checks = self.checks.get(..rows / BLOCK).filter(|_| whole)?;
        let bytes: Vec<u8> = checks.iter().flat_map(|check| check.0.to_le_bytes()).collect();
        Some(ContentHash::of(&bytes))
    }
}

/// Which blocks of a file were found as they were committed; copies of it know the same.
#[derive(Debug, Clone)]
pub(super) struct Trusted(Arc<[(BlockCheck, AtomicBool)]>);

impl Trusted {
    /// None so far.
    pub(super) fn new(committed: &Committed) -> Self {
        Self(committed.checks.iter().map(|&check| (check, AtomicBool::new(false))).collect())
    }

    /// Whether a block was found sound before.
    pub(super) fn is_known(&self, at: usize) -> bool {
        // Nothing else is published by it: who misses it checks once more.
        self.0.get(at).is_some_and(|(_, known)| known.load(Ordering::Relaxed))
    }

    /// Whether these are the bytes of a block; that they are is remembered.
    pub(super) fn check(&self, at: usize, bytes: &[u8]) -> bool {
        let Some((check, known)) = self.0.get(at) else { return false };
        let is_sound = BlockCheck::of(bytes) == *check;
        known.store(is_sound, Ordering::Relaxed);
        is_sound
    }
}

/// The blocks, of the first `blocks`, in which photos are selected.
pub(super) fn of_selection(
    selection: &Selection,
    blocks: usize,
) -> impl Iterator<Item = usize> + use<'_> {
    let is_in = |word: usize| selection.word(word) != 0;
    (0..blocks).filter(move |at| (at * WORDS..(at + 1) * WORDS).any(is_in))
}

/// The blocks of some photos, of the first `rows`, each once.
pub(super) fn of_photos(photos: &[PhotoId], rows: usize) -> impl Iterator<Item = usize> + use<> {
    let rows_of = photos.iter().map(|id| id.0 as usize).filter(|&row| row < rows);
    let mut blocks: Vec<usize> = rows_of.map(|row| row / BLOCK).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_photos() {
        let photos = [5000, 1, 2, 9000, 20_000].map(PhotoId);
        assert_eq!(of_photos(&photos, 10_000).collect::<Vec<_>>(), [0, 1, 2]);
        let selection: Selection = [4095, 8192, 20_000].into_iter().map(PhotoId).collect();
        assert_eq!(of_selection(&selection, 3).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn what_was_sound_is_remembered_and_what_was_not_is_not() {
        let committed =
            Committed { rows: 5000, checks: [b"a", b"b"].map(|it| BlockCheck::of(it)).to_vec() };
        let trusted = Trusted::new(&committed);
        assert!(!trusted.is_known(0) && trusted.check(0, b"a") && trusted.clone().is_known(0));
        assert!(!trusted.check(1, b"a") && !trusted.is_known(1));
        // Of what no commit names nothing is known.
        assert!(!trusted.check(2, b"a") && !trusted.is_known(2));
    }
}
