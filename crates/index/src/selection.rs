//! A set of photos, a bit each.

use crate::PhotoId;

const BITS: usize = 64;

/// Some of the photos of an index: what filters leave, or what is there at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// A bit a photo; the last word is not 0.
    words: Vec<u64>,
}

impl Selection {
    /// No photo.
    pub fn new() -> Self {
        Self::default()
    }

    /// The first `count` numbers.
    pub fn first(count: usize) -> Self {
        let mut words = vec![u64::MAX; count / BITS];
        if !count.is_multiple_of(BITS) {
            words.push((1 << (count % BITS)) - 1);
        }
        Self { words }
    }

    /// Adds a photo.
    pub fn insert(&mut self, id: PhotoId) {
        let (word, bit) = place(id);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    /// Takes a photo out.
    pub fn remove(&mut self, id: PhotoId) {
        let (word, bit) = place(id);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
        self.trim();
    }

    /// Whether a photo is in it.
    pub fn contains(&self, id: PhotoId) -> bool {
        let (word, bit) = place(id);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// How many photos are in it.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True if no photo is in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The photos, by number.
    pub fn iter(&self) -> impl Iterator<Item = PhotoId> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| bits(at, word))
    }

    /// Keeps what is in both.
    pub fn intersect(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(mine, theirs)| *mine &= theirs);
        self.trim();
    }

    /// Adds what is in the other.
    pub fn unite(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Takes out what is in the other.
    pub fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(mine, theirs)| *mine &= !theirs);
        self.trim();
    }

    /// Sixty-four photos at once: bit `k` is the photo `64 at + k`.
    pub(crate) fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

fn place(id: PhotoId) -> (usize, u64) {
    (id.0 as usize / BITS, 1 << (id.0 as usize % BITS))
}

/// The photos of one word.
pub(crate) fn bits(at: usize, mut word: u64) -> impl Iterator<Item = PhotoId> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(PhotoId((at * BITS) as u32 + bit))
    })
}

impl FromIterator<PhotoId> for Selection {
    fn from_iter<I: IntoIterator<Item = PhotoId>>(photos: I) -> Self {
        let mut selection = Self::new();
        photos.into_iter().for_each(|id| selection.insert(id));
        selection
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn of(numbers: &BTreeSet<u32>) -> Selection {
        numbers.iter().map(|&number| PhotoId(number)).collect()
    }

    proptest! {
        #[test]
        fn it_is_a_set(
            a in proptest::collection::btree_set(0u32..300, 0..40),
            b in proptest::collection::btree_set(0u32..300, 0..40),
        ) {
            let selected = |set: Selection| set.iter().map(|id| id.0).collect::<BTreeSet<u32>>();
            prop_assert_eq!(selected(of(&a)), a.clone());
            prop_assert_eq!(of(&a).len(), a.len());
            let changed = |change: fn(&mut Selection, &Selection)| {
                let mut set = of(&a);
                change(&mut set, &of(&b));
                // Equal sets are equal, however they came about.
                assert_eq!(set, of(&selected(set.clone())));
                selected(set)
            };
            prop_assert_eq!(changed(Selection::intersect), &a & &b);
            prop_assert_eq!(changed(Selection::unite), &a | &b);
            prop_assert_eq!(changed(Selection::subtract), &a - &b);
            for number in 0..300 {
                prop_assert_eq!(of(&a).contains(PhotoId(number)), a.contains(&number));
            }
        }
    }

    #[test]
    fn the_first_and_taking_out() {
        for count in [0, 1, 63, 64, 65, 200] {
            let mut set = Selection::first(count);
            assert_eq!(set.len(), count);
            set.insert(PhotoId(count as u32));
            assert_eq!(set, Selection::first(count + 1));
            set.remove(PhotoId(count as u32));
            assert_eq!(set, Selection::first(count));
            assert_eq!(set.is_empty(), count == 0);
        }
    }
}
