//! Dates as photos and data sets write them, brought into one form.
//!
//! `YYYY-MM-DD`, with `THH:MM:SS` where the time is known, and then an offset (`Z`, `+02:00`) where
//! that is known. EXIF writes colons between year, month and day, Flickr a blank before the time,
//! IPTC no marks at all.

/// The date in the common form; `None` where there is no whole day in it (cameras whose clock was
/// never set write zeros).
pub(crate) fn normalise(text: &str) -> Option<String> {
    let text = text.trim().trim_matches('\0').trim();
    let (day, rest) = take_day(text)?;
    let rest = rest.trim_start_matches(['T', 't', ' ']);
    Some(match take_time(rest) {
        Some((time, rest)) => {
            let zone = take_zone(rest.trim()).unwrap_or_default();
            format!("{day}T{time}{zone}")
        }
        None => day,
    })
}

/// Seconds since 1970 in the common form.
pub(crate) fn from_unix(seconds: i64) -> Option<String> {
    // Beyond the year 9999 it is no photo's time.
    if !(-62_135_596_800..253_402_300_800).contains(&seconds) {
        return None;
    }
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // The calendar repeats every 400 years (146,097 days); a year is counted from March, so that
    // the leap day is its last.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, month) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    Some(format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// So many digits at the start of a text, and what follows.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let head = text.get(..count)?;
    if !head.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((head.parse().ok()?, &text[count..]))
}

/// Drops one of the marks; without marks the next digits follow at once.
fn mark<'a>(text: &'a str, marks: &[char]) -> &'a str {
    text.strip_prefix(marks).unwrap_or(text)
}

fn take_day(text: &str) -> Option<(String, &str)> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(mark(rest, &['-', ':', '/', '.']), 2)?;
    let (day, rest) = digits(mark(rest, &['-', ':', '/', '.']), 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    (year > 0 && (1..=days).contains(&day))
        .then(|| (format!("{year:04}-{month:02}-{day:02}"), rest))
}

fn take_time(text: &str) -> Option<(String, &str)> {
    let (hour, rest) = digits(text, 2)?;
    let (minute, rest) = digits(mark(rest, &[':']), 2)?;
    let (second, rest) = digits(mark(rest, &[':']), 2).unwrap_or((0, rest));
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    (hour < 24 && minute < 60 && second < 61)
        .then(|| (format!("{hour:02}:{minute:02}:{second:02}"), rest))
}

fn take_zone(text: &str) -> Option<String> {
    if text.starts_with(['Z', 'z']) {
        return Some("Z".to_owned());
    }
    let sign = text.chars().next().filter(|sign| ['+', '-'].contains(sign))?;
    let (hour, rest) = digits(&text[1..], 2)?;
    let (minute, _) = digits(mark(rest, &[':']), 2).unwrap_or((0, rest));
    (hour < 24 && minute < 60).then(|| format!("{sign}{hour:02}:{minute:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_ways_to_write_a_date() {
        for (text, want) in [
            ("2008-05-06 12:32:00", "2008-05-06T12:32:00"),
            ("2008:05:06 12:32:09", "2008-05-06T12:32:09"),
            ("2008-05-06T12:32:09.25+02:00", "2008-05-06T12:32:09+02:00"),
            ("2008-05-06T12:32Z", "2008-05-06T12:32:00Z"),
            ("20080506", "2008-05-06"),
            ("20080506123209-0330", "2008-05-06T12:32:09-03:30"),
            ("2008-05-06", "2008-05-06"),
            (" 2008-02-29\0", "2008-02-29"),
            ("2008-05-06 99:00:00", "2008-05-06"),
        ] {
            assert_eq!(normalise(text).as_deref(), Some(want), "{text}");
        }
        for text in [
            "",
            "0000:00:00 00:00:00",
            "    :  :     :  :  ",
            "2007-02-29",
            "2008",
            "2008-13-01",
            "é008-01-01",
            "yesterday",
        ] {
            assert_eq!(normalise(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_since_1970() {
        assert_eq!(from_unix(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(from_unix(951_782_400).as_deref(), Some("2000-02-29T00:00:00Z"));
        assert_eq!(from_unix(-1).as_deref(), Some("1969-12-31T23:59:59Z"));
        assert_eq!(from_unix(1_541_251_625).as_deref(), Some("2018-11-03T13:27:05Z"));
        assert_eq!(from_unix(i64::MAX), None);
    }
}
