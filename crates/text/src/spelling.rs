//! Spelling correction against the words of a corpus.
//!
//! A word that the corpus knows well is right. Another word becomes the known word at the smallest
//! Damerau-Levenshtein distance (insertions, deletions, replacements, swaps of neighbours), of
//! several the most frequent one. Short words, and tokens with anything but letters, are never
//! touched: too many right words are near them.
//!
//! Known words are found by their deletes (every string that results from taking out up to two
//! letters of the first few), so a lookup does not depend on the size of the vocabulary.

use rustc_hash::FxHashMap;

use crate::stage::Stage;
use crate::vocabulary::Vocabulary;

/// The largest distance that is ever corrected.
const FARTHEST: usize = 2;

/// Deletes are made of this many first letters.
const PREFIX: usize = 8;

/// What is corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// A word that occurs at least this often is right.
    pub known: u64,
    /// The length from which words are corrected at distance 1.
    pub one_edit_from: usize,
    /// The length from which words are corrected at distance 2.
    pub two_edits_from: usize,
    /// How many times more frequent the correction must be than the word.
    pub ratio: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { known: 3, one_edit_from: 4, two_edits_from: 7, ratio: 10 }
    }
}

/// A word that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// As it was.
    pub from: String,
    /// As it became.
    pub to: String,
    /// Their distance.
    pub distance: usize,
}

/// A corrector for one vocabulary.
///
/// ```
/// use rebus_text::spelling::{Params, Speller};
/// use rebus_text::vocabulary::Vocabulary;
///
/// let texts = vec![vec!["a", "frisbee", "frisbee", "and", "a", "dog"]; 20];
/// let speller = Speller::new(&Vocabulary::of(&texts), Params::default());
/// assert_eq!(speller.correct("frisbie").map(|c| c.to).as_deref(), Some("frisbee"));
/// assert!(speller.correct("frisbee").is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Speller {
    params: Params,
    words: Vec<(String, u64)>,
    counts: FxHashMap<String, u64>,
    deletes: FxHashMap<String, Vec<u32>>,
}

impl Speller {
    /// Prepares the lookup of the words of `vocabulary`.
    pub fn new(vocabulary: &Vocabulary, params: Params) -> Self {
        let mut words = Vec::new();
        let mut counts = FxHashMap::default();
        let mut deletes: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for entry in vocabulary.entries() {
            counts.insert(entry.word.clone(), entry.count);
            if entry.count < params.known || !entry.word.chars().all(char::is_alphabetic) {
                continue;
            }
            for delete in deletes_of(&entry.word) {
                deletes.entry(delete).or_default().push(words.len() as u32);
            }
            words.push((entry.word.clone(), entry.count));
        }
        Self { params, words, counts, deletes }
    }

    /// What a lower-case word should be, if it is wrong and something is near.
    pub fn correct(&self, word: &str) -> Option<Correction> {
        let letters: Vec<char> = word.chars().collect();
        let own = self.counts.get(word).copied().unwrap_or(0);
        let allowed = match letters.len() {
            len if len >= self.params.two_edits_from => 2,
            len if len >= self.params.one_edit_from => 1,
            _ => return None,
        };
        if own >= self.params.known || !letters.iter().all(|c| c.is_alphabetic()) {
            return None;
        }
        let mut near: Vec<u32> = deletes_of(word)
            .iter()
            .filter_map(|delete| self.deletes.get(delete))
            .flatten()
            .copied()
            .collect();
        near.sort_unstable();
        near.dedup();
        let candidates = near.into_iter().filter_map(|at| {
            let (known, count) = self.words.get(at as usize)?;
            let distance = distance(&letters, &known.chars().collect::<Vec<_>>());
            let enough = *count >= own.saturating_mul(self.params.ratio);
            (distance > 0 && distance <= allowed && enough).then_some((distance, *count, known))
        });
        // The nearest; then one with the same first letter; then the most frequent; then the first.
        let best = candidates.min_by_key(|&(distance, count, known)| {
            let other = known.chars().next() != letters.first().copied();
            (distance, other, std::cmp::Reverse(count), known)
        })?;
        Some(Correction { from: word.to_owned(), to: best.2.clone(), distance: best.0 })
    }

    /// What would be changed in these tokens, in order.
    pub fn corrections(&self, tokens: &[String]) -> Vec<Correction> {
        tokens.iter().filter_map(|token| self.correct(token)).collect()
    }
}

/// The beginning of a word and all that remains of it without one or two letters.
fn deletes_of(word: &str) -> Vec<String> {
    let prefix: String = word.chars().take(PREFIX).collect();
    let mut all = vec![prefix];
    let mut from = 0;
    for _ in 0..FARTHEST {
        let until = all.len();
        for at in from..until {
            let letters: Vec<char> = all[at].chars().collect();
            for skip in 0..letters.len() {
                let kept = letters.iter().enumerate().filter(|&(i, _)| i != skip);
                all.push(kept.map(|(_, c)| c).collect());
            }
        }
        from = until;
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The Damerau-Levenshtein distance where no letter is edited twice (optimal string alignment).
pub fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

impl Stage for Speller {
    fn name(&self) -> &'static str {
        "spelling"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        tokens.into_iter().map(|token| self.correct(&token).map_or(token, |c| c.to)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speller() -> Speller {
        let mut texts = vec![vec!["snowboarder", "frisbee", "girl", "grill", "wearing", "dog"]; 50];
        texts.extend(vec![vec!["frisby", "wering", "girls"]; 2]);
        texts.extend(vec![vec!["girls"]; 400]);
        Speller::new(&Vocabulary::of(&texts), Params::default())
    }

    fn to(word: &str) -> Option<String> {
        speller().correct(word).map(|correction| correction.to)
    }

    #[test]
    fn wrong_words_are_corrected() {
        assert_eq!(to("snowborader").as_deref(), Some("snowboarder"));
        assert_eq!(to("snowbordr").as_deref(), Some("snowboarder"));
        assert_eq!(to("wering").as_deref(), Some("wearing"));
        // At distance 1 are girl and grill; girls is nearer in count but no nearer in letters.
        assert_eq!(to("gril").as_deref(), Some("girl"));
    }

    #[test]
    fn right_short_and_mixed_words_stay() {
        for word in
            ["frisbee", "girls", "dgo", "fr1sbee", "t-shirt", "frisbeeeeee", "xylophone", ""]
        {
            assert_eq!(to(word), None, "{word}");
        }
    }

    #[test]
    fn distances_by_hand() {
        let d = |a: &str, b: &str| {
            distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!(d("", "abc"), 3);
        assert_eq!(d("kitten", "sitting"), 3);
        assert_eq!(d("gril", "girl"), 1);
        assert_eq!(d("ca", "abc"), 3);
        assert_eq!(d("same", "same"), 0);
    }
}
