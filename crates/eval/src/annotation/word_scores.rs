//! Precision, recall and F of each word, and their means over a set of words.
//!
//! Jeon, Lavrenko and Manmatha (2003), section 5.2: every picture is given some words; a word as a
//! query then retrieves the pictures that were given it (there is no ranking). Its precision is
//! the share of these that truly have the word, its recall the share of the pictures with the word
//! that were retrieved, and F = 2 · recall · precision / (recall + precision). Precision and recall
//! are averaged over a set of words; papers also give the number of words with recall above zero.
//!
//! Range 0 to 1. Recall is undefined for a word that no picture has; precision for a word that
//! was given to no picture. The means follow the papers: a word of the query set that is never
//! given has precision 0 there, and the number of such words is told.

use std::collections::{BTreeMap, BTreeSet};

/// The counts behind one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordCounts {
    /// Pictures that were given the word and have it.
    pub correct: usize,
    /// Pictures that were given the word.
    pub retrieved: usize,
    /// Pictures that have the word.
    pub relevant: usize,
}

impl WordCounts {
    /// Correct of retrieved; undefined where nothing was retrieved.
    pub fn precision(self) -> Option<f64> {
        (self.retrieved > 0).then(|| self.correct as f64 / self.retrieved as f64)
    }

    /// Correct of relevant; undefined where nothing is relevant.
    pub fn recall(self) -> Option<f64> {
        (self.relevant > 0).then(|| self.correct as f64 / self.relevant as f64)
    }

    /// The harmonic mean of precision and recall; 0 where both are 0, undefined where either is.
    pub fn f(self) -> Option<f64> {
        let both = self.retrieved + self.relevant;
        (self.precision().is_some() && self.recall().is_some())
            .then(|| 2.0 * self.correct as f64 / both as f64)
    }
}

/// Every word's counts over some pictures.
///
/// ```
/// use rebus_eval::annotation::WordScores;
///
/// let mut scores = WordScores::new();
/// scores.add(["tiger", "grass"], ["tiger", "forest"]);
/// scores.add(["tiger"], ["sky"]);
/// assert_eq!(scores.word("tiger").precision(), Some(0.5));
/// assert_eq!(scores.word("tiger").recall(), Some(1.0));
/// assert_eq!(scores.words_with_recall(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordScores {
    words: BTreeMap<String, WordCounts>,
}

/// Means over a set of words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordMeans {
    /// Words that some picture has; the means are over these.
    pub words: usize,
    /// Words of the set that no picture has: they are left out.
    pub undefined: usize,
    /// Words that were given to no picture: they count as precision 0.
    pub never_given: usize,
    /// Mean precision.
    pub precision: f64,
    /// Mean recall.
    pub recall: f64,
    /// F of the two means.
    pub f: f64,
    /// Words with recall above zero.
    pub found: usize,
}

impl WordScores {
    /// Counts of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a picture: the words it was given, and the words it has. A word that is named twice
    /// counts once.
    pub fn add<'a>(
        &mut self,
        given: impl IntoIterator<Item = &'a str>,
        true_words: impl IntoIterator<Item = &'a str>,
    ) {
        let given: BTreeSet<&str> = given.into_iter().collect();
        let true_words: BTreeSet<&str> = true_words.into_iter().collect();
        for &word in given.union(&true_words) {
            let counts = self.words.entry(word.to_owned()).or_default();
            counts.retrieved += usize::from(given.contains(word));
            counts.relevant += usize::from(true_words.contains(word));
            counts.correct += usize::from(given.contains(word) && true_words.contains(word));
        }
    }

    /// One word's counts.
    pub fn word(&self, word: &str) -> WordCounts {
        self.words.get(word).copied().unwrap_or_default()
    }

    /// All words that any picture has or was given, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, WordCounts)> {
        self.words.iter().map(|(word, &counts)| (word.as_str(), counts))
    }

    /// Words that at least one picture was rightly given.
    pub fn words_with_recall(&self) -> usize {
        self.words.values().filter(|counts| counts.correct > 0).count()
    }

    /// The means over a set of words; `None` where no picture has any of them.
    pub fn means<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Option<WordMeans> {
        let words: BTreeSet<&str> = words.into_iter().collect();
        let (mut count, mut undefined, mut never_given, mut found) = (0, 0, 0, 0);
        let (mut precision, mut recall) = (0.0, 0.0);
        for word in words {
            let counts = self.word(word);
            let Some(word_recall) = counts.recall() else {
                undefined += 1;
                continue;
            };
            count += 1;
            recall += word_recall;
            never_given += usize::from(counts.retrieved == 0);
            precision += counts.precision().unwrap_or(0.0);
            found += usize::from(counts.correct > 0);
        }
        if count == 0 {
            return None;
        }
        let (precision, recall) = (precision / count as f64, recall / count as f64);
        let sum = precision + recall;
        let f = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Some(WordMeans { words: count, undefined, never_given, precision, recall, f, found })
    }

    /// The means over every word that some picture has.
    pub fn means_over_all(&self) -> Option<WordMeans> {
        self.means(self.words.keys().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        let mut scores = WordScores::new();
        scores.add(["sun", "sea"], ["sun", "sky"]);
        scores.add(["sun", "sky"], ["sky"]);
        scores.add(["sea", "sea"], ["boat"]);
        // sun: given twice, once right, one picture has it. sky: given once, right, two have it.
        // sea: given twice, nobody has it. boat: never given, one has it.
        assert_eq!(scores.word("sun").precision(), Some(0.5));
        assert_eq!(scores.word("sun").f(), Some(2.0 / 3.0));
        assert_eq!(scores.word("sky").recall(), Some(0.5));
        assert_eq!(scores.word("sea").recall(), None);
        assert_eq!(scores.word("sea").precision(), Some(0.0));
        assert_eq!(scores.word("boat").precision(), None);
        let means = scores.means_over_all().unwrap();
        assert_eq!((means.words, means.undefined, means.never_given, means.found), (3, 1, 1, 2));
        assert_eq!(means.precision, (0.5 + 1.0 + 0.0) / 3.0);
        assert_eq!(means.recall, (1.0 + 0.5 + 0.0) / 3.0);
        assert_eq!(scores.means(["sea"]), None);
        assert_eq!(scores.words_with_recall(), 2);
    }
}
