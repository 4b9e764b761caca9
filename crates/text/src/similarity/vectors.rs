//! Words as vectors, and the word kernel as their cosine (equations 17 and 18 of the ranking-task
//! paper).
//!
//! kappa(w, w') = cos(w, w'). Components are not negative, so neither is the kernel. A word whose
//! vector is all zero is like itself only.

use rayon::prelude::*;

use super::WordSimilarity;

/// A vector for each of some words, over components that may be anything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordVectors {
    words: Vec<String>,
    /// The components that are not 0, by number.
    rows: Vec<Vec<(u32, f64)>>,
}

impl WordVectors {
    /// From words and their components: number and value. Values that are not above 0 are dropped.
    pub fn new(vectors: impl IntoIterator<Item = (String, Vec<(u32, f64)>)>) -> Self {
        let mut vectors: Vec<_> = vectors.into_iter().collect();
        vectors.sort_by(|a, b| a.0.cmp(&b.0));
        vectors.dedup_by(|a, b| a.0 == b.0);
        let (words, mut rows): (Vec<_>, Vec<Vec<_>>) = vectors.into_iter().unzip();
        for row in &mut rows {
            row.retain(|&(_, value)| value > 0.0 && value.is_finite());
            row.sort_unstable_by_key(|&(component, _)| component);
        }
        Self { words, rows }
    }

    /// The words, in the order of the alphabet.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The vector of a word: empty where it has none.
    pub fn vector(&self, word: &str) -> &[(u32, f64)] {
        let at = self.words.binary_search_by(|known| known.as_str().cmp(word));
        at.map_or(&[], |at| &self.rows[at])
    }

    /// The cosines of all pairs of words (equation 18), those below `least` left out.
    pub fn kernel(&self, least: f64) -> WordSimilarity {
        let rows: Vec<Vec<(u32, f64)>> = self.rows.iter().map(|row| unit(row)).collect();
        let components = rows.iter().flatten().map(|&(at, _)| at as usize + 1).max().unwrap_or(0);
        // For each component the words that have it, so that only what is shared is multiplied.
        let mut with: Vec<Vec<(u32, f64)>> = vec![Vec::new(); components];
        for (word, row) in (0..).zip(&rows) {
            for &(component, value) in row {
                with[component as usize].push((word, value));
            }
        }
        let upper = |word: usize| {
            let mut sums = vec![0.0f64; rows.len() - word];
            for &(component, value) in &rows[word] {
                let with = &with[component as usize];
                let from = with.partition_point(|&(other, _)| other as usize <= word);
                for &(other, theirs) in &with[from..] {
                    sums[other as usize - word] += value * theirs;
                }
            }
            let kept = (0..).zip(sums).filter(|&(_, how)| how > 0.0 && how >= least);
            kept.map(|(at, how): (usize, f64)| ((word + at) as u32, how.min(1.0) as f32)).collect()
        };
        let upper: Vec<Vec<(u32, f32)>> = (0..rows.len()).into_par_iter().map(upper).collect();
        WordSimilarity::from_upper(self.words.clone(), upper)
    }
}

fn unit(row: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let length = row.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
    row.iter().map(|&(at, value)| (at, value / length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_by_hand() {
        let word = |word: &str, row: &[(u32, f64)]| (word.to_owned(), row.to_vec());
        let vectors = WordVectors::new([
            word("b", &[(0, 3.0), (7, 4.0)]),
            word("a", &[(7, 2.0), (3, f64::NAN), (4, -1.0)]),
            word("none", &[]),
            word("c", &[(0, 1.0)]),
        ]);
        assert_eq!(vectors.vector("a"), [(7, 2.0)]);
        let kernel = vectors.kernel(0.0);
        assert_eq!(kernel.words(), ["a", "b", "c", "none"]);
        assert_eq!(kernel.between("b", "a"), 0.8);
        assert_eq!(kernel.between("b", "c"), 0.6);
        assert_eq!((kernel.pairs(), kernel.between("none", "none")), (2, 1.0));
        assert_eq!(vectors.kernel(0.7).most_similar("b", 9), [("a", 0.8)]);
        assert_eq!(WordVectors::default().kernel(0.0).words().len(), 0);
    }
}
