//! The words of a corpus: how often each occurs, in how many texts, and its number.

use std::fmt::Write as _;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Error, Result};

/// The number of a word in a [`Vocabulary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordId(pub u32);

/// A word with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The word.
    pub word: String,
    /// How often it occurs.
    pub count: u64,
    /// In how many texts it occurs.
    pub texts: u64,
}

/// Words in a fixed order, by falling count, then by the alphabet.
///
/// ```
/// use rebus_text::vocabulary::Vocabulary;
///
/// let texts = [vec!["a", "dog", "and", "a", "ball"], vec!["a", "dog"], vec!["a", "cat"]];
/// let vocabulary = Vocabulary::of(&texts);
/// assert_eq!(vocabulary.count("a"), 4);
/// assert_eq!(vocabulary.texts_with("dog"), 2);
/// assert!((vocabulary.idf("ball") - (3.0f64 / 2.0).ln()).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    entries: Vec<Entry>,
    ids: FxHashMap<String, WordId>,
    texts: u64,
    tokens: u64,
}

/// Counts words text by text.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    counts: FxHashMap<String, (u64, u64)>,
    texts: u64,
}

impl Counter {
    /// Counts the tokens of one text.
    pub fn add<S: AsRef<str>>(&mut self, tokens: &[S]) {
        self.texts += 1;
        let mut seen = FxHashSet::default();
        for token in tokens {
            let token = token.as_ref();
            let first = u64::from(seen.insert(token));
            match self.counts.get_mut(token) {
                Some((count, texts)) => {
                    *count += 1;
                    *texts += first;
                }
                None => {
                    self.counts.insert(token.to_owned(), (1, 1));
                }
            }
        }
    }

    /// The words that occur at least `least` times.
    pub fn finish(self, least: u64) -> Vocabulary {
        self.keep(|count, _| count >= least)
    }

    /// The words that occur in at least `least` texts.
    pub fn finish_in_texts(self, least: u64) -> Vocabulary {
        self.keep(|_, texts| texts >= least)
    }

    fn keep(self, kept: impl Fn(u64, u64) -> bool) -> Vocabulary {
        let entries = self
            .counts
            .into_iter()
            .filter(|(_, (count, texts))| kept(*count, *texts))
            .map(|(word, (count, texts))| Entry { word, count, texts })
            .collect();
        Vocabulary::from_entries(entries, self.texts)
    }
}

impl Vocabulary {
    /// All words of `texts`.
    pub fn of<T: AsRef<[S]>, S: AsRef<str>>(texts: &[T]) -> Self {
        let mut counter = Counter::default();
        for text in texts {
            counter.add(text.as_ref());
        }
        counter.finish(1)
    }

    fn from_entries(mut entries: Vec<Entry>, texts: u64) -> Self {
        entries.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
        let ids = (0..).zip(&entries).map(|(id, e)| (e.word.clone(), WordId(id))).collect();
        let tokens = entries.iter().map(|entry| entry.count).sum();
        Self { entries, ids, texts, tokens }
    }

    /// The same with more words; those that it has already stay as they are.
    pub fn with(&self, more: Vec<Entry>) -> Self {
        let mut entries = self.entries.clone();
        entries.extend(more.into_iter().filter(|entry| self.id(&entry.word).is_none()));
        Self::from_entries(entries, self.texts)
    }

