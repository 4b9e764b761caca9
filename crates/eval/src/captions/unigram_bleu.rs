//! Unigram BLEU of the ranking-task paper.
//!
//! Hodosh, Young and Hockenmaier (2013), section 4.2.2, equation 28: the share of a caption's
//! words that also occur in a reference, each word counted at most as often as in the reference
//! that has it most often. No brevity penalty and no smoothing, unlike [`Bleu`](super::Bleu).
//!
//! Range 0 to 1. Undefined for a caption without words (0 / 0) and without any reference (the
//! largest count of no reference).

/// Equation 28 for a caption `s` and the references `R_i` of an image.
///
/// Words are compared as they are: break up, lower and stem them first as the protocol asks.
pub fn unigram_bleu<W, S, R>(s: &S, references: &[R]) -> Option<f64>
where
    W: PartialEq,
    S: AsRef<[W]> + ?Sized,
    R: AsRef<[W]>,
{
    let s = s.as_ref();
    if s.is_empty() || references.is_empty() {
        return None;
    }
    let matched: usize = distinct(s)
        .map(|w| {
            let most = references.iter().map(|r| count(w, r.as_ref())).max().unwrap_or(0);
            most.min(count(w, s))
        })
        .sum();
    Some(matched as f64 / s.len() as f64)
}

/// How often a word occurs: `c_s(w)`. Captions are short, so looking beats hashing.
pub(super) fn count<W: PartialEq>(w: &W, words: &[W]) -> usize {
    words.iter().filter(|&other| other == w).count()
}

/// Each word once, where it first occurs.
pub(super) fn distinct<W: PartialEq>(words: &[W]) -> impl Iterator<Item = &W> {
    words.iter().enumerate().filter(|(at, w)| !words[..*at].contains(w)).map(|(_, w)| w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::words;

    #[test]
    fn worked_example() {
        // c_s: a 2, dog 1, and 1, cat 1. The most in one reference: a 1, dog 1, and 0, cat 1.
        let references = [words("a dog barks"), words("the cat sees a dog")];
        assert_eq!(unigram_bleu(&words("a dog and a cat"), &references), Some(3.0 / 5.0));
    }

    #[test]
    fn counts_are_clipped_by_one_reference_not_by_their_sum() {
        let references = [words("dog"), words("dog")];
        assert_eq!(unigram_bleu(&words("dog dog"), &references), Some(0.5));
    }

    #[test]
    fn the_undefined_is_said() {
        assert_eq!(unigram_bleu(&words(""), &[words("a dog")]), None);
        assert_eq!(unigram_bleu::<&str, _, Vec<&str>>(&words("a dog"), &[]), None);
        assert_eq!(unigram_bleu(&words("a dog"), &[words("")]), Some(0.0));
    }
}
