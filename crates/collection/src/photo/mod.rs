//! Pictures as files: where they lie, what is written inside and beside them, whether they are sound.

pub(crate) mod beside;
pub mod examine;
pub(crate) mod exif;
pub(crate) mod folder;
pub(crate) mod header;
pub(crate) mod iptc;
mod look;
pub(crate) mod walk;
pub(crate) mod xmp;

pub use look::Looked;
pub use walk::{Met, PhotoFolder, walk};
