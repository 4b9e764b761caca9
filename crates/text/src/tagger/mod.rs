//! Parts of speech: the universal tags (Petrov, Das and McDonald 2012) of English words.
//!
//! An averaged perceptron that goes from left to right and looks at a word, its ends and shape, its
//! neighbours and the last two tags. The built-in weights ([`Tagger::english`]) were trained on the
//! train part of Universal Dependencies English EWT 2.16 by `rebus words train-tagger`. Its settings
//! were chosen on the dev part; on the test part 94.9% of the words get their tag
//! (`rebus words check-tagger en_ewt-ud-test.conllu`).
//! Tokens should be those of the Penn Treebank ([`crate::ptb`]), case and punctuation kept.

pub mod conllu;
mod features;
mod train;
mod verbs;
mod weights;

use std::path::Path;
use std::sync::OnceLock;

use crate::{Error, Result};
use conllu::TaggedSentence;
use features::Sentence;
pub use train::Params;
pub use verbs::Verbs;
use weights::{TAGS, Weights};

/// The tag before the first word.
const OUTSIDE: u8 = TAGS as u8;

macro_rules! tags {
    ($($tag:ident $name:literal $help:literal,)*) => {
        /// A universal part of speech.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Tag {
            $(#[doc = $help] $tag,)*
        }

        impl Tag {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$tag),*];

            /// As Universal Dependencies writes it: `NOUN`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$tag => $name,)*
                }
            }

            /// The tag that is written so.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$tag),)*
                    _ => None,
                }
            }
        }
    };
}

tags! {
    Adj "ADJ" "Adjective: *big*.",
    Adp "ADP" "Preposition: *on*.",
    Adv "ADV" "Adverb: *quickly*.",
    Aux "AUX" "Auxiliary verb: *is*, *can*.",
    Cconj "CCONJ" "Coordinating conjunction: *and*.",
    Det "DET" "Determiner: *the*.",
    Intj "INTJ" "Interjection: *oh*.",
    Noun "NOUN" "Noun: *dog*.",
    Num "NUM" "Number: *two*.",
    Part "PART" "Particle: *not*, *'s*, *to* before a verb.",
    Pron "PRON" "Pronoun: *she*.",
    Propn "PROPN" "Proper noun: *Paris*.",
    Punct "PUNCT" "Punctuation.",
    Sconj "SCONJ" "Subordinating conjunction: *while*.",
    Sym "SYM" "Symbol: *$*.",
    Verb "VERB" "Verb: *runs*.",
    X "X" "Anything else.",
}

/// The built-in weights; see NOTICE beside them for what they were made from.
static ENGLISH: &[u8] = include_bytes!("english.bin");

/// Gives words their parts of speech.
///
/// ```
/// use rebus_text::tagger::{Tag, Tagger};
///
/// let tags = Tagger::english().tag(&["The", "dog", "ran", "."]);
/// assert_eq!(tags, [Tag::Det, Tag::Noun, Tag::Verb, Tag::Punct]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tagger {
    weights: Weights,
}

impl Tagger {
    /// The built-in tagger.
    pub fn english() -> &'static Self {
        static TAGGER: OnceLock<Tagger> = OnceLock::new();
        // A test holds that the built-in weights can be read.
        TAGGER.get_or_init(|| {
            let weights = Weights::from_bytes(ENGLISH, Path::new("the built-in weights"));
            Self { weights: weights.unwrap_or_default() }
        })
    }

    /// The built-in weights, which tell one version of them from another.
    pub(crate) fn english_bytes() -> &'static [u8] {
        ENGLISH
    }

    /// Trains a tagger. `told` hears after each round its number and the share of tags guessed
    /// right on the way.
    pub fn train(
        sentences: &[TaggedSentence],
        params: &Params,
        told: &mut dyn FnMut(usize, f64),
    ) -> Result<Self> {
        params.check().map_err(Error::Params)?;
        Ok(train::train(sentences, params, told))
    }

    /// Reads what [`Self::write`] wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::io(path, source))?;
        Ok(Self { weights: Weights::from_bytes(&bytes, path)? })
    }

    /// Writes the weights to a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        std::fs::write(path, self.to_bytes()).map_err(|source| Error::io(path, source))
    }

    /// The weights as they are saved.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.weights.to_bytes()
    }

    /// How many features have a weight.
    pub fn features(&self) -> usize {
        self.weights.len()
    }

    /// The tags of the words of a sentence.
    pub fn tag<S: AsRef<str>>(&self, words: &[S]) -> Vec<Tag> {
        let sentence = Sentence::new(words);
        let (mut before, mut earlier) = (OUTSIDE, OUTSIDE);
        (0..words.len())
            .map(|at| {
                let mut scores = [0i32; TAGS];
                self.weights.add(&sentence.of_words(at), &mut scores);
                self.weights.add(&sentence.of_tags(at, before, earlier), &mut scores);
                let best = (0..TAGS).rev().max_by_key(|&tag| scores[tag]).unwrap_or(0);
                (before, earlier) = (best as u8, before);
                Tag::ALL[best]
            })
            .collect()
    }

    /// The share of words that get the tag that people gave them; NaN without a word.
    pub fn accuracy(&self, sentences: &[TaggedSentence]) -> f64 {
        let counts = self.counts(sentences);
        let right: u64 = counts.iter().map(|count| count.right).sum();
        right as f64 / counts.iter().map(|count| count.gold).sum::<u64>() as f64
    }

    /// How each tag fares, in the order of [`Tag::ALL`].
    pub fn counts(&self, sentences: &[TaggedSentence]) -> [Count; Tag::ALL.len()] {
        let mut counts = [Count::default(); TAGS];
        for sentence in sentences {
            for (guess, gold) in self.tag(&sentence.words).into_iter().zip(&sentence.tags) {
                counts[guess as usize].guessed += 1;
                counts[*gold as usize].gold += 1;
                counts[guess as usize].right += u64::from(guess == *gold);
            }
        }
        counts
    }
}

/// How a tag fares against the tags that people gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Words that people gave this tag.
    pub gold: u64,
    /// Words that the tagger gave it.
    pub guessed: u64,
    /// Words that both gave it.
    pub right: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_tag_captions() {
        assert!(Tagger::english().features() > 50_000);
        let tags = |text: &str| -> String {
            let words: Vec<&str> = text.split(' ').collect();
            let tags = Tagger::english().tag(&words);
            tags.into_iter().map(Tag::name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            tags("Two brown dogs are running through the snow ."),
            "NUM ADJ NOUN AUX VERB ADP DET NOUN PUNCT"
        );
        assert_eq!(
            tags("The man is not here , but she is ."),
            "DET NOUN AUX PART ADV PUNCT CCONJ PRON AUX PUNCT"
        );
        assert!(Tagger::english().tag::<&str>(&[]).is_empty());
    }
}
