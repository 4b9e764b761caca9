//! Words: plain, with an apostrophe, contracted, hyphenated, with a slash.

use super::abbreviations::acronym_end;
use super::lexer::Hit;
use super::scan::Scan;

/// Contractions written as one word, and where they come apart.
const FUSED: &[(&str, usize)] =
    &[("cannot", 3), ("gimme", 3), ("gonna", 3), ("gotta", 3), ("lemme", 3), ("wanna", 3)];

/// Words with an apostrophe that stay whole though no rule says so.
const WHOLE: &[&str] = &[
    "c'est",
    "c'mon",
    "cap'n",
    "e'er",
    "ev'ry",
    "li'l",
    "nat'l",
    "nor'easter",
    "o'o",
    "ol'",
    "s'mores",
];

/// What follows an apostrophe in a clitic: `'s`, `'ll`.
const CLITICS: &[&str] = &["s", "m", "d", "ll", "re", "ve"];

/// Words that begin with an apostrophe.
const APHETIC: &[&str] = &["em", "till", "til", "cause"];

/// The end of a word, which may go on behind a single full stop, `!` or `?`: `foo.com`.
pub(super) fn word_end(text: Scan<'_>, i: usize) -> Option<usize> {
    if text.letter(i) == 0 {
        return None;
    }
    let mut end = text.alphanumerics(i);
    while matches!(text.byte(end), b'.' | b'!' | b'?') && text.letter(end + 1) > 0 {
        end = text.alphanumerics(end + 1);
    }
    Some(end)
}

/// A word, cut before `n't` and where fused words come apart.
pub(super) fn word(text: Scan<'_>, i: usize) -> Option<Hit> {
    let end = word_end(text, i)?;
    let first = text.alphanumerics(i);
    if let Some(len) = negation(text, first.saturating_sub(1)) {
        let from = first - 1;
        return Some(if from > i {
            Hit::word(from).seeing(len)
        } else {
            Hit::clitic(first - 1 + len)
        });
    }
    let fused = FUSED.iter().find(|(word, _)| word.len() == end - i && text.has(i, word));
    Some(match fused {
        Some((_, cut)) => Hit::word(i + cut).seeing(end - i - cut),
        None => Hit::word(end),
    })
}

/// The length of `n't` at `i`.
fn negation(text: Scan<'_>, i: usize) -> Option<usize> {
    if !matches!(text.byte(i), b'n' | b'N') {
        return None;
    }
    let mark = match text.char(i + 1)? {
        '`' => 1,
        '\u{2018}' | '\u{201b}' => 3,
        '\u{91}' => 2,
        _ => text.apostrophe(i + 1),
    };
    (mark > 0 && matches!(text.byte(i + 1 + mark), b't' | b'T')).then_some(mark + 2)
}

/// Letters and digits that begin with a digit: `3rd`, `5x5`.
pub(super) fn digit_word(text: Scan<'_>, i: usize) -> Option<Hit> {
    (text.digit(i) > 0).then(|| Hit::word(digit_word_end(text, i)))
}

fn digit_word_end(text: Scan<'_>, i: usize) -> usize {
    let mut end = i;
    loop {
        let n = text.digit(end).max(text.strict_letter(end));
        if n == 0 {
            return end;
        }
        end += n;
    }
}

/// Words with an apostrophe inside: `O'Neil`, `d'Artagnan`, `ma'am`.
pub(super) fn apostrophe_word(text: Scan<'_>, i: usize) -> Option<Hit> {
    let whole = WHOLE.iter().filter(|word| matches_apostrophised(text, i, word).is_some());
    let whole = whole.filter_map(|word| matches_apostrophised(text, i, word)).max();
    let end = whole.max(prefixed_end(text, i)).max(vowels_end(text, i))?;
    Some(Hit::word(end))
}

/// The end of `word` at `i` where its apostrophe may be of any kind.
fn matches_apostrophised(text: Scan<'_>, i: usize, word: &str) -> Option<usize> {
    let (head, tail) = word.split_once('\'')?;
    if !text.has(i, head) {
        return None;
    }
    let mark = text.apostrophe(i + head.len());
    let rest = i + head.len() + mark;
    (mark > 0 && text.has(rest, tail)).then_some(rest + tail.len())
}

