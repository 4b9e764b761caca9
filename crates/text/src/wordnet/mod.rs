//! WordNet 3.0's senses and what is above them: `data.noun`, `data.verb` and their indices.
//!
//! A sense (a *synset*) is a node, its hypernyms are its parents: *dog* is a *domestic animal* and
//! a *canine*. Instances count as kinds (`@i` as `@`). The graph is not a tree, and WordNet's verbs
//! have a cycle, so ancestors are collected once each.

mod taxonomy;

use std::path::{Path, PathBuf};

use crate::lemma::{PartOfSpeech, installed_folder};
use crate::{Error, Result};
#[cfg(test)]
pub(crate) use taxonomy::small;
pub use taxonomy::{Sense, Taxonomy};

/// The nouns and verbs of WordNet.
#[derive(Debug, Clone)]
pub struct WordNet {
    folder: PathBuf,
    /// Senses of nouns.
    pub nouns: Taxonomy,
    /// Senses of verbs.
    pub verbs: Taxonomy,
}

impl WordNet {
    /// Reads the files of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let read = |kind| Taxonomy::read(folder, kind);
        let (nouns, verbs) = (read(PartOfSpeech::Noun)?, read(PartOfSpeech::Verb)?);
        Ok(Self { folder: folder.to_owned(), nouns, verbs })
    }

    /// WordNet where it is installed, `None` where it is not.
    pub fn installed() -> Result<Option<Self>> {
        installed_folder().map(|folder| Self::read(&folder)).transpose()
    }

    /// Where it was read from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Every gloss of every kind of word: definitions, and examples between quotes.
    pub fn glosses(&self, take: &mut dyn FnMut(&str)) -> Result<()> {
        for kind in PartOfSpeech::ALL {
            let path = file(&self.folder, "data", kind);
            for line in text(&path)?.lines().filter(|line| !line.starts_with(' ')) {
                if let Some((_, gloss)) = line.split_once(" | ") {
                    take(gloss.trim());
                }
            }
        }
        Ok(())
    }
}

/// `index.noun`, `data.verb` and so on.
pub(crate) fn file(folder: &Path, what: &str, kind: PartOfSpeech) -> PathBuf {
    folder.join(format!("{what}.{}", suffix(kind)))
}

/// What WordNet calls a kind of word in the names of its files.
pub(crate) fn suffix(kind: PartOfSpeech) -> &'static str {
    match kind {
        PartOfSpeech::Noun => "noun",
        PartOfSpeech::Verb => "verb",
        PartOfSpeech::Adjective => "adj",
        PartOfSpeech::Adverb => "adv",
    }
}

/// The text of one of WordNet's files.
pub(crate) fn text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|source| Error::io(path, source))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        Error::format(path, line, "not UTF-8, so not a file of WordNet 3.0")
    })
}
