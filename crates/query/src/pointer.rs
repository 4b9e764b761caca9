//! A line with a mark under a place in it, for screens with columns.

use crate::error::Span;

/// How many columns are shown at most of the place, and on either side of it.
const COLUMNS: usize = 48;

/// The line of the text in which the place starts, and a line with `^~~~` under it. Long lines are
/// cut around the place; what would move the cursor or the direction of writing is left out.
pub(crate) fn point(text: &str, span: Span) -> (String, String) {
    let start = text.floor_char_boundary(span.start);
    let end = text.floor_char_boundary(span.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let end = end.min(line_end);

    let before = Clip::of(text[line_start..start].chars().rev());
    let inside = Clip::of(text[start..end].chars());
    let behind = Clip::of(text[end..line_end].chars());

    let mut line = String::from(before.dots());
    line.extend(before.text.chars().rev());
    line.push_str(&inside.text);
    line.push_str(inside.dots());
    if !inside.cut {
        line.push_str(&behind.text);
        line.push_str(behind.dots());
    }
    let mut mark = " ".repeat(before.columns + usize::from(before.cut));
    mark.push('^');
    mark.push_str(&"~".repeat(inside.columns.saturating_sub(1)));
    (line, mark)
}

/// As much of a text as fits.
struct Clip {
    text: String,
    columns: usize,
    cut: bool,
}

impl Clip {
    fn of(chars: impl Iterator<Item = char>) -> Self {
        let mut clip = Self { text: String::new(), columns: 0, cut: false };
        for c in chars.filter_map(shown) {
            let columns = clip.columns + width(c);
            if columns > COLUMNS || clip.text.len() > 8 * COLUMNS {
                clip.cut = true;
                break;
            }
            clip.columns = columns;
            clip.text.push(c);
        }
        clip
    }

    fn dots(&self) -> &'static str {
        if self.cut { "…" } else { "" }
    }
}

/// What is printed for a sign, if anything.
fn shown(c: char) -> Option<char> {
    match c {
        _ if c.is_whitespace() => Some(' '),
        _ if c.is_control() => None,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2060}'..='\u{2069}' | '\u{feff}' => None,
        _ => Some(c),
    }
}

/// How many columns a terminal gives to a sign: two to those of East Asia and to pictures, none to
/// accents that stand over the sign before. Ranges of Unicode, the rare ones left out.
fn width(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f
        | 0x0483..=0x0489
        | 0x0591..=0x05bd
        | 0x0610..=0x061a
        | 0x064b..=0x065f
        | 0x093c
        | 0x0941..=0x0948
        | 0x094d
        | 0x0e31
        | 0x0e34..=0x0e3a
        | 0x0e47..=0x0e4e
        | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff
        | 0x200c..=0x200d
        | 0x20d0..=0x20ff
        | 0x3099..=0x309a
        | 0xfe00..=0xfe0f
        | 0xfe20..=0xfe2f
        | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f
        | 0x231a..=0x231b
        | 0x23e9..=0x23ec
        | 0x2614..=0x2615
        | 0x2648..=0x2653
        | 0x26a1
        | 0x26bd..=0x26be
        | 0x26c4..=0x26c5
        | 0x2705
        | 0x2728
        | 0x274c
        | 0x2753..=0x2755
        | 0x2b50
        | 0x2e80..=0x303e
        | 0x3041..=0xa4cf
        | 0xa960..=0xa97f
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff01..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f18e
        | 0x1f191..=0x1f19a
        | 0x1f200..=0x1f64f
        | 0x1f680..=0x1f6ff
        | 0x1f900..=0x1f9ff
        | 0x1fa70..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointed(text: &str, part: &str) -> (String, String) {
        let start = text.find(part).unwrap();
        point(text, (start..start + part.len()).into())
    }

    #[test]
    fn the_mark_lies_under_the_place() {
        for (text, part, mark) in [
            ("a camra:b", "camra", "  ^~~~~"),
            ("犬 camra:b", "camra", "   ^~~~~"),
            ("犬と猫 (", "(", "       ^"),
            ("(犬", "犬", " ^~"),
            ("cafe\u{301} camra:b", "camra", "     ^~~~~"),
            ("🐕 \"x", "\"", "   ^"),
        ] {
            assert_eq!(pointed(text, part).1, mark, "{text}");
        }
    }

    #[test]
    fn the_end_and_beyond() {
        assert_eq!(point("ab", (2..2).into()), ("ab".into(), "  ^".into()));
        assert_eq!(point("ab", (7..9).into()), ("ab".into(), "  ^".into()));
        assert_eq!(point("", (0..0).into()), (String::new(), "^".into()));
        // Within a sign: from its start.
        assert_eq!(point("é", (1..2).into()), ("é".into(), "^".into()));
    }

    #[test]
    fn long_lines_are_cut_and_lines_told_apart() {
        let long = format!("{} camra:b {}", "x".repeat(500), "y".repeat(500));
        let (line, mark) = pointed(&long, "camra");
        assert!(line.starts_with('…') && line.ends_with('…'), "{line}");
        assert_eq!(line.chars().position(|c| c == 'c'), mark.find('^'));
        assert_eq!(pointed("a\nb camra:c\nd", "camra").0, "b camra:c");
    }

    #[test]
    fn nothing_moves_the_cursor() {
        let (line, mark) = pointed("a\u{1b}[2J\u{202e}\tb camra:c", "camra");
        assert_eq!((line.as_str(), mark.as_str()), ("a[2J b camra:c", "       ^~~~~"));
    }
}
