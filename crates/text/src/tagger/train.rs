//! Training the tagger: an averaged perceptron (Collins 2002) that goes through each sentence from
//! left to right, with its own guesses as the tags before.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use rustc_hash::FxHashMap;

use super::conllu::TaggedSentence;
use super::features::{OF_TAGS, OF_WORDS, Sentence};
use super::weights::{TAGS, Weights};
use super::{OUTSIDE, Tagger};

/// How the tagger is trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// How often all sentences are gone through.
    pub rounds: usize,
    /// A feature must occur so often to be used.
    pub least: u32,
    /// Where the order of the sentences in each round comes from.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { rounds: 8, least: 2, seed: 1 }
    }
}

impl Params {
    /// Says which field is wrong, if one is.
    pub fn check(&self) -> Result<(), String> {
        if self.rounds == 0 {
            return Err("rounds is 0, so nothing would be learnt".to_owned());
        }
        Ok(())
    }
}

/// A weight, and what is needed for its average over all steps.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    now: f32,
    total: f64,
    since: u32,
}

impl Weight {
    fn change(&mut self, by: f32, step: u32) {
        self.settle(step);
        self.now += by;
    }

    fn settle(&mut self, step: u32) {
        self.total += f64::from(self.now) * f64::from(step - self.since);
        self.since = step;
    }
}

struct Perceptron {
    places: FxHashMap<u32, u32>,
    weights: Vec<[Weight; TAGS]>,
}

impl Perceptron {
    fn place(&self, feature: u32) -> Option<u32> {
        self.places.get(&feature).copied()
    }

    fn best(&self, places: &[u32]) -> usize {
        let mut scores = [0.0f32; TAGS];
        for &place in places {
            let row = &self.weights[place as usize];
            scores.iter_mut().zip(row).for_each(|(score, weight)| *score += weight.now);
        }
        (0..TAGS).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a))).unwrap_or(0)
    }

    fn learn(&mut self, places: &[u32], right: usize, wrong: usize, step: u32) {
        for &place in places {
            let row = &mut self.weights[place as usize];
            row[right].change(1.0, step);
            row[wrong].change(-1.0, step);
        }
    }
}

/// Trains a tagger. `told` is called after each round with the share of tags that were guessed
/// right in it.
pub(super) fn train(
    sentences: &[TaggedSentence],
    params: &Params,
    told: &mut dyn FnMut(usize, f64),
) -> Tagger {
    let looked_at: Vec<Sentence> = sentences.iter().map(|s| Sentence::new(&s.words)).collect();
    let mut perceptron = frequent(sentences, &looked_at, params.least);
    let of_words: Vec<Vec<Vec<u32>>> = looked_at
        .iter()
        .zip(sentences)
        .map(|(looked, s)| {
            let places = |at| looked.of_words(at).into_iter().filter_map(|f| perceptron.place(f));
            (0..s.words.len()).map(|at| places(at).collect()).collect()
        })
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(params.seed);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut step = 0;
    let mut places: Vec<u32> = Vec::with_capacity(OF_WORDS + OF_TAGS);
    for round in 0..params.rounds {
        shuffle(&mut order, &mut random);
        let (mut right, mut all) = (0u64, 0u64);
        for &at in &order {
            let (mut before, mut earlier) = (OUTSIDE, OUTSIDE);
            for (place, gold) in sentences[at].tags.iter().enumerate() {
                places.clear();
                places.extend(&of_words[at][place]);
                let of_tags = looked_at[at].of_tags(place, before, earlier);
                places.extend(of_tags.into_iter().filter_map(|f| perceptron.place(f)));
                let guess = perceptron.best(&places);
                step += 1;
                all += 1;
                if guess == *gold as usize {
                    right += 1;
                } else {
                    perceptron.learn(&places, *gold as usize, guess, step);
                }
                (before, earlier) = (guess as u8, before);
            }
        }
        told(round, right as f64 / all.max(1) as f64);
    }
    Tagger { weights: quantised(perceptron, step) }
}

/// The features that occur often enough, with the right tags before them.
fn frequent(sentences: &[TaggedSentence], looked_at: &[Sentence], least: u32) -> Perceptron {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    for (sentence, looked) in sentences.iter().zip(looked_at) {
        let (mut before, mut earlier) = (OUTSIDE, OUTSIDE);
        for (at, tag) in sentence.tags.iter().enumerate() {
            for feature in
                looked.of_words(at).into_iter().chain(looked.of_tags(at, before, earlier))
            {
                *counts.entry(feature).or_default() += 1;
            }
            (before, earlier) = (*tag as u8, before);
        }
    }
    let mut features: Vec<u32> = counts
        .into_iter()
        .filter(|&(_, count)| count >= least)
        .map(|(feature, _)| feature)
        .collect();
    features.sort_unstable();
    Perceptron {
        weights: vec![[Weight::default(); TAGS]; features.len()],
        places: features.into_iter().zip(0..).collect(),
    }
}

/// Fisher and Yates.
fn shuffle(order: &mut [usize], random: &mut ChaCha8Rng) {
    for at in (1..order.len()).rev() {
        order.swap(at, (random.next_u64() % (at as u64 + 1)) as usize);
    }
}

/// The averages, in bytes: what rounds to 0 is left out.
fn quantised(mut perceptron: Perceptron, step: u32) -> Weights {
    let mut largest = 0.0f64;
    for weight in perceptron.weights.iter_mut().flatten() {
        weight.settle(step);
        largest = largest.max(weight.total.abs());
    }
    if largest == 0.0 {
        return Weights::default();
    }
    let mut features: Vec<(u32, u32)> = perceptron.places.into_iter().collect();
    features.sort_unstable();
    Weights::new(features.into_iter().map(|(feature, place)| {
        let row = &perceptron.weights[place as usize];
        let byte = |weight: &Weight| (weight.total / largest * 127.0).round() as i8;
        (feature, std::array::from_fn(|tag| byte(&row[tag])))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tagger::Tag;

    fn sentence(text: &str) -> TaggedSentence {
        let pairs = text.split(' ').filter_map(|pair| pair.split_once('/'));
        let (words, tags): (Vec<_>, Vec<_>) =
            pairs.map(|(word, tag)| (word.to_owned(), Tag::named(tag).unwrap())).unzip();
        TaggedSentence { words, tags }
    }

    #[test]
    fn what_was_seen_is_learnt_and_the_same_seed_gives_the_same_weights() {
        let sentences = [
            sentence("the/DET dog/NOUN runs/VERB"),
            sentence("the/DET runs/NOUN are/AUX long/ADJ"),
            sentence("a/DET cat/NOUN sleeps/VERB"),
        ];
        let params = Params { least: 1, ..Params::default() };
        let tagger = Tagger::train(&sentences, &params, &mut |_, _| ()).unwrap();
        for sentence in &sentences {
            assert_eq!(tagger.tag(&sentence.words), sentence.tags);
        }
        let again = Tagger::train(&sentences, &params, &mut |_, _| ()).unwrap();
        assert_eq!(tagger.to_bytes(), again.to_bytes());
        assert!(
            Tagger::train(&sentences, &Params { rounds: 0, ..params }, &mut |_, _| ()).is_err()
        );
    }
}
