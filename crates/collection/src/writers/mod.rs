//! Writers for collections: one file a format, and one table of them.
//!
//! An [`Output`] is a [`Sink`] that any reader can fill. Nothing appears under the name that was
//! asked for before [`Output::finish`] has put everything in its place at once; an output that
//! is dropped before leaves nothing behind.

mod atomic;
mod jsonl;
mod log;
#[cfg(feature = "parquet")]
mod parquet;
mod trec;
mod webdataset;

use std::path::{Path, PathBuf};

use serde::Serialize;

pub use atomic::{AtomicFile, settle, write_whole};
pub use log::{Contention, Log};

use crate::{Error, Result, Sink};

/// What a writer may be asked to do differently.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// Of several sets of judgements, the one to write.
    pub set: Option<String>,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The file, or the folder of files.
    pub path: PathBuf,
    /// How many items.
    pub items: u64,
    /// How many captions.
    pub captions: u64,
    /// How many topics.
    pub topics: u64,
    /// How many judgements.
    pub judgements: u64,
    /// What the format could not take, in plain words.
    pub left_out: Vec<String>,
}

/// A format in which collections can be written.
///
/// To add one, implement this in a file of its own and add it to [`WRITERS`].
pub trait Writer: Sync {
    /// What `--to` calls it.
    fn name(&self) -> &'static str;
    /// One line of help.
    fn about(&self) -> &'static str;
    /// Begins to write.
    ///
    /// # Errors
    /// If nothing can be written there.
    fn create(&self, path: &Path, options: &WriteOptions) -> Result<Box<dyn Output>>;
}

/// A collection on its way to a file. After a failure it takes no more, and
/// [`finish`](Self::finish) says why.
pub trait Output: Sink {
    /// Puts what was written in its place, all at once.
    ///
    /// # Errors
    /// If anything could not be written; then nothing is there.
    fn finish(self: Box<Self>) -> Result<Written>;
}

/// Every format that can be written.
pub static WRITERS: &[&dyn Writer] = &[
    &jsonl::JsonLines,
    #[cfg(feature = "parquet")]
    &parquet::Parquet,
    &trec::Qrels,
    &webdataset::WebDataset,
];

/// The writer of this name.
///
/// # Errors
/// If there is none; the error lists those there are, and names the nearest.
pub fn by_name(name: &str) -> Result<&'static dyn Writer> {
    let writer = WRITERS.iter().copied().find(|writer| writer.name() == name);
    writer.ok_or_else(|| {
        let known = WRITERS.iter().map(|writer| writer.name());
        Error::no_such("format to write", name, known)
    })
}

/// The folder that a path lies in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
