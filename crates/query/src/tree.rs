//! A query as a tree, and how it is written down again.

use std::fmt;

use serde::Serialize;

use crate::condition::{Condition, write_value};
use crate::error::Problem;
use crate::weight::Weight;

/// Words of the sentence, with their weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Words {
    /// The words, one blank between them.
    pub text: String,
    /// How much they count.
    pub weight: Weight,
}

/// A picture that what is looked for looks like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Example {
    /// The picture's file, as it was written.
    pub path: String,
    /// How much it counts.
    pub weight: Weight,
}

/// A part of a query.
///
/// Trees that a parser makes are in one form: no part of a kind lies directly in one of the same
/// kind, none has a single part only, and neighbouring words of the same weight are one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Node {
    /// All parts, side by side. Their words are one sentence. Without parts it asks for nothing.
    All(Vec<Node>),
    /// All parts, with `+` between. The words of each are a sentence of its own.
    Sum(Vec<Node>),
    /// One of the parts, with `OR` between.
    Any(Vec<Node>),
    /// What is left out.
    Not(Box<Node>),
    /// Words of the sentence.
    Words(Words),
    /// An example.
    Like(Example),
    /// Something that must hold.
    Is(Condition),
}

impl Node {
    pub(crate) fn word(text: String) -> Self {
        Self::Words(Words { text, weight: Weight::ONE })
    }

    pub(crate) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Self> = Vec::new();
        for part in parts {
            let parts = if let Self::All(parts) = part { parts } else { vec![part] };
            for part in parts {
                match (all.last_mut(), part) {
                    (Some(Self::Words(last)), Self::Words(words))
                        if last.weight == words.weight =>
                    {
                        last.text.push(' ');
                        last.text.push_str(&words.text);
                    }
                    (_, part) => all.push(part),
                }
            }
        }
        single(all, Self::All)
    }

    pub(crate) fn sum(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::Sum(parts) => parts,
            part => vec![part],
        });
        single(parts.collect(), Self::Sum)
    }

    pub(crate) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::Any(parts) => parts,
            part => vec![part],
        });
        single(parts.collect(), Self::Any)
    }

    /// What leaves this part out.
    pub(crate) fn left_out(self) -> Result<Self, Problem> {
        if let Self::Not(part) = self {
            return if part.is_scored() { Err(Problem::MixedExclusion) } else { Ok(*part) };
        }
        if !self.can_be_left_out() {
            return Err(Problem::MixedExclusion);
        }
        Ok(Self::Not(Box::new(self)))
    }

    /// The part with all weights in it times a weight.
    pub(crate) fn weighed(self, by: Weight) -> Result<Self, Problem> {
        let times = |weight: Weight| {
            let weight_text = || (weight.get() * by.get()).to_string();
            weight.times(by).ok_or_else(|| Problem::BadWeight { weight: weight_text() })
        };
        let each = |parts: Vec<Self>| -> Result<Vec<Self>, Problem> {
            parts.into_iter().map(|part| part.weighed(by)).collect()
        };
        Ok(match self {
            Self::All(parts) => Self::all(each(parts)?),
            Self::Sum(parts) => Self::sum(each(parts)?),
            Self::Any(parts) => Self::any(each(parts)?),
            Self::Not(part) => Self::Not(Box::new(part.weighed(by)?)),
            Self::Words(words) => {
                Self::Words(Words { weight: times(words.weight)?, text: words.text })
            }
            Self::Like(example) => {
                Self::Like(Example { weight: times(example.weight)?, path: example.path })
            }
            Self::Is(condition) => Self::Is(condition),
        })
    }

    /// Whether there are words or examples in it, by which photos are ranked.
    pub(crate) fn is_scored(&self) -> bool {
        match self {
            Self::All(parts) | Self::Sum(parts) | Self::Any(parts) => {
                parts.iter().any(Self::is_scored)
            }
            Self::Not(part) => part.is_scored(),
            Self::Words(_) | Self::Like(_) => true,
            Self::Is(_) => false,
        }
    }

    /// Whether a minus before it has a meaning. That a photo is not *both* like words and something
    /// else cannot be said by subtracting.
    fn can_be_left_out(&self) -> bool {
        if !self.is_scored() {
            return true;
        }
        match self {
            Self::Any(parts) => parts.iter().all(Self::can_be_left_out),
            Self::All(parts) => parts.iter().all(Self::is_words_only),
            Self::Sum(_) | Self::Not(_) => false,
            Self::Words(_) | Self::Like(_) | Self::Is(_) => true,
        }
    }

    fn is_words_only(&self) -> bool {
        match self {
            Self::Words(_) => true,
            Self::Any(parts) | Self::All(parts) => parts.iter().all(Self::is_words_only),
            _ => false,
        }
    }

    /// Every condition in it, to be changed.
    pub(crate) fn conditions_mut(&mut self, change: &mut impl FnMut(&mut Condition)) {
        match self {
            Self::All(parts) | Self::Sum(parts) | Self::Any(parts) => {
                parts.iter_mut().for_each(|part| part.conditions_mut(change));
            }
            Self::Not(part) => part.conditions_mut(change),
            Self::Is(condition) => change(condition),
            Self::Words(_) | Self::Like(_) => {}
        }
    }

    /// Writes it where only a single term can stand: behind a minus, or beside `OR`.
    fn write_term(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = match self {
            Self::Words(words) => words.weight != Weight::ONE || is_plain_word(&words.text),
            Self::All(_) | Self::Sum(_) | Self::Any(_) => false,
            Self::Not(_) | Self::Like(_) | Self::Is(_) => true,
        };
        if alone { write!(f, "{self}") } else { write!(f, "({self})") }
    }
}

/// A single part stands for itself.
fn single(mut parts: Vec<Node>, make: fn(Vec<Node>) -> Node) -> Node {
    match parts.pop() {
        Some(part) if parts.is_empty() => part,
        last => {
            parts.extend(last);
            make(parts)
        }
    }
}

/// A single word that can be taken for nothing else, whatever stands before it.
fn is_plain_word(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && !text.contains(' ')
}

/// The query that reads as this tree.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = |f: &mut fmt::Formatter<'_>, weight: Weight| {
            if weight == Weight::ONE { Ok(()) } else { write!(f, "{weight}:") }
        };
        match self {
            Self::All(parts) => join(f, parts, " ", |part, f| match part {
                Self::Sum(_) => write!(f, "({part})"),
                _ => part.fmt(f),
            }),
            Self::Sum(parts) => join(f, parts, " + ", Self::fmt),
            Self::Any(parts) => join(f, parts, " OR ", Self::write_term),
            Self::Not(part) => {
                f.write_str("-")?;
                part.write_term(f)
            }
            Self::Words(words) => {
                weight(f, words.weight)?;
                if words.weight == Weight::ONE || is_plain_word(&words.text) {
                    f.write_str(&words.text)
                } else {
                    write!(f, "({})", words.text)
                }
            }
            Self::Like(example) => {
                weight(f, example.weight)?;
                f.write_str("like:")?;
                write_value(f, &example.path)
            }
            Self::Is(condition) => condition.fmt(f),
        }
    }
}

fn join(
    f: &mut fmt::Formatter<'_>,
    parts: &[Node],
    between: &str,
    write: impl Fn(&Node, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        write(part, f)?;
    }
    Ok(())
}
