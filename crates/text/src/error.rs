//! What can go wrong with texts: files that cannot be read or are not what they should be.

use std::path::{Path, PathBuf};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}:{line}: {what}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong there.
        what: String,
    },
    /// A file with data that is damaged, or of another version.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A corpus could not be read, or the work was interrupted.
    #[error(transparent)]
    Data(#[from] rebus_collection::Error),
    /// A setting makes no sense.
    #[error("{0}")]
    Params(String),
    /// A stage by that name does not exist.
    #[error("there is no stage called {0:?}")]
    UnknownStage(String),
    /// A stage needs something that was not given.
    #[error("the stage {stage} needs {needs}")]
    Missing {
        /// The stage.
        stage: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// A text kernel by that name does not exist.
    #[error("there is no text kernel called {0:?}")]
    UnknownKernel(String),
    /// A text kernel was given a word similarity it has no use for, or none.
    #[error("the text kernel {what}")]
    KernelSimilarity {
        /// What is wrong.
        what: &'static str,
    },
    /// Nothing can be learnt from captions without words.
    #[error("no caption of the {items} training items has a word")]
    NoWords {
        /// How many items there are.
        items: usize,
    },
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn format(path: &Path, line: usize, what: impl Into<String>) -> Self {
        Self::Format { path: path.to_owned(), line: line as u64, what: what.into() }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }

    /// Whether what was asked for is wrong, rather than what was read.
    pub fn is_wrong_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownStage(_)
                | Self::Missing { .. }
                | Self::UnknownKernel(_)
                | Self::KernelSimilarity { .. }
                | Self::Params(_)
        )
    }

    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownStage(_) => {
                let (tokenisers, pipelines) =
                    (crate::toolbox::TOKENISERS, crate::toolbox::PIPELINES);
                Some(format!(
                    "the stages are: {}; before them may stand one of: {}, {}",
                    crate::stage::NAMES.join(", "),
                    tokenisers.join(", "),
                    pipelines.join(", ")
                ))
            }
            Self::Missing { needs, .. } => Some(format!("give {needs}")),
            Self::Format { .. } => Some("the file may be cut off; write it again".to_owned()),
            Self::UnknownKernel(_) => {
                let names: Vec<&str> =
                    crate::kernel::KERNELS.iter().map(|kernel| kernel.name).collect();
                Some(format!("the text kernels are: {}", names.join(", ")))
            }
            Self::NoWords { .. } => Some("give captions that have more than stop words".to_owned()),
            Self::Damaged { .. } => Some("make the file again".to_owned()),
            Self::Data(error) => error.hint(),
            Self::Io { .. } | Self::KernelSimilarity { .. } | Self::Params(_) => None,
        }
    }
}
