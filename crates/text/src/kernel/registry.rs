//! The text kernels of the ranking-task paper's Table 11, by name: one table drives names, help
//! and reproduction.

use super::Weighting;
use crate::{Error, Result};

/// What is computed of two items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The F1 measure of two bags of words (section 3.1).
    F1,
    /// The cosine of two bags of words (section 3.4.1).
    Bag,
    /// Words and their ranks (section 3.4.2, equations 9 to 11).
    TagRank,
    /// Sequences of up to three words (section 3.4.3, equations 12 to 16; with a lexical similarity
    /// section 3.5.1, equations 17 to 21).
    Trigram,
}

/// Which captions of an item count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Captions {
    /// The first only: the paper chooses one "arbitrarily".
    First,
    /// All of them: merged into a document by bags of words, otherwise each with each.
    All,
}

/// Which lexical similarity a kernel takes its word kernel from (sections 3.5.2 to 3.5.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lexical {
    /// Lin's similarity over WordNet (equations 22 and 23).
    Lin,
    /// Distributional, from a background corpus: the paper's D_BNC (equation 24).
    Background,
    /// Distributional, from the training captions: D_ic (equation 24).
    Captions,
    /// The mean of both: D_BNC+ic (equation 26).
    BackgroundAndCaptions,
    /// Alignment of the captions of an image: A (equation 25).
    Alignment,
    /// The greater of A and D_BNC (equation 27).
    AlignmentOrBackground,
    /// The greater of A and D_ic (equation 27).
    AlignmentOrCaptions,
    /// The greater of A and D_BNC+ic (equation 27).
    AlignmentOrBoth,
}

/// A text kernel before it is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spec {
    /// What is computed.
    pub form: Form,
    /// Of which captions.
    pub captions: Captions,
    /// How words are weighted. TAGRANK weighs them itself.
    pub weighting: Weighting,
    /// The lexical similarity that [`Form::Trigram`] takes, if any.
    pub lexical: Option<Lexical>,
}

/// A text kernel of Table 11.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// What we call it.
    pub name: &'static str,
    /// How the paper's Table 11 writes it.
    pub paper: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// What it is.
    pub spec: Spec,
}

const fn kernel(
    name: &'static str,
    paper: &'static str,
    about: &'static str,
    (form, captions): (Form, Captions),
    weighting: Weighting,
    lexical: Option<Lexical>,
) -> Kernel {
    Kernel { name, paper, about, spec: Spec { form, captions, weighting, lexical } }
}

const F1: (Form, Captions) = (Form::F1, Captions::All);
const BAG: (Form, Captions) = (Form::Bag, Captions::All);
const TRI: (Form, Captions) = (Form::Trigram, Captions::All);
use Weighting::{Idf, Plain, SqrtIdf};

