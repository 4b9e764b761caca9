//! JEC's transfer of words (Makadia, Pavlovic and Kumar 2008): the words of the nearest picture come
//! first, by how frequent they are; then those of the next pictures, by how often they come together
//! with the first ones in training, times how many of these pictures have them.

use super::super::counts::Counts;

/// The words of a picture, in the order in which they are given; `nearest` has its training pictures,
/// the nearest first.
pub(super) fn transfer(
    nearest: &[u32],
    words: &Counts,
    frequency: &[f64],
    together: &Together,
) -> Vec<usize> {
    let Some((&first, others)) = nearest.split_first() else { return Vec::new() };
    let mut given: Vec<usize> =
        words.row(first as usize).iter().map(|&(word, _)| word as usize).collect();
    given.sort_by(|&a, &b| frequency[b].total_cmp(&frequency[a]).then(a.cmp(&b)));
    let mut local = vec![0.0; frequency.len()];
    for &picture in others {
        words.row(picture as usize).iter().for_each(|&(word, _)| local[word as usize] += 1.0);
    }
    let mut others: Vec<(f64, usize)> = local
        .iter()
        .enumerate()
        .filter(|(word, count)| **count > 0.0 && !given.contains(word))
        .map(|(word, count)| {
            let company: f64 = given.iter().map(|&first| together.count(first, word)).sum();
            // A word that never came with the first ones stands after all that did.
            (count * company + count * 1e-6, word)
        })
        .collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    given.extend(others.into_iter().map(|(_, word)| word));
    given
}

/// How many training pictures have two words together.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Together(rustc_hash::FxHashMap<(u32, u32), f64>);

impl Together {
    pub(super) fn new(words: &Counts) -> Self {
        let mut pairs = rustc_hash::FxHashMap::default();
        for row in 0..words.rows() {
            for &(a, _) in words.row(row) {
                for &(b, _) in words.row(row) {
                    *pairs.entry((a, b)).or_insert(0.0) += 1.0;
                }
            }
        }
        Self(pairs)
    }

    fn count(&self, a: usize, b: usize) -> f64 {
        self.0.get(&(a as u32, b as u32)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transferred_by_hand() {
        // Words: grass 0, sky 1, tiger 2, plane 3.
        let words = Counts::new(
            4,
            [
                vec![(0, 1.0), (2, 1.0)],
                vec![(0, 1.0), (1, 1.0)],
                vec![(1, 1.0), (3, 1.0)],
                vec![(0, 1.0)],
            ],
        );
        let together = Together::new(&words);
        // Grass is more frequent than tiger; sky came with grass, plane with neither.
        let given = transfer(&[0, 2, 1], &words, &words.totals(), &together);
        assert_eq!(given, [0, 2, 1, 3]);
        assert!(transfer(&[], &words, &words.totals(), &together).is_empty());
    }
}
