//! D_train: triples of a picture, a caption written for it and one written for another.
//!
//! As in section 4 of the paper, every picture has its own captions as the relevant ones and so
//! many random captions of other pictures as the irrelevant ones; they are drawn once. Only
//! positions are held, beside each picture's features and each caption's bag: memory grows with
//! the data. A caption without a known word is in no triple, and neither is a picture without a
//! caption.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::weights::Difference;
use crate::{BagOfWords, Error, Result};

/// Pictures, captions, and what is irrelevant for whom.
#[derive(Debug)]
pub(super) struct Triples {
    /// The pictures that have captions, by their place in the training order.
    pictures: Vec<u32>,
    /// By picture, the first of its captions and the first of the next one's.
    own: Vec<u32>,
    bags: Bags,
    /// By caption, its place among the texts of its picture.
    texts: Vec<u32>,
    /// So many irrelevant captions a picture, one picture after the other; empty where all
    /// captions of other pictures are.
    irrelevant: Vec<u32>,
    /// How many a picture.
    count: usize,
}

/// Bags of words one after the other.
#[derive(Debug, Default)]
struct Bags {
    /// Where each ends.
    ends: Vec<usize>,
    /// Words, sorted within a bag, with their weights.
    words: Vec<(u32, f32)>,
}

impl Bags {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn push(&mut self, bag: &[(usize, f64)]) {
        self.words.extend(bag.iter().map(|&(word, weight)| (word as u32, weight as f32)));
        self.ends.push(self.words.len());
    }

    #[inline(always)]
    fn bag(&self, at: u32) -> &[(u32, f32)] {
        let at = at as usize;
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.words[begin..self.ends[at]]
    }
}

/// One triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Triple {
    /// The picture's place in the training order.
    pub(super) picture: u32,
    pub(super) relevant: u32,
    pub(super) irrelevant: u32,
}

impl Triples {
    /// The triples of the texts of pictures.
    ///
    /// # Errors
    /// If fewer than two pictures have captions with known words.
    pub(super) fn new(
        texts: &[&[&str]],
        bag: &BagOfWords,
        irrelevant: usize,
        seed: u64,
    ) -> Result<Self> {
        let encoded: Vec<Vec<Vec<(usize, f64)>>> = texts
            .par_iter()
            .map(|texts| texts.iter().map(|text| bag.encode(&[text])).collect())
            .collect();
        let mut bags = Bags::default();
        let (mut pictures, mut own, mut texts) = (Vec::new(), vec![0], Vec::new());
        for (picture, captions) in encoded.iter().enumerate() {
            let before = bags.len();
            for (text, bag) in captions.iter().enumerate().filter(|(_, bag)| !bag.is_empty()) {
                bags.push(bag);
                texts.push(text as u32);
            }
            if bags.len() > before {
                pictures.push(picture as u32);
                own.push(bags.len() as u32);
            }
        }
        if pictures.len() < 2 {
            let what = "fewer than two pictures have a text with a known word".to_owned();
            return Err(Error::Data { what });
        }
        let mut triples =
            Self { pictures, own, bags, texts, irrelevant: Vec::new(), count: irrelevant };
        triples.draw(seed);
        Ok(triples)
    }

    /// Draws the irrelevant captions, unless there are too few others to choose from.
    fn draw(&mut self, seed: u64) {
        let all = self.bags.len();
        let fewest = self.own.windows(2).map(|own| all - (own[1] - own[0]) as usize).min();
        if fewest.is_none_or(|fewest| fewest <= self.count) {
            return;
        }
        let mut irrelevant = vec![0u32; self.pictures.len() * self.count];
        irrelevant.par_chunks_mut(self.count).enumerate().for_each(|(at, chosen)| {
            // Stream 0 is the order of the updates.
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(at as u64 + 1);
            let mut taken = rustc_hash::FxHashSet::default();
            for slot in chosen {
                *slot = loop {
                    let caption = self.other(at, &mut random);
                    if taken.insert(caption) {
                        break caption;
                    }
                };
            }
        });
        self.irrelevant = irrelevant;
    }

    /// Any caption of another picture.
    #[inline(always)]
    fn other(&self, at: usize, random: &mut impl Rng) -> u32 {
        let (begin, end) = (self.own[at], self.own[at + 1]);
        let others = self.bags.len() as u32 - (end - begin);
        let drawn = random.random_range(0..others);
        if drawn < begin { drawn } else { drawn + (end - begin) }
    }

