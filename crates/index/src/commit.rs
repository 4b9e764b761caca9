//! What a commit says beyond the photos: which folders, which models, how many slots.
//!
//! It is the payload of the catalogue's commit, so that it changes in one step with the photos.

use std::path::{Path, PathBuf};

use rebus_collection::{ContentHash, EncodedPath};
use serde::{Deserialize, Serialize};

use crate::indexing::Eye;
use crate::vectors::{Committed, Graph, Vectors};
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
        self.path.path()
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

    /// Where the graph of its vectors lies, if there is one.
    pub(crate) fn graph_path(&self, index: &Path) -> PathBuf {
        self.path(index).with_extension("graph")
    }

    /// The graph of its vectors.
    pub(crate) fn graph(&self, index: &Path) -> Result<Graph> {
        Graph::open(&self.graph_path(index), &self.committed)
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
        let path = EncodedPath::of_bytes(b"/photos/\xff\xfe").path().to_path_buf();
        let mut commit = Commit::default();
        commit.add_roots(std::slice::from_ref(&path));
        let json = serde_json::to_string(&commit).unwrap();
        let back: Commit = serde_json::from_str(&json).unwrap();
        assert_eq!(back.roots[0].path(), path);
    }
}
