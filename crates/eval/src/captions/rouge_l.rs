//! ROUGE-L.
//!
//! Lin (2004), section 3: the F-measure of the longest common subsequence, as the COCO caption
//! evaluation (pycocoevalcap) computes it: the best precision and the best recall over the
//! references (perhaps of different ones), and beta = 1.2. Over a corpus: the mean over images.
//!
//! Range 0 to 1. A candidate without words scores 0. Undefined without a reference that has words;
//! a reference without words beside others counts nothing.

use super::words::Word;

/// How much more recall weighs than precision.
pub const BETA: f64 = 1.2;

/// ROUGE-L of a candidate. `None` if no reference has a word.
pub fn rouge_l<R: AsRef<[Word]>>(candidate: &[Word], references: &[R]) -> Option<f64> {
    let mut precision = 0.0_f64;
    let mut recall = 0.0_f64;
    let mut words = 0;
    for reference in references.iter().map(AsRef::as_ref).filter(|r| !r.is_empty()) {
        words += reference.len();
        let common = common_subsequence(candidate, reference) as f64;
        recall = recall.max(common / reference.len() as f64);
        precision = precision.max(common / candidate.len().max(1) as f64);
    }
    if words == 0 {
        return None;
    }
    if precision == 0.0 {
        return Some(0.0);
    }
    let beta = BETA * BETA;
    Some((1.0 + beta) * precision * recall / (recall + beta * precision))
}

/// The length of the longest common subsequence.
///
/// A column of the usual table is one machine word: bit i is 0 where the length grows at word i
/// (Hyyrö 2004). Longer sentences take several machine words.
fn common_subsequence(a: &[Word], b: &[Word]) -> usize {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut column = vec![u64::MAX; short.len().div_ceil(64)];
    for word in long {
        let mut carry = false;
        for (bits, block) in column.iter_mut().zip(short.chunks(64)) {
            let matches =
                block.iter().enumerate().fold(0, |all, (i, w)| all | (u64::from(w == word) << i));
            let u = *bits & matches;
            let (sum, over) = bits.overflowing_add(u);
            let (sum, more) = sum.overflowing_add(u64::from(carry));
            carry = over || more;
            *bits = sum | (*bits & !matches);
        }
    }
    let unset = |(bits, block): (&u64, &[Word])| {
        let used = u64::MAX >> (64 - block.len());
        (!bits & used).count_ones() as usize
    };
    column.iter().zip(short.chunks(64)).map(unset).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::Lexicon;
    use proptest::prelude::*;

    fn rouge(candidate: &str, references: &[&str]) -> Option<f64> {
        let mut lexicon = Lexicon::new();
        let candidate = lexicon.sentence(candidate);
        let references: Vec<_> = references.iter().map(|text| lexicon.sentence(text)).collect();
        rouge_l(&candidate, &references)
    }

    #[test]
    fn worked_example() {
        // "police the gunman" has 2 of 3 words in order: precision 2/3, recall 2/4.
        let score = rouge("police the gunman", &["police killed the gangster"]).unwrap();
        let (p, r) = (2.0 / 3.0, 2.0 / 4.0);
        assert!((score - 2.44 * p * r / (r + 1.44 * p)).abs() < 1e-12);
    }

    #[test]
    fn the_best_precision_and_recall_may_be_of_different_references() {
        // Precision 1/2 by the first, recall 1 by the second.
        let score = rouge("a b", &["x a y b", "a"]).unwrap();
        assert!((score - 1.0).abs() < 1e-12);
    }

    #[test]
    fn empty_sentences() {
        assert_eq!(rouge("", &["a dog"]), Some(0.0));
        assert_eq!(rouge("a dog", &[""]), None);
        assert_eq!(rouge("a dog", &[]), None);
        assert_eq!(rouge("a dog", &["", "a dog"]), Some(1.0));
        assert_eq!(rouge("", &["", "a dog"]), Some(0.0));
    }

    fn by_table(a: &[Word], b: &[Word]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] = if a[i] == b[j] {
                    table[i][j] + 1
                } else {
                    table[i][j + 1].max(table[i + 1][j])
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn bits_agree_with_the_table(
            a in prop::collection::vec(0..6_u8, 0..200),
            b in prop::collection::vec(0..6_u8, 0..200),
        ) {
            let mut lexicon = Lexicon::new();
            let mut sentence = |words: &[u8]| lexicon.words(words.iter().map(u8::to_string));
            let (a, b) = (sentence(&a), sentence(&b));
            prop_assert_eq!(common_subsequence(&a, &b), by_table(&a, &b));
        }
    }
}
