//! The trigram kernel of several sentences with one sentence at once, a sentence a lane.
//!
//! Captions of some items are put side by side, of about equal length. A table has for every word
//! of the lexicon what it matches at each of their places ([`Bank::load`]); it is mostly read at the
//! frequent words, which have low ids, and so stays in the cache. A caption of the other side then
//! walks through it ([`Bank::sums`]), every step doing all lanes at once.

use super::lexicon::{Encoded, Lexicon};
use super::trigram::repeats;
use super::wide::{LANES, Lanes, ZERO, with_wide};

/// Sentences side by side.
pub(super) struct Bank {
    /// How many places the longest sentence has.
    places: usize,
    /// What a word matches at each place: `places` of them a word, all zero for most words.
    matches: Vec<Lanes>,
    /// Which words match anything.
    live: Vec<bool>,
    /// The words that are live.
    touched: Vec<u32>,
    /// For each place the place before it with the same word, less one, in every lane: see
    /// `trigram`. Nothing where no lane has such a place; empty if there is none at all.
    low: Vec<Option<[u32; LANES]>>,
    /// Prefix sums: see `trigram`.
    prefix: Vec<Lanes>,
    pairs: Vec<Lanes>,
}

impl Bank {
    /// A bank for words whose ids are below `lexicon`.
    pub(super) fn new(lexicon: usize) -> Self {
        Self {
            places: 0,
            matches: Vec::new(),
            live: vec![false; lexicon],
            touched: Vec::new(),
            low: Vec::new(),
            prefix: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Puts sentences together, so that few lanes stay empty: those with repeated words apart,
    /// which take longer, and by length.
    pub(super) fn groups<T>(mut sentences: Vec<(T, &[u32])>) -> Vec<Vec<(T, &[u32])>> {
        sentences.sort_by_cached_key(|(_, words)| (repeats(words).is_some(), words.len()));
        let mut groups = Vec::new();
        while !sentences.is_empty() {
            groups.push(sentences.split_off(sentences.len().saturating_sub(LANES)));
        }
        groups
    }

    /// Takes up to [`LANES`] sentences in.
    pub(super) fn load<T>(&mut self, group: &[(T, &[u32])], lexicon: &Lexicon, weights: &[f64]) {
        self.places = group.iter().map(|(_, words)| words.len()).max().unwrap_or(0);
        let cells = self.live.len() * self.places;
        if self.matches.len() < cells {
            self.matches.resize(cells, ZERO);
        }
        self.low.clear();
        for (lane, (_, words)) in group.iter().enumerate() {
            for (place, &word) in words.iter().enumerate() {
                let own = weights[word as usize];
                self.set(word, place, lane, own * own);
                for &(other, kappa) in lexicon.similar(word) {
                    self.set(other, place, lane, f64::from(kappa) * own * weights[other as usize]);
                }
            }
            let Some(before) = repeats(words) else { continue };
            self.low.resize(self.places, None);
            for (low, before) in self.low.iter_mut().zip(before).filter(|(_, before)| *before > 1) {
                low.get_or_insert([0; LANES])[lane] = before - 1;
            }
        }
    }

    fn set(&mut self, word: u32, place: usize, lane: usize, value: f64) {
        if value == 0.0 {
            return;
        }
        let at = word as usize;
        if !self.live[at] {
            self.live[at] = true;
            self.touched.push(word);
        }
        self.matches[at * self.places + place].0[lane] = value as f32;
    }

    /// Makes the table empty again.
    pub(super) fn unload(&mut self) {
        for word in self.touched.drain(..) {
            let start = word as usize * self.places;
            self.matches[start..start + self.places].fill(ZERO);
            self.live[word as usize] = false;
        }
    }

    /// The kernel of each of the bank's sentences with the captions of an item, summed over these,
    /// before normalisation. `before` is [`repeats`] of every caption.
    pub(super) fn sums(
        &mut self,
        items: &Encoded,
        item: usize,
        before: &[Option<Vec<u32>>],
    ) -> [f32; LANES] {
        with_wide(
            #[inline(always)]
            || {
                let mut sums = ZERO;
                for caption in items.captions_of(item) {
                    let words = items.caption(caption);
                    sums += match &before[caption] {
                        None if self.low.is_empty() => self.walk(words),
                        before => self.walk_repeating(words, before.as_deref()),
                    };
                }
                sums.0
            },
        )
    }

    #[inline(always)]
    fn walk(&mut self, words: &[u32]) -> Lanes {
        self.prefix.clear();
        self.prefix.resize(self.places, ZERO);
        self.pairs.clear();
        self.pairs.resize(self.places, ZERO);
        let mut thirds = ZERO;
        for &word in words.iter().filter(|&&word| self.live[word as usize]) {
            let start = word as usize * self.places;
            let matches = &self.matches[start..start + self.places];
            let (mut row, mut row_pairs) = (ZERO, ZERO);
            let (mut above, mut above_pairs) = (ZERO, ZERO);
            let sums = self.prefix.iter_mut().zip(&mut self.pairs);
            for (&c, (prefix, pairs)) in matches.iter().zip(sums) {
                thirds += c * above_pairs;
                row += c;
                row_pairs += c * above;
                (above, above_pairs) = (*prefix, *pairs);
                *prefix = above + row;
                *pairs = above_pairs + row_pairs;
            }
        }
        match (self.prefix.last(), self.pairs.last()) {
            (Some(&firsts), Some(&seconds)) => firsts + seconds + thirds,
            _ => ZERO,
        }
    }

    #[inline(always)]
    fn walk_repeating(&mut self, words: &[u32], before: Option<&[u32]>) -> Lanes {
        // One more place than there is, for the empty beginning; a row for each word and for none.
        let width = self.places + 1;
        self.prefix.clear();
        self.prefix.resize(width * (words.len() + 1), ZERO);
        self.pairs.clear();
        self.pairs.resize(width, ZERO);
        let (mut seconds, mut thirds) = (ZERO, ZERO);
        for (at, &word) in words.iter().enumerate() {
            let start = word as usize * self.places;
            let matches = &self.matches[start..start + self.places];
            let left = before.map_or(0, |before| before[at].max(1) as usize - 1);
            let (done, next) = self.prefix.split_at_mut((at + 1) * width);
            let (left, above) = (&done[left * width..][..width], &done[at * width..][..width]);
            let (mut row, mut row_pairs, mut diagonal) = (ZERO, ZERO, ZERO);
            for (place, &c) in matches.iter().enumerate() {
                let mut first_after = above[place] - left[place];
                if let Some(Some(low)) = self.low.get(place) {
                    for (lane, &low) in low.iter().enumerate() {
                        let low = low as usize;
                        first_after.0[lane] -= above[low].0[lane] - left[low].0[lane];
                    }
                }
                seconds += c * above[place];
                thirds += c * diagonal;
                row += c;
                row_pairs += c * first_after;
                diagonal = self.pairs[place + 1];
                self.pairs[place + 1] = diagonal + row_pairs;
                next[place + 1] = above[place + 1] + row;
            }
        }
        self.prefix.last().map_or(ZERO, |&firsts| firsts + seconds + thirds)
    }
}