    /// A picture, one of its captions and one that is irrelevant for it, each with equal chances.
    #[inline(always)]
    pub(super) fn sample(&self, random: &mut impl Rng) -> Triple {
        let at = random.random_range(0..self.pictures.len() as u32) as usize;
        let relevant = random.random_range(self.own[at]..self.own[at + 1]);
        let irrelevant = if self.irrelevant.is_empty() {
            self.other(at, random)
        } else {
            self.irrelevant[at * self.count + random.random_range(0..self.count as u32) as usize]
        };
        Triple { picture: self.pictures[at], relevant, irrelevant }
    }

    /// The picture of a caption, by its place in the training order, and the caption's place among
    /// the picture's texts.
    pub(super) fn place(&self, caption: u32) -> (usize, usize) {
        let at = self.own.partition_point(|&begin| begin <= caption) - 1;
        (self.pictures[at] as usize, self.texts[caption as usize] as usize)
    }

    /// What the relevant caption has more of than the irrelevant one; words that both have alike
    /// are left out.
    #[inline(always)]
    pub(super) fn difference(&self, triple: Triple, into: &mut Difference) {
        into.clear();
        let (mut plus, mut minus) =
            (self.bags.bag(triple.relevant), self.bags.bag(triple.irrelevant));
        while let (Some((a, plus_rest)), Some((b, minus_rest))) =
            (plus.split_first(), minus.split_first())
        {
            if a.0 < b.0 {
                into.push(*a);
                plus = plus_rest;
            } else if b.0 < a.0 {
                into.push((b.0, -b.1));
                minus = minus_rest;
            } else {
                if a.1 != b.1 {
                    into.push((a.0, a.1 - b.1));
                }
                (plus, minus) = (plus_rest, minus_rest);
            }
        }
        into.extend_from_slice(plus);
        into.extend(minus.iter().map(|&(word, weight)| (word, -weight)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bag_of_words::{AtLeast, Form};

    const TEXTS: [&[&str]; 4] =
        [&["a red dog", "a dog runs"], &[], &["a cat", "the", "cat and dog"], &["a red car"]];

    fn bag() -> BagOfWords {
        let texts: Vec<Vec<&str>> = TEXTS.iter().map(|texts| texts.to_vec()).collect();
        BagOfWords::learn(&texts, Form::scalable_explicit(), AtLeast::Documents(1)).unwrap()
    }

    fn named(bag: &BagOfWords, difference: &Difference) -> Vec<(String, f32)> {
        let name =
            |&(word, weight): &(u32, f32)| (bag.word(word as usize).unwrap().to_owned(), weight);
        let mut named: Vec<_> = difference.iter().map(name).collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        named
    }

    #[test]
    fn differences_by_hand() {
        let bag = bag();
        let triples = Triples::new(&TEXTS, &bag, 2000, 1).unwrap();
        // Captions in order: red dog; dog run; cat; cat dog; red car. "the" has no known word.
        assert_eq!(
            (triples.pictures.as_slice(), triples.own.as_slice()),
            (&[0, 2, 3][..], &[0, 2, 4, 5][..])
        );
        let mut difference = Difference::new();
        triples.difference(Triple { picture: 0, relevant: 0, irrelevant: 3 }, &mut difference);
        assert_eq!(named(&bag, &difference), [("cat".into(), -1.0), ("red".into(), 1.0)]);
        triples.difference(Triple { picture: 3, relevant: 4, irrelevant: 1 }, &mut difference);
        assert_eq!(
            named(&bag, &difference),
            [("car".into(), 1.0), ("dog".into(), -1.0), ("red".into(), 1.0), ("run".into(), -1.0)]
        );
        assert!(difference.is_sorted_by_key(|&(word, _)| word));
        assert_eq!([0, 3, 4].map(|caption| triples.place(caption)), [(0, 0), (2, 2), (3, 0)]);
    }

    #[test]
    fn samples_are_relevant_and_irrelevant() {
        let bag = bag();
        // With one irrelevant caption a picture the lists are drawn; with many, all others serve.
        for count in [1, 2000] {
            let triples = Triples::new(&TEXTS, &bag, count, 5).unwrap();
            assert_eq!(triples.irrelevant.is_empty(), count == 2000);
            let own = |picture: u32| match picture {
                0 => 0..2,
                2 => 2..4,
                _ => 4..5u32,
            };
            let mut random = ChaCha8Rng::seed_from_u64(9);
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..500 {
                let triple = triples.sample(&mut random);
                assert!(own(triple.picture).contains(&triple.relevant));
                assert!(!own(triple.picture).contains(&triple.irrelevant));
                seen.insert((triple.picture, triple.irrelevant));
            }
            assert_eq!(seen.len(), if count == 1 { 3 } else { 10 });
        }
    }

    #[test]
    fn nothing_to_compare_with_is_an_error() {
        let texts: [&[&str]; 2] = [&["a dog"], &["of the"]];
        assert!(Triples::new(&texts, &bag(), 10, 1).is_err());
    }
}
