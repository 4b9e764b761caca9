//! Addresses, handles, hashtags, mark-up.

use super::lexer::Hit;
use super::scan::{FARTHEST, Scan};

/// Top-level domains known without `http` or `www`.
const DOMAINS: &[&str] = &["com", "net", "org", "edu"];

/// Extensions that make a file name even behind a number.
const EXTENSIONS: &[&str] = &[
    "bat", "bmp", "c", "cgi", "class", "cpp", "dll", "doc", "docx", "exe", "gif", "gz", "h", "htm",
    "html", "jar", "java", "jpeg", "jpg", "mov", "mp3", "pdf", "php", "pl", "png", "ppt", "ps",
    "py", "sql", "tar", "txt", "wav", "x", "xml", "zip",
];

/// Characters that end an address.
fn closes(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '<' | '>' | '|' | '(' | ')' | '{' | '}')
}

/// The end of the characters that are `inside`. Not without bound: each rule looks from each place,
/// and a megabyte without a blank must not take a megabyte of steps at each.
fn run(text: Scan<'_>, i: usize, inside: impl Fn(char) -> bool) -> usize {
    let mut end = i;
    while let Some(c) = text.char(end).filter(|&c| end - i < FARTHEST && inside(c)) {
        end += c.len_utf8();
    }
    end
}

/// `http://` or `https://` and what belongs to it, without closing punctuation.
pub(super) fn address(text: Scan<'_>, i: usize) -> Option<Hit> {
    let from = i + ["http://", "https://"].iter().find(|s| text.has(i, s)).map(|s| s.len())?;
    let mut end = run(text, from, |c| !closes(c));
    // The last character must not be one that ends a sentence or clause.
    while end > from && matches!(text.byte(end - 1), b'.' | b',' | b'!' | b'?' | b'-') {
        end -= 1;
    }
    let body = text.slice(from, end);
    let joint = body.char_indices().skip(1).find(|&(_, c)| matches!(c, '.' | '/'));
    (joint.is_some() || body.starts_with('.')).then(|| Hit::plain(end))
}

/// A host without a scheme, and its path: `www.foo.org/bar`, `foo.com/bar`.
pub(super) fn host(text: Scan<'_>, i: usize) -> Option<Hit> {
    let end = if text.has(i, "www.") { www_end(text, i + 4) } else { domain_end(text, i) }?;
    let mut stop = run(text, end, |c| !closes(c));
    while stop > end && matches!(text.byte(stop - 1), b'.' | b',' | b'!' | b'?' | b'-') {
        stop -= 1;
    }
    let path = text.byte(end) == b'/' && text.slice(end, stop).chars().nth(2).is_some();
    Some(Hit::plain(if path { stop } else { end }))
}

/// The end of anything up to a full stop and letters, as far as it goes.
fn www_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let stop = run(text, i, |c| !closes(c) && c != ',');
    let mut found = None;
    for at in i + 1..stop {
        let end = text.ascii_letters(at + 1);
        if text.byte(at) == b'.' && end > at + 2 {
            found = Some(end);
        }
        if text.byte(at) == b'/' && found == Some(at) {
            break;
        }
    }
    found
}

/// The end of a name under one of the known domains. Its labels have no digits, and may have
/// signs that nobody would expect.
fn domain_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let label = |c: char| match c {
        '#' | '%' | '&' | '*' | '+' | '~' => true,
        c if c.is_ascii() => c.is_ascii_alphabetic(),
        c => !c.is_whitespace(),
    };
    let mut end = run(text, i, label);
    let mut found = None;
    while end > i && text.byte(end) == b'.' {
        let letters = text.ascii_letters(end + 1);
        if DOMAINS.iter().any(|d| d.len() == letters - end - 1 && text.has(end + 1, d)) {
            found = Some(letters);
        }
        let next = run(text, end + 1, label);
        if next == end + 1 {
            break;
        }
        end = next;
    }
    found
}

