//! What can go wrong while fitting, saving, loading or using a model.

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
}

/// The result of an operation on a model.
pub type Result<T> = std::result::Result<T, Error>;
