//! What can go wrong while reading or writing, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where in a file something was found: as much of it as the format lets one know.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Place {
    /// The file, or the archive that holds it.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The field, column, XML element or archive member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The byte offset from the start of the file, where lines mean nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
}

/// A name that is no text is written as near to it as text can be, so that it is still told.
fn as_text<S: serde::Serializer>(
    path: &Path,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

impl Place {
    /// A whole file.
    pub fn file(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_path_buf(), ..Self::default() }
    }

    /// The same file at a line, counted from 1.
    #[must_use]
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same place, at a field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same place, at a byte offset.
    #[must_use]
    pub fn byte(mut self, byte: u64) -> Self {
        self.byte = Some(byte);
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(byte) = self.byte {
            write!(f, " at byte {byte}")?;
        }
        if let Some(field) = &self.field {
            write!(f, " ({field})")?;
        }
        Ok(())
    }
}

/// Why a collection could not be read or written at all.
///
/// What concerns a single record only is a [`Finding`](crate::Finding) instead: the record is
/// left out or mended, and reading goes on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("{place}: {source}")]
    Io {
        /// The file.
        place: Place,
        /// What the system said.
        source: std::io::Error,
    },
    /// The content does not fit the format.
    #[error("{place}: {what}")]
    Malformed {
        /// Where.
        place: Place,
        /// What is wrong there.
        what: String,
        /// What to do about it.
        hint: Option<Box<str>>,
    },
    /// No reader knows this path.
    #[error("{}: no known format fits", path.display())]
    UnknownFormat {
        /// The path asked for.
        path: PathBuf,
        /// The formats there are.
        known: Vec<String>,
    },
    /// Something was asked for by a name that does not exist.
    #[error("there is no {kind} `{name}`")]
    NoSuch {
        /// What kind of thing it should have been.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// A refusal of the operating system, with the path put to it.
    pub fn io(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Io { place: Place::file(path), source }
    }

    /// Whether the system refused, because of the place or of whose it is, rather than failed.
    pub fn is_refusal(error: &std::io::Error) -> bool {
        use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
    }

    /// Content that does not fit the format.
    pub fn malformed(place: Place, what: impl Into<String>) -> Self {
        Self::Malformed { place, what: what.into(), hint: None }
    }

    /// A name that does not exist, with those that do.
    pub fn no_such<N: Into<String>>(
        kind: &'static str,
        name: impl Into<String>,
        known: impl IntoIterator<Item = N>,
    ) -> Self {
        Self::NoSuch { kind, name: name.into(), known: known.into_iter().map(N::into).collect() }
    }

    /// The same error with a remedy.
    #[must_use]
    pub fn with_hint(mut self, remedy: impl Into<String>) -> Self {
        if let Self::Malformed { hint, .. } = &mut self {
            *hint = Some(remedy.into().into_boxed_str());
        }
        self
    }

    /// What the user can do about it, where we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { source, .. } => match source.kind() {
                std::io::ErrorKind::NotFound => Some("check the path for a typing error".into()),
                std::io::ErrorKind::PermissionDenied => {
                    Some("check that you may read this file".into())
                }
                _ => None,
            },
            Self::Malformed { hint, .. } => hint.as_deref().map(str::to_owned),
            Self::UnknownFormat { known, .. } => {
                Some(format!("if you know what it is, name it with --format: {}", known.join(", ")))
            }
            Self::NoSuch { known, .. } if known.is_empty() => Some("there is none at all".into()),
            Self::NoSuch { name, known, .. } => Some(match nearest(name, known) {
                Some(near) => format!("did you mean `{near}`? There are: {}", known.join(", ")),
                None => format!("there are: {}", known.join(", ")),
            }),
            Self::Interrupted => None,
        }
    }
}

/// The known name that a misspelt one is most like, if it is like any.
fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let like = |known: &str| strsim::jaro_winkler(&name, known);
    let best = known.iter().map(String::as_str).max_by(|a, b| like(a).total_cmp(&like(b)))?;
    (like(best) >= 0.7).then_some(best)
}

/// The result of reading or writing a collection.
pub type Result<T> = std::result::Result<T, Error>;
