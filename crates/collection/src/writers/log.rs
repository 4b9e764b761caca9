//! Files of JSON lines that only grow, and that lose no line which was said to be written.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, Place, Result};

/// What to do when another process has the file open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contention {
    /// Wait until it is done.
    Wait,
    /// Give up.
    Refuse,
}

/// A log that is open for writing. Nobody else writes to it meanwhile.
///
/// A line is on the disk when [`append`](Self::append) returns. One that was cut off, because the
/// process was killed in between, is dropped when the log is opened the next time.
#[derive(Debug)]
pub struct Log<T> {
    path: PathBuf,
    file: File,
    lines: PhantomData<fn(T)>,
}

impl<T: Serialize + DeserializeOwned> Log<T> {
    /// Opens a log, or begins one, and gives the lines that are in it.
    ///
    /// # Errors
    /// If it cannot be opened, another process has it, or a line cannot be understood.
    pub fn open(path: &Path, contention: Contention) -> Result<(Self, Vec<T>)> {
        let failed = |source| Error::io(path, source);
        let folder = super::folder(path);
        std::fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match contention {
            Contention::Wait => file.lock().map_err(failed)?,
            Contention::Refuse => file.try_lock().map_err(|error| match error {
                TryLockError::WouldBlock => {
                    failed(io::Error::other("another process is writing here; wait for it to end"))
                }
                TryLockError::Error(source) => failed(source),
            })?,
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (lines, whole) = parse(path, &bytes)?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(failed)?;
        Ok((Self { path: path.to_path_buf(), file, lines: PhantomData }, lines))
    }

    /// The lines of a log that somebody else may be writing to; none if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, or a line cannot be understood.
    pub fn read(path: &Path) -> Result<Vec<T>> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(parse(path, &bytes)?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::io(path, error)),
        }
    }

    /// Puts a line on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, line: &T) -> Result<()> {
        let failed = |source| Error::io(&self.path, source);
        let mut bytes = serde_json::to_vec(line).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).map_err(failed)?;
        self.file.sync_data().map_err(failed)
    }
}

/// The whole lines, and how many bytes they take.
fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<(Vec<T>, usize)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let lines = bytes[..whole].split(|&byte| byte == b'\n').enumerate();
    let line = |(at, line): (usize, &[u8])| {
        serde_json::from_slice(line).map_err(|error| {
            let place = Place::file(path).line(at as u64 + 1);
            Error::malformed(place, error.to_string())
                .with_hint("put this file aside; what it tells is then forgotten")
        })
    };
    let lines = lines.filter(|(_, line)| !line.is_empty()).map(line).collect::<Result<_>>()?;
    Ok((lines, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_a_torn_one_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/log.jsonl");
        assert!(Log::<u32>::read(&path).unwrap().is_empty());
        let (mut log, lines) = Log::<u32>::open(&path, Contention::Wait).unwrap();
        assert!(lines.is_empty());
        log.append(&1).unwrap();
        log.append(&22).unwrap();
        assert_eq!(Log::<u32>::read(&path).unwrap(), [1, 22]);
        let error = Log::<u32>::open(&path, Contention::Refuse).unwrap_err();
        assert!(error.to_string().contains("another process"), "{error}");
        drop(log);
        std::fs::write(&path, "1\n22\n33").unwrap();
        assert_eq!(Log::<u32>::read(&path).unwrap(), [1, 22]);
        let (mut log, lines) = Log::<u32>::open(&path, Contention::Refuse).unwrap();
        assert_eq!(lines, [1, 22]);
        log.append(&4).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n22\n4\n");
        drop(log);
        std::fs::write(&path, "1\nx\n").unwrap();
        let error = Log::<u32>::open(&path, Contention::Wait).unwrap_err();
        assert!(error.to_string().contains("log.jsonl:2"), "{error}");
    }
}
