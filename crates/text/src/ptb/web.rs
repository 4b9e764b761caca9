//! Addresses, handles, hashtags, mark-up.

use super::lexer::Hit;
use super::scan::Scan;

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

fn run(text: Scan<'_>, mut i: usize, inside: impl Fn(char) -> bool) -> usize {
    while let Some(c) = text.char(i).filter(|&c| inside(c)) {
        i += c.len_utf8();
    }
    i
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
    let end = if text.has(i, "www.") { www_end(text, i) } else { domain_end(text, i) }?;
    let path = text.byte(end) == b'/';
    let mut stop = run(text, end, |c| c.is_ascii() && !closes(c));
    if text.char(stop).is_some_and(|c| !c.is_whitespace() && !closes(c)) {
        stop = end;
    }
    while stop > end && matches!(text.byte(stop - 1), b'.' | b',' | b'!' | b'?' | b'-') {
        stop -= 1;
    }
    let long_enough = path && stop >= end + 3;
    if long_enough {
        return Some(Hit::plain(stop));
    }
    text.has(i, "www.").then(|| Hit::plain(end))
}

fn www_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let mut end = i + 3;
    let mut labels = 0;
    while text.byte(end) == b'.' {
        let next = label_end(text, end + 1);
        if next == end + 1 {
            break;
        }
        end = next;
        labels += 1;
    }
    (labels >= 2).then_some(end)
}

/// The end of letters, digits, hyphens and underscores, the last of them a letter or digit.
fn label_end(text: Scan<'_>, i: usize) -> usize {
    let mut end = i;
    let mut at = i;
    loop {
        let n = text.alphanumeric(at);
        if n > 0 {
            at += n;
            end = at;
        } else if matches!(text.byte(at), b'-' | b'_') {
            at += 1;
        } else {
            return end;
        }
    }
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

fn domain_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let mut end = text.alphanumerics(i);
    if text.letter(i) == 0 {
        return None;
    }
    let mut found = None;
    while text.byte(end) == b'.' && text.letter(end + 1) > 0 {
        let next = text.alphanumerics(end + 1);
        if DOMAINS.iter().any(|d| d.len() == next - end - 1 && text.has(end + 1, d)) {
            found = Some(next);
        }
        end = next;
    }
    found.filter(|&at| at == end)
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
    while !closing {
        let next = blanks(text, end);
        let Some(attribute) = name_end(text, next).filter(|_| next > end) else { break };
        end = value_end(text, attribute).unwrap_or(attribute);
    }
    end = blanks(text, end);
    if !closing && matches!(text.byte(end), b'/' | b'?') {
        end = blanks(text, end + 1);
    }
    (text.byte(end) == b'>').then(|| Hit::spaced(end + 1))
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
