//! The word kernel as a sparse table.
//!
//! Equation 18 of the ranking-task paper, kappa(w, w'): symmetric; kappa(w, w) = 1 for every word;
//! 0 for two words that the table does not have beside each other; so the identity for all words
//! outside its vocabulary. Entries are above 0 and at most 1. Undefined: nothing.

use std::fmt::Write as _;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::vocabulary::WordId;
use crate::{Error, Result};

/// What the first line of a saved table says.
const HEAD: &str = "# rebus word similarity 1";

/// A sparse, symmetric similarity of words: the word kernel of equation 18.
///
/// ```
/// use rebus_text::similarity::WordSimilarity;
///
/// let similar = WordSimilarity::builder()
///     .pair("rider", "biker", 0.86)
///     .pair("rider", "cyclist", 0.79)
///     .build();
/// assert_eq!(similar.between("biker", "rider"), 0.86);
/// assert_eq!(similar.between("biker", "cyclist"), 0.0);
/// // A word is like itself, known or not, and this is not listed.
/// assert_eq!(similar.between("unheard-of", "unheard-of"), 1.0);
/// assert_eq!(similar.most_similar("rider", 1), [("biker", 0.86)]);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordSimilarity {
    /// In the order of the alphabet.
    words: Vec<String>,
    /// Where the row of each word begins; one more than there are words, or none at all.
    starts: Vec<usize>,
    /// The rows, each in the order of ids.
    entries: Vec<(WordId, f32)>,
    ids: FxHashMap<String, WordId>,
}

impl WordSimilarity {
    /// A table to put pairs into.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// From words in the order of the alphabet, and for each the words behind it that it is similar
    /// to, in order.
    pub(super) fn from_upper(words: Vec<String>, upper: Vec<Vec<(u32, f32)>>) -> Self {
        let mut lengths: Vec<usize> = upper.iter().map(Vec::len).collect();
        upper.iter().flatten().for_each(|&(other, _)| lengths[other as usize] += 1);
        let mut starts = vec![0; words.len() + 1];
        for (at, length) in lengths.into_iter().enumerate() {
            starts[at + 1] = starts[at] + length;
        }
        let mut entries = vec![(WordId(0), 0.0); starts[words.len()]];
        let mut next = starts.clone();
        // Rows fill in the order of ids: what is before a word comes from earlier rows.
        for (word, row) in (0..).zip(&upper) {
            for &(other, how) in row {
                for (from, to) in [(word, other), (other, word)] {
                    entries[next[from as usize]] = (WordId(to), how);
                    next[from as usize] += 1;
                }
            }
        }
        let ids = words.iter().cloned().zip((0..).map(WordId)).collect();
        Self { words, starts, entries, ids }
    }

    /// The words it knows, in the order of the alphabet; the place of a word is its id.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How many pairs of different words have a similarity.
    pub fn pairs(&self) -> usize {
        self.entries.len() / 2
    }

    /// The id of a word, if the table has it.
    pub fn id(&self, word: &str) -> Option<WordId> {
        self.ids.get(word).copied()
    }

    /// The word with an id.
    pub fn word(&self, id: WordId) -> Option<&str> {
        self.words.get(id.0 as usize).map(String::as_str)
    }

    /// The *other* words that a word is similar to, in the order of ids, with how similar each is:
    /// above 0, at most 1. The word itself, which is like itself with 1, is not among them.
    pub fn row(&self, id: WordId) -> &[(WordId, f32)] {
        let at = id.0 as usize;
        let (Some(&from), Some(&to)) = (self.starts.get(at), self.starts.get(at + 1)) else {
            return &[];
        };
        &self.entries[from..to]
    }

    /// [`Self::row`] of a word; empty for a word it does not know.
    pub fn similar(&self, word: &str) -> &[(WordId, f32)] {
        self.id(word).map_or(&[], |id| self.row(id))
    }

    /// How similar two words are: 1 for a word and itself.
    pub fn between(&self, one: &str, other: &str) -> f32 {
        if one == other {
            return 1.0;
        }
        let Some(other) = self.id(other) else { return 0.0 };
        let row = self.similar(one);
        row.binary_search_by_key(&other, |&(id, _)| id).map_or(0.0, |at| row[at].1)
    }

    /// The `n` words most similar to a word, other than itself; of equals the first in the alphabet.
    pub fn most_similar(&self, word: &str, n: usize) -> Vec<(&str, f32)> {
        let mut row = self.similar(word).to_vec();
        row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        row.truncate(n);
        row.into_iter().filter_map(|(id, how)| Some((self.word(id)?, how))).collect()
    }

