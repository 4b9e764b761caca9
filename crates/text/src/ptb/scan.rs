//! Looking at a line from a byte position: what kind of character stands there and how long it is.
//!
//! All functions answer with a length in bytes, 0 for "not here", and never look outside the text,
//! so that rules can be written as plain walks.

use super::ranges::{DIGITS, LETTERS, MARKS, SYMBOLS};

/// A soft hyphen: invisible, allowed within words and numbers, taken out of tokens.
pub(super) const SOFT_HYPHEN: char = '\u{ad}';

/// How many bytes a rule looks ahead at most: longer than any address.
pub(super) const FARTHEST: usize = 2048;

/// A line of text, with whatever follows it.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

fn within(table: &[(u16, u16)], c: char) -> bool {
    let Ok(code) = u16::try_from(u32::from(c)) else { return false };
    let at = table.partition_point(|&(_, last)| last < code);
    table.get(at).is_some_and(|&(first, _)| first <= code)
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes() }
    }

    pub(super) fn slice(self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or("")
    }

    /// The byte at `i`, 0 behind the end.
    pub(super) fn byte(self, i: usize) -> u8 {
        self.bytes.get(i).copied().unwrap_or(0)
    }

    pub(super) fn ended(self, i: usize) -> bool {
        i >= self.bytes.len()
    }

    /// The character at `i`.
    pub(super) fn char(self, i: usize) -> Option<char> {
        match self.bytes.get(i) {
            Some(&b) if b < 0x80 => Some(char::from(b)),
            Some(_) => self.text.get(i..)?.chars().next(),
            None => None,
        }
    }

    /// Whether `word`, in lower case ASCII, stands at `i` in any case.
    pub(super) fn has(self, i: usize, word: &str) -> bool {
        self.bytes
            .get(i..i + word.len())
            .is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// A letter, mark, soft hyphen or accented-letter entity.
    pub(super) fn letter(self, i: usize) -> usize {
        match self.byte(i) {
            b'a'..=b'z' | b'A'..=b'Z' => 1,
            b'&' => self.letter_entity(i),
            b if b < 0x80 => 0,
            _ => match self.char(i) {
                Some(c) if c == SOFT_HYPHEN || within(LETTERS, c) || within(MARKS, c) => {
                    c.len_utf8()
                }
                _ => 0,
            },
        }
    }

    /// A letter that may also follow a digit within a word.
    pub(super) fn strict_letter(self, i: usize) -> usize {
        match self.char(i) {
            Some(c) if !c.is_ascii() && within(MARKS, c) => 0,
            _ => self.letter(i),
        }
    }

    pub(super) fn ascii_letter(self, i: usize) -> usize {
        usize::from(self.byte(i).is_ascii_alphabetic())
    }

    pub(super) fn digit(self, i: usize) -> usize {
        match self.byte(i) {
            b'0'..=b'9' => 1,
            b if b < 0x80 => 0,
            _ => match self.char(i) {
                Some(c) if within(DIGITS, c) => c.len_utf8(),
                _ => 0,
            },
        }
    }

    pub(super) fn alphanumeric(self, i: usize) -> usize {
        match self.letter(i) {
            0 => self.digit(i),
            n => n,
        }
    }

    /// The end of the run of letters and digits from `i`.
    pub(super) fn alphanumerics(self, mut i: usize) -> usize {
        loop {
            match self.alphanumeric(i) {
                0 => return i,
                n => i += n,
            }
        }
    }

    /// The end of the run of letters from `i`.
    pub(super) fn letters(self, mut i: usize) -> usize {
        loop {
            match self.letter(i) {
                0 => return i,
                n => i += n,
            }
        }
    }

    pub(super) fn ascii_letters(self, mut i: usize) -> usize {
        while self.byte(i).is_ascii_alphabetic() {
            i += 1;
        }
        i
    }

    /// The end of the run of digits from `i`; soft hyphens do not end it.
    pub(super) fn digits(self, mut i: usize) -> usize {
        loop {
            let n = self.digit(i);
            if n > 0 {
                i += n;
            } else if self.char(i) == Some(SOFT_HYPHEN) && self.digit(i + 2) > 0 {
                i += 2;
            } else {
                return i;
            }
        }
    }

    /// A straight or curly apostrophe, or its entity.
    pub(super) fn apostrophe(self, i: usize) -> usize {
        match self.byte(i) {
            b'\'' => 1,
            b'&' if self.has(i, "&apos;") => 6,
            b if b < 0x80 => 0,
            _ => match self.char(i) {
                Some('\u{2019}' | '\u{92}') => self.char(i).map_or(0, char::len_utf8),
                _ => 0,
            },
        }
    }

    /// White space: blanks, line ends, and the entity of the hard space.
    pub(super) fn space(self, i: usize) -> usize {
        match self.byte(i) {
            b' ' | b'\t'..=b'\r' => 1,
            b'&' if self.has(i, "&nbsp;") => 6,
            b if b < 0x80 => 0,
            _ => match self.char(i) {
                Some(c) if c.is_whitespace() => c.len_utf8(),
                _ => 0,
            },
        }
    }

    /// Whether a token of its own stands at `i`: a sign beyond ASCII.
    pub(super) fn symbol(self, i: usize) -> usize {
        match self.char(i) {
            Some(c) if within(SYMBOLS, c) => c.len_utf8(),
            _ => 0,
        }
    }

    fn letter_entity(self, i: usize) -> usize {
        if !matches!(self.byte(i + 1).to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u') {
            return 0;
        }
        ["acute;", "grave;", "uml;"].iter().find(|e| self.has(i + 2, e)).map_or(0, |e| e.len() + 2)
    }
}
