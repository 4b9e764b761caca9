//! Measures of a candidate caption against the captions people wrote.
//!
//! One file a measure; each says what it is, where it comes from, its range and what is undefined.
//! The ranking-task paper's measures work on any list of words:
//!
//! ```
//! use rebus_eval::captions::{unigram_bleu, unigram_rouge};
//!
//! let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
//! let references = [words("a dog runs"), words("a brown dog")];
//! assert_eq!(unigram_bleu(&words("a dog sleeps"), &references), Some(2.0 / 3.0));
//! assert_eq!(unigram_rouge(&words("a dog sleeps"), &references), Some(4.0 / 6.0));
//! ```

mod bleu;
mod bleu_pre;
mod caption_set;
pub(crate) mod cider;
mod document_frequency;
mod measure;
mod ngrams;
mod pair;
pub mod read;
mod reference_choice;
mod report;
mod rouge_l;
mod score;
mod unigram_bleu;
mod unigram_rouge;
mod word_map;
mod words;

pub(crate) use bleu::BleuReferences;
pub use bleu_pre::{BleuPre, PreVerdict};
pub use caption_set::CaptionSet;
pub(crate) use cider::Cider;
pub(crate) use document_frequency::DocumentFrequencies;
pub use document_frequency::TooSmall;
pub use measure::CaptionMeasure;
pub(crate) use ngrams::{Ngram, NgramCounts, NgramTable, ORDERS};
pub use pair::{Paired, Tokeniser, pair};
pub use reference_choice::ReferenceChoice;
pub use report::{TASK, report};
pub(crate) use rouge_l::rouge_l;
pub(crate) use score::bleu_order;
pub use score::{CaptionScores, CorpusScore, ImageScores, score};
pub use unigram_bleu::unigram_bleu;
pub use unigram_rouge::unigram_rouge;
pub(crate) use word_map::{WordMap, plain_words, stems};
pub(crate) use words::{Lexicon, Sentence, Word};

/// The words of a test's sentence.
#[cfg(test)]
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}
