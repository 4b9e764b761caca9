//! What a text says: tokenisers, normalisation, stop words, stems, lemmas and spelling, as small
//! stages that can be put one behind the other.
//!
//! For: turning captions, queries and metadata into words, in exactly the way a measure or a paper
//! asks for; for parts of speech; and for how alike words and descriptions are. Not for: parses,
//! other languages than English (the tokenisers take any script, the word lists do not), or
//! sub-word tokens of neural models.
//!
//! ```
//! use rebus_text::Analysis;
//!
//! // What BLEU and CIDEr are computed on.
//! let tokens = Analysis::captions().tokens("A man's T-shirt isn't white.");
//! assert_eq!(tokens, ["a", "man", "'s", "t-shirt", "is", "n't", "white"]);
//!
//! // A pipeline of one's own, and what each step of it does.
//! use rebus_text::compounds::Compounds;
//! use rebus_text::stage::LowerCase;
//! use rebus_text::stop_words::StopWords;
//! use rebus_text::Tokeniser;
//!
//! let analysis =
//!     Analysis::new(Tokeniser::Words).then(LowerCase).then(Compounds::table()).then(StopWords);
//! for step in analysis.steps("A Tee Shirt on the line") {
//!     let _ = format!("{}: {}", step.name, step.tokens.join(" "));
//! }
//! assert_eq!(analysis.tokens("A Tee Shirt on the line"), ["t-shirt", "line"]);
//! ```
//!
//! The way through: [`ptb`] and [`words`] cut a text into tokens; [`stage`] says what a stage is and
//! has the simplest ones; [`spelling`], [`compounds`], [`stop_words`], [`lemma`] and [`porter`] are
//! one stage each; [`Analysis`] puts them behind each other and has the papers' own pipelines by
//! name, [`Toolbox`] makes them from names; [`vocabulary`] counts words and gives their weight;
//! [`tagger`] gives parts of speech, [`wordnet`] senses; [`similarity`] says how alike two words are,
//! [`kernel`] two descriptions.

pub mod analysis;
pub mod compounds;
mod error;
pub mod kernel;
pub mod lemma;
pub mod porter;
pub mod ptb;
pub mod similarity;
pub mod spelling;
pub mod stage;
pub mod stop_words;
pub mod tagger;
pub mod toolbox;
pub mod vocabulary;
pub mod wordnet;
pub mod words;

pub use analysis::{Analysis, Tokeniser};
pub use error::{Error, Result};
pub use toolbox::Toolbox;
