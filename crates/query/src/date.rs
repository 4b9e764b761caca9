//! Days, and ranges of them.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::error::Problem;

/// A day of the calendar. Ordered by time; prints as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A day, if there is one by that name: years from 1 to 9999.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let fits = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of(year, month)).contains(&day);
        fits.then_some(Self { year, month, day })
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    pub fn day(self) -> u8 {
        self.day
    }

    /// The day before, if the calendar has one.
    fn previous(self) -> Option<Self> {
        let Self { year, month, day } = self;
        match (month, day) {
            (1, 1) => Self::new(year - 1, 12, 31),
            (_, 1) => Self::new(year, month - 1, days_of(year, month - 1)),
            _ => Self::new(year, month, day - 1),
        }
    }

    /// The day after, if the calendar has one.
    fn next(self) -> Option<Self> {
        let Self { year, month, day } = self;
        Self::new(year, month, day + 1)
            .or_else(|| Self::new(year, month + 1, 1))
            .or_else(|| Self::new(year + 1, 1, 1))
    }
}

fn days_of(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Days from the first to the last, both included; where one is missing, without end on that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct DateRange {
    /// The first day.
    pub first: Option<Date>,
    /// The last day.
    pub last: Option<Date>,
}

impl DateRange {
    /// Whether a day lies in the range.
    pub fn contains(&self, day: Date) -> bool {
        self.first.is_none_or(|first| first <= day) && self.last.is_none_or(|last| day <= last)
    }

    /// What `date:` takes: a year, month or day; a range of them; or `<`, `<=`, `>`, `>=` and one.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        if let Some((from, to)) = ends(text) {
            let first = if from.is_empty() { None } else { span(from)?.first };
            let last = if to.is_empty() { None } else { span(to)?.last };
            if first.is_none() && last.is_none() {
                return Err(Problem::NoDate(text.to_owned()));
            }
            if first.zip(last).is_some_and(|(first, last)| first > last) {
                return Err(Problem::Backwards { from: from.to_owned(), to: to.to_owned() });
            }
            return Ok(Self { first, last });
        }
        if let Some(text) = text.strip_prefix(">=") {
            return Ok(Self { last: None, ..span(text)? });
        }
        if let Some(text) = text.strip_prefix("<=") {
            return Ok(Self { first: None, ..span(text)? });
        }
        if let Some(text) = text.strip_prefix('>') {
            return Self::after(text);
        }
        if let Some(text) = text.strip_prefix('<') {
            return Self::before(text);
        }
        span(text.strip_prefix('=').unwrap_or(text))
    }

    /// All days before a year, month or day begins.
    pub(crate) fn before(text: &str) -> Result<Self, Problem> {
        let last = span(text)?.first.and_then(Date::previous);
        let none = || Problem::NoDay(text.to_owned());
        Ok(Self { first: None, last: Some(last.ok_or_else(none)?) })
    }

    /// All days after a year, month or day has ended.
    pub(crate) fn after(text: &str) -> Result<Self, Problem> {
        let first = span(text)?.last.and_then(Date::next);
        let none = || Problem::NoDay(text.to_owned());
        Ok(Self { first: Some(first.ok_or_else(none)?), last: None })
    }

    /// A bare word that is a range: `2019..2021`, `2019-05..`, `..2020-02-11`. `None` for a word
    /// that is something else, such as `wait..` or `2019...`.
    pub(crate) fn bare(word: &str) -> Option<Result<Self, Problem>> {
        let (from, to) = ends(word)?;
        let open = from.is_empty() || to.is_empty();
        let dots = word.len() - from.len() - to.len();
        let dated = |side: &str| side.is_empty() || looks_like_date(side);
        let meant = match (looks_like_date(from), looks_like_date(to)) {
            (false, false) => false,
            (true, true) => true,
            // Three dots after a year end a sentence.
            _ => (open && dots == 2) || (!open && (dated(from) || dated(to))),
        };
        meant.then(|| Self::parse(word))
    }
}

/// As short as it can be said: `2019`, `2019-05`, `2019..2021-05`, `..2020-02-11`.
impl fmt::Display for DateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let forms = |date: Date| {
            let Date { year, month, .. } = date;
            [format!("{year:04}"), format!("{year:04}-{month:02}"), date.to_string()]
        };
        let whole = |form: &String| span(form) == Ok(*self);
        if let Some(form) = self.first.and_then(|first| forms(first).into_iter().find(whole)) {
            return f.write_str(&form);
        }
        let end = |date: Option<Date>, of: fn(DateRange) -> Option<Date>| {
            let same = |form: &String| span(form).is_ok_and(|range| of(range) == date);
            date.and_then(|date| forms(date).into_iter().find(same)).unwrap_or_default()
        };
        let (first, last) =
            (end(self.first, |range| range.first), end(self.last, |range| range.last));
        write!(f, "{first}..{last}")
    }
}

