//! Unigram ROUGE of the ranking-task paper.
//!
//! Hodosh, Young and Hockenmaier (2013), section 4.2.2, the formula that follows equation 28: the
//! share of all the references' words that also occur in the caption, each word counted at most
//! as often as in the caption. The references' words are pooled, so a long reference weighs more
//! than a short one. The paper stems words and removes stop words first.
//!
//! Range 0 to 1. Undefined if the references have no words at all (0 / 0).

use super::unigram_bleu::{count, distinct};

/// ROUGE of a caption `s` against the references `R_i` of an image.
pub fn unigram_rouge<W, S, R>(s: &S, references: &[R]) -> Option<f64>
where
    W: PartialEq,
    S: AsRef<[W]> + ?Sized,
    R: AsRef<[W]>,
{
    let s = s.as_ref();
    let all: usize = references.iter().map(|r| r.as_ref().len()).sum();
    if all == 0 {
        return None;
    }
    let matched: usize = references
        .iter()
        .map(AsRef::as_ref)
        .map(|r| distinct(r).map(|w| count(w, s).min(count(w, r))).sum::<usize>())
        .sum();
    Some(matched as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::words;

    #[test]
    fn worked_example() {
        // "dog dog run": dog 2 of 2, run 1 of 1. "brown dog": dog 1 of 1, brown 0 of 1.
        let references = [words("dog dog run"), words("brown dog")];
        assert_eq!(unigram_rouge(&words("dog run dog run"), &references), Some(4.0 / 5.0));
    }

    #[test]
    fn the_undefined_is_said() {
        assert_eq!(unigram_rouge(&words("dog"), &[words(""), words("")]), None);
        assert_eq!(unigram_rouge::<&str, _, Vec<&str>>(&words("dog"), &[]), None);
        assert_eq!(unigram_rouge(&words(""), &[words("a dog")]), Some(0.0));
    }
}
