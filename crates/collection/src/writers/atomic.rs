//! Files and folders that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::folder;
use crate::{Error, Result};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// Another name in the same folder, so that renaming is one step of the file system; hidden, and
/// told apart from those of other processes and threads.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".partial-{}-{count}", std::process::id()));
    path.with_file_name(name)
}

/// Removes what killed runs left behind of this file or folder: partial ones whose process is gone.
/// Nothing is done about one that cannot be removed, or where the system does not tell.
fn clear_stale(path: &Path) {
    let mut begins = OsString::from(".");
    begins.push(path.file_name().unwrap_or_default());
    begins.push(".partial-");
    let begins = begins.to_string_lossy().into_owned();
    let Ok(entries) = fs::read_dir(folder(path)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(&begins).and_then(|rest| rest.split('-').next());
        let process = process.and_then(|id| id.parse::<u32>().ok());
        if process.is_some_and(is_gone) {
            let _ = match entry.file_type() {
                Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
                _ => fs::remove_file(entry.path()),
            };
        }
    }
}

/// Whether a process has surely ended, as far as one can see without asking the system itself.
fn is_gone(process: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists()
}

/// Makes sure that the name of a file survives a power cut, where the system can: that it was made, or
/// renamed.
///
/// # Errors
/// If the folder cannot be brought to the disk.
pub fn settle(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder(path))?.sync_all() } else { Ok(()) }
}

/// Writes all of a file or nothing, without waiting for the disk: for what can be made again.
///
/// # Errors
/// If the file cannot be written or put in its place.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    fs::write(&partial, bytes)?;
    fs::rename(&partial, path)
}

/// A file that appears under its name when it is finished, and not before.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    partial: PathBuf,
    /// `None` once it is in its place.
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Begins a file. What is there under this name stays until [`commit`](Self::commit).
    ///
    /// # Errors
    /// If nothing can be written to the folder.
    pub fn create(path: &Path) -> Result<Self> {
        if path.is_dir() {
            let is_folder = io::Error::other("this is a folder, not a file to write to");
            return Err(Error::io(path, is_folder));
        }
        clear_stale(path);
        let partial = beside(path);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&partial)
            .map_err(|source| Error::io(path, source))?;
        let file = Some(BufWriter::with_capacity(1 << 18, file));
        Ok(Self { path: path.to_path_buf(), partial, file })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If the last bytes could not be written; then nothing has changed under this name.
    pub fn commit(mut self) -> Result<()> {
        let put = |file: BufWriter<File>| {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            // Whoever could read or write what was there can do so still.
            if let Ok(old) = fs::metadata(&self.path) {
                file.set_permissions(old.permissions())?;
            }
            file.sync_all()?;
            fs::rename(&self.partial, &self.path)?;
            settle(&self.path)
        };
        match self.file.take() {
            Some(file) => put(file).map_err(|source| {
                let _ = fs::remove_file(&self.partial);
                Error::io(&self.path, source)
            }),
            None => Ok(()),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(buffer),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Nothing can be done about a partial file that cannot be removed; its name tells.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// A folder that appears under its name when all its files are written, and not before.
#[derive(Debug)]
pub(super) struct AtomicFolder {
    path: PathBuf,
    partial: PathBuf,
    done: bool,
}

impl AtomicFolder {
    /// Begins a folder; one of this name must not be there yet, or be empty.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let taken = match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => path.exists(),
        };
        if taken {
            let taken = io::Error::new(io::ErrorKind::AlreadyExists, "this is there already");
            return Err(Error::io(path, taken));
        }
        clear_stale(path);
        let partial = beside(path);
        fs::create_dir(&partial).map_err(|source| Error::io(path, source))?;
        Ok(Self { path: path.to_path_buf(), partial, done: false })
    }

    /// Where its files are written for now.
    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// Puts the folder in its place.
    pub(super) fn commit(mut self) -> Result<()> {
        let put = || {
            if self.path.is_dir() {
                fs::remove_dir(&self.path)?;
            }
            fs::rename(&self.partial, &self.path)?;
            settle(&self.path)
        };
        put().map_err(|source| Error::io(&self.path, source))?;
        self.done = true;
        Ok(())
    }
}

impl Drop for AtomicFolder {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_committed_was_never_there() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
        assert!(AtomicFile::create(home.path()).is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_killed_run_left_is_cleared_away() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.txt");
        // No process has this number; this one is alive.
        let stale = home.path().join(format!(".a.txt.partial-{}-0", u32::MAX));
        let alive = home.path().join(format!(".a.txt.partial-{}-x", std::process::id()));
        let other = home.path().join(format!(".b.txt.partial-{}-0", u32::MAX));
        for path in [&stale, &alive, &other] {
            fs::write(path, "half").unwrap();
        }
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert!(!stale.exists() && alive.exists() && other.exists());
        fs::create_dir(&stale).unwrap();
        fs::write(stale.join("x"), "x").unwrap();
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert!(!stale.exists());
    }

    #[test]
    fn a_folder_with_something_in_it_is_not_replaced() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("shards");
        let folder = AtomicFolder::create(&path).unwrap();
        fs::write(folder.partial().join("x"), "x").unwrap();
        assert!(!path.exists());
        folder.commit().unwrap();
        assert!(path.join("x").exists());
        let error = AtomicFolder::create(&path).unwrap_err();
        assert!(error.to_string().contains("there already"), "{error}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
