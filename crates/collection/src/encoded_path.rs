//! Paths in files of ours, whatever bytes a name is made of.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A path as JSON can hold it: as text, or where it is none, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedPath(PathBuf);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Encoded {
    Text(String),
    Bytes(Vec<u8>),
}

impl EncodedPath {
    /// This path.
    pub fn of(path: &Path) -> Self {
        Self(path.to_path_buf())
    }

    /// The path of these bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            Self(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
        }
        #[cfg(not(unix))]
        {
            Self(PathBuf::from(String::from_utf8_lossy(bytes).into_owned()))
        }
    }

    /// A path as bytes, every name kept as it is.
    pub fn bytes(path: &Path) -> &[u8] {
        path.as_os_str().as_encoded_bytes()
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Serialize for EncodedPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => Encoded::Text(text.to_owned()),
            None => Encoded::Bytes(Self::bytes(&self.0).to_vec()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EncodedPath {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Encoded::deserialize(deserializer)? {
            Encoded::Text(text) => Self(text.into()),
            Encoded::Bytes(bytes) => Self::of_bytes(&bytes),
        })
    }
}
