//! Plain words: letters and digits of any script, with apostrophes and hyphens inside.

use std::ops::Range;

/// A word's place in the text.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let inside = is_word(c)
            || (start.is_some() && joint(c).is_some() && next.is_some_and(char::is_alphanumeric));
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                spans.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| from..text.len()));
    spans
}

/// Letters, digits, and the marks that combine with them.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}')
}

/// Apostrophes and hyphens, as they are written in a word.
fn joint(c: char) -> Option<char> {
    match c {
        '\'' | '\u{2019}' => Some('\''),
        '-' | '\u{2010}' | '\u{2011}' => Some('-'),
        _ => None,
    }
}

/// The words of a text as they are written, apostrophes and hyphens made straight, soft hyphens
/// taken out. Nothing else is a token.
///
/// ```
/// let words = rebus_text::words::tokens("A man's T-shirt \u{2014} \u{201c}great\u{201d}!");
/// assert_eq!(words, ["A", "man's", "T-shirt", "great"]);
/// ```
pub fn tokens(text: &str) -> Vec<String> {
    let written = |span: Range<usize>| -> String {
        let word = text.get(span).unwrap_or("");
        word.chars().filter(|&c| c != '\u{ad}').map(|c| joint(c).unwrap_or(c)).collect()
    };
    spans(text).into_iter().map(written).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_signs_stay_and_outer_ones_go() {
        assert_eq!(
            tokens("'rock' -n- roll's, well-\u{2011}known"),
            ["rock", "n", "roll's", "well", "known"]
        );
        assert_eq!(tokens("don\u{2019}t x\u{2010}ray wa\u{ad}ter"), ["don't", "x-ray", "water"]);
        assert_eq!(
            tokens("caf\u{e9} cafe\u{301} \u{4eba}\u{4eec} 3rd 5,000"),
            ["café", "cafe\u{301}", "人们", "3rd", "5", "000"]
        );
        assert!(tokens(" -- ' \u{ad}").is_empty());
    }
}
