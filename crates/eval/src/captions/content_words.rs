//! The word analysis of the ranking-task paper, on words that are tokenised already.
//!
//! Hodosh, Young and Hockenmaier (2013), section 4.2.2: hyphenated words are broken up, characters
//! that are neither letters nor digits are stripped, all is lower-cased; for ROUGE and BLEU_pre
//! words are stemmed (Porter 1980) and stop words removed. The paper tokenised with OpenNLP; here
//! the tokens are whatever the caller's tokeniser made.

use super::words::{Lexicon, Sentence, Word};

/// For each word of a lexicon, the words it becomes: none, one, or the parts of a hyphenated one.
#[derive(Debug, Clone)]
pub struct WordMap {
    becomes: Vec<Vec<Word>>,
}

impl WordMap {
    /// Analyses each word of a lexicon once. The new words are numbered apart from the old.
    pub fn new<'a, P: AsRef<str>>(
        lexicon: &'a Lexicon,
        analyse: impl Fn(&'a str) -> Vec<P>,
    ) -> Self {
        let mut analysed = Lexicon::new();
        let becomes = lexicon.texts().map(|text| analysed.words(analyse(text))).collect();
        Self { becomes }
    }

    /// A sentence after analysis.
    pub fn apply(&self, sentence: &[Word]) -> Sentence {
        let of = |word: &Word| self.becomes.get(word.index()).into_iter().flatten().copied();
        sentence.iter().flat_map(of).collect()
    }
}

/// The parts of a token that are letters and digits, in lower case.
pub fn bare_words(token: &str) -> Vec<String> {
    let parts = token.split(['-', '\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}']);
    let bare = |part: &str| -> String {
        part.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    parts.map(bare).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_part_and_marks_go() {
        assert_eq!(bare_words("T-Shirt"), ["t", "shirt"]);
        assert_eq!(bare_words("dog's"), ["dogs"]);
        assert!(bare_words("--").is_empty());
    }

    #[test]
    fn a_map_changes_sentences_word_by_word() {
        let mut lexicon = Lexicon::new();
        let sentence = lexicon.sentence("a t-shirt , a T-shirt");
        let mapped = WordMap::new(&lexicon, bare_words).apply(&sentence);
        assert_eq!(mapped.len(), 6);
        assert_eq!(mapped[1], mapped[4]);
    }
}
