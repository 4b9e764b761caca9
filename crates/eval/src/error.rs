//! What can go wrong while measuring.

/// Why something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No measure has this name.
    #[error("there is no measure `{name}`")]
    UnknownMeasure {
        /// The name asked for.
        name: String,
    },
    /// A measure was asked for with the wrong parameter.
    #[error("the measure `{name}` needs {needs}")]
    MeasureParameter {
        /// The name asked for.
        name: String,
        /// What is needed.
        needs: String,
    },
    /// A score matrix and its map of captions to images do not fit.
    #[error("{what}")]
    Shape {
        /// What does not fit.
        what: String,
    },
    /// A score is infinite or no number.
    #[error("the score in row {row}, column {column} (from 0) is {value}, not a finite number")]
    NotFinite {
        /// The image, from 0.
        row: usize,
        /// The text, from 0.
        column: usize,
        /// What is there.
        value: f32,
    },
    /// A test of significance that the values do not allow, whatever the measure.
    #[error("the test `{test}` takes measures that are 0 or 1 for each query, and none here is")]
    ImpossibleTest {
        /// The test's name.
        test: String,
    },
    /// Two things that were measured for the same queries are not for the same queries.
    #[error("{what}")]
    Mismatch {
        /// What differs.
        what: String,
    },
}

impl Error {
    /// Whether what was asked for is at fault, rather than what was measured.
    pub fn is_wrong_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownMeasure { .. }
                | Self::MeasureParameter { .. }
                | Self::ImpossibleTest { .. }
        )
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownMeasure { .. } | Self::MeasureParameter { .. } => {
                Some("`rebus eval --list-measures` lists names and parameters".into())
            }
            Self::Shape { .. } => Some(
                "name the image of each caption with --map FILE, or their number an image with \
                 --captions-per-image K"
                    .into(),
            ),
            Self::NotFinite { .. } => {
                Some("mend the system that wrote it: a score that is no number has no rank".into())
            }
            Self::ImpossibleTest { .. } => {
                Some("choose another --test, or measures such as S@5 or R@1".into())
            }
            Self::Mismatch { .. } => None,
        }
    }
}

/// The result of measuring.
pub type Result<T> = std::result::Result<T, Error>;
