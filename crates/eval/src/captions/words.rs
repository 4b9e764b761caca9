//! Words as numbers, so that sentences compare fast.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A word of a [`Lexicon`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(u32);

impl Word {
    /// The word's number, counted from 0 in the order of first use.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A sentence as words of a [`Lexicon`].
pub type Sentence = Vec<Word>;

/// Gives each different word its number.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    words: FxHashMap<Arc<str>, Word>,
    texts: Vec<Arc<str>>,
}

impl Lexicon {
    /// A lexicon without words.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a word, new or known.
    pub fn word(&mut self, text: &str) -> Word {
        if let Some(&word) = self.words.get(text) {
            return word;
        }
        let word = Word(u32::try_from(self.words.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.words.insert(text, word);
        word
    }

    /// A tokenised sentence, its words separated by white space of any kind.
    #[cfg(test)]
    pub fn sentence(&mut self, tokenised: &str) -> Sentence {
        self.words(tokenised.split_whitespace())
    }

    /// A tokenised sentence, its tokens separated by plain spaces, so that a token with a hard
    /// space inside (`2 1/2`) stays one.
    pub fn tokens(&mut self, tokenised: &str) -> Sentence {
        self.words(tokenised.split_ascii_whitespace())
    }

    /// A sentence from its tokens.
    pub fn words<T: AsRef<str>>(&mut self, tokens: impl IntoIterator<Item = T>) -> Sentence {
        tokens.into_iter().map(|token| self.word(token.as_ref())).collect()
    }

    /// The words in the order of their numbers.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.texts.iter().map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_word_has_the_same_number() {
        let mut lexicon = Lexicon::new();
        let sentence = lexicon.sentence("a dog  and a\tcat");
        assert_eq!(sentence.len(), 5);
        assert_eq!(sentence[0], sentence[3]);
        assert_eq!(lexicon.texts().len(), 4);
    }
}