/// The name of a file, known by its extension: `20.doc`.
pub(super) fn file(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mut end = text.alphanumerics(i);
    let mut found = None;
    while end > i && text.byte(end) == b'.' && text.alphanumeric(end + 1) > 0 {
        let next = text.alphanumerics(end + 1);
        let extension = text.slice(end + 1, next).to_ascii_lowercase();
        if EXTENSIONS.binary_search(&extension.as_str()).is_ok() {
            found = Some(next);
        }
        end = next;
    }
    let open = |at: usize| text.space(at) > 0 || matches!(text.byte(at), b'.' | b',' | b'!' | b'?');
    found.filter(|&at| open(at)).map(Hit::word)
}

/// An electronic-mail address, read generously as the reference does.
pub(super) fn mail(text: Scan<'_>, i: usize) -> Option<Hit> {
    let bracketed = text.byte(i) == b'<';
    let from = if bracketed { i + 1 } else { i };
    let from = if text.has(from, "mailto:") { from + 7 } else { from };
    if !text.byte(from).is_ascii_alphanumeric() {
        return None;
    }
    let at = run(text, from, |c| !closes(c) && c != '@');
    if text.byte(at) != b'@' {
        return None;
    }
    let label = |c: char| !closes(c) && c != '.';
    let mut end = run(text, at + 1, label);
    if end == at + 1 {
        return None;
    }
    while text.byte(end) == b'.' {
        let next = run(text, end + 1, label);
        if next == end + 1 {
            break;
        }
        end = next;
    }
    let closed = text.byte(end) == b'>';
    (closed || !bracketed).then(|| Hit::plain(end + usize::from(closed)))
}

/// `@name` and `#topic`.
pub(super) fn handle(text: Scan<'_>, i: usize) -> Option<Hit> {
    match text.byte(i) {
        b'@' => {
            let first = text.byte(i + 1);
            let named = first.is_ascii_alphabetic() || first == b'_';
            named.then(|| Hit::plain(run(text, i + 1, |c| c.is_ascii_alphanumeric() || c == '_')))
        }
        b'#' => (text.letter(i + 1) > 0).then(|| Hit::word(text.letters(i + 1))),
        _ => None,
    }
}

/// A tag, comment or instruction of XML; blanks in it become hard spaces.
pub(super) fn tag(text: Scan<'_>, i: usize) -> Option<Hit> {
    if text.byte(i) != b'<' {
        return None;
    }
    if text.has(i, "<!--") {
        let end = run(text, i + 4, |c| c != '>' && c != '\n');
        return (text.byte(end) == b'>').then(|| Hit::spaced(end + 1));
    }
    let (from, closing) = match text.byte(i + 1) {
        b'/' => (i + 2, true),
        b'!' | b'?' => (i + 2, false),
        _ => (i + 1, false),
    };
    let mut end = name_end(text, from)?;
    if !closing {
        end = attributes_end(text, end);
    }
    end = blanks(text, end);
    if !closing && matches!(text.byte(end), b'/' | b'?') {
        end = blanks(text, end + 1);
    }
    (text.byte(end) == b'>').then(|| Hit::spaced(end + 1))
}

fn attributes_end(text: Scan<'_>, mut end: usize) -> usize {
    loop {
        let next = blanks(text, end);
        match name_end(text, next).filter(|_| next > end) {
            Some(attribute) => end = value_end(text, attribute).unwrap_or(attribute),
            None => return end,
        }
    }
}

fn blanks(text: Scan<'_>, i: usize) -> usize {
    run(text, i, |c| c == ' ')
}

fn name_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
    text.byte(i).is_ascii_alphabetic().then(|| run(text, i, named))
}

fn value_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let equals = blanks(text, i);
    if text.byte(equals) != b'=' {
        return None;
    }
    let from = blanks(text, equals + 1);
    let quote = text.char(from).filter(|c| matches!(c, '"' | '\''))?;
    let end = run(text, from + 1, |c| c != quote && c != '\n');
    (text.char(end) == Some(quote)).then_some(end + 1)
}
