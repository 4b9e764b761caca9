//! Punctuation, quotation marks, dashes, brackets, faces and entities.

use super::lexer::Hit;
use super::scan::Scan;

/// Runs of the same kind of mark, brackets, and every other sign.
pub(super) fn mark(text: Scan<'_>, i: usize) -> Option<Hit> {
    let byte = text.byte(i);
    let same = |end: usize| (end..).take_while(|&at| text.byte(at) == byte).count();
    let one = |sign| Some(Hit::fixed(i + 1, sign));
    match byte {
        b'!' | b'?' => {
            let end = (i..).take_while(|&at| matches!(text.byte(at), b'!' | b'?')).count();
            Some(Hit::plain(i + end))
        }
        b'*' | b'_' | b'#' | b'@' => Some(Hit::plain(i + same(i))),
        b'-' => Some(match same(i) {
            1 if text.has(i, "-lrb-") || text.has(i, "-rrb-") => bracket_name(text, i),
            1 => Hit::plain(i + 1),
            n @ 2..=4 => Hit::fixed(i + n, "--"),
            n => Hit::plain(i + n),
        }),
        b'.' => Some(dots(text, i)),
        b'(' => one("-LRB-"),
        b')' => one("-RRB-"),
        b'[' => one("-LSB-"),
        b']' => one("-RSB-"),
        b'{' => one("-LCB-"),
        b'}' => one("-RCB-"),
        b'<' | b'>' => Some(Hit::plain(i + same(i).min(2))),
        b'&' => Some(entity(text, i).unwrap_or(Hit::plain(i + 1))),
        b'"' => Some(double_quote(text, i + 1)),
        b'\'' => Some(single_quote(text, i)),
        b'`' => Some(Hit::plain(i + same(i).min(2))),
        b if b.is_ascii_punctuation() => Some(Hit::plain(i + 1)),
        _ => beyond_ascii(text, i),
    }
}

/// `-LRB-` as others write it stays as it is.
fn bracket_name(text: Scan<'_>, i: usize) -> Hit {
    let upper = matches!(text.slice(i, i + 5), "-LRB-" | "-RRB-");
    Hit::plain(if upper { i + 5 } else { i + 1 })
}

/// Three to five full stops, or three with a blank between each, are one ellipsis.
fn dots(text: Scan<'_>, i: usize) -> Hit {
    for step in [1, 2] {
        let run = (0..5).take_while(|n| dot(text, i, step, *n)).count();
        if run >= 3 {
            return Hit::fixed(i + (run - 1) * step + 1, "...");
        }
    }
    Hit::plain(i + 1)
}

/// Whether the `n`th full stop from `i` is there, each `step` bytes on, with a blank between.
fn dot(text: Scan<'_>, i: usize, step: usize, n: usize) -> bool {
    let at = i + n * step;
    text.byte(at) == b'.' && (step == 1 || n == 0 || text.byte(at - 1) == b' ')
}

/// Opens before an ASCII letter, digit or dollar, closes elsewhere.
fn double_quote(text: Scan<'_>, end: usize) -> Hit {
    let next = text.byte(end);
    Hit::fixed(end, if next.is_ascii_alphanumeric() || next == b'$' { "``" } else { "''" })
}

/// Two are a double quotation mark; one opens before a letter that is not alone.
fn single_quote(text: Scan<'_>, i: usize) -> Hit {
    if text.byte(i + 1) == b'\'' {
        return Hit::plain(i + 2);
    }
    if text.ascii_letter(i + 1) > 0 && !text.ended(i + 2) && text.space(i + 2) == 0 {
        return Hit::fixed(i + 1, "`").seeing(2);
    }
    Hit::plain(i + 1)
}

