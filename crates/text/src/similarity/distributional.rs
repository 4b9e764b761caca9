//! Distributional similarity (equation 24 of the ranking-task paper): words are alike that occur
//! in sentences with the same words.
//!
//! The component of w for w' is max(0, log2 P(w, w') / (P(w) P(w'))), where P(w) is the probability
//! that a sentence of the corpus contains w, and P(w, w') that it contains both. A word is a
//! component of itself too, with P(w, w) = P(w). The word kernel is the cosine.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Corpus, WordVectors};

/// The vectors of `words` by a corpus (equation 24). Only words that occur at least `least` times
/// in it have a vector or are a component.
pub fn vectors<S: AsRef<str>>(corpus: &Corpus, words: &[S], least: u64) -> WordVectors {
    let known: FxHashMap<&str, u32> = corpus.words().iter().map(String::as_str).zip(0..).collect();
    let often = |&id: &u32| corpus.counts()[id as usize] >= least;
    let mut targets: Vec<u32> =
        words.iter().filter_map(|word| known.get(word.as_ref()).copied()).filter(often).collect();
    targets.sort_unstable();
    targets.dedup();

    let sentences: Vec<&[u32]> = corpus.sentences().collect();
    let mut with = vec![0u64; corpus.words().len()];
    // The sentences of each target, by its place among the targets.
    let mut place = vec![u32::MAX; corpus.words().len()];
    (0..).zip(&targets).for_each(|(at, &target): (u32, _)| place[target as usize] = at);
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); targets.len()];
    for (number, sentence) in (0..).zip(&sentences) {
        for &id in *sentence {
            with[id as usize] += 1;
            if let Some(of) = of.get_mut(place[id as usize] as usize) {
                of.push(number);
            }
        }
    }
    let all = sentences.len() as f64;
    let vector = |counts: &mut Vec<u32>, (&target, of): (&u32, &Vec<u32>)| {
        let mut met: Vec<u32> = Vec::new();
        for &sentence in of {
            for &id in sentences[sentence as usize] {
                let count = &mut counts[id as usize];
                if *count == 0 {
                    met.push(id);
                }
                *count += 1;
            }
        }
        met.sort_unstable();
        let alone = with[target as usize] as f64;
        let row = met.iter().filter(|id| often(id)).map(|&id| {
            let both = f64::from(counts[id as usize]);
            (id, (both * all / (alone * with[id as usize] as f64)).log2())
        });
        let row = row.collect();
        met.iter().for_each(|&id| counts[id as usize] = 0);
        (corpus.words()[target as usize].clone(), row)
    };
    let counts = || vec![0u32; corpus.words().len()];
    let rows: Vec<_> = targets.par_iter().zip(&of).map_init(counts, vector).collect();
    WordVectors::new(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut corpus = Corpus::default();
        for sentence in ["dog bark", "dog bark tree", "cat tree", "cat sleep"] {
            let sentence: Vec<&str> = sentence.split(' ').collect();
            corpus.add(&sentence);
        }
        let vectors = vectors(&corpus, &["dog", "cat", "sleep", "unknown"], 2);
        // "sleep" occurs once, and is neither a word nor a component.
        assert_eq!(vectors.words(), ["cat", "dog"]);
        // P(dog) = P(bark) = 1/2, P(dog, bark) = 1/2: log2 2 = 1, and for itself too;
        // P(dog, tree) = 1/4 = P(dog) P(tree): 0.
        assert_eq!(vectors.vector("dog"), [(0, 1.0), (1, 1.0)]);
        assert_eq!(vectors.vector("cat"), [(3, 1.0)]);
        assert_eq!(vectors.kernel(0.0).between("cat", "dog"), 0.0);
        let bark = super::vectors(&corpus, &["dog", "bark"], 1).kernel(0.0);
        assert_eq!(bark.between("dog", "bark"), 1.0);
    }
}
