//! The one place with `unsafe`: a file seen as bytes, or as numbers, without copying it.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::{Error, Matrix, Place, Result};

/// A whole file, memory-mapped: its bytes, and matrices that lie in it.
///
/// The file must not be shortened while it is mapped; one that is replaced by renaming another over
/// it stays as it was.
#[derive(Debug, Clone)]
pub struct MappedFile {
    path: std::path::PathBuf,
    file: Arc<Mmap>,
}

impl MappedFile {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|source| Error::io(path, source))?;
        Ok(Self { path: path.to_path_buf(), file: Arc::new(map(path, &file)?) })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.file
    }

    /// A matrix of little-endian `f32` that begins at byte `start`, without a copy where the numbers
    /// are aligned.
    ///
    /// # Errors
    /// If the numbers reach beyond the end of the file.
    pub fn matrix(&self, start: usize, rows: usize, columns: usize) -> Result<Matrix> {
        let too_long = || {
            let what = format!("{rows} x {columns} numbers do not fit {} bytes", self.file.len());
            Error::malformed(Place::file(&self.path).byte(start as u64), what)
        };
        let count = rows.checked_mul(columns).ok_or_else(too_long)?;
        let end = count.checked_mul(4).and_then(|bytes| bytes.checked_add(start));
        let end = end.filter(|&end| end <= self.file.len()).ok_or_else(too_long)?;
        if count == 0 || !start.is_multiple_of(4) {
            let fours = self.file[start.min(end)..end].as_chunks::<4>().0.iter();
            let values = fours.map(|&four| f32::from_le_bytes(four)).collect();
            return Matrix::new(rows, columns, values);
        }
        Matrix::mapped(
            rows,
            columns,
            MappedFloats::within(&self.path, self.file.clone(), start, count)?,
        )
    }
}

fn map(path: &Path, file: &File) -> Result<Mmap> {
    // SAFETY: the mapping is read-only and private to this process. Another process that
    // shortens the file while we read it makes the system end us with SIGBUS, as it does to
    // everyone who maps files; no memory of ours can be overwritten by that.
    unsafe { Mmap::map(file) }.map_err(|source| Error::io(path, source))
}

/// Little-endian `f32` numbers in a memory-mapped file.
///
/// Invariant, checked by [`Self::within`] and never changed after: `start` is a multiple of four,
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
        Self::within(path, Arc::new(map(path, file)?), start, count)
    }

    fn within(path: &Path, file: Arc<Mmap>, start: usize, count: usize) -> Result<Self> {
        let end = count.checked_mul(4).and_then(|bytes| bytes.checked_add(start));
        if !start.is_multiple_of(4) || end.is_none_or(|end| end > file.len()) {
            let what = format!("{count} numbers from byte {start} do not fit {} bytes", file.len());
            return Err(Error::malformed(Place::file(path).byte(start as u64), what));
        }
        Ok(Self { file, start, count })
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn matrices_lie_in_the_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let numbers = [1.0f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat();
        file.write_all(b"HEAD").unwrap();
        file.write_all(&numbers).unwrap();
        let mapped = MappedFile::open(file.path()).unwrap();
        assert_eq!(&mapped.bytes()[..4], b"HEAD");
        let matrix = mapped.matrix(4, 2, 2).unwrap();
        assert!(matrix.is_mapped());
        assert_eq!(matrix.values(), [1.0, 2.0, 3.0, 4.0]);
        let copied = mapped.matrix(5, 1, 3).unwrap();
        assert!(!copied.is_mapped());
        assert_eq!(mapped.matrix(4, 0, 7).unwrap().rows(), 0);
        for (start, rows, columns) in [(4, 1, 5), (8, 2, 2), (4, usize::MAX, 2), (99, 1, 1)] {
            assert!(mapped.matrix(start, rows, columns).is_err(), "{start} {rows} {columns}");
        }
    }
}
