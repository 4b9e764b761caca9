//! The words a kernel was fitted on, and items as numbers.

use rustc_hash::FxHashMap;

use super::Weighting;
use crate::similarity::WordSimilarity;
use crate::vocabulary::{Counter, Vocabulary};
use crate::{Error, Result};

/// The words of the training captions and of the similarity, with their weights.
#[derive(Debug, Clone)]
pub(super) struct Lexicon {
    ids: FxHashMap<String, u32>,
    /// The weight of each word.
    weights: Vec<f64>,
    /// The weight of a word that is not here.
    unknown_weight: f64,
    /// Whether a word counts and is, or is like, a word of the training captions.
    matches: Vec<bool>,
    /// What each word is similar to, other than itself, by id; with the word kernel of equation 18.
    similar: Vec<Vec<(u32, f32)>>,
}

impl Lexicon {
    pub(super) fn learn(
        training: &[&[Vec<String>]],
        weighting: Weighting,
        similarity: Option<&WordSimilarity>,
    ) -> Result<Self> {
        let mut counter = Counter::default();
        training.iter().for_each(|captions| counter.add(&captions.concat()));
        let vocabulary = counter.finish(1);
        if vocabulary.is_empty() {
            return Err(Error::NoWords { items: training.len() });
        }
        let mut lexicon = Self {
            ids: FxHashMap::default(),
            weights: Vec::new(),
            unknown_weight: weighting.weight(&vocabulary, ""),
            matches: Vec::new(),
            similar: Vec::new(),
        };
        for entry in vocabulary.entries() {
            lexicon.add(&entry.word, weighting, &vocabulary);
        }
        if let Some(similarity) = similarity {
            lexicon.add_similarity(similarity, weighting, &vocabulary);
        }
        lexicon.matches = (0..lexicon.weights.len())
            .map(|id| {
                let trained = |id: usize| id < vocabulary.len() && lexicon.weights[id] > 0.0;
                let like = |&(other, _): &(u32, f32)| trained(other as usize);
                lexicon.weights[id] > 0.0 && (trained(id) || lexicon.similar[id].iter().any(like))
            })
            .collect();
        Ok(lexicon)
    }

    fn add(&mut self, word: &str, weighting: Weighting, vocabulary: &Vocabulary) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.weights.len() as u32;
        self.ids.insert(word.to_owned(), id);
        self.weights.push(weighting.weight(vocabulary, word));
        self.similar.push(Vec::new());
        id
    }

    fn add_similarity(
        &mut self,
        similarity: &WordSimilarity,
        weighting: Weighting,
        vocabulary: &Vocabulary,
    ) {
        let words = similarity.words().iter();
        let ids: Vec<u32> = words.map(|word| self.add(word, weighting, vocabulary)).collect();
        for (word, &id) in similarity.words().iter().zip(&ids) {
            let row = similarity.similar(word);
            let row = row.iter().map(|&(other, kappa)| (ids[other.0 as usize], kappa));
            let row: &mut Vec<(u32, f32)> = {
                self.similar[id as usize] = row.collect();
                &mut self.similar[id as usize]
            };
            row.sort_unstable_by_key(|&(other, _)| other);
        }
    }

    /// How many words have an id of their own for good.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The weight of a word by its id, which may be one of [`Self::encode`]'s.
    pub(super) fn weight(&self, word: u32) -> f64 {
        self.weights.get(word as usize).copied().unwrap_or(self.unknown_weight)
    }

    /// The weight of a word, known or not.
    pub(super) fn weight_of(&self, word: &str) -> f64 {
        self.ids.get(word).map_or(self.unknown_weight, |&id| self.weight(id))
    }

    /// What a word is similar to, other than itself, sorted by id.
    pub(super) fn similar(&self, word: u32) -> &[(u32, f32)] {
        self.similar.get(word as usize).map_or(&[], Vec::as_slice)
    }

    /// The word kernel of equation 18.
    pub(super) fn kappa(&self, one: u32, other: u32) -> f32 {
        if one == other {
            return 1.0;
        }
        let row = self.similar(one);
        row.binary_search_by_key(&other, |&(id, _)| id).map_or(0.0, |at| row[at].1)
    }

    /// Whether an item has a word that can match one of the training captions.
    pub(super) fn knows(&self, captions: &[Vec<String>]) -> bool {
        let known = |word: &String| self.ids.get(word).is_some_and(|&id| self.matches[id as usize]);
        captions.iter().flatten().any(known)
    }

    /// Items as numbers. Words that are not in the lexicon get ids above it, the same in all
    /// `parts`: they are like themselves and nothing else.
    pub(super) fn encode<const N: usize>(&self, parts: [&[&[Vec<String>]]; N]) -> [Encoded; N] {
        let mut more: FxHashMap<&str, u32> = FxHashMap::default();
        let mut encoded = parts.map(|items| {
            let mut encoded = Encoded::default();
            for captions in items {
                for caption in *captions {
                    for word in caption {
                        let next = (self.len() + more.len()) as u32;
                        let id = match self.ids.get(word) {
                            Some(&id) => id,
                            None => *more.entry(word).or_insert(next),
                        };
                        encoded.words.push(id);
                    }
                    encoded.end_caption();
                }
                encoded.items.push(encoded.ends.len());
            }
            encoded
        });
        for part in &mut encoded {
            part.lexicon = self.len() + more.len();
        }
        encoded
    }
}

