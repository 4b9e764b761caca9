//! Sentences as numbers: what distributional similarity counts.
//!
//! A sentence is the set of its words. Four bytes a word are kept, up to a limit; what comes after
//! the limit is left out, and [`Corpus::is_full`] says so.

use std::path::Path;

use rayon::prelude::*;
use rebus_collection::lines::Lines;
use rebus_collection::{Error as DataError, Progress};
use rustc_hash::FxHashMap;

use crate::compounds::Compounds;
use crate::lemma::Lemmatiser;
use crate::stage::{LowerCase, Stage as _};
use crate::{Result, stop_words, words};

/// So many words are kept, unless another limit is set: 400 MB.
const LIMIT: usize = 100_000_000;
/// Lines are taken apart so many at a time.
const BATCH: usize = 4096;
/// What has no end for so many words is cut: it is no sentence.
const LONGEST: usize = 200;

/// Sentences of a corpus.
#[derive(Debug, Clone)]
pub struct Corpus {
    words: Vec<String>,
    ids: FxHashMap<String, u32>,
    /// How often each word occurs.
    counts: Vec<u64>,
    /// The different words of all sentences, in the order of ids within each.
    tokens: Vec<u32>,
    ends: Vec<usize>,
    limit: usize,
}

impl Default for Corpus {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

impl Corpus {
    /// An empty corpus that will hold at most `limit` words.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            words: Vec::new(),
            ids: FxHashMap::default(),
            counts: Vec::new(),
            tokens: Vec::new(),
            ends: Vec::new(),
            limit,
        }
    }

    /// Adds a sentence of analysed words.
    pub fn add<S: AsRef<str>>(&mut self, sentence: &[S]) {
        for sentence in sentence.chunks(LONGEST) {
            let ids: Vec<u32> = sentence.iter().map(|word| self.number(word.as_ref())).collect();
            self.add_ids(ids);
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.words.len() as u32;
        self.ids.insert(word.to_owned(), id);
        self.words.push(word.to_owned());
        self.counts.push(0);
        id
    }

    fn add_ids(&mut self, mut ids: Vec<u32>) {
        if ids.is_empty() || self.tokens.len() + ids.len() > self.limit {
            return;
        }
        ids.iter().for_each(|&id| self.counts[id as usize] += 1);
        ids.sort_unstable();
        ids.dedup();
        self.tokens.extend(ids);
        self.ends.push(self.tokens.len());
    }

    /// Whether nearly as many words are there as may be.
    pub fn is_full(&self) -> bool {
        self.tokens.len() + LONGEST > self.limit
    }

    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many words there are, a word counted once a sentence.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub(super) fn sentences(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, &to)| &self.tokens[from..to])
    }
}

/// Turns raw text into the sentences of a [`Corpus`]: plain words in lower case, compounds in one
/// way, stop words out, lemmas.
#[derive(Debug)]
pub struct CorpusReader<'a> {
    lemmatiser: &'a Lemmatiser,
    compounds: Compounds,
    /// What was made of each form that was met: the lemma's number, or nothing for a stop word.
    forms: FxHashMap<String, Option<u32>>,
    corpus: Corpus,
}

impl<'a> CorpusReader<'a> {
    /// A reader that adds to `corpus`.
    pub fn new(lemmatiser: &'a Lemmatiser, compounds: &Compounds, corpus: Corpus) -> Self {
        Self { lemmatiser, compounds: compounds.clone(), forms: FxHashMap::default(), corpus }
    }

    /// Adds the sentences of texts.
    pub fn add<S: AsRef<str> + Sync>(&mut self, texts: &[S]) {
        let tokens = |sentence: &str| {
            let tokens = LowerCase.apply(words::tokens(sentence));
            let bare = |token: String| match token.strip_suffix("'s") {
                Some(bare) => bare.to_owned(),
                None => token,
            };
            self.compounds.apply(tokens.into_iter().map(bare).collect())
        };
        let split: Vec<Vec<Vec<String>>> =
            texts.par_iter().map(|text| sentences(text.as_ref()).map(tokens).collect()).collect();
        for sentence in split.into_iter().flatten() {
            for sentence in sentence.chunks(LONGEST) {
                let ids = sentence.iter().filter_map(|form| self.lemma(form)).collect();
                self.corpus.add_ids(ids);
            }
        }
    }

    fn lemma(&mut self, form: &str) -> Option<u32> {
        if let Some(&known) = self.forms.get(form) {
            return known;
        }
        let content = !stop_words::contains(form) && form.chars().any(char::is_alphabetic);
        let id = content.then(|| self.corpus.number(&self.lemmatiser.lemma_of(form)));
        self.forms.insert(form.to_owned(), id);
        id
    }

    /// Adds the lines of a file of plain text, which may be packed by gzip. A line that begins
    /// with `= ` is a heading and left out.
    pub fn add_file(&mut self, path: &Path, progress: &dyn Progress) -> Result<()> {
        let mut lines = Lines::open(path)?;
        progress.begin("lines of background text", None);
        let mut batch: Vec<String> = Vec::with_capacity(BATCH);
        loop {
            let line = lines.next_line()?;
            let more = line.is_some();
            batch.extend(line.map(|line| line.text.to_owned()).filter(|l| !l.starts_with("= ")));
            if batch.len() >= BATCH || !more {
                self.add(&batch);
                progress.advance(batch.len() as u64);
                batch.clear();
                if progress.interrupted() {
                    return Err(DataError::Interrupted.into());
                }
            }
            if !more || self.corpus.is_full() {
                return Ok(());
            }
        }
    }

    /// The corpus with all that was added.
    pub fn finish(self) -> Corpus {
        self.corpus
    }
}

/// The sentences of a text: they end with `.`, `!` or `?` and white space.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut ended = false;
    text.split(move |c: char| {
        let ends = ended && c.is_whitespace();
        ended = matches!(c, '.' | '!' | '?');
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebus_collection::Silent;

    #[test]
    fn sentences_words_and_lemmas() {
        let lemmatiser = Lemmatiser::builtin();
        let mut reader = CorpusReader::new(&lemmatiser, &Compounds::table(), Corpus::default());
        reader.add(&["The dogs ran. Dogs' T shirts! A man's dog is 3.5 dogs", ""]);
        let corpus = reader.finish();
        let told: Vec<Vec<&str>> = corpus
            .sentences()
            .map(|s| s.iter().map(|&id| corpus.words()[id as usize].as_str()).collect())
            .collect();
        assert_eq!(told, [vec!["dog", "run"], vec!["dog", "t-shirt"], vec!["dog", "man"]]);
        assert_eq!((corpus.len(), corpus.tokens(), corpus.counts()[0]), (3, 6, 4));
    }

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.txt");
        std::fs::write(&path, "= Dogs\nA dog barks.\n".repeat(5000)).unwrap();
        let lemmatiser = Lemmatiser::builtin();
        let read = |limit| {
            let corpus = Corpus::with_limit(limit);
            let mut reader = CorpusReader::new(&lemmatiser, &Compounds::table(), corpus);
            reader.add_file(&path, &Silent).map(|()| reader.finish())
        };
        let all = read(1_000_000).unwrap();
        assert_eq!((all.len(), all.is_full(), all.is_empty()), (5000, false, false));
        let some = read(1001).unwrap();
        assert!(some.is_full() && some.tokens() == 1000);
        std::fs::remove_file(&path).unwrap();
        assert!(read(10).unwrap_err().to_string().contains("text.txt"));
    }
}
