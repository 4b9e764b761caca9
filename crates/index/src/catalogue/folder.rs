//! The catalogue's folder as tantivy sees it, with two differences: no file is read that does not fit its
//! checksum, and who only reads need not write.
//!
//! Every file of a segment has a checksum at its end, which tantivy compares on request only. What it
//! makes of a damaged file is a wrong answer or a panic, and a merge writes it down with a new checksum.
//! So a file is compared as a whole when it is first opened, which takes milliseconds for 100,000 photos.
//! The file of the commit, which names the segments, has none: it gets a line of ours at its end.
//!
//! A reader takes a lock while it opens the files of a commit, so that no writer removes them meanwhile,
//! and for that a file is written. Where that cannot be, on a disc or for another user's index, there
//! is hardly a writer either; and if there is one after all, a file that went missing is told.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rebus_collection::ContentHash;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, META_LOCK, ManagedDirectory, MmapDirectory,
    WatchCallback, WatchHandle, WritePtr,
};

/// The file of the commit.
pub(super) const COMMIT: &str = "meta.json";

/// A folder of memory-mapped files that are whole, and can be read without writing.
#[derive(Debug, Clone)]
pub(super) struct CatalogueFolder {
    files: MmapDirectory,
    /// The same files, by who knows their checksums.
    checksums: ManagedDirectory,
    /// Files that were compared. They are never changed, and their names not given again.
    sound: Arc<Mutex<HashSet<PathBuf>>>,
}

impl CatalogueFolder {
    pub(super) fn open(path: &Path) -> tantivy::Result<Self> {
        let files = MmapDirectory::open(path)?;
        let checksums = ManagedDirectory::wrap(Box::new(files.clone()))?;
        Ok(Self { files, checksums, sound: Arc::default() })
    }

    /// Compares a file with its checksum, once.
    fn compare(&self, path: &Path) -> Result<(), OpenReadError> {
        let sound = || self.sound.lock().unwrap_or_else(PoisonError::into_inner);
        if sound().contains(path) {
            return Ok(());
        }
        if !self.checksums.validate_checksum(path)? {
            return Err(damaged(path));
        }
        sound().insert(path.to_path_buf());
        Ok(())
    }
}

fn damaged(path: &Path) -> OpenReadError {
    let what = io::Error::new(io::ErrorKind::InvalidData, "does not fit its checksum");
    OpenReadError::wrap_io_error(what, path.to_path_buf())
}

/// What goes behind the commit, which is a single document: a line with its hash.
fn last_line(commit: &[u8]) -> Vec<u8> {
    format!("\n{}\n", ContentHash::of(commit)).into_bytes()
}

/// The commit without its last line, if they belong together. Older ones have no such line.
fn without_last_line(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let Some(at) = bytes.len().checked_sub(last_line(&[]).len()) else { return Some(bytes) };
    if last_line(&bytes[..at]) == bytes[at..] {
        bytes.truncate(at);
        return Some(bytes);
    }
    // Whatever ends like this is not to be believed; anything else is no document, or whole.
    let is_hash = bytes[at..].trim_ascii().iter().all(u8::is_ascii_hexdigit);
    (!is_hash).then_some(bytes)
}

impl Directory for CatalogueFolder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.compare(path)?;
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.sound.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.files.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let bytes = self.files.atomic_read(path)?;
        if path != Path::new(COMMIT) {
            return Ok(bytes);
        }
        without_last_line(bytes).ok_or_else(|| damaged(path))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        if path != Path::new(COMMIT) {
            return self.files.atomic_write(path, data);
        }
        self.files.atomic_write(path, &[data, &last_line(data)].concat())
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.files.acquire_lock(lock) {
            Err(LockError::IoError(_)) if lock.filepath == META_LOCK.filepath => {
                Ok(DirectoryLock::from(Box::new(())))
            }
            taken => taken,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}
