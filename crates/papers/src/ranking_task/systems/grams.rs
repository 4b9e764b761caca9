//! Gram matrices kept on disk, by what they were computed from. Safe to delete.

use std::fs;
use std::path::{Path, PathBuf};

use rebus_collection::writers::write_whole;
use rebus_collection::{ContentHash, Matrix, npy};

use crate::{Error, Result};

/// A folder of Gram matrices, or none.
#[derive(Debug, Clone)]
pub(super) struct Grams {
    folder: Option<PathBuf>,
}

impl Grams {
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(|folder| folder.join("grams")) }
    }

    /// The matrix that `make` gives for what `key` says, from disk if it is there whole and of this
    /// shape. What is read from disk is mapped, so that it needs no memory of its own.
    pub(super) fn get(
        &self,
        key: &Key,
        (rows, columns): (usize, usize),
        make: impl FnOnce() -> Result<Matrix>,
    ) -> Result<Matrix> {
        let Some(folder) = &self.folder else { return make() };
        let path = folder.join(format!("{}.npy", key.name()));
        if let Ok(known) = npy::read_matrix(&path)
            && (known.rows(), known.columns()) == (rows, columns)
        {
            return Ok(known);
        }
        let matrix = make()?;
        let io = |path: &Path, source| Error::from(rebus_collection::Error::io(path, source));
        fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
        write_whole(&path, &to_npy(&matrix)).map_err(|source| io(&path, source))?;
        // From here on the file's pages serve, which the system can drop.
        Ok(npy::read_matrix(&path).unwrap_or(matrix))
    }
}

/// What a matrix was computed from.
#[derive(Debug, Clone, Default)]
pub(super) struct Key(Vec<u8>);

impl Key {
    /// A key that says this.
    pub(super) fn of(what: &str) -> Self {
        Self::default().and(what.as_bytes())
    }

    /// And this.
    #[must_use]
    pub(super) fn and(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(&ContentHash::of(bytes).0);
        self
    }

    /// And these numbers.
    #[must_use]
    pub(super) fn and_matrix(self, matrix: &Matrix) -> Self {
        let bytes: Vec<u8> = matrix.values().iter().flat_map(|value| value.to_le_bytes()).collect();
        self.and(&bytes)
    }

    pub(super) fn name(&self) -> String {
        let hash = ContentHash::of(&self.0).to_string();
        hash.get(..32).unwrap_or(&hash).to_owned()
    }
}

/// A matrix as an `.npy` file, version 1.0, little-endian `f32` in C order.
fn to_npy(matrix: &Matrix) -> Vec<u8> {
    let shape = format!("({}, {})", matrix.rows(), matrix.columns());
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length are ten bytes; numbers begin at a multiple of 64.
    let whole = (10 + header.len() + 1).next_multiple_of(64);
    header.extend(std::iter::repeat_n(' ', whole - 11 - header.len()));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(matrix.values().iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_once_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let grams = Grams::new(Some(folder.path()));
        let matrix = Matrix::new(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.5]).unwrap();
        let key = Key::of("pyramid").and(b"2");
        let made = grams.get(&key, (2, 3), || Ok(matrix.clone())).unwrap();
        assert_eq!(made, matrix);
        let again = grams.get(&key, (2, 3), || panic!("it is there")).unwrap();
        assert_eq!(again, matrix);
        assert!(again.is_mapped());
        // Of another shape, or cut off, it is made again.
        let other = Matrix::zeros(1, 1);
        assert_eq!(grams.get(&key, (1, 1), || Ok(other.clone())).unwrap(), other);
        let path = folder.path().join("grams").join(format!("{}.npy", key.name()));
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(grams.get(&key, (1, 1), || Ok(other.clone())).unwrap(), other);
        assert_ne!(key.name(), Key::of("pyramid").and(b"3").name());
    }
}
