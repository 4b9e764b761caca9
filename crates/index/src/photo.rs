//! A photo as the index knows it.

use std::path::PathBuf;

use rebus_collection::{ContentHash, Metadata, Size};
use serde::{Deserialize, Serialize};

/// The slot of a photo: its position in every vector file. It stays when the file is moved, and
/// goes when the photo's content changes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default,
)]
#[serde(transparent)]
pub struct PhotoId(pub u32);

impl std::fmt::Display for PhotoId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A photo and all that is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Photo {
    /// Its slot.
    pub id: PhotoId,
    /// Where it lies.
    pub path: PathBuf,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// How many bytes.
    pub bytes: u64,
    /// When the file was written, in nanoseconds since 1970.
    pub modified: i64,
    /// Its pixels, upright.
    pub size: Option<Size>,
    /// What people and cameras wrote about it.
    pub metadata: Metadata,
    /// Keywords from a controlled list.
    pub keywords: Vec<String>,
    /// Sentences about it.
    pub captions: Vec<String>,
    /// How it looks, in 64 bits: photos that differ in few bits are nearly the same.
    pub likeness: u64,
    /// A number that changes when a file beside it is written.
    pub beside: u64,
}

/// A file that could not be indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The file.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Why.
    pub reason: String,
    /// Whether it is tried again though it has not changed.
    #[serde(skip)]
    pub retry: Retry,
    /// How many bytes it has.
    #[serde(skip)]
    pub bytes: u64,
    /// When it was written, in nanoseconds since 1970.
    #[serde(skip)]
    pub modified: i64,
}

/// When a file that failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Retry {
    /// The next time, for the trouble may pass without the file being written (permissions).
    Always,
    /// When it has changed.
    WhenChanged,
}

/// A name that is no text is written as near to it as text can be.
pub(crate) fn as_text<S: serde::Serializer>(
    path: &std::path::Path,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}
