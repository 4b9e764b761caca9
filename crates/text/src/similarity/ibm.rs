//! IBM alignment models 1 and 2 (Brown, Della Pietra, Della Pietra and Mercer 1993), by expectation
//! maximisation.
//!
//! Of pairs of sentences they learn t(f | e), the probability that the word e of the one becomes f
//! in the other. Model 1 takes every position to be equally likely; model 2 learns, beginning with
//! model 1's t, how likely position j of a sentence of m words comes from position i of one of l.

use rustc_hash::{FxHashMap, FxHashSet};

/// Longer sentences are left out, so that the table of positions stays small.
const LONGEST: usize = 64;

/// Whether a word may come from nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// Every sentence has an empty word in front, as in the paper of 1993.
    Word,
    /// Every word comes from a word, as in the textbooks' first examples.
    None,
}

/// How the models are trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    /// Rounds of model 1.
    pub model_1: usize,
    /// Rounds of model 2 after them.
    pub model_2: usize,
    /// Whether there is an empty word.
    pub empty: Empty,
}

/// Translation probabilities t(f | e) that are not 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Translation {
    rows: FxHashMap<u32, Vec<(u32, f64)>>,
}

impl Translation {
    /// What a word becomes, with the probability of each, in the order of numbers.
    pub fn of(&self, word: u32) -> &[(u32, f64)] {
        self.rows.get(&word).map_or(&[], Vec::as_slice)
    }
}

/// A pair of sentences, as places in the table of word pairs: for each word of the second sentence
/// one for each word of the first.
struct Links {
    places: Vec<u32>,
    from: usize,
    to: usize,
}

struct Models {
    /// The pairs of words that occur together, e before f.
    pairs: Vec<(u32, u32)>,
    t: Vec<f64>,
    links: Vec<Links>,
    /// Model 2's probabilities of positions, by the lengths of both sentences: for each place in
    /// the second, one for each in the first.
    a: FxHashMap<(usize, usize), Vec<f64>>,
}

/// Trains the models on pairs of sentences, words as numbers.
pub fn train(pairs: &[(&[u32], &[u32])], rounds: &Rounds) -> Translation {
    let mut models = Models::new(pairs, rounds.empty);
    for _ in 0..rounds.model_1 {
        models.round_1();
    }
    for _ in 0..rounds.model_2 {
        models.round_2();
    }
    let mut rows: FxHashMap<u32, Vec<(u32, f64)>> = FxHashMap::default();
    for (&(e, f), &p) in models.pairs.iter().zip(&models.t).filter(|(_, p)| **p > 0.0) {
        if e != EMPTY {
            rows.entry(e).or_default().push((f, p));
        }
    }
    rows.values_mut().for_each(|row| row.sort_unstable_by_key(|&(f, _)| f));
    Translation { rows }
}

/// The empty word's number.
const EMPTY: u32 = u32::MAX;

impl Models {
    fn new(sentences: &[(&[u32], &[u32])], empty: Empty) -> Self {
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let (mut pairs, mut links) = (Vec::new(), Vec::new());
        for &(first, second) in sentences {
            let fits = |s: &[u32]| (1..=LONGEST).contains(&s.len());
            if !fits(first) || !fits(second) {
                continue;
            }
            let front = (empty == Empty::Word).then_some(EMPTY);
            let first: Vec<u32> = front.into_iter().chain(first.iter().copied()).collect();
            let mut places = Vec::with_capacity(first.len() * second.len());
            for &f in second {
                for &e in &first {
                    places.push(*known.entry((e, f)).or_insert_with(|| {
                        pairs.push((e, f));
                        pairs.len() as u32 - 1
                    }));
                }
            }
            links.push(Links { places, from: first.len(), to: second.len() });
        }
        // Every translation is equally likely at first.
        let targets: FxHashSet<u32> = pairs.iter().map(|&(_, f)| f).collect();
        let t = vec![1.0 / targets.len().max(1) as f64; pairs.len()];
        let a = links
            .iter()
            .map(|l| ((l.from, l.to), vec![1.0 / l.from as f64; l.from * l.to]))
            .collect();
        Self { pairs, t, links, a }
    }

    fn round_1(&mut self) {
        let mut counts = vec![0.0; self.t.len()];
        for links in &self.links {
            for places in links.places.chunks_exact(links.from) {
                let total: f64 = places.iter().map(|&place| self.t[place as usize]).sum();
                if total > 0.0 {
                    for &place in places {
                        counts[place as usize] += self.t[place as usize] / total;
                    }
                }
            }
        }
        self.normalise(counts);
    }

