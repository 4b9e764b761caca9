//! Verbs of captions: how many captions have none, and how many only verbs of standing still.
//!
//! Section 2.3 of the ranking-task paper counts both: 11% of Flickr8k's captions have no verb, and
//! another 10% only *sit*, *stand*, *wear* or *look*. An auxiliary is a verb here (*a dog is on a
//! rock*), but does not make a caption one of the second kind or keep it from being one.

use rayon::prelude::*;

use super::{Tag, Tagger};
use crate::lemma::{Lemmatiser, PartOfSpeech};
use crate::ptb::{Case, Ptb, Punctuation};

/// The verbs of standing still.
const STATIC: [&str; 4] = ["sit", "stand", "wear", "look"];

/// Counts of captions by their verbs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verbs {
    /// How many captions were looked at.
    pub captions: u64,
    /// How many have no verb.
    pub without: u64,
    /// How many have verbs, but besides auxiliaries only *sit*, *stand*, *wear* or *look*.
    pub only_static: u64,
}

impl Verbs {
    /// Looks at more captions.
    pub fn add<S: AsRef<str> + Sync>(&mut self, captions: &[S], tagger: &Tagger) {
        let lemmatiser = Lemmatiser::builtin();
        let of = |caption: &S| of_caption(caption.as_ref(), tagger, &lemmatiser);
        let found = captions.par_iter().map(of).reduce(Self::default, Self::plus);
        *self = self.plus(found);
    }

    fn plus(self, other: Self) -> Self {
        Self {
            captions: self.captions + other.captions,
            without: self.without + other.without,
            only_static: self.only_static + other.only_static,
        }
    }

    /// The share of captions without a verb; NaN if none was looked at.
    pub fn share_without(&self) -> f64 {
        self.without as f64 / self.captions as f64
    }

    /// The share of captions with only static verbs; NaN if none was looked at.
    pub fn share_only_static(&self) -> f64 {
        self.only_static as f64 / self.captions as f64
    }
}

fn of_caption(caption: &str, tagger: &Tagger, lemmatiser: &Lemmatiser) -> Verbs {
    let words = Ptb::new(Punctuation::Keep, Case::Keep).tokens(caption);
    let tags = tagger.tag(&words);
    let verbs: Vec<&String> = words
        .iter()
        .zip(&tags)
        .filter(|(_, tag)| **tag == Tag::Verb)
        .map(|(word, _)| word)
        .collect();
    let is_static = |word: &&String| {
        let lemma = lemmatiser.lemma(&word.to_lowercase(), PartOfSpeech::Verb);
        lemma.is_some_and(|lemma| STATIC.contains(&lemma.as_str()))
    };
    Verbs {
        captions: 1,
        without: u64::from(verbs.is_empty() && !tags.contains(&Tag::Aux)),
        only_static: u64::from(!verbs.is_empty() && verbs.iter().all(is_static)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut verbs = Verbs::default();
        assert!(verbs.share_without().is_nan());
        let captions = [
            "A black dog on the beach.",
            "A man is sitting on a bench.",
            "Two dogs are running.",
            "A dog is on a rock.",
        ];
        verbs.add(&captions, Tagger::english());
        assert_eq!(verbs, Verbs { captions: 4, without: 1, only_static: 1 });
        verbs.add(&[""], Tagger::english());
        assert_eq!((verbs.share_without(), verbs.share_only_static()), (0.4, 0.2));
    }
}
