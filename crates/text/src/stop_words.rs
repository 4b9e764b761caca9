//! Stop words: the words of English that say little about what a text is about.
//!
//! The list was made for this project by grammar, not by frequency: articles, pronouns,
//! demonstratives, auxiliary and modal verbs, conjunctions, prepositions, question words, a few
//! quantifiers and adverbs, and the pieces that tokenisers cut off (`'s`, `n't`). Words that show
//! something in a picture stay even where they are frequent: numbers, colours, *up*, *down*, *off*
//! and *over* are on the list as in most English lists, *left*, *right*, *front* and *top* are not.

use crate::stage::Stage;

/// The words, sorted.
#[rustfmt::skip]
pub const ENGLISH: &[&str] = &[
    "'d", "'ll", "'m", "'re", "'s", "'t", "'ve", "a", "about", "above", "after", "again", "against",
    "ain", "all", "also", "am", "among", "an", "and", "any", "are", "aren", "aren't", "as", "at",
    "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "ca",
    "can", "can't", "cannot", "could", "couldn", "couldn't", "d", "did", "didn", "didn't", "do",
    "does", "doesn", "doesn't", "doing", "don", "don't", "down", "during", "each", "either", "else",
    "ever", "every", "few", "for", "from", "further", "had", "hadn", "hadn't", "has", "hasn",
    "hasn't", "have", "haven", "haven't", "having", "he", "he'd", "he'll", "he's", "her", "here",
    "here's", "hers", "herself", "him", "himself", "his", "how", "how's", "however", "i", "i'd",
    "i'll", "i'm", "i've", "if", "in", "into", "is", "isn", "isn't", "it", "it's", "its", "itself",
    "just", "let", "let's", "ll", "m", "may", "me", "might", "mightn", "more", "most", "must",
    "mustn", "mustn't", "my", "myself", "n't", "needn", "neither", "no", "nor", "not", "now", "nt",
    "o", "of", "off", "on", "once", "only", "onto", "or", "other", "ought", "our", "ours",
    "ourselves", "out", "over", "own", "per", "re", "s", "same", "sha", "shall", "shan", "shan't",
    "she", "she'd", "she'll", "she's", "should", "shouldn", "shouldn't", "since", "so", "some",
    "still", "such", "t", "than", "that", "that's", "the", "their", "theirs", "them", "themselves",
    "then", "there", "there's", "these", "they", "they'd", "they'll", "they're", "they've", "this",
    "those", "though", "through", "thus", "to", "too", "under", "until", "up", "upon", "us", "ve",
    "very", "via", "was", "wasn", "wasn't", "we", "we'd", "we'll", "we're", "we've", "were",
    "weren", "weren't", "what", "what's", "when", "when's", "where", "where's", "whether", "which",
    "while", "who", "who's", "whom", "whose", "why", "why's", "will", "with", "within", "without",
    "wo", "won", "won't", "would", "wouldn", "wouldn't", "y", "yet", "you", "you'd", "you'll",
    "you're", "you've", "your", "yours", "yourself", "yourselves",
];

/// Whether a lower-case word is on the list.
///
/// ```
/// assert!(rebus_text::stop_words::contains("the"));
/// assert!(!rebus_text::stop_words::contains("dog"));
/// ```
pub fn contains(word: &str) -> bool {
    ENGLISH.binary_search(&word).is_ok()
}

/// Drops stop words. Tokens should be in lower case.
#[derive(Debug, Clone, Copy, Default)]
pub struct StopWords;

impl Stage for StopWords {
    fn name(&self) -> &'static str {
        "stop-words"
    }

    fn apply(&self, mut tokens: Vec<String>) -> Vec<String> {
        tokens.retain(|token| !contains(token));
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_without_repeats() {
        assert!(ENGLISH.is_sorted_by(|a, b| a < b));
    }
}
