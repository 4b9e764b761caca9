//! Numbers, fractions, telephone numbers, years without a century, money.

use super::lexer::Hit;
use super::scan::Scan;

/// A number with any separators, `1,000.50`, `10:30`, `.5`, and its sign.
pub(super) fn number(text: Scan<'_>, i: usize) -> Option<Hit> {
    let from = if matches!(text.byte(i), b'+' | b'-') { i + 1 } else { i };
    let mut end = text.digits(from);
    loop {
        let separator = match text.char(end) {
            Some('.' | ',' | ':') => 1,
            Some('\u{66b}' | '\u{66c}') => 2,
            _ => 0,
        };
        let next = text.digits(end + separator);
        if separator == 0 || next == end + separator {
            break;
        }
        end = next;
    }
    (end > from).then(|| Hit::word(end))
}

/// A fraction, alone or behind a whole number: `1/2`, `2 1/2`, `2-1/2`.
pub(super) fn fraction(text: Scan<'_>, i: usize) -> Option<Hit> {
    let whole = group(text, i, 1, 4);
    let mixed = whole.filter(|&end| gap(text, end) > 0).and_then(|end| {
        let from = end + gap(text, end);
        simple_fraction(text, from)
    });
    mixed.or_else(|| simple_fraction(text, i)).map(Hit::spaced)
}

fn simple_fraction(text: Scan<'_>, i: usize) -> Option<usize> {
    let above = group(text, i, 1, 4)?;
    let slash = match text.char(above)? {
        '/' => 1,
        '\u{2044}' => 3,
        _ => return None,
    };
    group(text, above + slash, 1, 4)
}

/// A date: `12/25/2009`, `9-11-01`.
pub(super) fn date(text: Scan<'_>, i: usize) -> Option<Hit> {
    let joint = |at: usize| matches!(text.byte(at), b'-' | b'/').then_some(at + 1);
    let first = group(text, i, 1, 2).and_then(joint)?;
    let second = group(text, first, 1, 2).and_then(joint)?;
    group(text, second, 2, 4).map(Hit::plain)
}

/// The end of `least` to `most` ASCII digits at `i`, as many as there are.
fn group(text: Scan<'_>, i: usize, least: usize, most: usize) -> Option<usize> {
    let mut end = i;
    while end - i < most && text.byte(end).is_ascii_digit() {
        end += 1;
    }
    (end - i >= least).then_some(end)
}

/// What may stand between the groups of a telephone number: one blank, hard space or hyphen.
fn gap(text: Scan<'_>, i: usize) -> usize {
    match text.char(i) {
        Some(' ' | '-') => 1,
        Some('\u{a0}') => 2,
        _ => 0,
    }
}

/// A telephone number: `+44 20 7946 0958`, `212-555-0199`, `(212) 555-0199`; also `100 200 3000`.
pub(super) fn telephone(text: Scan<'_>, i: usize) -> Option<Hit> {
    if text.byte(i) == b'(' {
        let area = group(text, i + 1, 2, 3).filter(|&end| text.byte(end) == b')')?;
        let blank = if text.byte(area + 1) == b'-' { 0 } else { gap(text, area + 1) };
        return local(text, area + 1 + blank).map(Hit::spaced);
    }
    let from = if text.byte(i) == b'+' { i + 1 } else { i };
    let country = dialled(text, from)?;
    let area = dialled(text, country).and_then(|area| local(text, area));
    area.max(local(text, country)).map(Hit::spaced)
}

/// Two to four digits and a gap.
fn dialled(text: Scan<'_>, i: usize) -> Option<usize> {
    let end = group(text, i, 2, 4)?;
    Some(end + gap(text, end)).filter(|&next| next > end)
}

/// Three or four digits, an optional gap, three to five digits.
fn local(text: Scan<'_>, i: usize) -> Option<usize> {
    let mut best = None;
    for length in 3..=4 {
        if let Some(first) = group(text, i, length, length) {
            best = best.max(group(text, first + gap(text, first), 3, 5));
        }
    }
    best
}

/// A year or decade without its century: `'90s`, `'69 `.
pub(super) fn short_year(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mark = text.apostrophe(i);
    let digits = i + mark;
    if mark == 0 || !text.byte(digits).is_ascii_digit() || !text.byte(digits + 1).is_ascii_digit() {
        return None;
    }
    let decade = matches!(text.byte(digits), b'2'..=b'9')
        && text.byte(digits + 1) == b'0'
        && text.has(digits + 2, "s");
    if decade {
        return Some(Hit::plain(digits + 3));
    }
    (text.space(digits + 2) > 0).then(|| Hit::plain(digits + 2).seeing(1))
}

/// Signs of money, with the capitals of the country before a dollar: `US$`.
pub(super) fn money(text: Scan<'_>, i: usize) -> Option<Hit> {
    let mut end = i;
    while text.byte(end).is_ascii_uppercase() {
        end += 1;
    }
    if text.byte(end) == b'$' {
        return Some(Hit::plain(end + 1));
    }
    let c = text.char(i)?;
    let sign = match c {
        '\u{80}' | '\u{a4}' | '\u{20a0}' | '\u{20ac}' => "$",
        '\u{a3}' => "#",
        '\u{a2}' => "cents",
        _ => return None,
    };
    Some(Hit::fixed(i + c.len_utf8(), sign))
}
