//! What a commit says beyond the photos: which folders, which models, how many slots.
//!
//! It is the payload of the catalogue's commit, so that it changes in one step with the photos.

use std::path::{Path, PathBuf};

use rebus_collection::ContentHash;
use serde::{Deserialize, Serialize};

use crate::indexing::Eye;
use crate::vectors::{Committed, Vectors};
use crate::{Error, PhotoId, Result};

/// The payload of a commit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Commit {
    /// Counts commits.
    pub(crate) generation: u64,
    /// How many slots were given, those of deleted photos among them.
    pub(crate) slots: u32,
    /// The folders that were indexed.
    pub(crate) roots: Vec<Root>,
    /// The models, in the order in which they came.
    pub(crate) models: Vec<ModelRecord>,
}

impl Commit {
    pub(crate) fn model(&self, name: &str) -> Option<&ModelRecord> {
        self.models.iter().find(|model| model.name == name)
    }

    /// Whether every one of these eyes has seen the photo of a slot.
    pub(crate) fn is_complete(&self, id: PhotoId, eyes: &[Eye<'_>]) -> bool {
        eyes.iter().all(|eye| {
            let record = self.model(eye.name).filter(|record| record.version == eye.version);
            record.is_some_and(|record| record.has(id.0))
        })
    }

    /// Notes which roots could not be reached.
    pub(crate) fn note_away(&mut self, away: &[PathBuf], present: &[PathBuf]) {
        for root in &mut self.roots {
            root.away = away.iter().any(|path| path == root.path())
                || root.away && !present.iter().any(|path| path == root.path());
        }
    }

    /// No longer knows a root.
    pub(crate) fn forget_root(&mut self, folder: &Path) -> Result<()> {
        let known = self.roots.len();
        self.roots.retain(|root| !root.path().starts_with(folder));
        if self.roots.len() == known {
            return Err(Error::NoSuch {
                kind: "folder",
                name: folder.display().to_string(),
                known: self.roots.iter().map(|root| root.path().display().to_string()).collect(),
            });
        }
        Ok(())
    }

    /// Notes folders as indexed; one inside another is part of that.
    pub(crate) fn add_roots(&mut self, folders: &[PathBuf]) {
        for folder in folders {
            if self.roots.iter().any(|root| folder.starts_with(root.path())) {
                continue;
            }
            self.roots.retain(|root| !root.path().starts_with(folder));
            self.roots.push(Root { path: EncodedPath::of(folder), away: false });
        }
    }
}

/// A folder that was indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    path: EncodedPath,
    /// Whether it could not be reached the last time; its photos stay meanwhile.
    pub away: bool,
}

impl Root {
    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path.0
    }
}

/// A model whose vectors the index holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// What it is called.
    pub name: String,
    /// Where it came from.
    pub origin: Origin,
    /// The content of the model: vectors of another one do not go with it.
    pub version: ContentHash,
    /// The extractor that it looks through.
    pub extractor: String,
    /// The length of a vector.
    pub dimensions: usize,
    /// The name of its vector file.
    pub(crate) file: String,
    /// The committed part of that file.
    pub(crate) committed: Committed,
    /// Slots without a vector, from the first to before the second of each pair: their photos could
    /// not be reached when the model came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) lacking: Vec<(u32, u32)>,
}

impl ModelRecord {
    /// For how many slots it has been asked; those behind are still to come.
    pub fn rows(&self) -> u32 {
        self.committed.rows
    }

    /// Where its vector file lies within an index.
    pub(crate) fn path(&self, index: &Path) -> PathBuf {
        index.join(crate::index::VECTORS).join(&self.file)
    }

    /// Its committed vectors.
    pub(crate) fn open(&self, index: &Path) -> Result<Vectors> {
        Vectors::open(&self.path(index), self.version, self.dimensions, &self.committed)
    }

    /// Whether it has seen the photo of this slot.
    pub(crate) fn has(&self, slot: u32) -> bool {
        slot < self.rows() && !self.lacking.iter().any(|&(from, to)| (from..to).contains(&slot))
    }

    /// Notes that a slot has no vector; slots come in their order.
    pub(crate) fn lack(&mut self, slot: u32) {
        match self.lacking.last_mut() {
            Some((_, end)) if *end == slot => *end += 1,
            _ => self.lacking.push((slot, slot + 1)),
        }
    }
}

/// Where a model lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// In the program.
    BuiltIn,
    /// In a folder.
    Folder(PathBuf),
}

/// A path as JSON can hold it: as text, or where it is none, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EncodedPath(PathBuf);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Encoded {
    Text(String),
    Bytes(Vec<u8>),
}

impl EncodedPath {
    fn of(path: &Path) -> Self {
        Self(path.to_path_buf())
    }
}

impl Serialize for EncodedPath {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => Encoded::Text(text.to_owned()),
            None => Encoded::Bytes(path_bytes(&self.0).to_vec()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EncodedPath {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        Ok(Self(match Encoded::deserialize(deserializer)? {
            Encoded::Text(text) => text.into(),
            Encoded::Bytes(bytes) => path_of(&bytes),
        }))
    }
}

/// A path as bytes, every name kept as it is.
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// The path of these bytes.
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    {
        PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_inside_another_is_part_of_it() {
        let mut commit = Commit::default();
        let paths = |commit: &Commit| -> Vec<PathBuf> {
            commit.roots.iter().map(|root| root.path().to_path_buf()).collect()
        };
        commit.add_roots(&["/a/b".into(), "/c".into(), "/a/b/x".into()]);
        assert_eq!(paths(&commit), [Path::new("/a/b"), Path::new("/c")]);
        commit.add_roots(&["/a".into()]);
        assert_eq!(paths(&commit), [Path::new("/c"), Path::new("/a")]);
        let json = serde_json::to_string(&commit).unwrap();
        assert_eq!(serde_json::from_str::<Commit>(&json).unwrap(), commit);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_survive() {
        let path = path_of(b"/photos/\xff\xfe");
        let mut commit = Commit::default();
        commit.add_roots(std::slice::from_ref(&path));
        let json = serde_json::to_string(&commit).unwrap();
        let back: Commit = serde_json::from_str(&json).unwrap();
        assert_eq!(back.roots[0].path(), path);
    }
}