    /// How many different words there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many texts were counted.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// How many tokens were counted, of the words that were kept.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The words in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The words with how often each occurs.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.entries.iter().map(|entry| (entry.word.as_str(), entry.count))
    }

    /// The number of a word.
    pub fn id(&self, word: &str) -> Option<WordId> {
        self.ids.get(word).copied()
    }

    /// The word with a number.
    pub fn entry(&self, id: WordId) -> Option<&Entry> {
        self.entries.get(id.0 as usize)
    }

    fn find(&self, word: &str) -> Option<&Entry> {
        self.entry(self.id(word)?)
    }

    /// How often a word occurs, 0 if it is not known.
    pub fn count(&self, word: &str) -> u64 {
        self.find(word).map_or(0, |entry| entry.count)
    }

    /// In how many texts a word occurs, 0 if it is not known.
    pub fn texts_with(&self, word: &str) -> u64 {
        self.find(word).map_or(0, |entry| entry.texts)
    }

    /// The inverse document frequency of section 3.1 of the ranking-task paper:
    /// lambda_w = log(|D| / (|D(w)| + 1)). An unknown word has |D(w)| = 0; a word of every text is
    /// slightly below 0; without any text it is undefined (NaN).
    pub fn idf(&self, word: &str) -> f64 {
        if self.texts == 0 {
            return f64::NAN;
        }
        (self.texts as f64 / (self.texts_with(word) as f64 + 1.0)).ln()
    }

    /// As text: a line with the number of texts, then a line `word TAB count TAB texts` each.
    pub fn to_text(&self) -> String {
        let mut text = format!("# texts\t{}\n", self.texts);
        for Entry { word, count, texts } in &self.entries {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{word}\t{count}\t{texts}");
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
        let head = text.lines().next().and_then(|line| line.strip_prefix("# texts\t"));
        let texts: u64 = head
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| Error::format(path, 1, "expected `# texts`, a tab and a number"))?;
        let mut entries = Vec::new();
        let mut seen = FxHashSet::default();
        for (at, line) in text.lines().enumerate().skip(1) {
            let wrong = |what: &str| Error::format(path, at + 1, what);
            let mut fields = line.split('\t');
            let (Some(word), Some(count), Some(within), None) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                return Err(wrong("expected a word, its count and its texts, with tabs between"));
            };
            let count: u64 = count.parse().map_err(|_| wrong("the count is no number"))?;
            let within: u64 =
                within.parse().map_err(|_| wrong("the number of texts is no number"))?;
            if within > texts || within > count {
                return Err(wrong(
                    "a word cannot be in more texts than there are, or than it occurs",
                ));
            }
            if !seen.insert(word) {
                return Err(wrong("the word is there twice"));
            }
            entries.push(Entry { word: word.to_owned(), count, texts: within });
        }
        Ok(Self::from_entries(entries, texts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_order_and_idf_by_hand() {
        let texts = [vec!["b", "a", "b"], vec!["a", "c"], vec![]];
        let words = Vocabulary::of(&texts);
        let order: Vec<&str> = words.entries().iter().map(|entry| entry.word.as_str()).collect();
        assert_eq!(order, ["a", "b", "c"]);
        assert_eq!((words.count("b"), words.texts_with("b"), words.texts()), (2, 1, 3));
        assert_eq!(words.tokens(), 5);
        assert!((words.idf("a") - 0.0).abs() < 1e-12);
        assert!((words.idf("unknown") - 3.0f64.ln()).abs() < 1e-12);
        assert!(Vocabulary::default().idf("a").is_nan());
        assert_eq!(words.id("b"), Some(WordId(1)));
        assert_eq!(words.entry(WordId(1)).map(|entry| entry.word.as_str()), Some("b"));
    }

    #[test]
    fn a_file_comes_back_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.tsv");
        let words = Vocabulary::of(&[vec!["dog", "dog", "#"], vec!["dog"]]);
        words.write(&path).unwrap();
        assert_eq!(Vocabulary::read(&path).unwrap(), words);
        for (broken, line) in [
            ("", ":1:"),
            ("dog\t1\t1\n", ":1:"),
            ("# texts\t2\ndog\t1\n", ":2:"),
            ("# texts\t2\ndog\t1\t1\ndog\t1\t1\n", ":3:"),
            ("# texts\t2\ndog\t9\t3\n", ":2:"),
            ("# texts\t2\ndog\tx\t1\n", ":2:"),
        ] {
            std::fs::write(&path, broken).unwrap();
            let said = Vocabulary::read(&path).unwrap_err().to_string();
            assert!(said.contains(line), "{broken:?}: {said}");
        }
        assert!(Vocabulary::read(&folder.path().join("none")).is_err());
    }
}
