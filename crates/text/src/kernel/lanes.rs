//! The trigram kernel of several sentences with one sentence at once, a sentence a lane.
//!
//! Captions of some items are put side by side, of about equal length. A table has for every word
//! of the lexicon what it matches at each of their places ([`Bank::load`]); it is mostly read at the
//! frequent words, which have low ids, and so stays in the cache. A caption of the other side then
//! walks through it ([`Bank::add`]), every step doing all lanes at once.

use super::lexicon::Lexicon;
use super::trigram::repeats;

/// How many sentences are done at once, and of how many items captions are put side by side.
pub(super) const LANES: usize = 8;

/// One number a lane.
type Lanes = [f32; LANES];

const ZERO: Lanes = [0.0; LANES];

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
    /// For each place the place before it with the same word, less one: see `trigram`. Empty if no
    /// word of a sentence stands in it twice.
    low: Vec<[u32; LANES]>,
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
        for (lane, (_, words)) in group.iter().enumerate() {
            for (place, &word) in words.iter().enumerate() {
                let own = weights[word as usize];
                self.set(word, place, lane, own * own);
                for &(other, kappa) in lexicon.similar(word) {
                    self.set(other, place, lane, f64::from(kappa) * own * weights[other as usize]);
                }
            }
        }
        self.low.clear();
        for (lane, (_, words)) in group.iter().enumerate() {
            let Some(before) = repeats(words) else { continue };
            self.low.resize(self.places, [0; LANES]);
            for (low, before) in self.low.iter_mut().zip(before) {
                low[lane] = before.max(1) - 1;
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
        self.matches[at * self.places + place][lane] = value as f32;
    }

    /// Makes the table empty again.
    pub(super) fn unload(&mut self) {
        for word in self.touched.drain(..) {
            let start = word as usize * self.places;
            self.matches[start..start + self.places].fill(ZERO);
            self.live[word as usize] = false;
        }
    }

    /// Adds to `sums` the kernel of a sentence with each of the bank's, before normalisation.
    /// `before` is for sentences in which a word stands twice.
    pub(super) fn add(&mut self, words: &[u32], before: Option<&[u32]>, sums: &mut Lanes) {
        match before {
            None if self.low.is_empty() => self.add_plain(words, sums),
            _ => self.add_repeating(words, before.unwrap_or_default(), sums),
        }
    }

    fn add_plain(&mut self, words: &[u32], sums: &mut Lanes) {
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
            for (c, (prefix, pairs)) in matches.iter().zip(sums) {
                let (old, old_pairs) = (*prefix, *pairs);
                for lane in 0..LANES {
                    thirds[lane] += c[lane] * above_pairs[lane];
                    row[lane] += c[lane];
                    row_pairs[lane] += c[lane] * above[lane];
                    prefix[lane] = old[lane] + row[lane];
                    pairs[lane] = old_pairs[lane] + row_pairs[lane];
                }
                (above, above_pairs) = (old, old_pairs);
            }
        }
        let (Some(firsts), Some(seconds)) = (self.prefix.last(), self.pairs.last()) else { return };
        for lane in 0..LANES {
            sums[lane] += firsts[lane] + seconds[lane] + thirds[lane];
        }
    }

    fn add_repeating(&mut self, words: &[u32], before: &[u32], sums: &mut Lanes) {
        // One more place than there is, for the empty beginning; a row for each word and for none.
        let width = self.places + 1;
        self.prefix.clear();
        self.prefix.resize(width * (words.len() + 1), ZERO);
        self.pairs.clear();
        self.pairs.resize(width, ZERO);
        let (mut seconds, mut thirds) = (ZERO, ZERO);
        for (at, &word) in words.iter().enumerate() {
            let start = word as usize * self.places;
            let left = before.get(at).map_or(0, |&place| place.max(1) as usize - 1) * width;
            let above = at * width;
            let (mut row, mut row_pairs, mut diagonal) = (ZERO, ZERO, ZERO);
            for place in 0..self.places {
                let c = self.matches[start + place];
                for lane in 0..LANES {
                    let low = self.low.get(place).map_or(0, |low| low[lane] as usize);
                    let prefix = |row: usize, place: usize| self.prefix[row + place][lane];
                    let all = prefix(above, place);
                    let first_after =
                        all - prefix(above, low) - prefix(left, place) + prefix(left, low);
                    seconds[lane] += c[lane] * all;
                    thirds[lane] += c[lane] * diagonal[lane];
                    row[lane] += c[lane];
                    row_pairs[lane] += c[lane] * first_after;
                    diagonal[lane] = self.pairs[place + 1][lane];
                    self.pairs[place + 1][lane] += row_pairs[lane];
                    let next = self.prefix[above + place + 1][lane] + row[lane];
                    self.prefix[above + width + place + 1][lane] = next;
                }
            }
        }
        let firsts = self.prefix[self.prefix.len() - 1];
        for lane in 0..LANES {
            sums[lane] += firsts[lane] + seconds[lane] + thirds[lane];
        }
    }
}
