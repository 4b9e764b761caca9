//! Sequences of one to four words as numbers, and how often a sentence has each.

use rustc_hash::FxHashMap;

use super::words::Word;

/// The longest n-grams that are counted: BLEU-4 and CIDEr stop at four words.
pub const ORDERS: usize = 4;

/// An n-gram of an [`NgramTable`]; n-grams of different lengths have different numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ngram(u32);

impl Ngram {
    /// The n-gram's number, counted from 0 in the order of first use.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Gives each different n-gram its number. An n-gram is the n-gram one word shorter plus a word,
/// so one small key finds it whatever its length.
#[derive(Debug, Clone, Default)]
pub struct NgramTable {
    numbers: FxHashMap<(u32, Word), Ngram>,
}

/// What comes before the first word of an n-gram.
const NOTHING: u32 = u32::MAX;

impl NgramTable {
    /// A table without n-grams.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the n-grams of a sentence.
    pub fn count(&mut self, sentence: &[Word]) -> NgramCounts {
        let mut orders: [Vec<Ngram>; ORDERS] = Default::default();
        for start in 0..sentence.len() {
            let mut prefix = NOTHING;
            for (grams, &word) in orders.iter_mut().zip(&sentence[start..]) {
                let next = Ngram(u32::try_from(self.numbers.len()).unwrap_or(NOTHING - 1));
                let gram = *self.numbers.entry((prefix, word)).or_insert(next);
                grams.push(gram);
                prefix = gram.0;
            }
        }
        let mut counts = NgramCounts { words: sentence.len(), ..NgramCounts::default() };
        for (order, mut grams) in orders.into_iter().enumerate() {
            grams.sort_unstable();
            for same in grams.chunk_by(|a, b| a == b) {
                counts.grams.push((same[0], same.len() as u32));
            }
            counts.ends[order] = counts.grams.len();
        }
        counts
    }
}

/// The n-grams of a sentence and how often each occurs, by length and then by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NgramCounts {
    grams: Vec<(Ngram, u32)>,
    ends: [usize; ORDERS],
    words: usize,
}

impl NgramCounts {
    /// How many words the sentence has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many n-grams of a length the sentence has, repeats counted; `order` 0 is one word.
    pub fn total(&self, order: usize) -> usize {
        self.words.saturating_sub(order)
    }

    /// The n-grams of a length, by number; `order` 0 is one word.
    pub fn order(&self, order: usize) -> &[(Ngram, u32)] {
        let start = if order == 0 { 0 } else { self.ends[order - 1] };
        &self.grams[start..self.ends[order]]
    }

    /// The n-grams of every length.
    pub fn all(&self) -> &[(Ngram, u32)] {
        &self.grams
    }
}

/// Calls `f` with the values of each n-gram that both lists have.
pub(super) fn in_both<A: Copy, B: Copy>(
    a: &[(Ngram, A)],
    b: &[(Ngram, B)],
    mut f: impl FnMut(A, B),
) {
    let (mut i, mut j) = (0, 0);
    while let (Some(&(x, of_a)), Some(&(y, of_b))) = (a.get(i), b.get(j)) {
        match x.cmp(&y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                f(of_a, of_b);
                i += 1;
                j += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::Lexicon;

    #[test]
    fn counts_by_length() {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        let counts = table.count(&lexicon.sentence("a b a b a"));
        let sizes: Vec<_> = (0..ORDERS).map(|order| counts.order(order).len()).collect();
        assert_eq!(sizes, [2, 2, 2, 2]);
        let totals: Vec<_> = (0..ORDERS).map(|order| counts.total(order)).collect();
        assert_eq!(totals, [5, 4, 3, 2]);
        let bigrams: Vec<_> = counts.order(1).iter().map(|&(_, count)| count).collect();
        assert_eq!(bigrams, [2, 2]);
    }

    #[test]
    fn short_and_empty_sentences() {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        assert!(table.count(&[]).all().is_empty());
        let counts = table.count(&lexicon.sentence("a b"));
        assert_eq!(counts.order(1).len(), 1);
        assert!(counts.order(2).is_empty());
        assert_eq!(counts.total(3), 0);
    }

    #[test]
    fn the_same_words_in_another_sentence_have_the_same_number() {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        let first = table.count(&lexicon.sentence("red dog runs"));
        let second = table.count(&lexicon.sentence("a red dog runs"));
        let mut shared = 0;
        for order in 0..ORDERS {
            in_both(first.order(order), second.order(order), |_, _| shared += 1);
        }
        assert_eq!(shared, 3 + 2 + 1);
    }
}
