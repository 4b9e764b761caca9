//! BLEU_pre: the filter of the ranking-task paper that spares human judges hopeless pairs.
//!
//! Hodosh, Young and Hockenmaier (2013), section 4.3.2: [`unigram_bleu`] (equation 28) over words
//! that were stemmed and stripped of stop words, as Lin's ROUGE script does; pairs below 0.25 are
//! not shown to anybody.
//!
//! Range 0 to 1. Undefined where a caption has nothing but stop words; such a pair is neither
//! kept nor removed here but reported as [`PreVerdict::Undefined`], for the caller to count.

use super::unigram_bleu;

/// The filter and its threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BleuPre {
    /// Pairs with at least this score pass.
    pub threshold: f64,
}

impl Default for BleuPre {
    /// The paper's threshold, 0.25.
    fn default() -> Self {
        Self { threshold: 0.25 }
    }
}

/// What the filter makes of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PreVerdict {
    /// Likely enough to be shown to a judge.
    Kept(f64),
    /// So unlike the references that nobody need look.
    Removed(f64),
    /// No content words, or no references: there is no score.
    Undefined,
}

impl BleuPre {
    /// Judges a caption against references, all of them stemmed and without stop words.
    pub fn judge<W, S, R>(&self, s: &S, references: &[R]) -> PreVerdict
    where
        W: PartialEq,
        S: AsRef<[W]> + ?Sized,
        R: AsRef<[W]>,
    {
        match unigram_bleu(s, references) {
            None => PreVerdict::Undefined,
            Some(score) if score >= self.threshold => PreVerdict::Kept(score),
            Some(score) => PreVerdict::Removed(score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_passes_and_less_does_not() {
        let filter = BleuPre::default();
        let reference = [["dog", "run", "grass"]];
        assert_eq!(filter.judge(&["dog", "sit", "red", "car"], &reference), PreVerdict::Kept(0.25));
        let five = ["dog", "sit", "red", "car", "man"];
        assert_eq!(filter.judge(&five, &reference), PreVerdict::Removed(0.2));
        assert_eq!(filter.judge::<&str, _, _>(&[], &reference), PreVerdict::Undefined);
    }
}
