//! Stages: what is done to the tokens of a text, one thing each.

use std::fmt::Debug;

/// One step from tokens to tokens. A stage never fails and never looks at other texts.
pub trait Stage: Debug + Send + Sync {
    /// What the stage is called, on the command line too.
    fn name(&self) -> &'static str;

    /// Does the step.
    fn apply(&self, tokens: Vec<String>) -> Vec<String>;
}

/// The names of all stages, in the order in which they make sense.
pub const NAMES: &[&str] =
    &["lower", "spelling", "compounds", "hyphens", "strip", "stop-words", "lemma", "stem"];

/// Lower case.
#[derive(Debug, Clone, Copy, Default)]
pub struct LowerCase;

impl Stage for LowerCase {
    fn name(&self) -> &'static str {
        "lower"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        tokens
            .into_iter()
            .map(|mut token| {
                if token.is_ascii() {
                    token.make_ascii_lowercase();
                    token
                } else {
                    token.to_lowercase()
                }
            })
            .collect()
    }
}

/// Breaks hyphenated words into their parts.
#[derive(Debug, Clone, Copy, Default)]
pub struct BreakHyphens;

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// A bracket by its Treebank name, `-lrb-`, which is no hyphenated word.
fn is_bracket(token: &str) -> bool {
    const NAMES: [&str; 6] = ["-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"];
    token.len() == 5 && NAMES.iter().any(|name| token.eq_ignore_ascii_case(name))
}

impl Stage for BreakHyphens {
    fn name(&self) -> &'static str {
        "hyphens"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        let mut parts = Vec::with_capacity(tokens.len());
        for token in tokens {
            if token.contains(is_hyphen) && !is_bracket(&token) {
                let pieces = token.split(is_hyphen).filter(|part| !part.is_empty());
                parts.extend(pieces.map(str::to_owned));
            } else {
                parts.push(token);
            }
        }
        parts
    }
}

/// Takes everything out of tokens that is neither letter nor digit, and drops what has none.
#[derive(Debug, Clone, Copy, Default)]
pub struct StripSigns;

impl Stage for StripSigns {
    fn name(&self) -> &'static str {
        "strip"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        let mut kept = Vec::with_capacity(tokens.len());
        for mut token in tokens {
            if is_bracket(&token) {
                continue;
            }
            token.retain(char::is_alphanumeric);
            if !token.is_empty() {
                kept.push(token);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stage: impl Stage, text: &str) -> String {
        stage.apply(text.split(' ').map(str::to_owned).collect()).join(" ")
    }

    #[test]
    fn each_does_one_thing() {
        assert_eq!(run(LowerCase, "A CAFÉ"), "a café");
        assert_eq!(run(BreakHyphens, "well-known -- -lrb- semi- x"), "well known -lrb- semi x");
        assert_eq!(run(StripSigns, "'s n't -lrb- . 3.5 café"), "s nt 35 café");
    }
}
