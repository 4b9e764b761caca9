//! The one place with `unsafe`: numbers in a file, seen as a slice without copying them.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::{Error, Place, Result};

/// Little-endian `f32` numbers in a memory-mapped file.
///
/// Invariant, checked by [`Self::open`] and never changed after: `start` is a multiple of four,
/// and `start + 4 * count` does not exceed the length of the mapping.
#[derive(Debug, Clone)]
pub(crate) struct MappedFloats {
    file: Arc<Mmap>,
    start: usize,
    count: usize,
}

impl MappedFloats {
    /// Maps `count` numbers that begin at byte `start`.
    ///
    /// # Errors
    /// If the file cannot be mapped, is too short, or the numbers do not begin at a multiple of
    /// four bytes.
    pub(crate) fn open(path: &Path, file: &File, start: usize, count: usize) -> Result<Self> {
        // SAFETY: the mapping is read-only and private to this process. Another process that
        // shortens the file while we read it makes the system end us with SIGBUS, as it does to
        // everyone who maps files; no memory of ours can be overwritten by that.
        let file = unsafe { Mmap::map(file) }.map_err(|source| Error::io(path, source))?;
        let end = count.checked_mul(4).and_then(|bytes| bytes.checked_add(start));
        if !start.is_multiple_of(4) || end.is_none_or(|end| end > file.len()) {
            let what = format!("{count} numbers from byte {start} do not fit {} bytes", file.len());
            return Err(Error::malformed(Place::file(path).byte(start as u64), what));
        }
        Ok(Self { file: Arc::new(file), start, count })
    }

    /// The numbers.
    pub(crate) fn as_slice(&self) -> &[f32] {
        let bytes = &self.file[self.start..self.start + 4 * self.count];
        // SAFETY: every pattern of 32 bits is an f32. A mapping begins at a page boundary and
        // `start` is a multiple of four, so the bytes are aligned and all of them are in the
        // middle part.
        let (before, values, after) = unsafe { bytes.align_to::<f32>() };
        debug_assert!(before.is_empty() && after.is_empty());
        values
    }
}
