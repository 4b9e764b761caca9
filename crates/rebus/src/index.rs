//! Finding an index: by its folder, by its name, or the one that was last made or brought up to date.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rebus_collection::writers::write_whole;
use rebus_index::Index;

use crate::home;
use crate::output::Usage;

/// The file that names the index last made or brought up to date.
const LAST: &str = "last";
/// What the first index is called.
const FIRST: &str = "photos";

/// Which index to use: flatten it into a verb's arguments.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct IndexArgs {
    /// The index: its folder or its name [default: the one last made or
    /// brought up to date]
    #[arg(long, value_name = "DIR|NAME")]
    pub(crate) index: Option<String>,
}

impl IndexArgs {
    /// Opens the index for reading.
    pub(crate) fn open(&self) -> anyhow::Result<Index> {
        open(self.index.as_deref())
    }
}

/// Opens an index for reading: the one of this folder or name, or the last one.
pub(crate) fn open(named: Option<&str>) -> anyhow::Result<Index> {
    Ok(Index::open(&existing(named)?)?)
}

/// The folder of an index that should be there.
pub(crate) fn existing(named: Option<&str>) -> anyhow::Result<PathBuf> {
    match named {
        Some(name) => Ok(place(name)),
        None => last().ok_or_else(|| {
            Usage("no index was made yet: make one with `rebus index PHOTOS`".into()).into()
        }),
    }
}

/// The folder of an index that may still have to be made.
pub(crate) fn wanted(named: Option<&str>) -> PathBuf {
    named.map(place).or_else(last).unwrap_or_else(|| place(FIRST))
}

/// Refuses what cannot be the name of an index in rebus's own folder.
pub(crate) fn check_name(name: &str) -> Result<(), Usage> {
    if name.is_empty() || is_path(name) {
        return Err(Usage(format!(
            "`{name}` is no name for an index, but a place: name its folder with --index"
        )));
    }
    if name == LAST {
        return Err(Usage(format!(
            "`{LAST}` is kept for the index last made or brought up to date: take another name"
        )));
    }
    Ok(())
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name == "." || name == ".."
}

/// Where the index of this name lies; a path is taken as it is. A folder in the way that happens to
/// have the name of an index, and is none, does not hide it.
fn place(name: &str) -> PathBuf {
    let (given, kept) = (Path::new(name), home::indexes().join(name));
    let is_index = given.join("index.json").is_file();
    if is_path(name) || is_index || (given.is_dir() && !kept.is_dir()) {
        given.to_path_buf()
    } else {
        kept
    }
}

/// The index last made or brought up to date, if it is still there.
pub(crate) fn last() -> Option<PathBuf> {
    let text = std::fs::read_to_string(home::indexes().join(LAST)).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\n'))).filter(|folder| folder.is_dir())
}

/// Remembers an index as the last one made or brought up to date.
pub(crate) fn remember(folder: &Path) -> anyhow::Result<()> {
    let indexes = home::indexes();
    let folder = std::path::absolute(folder)?;
    // A name that is no text cannot be kept in the file; --index names it as well.
    let Some(text) = folder.to_str() else { return Ok(()) };
    std::fs::create_dir_all(&indexes)
        .and_then(|()| write_whole(&indexes.join(LAST), format!("{text}\n").as_bytes()))
        .with_context(|| format!("cannot write to {}", indexes.display()))
}