/// `O'Neil`: a capital, or one of a few small letters, then at least two letters.
fn prefixed_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let head = match text.byte(i) {
        b'I' | b'Y' => return None,
        b'A'..=b'Z' | b'd' | b'l' | b'n' | b'o' => 1,
        b'q' if text.has(i + 1, "u") => 2,
        _ => return None,
    };
    let head = if text.byte(i) == b'Q' && text.has(i + 1, "u") { 2 } else { head };
    let mark = match text.byte(i + head) {
        b'`' if matches!(text.byte(i).to_ascii_lowercase(), b'd' | b'l' | b'o') => 1,
        _ => text.apostrophe(i + head),
    };
    let from = i + head + mark;
    let first = text.letter(from);
    (mark > 0 && first > 0 && text.letter(from + first) > 0).then(|| text.letters(from))
}

/// `ma'am`: vowels on both sides, and a letter before them.
fn vowels_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let end = text.letters(i);
    let vowel = |b: u8| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u');
    let mark = text.apostrophe(end);
    (mark > 0 && end > i + 1 && vowel(text.byte(end - 1)) && vowel(text.byte(end + mark)))
        .then(|| text.letters(end + mark))
}

/// What an apostrophe leads: clitics (`'s`), aphetic words (`'em`), `'n'`, `'t|is`.
pub(super) fn led_by_apostrophe(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mark = text.apostrophe(i);
    if mark == 0 {
        return None;
    }
    let rest = i + mark;
    if text.byte(i) == b'\'' && (text.has(rest, "tis") || text.has(rest, "twas")) {
        return Some(Hit::plain(rest + 1).seeing(if text.has(rest, "tis") { 2 } else { 3 }));
    }
    if let Some(word) = APHETIC.iter().find(|word| text.has(rest, word)) {
        return Some(Hit::plain(rest + word.len()));
    }
    if text.has(rest, "n") {
        let close = text.apostrophe(rest + 1);
        if close > 0 {
            return Some(Hit::plain(rest + 1 + close));
        }
        return (text.space(rest + 1) > 0).then(|| Hit::plain(rest + 1).seeing(1));
    }
    clitic(text, i).filter(|hit| text.ascii_letter(hit.end) == 0).map(|hit| hit.seeing(1))
}

/// A clitic whatever follows it.
pub(super) fn clitic(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mark = text.apostrophe(i);
    let found = CLITICS.iter().find(|tail| mark > 0 && text.has(i + mark, tail))?;
    Some(Hit::clitic(i + mark + found.len()))
}

/// The French article and its kin before another word: `d'`, `l'`, `j'`, and `y'` of `y'all`.
pub(super) fn elision(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mark = text.apostrophe(i + 1);
    if mark == 0 {
        return None;
    }
    let next = text.byte(i + 1 + mark).to_ascii_lowercase();
    let open = match text.byte(i).to_ascii_lowercase() {
        b'd' | b'l' | b'j' => !matches!(next, b'd' | b'm' | b's'),
        b'y' => next.is_ascii_alphabetic() && !matches!(next, b'd' | b'm' | b's'),
        _ => false,
    };
    open.then(|| Hit::plain(i + 1 + mark).seeing(2))
}

/// Hyphenated words: `t-shirt`, `U.S.-based`, `3.5-mile`, `jack_russell`.
pub(super) fn hyphenated(text: Scan<'_>, i: usize) -> Option<Hit> {
    let end = hyphenated_end(text, i)?;
    let dotted = text.byte(end - 1) == b'.';
    Some(if dotted { Hit::plain(end) } else { Hit::word(end) })
}

/// The end of a hyphenated word.
pub(super) fn hyphenated_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let first = first_part(text, i)?;
    let mut end = None;
    let mut here = first;
    loop {
        let hyphen = hyphen(text, here);
        if hyphen == 0 {
            return end;
        }
        let Some(next) = later_part(text, here + hyphen) else { return end };
        end = Some(next);
        here = next;
    }
}

