//! The signs of the language, in the forms that keyboards and word processors give them.

/// A minus at the start of a word: also the dashes that are made of it.
pub(crate) fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2212}' | '\u{ff0d}')
}

/// A quotation mark around a phrase. Any of them opens, any of them closes.
pub(crate) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}')
}

pub(crate) fn is_colon(c: char) -> bool {
    matches!(c, ':' | '\u{ff1a}')
}

pub(crate) fn is_open(c: char) -> bool {
    matches!(c, '(' | '\u{ff08}')
}

pub(crate) fn is_close(c: char) -> bool {
    matches!(c, ')' | '\u{ff09}')
}

pub(crate) fn is_plus(c: char) -> bool {
    matches!(c, '+' | '\u{ff0b}')
}

/// What stands between words, with what nobody can see.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// An apostrophe as word processors write it.
pub(crate) fn is_curly_apostrophe(c: char) -> bool {
    matches!(c, '\u{2018}' | '\u{2019}')
}

/// Words with one blank between.
pub(crate) fn plain_blanks(text: &str) -> String {
    let words: Vec<&str> = text.split(is_blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
