//! Words that become other words before they are compared.
//!
//! The ranking-task paper (Hodosh, Young and Hockenmaier 2013, section 4.2.2) breaks up hyphenated
//! words, strips what is neither letter nor digit and lower-cases ([`plain_words`]); for ROUGE and
//! BLEU_pre it also removes stop words and stems ([`stems`]). The paper tokenised with OpenNLP; here
//! the tokens are whatever the caller's tokeniser made.

use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::stage::{BreakHyphens, LowerCase, Stage, StripSigns};
use rebus_text::stop_words::StopWords;

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

    /// The words between white space of any kind, which n-grams are made of. `None` where that
    /// changes nothing.
    pub fn pieces(lexicon: &Lexicon) -> Option<Self> {
        let any = lexicon.texts().any(|text| text.contains(char::is_whitespace));
        any.then(|| Self::new(lexicon, |text| text.split_whitespace().collect()))
    }

    /// A sentence after analysis.
    pub fn apply(&self, sentence: &[Word]) -> Sentence {
        let of = |word: &Word| self.becomes.get(word.index()).into_iter().flatten().copied();
        sentence.iter().flat_map(of).collect()
    }
}

/// What the ranking-task paper's BLEU compares of a token.
pub fn plain_words(token: &str) -> Vec<String> {
    LowerCase.apply(StripSigns.apply(BreakHyphens.apply(vec![token.to_owned()])))
}

/// What the ranking-task paper's ROUGE and BLEU_pre compare of a token; nothing of a stop word.
pub fn stems(token: &str) -> Vec<String> {
    PorterStemmer(Variant::Published).apply(StopWords.apply(plain_words(token)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_become_the_papers_words() {
        assert_eq!(plain_words("T-Shirt"), ["t", "shirt"]);
        assert!(plain_words("--").is_empty());
        assert!(plain_words("-lrb-").is_empty());
        assert_eq!(stems("well-dressed"), ["well", "dress"]);
        assert!(stems("the").is_empty());
    }

    #[test]
    fn a_map_changes_sentences_word_by_word() {
        let mut lexicon = Lexicon::new();
        let sentence = lexicon.sentence("a t-shirt , a T-shirt");
        let mapped = WordMap::new(&lexicon, plain_words).apply(&sentence);
        assert_eq!(mapped.len(), 6);
        assert_eq!(mapped[1], mapped[4]);
    }

    #[test]
    fn only_odd_spaces_need_pieces() {
        let mut lexicon = Lexicon::new();
        lexicon.tokens("a dog");
        assert!(WordMap::pieces(&lexicon).is_none());
        let sentence = lexicon.tokens("2\u{a0}1/2 dogs");
        assert_eq!(sentence.len(), 2);
        assert_eq!(WordMap::pieces(&lexicon).unwrap().apply(&sentence).len(), 3);
    }
}