/// Entities that stand for a mark, and numeric ones, which stay as they are.
fn entity(text: Scan<'_>, i: usize) -> Option<Hit> {
    const NAMED: &[(&str, &str)] = &[
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&apos;", "'"),
        ("&mdash;", "--"),
        ("&ndash;", "--"),
    ];
    if text.has(i, "&quot;") {
        return Some(double_quote(text, i + 6));
    }
    if let Some((name, sign)) = NAMED.iter().find(|(name, _)| text.has(i, name)) {
        return Some(Hit::fixed(i + name.len(), sign));
    }
    let digits = (i + 2..).take_while(|&at| text.byte(at).is_ascii_digit()).count();
    let closed = text.byte(i + 1) == b'#' && digits > 0 && text.byte(i + 2 + digits) == b';';
    closed.then(|| Hit::plain(i + 3 + digits))
}

fn quote_sign(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{91}' | '\u{2018}' | '\u{201b}' | '\u{2039}' => "`",
        '\u{92}' | '\u{2019}' | '\u{203a}' => "'",
        '\u{93}' | '\u{ab}' | '\u{201c}' => "``",
        '\u{94}' | '\u{bb}' | '\u{201d}' => "''",
        _ => return None,
    })
}

fn beyond_ascii(text: Scan<'_>, i: usize) -> Option<Hit> {
    let c = text.char(i)?;
    let end = i + c.len_utf8();
    if let Some(first) = quote_sign(c) {
        // Two curly marks in a row are one token.
        let second = text.char(end).and_then(|next| Some((next, quote_sign(next)?)));
        return Some(match second {
            Some((next, sign)) => Hit::pair(end + next.len_utf8(), first, sign),
            None => Hit::fixed(end, first),
        });
    }
    let sign = match c {
        '\u{96}' | '\u{97}' | '\u{2013}' | '\u{2014}' | '\u{2015}' => "--",
        '\u{ad}' => "-",
        '\u{2026}' => "...",
        '\u{bc}' => "1/4",
        '\u{bd}' => "1/2",
        '\u{be}' => "3/4",
        '\u{2153}' => "1/3",
        '\u{2154}' => "2/3",
        '\u{2044}' => "\u{2044}",
        _ if text.symbol(i) > 0 => return Some(Hit::plain(end)),
        _ => return None,
    };
    Some(Hit::fixed(end, sign))
}

/// Faces: `:)`, `;-P`, `^_^`, `(>_<)`.
pub(super) fn face(text: Scan<'_>, i: usize) -> Option<Hit> {
    upright(text, i).or_else(|| sideways(text, i))
}

fn sideways(text: Scan<'_>, i: usize) -> Option<Hit> {
    let eyes = if matches!(text.byte(i), b'<' | b'>') { i + 1 } else { i };
    if !matches!(text.byte(eyes), b':' | b';' | b'=') {
        return None;
    }
    let mouth = |at: usize| {
        let shaped = matches!(
            text.byte(at),
            b'(' | b')' | b'D' | b'P' | b'p' | b'O' | b'\\' | b'|' | b'@' | b'{' | b'[' | b']'
        );
        // Something must follow, and no letter or digit.
        shaped && !text.ended(at + 1) && !text.byte(at + 1).is_ascii_alphanumeric()
    };
    let nosed = matches!(text.byte(eyes + 1), b'\'' | b'o' | b'-') && mouth(eyes + 2);
    if nosed {
        return Some(Hit::bracketed(eyes + 3).seeing(1));
    }
    mouth(eyes + 1).then(|| Hit::bracketed(eyes + 2).seeing(1))
}

fn upright(text: Scan<'_>, i: usize) -> Option<Hit> {
    let eye = |b: u8| matches!(b, b'-' | b'^' | b'x' | b'=' | b'~' | b'<' | b'>' | b'\'');
    if text.byte(i) == b'(' {
        let nose = usize::from(matches!(text.byte(i + 2), b'_' | b'.' | b'-'));
        let wide = nose > 0 && eye(text.byte(i + 3)) && text.byte(i + 4) == b')';
        let end = if wide { i + 5 } else { i + 4 };
        let seen =
            eye(text.byte(i + 1)) && (wide || (eye(text.byte(i + 2)) && text.byte(i + 3) == b')'));
        return seen.then(|| Hit::bracketed(end));
    }
    let seen = eye(text.byte(i)) && text.byte(i + 1) == b'_' && eye(text.byte(i + 2));
    seen.then(|| Hit::plain(i + 3))
}
