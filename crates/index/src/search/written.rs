//! What was written about photos: which of them hold words, and how much of a sentence.
//!
//! A photo of which somebody wrote the words of a query is probably relevant, whatever it looks
//! like. How probably was measured on the captions of Flickr8k's training part (`cargo run --release -p
//! rebus-index --example written -- FLICKR8K`): with the first caption of a photo as what is written,
//! and relevant meaning that the other four hold all words of the query, 0.54 to 0.66 of the photos
//! were relevant for which all words are written. Where one is missing it is few, however much is
//! there: about 0.15 c^2, where c is the share of the query's words that is written, each counted by
//! its inverse document frequency (0.07 to 0.10 between 0.6 and 0.8, 0.01 to 0.07 between 0.4 and
//! 0.6).

use rebus_text::stop_words;
use rustc_hash::FxHashMap;
use tantivy::collector::DocSetCollector;
use tantivy::query::PhraseQuery;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::TokenStream;
use tantivy::{DocSet, TERMINATED, Term};

use crate::catalogue::words;
use crate::index::Snapshot;
use crate::{PhotoId, Result, Selection};

/// How probable it is that a photo is relevant if all words are written about it.
const ALL_WRITTEN: f64 = 0.6;
/// The same if only some are, times the square of their share.
const SOME_WRITTEN: f64 = 0.15;
/// Shares are sums, and may fall short of all by rounding.
const ALL: f64 = 1.0 - 1e-9;
/// A word that stands in the names of more than one file of so many is a camera's, not a person's.
const CAMERAS_WORD: usize = 10;

/// Looks for words in the fields of an index.
pub(super) struct Texts<'a>(pub(super) &'a Snapshot);

impl Texts<'_> {
    /// A text in the form that the fields have words in: position and word.
    fn tokens(&self, text: &str) -> Vec<(usize, String)> {
        let mut analyzer = words::analyzer();
        let mut stream = analyzer.token_stream(text);
        let mut tokens = Vec::new();
        while stream.advance() {
            tokens.push((stream.token().position, stream.token().text.clone()));
        }
        tokens
    }

    /// The photos with this term in a field.
    pub(super) fn holding(&self, field: Field, word: &str) -> Result<Selection> {
        let term = Term::from_field_text(field, word);
        let mut found = Selection::new();
        self.0.each_segment(|reader, slots| {
            let inverted = reader.inverted_index(field)?;
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)?
            else {
                return Ok(());
            };
            while postings.doc() != TERMINATED {
                let document = postings.doc();
                if !reader.is_deleted(document)
                    && let Some(id) = slots(document)
                {
                    found.insert(id);
                }
                postings.advance();
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The photos with one of these terms in a field.
    pub(super) fn any_term(&self, field: Field, words: &[&str]) -> Result<Selection> {
        let mut any = Selection::new();
        for word in words {
            any.unite(&self.holding(field, word)?);
        }
        Ok(any)
    }

    /// The photos with all words of a text in some of the fields, in any order. Words that say
    /// little need not be there, unless there are no others.
    pub(super) fn words_in_any(&self, fields: &[Field], text: &str) -> Result<Selection> {
        let mut all: Option<Selection> = None;
        let words = content_words(text);
        let telling = if words.is_empty() { text.to_owned() } else { words.join(" ") };
        for (_, word) in self.tokens(&telling) {
            let mut any = Selection::new();
            for &field in fields {
                any.unite(&self.holding(field, &word)?);
            }
            match &mut all {
                None => all = Some(any),
                Some(all) => all.intersect(&any),
            }
        }
        Ok(all.unwrap_or_default())
    }

    /// The photos with the words of a text one after the other in one of the fields.
    pub(super) fn phrase_in_any(&self, fields: &[Field], text: &str) -> Result<Selection> {
        let tokens = self.tokens(text);
        let mut any = Selection::new();
        for &field in fields {
            match tokens.as_slice() {
                [] => {}
                [(_, word)] => any.unite(&self.holding(field, word)?),
                _ => any.unite(&self.phrase(field, &tokens)?),
            }
        }
        Ok(any)
    }

    fn phrase(&self, field: Field, tokens: &[(usize, String)]) -> Result<Selection> {
        let terms = tokens.iter().map(|(at, word)| (*at, Term::from_field_text(field, word)));
        let query = PhraseQuery::new_with_offset(terms.collect());
        let found = self.0.searcher.search(&query, &DocSetCollector);
        let found = found.map_err(|error| self.0.told(&error))?;
        self.0.slots_of(found)
    }

    /// The photos with any text in one of the fields.
    pub(super) fn any_text(&self, fields: &[Field]) -> Result<Selection> {
        let mut any = Selection::new();
        for &field in fields {
            self.0.each_segment(|reader, slots| {
                let lengths = reader.get_fieldnorms_reader(field)?;
                for document in reader.doc_ids_alive() {
                    if lengths.fieldnorm(document) > 0
                        && let Some(id) = slots(document)
                    {
                        any.insert(id);
                    }
                }
                Ok(())
            })?;
        }
        Ok(any)
    }
}

/// The words of a text that say something.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let mut words = rebus_text::Tokeniser::Words.tokens(text);
    words.retain(|word| !stop_words::contains(&word.to_lowercase()));
    let mut seen = Vec::new();
    words.retain(|word| {
        let lower = word.to_lowercase();
        let new = !seen.contains(&lower);
        seen.push(lower);
        new
    });
    words
}

/// A word of a query and the photos about which it is written.
#[derive(Debug)]
pub(super) struct Word {
    /// As it was typed.
    pub(super) word: String,
    pub(super) photos: Selection,
    /// Its share of the sentence.
    pub(super) share: f64,
}

/// How much of a sentence is written about which photos.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) words: Vec<Word>,
}

