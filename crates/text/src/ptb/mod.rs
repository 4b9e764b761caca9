//! The Penn-Treebank style tokeniser that the caption measures use.
//!
//! BLEU, ROUGE-L, CIDEr and their kin are published on tokens of one particular program: Stanford
//! CoreNLP 3.4.1's, with lower-casing, and with the punctuation tokens taken out afterwards. Other
//! tokens give other figures, so this module follows that program's behaviour, oddities included:
//! `can't` is `ca n't`, a bracket is the word `-lrb-`, `€` is `$`, `2 1/2` is one token with a hard
//! space, and an initial at the end of a line keeps its full stop unless the *next* line begins
//! like a sentence ([`Ptb::batch`] therefore sees all lines).
//!
//! It was written from observation: sentences went through the original, and the answers are kept
//! in `tests/reference/ptb.json` beside the script that asked for them.

mod abbreviations;
mod lexer;
mod marks;
mod numbers;
mod ranges;
mod scan;
mod web;
mod words;

use std::ops::Range;

/// Whether tokens that are only punctuation are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Punctuation {
    /// They are left out, as the caption measures do. Round brackets stay, as `-lrb-` and `-rrb-`:
    /// their list has these only in capitals, after lower-casing, so that they never match.
    #[default]
    Drop,
    /// They are kept.
    Keep,
}

/// Whether tokens are lower-cased.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// Lower case, as the caption measures have it.
    #[default]
    Lower,
    /// As written.
    Keep,
}

/// The punctuation tokens that the caption measures leave out, compared exactly.
const PUNCTUATION: &[&str] = &[
    "''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--",
    "...", ";",
];

/// How much of what follows a line is looked at: enough for the longest word that opens a sentence.
const AHEAD: usize = 32;

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The token as the tokeniser writes it.
    pub text: String,
    /// The bytes of the sentence it came from.
    pub span: Range<usize>,
}

/// The tokeniser. The default is what the caption measures use.
///
/// ```
/// use rebus_text::ptb::Ptb;
///
/// let tokens = Ptb::captions().tokens("A man's dog can't swim (yet).");
/// assert_eq!(tokens.join(" "), "a man 's dog ca n't swim -lrb- yet -rrb-");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ptb {
    punctuation: Punctuation,
    case: Case,
}

impl Ptb {
    /// What the caption measures use: lower case, without punctuation.
    pub const fn captions() -> Self {
        Self { punctuation: Punctuation::Drop, case: Case::Lower }
    }

    /// A tokeniser with a choice of punctuation and case.
    pub const fn new(punctuation: Punctuation, case: Case) -> Self {
        Self { punctuation, case }
    }

    /// The tokens of one sentence, as if another line followed that is no help.
    pub fn tokens(self, sentence: &str) -> Vec<String> {
        self.located(sentence).into_iter().map(|token| token.text).collect()
    }

    /// The tokens of one sentence with their places.
    pub fn located(self, sentence: &str) -> Vec<Token> {
        let mut line = String::with_capacity(sentence.len() + AHEAD);
        push_line(&mut line, sentence);
        // A small letter behind the line end: neither the end of all text nor a new sentence.
        line.push_str("\nx");
        self.read(&line, sentence.len())
    }

    /// The tokens of many sentences, each seen with the next one as the original does when it reads
    /// a file with a sentence a line.
    pub fn batch<S: AsRef<str>>(self, sentences: &[S]) -> Vec<Vec<String>> {
        let mut line = String::new();
        let mut all = Vec::with_capacity(sentences.len());
        for (i, sentence) in sentences.iter().enumerate() {
            let sentence = sentence.as_ref();
            line.clear();
            push_line(&mut line, sentence);
            for next in sentences.iter().skip(i + 1).map(AsRef::as_ref) {
                line.push('\n');
                let room = (sentence.len() + AHEAD).saturating_sub(line.len());
                let cut = (0..=room.min(next.len())).rev().find(|&at| next.is_char_boundary(at));
                push_line(&mut line, &next[..cut.unwrap_or(0)]);
                if line.len() >= sentence.len() + AHEAD {
                    break;
                }
            }
            let tokens = self.read(&line, sentence.len());
            all.push(tokens.into_iter().map(|token| token.text).collect());
        }
        all
    }

    fn read(self, line: &str, limit: usize) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(limit / 5 + 1);
        lexer::read(line, limit, |found| {
            let mut text = found.text;
            if self.case == Case::Lower {
                if text.is_ascii() {
                    text.make_ascii_lowercase();
                } else {
                    text = text.to_lowercase();
                }
            }
            let dropped =
                self.punctuation == Punctuation::Drop && PUNCTUATION.contains(&text.as_str());
            if !dropped {
                tokens.push(Token { text, span: found.start..found.end.min(limit) });
            }
        });
        tokens
    }
}

/// Appends `sentence` with its line ends made blanks of the same length.
fn push_line(line: &mut String, sentence: &str) {
    if sentence.bytes().any(|b| matches!(b, b'\n'..=b'\r')) {
        line.extend(sentence.chars().map(|c| if matches!(c, '\n'..='\r') { ' ' } else { c }));
    } else {
        line.push_str(sentence);
    }
}