    fn round_2(&mut self) {
        let mut counts = vec![0.0; self.t.len()];
        let mut positions: FxHashMap<(usize, usize), Vec<f64>> =
            self.a.iter().map(|(&key, a)| (key, vec![0.0; a.len()])).collect();
        for links in &self.links {
            let key = (links.from, links.to);
            let (Some(a), Some(seen)) = (self.a.get(&key), positions.get_mut(&key)) else {
                continue;
            };
            let rows = links.places.chunks_exact(links.from).zip(a.chunks_exact(links.from));
            for ((places, a), seen) in rows.zip(seen.chunks_exact_mut(links.from)) {
                let weight = |(&place, a): (&u32, &f64)| self.t[place as usize] * a;
                let total: f64 = places.iter().zip(a).map(weight).sum();
                if total > 0.0 {
                    for ((place, a), seen) in places.iter().zip(a).zip(seen) {
                        let share = weight((place, a)) / total;
                        counts[*place as usize] += share;
                        *seen += share;
                    }
                }
            }
        }
        for (key, mut seen) in positions {
            for row in seen.chunks_exact_mut(key.0) {
                let total: f64 = row.iter().sum();
                if total > 0.0 {
                    row.iter_mut().for_each(|p| *p /= total);
                }
            }
            self.a.insert(key, seen);
        }
        self.normalise(counts);
    }

    /// Makes counts the probabilities of the next round.
    fn normalise(&mut self, counts: Vec<f64>) {
        let mut totals: FxHashMap<u32, f64> = FxHashMap::default();
        for (&(e, _), count) in self.pairs.iter().zip(&counts) {
            *totals.entry(e).or_default() += count;
        }
        for ((t, (e, _)), count) in self.t.iter_mut().zip(&self.pairs).zip(counts) {
            *t = if totals[e] > 0.0 { count / totals[e] } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Koehn (2010), Statistical Machine Translation, figure 4.4: das Haus - the house, das Buch -
    // the book, ein Buch - a book.
    const DAS: u32 = 0;
    const HAUS: u32 = 1;
    const BUCH: u32 = 2;
    const EIN: u32 = 3;
    const THE: u32 = 10;
    const HOUSE: u32 = 11;
    const BOOK: u32 = 12;
    const A: u32 = 13;

    fn after(model_1: usize, model_2: usize) -> Translation {
        let pairs: [(&[u32], &[u32]); 3] = [
            (&[DAS, HAUS], &[THE, HOUSE]),
            (&[DAS, BUCH], &[THE, BOOK]),
            (&[EIN, BUCH], &[A, BOOK]),
        ];
        train(&pairs, &Rounds { model_1, model_2, empty: Empty::None })
    }

    fn p(t: &Translation, e: u32, f: u32) -> f64 {
        t.of(e).iter().find(|&&(to, _)| to == f).map_or(0.0, |&(_, p)| p)
    }

    #[test]
    fn the_textbooks_figures() {
        let figures = [
            (1, [0.5, 0.25, 0.25, 0.5, 0.5]),
            (2, [0.6364, 0.1818, 0.1818, 0.6364, 0.4286]),
            (3, [0.7479, 0.1208, 0.1313, 0.7479, 0.3466]),
        ];
        for (rounds, expected) in figures {
            let t = after(rounds, 0);
            let found = [
                p(&t, DAS, THE),
                p(&t, DAS, BOOK),
                p(&t, DAS, HOUSE),
                p(&t, BUCH, BOOK),
                p(&t, HAUS, THE),
            ];
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 6e-5, "round {rounds}: {found} {expected}");
            }
        }
        assert!(p(&after(40, 0), DAS, THE) > 0.999);
        assert_eq!(after(0, 0).of(A), []);
    }

    #[test]
    fn model_2_learns_that_order_is_kept() {
        // After one round of model 1, t is symmetric for "ein": only positions tell.
        let (one, two) = (after(1, 0), after(1, 10));
        assert_eq!(p(&one, EIN, A), 0.5);
        assert!(p(&two, EIN, A) > 0.99 && p(&two, HAUS, HOUSE) > 0.99);
        for word in [DAS, HAUS, BUCH, EIN] {
            let total: f64 = two.of(word).iter().map(|(_, p)| p).sum();
            assert!((total - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_empty_word_and_odd_sentences() {
        let long = vec![1; LONGEST + 1];
        let pairs: [(&[u32], &[u32]); 4] = [(&[], &[1]), (&[1], &[]), (&long, &[2]), (&[1], &[2])];
        let rounds = Rounds { model_1: 3, model_2: 3, empty: Empty::Word };
        assert_eq!(train(&pairs, &rounds).of(1), [(2, 1.0)]);
    }
}
