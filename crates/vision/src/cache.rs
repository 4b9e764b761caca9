//! Features kept on disk, by the content of the picture and the version of the extractor.
//!
//! A cache is one file an extractor, which only grows: a header line, then records of a content
//! hash (32 bytes), a check (8 bytes) and the features (little-endian `f32`). A record that was
//! cut off or damaged is left out and made again. The file is safe to delete.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use rebus_collection::ContentHash;
use rustc_hash::FxHashMap;

use crate::{Error, Extractor, Result};

const HASH: usize = 32;
const CHECK: usize = 8;

/// The features of pictures that were seen before.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    width: usize,
    rows: FxHashMap<ContentHash, usize>,
    values: Vec<f32>,
    file: BufWriter<File>,
}

impl Cache {
    /// Opens the cache of an extractor in `folder`, or begins one.
    ///
    /// # Errors
    /// If the folder or the file cannot be read or written.
    pub fn open(folder: &Path, extractor: &dyn Extractor) -> Result<Self> {
        let path = folder.join(format!("{}.features", extractor.name().replace(['/', ':'], "-")));
        let broken = |source: std::io::Error| Error::Cache {
            name: path.display().to_string(),
            what: source.to_string(),
        };
        fs::create_dir_all(folder).map_err(broken)?;
        let width = extractor.dimensions();
        let header = format!("rebus features 1 {} {width}\n", extractor.name());
        let old = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(broken(error)),
        };
        let records = old.strip_prefix(header.as_bytes());
        let (rows, values, whole) = records.map_or_else(Default::default, |r| load(r, width));
        let file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(broken)?;
        let keep = if records.is_some() { header.len() + whole } else { 0 };
        file.set_len(keep as u64).map_err(broken)?;
        let mut file = BufWriter::new(file);
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(broken)?;
        if keep == 0 {
            file.write_all(header.as_bytes()).map_err(broken)?;
        }
        Ok(Self { path, width, rows, values, file })
    }

    /// How many pictures it knows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if it knows none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The features of a content, if known.
    pub fn get(&self, hash: ContentHash) -> Option<&[f32]> {
        let &row = self.rows.get(&hash)?;
        self.values.get(row * self.width..(row + 1) * self.width)
    }

    /// Keeps the features of a content.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, hash: ContentHash, features: &[f32]) -> Result<()> {
        if self.rows.contains_key(&hash) {
            return Ok(());
        }
        let bytes: Vec<u8> = features.iter().flat_map(|value| value.to_le_bytes()).collect();
        let record = [&hash.0[..], &check(&bytes), &bytes].concat();
        self.file.write_all(&record).map_err(|error| self.broken(&error))?;
        self.rows.insert(hash, self.values.len() / self.width.max(1));
        self.values.extend_from_slice(features);
        Ok(())
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.file.flush().map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &std::io::Error) -> Error {
        Error::Cache { name: self.path.display().to_string(), what: error.to_string() }
    }
}

fn check(bytes: &[u8]) -> [u8; CHECK] {
    let mut check = [0; CHECK];
    check.copy_from_slice(&ContentHash::of(bytes).0[..CHECK]);
    check
}

/// Rows by hash, their values, and how many bytes of `records` are whole and sound.
fn load(records: &[u8], width: usize) -> (FxHashMap<ContentHash, usize>, Vec<f32>, usize) {
    let (mut rows, mut values, mut whole) = (FxHashMap::default(), Vec::new(), 0);
    for record in records.chunks_exact(HASH + CHECK + width * 4) {
        let (key, rest) = record.split_at(HASH);
        let (sum, bytes) = rest.split_at(CHECK);
        if check(bytes) != sum {
            // Whatever follows a damaged record is not to be trusted either.
            break;
        }
        let mut hash = [0; HASH];
        hash.copy_from_slice(key);
        rows.insert(ContentHash(hash), values.len() / width.max(1));
        values.extend(bytes.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)));
        whole += record.len();
    }
    (rows, values, whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GridColourEdge;

    #[test]
    fn what_is_kept_comes_back_and_a_torn_tail_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let width = GridColourEdge.dimensions();
        let row = |k: usize| vec![k as f32 + 0.5; width];
        let hash = |k: usize| ContentHash::of(&k.to_le_bytes());
        let mut cache = Cache::open(folder.path(), &GridColourEdge).unwrap();
        for k in 0..3 {
            cache.add(hash(k), &row(k)).unwrap();
        }
        cache.flush().unwrap();
        let path = cache.path.clone();
        drop(cache);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();

        let mut cache = Cache::open(folder.path(), &GridColourEdge).unwrap();
        assert_eq!(cache.len(), 2);
        assert_eq!(cache.get(hash(1)), Some(&row(1)[..]));
        assert_eq!(cache.get(hash(2)), None);
        cache.add(hash(2), &row(2)).unwrap();
        drop(cache);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn another_file_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("grid-colour-edge-1.features");
        fs::write(&path, b"something else").unwrap();
        assert!(Cache::open(folder.path(), &GridColourEdge).unwrap().is_empty());
    }
}