/// Both sides of `..`, of `...`, or of the one sign that some keyboards make of three dots.
fn ends(text: &str) -> Option<(&str, &str)> {
    text.split_once("...").or_else(|| text.split_once('…')).or_else(|| text.split_once(".."))
}

/// Starts with a year, then ends or goes on with a month.
pub(crate) fn looks_like_date(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && text[4..].chars().all(|c| c.is_ascii_digit() || is_mark(c))
}

fn is_mark(c: char) -> bool {
    matches!(c, '-' | '/') || crate::marks::is_minus(c)
}

/// All days of a year, month or day.
fn span(text: &str) -> Result<DateRange, Problem> {
    let text = text.trim();
    let no_date = || Problem::NoDate(text.to_owned());
    let mut parts = text.split(is_mark);
    let year = parts.next().filter(|year| year.len() == 4).and_then(number).ok_or_else(no_date)?;
    let part = |part: Option<&str>| match part {
        None => Ok(None),
        Some(part) if part.len() <= 2 => number(part).map(Some).ok_or_else(no_date),
        // 2019-2021: years, not months.
        Some(part) if part.len() == 4 && number(part).is_some() => {
            Err(Problem::DashRange { from: year, to: part.to_owned() })
        }
        Some(_) => Err(no_date()),
    };
    let (month, day) = (part(parts.next())?, part(parts.next())?);
    if parts.next().is_some() {
        return Err(no_date());
    }
    let small = |number: u16| u8::try_from(number).unwrap_or(u8::MAX);
    let (first_month, last_month) = month.map_or((1, 12), |month| (small(month), small(month)));
    let last_day = || days_of(year, last_month);
    let (first_day, last_day) = day.map_or_else(|| (1, last_day()), |day| (small(day), small(day)));
    let first = Date::new(year, first_month, first_day);
    let last = Date::new(year, last_month, last_day);
    if first.is_none() || last.is_none() {
        return Err(Problem::NoDay(text.to_owned()));
    }
    Ok(DateRange { first, last })
}

fn number(digits: &str) -> Option<u16> {
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_of_what_people_write() {
        for (text, want) in [
            ("2019", "2019"),
            ("2020-02", "2020-02"),
            ("2020-02..2020-02-29", "2020-02"),
            ("2100-02", "2100-02"),
            ("2019-01", "2019-01"),
            ("2019-12", "2019-12"),
            ("2019/5/6", "2019-05-06"),
            ("2019-12-31", "2019-12-31"),
            ("2019-01-01", "2019-01-01"),
            ("2019–05", "2019-05"),
            ("2019..2021", "2019..2021"),
            ("2019…2021", "2019..2021"),
            ("2019...2021-05", "2019..2021-05"),
            ("2019-05-01..", "2019-05.."),
            ("..2020-02-11", "..2020-02-11"),
            (">2019", "2020.."),
            (">=2019", "2019.."),
            ("<2019", "..2018"),
            ("<=2019", "..2019"),
            ("<2019-03", "..2019-02"),
            (">2019-12-31", "2020.."),
            ("=2019", "2019"),
        ] {
            let range = DateRange::parse(text).map(|range| range.to_string());
            assert_eq!(range.as_deref(), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in ["2019-13", "2019-00", "2019-02-29", "0000", "<0001", ">9999"] {
            assert!(matches!(DateRange::parse(text), Err(Problem::NoDay(_))), "{text}");
        }
        for text in ["summer", "19", "20190506", "..", "2019-", "2019-1-1-1", "", "+2019", "a..b"] {
            assert!(matches!(DateRange::parse(text), Err(Problem::NoDate(_))), "{text}");
        }
        assert!(matches!(DateRange::parse("2021..2019"), Err(Problem::Backwards { .. })));
        assert!(matches!(DateRange::parse("2019-2021"), Err(Problem::DashRange { .. })));
    }

    #[test]
    fn words_that_are_no_range() {
        for word in ["2019", "wait..", "..", "...", "2019...", "1..5", "a..b", "2019-05", "…"] {
            assert_eq!(DateRange::bare(word), None, "{word}");
        }
        for word in ["2019..", "..2019", "2019..2020", "2019-13..", "2019..summer"] {
            assert!(DateRange::bare(word).is_some(), "{word}");
        }
    }

    #[test]
    fn a_day_lies_in_a_range() {
        let range = DateRange::parse("2019-05..2019-06").unwrap();
        assert!(range.contains(Date::new(2019, 5, 1).unwrap()));
        assert!(range.contains(Date::new(2019, 6, 30).unwrap()));
        assert!(!range.contains(Date::new(2019, 7, 1).unwrap()));
    }
}
