//! Lin's similarity over WordNet (equations 22 and 23 of the ranking-task paper).
//!
//! P(s) is the probability that a word of a corpus is an instance of the sense s or of anything
//! below it; every word counts for its most frequent sense. sim(s, s') = 2 log P(LCS(s, s')) /
//! (log P(s) + log P(s')), where LCS is the common ancestor that says most. It lies between 0 and
//! 1. Undefined for a sense that the corpus never has, and where a sense is all there is.

use rustc_hash::FxHashMap;

use super::WordVectors;
use crate::wordnet::{Sense, Taxonomy};

/// How much each sense says, by a corpus.
#[derive(Debug, Clone)]
pub struct InformationContent<'a> {
    taxonomy: &'a Taxonomy,
    /// How many words of the corpus are of each sense, or of one below it.
    counts: FxHashMap<Sense, u64>,
    total: u64,
}

impl<'a> InformationContent<'a> {
    /// Counts words for their most frequent sense; words without a sense do not count.
    pub fn new<'w>(
        taxonomy: &'a Taxonomy,
        words: impl IntoIterator<Item = (&'w str, u64)>,
    ) -> Self {
        let mut counts = FxHashMap::default();
        let mut total = 0;
        for (word, count) in words {
            let Some(sense) = taxonomy.first_sense(word) else { continue };
            total += count;
            for above in taxonomy.with_ancestors(sense) {
                *counts.entry(above).or_default() += count;
            }
        }
        Self { taxonomy, counts, total }
    }

    /// log P(s): 0 at most; `None` for a sense that the corpus never has.
    pub fn log_probability(&self, sense: Sense) -> Option<f64> {
        let &count = self.counts.get(&sense).filter(|&&count| count > 0)?;
        Some((count as f64 / self.total as f64).ln())
    }

    /// Lin's similarity of two senses (equation 22); 0 where they have no common ancestor.
    pub fn between(&self, one: Sense, other: Sense) -> Option<f64> {
        let below = self.log_probability(one)? + self.log_probability(other)?;
        if one == other {
            return Some(1.0);
        }
        let theirs = self.taxonomy.with_ancestors(other);
        let common = self.taxonomy.with_ancestors(one).into_iter();
        let common = common.filter(|sense| theirs.contains(sense));
        let least = common.filter_map(|sense| self.log_probability(sense)).fold(0.0, f64::min);
        (below < 0.0).then_some(2.0 * least / below)
    }

    /// The `n` of `words` most similar to a word by their first senses (equation 22), other than
    /// itself; of equals the first in the alphabet. The paper's Figure 3 prints these figures, not
    /// the cosines of the kernel.
    pub fn most_similar<'w>(
        &self,
        word: &str,
        words: impl IntoIterator<Item = &'w str>,
        n: usize,
    ) -> Vec<(&'w str, f64)> {
        let Some(sense) = self.taxonomy.first_sense(word) else { return Vec::new() };
        let others = words.into_iter().filter(|&other| other != word);
        let mut found: Vec<(&str, f64)> = others
            .filter_map(|other| {
                let how = self.between(sense, self.taxonomy.first_sense(other)?)?;
                (how > 0.0).then_some((other, how))
            })
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        found.truncate(n);
        found
    }

    /// Words as vectors over their first sense and all that is above it (equation 23): 1 for the
    /// sense itself, Lin's similarity of the two for an ancestor. Words without a sense, or that
    /// the corpus does not have, are left out.
    pub fn vectors<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> WordVectors {
        let vector = |word: &str| {
            let sense = self.taxonomy.first_sense(word)?;
            let own = self.log_probability(sense)?;
            let component = |above: Sense| {
                let log = self.log_probability(above)?;
                let how = if above == sense { 1.0 } else { 2.0 * log / (own + log) };
                Some((above.0, how))
            };
            let above = self.taxonomy.with_ancestors(sense);
            Some((word.to_owned(), above.into_iter().filter_map(component).collect()))
        };
        WordVectors::new(words.into_iter().filter_map(vector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordnet::small;

    /// entity has animal and thing below it, animal has dog and cat.
    const TREE: &str = "entity\nanimal entity\ndog animal\ncat animal\nthing entity\nunseen thing";

    #[test]
    fn by_hand() {
        let tree = small(TREE);
        let content =
            InformationContent::new(&tree, [("dog", 2), ("cat", 2), ("thing", 12), ("of", 99)]);
        let sense = |word| tree.first_sense(word).unwrap();
        let log = |p: f64| p.ln();
        // P(dog) = 2/16, P(animal) = 4/16.
        assert!((content.log_probability(sense("animal")).unwrap() - log(0.25)).abs() < 1e-12);
        let lin = |a, b| content.between(sense(a), sense(b));
        // 2 log(1/4) / (log(1/8) + log(1/8)) = 2/3.
        assert!((lin("dog", "cat").unwrap() - 2.0 / 3.0).abs() < 1e-12);
        // 2 log(1/4) / (log(1/8) + log(1/4)) = 4/5.
        assert!((lin("dog", "animal").unwrap() - 0.8).abs() < 1e-12);
        assert_eq!(lin("dog", "thing"), Some(0.0));
        assert_eq!(lin("dog", "dog"), Some(1.0));
        assert_eq!(lin("dog", "unseen"), None);

        let similar = content.most_similar("dog", ["thing", "dog", "cat", "of", "animal"], 9);
        assert_eq!(similar.iter().map(|(word, _)| *word).collect::<Vec<_>>(), ["animal", "cat"]);
        assert!(content.most_similar("of", ["dog"], 9).is_empty());

        let vectors = content.vectors(["dog", "cat", "unseen", "of"]);
        assert_eq!(vectors.words(), ["cat", "dog"]);
        let dog = vectors.vector("dog");
        assert_eq!(dog.len(), 2);
        assert!((dog[0].1 - 0.8).abs() < 1e-12 && dog[1] == (2, 1.0));
        // (0.8 * 0.8) / (1 + 0.8 * 0.8)
        let kappa = f64::from(vectors.kernel(0.0).between("dog", "cat"));
        assert!((kappa - 0.64 / 1.64).abs() < 1e-6);
    }
}
