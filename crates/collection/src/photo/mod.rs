//! Pictures as files: where they lie, what is written inside and beside them, whether they are sound.

pub(crate) mod beside;
pub mod examine;
pub(crate) mod exif;
pub(crate) mod folder;
pub(crate) mod header;
pub(crate) mod iptc;
pub(crate) mod xmp;
