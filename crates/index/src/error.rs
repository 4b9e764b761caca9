//! What can go wrong with an index.

use std::path::{Path, PathBuf};

/// Why an index could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no index in this folder.
    #[error("{}: no index here", path.display())]
    Absent {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has other things in it.
    #[error("{}: no index, but a folder with other things in it, such as {by}", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
        /// One of them.
        by: String,
    },
    /// Another process writes to the index.
    #[error("{}: the index is in use by process {}", path.display(),
            process.map_or_else(|| "unknown".to_owned(), |id| id.to_string()))]
    InUse {
        /// The index.
        path: PathBuf,
        /// The process that has it, where that is known.
        process: Option<u32>,
    },
    /// The index was made by a newer program.
    #[error("{}: the index has version {found}, this program knows up to {known}", path.display())]
    Newer {
        /// The index.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version that is known.
        known: u32,
    },
    /// A file of the index is not whole.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A vector has another length than those of the index.
    #[error("a vector of {found} numbers where {expected} are needed")]
    Shape {
        /// What the index has.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// A vector holds what is not a number, or one too large to keep.
    #[error("number {column} of a vector is {value}, which cannot be kept")]
    NotFinite {
        /// Which number, counted from 0.
        column: usize,
        /// The number.
        value: f32,
    },
    /// A setting is outside what makes sense.
    #[error("setting `{field}`: {what}")]
    Setting {
        /// The name of the setting.
        field: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// Something was asked for that the index does not have.
    #[error("the index has no {kind} `{name}`")]
    NoSuch {
        /// What kind of thing.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A photo could not be read.
    #[error(transparent)]
    Collection(#[from] rebus_collection::Error),
    /// A picture could not be looked at.
    #[error(transparent)]
    Vision(#[from] rebus_vision::Error),
    /// A model could not be used.
    #[error(transparent)]
    Model(#[from] rebus_models::Error),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), source }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_path_buf(), what: what.into() }
    }

    /// Whether the system refused, as it does to write where one may only read.
    pub fn is_refused(&self) -> bool {
        use rebus_collection::Error::{self as Below, Io};
        match self {
            Self::Io { source, .. } | Self::Collection(Io { source, .. }) => {
                Below::is_refusal(source)
            }
            _ => false,
        }
    }

    /// What the user can do about it, where we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Absent { .. } => Some("make one: rebus index PHOTOS".into()),
            Self::Taken { .. } => Some("name another folder with --index".into()),
            Self::InUse { .. } => Some("wait until it is done; searching works meanwhile".into()),
            Self::Newer { .. } => {
                Some("use a newer rebus, or make the index again in another folder".into())
            }
            Self::Damaged { .. } => {
                Some("`rebus check` tells what is damaged, `rebus index --repair` mends it".into())
            }
            Self::NoSuch { known, .. } if known.is_empty() => Some("it has none at all".into()),
            Self::NoSuch { known, .. } => Some(format!("there are: {}", known.join(", "))),
            Self::Collection(error) => error.hint(),
            Self::Vision(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Io { .. } if self.is_refused() => Some(
                "rebus may not go there; an index that can only be read can be searched, but to bring \
                 it up to date make it writable, or make another with --index"
                    .into(),
            ),
            Self::Io { .. }
            | Self::Setting { .. }
            | Self::Shape { .. }
            | Self::NotFinite { .. }
            | Self::Interrupted => None,
        }
    }
}

/// The result of an operation on an index.
pub type Result<T> = std::result::Result<T, Error>;
