//! Words: plain, with an apostrophe, contracted, hyphenated, with a slash.

use super::abbreviations::acronym_end;
use super::lexer::Hit;
use super::scan::{FARTHEST, Scan};

/// Contractions written as one word, and where they come apart.
const FUSED: &[(&str, usize)] =
    &[("cannot", 3), ("gimme", 3), ("gonna", 3), ("gotta", 3), ("lemme", 3), ("wanna", 3)];

/// Words with an apostrophe that stay whole though no rule says so.
const WHOLE: &[&str] = &[
    "c'est",
    "c'mon",
    "cap'n",
    "dunkin'",
    "e'er",
    "ev'ry",
    "li'l",
    "nat'l",
    "nor'easter",
    "o'o",
    "ol'",
    "s'mores",
    "somethin'",
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
    let n = first - 1;
    if let Some(len) = negation(text, n).filter(|_| plain_before(text, i, n)) {
        return Some(if n > i { Hit::word(n).seeing(len) } else { Hit::clitic(n + len) });
    }
    if let Some(hit) = closed_clitic(text, end) {
        return Some(Hit::word(end).seeing(hit.end + 1 - end));
    }
    let fused = FUSED.iter().find(|(word, _)| word.len() == end - i && text.has(i, word));
    Some(match fused {
        Some((_, cut)) => Hit::word(i + cut).seeing(end - i - cut),
        None => Hit::word(end),
    })
}

/// Whether what stands before `n't` may do so: ASCII that does not end in another n.
fn plain_before(text: Scan<'_>, i: usize, n: usize) -> bool {
    let before = text.slice(i, n);
    before.is_ascii() && !before.ends_with(['n', 'N'])
}

/// The length of `n't` at `i`.
fn negation(text: Scan<'_>, i: usize) -> Option<usize> {
    if !matches!(text.byte(i), b'n' | b'N') {
        return None;
    }
    let mark = any_apostrophe(text, i + 1);
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

/// `O'Neil`: a capital, or one of a few small letters, then at least two letters; after D, L and O
/// digits too.
fn prefixed_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let digits = match text.byte(i) {
        b'I' | b'Y' => return None,
        b'd' | b'D' | b'l' | b'L' | b'o' | b'O' => true,
        b'A'..=b'Z' | b'n' => false,
        _ => return None,
    };
    let mark = any_apostrophe(text, i + 1);
    let from = i + 1 + mark;
    let one = |at: usize| if digits { text.alphanumeric(at) } else { text.letter(at) };
    let first = one(from);
    let second = one(from + first);
    if mark == 0 || first == 0 || second == 0 {
        return None;
    }
    Some(if digits { text.alphanumerics(from) } else { text.letters(from) })
}

/// `ma'am`, `Le'Ron`: a letter and a vowel before, a vowel or capital behind.
fn vowels_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let end = text.letters(i);
    let mark = any_apostrophe(text, end);
    let vowel = |b: u8| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u');
    let before = end > i + 1 && (vowel(text.byte(end - 1)) || text.has(end - 1, "y"));
    let behind = text.byte(end + mark);
    (mark > 0 && before && (vowel(behind) || behind.is_ascii_uppercase()))
        .then(|| text.letters(end + mark))
}

/// An apostrophe, or a mark that people type for one.
fn any_apostrophe(text: Scan<'_>, i: usize) -> usize {
    match text.char(i) {
        Some('`') => 1,
        Some('\u{91}') => 2,
        Some('\u{2018}' | '\u{201b}') => 3,
        _ => text.apostrophe(i),
    }
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
        return Some(Hit::plain(rest + 1));
    }
    closed_clitic(text, i).map(|hit| hit.seeing(1))
}

/// A clitic that no letter follows.
fn closed_clitic(text: Scan<'_>, i: usize) -> Option<Hit> {
    clitic(text, i).filter(|hit| text.ascii_letter(hit.end) == 0)
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
    hyphenated_end(text, i).map(Hit::word)
}

/// The end of a hyphenated word, of either kind.
fn hyphenated_end(text: Scan<'_>, i: usize) -> Option<usize> {
    joined_end(text, i).max(dotted_end(text, i))
}

/// Words of any script with hyphens or underscores.
fn joined_end(text: Scan<'_>, i: usize) -> Option<usize> {
    // Of the letters before an apostrophe only these three may stand in a hyphenated word.
    let prefixed = |at: usize| {
        let known = matches!(text.byte(at).to_ascii_lowercase(), b'd' | b'l' | b'o');
        known.then(|| prefixed_end(text, at)).flatten()
    };
    let first = prefixed(i).max(mixed_end(text, i))?;
    let hyphen = |at: usize| match text.char(at) {
        Some('-' | '_') => 1,
        Some('\u{58a}') => 2,
        Some('\u{2010}' | '\u{2011}') => 3,
        _ => 0,
    };
    let part = |at: usize| acronym_end(text, at).max(prefixed(at)).max(mixed_end(text, at));
    chain(first, hyphen, part)
}

/// ASCII words whose first part may have full stops and commas in it: `U.S.-led`, `1,000-foot`,
/// and also `red,well-made`.
fn dotted_end(text: Scan<'_>, i: usize) -> Option<usize> {
    if !text.byte(i).is_ascii_alphanumeric() {
        return None;
    }
    let inside = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b',');
    let first = i + (i..i + FARTHEST).take_while(|&at| inside(text.byte(at))).count();
    let plain = |at: usize| {
        let n = (at..).take_while(|&at| text.byte(at).is_ascii_alphanumeric()).count();
        (n > 0).then_some(at + n)
    };
    let hyphen = |at: usize| usize::from(text.byte(at) == b'-');
    chain(first, hyphen, |at| acronym_end(text, at).max(plain(at)))
}

/// The end of one or more parts, each behind a hyphen.
fn chain(
    first: usize,
    hyphen: impl Fn(usize) -> usize,
    part: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let mut end = first;
    loop {
        let next = Some(hyphen(end)).filter(|&n| n > 0).and_then(|n| part(end + n));
        match next {
            Some(next) => end = next,
            None => return (end > first).then_some(end),
        }
    }
}

/// Letters and digits, none of them a mark.
fn mixed_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let end = digit_word_end(text, i);
    (end > i).then_some(end)
}

/// Prefixes that keep the hyphen when nothing follows it.
pub(super) fn prefix(text: Scan<'_>, i: usize) -> Option<Hit> {
    let found = ["anti-", "pro-"].iter().find(|prefix| text.has(i, prefix))?;
    Some(Hit::plain(i + found.len()))
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

/// Capitals joined by an ampersand or plus sign: `AT&T`.
pub(super) fn joined_name(text: Scan<'_>, i: usize) -> Option<Hit> {
    let capitals = |at: usize| {
        let n = (at..).take_while(|&at| text.byte(at).is_ascii_uppercase()).count();
        (n > 0).then_some(at + n)
    };
    let joint = |at: usize| {
        if text.has(at, "&amp;") { 5 } else { usize::from(matches!(text.byte(at), b'&' | b'+')) }
    };
    chain(capitals(i)?, joint, capitals).map(Hit::ampersand)
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