fn hyphen(text: Scan<'_>, i: usize) -> usize {
    match text.char(i) {
        Some('-' | '_') => 1,
        Some('\u{58a}') => 2,
        Some('\u{2010}' | '\u{2011}') => 3,
        _ => 0,
    }
}

/// The first part may have full stops inside and one at its end, or be a number.
fn first_part(text: Scan<'_>, i: usize) -> Option<usize> {
    let bare = if text.digit(i) > 0 {
        let mut end = text.digits(i);
        while matches!(text.byte(end), b'.' | b',') && text.digit(end + 1) > 0 {
            end = text.digits(end + 1);
        }
        if hyphen(text, end) > 0 { end } else { digit_word_end(text, i) }
    } else {
        match acronym_end(text, i) {
            Some(end) if hyphen(text, end) > 0 => return Some(end),
            _ => prefixed_end(text, i).max(word_end(text, i))?,
        }
    };
    let dotted = text.byte(bare) == b'.' && hyphen(text, bare + 1) > 0 && text.digit(i) == 0;
    Some(if dotted { bare + 1 } else { bare })
}

fn later_part(text: Scan<'_>, i: usize) -> Option<usize> {
    let plain = text.alphanumerics(i);
    let plain = (plain > i).then_some(plain);
    acronym_end(text, i).max(prefixed_end(text, i)).max(plain)
}

/// Two or three words with slashes between them: `and/or`.
pub(super) fn slashed(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mut end = slash_part(text, i)?;
    let mut parts = 1;
    while parts < 3 && text.byte(end) == b'/' {
        let Some(next) = slash_part(text, end + 1) else { break };
        end = next;
        parts += 1;
    }
    (parts > 1).then(|| Hit::word(end))
}

fn slash_part(text: Scan<'_>, i: usize) -> Option<usize> {
    let mut end = i;
    while text.byte(end).is_ascii_alphanumeric() {
        end += 1;
    }
    if end == i {
        return None;
    }
    for _ in 0..2 {
        let next = text.ascii_letters(end + 1);
        if text.byte(end) != b'-' || next == end + 1 {
            break;
        }
        end = next;
    }
    Some(end)
}

/// Capitals joined by an ampersand: `AT&T`.
pub(super) fn ampersand_name(text: Scan<'_>, i: usize) -> Option<Hit> {
    let capitals = |mut at: usize| {
        while text.byte(at).is_ascii_uppercase() {
            at += 1;
        }
        at
    };
    let head = capitals(i);
    let mark = if text.has(head, "&amp;") { 5 } else { usize::from(text.byte(head) == b'&') };
    let end = capitals(head + mark);
    (head > i && mark > 0 && end > head + mark).then(|| Hit::ampersand(end))
}

/// A word or plain number that keeps its full stop because a comma, colon or semicolon follows.
pub(super) fn stopped(text: Scan<'_>, i: usize) -> Option<Hit> {
    let ends = [
        word_end(text, i),
        hyphenated_end(text, i),
        prefixed_end(text, i),
        (text.digit(i) > 0).then(|| digit_word_end(text, i)),
    ];
    let end = ends.into_iter().flatten().max()?;
    (text.byte(end) == b'.' && matches!(text.byte(end + 1), b',' | b';' | b':'))
        .then(|| Hit::word(end + 1).seeing(1))
}

/// Names of programming languages that end in signs.
pub(super) fn signed_name(text: Scan<'_>, i: usize) -> Option<Hit> {
    let end = match (text.byte(i).to_ascii_lowercase(), text.byte(i + 1), text.byte(i + 2)) {
        (b'c', b'+', b'+') => i + 3,
        (b'c' | b'f', b'#', _) => i + 2,
        _ => return None,
    };
    Some(Hit::plain(end))
}

/// Whether `word` is one that comes apart.
pub(super) fn fused(word: &[u8]) -> bool {
    FUSED.iter().any(|(fused, _)| word.eq_ignore_ascii_case(fused.as_bytes()))
}