    /// As text: a line that says what it is, then a line `word TAB other TAB similarity` for each
    /// pair, once; a word without a pair stands alone on its line.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for (id, word) in (0..).map(WordId).zip(&self.words) {
            let row = self.row(id);
            if row.is_empty() {
                text.push_str(word);
                text.push('\n');
            }
            for &(other, how) in row.iter().filter(|&&(other, _)| other > id) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{word}\t{}\t{how}", self.word(other).unwrap_or(""));
            }
        }
        text
    }

    /// Writes [`Self::to_text`] to a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        std::fs::write(path, self.to_text()).map_err(|source| Error::io(path, source))
    }

    /// Reads what [`Self::write`] wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::io(path, source))?;
        Self::from_text(&text, path)
    }

    /// Takes what [`Self::to_text`] gave; `path` is the file that errors name.
    pub fn from_text(text: &str, path: &Path) -> Result<Self> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line != HEAD) {
            return Err(Error::format(path, 1, format!("expected {HEAD:?}")));
        }
        let mut builder = Builder::default();
        for (at, line) in lines {
            let wrong = |what: &str| Error::format(path, at + 1, what);
            let mut fields = line.split('\t');
            match (fields.next(), fields.next(), fields.next(), fields.next()) {
                (Some(word), None, ..) if !word.is_empty() => builder.add_word(word),
                (Some(word), Some(other), Some(how), None) => {
                    let how: f32 = how.parse().map_err(|_| wrong("the similarity is no number"))?;
                    if !(how > 0.0 && how <= 1.0) {
                        return Err(wrong("a similarity is above 0 and at most 1"));
                    }
                    if word.is_empty() || other.is_empty() || word == other {
                        return Err(wrong("expected two different words"));
                    }
                    builder.add(word, other, how);
                }
                _ => {
                    return Err(wrong(
                        "expected two words and their similarity, with tabs between",
                    ));
                }
            }
        }
        Ok(builder.build())
    }
}

/// Collects the pairs of a [`WordSimilarity`].
#[derive(Debug, Clone, Default)]
pub struct Builder {
    ids: FxHashMap<String, u32>,
    pairs: FxHashMap<(u32, u32), f32>,
}

impl Builder {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        self.ids.insert(word.to_owned(), id);
        id
    }

    /// With a word, which need not be similar to any.
    pub fn add_word(&mut self, word: &str) {
        self.number(word);
    }

    /// With a pair, both ways; the greater counts where it is given twice. What is not above 0 is
    /// left out (a NaN too), what is above 1 becomes 1, and a word with itself is left out.
    pub fn add(&mut self, one: &str, other: &str, how: f32) {
        let (one, other) = (self.number(one), self.number(other));
        if one == other || how.is_nan() || how <= 0.0 {
            return;
        }
        let known = self.pairs.entry((one.min(other), one.max(other))).or_default();
        *known = known.max(how.min(1.0));
    }

    /// [`Self::add`], to be written in a row.
    #[must_use]
    pub fn pair(mut self, one: &str, other: &str, how: f32) -> Self {
        self.add(one, other, how);
        self
    }

    /// The table.
    pub fn build(self) -> WordSimilarity {
        let mut words: Vec<(String, u32)> = self.ids.into_iter().collect();
        words.sort_unstable();
        let mut place = vec![0u32; words.len()];
        for (at, (_, number)) in (0..).zip(&words) {
            place[*number as usize] = at;
        }
        let mut upper = vec![Vec::new(); words.len()];
        for ((one, other), how) in self.pairs {
            let (one, other) = (place[one as usize], place[other as usize]);
            upper[one.min(other) as usize].push((one.max(other), how));
        }
        upper.iter_mut().for_each(|row| row.sort_unstable_by_key(|&(other, _)| other));
        WordSimilarity::from_upper(words.into_iter().map(|(word, _)| word).collect(), upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> WordSimilarity {
        let mut builder = WordSimilarity::builder()
            .pair("swim", "pool", 0.53)
            .pair("swim", "dive", 0.3)
            .pair("dive", "swim", 0.52)
            .pair("pool", "pool", 0.2)
            .pair("pool", "water", f32::NAN)
            .pair("sea", "water", 1.5);
        builder.add_word("alone");
        builder.build()
    }

    #[test]
    fn both_ways_the_greater_counts_and_a_word_is_like_itself() {
        let table = table();
        assert_eq!(table.words(), ["alone", "dive", "pool", "sea", "swim", "water"]);
        assert_eq!(table.pairs(), 3);
        assert_eq!(table.most_similar("swim", 9), [("pool", 0.53), ("dive", 0.52)]);
        assert_eq!(table.between("pool", "swim"), 0.53);
        assert_eq!(table.between("pool", "pool"), 1.0);
        assert_eq!(table.between("water", "sea"), 1.0);
        assert_eq!(table.between("pool", "nothing"), 0.0);
        assert!(table.similar("nothing").is_empty() && table.similar("alone").is_empty());
        assert!(table.row(WordId(99)).is_empty());
        assert!(WordSimilarity::default().similar("a").is_empty());
    }

    #[test]
    fn a_file_comes_back_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("similar.tsv");
        table().write(&path).unwrap();
        assert_eq!(WordSimilarity::read(&path).unwrap(), table());
        for (broken, line) in [
            ("", ":1:"),
            ("a\tb\t1\n", ":1:"),
            ("a\tb\n", ":2:"),
            ("a\tb\tx\n", ":2:"),
            ("a\tb\tNaN\n", ":2:"),
            ("a\tb\t1\na\tb\t2\n", ":3:"),
            ("a\ta\t1\n", ":2:"),
            ("\tb\t1\n", ":2:"),
            ("a\n\n", ":3:"),
        ] {
            let broken =
                if line == ":1:" { broken.to_owned() } else { format!("{HEAD}\n{broken}") };
            std::fs::write(&path, &broken).unwrap();
            let said = WordSimilarity::read(&path).unwrap_err().to_string();
            assert!(said.contains(line), "{broken:?}: {said}");
        }
    }
}
