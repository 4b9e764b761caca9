//! Folders within an index beside those of the catalogue and the vectors.

/// Small copies of photos, made as they are asked for.
pub const THUMBNAILS: &str = "thumbnails";
/// What people said of keywords.
pub(crate) const ANNOTATIONS: &str = "annotations";
