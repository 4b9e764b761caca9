//! Why a figure could not be recomputed.

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data could not be read, lacks what the figures need, or was asked for by a wrong name.
    #[error(transparent)]
    Data(Box<rebus_collection::Error>),
    /// A figure has no value for this data.
    #[error("{what}: {source}")]
    Undefined {
        /// Which figure.
        what: String,
        /// Why.
        source: rebus_eval::Undefined,
    },
    /// A picture, its features or a kernel of pictures.
    #[error(transparent)]
    Vision(#[from] rebus_vision::Error),
    /// A text kernel or a word similarity.
    #[error(transparent)]
    Text(#[from] rebus_text::Error),
    /// A model could not be fitted.
    #[error(transparent)]
    Model(#[from] rebus_models::Error),
    /// A measure could not be taken.
    #[error(transparent)]
    Eval(#[from] rebus_eval::Error),
    /// Something that should not happen, or that is not at hand.
    #[error("{0}")]
    Ours(String),
}

impl From<rebus_collection::Error> for Error {
    fn from(error: rebus_collection::Error) -> Self {
        Self::Data(Box::new(error))
    }
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
