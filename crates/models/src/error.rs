//! What can go wrong while fitting, saving, loading or using a model.

use std::path::{Path, PathBuf};

/// Why a model could not be fitted or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting is outside what makes sense.
    #[error("setting `{field}`: {what}")]
    Setting {
        /// The name of the setting.
        field: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// Data from which nothing can be learnt.
    #[error("cannot be fitted: {what}")]
    Data {
        /// What is wrong with it.
        what: String,
    },
    /// Vectors or rows of the wrong length.
    #[error("expected rows of {expected} numbers, found {found}")]
    Shape {
        /// What the model takes.
        expected: usize,
        /// What it was given.
        found: usize,
    },
    /// An affinity that is not a number.
    #[error("the affinity of image {row} and text {column} is not finite")]
    NotFinite {
        /// The image's row.
        row: usize,
        /// The text's column.
        column: usize,
    },
    /// A word that a model was asked about and does not know.
    #[error("the model does not know the word `{word}`")]
    UnknownWord {
        /// The word.
        word: String,
        /// Known words that are written much like it.
        near: Vec<String>,
    },
    /// A query without a word.
    #[error("the query has no word")]
    EmptyQuery,
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A model folder that is not whole.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, naming the tensor or the field.
        what: String,
    },
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

    /// What the user can do about it, where we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Damaged { .. } => Some("train the model again, or copy its folder again".into()),
            Self::Shape { .. } => Some("take the features with the model's own extractor".into()),
            Self::UnknownWord { near, .. } if !near.is_empty() => {
                Some(format!("it knows {}", near.join(", ")))
            }
            Self::EmptyQuery => Some("name what the pictures shall show".into()),
            _ => None,
        }
    }
}

/// The result of an operation on a model.
pub type Result<T> = std::result::Result<T, Error>;
