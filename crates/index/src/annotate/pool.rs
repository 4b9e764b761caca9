//! The sentences from which the best are chosen for a photo.

use std::path::Path;

use rebus_collection::{Collection, lines};
use rebus_models::Understands;
use rustc_hash::FxHashSet;

use super::grammar;
use crate::Result;

/// Sentences without repeats, in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaptionPool {
    sentences: Vec<String>,
}

impl CaptionPool {
    /// The sentences of our own grammar.
    pub fn built_in() -> Self {
        Self { sentences: grammar::sentences() }
    }

    /// What is written in a file, a sentence a line, or what a collection has as captions.
    ///
    /// # Errors
    /// If it can be read as neither.
    pub fn read(path: &Path) -> Result<Self> {
        let is_text = path.is_file() && lines::plain_name(path).ends_with(".txt");
        if !is_text {
            let collection = Collection::read(path)?;
            return Ok(Self::of(collection.captions().iter().map(|caption| caption.text.as_str())));
        }
        let mut said = Vec::new();
        let mut lines = lines::Lines::open(path)?;
        while let Some(line) = lines.next_line()? {
            said.push(line.text.to_owned());
        }
        Ok(Self::of(said.iter().map(String::as_str)))
    }

    /// These sentences; empty ones and repeats are left out.
    pub fn of<'a>(sentences: impl IntoIterator<Item = &'a str>) -> Self {
        let mut seen = FxHashSet::default();
        let trimmed = sentences.into_iter().map(str::trim);
        let new = trimmed.filter(|text| !text.is_empty() && seen.insert(*text));
        Self { sentences: new.map(str::to_owned).collect() }
    }

    /// Those of which a model knows every word.
    #[must_use]
    pub fn known_to(mut self, model: &dyn Understands) -> Self {
        self.sentences.retain(|text| model.unknown(text).is_empty());
        self
    }

    /// The sentences.
    pub fn sentences(&self) -> &[String] {
        &self.sentences
    }

    /// Every word in them, in lower case, in alphabetical order.
    pub fn words(&self) -> Vec<String> {
        let words =
            self.sentences.iter().flat_map(|text| rebus_text::Tokeniser::Words.tokens(text));
        let mut words: Vec<String> = words.map(|word| word.to_lowercase()).collect();
        words.sort_unstable();
        words.dedup();
        words.retain(|word| word.chars().any(char::is_alphabetic));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_come_from_files_and_collections() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("said.txt");
        std::fs::write(&text, "A dog.\n\n  A cat. \nA dog.\n").unwrap();
        let pool = CaptionPool::read(&text).unwrap();
        assert_eq!(pool.sentences(), ["A dog.", "A cat."]);
        assert_eq!(pool.words(), ["a", "cat", "dog"]);
        let table = folder.path().join("captions.csv");
        std::fs::write(&table, "image,caption\na.jpg,A dog.\nb.jpg,Two dogs.\n").unwrap();
        assert_eq!(CaptionPool::read(&table).unwrap().sentences().len(), 2);
        assert!(CaptionPool::read(&folder.path().join("none.txt")).is_err());
    }
}
