//! Words that keep their full stop.
//!
//! Each is a fact about written English that was tried on the reference tokeniser; three kinds:
//! those that may end a sentence, so that a capital behind them means a second full stop; those
//! that something always follows (titles, ranks); and those that count only before a number.

use super::lexer::Hit;
use super::scan::Scan;
use super::web::tag;

/// Those that may end a sentence.
const FINAL: &[&str] = &[
    "al", "ala", "apr", "ariz", "assn", "aug", "bhd", "bldg", "blvd", "bros", "calif", "co",
    "colo", "conn", "corp", "cos", "ct", "dak", "dec", "esq", "est", "etc", "ext", "feb", "fla",
    "fri", "ga", "inc", "ind", "intl", "jan", "jr", "jul", "jun", "kan", "kans", "ky", "ltd",
    "mar", "md", "mich", "minn", "mo", "mon", "mont", "neb", "nev", "nov", "oct", "okla", "penn",
    "plc", "rd", "rt", "sep", "sept", "seq", "sq", "sr", "sys", "tel", "tenn", "thu", "thurs",
    "tue", "tues", "univ", "va", "vt", "wed", "wis", "wisc", "wyo",
];

/// Those that may end a sentence and are other words when they begin with a small letter.
const FINAL_CAPITAL: &[&str] =
    &["ark", "az", "del", "ill", "la", "mass", "miss", "ore", "pa", "tex", "wash"];

/// Those that may end a sentence and are not written in capitals.
const FINAL_NOT_UPPER: &[&str] = &["ppte", "ppty", "pte", "ptes", "pty", "ptys"];

/// Those that something follows.
const MIDDLE: &[&str] = &[
    "adj", "adm", "adv", "alex", "assoc", "asst", "atty", "attys", "ave", "brig", "capt", "cf",
    "cie", "cmdr", "col", "comdr", "cpl", "dept", "det", "dr", "drs", "elec", "ens", "ft", "gen",
    "gov", "govs", "hon", "insp", "invt", "jos", "lieut", "lt", "maj", "messrs", "mlle", "mme",
    "mr", "mrs", "ms", "msgr", "mt", "natl", "pfc", "ph", "pres", "prof", "profs", "pvt", "rep",
    "reps", "rev", "sen", "sens", "sfc", "sgt", "spc", "st", "ste", "supt", "supts", "treas", "vs",
    "wm",
];

/// Those that something follows and are not written in capitals.
const MIDDLE_NOT_UPPER: &[&str] = &["mfg", "mtg"];

/// Those before a number.
const NUMBERED: &[&str] = &["art", "ca", "fig", "figs", "no", "nos", "op", "pp", "prop"];

/// Words that begin a sentence, seen after an initial or an acronym.
const OPENERS: &[&str] = &[
    "a",
    "about",
    "according",
    "additionally",
    "after",
    "an",
    "as",
    "at",
    "but",
    "earlier",
    "he",
    "her",
    "here",
    "however",
    "if",
    "in",
    "it",
    "last",
    "many",
    "more",
    "now",
    "once",
    "one",
    "other",
    "our",
    "she",
    "since",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "then",
    "there",
    "these",
    "they",
    "this",
    "we",
    "what",
    "when",
    "while",
    "yet",
    "you",
];

/// The longest word in any of the lists.
const LONGEST: usize = 12;

fn listed(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// Whether white space and a word that begins a sentence follow at `i`.
fn sentence_opens(text: Scan<'_>, mut i: usize) -> bool {
    let from = i;
    while text.space(i) > 0 {
        i += text.space(i);
    }
    if let Some(hit) = tag(text, i) {
        return i > from && text.space(hit.end) > 0;
    }
    let end = text.ascii_letters(i);
    if i == from || end - i > LONGEST || !text.byte(i).is_ascii_uppercase() {
        return false;
    }
    text.space(end) > 0 && listed(OPENERS, &text.slice(i, end).to_ascii_lowercase())
}

/// Whether white space and a capital, or nothing at all, follow at `i`.
fn sentence_ends(text: Scan<'_>, mut i: usize) -> bool {
    let from = i;
    while text.space(i) > 0 {
        i += text.space(i);
    }
    let capital = text.char(i).is_some_and(char::is_uppercase);
    text.ended(i) || (i > from && (capital || tag(text, i).is_some()))
}

/// An abbreviation from the lists.
pub(super) fn abbreviation(text: Scan<'_>, i: usize) -> Option<Hit> {
    let end = text.ascii_letters(i);
    if text.byte(end) != b'.' || end - i < 2 || end - i > LONGEST {
        return None;
    }
    if let Some(len) = ["ph.d.", "ed.d."].iter().find(|d| text.has(i, d)).map(|d| d.len()) {
        return Some(final_abbreviation(text, i + len));
    }
    let word = text.slice(i, end);
    let lower = word.to_ascii_lowercase();
    let upper = word.bytes().all(|b| b.is_ascii_uppercase());
    let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    let stop = end + 1;
    if listed(FINAL, &lower)
        || (capital && listed(FINAL_CAPITAL, &lower))
        || (!upper && listed(FINAL_NOT_UPPER, &lower))
    {
        return Some(final_abbreviation(text, stop));
    }
    if listed(MIDDLE, &lower) || (!upper && listed(MIDDLE_NOT_UPPER, &lower)) {
        return Some(Hit::plain(stop));
    }
    let mut next = stop;
    while text.space(next) > 0 {
        next += text.space(next);
    }
    (listed(NUMBERED, &lower) && text.digit(next) > 0).then(|| Hit::plain(stop))
}

fn final_abbreviation(text: Scan<'_>, stop: usize) -> Hit {
    let hit = Hit::plain(stop).seeing(text.char(stop).map_or(0, char::len_utf8));
    if sentence_ends(text, stop) { hit.resuming(stop - 1) } else { hit }
}

/// Letters with a full stop each: `U.S.`, `p.m.`
pub(super) fn acronym(text: Scan<'_>, i: usize) -> Option<Hit> {
    let end = acronym_end(text, i)?;
    let hit = Hit::plain(end);
    Some(if sentence_opens(text, end) { hit.resuming(end - 1) } else { hit })
}

/// The end of two or more letters with a full stop each.
pub(super) fn acronym_end(text: Scan<'_>, i: usize) -> Option<usize> {
    let mut end = i;
    while text.ascii_letter(end) > 0 && text.byte(end + 1) == b'.' {
        end += 2;
    }
    (end >= i + 4).then_some(end)
}

/// A single letter with a full stop, unless a sentence begins behind it.
pub(super) fn initial(text: Scan<'_>, i: usize) -> Option<Hit> {
    if text.ascii_letter(i) == 0 || text.byte(i + 1) != b'.' || sentence_opens(text, i + 2) {
        return None;
    }
    Some(Hit::plain(i + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_the_search() {
        for list in
            [FINAL, FINAL_CAPITAL, FINAL_NOT_UPPER, MIDDLE, MIDDLE_NOT_UPPER, NUMBERED, OPENERS]
        {
            assert!(list.is_sorted());
            assert!(list.iter().all(|word| word.len() <= LONGEST));
        }
    }
}
