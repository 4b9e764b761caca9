//! Similarity by alignment (equation 25 of the ranking-task paper): words are alike that describe
//! the same thing in captions of the same image.
//!
//! Every caption of an image is aligned with every other, its nouns and its verbs apart. The
//! component of w for w' is P_n(w' | w) P_n(w) + P_v(w' | w) P_v(w): how likely w becomes w', as a
//! noun or as a verb, each weighted by how often w is tagged so. The word kernel is the cosine.

use rustc_hash::FxHashMap;

use super::WordVectors;
use super::ibm::{self, Empty, Rounds, Translation};
use crate::tagger::Tag;

/// What counts as a noun or as a verb, and how alignments are learnt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// A noun is tagged so at least so often.
    pub nouns_least: u64,
    /// And at least in this share of its occurrences.
    pub nouns_share: f64,
    /// A verb is tagged so at least so often.
    pub verbs_least: u64,
    /// And at least in this share of its occurrences.
    pub verbs_share: f64,
    /// Rounds of IBM model 1.
    pub model_1: usize,
    /// Rounds of IBM model 2.
    pub model_2: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            nouns_least: 5,
            nouns_share: 0.5,
            verbs_least: 25,
            verbs_share: 0.25,
            model_1: 5,
            model_2: 5,
        }
    }
}

/// A lemma with the part of speech that the word had.
pub type TaggedLemma = (String, Tag);

/// How often a lemma occurs, and as what.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    all: u64,
    nouns: u64,
    verbs: u64,
}

/// What [`vectors`] found.
#[derive(Debug, Clone, Default)]
pub struct Alignment {
    /// The vectors of equation 25.
    pub vectors: WordVectors,
    /// How many lemmas are nouns.
    pub nouns: usize,
    /// How many are verbs.
    pub verbs: usize,
}

/// The vectors of all nouns and verbs, from the captions of each image.
pub fn vectors(images: &[Vec<Vec<TaggedLemma>>], params: &Params) -> Alignment {
    let mut ids: FxHashMap<&str, u32> = FxHashMap::default();
    let (mut words, mut uses): (Vec<&str>, Vec<Uses>) = (Vec::new(), Vec::new());
    for (lemma, tag) in images.iter().flatten().flatten() {
        let id = *ids.entry(lemma).or_insert_with(|| {
            words.push(lemma);
            uses.push(Uses::default());
            words.len() as u32 - 1
        });
        let uses = &mut uses[id as usize];
        uses.all += 1;
        uses.nouns += u64::from(is_noun(*tag));
        uses.verbs += u64::from(*tag == Tag::Verb);
    }
    let enough = |count: u64, least: u64, share: f64, all: u64| {
        count >= least && count as f64 >= share * all as f64
    };
    let noun = |id: u32| {
        let uses = uses[id as usize];
        enough(uses.nouns, params.nouns_least, params.nouns_share, uses.all)
    };
    let verb = |id: u32| {
        let uses = uses[id as usize];
        enough(uses.verbs, params.verbs_least, params.verbs_share, uses.all)
    };
    let translation = |of_kind: &dyn Fn(u32, Tag) -> bool| -> Translation {
        let kept = |caption: &Vec<TaggedLemma>| -> Vec<u32> {
            let with_id = caption.iter().map(|(lemma, tag)| (ids[lemma.as_str()], *tag));
            with_id.filter(|&(id, tag)| of_kind(id, tag)).map(|(id, _)| id).collect()
        };
        let captions: Vec<Vec<Vec<u32>>> =
            images.iter().map(|captions| captions.iter().map(kept).collect()).collect();
        let rounds =
            Rounds { model_1: params.model_1, model_2: params.model_2, empty: Empty::Word };
        ibm::train(&pairs(&captions), &rounds)
    };
    let nouns = translation(&|id, tag| is_noun(tag) && noun(id));
    let verbs = translation(&|id, tag| tag == Tag::Verb && verb(id));

    let everything = 0..words.len() as u32;
    let vector = |id: u32| {
        let Uses { all, nouns: as_noun, verbs: as_verb } = uses[id as usize];
        let mut row: FxHashMap<u32, f64> = FxHashMap::default();
        for (translation, count) in [(&nouns, as_noun), (&verbs, as_verb)] {
            for &(to, p) in translation.of(id) {
                *row.entry(to).or_default() += p * count as f64 / all as f64;
            }
        }
        (words[id as usize].to_owned(), row.into_iter().collect())
    };
    Alignment {
        vectors: WordVectors::new(
            everything.clone().filter(|&id| noun(id) || verb(id)).map(vector),
        ),
        nouns: everything.clone().filter(|&id| noun(id)).count(),
        verbs: everything.filter(|&id| verb(id)).count(),
    }
}

fn is_noun(tag: Tag) -> bool {
    matches!(tag, Tag::Noun | Tag::Propn)
}

/// Each caption of an image with each other.
fn pairs(images: &[Vec<Vec<u32>>]) -> Vec<(&[u32], &[u32])> {
    let mut pairs: Vec<(&[u32], &[u32])> = Vec::new();
    for captions in images {
        for (at, one) in captions.iter().enumerate() {
            for (other_at, other) in captions.iter().enumerate() {
                if at != other_at {
                    pairs.push((one, other));
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(text: &str) -> Vec<TaggedLemma> {
        let pairs = text.split_whitespace().filter_map(|pair| pair.split_once('/'));
        pairs.map(|(lemma, tag)| (lemma.to_owned(), Tag::named(tag).unwrap())).collect()
    }

    #[test]
    fn by_hand() {
        let image = |a: &str, b: &str| vec![caption(a), caption(b)];
        // Each caption has one noun, so model 1 without anything else to choose gives relative
        // frequencies: rider becomes biker twice of four times, rider once, man once.
        let images = [
            image("rider/NOUN jump/VERB", "biker/NOUN jump/VERB"),
            image("rider/NOUN", "biker/NOUN"),
            image("rider/NOUN", "man/NOUN"),
            image("rider/NOUN", "jump/NOUN"),
        ];
        let params =
            Params { nouns_least: 1, verbs_least: 1, model_1: 9, model_2: 0, ..Params::default() };
        let found = vectors(&images, &params);
        // Jump is a verb, and a noun once in three times, which is not enough.
        assert_eq!((found.nouns, found.verbs), (3, 1));
        let rider: Vec<f64> = found.vectors.vector("rider").iter().map(|(_, p)| *p).collect();
        assert_eq!(rider.len(), 2);
        assert!((rider[0] - 2.0 / 3.0).abs() < 1e-9 && (rider[1] - 1.0 / 3.0).abs() < 1e-9);
        // P_v(jump | jump) = 1, and it is tagged so two times of three.
        let jump = found.vectors.vector("jump");
        assert_eq!(jump.len(), 1);
        assert!((jump[0].1 - 2.0 / 3.0).abs() < 1e-9);
        let kernel = found.vectors.kernel(0.0);
        assert_eq!(kernel.between("biker", "man"), 1.0);
    }
}