/// Items, each some captions, each some words: flat, with where each ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Encoded {
    words: Vec<u32>,
    /// Where each caption ends in `words`.
    ends: Vec<usize>,
    /// Where each item ends in `ends`.
    items: Vec<usize>,
    /// How many different ids there can be.
    lexicon: usize,
}

impl Encoded {
    fn end_caption(&mut self) {
        self.ends.push(self.words.len());
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// All ids are below this.
    pub(super) fn lexicon(&self) -> usize {
        self.lexicon
    }

    /// The captions of an item, by number.
    pub(super) fn captions_of(&self, item: usize) -> std::ops::Range<usize> {
        let start = if item == 0 { 0 } else { self.items[item - 1] };
        start..self.items[item]
    }

    /// The words of a caption.
    pub(super) fn caption(&self, caption: usize) -> &[u32] {
        let start = if caption == 0 { 0 } else { self.ends[caption - 1] };
        &self.words[start..self.ends[caption]]
    }

    /// How many captions there are.
    pub(super) fn captions(&self) -> usize {
        self.ends.len()
    }

    /// The words of all captions of an item.
    pub(super) fn words_of(&self, item: usize) -> &[u32] {
        let captions = self.captions_of(item);
        let end_of = |captions: usize| if captions == 0 { 0 } else { self.ends[captions - 1] };
        &self.words[end_of(captions.start)..end_of(captions.end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(captions: &[&str]) -> Vec<Vec<String>> {
        let words = |caption: &&str| caption.split_whitespace().map(str::to_owned).collect();
        captions.iter().map(words).collect()
    }

    #[test]
    fn ids_weights_and_similarities() {
        let (dogs, cat) = (item(&["dog run", "dog"]), item(&["cat"]));
        let training = [dogs.as_slice(), &cat, &[]];
        let similar = WordSimilarity::builder()
            .pair("dog", "hound", 0.5)
            .pair("cat", "dog", 0.25)
            .pair("oboe", "flute", 0.5)
            .build();
        let lexicon = Lexicon::learn(&training, Weighting::Idf, Some(&similar)).unwrap();
        assert_eq!(lexicon.len(), 6);
        assert!((lexicon.weight(0) - 1.5f64.ln()).abs() < 1e-12);
        assert!((lexicon.weight(99) - 3f64.ln()).abs() < 1e-12);

        let other = item(&["hound oboe unheard", "", "unheard dog"]);
        let [rows, columns] = lexicon.encode([&[other.as_slice()], &[training[0]]]);
        assert_eq!((rows.len(), rows.captions(), rows.lexicon()), (1, 3, 7));
        let (hound, unheard, dog) = (rows.caption(0)[0], rows.caption(0)[2], rows.caption(2)[1]);
        assert_eq!((unheard, dog), (6, columns.caption(0)[0]));
        assert_eq!(rows.words_of(0).len(), 5);
        assert_eq!(lexicon.kappa(dog, hound), 0.5);
        assert_eq!(lexicon.kappa(hound, dog), 0.5);
        assert_eq!(lexicon.kappa(unheard, unheard), 1.0);
        assert_eq!(lexicon.kappa(unheard, dog), 0.0);

        // A hound is like a dog, which is known; an oboe is only like a flute.
        let knows = |captions: &[&str]| lexicon.knows(&item(captions));
        assert!(knows(&["", "hound"]) && knows(&["unheard run"]));
        assert!(!knows(&["oboe"]) && !knows(&["unheard"]) && !knows(&[""]) && !knows(&[]));
        assert!(Lexicon::learn(&[&item(&[""])], Weighting::Plain, None).is_err());
    }
}
