//! One writer at a time.
//!
//! The lock is the system's, on the file `writer.lock`, so that it goes with the process however that
//! ends. The file holds the number of the process, for the message that another one gives.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::{Error, Result};

/// The file.
pub(crate) const FILE: &str = "writer.lock";

/// The right to write to an index; given back when dropped.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock of an index.
    pub(crate) fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let broken = |source| Error::io(&path, source);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(broken)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let process = file.read_to_string(&mut text).ok();
                let process = process.and_then(|_| text.trim().parse().ok());
                return Err(Error::InUse { path: folder.to_path_buf(), process });
            }
            Err(TryLockError::Error(source)) => return Err(broken(source)),
        }
        file.set_len(0).map_err(broken)?;
        file.rewind().map_err(broken)?;
        writeln!(file, "{}", std::process::id()).map_err(broken)?;
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let first = WriterLock::take(folder.path()).unwrap();
        let error = WriterLock::take(folder.path()).unwrap_err();
        let told = format!("in use by process {}", std::process::id());
        assert!(error.to_string().contains(&told), "{error}");
        drop(first);
        WriterLock::take(folder.path()).unwrap();
    }
}
