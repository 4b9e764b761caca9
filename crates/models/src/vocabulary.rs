//! Which words a model knows, and in how many pictures' texts each appears.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Error, Result};

/// Words in a fixed order, each with the number of training pictures in whose texts it appears.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    words: Vec<(String, u64)>,
    at: FxHashMap<String, usize>,
    pictures: u64,
}

impl Vocabulary {
    /// The words of `documents` (one a picture, as tokens) that appear in at least `least` of
    /// them, in alphabetical order.
    pub fn new<'a>(documents: impl Iterator<Item = &'a [String]>, least: u64) -> Self {
        let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
        let mut pictures = 0;
        for document in documents {
            pictures += 1;
            let distinct: FxHashSet<&str> = document.iter().map(String::as_str).collect();
            for word in distinct {
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut words: Vec<(String, u64)> = counts
            .into_iter()
            .filter(|&(_, count)| count >= least)
            .map(|(word, count)| (word.to_owned(), count))
            .collect();
        words.sort();
        Self::from_words(words, pictures)
    }

    fn from_words(words: Vec<(String, u64)>, pictures: u64) -> Self {
        let at = words.iter().enumerate().map(|(at, (word, _))| (word.clone(), at)).collect();
        Self { words, at, pictures }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|(word, _)| word.as_str())
    }

    /// Where a word stands.
    pub fn position(&self, word: &str) -> Option<usize> {
        self.at.get(word).copied()
    }

    /// The inverse document frequency of the word at `position`, as section 3.1 of the
    /// ranking-task paper defines it: lambda_w = log(|D| / (|D(w)| + 1)). Never below 0: a word
    /// of every text says nothing.
    pub fn idf(&self, position: usize) -> f64 {
        let known = self.words.get(position).map_or(0, |(_, count)| *count);
        (self.pictures as f64 / (known as f64 + 1.0)).ln().max(0.0)
    }

    /// As a text file: the number of pictures, then a word and its count a line.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.pictures);
        for (word, count) in &self.words {
            text.push_str(&format!("{word}\t{count}\n"));
        }
        text
    }

    /// Reads what [`Self::to_text`] wrote.
    pub(crate) fn from_text(text: &str, path: &Path) -> Result<Self> {
        let bad = |line: usize, what: &str| Error::damaged(path, format!("line {line}: {what}"));
        let mut lines = text.lines();
        let pictures = lines.next().and_then(|line| line.parse().ok());
        let pictures = pictures.ok_or_else(|| bad(1, "expected the number of pictures"))?;
        let mut words = Vec::new();
        for (k, line) in lines.enumerate() {
            let (word, count) = line
                .split_once('\t')
                .ok_or_else(|| bad(k + 2, "expected a word, a tab, a count"))?;
            let count = count.parse().map_err(|_| bad(k + 2, "the count is no number"))?;
            words.push((word.to_owned(), count));
        }
        let vocabulary = Self::from_words(words, pictures);
        if vocabulary.at.len() != vocabulary.words.len() {
            return Err(Error::damaged(path, "a word stands there twice"));
        }
        Ok(vocabulary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> Vec<Vec<String>> {
        [&["dog", "ball", "dog"][..], &["dog", "beach"], &["cat"], &["dog"]]
            .iter()
            .map(|words| words.iter().map(|word| (*word).to_owned()).collect())
            .collect()
    }

    #[test]
    fn idf_by_hand() {
        let documents = documents();
        let vocabulary = Vocabulary::new(documents.iter().map(Vec::as_slice), 1);
        assert_eq!(vocabulary.words().collect::<Vec<_>>(), ["ball", "beach", "cat", "dog"]);
        assert!((vocabulary.idf(0) - (4.0f64 / 2.0).ln()).abs() < 1e-12);
        assert_eq!(vocabulary.idf(3), 0.0);
        let frequent = Vocabulary::new(documents.iter().map(Vec::as_slice), 2);
        assert_eq!(frequent.words().collect::<Vec<_>>(), ["dog"]);
    }

    #[test]
    fn text_and_back() {
        let documents = documents();
        let vocabulary = Vocabulary::new(documents.iter().map(Vec::as_slice), 1);
        let path = Path::new("vocabulary.txt");
        assert_eq!(Vocabulary::from_text(&vocabulary.to_text(), path).unwrap(), vocabulary);
        for broken in ["", "x", "3\ndog", "3\ndog\tx", "3\ndog\t1\ndog\t2"] {
            assert!(Vocabulary::from_text(broken, path).is_err(), "{broken:?}");
        }
    }
}