/// Every text kernel, in the order of Table 11. What is written in capitals there is so here; a
/// root is `sqrt`, a subscript stands behind a hyphen. `bnc` is the background corpus, which was the
/// British National Corpus in the paper.
#[rustfmt::skip]
pub static KERNELS: &[Kernel] = &[
    kernel("F1", "F1", "F1 of the words of all captions", F1, Plain, None),
    kernel("F1-idf", "F1^idf", "F1 of words, weighted by idf", F1, Idf, None),
    kernel("BoW1", "BoW1", "cosine of the words of one caption", (Form::Bag, Captions::First), Plain, None),
    kernel("TRI1", "TRI1", "word sequences of one caption", (Form::Trigram, Captions::First), Plain, None),
    kernel("BoW5", "BoW5", "cosine of the words of all captions", BAG, Plain, None),
    kernel("BoW5-idf", "BoW5^idf", "BoW5, weighted by idf", BAG, Idf, None),
    kernel("BoW5-sqrtidf", "BoW5^{sqrt idf}", "BoW5, weighted by the root of idf", BAG, SqrtIdf, None),
    kernel("TAGRANK", "TAGRANK", "words and their ranks", (Form::TagRank, Captions::All), Plain, None),
    kernel("TRI5", "TRI5", "word sequences of all captions, up to three words", TRI, Plain, None),
    kernel("TRI5-Lin", "TRI5_{Lin}", "TRI5 with Lin's similarity", TRI, Plain, Some(Lexical::Lin)),
    kernel("TRI5-Dbnc", "TRI5_{D_BNC}", "TRI5 with distributional similarity in a background corpus", TRI, Plain, Some(Lexical::Background)),
    kernel("TRI5-Dic", "TRI5_{D_ic}", "TRI5 with distributional similarity in the captions", TRI, Plain, Some(Lexical::Captions)),
    kernel("TRI5-Dbnc+ic", "TRI5_{D_BNC+ic}", "TRI5 with the mean of both distributional similarities", TRI, Plain, Some(Lexical::BackgroundAndCaptions)),
    kernel("TRI5-A", "TRI5_{A}", "TRI5 with similarity by alignment", TRI, Plain, Some(Lexical::Alignment)),
    kernel("TRI5-A-Dbnc", "TRI5_{A,D_BNC}", "TRI5 with the greater of A and Dbnc", TRI, Plain, Some(Lexical::AlignmentOrBackground)),
    kernel("TRI5-A-Dic", "TRI5_{A,D_ic}", "TRI5 with the greater of A and Dic", TRI, Plain, Some(Lexical::AlignmentOrCaptions)),
    kernel("TRI5-A-Dbnc+ic", "TRI5_{A,D_BNC+ic}", "TRI5 with the greater of A and Dbnc+ic", TRI, Plain, Some(Lexical::AlignmentOrBoth)),
    kernel("TRI5-sqrtidf", "TRI5^{sqrt idf}", "TRI5, weighted by the root of idf", TRI, SqrtIdf, None),
    kernel("TRI5-Dbnc-sqrtidf", "TRI5_{D_BNC}^{sqrt idf}", "TRI5-Dbnc, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::Background)),
    kernel("TRI5-Dic-sqrtidf", "TRI5_{D_ic}^{sqrt idf}", "TRI5-Dic, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::Captions)),
    kernel("TRI5-Dbnc+ic-sqrtidf", "TRI5_{D_BNC+ic}^{sqrt idf}", "TRI5-Dbnc+ic, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::BackgroundAndCaptions)),
    kernel("TRI5-A-sqrtidf", "TRI5_{A}^{sqrt idf}", "TRI5-A, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::Alignment)),
    kernel("TRI5-A-Dbnc-sqrtidf", "TRI5_{A,D_BNC}^{sqrt idf}", "TRI5-A-Dbnc, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::AlignmentOrBackground)),
    kernel("TRI5-A-Dic-sqrtidf", "TRI5_{A,D_ic}^{sqrt idf}", "TRI5-A-Dic, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::AlignmentOrCaptions)),
    kernel("TRI5SEM", "TRI5_{A,D_BNC+ic}^{sqrt idf}", "TRI5 with all similarities but Lin's, weighted by the root of idf", TRI, SqrtIdf, Some(Lexical::AlignmentOrBoth)),
];

/// The text kernel of this name, in capitals or not.
///
/// # Errors
/// If there is none.
pub fn kernel_named(name: &str) -> Result<&'static Kernel> {
    let found = KERNELS.iter().find(|kernel| kernel.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| Error::UnknownKernel(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_no_two_kernels_are_the_same() {
        for (at, kernel) in KERNELS.iter().enumerate() {
            assert_eq!(kernel_named(&kernel.name.to_lowercase()).unwrap().spec, kernel.spec);
            for other in &KERNELS[..at] {
                assert!(other.spec != kernel.spec && other.paper != kernel.paper);
                assert!(!other.name.eq_ignore_ascii_case(kernel.name));
            }
        }
        let error = kernel_named("TRI7").unwrap_err();
        assert!(error.is_wrong_usage());
        assert!(error.hint().unwrap().contains("TRI5SEM"));
    }
}
