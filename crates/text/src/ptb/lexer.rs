//! The longest match of all rules at a place becomes the token; the earlier rule wins a tie.

use super::scan::{SOFT_HYPHEN, Scan};
use super::{abbreviations, marks, numbers, web, words};

/// What a rule found.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    /// Where the token ends.
    pub(super) end: usize,
    /// How far the rule looked: what the longest match is judged by.
    reach: usize,
    /// Where reading goes on.
    next: usize,
    form: Form,
}

/// How the found text is written.
#[derive(Clone, Copy)]
enum Form {
    /// As it is.
    Plain,
    /// Without soft hyphens.
    Word,
    /// With a straight apostrophe.
    Clitic,
    /// With `&` for its entity.
    Ampersand,
    /// With hard spaces for blanks, and named round brackets.
    Spaced,
    /// With named round brackets.
    Bracketed,
    /// As something else.
    Fixed(&'static str),
    /// As two things.
    Pair(&'static str, &'static str),
}

impl Hit {
    fn of(end: usize, form: Form) -> Self {
        Self { end, reach: end, next: end, form }
    }

    pub(super) fn plain(end: usize) -> Self {
        Self::of(end, Form::Plain)
    }

    pub(super) fn word(end: usize) -> Self {
        Self::of(end, Form::Word)
    }

    pub(super) fn clitic(end: usize) -> Self {
        Self::of(end, Form::Clitic)
    }

    pub(super) fn ampersand(end: usize) -> Self {
        Self::of(end, Form::Ampersand)
    }

    pub(super) fn spaced(end: usize) -> Self {
        Self::of(end, Form::Spaced)
    }

    pub(super) fn bracketed(end: usize) -> Self {
        Self::of(end, Form::Bracketed)
    }

    pub(super) fn fixed(end: usize, text: &'static str) -> Self {
        Self::of(end, Form::Fixed(text))
    }

    pub(super) fn pair(end: usize, first: &'static str, second: &'static str) -> Self {
        Self::of(end, Form::Pair(first, second))
    }

    /// The rule also saw `more` bytes behind the token.
    pub(super) fn seeing(self, more: usize) -> Self {
        Self { reach: self.end + more, ..self }
    }

    /// Reading goes on at `next`, within the token.
    pub(super) fn resuming(self, next: usize) -> Self {
        Self { next, ..self }
    }
}

type Rule = fn(Scan<'_>, usize) -> Option<Hit>;

/// All rules; of two with the same reach the earlier one wins.
const RULES: &[Rule] = &[
    web::tag,
    words::stopped,
    abbreviations::abbreviation,
    words::word,
    words::led_by_apostrophe,
    web::address,
    web::host,
    web::mail,
    web::file,
    web::handle,
    numbers::date,
    numbers::fraction,
    numbers::telephone,
    abbreviations::acronym,
    abbreviations::initial,
    words::apostrophe_word,
    words::elision,
    words::hyphenated,
    words::prefix,
    words::slashed,
    words::joined_name,
    words::signed_name,
    numbers::short_year,
    numbers::number,
    words::digit_word,
    numbers::money,
    marks::face,
    marks::mark,
    words::clitic,
];

/// A token before its case is settled.
pub(super) struct Found {
    /// Where it begins in the text.
    pub(super) start: usize,
    /// Where it ends in the text.
    pub(super) end: usize,
    /// How it is written.
    pub(super) text: String,
}

/// Reads the tokens that begin before `limit`; what is behind it only serves to look ahead.
pub(super) fn read(text: &str, limit: usize, mut token: impl FnMut(Found)) {
    let scan = Scan::new(text);
    let mut i = 0;
    while i < limit {
        if let Some(end) = simple_word(text.as_bytes(), i) {
            token(Found { start: i, end, text: scan.slice(i, end).to_owned() });
            i = end;
            continue;
        }
        if scan.space(i) > 0 {
            i += scan.space(i);
            continue;
        }
        let mut best: Option<Hit> = None;
        for rule in RULES {
            if let Some(hit) = rule(scan, i)
                && best.is_none_or(|b| hit.reach > b.reach)
            {
                best = Some(hit);
            }
        }
        match best {
            Some(hit) => {
                let text = write(scan.slice(i, hit.end), hit.form);
                token(Found { start: i, end: hit.end, text });
                i = hit.next.max(i + 1);
            }
            // A character no rule knows is dropped.
            None => i += scan.char(i).map_or(1, char::len_utf8),
        }
    }
}

/// The end of a plain word of ASCII letters with a blank or comma behind it, by far the commonest
/// case, which needs no rules.
fn simple_word(bytes: &[u8], i: usize) -> Option<usize> {
    let len = bytes.get(i..)?.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let end = i + len;
    let space = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\n'));
    let plain = len > 0
        && (space(end) || (bytes.get(end) == Some(&b',') && space(end + 1)))
        && !matches!(len, 5 | 6 if words::fused(bytes.get(i..end)?));
    plain.then_some(end)
}

fn write(text: &str, form: Form) -> String {
    let named = |c: char| match c {
        '(' => Some("-LRB-"),
        ')' => Some("-RRB-"),
        _ => None,
    };
    let mut out = String::with_capacity(text.len());
    match form {
        Form::Plain => out.push_str(text),
        Form::Fixed(sign) => out.push_str(sign),
        Form::Pair(first, second) => out.extend([first, second]),
        Form::Word if text.is_ascii() => out.push_str(text),
        Form::Word => {
            out.extend(text.chars().filter(|&c| c != SOFT_HYPHEN));
            if out.is_empty() {
                out.push('-');
            }
        }
        Form::Ampersand => return text.replace("&amp;", "&"),
        Form::Clitic => {
            for c in text.replace("&apos;", "'").chars() {
                out.push(match c {
                    '\u{2019}' | '\u{92}' => '\'',
                    '\u{2018}' | '\u{201b}' | '\u{91}' => '`',
                    c => c,
                });
            }
        }
        Form::Spaced | Form::Bracketed => {
            for c in text.chars() {
                match named(c) {
                    Some(name) => out.push_str(name),
                    None if c == ' ' && matches!(form, Form::Spaced) => out.push('\u{a0}'),
                    None => out.push(c),
                }
            }
        }
    }
    out
}
