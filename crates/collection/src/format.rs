//! The formats a collection comes in: one table, from which names, guesses and help are drawn.

use std::path::Path;

use crate::{Error, Result, Sink};

/// How sure a format is that a path is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It is something else.
    No,
    /// It could be read so, if nothing better is found.
    Perhaps,
    /// Its marks are there.
    Surely,
}

/// What a reader may be asked to do differently.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Where the pictures lie, if not where the format expects them.
    pub photos: Option<std::path::PathBuf>,
    /// Reads and hashes every picture, and checks that it can be decoded.
    pub examine_images: bool,
    /// Names of columns in tables: what rebus calls them, what the file calls them.
    pub columns: Vec<(String, String)>,
}

/// One way in which collections are stored.
///
/// To add a format, implement this in a file of its own under `formats/` and add it to
/// [`FORMATS`]: guessing, `--format`, help, documentation and the shared test suite follow.
pub trait Format: Sync {
    /// What `--format` calls it.
    fn name(&self) -> &'static str;
    /// One line of help.
    fn about(&self) -> &'static str;
    /// Looks at a path, and at no more of it than a few kilobytes.
    fn recognise(&self, path: &Path) -> Confidence;
    /// Reads all of it, a record at a time.
    fn read(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()>;
}

/// Every format, the most particular first.
pub static FORMATS: &[&dyn Format] = &[];

/// The format of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// The format that fits a path best; of equals, the one that stands first in [`FORMATS`].
pub fn guess(path: &Path) -> Result<&'static dyn Format> {
    std::fs::metadata(path).map_err(|source| Error::io(path, source))?;
    let mut best = (Confidence::No, None);
    for &format in FORMATS {
        let confidence = format.recognise(path);
        if confidence > best.0 {
            best = (confidence, Some(format));
        }
    }
    best.1.ok_or_else(|| Error::UnknownFormat { path: path.to_path_buf() })
}
