//! The caption measures by name: one table for the command, the documents and the shared tests.

use std::fmt;
use std::str::FromStr;

/// A measure of one candidate caption against the references of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CaptionMeasure {
    /// `Bleu` over single words.
    Bleu1,
    /// `Bleu` up to pairs of words.
    Bleu2,
    /// `Bleu` up to three words.
    Bleu3,
    /// `Bleu` up to four words.
    Bleu4,
    /// `rouge_l`.
    RougeL,
    /// `Cider::Plain`.
    Cider,
    /// `Cider::D`.
    CiderD,
    /// [`unigram_bleu`](super::unigram_bleu): the ranking-task paper's, equation 28.
    UnigramBleu,
    /// [`unigram_rouge`](super::unigram_rouge): the ranking-task paper's.
    UnigramRouge,
    /// [`BleuPre`](super::BleuPre): the ranking-task paper's filter.
    BleuPre,
}

use CaptionMeasure as M;

impl CaptionMeasure {
    /// Every measure, in the order in which they are printed.
    pub const ALL: [Self; 10] = [
        M::Bleu1,
        M::Bleu2,
        M::Bleu3,
        M::Bleu4,
        M::RougeL,
        M::Cider,
        M::CiderD,
        M::UnigramBleu,
        M::UnigramRouge,
        M::BleuPre,
    ];

    /// The measures of the COCO caption evaluation that need no parser and no thesaurus.
    pub const COCO: [Self; 7] =
        [M::Bleu1, M::Bleu2, M::Bleu3, M::Bleu4, M::RougeL, M::Cider, M::CiderD];

    /// The name, as printed.
    pub fn name(self) -> &'static str {
        match self {
            M::Bleu1 => "BLEU-1",
            M::Bleu2 => "BLEU-2",
            M::Bleu3 => "BLEU-3",
            M::Bleu4 => "BLEU-4",
            M::RougeL => "ROUGE-L",
            M::Cider => "CIDEr",
            M::CiderD => "CIDEr-D",
            M::UnigramBleu => "BLEU (unigram)",
            M::UnigramRouge => "ROUGE (unigram)",
            M::BleuPre => "BLEU_pre",
        }
    }

    /// The name on the command line.
    pub fn flag(self) -> &'static str {
        match self {
            M::Bleu1 => "bleu-1",
            M::Bleu2 => "bleu-2",
            M::Bleu3 => "bleu-3",
            M::Bleu4 => "bleu-4",
            M::RougeL => "rouge-l",
            M::Cider => "cider",
            M::CiderD => "cider-d",
            M::UnigramBleu => "unigram-bleu",
            M::UnigramRouge => "unigram-rouge",
            M::BleuPre => "bleu-pre",
        }
    }

    /// The largest value.
    pub fn maximum(self) -> f64 {
        match self {
            M::Cider | M::CiderD => 10.0,
            _ => 1.0,
        }
    }

    /// Whether the measure weighs n-grams by document frequencies.
    pub fn weighs(self) -> bool {
        matches!(self, M::Cider | M::CiderD)
    }
}

impl fmt::Display for CaptionMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CaptionMeasure {
    type Err = String;

    /// Knows both names, in any case, with `_` for `-`.
    fn from_str(name: &str) -> Result<Self, String> {
        let plain = |name: &str| name.to_lowercase().replace('_', "-");
        let wanted = plain(name);
        let known = Self::ALL.into_iter().find(|m| m.flag() == wanted || plain(m.name()) == wanted);
        known.ok_or_else(|| {
            let flags: Vec<_> = Self::ALL.iter().map(|measure| measure.flag()).collect();
            format!("there is no caption measure `{name}`; there are {}", flags.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_measure() {
        for measure in CaptionMeasure::ALL {
            assert_eq!(measure.flag().parse(), Ok(measure));
            assert_eq!(measure.name().parse(), Ok(measure));
        }
        assert_eq!("Bleu_4".parse(), Ok(M::Bleu4));
        assert!("meteor".parse::<CaptionMeasure>().unwrap_err().contains("bleu-pre"));
    }
}