impl Written {
    /// Looks up every word of a sentence that says something.
    pub(super) fn of(snapshot: &Snapshot, text: &str) -> Result<Self> {
        let texts = Texts(snapshot);
        let fields = &snapshot.fields;
        let photos = snapshot.everything().len();
        let mut words = Vec::new();
        for word in content_words(text) {
            let mut found = Selection::new();
            for (_, token) in texts.tokens(&word) {
                for field in [
                    fields.title,
                    fields.tags,
                    fields.description,
                    fields.captions,
                    fields.keywords,
                    fields.place,
                ] {
                    found.unite(&texts.holding(field, &token)?);
                }
                let named = texts.holding(fields.file, &token)?;
                if named.len() <= photos.div_ceil(CAMERAS_WORD) {
                    found.unite(&named);
                }
            }
            found.intersect(snapshot.everything());
            let share = (1.0 + photos as f64 / (found.len() as f64 + 1.0)).ln();
            words.push(Word { word, photos: found, share });
        }
        let sum: f64 = words.iter().map(|word| word.share).sum();
        words.iter_mut().for_each(|word| word.share /= sum);
        Ok(Self { words })
    }

    /// The share of the sentence that is written about each photo, for those with any.
    pub(super) fn coverage(&self, among: &Selection) -> FxHashMap<PhotoId, f64> {
        let mut covered = FxHashMap::default();
        for word in &self.words {
            for id in word.photos.iter().filter(|&id| among.contains(id)) {
                *covered.entry(id).or_insert(0.0) += word.share;
            }
        }
        covered
    }

    /// The words that are written about a photo.
    pub(super) fn about(&self, id: PhotoId) -> Vec<&Word> {
        self.words.iter().filter(|word| word.photos.contains(id)).collect()
    }
}

/// How probable it is that a photo is relevant, given the share of the sentence that is written
/// about it.
pub(super) fn relevance(coverage: f64) -> f64 {
    if coverage >= ALL { ALL_WRITTEN } else { SOME_WRITTEN * coverage.max(0.0).powi(2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_something() {
        assert_eq!(content_words("Two dogs and the two Dogs"), ["Two", "dogs"]);
        assert!(content_words("the of").is_empty());
    }

    #[test]
    fn more_is_more_relevant() {
        assert_eq!(relevance(0.0), 0.0);
        assert_eq!(relevance(1.1), ALL_WRITTEN);
        assert!(relevance(0.5) < 0.05 && relevance(0.9) > relevance(0.8));
    }
}
