//! The lines of a TREC file, split into fields, with their numbers.

use std::path::Path;

use crate::Result;
use crate::lines::Lines;

/// Gives the fields of each line that has any to `take`.
///
/// # Errors
/// If the file cannot be read, or `take` refuses a line.
pub(super) fn each_line<const N: usize>(
    path: &Path,
    mut take: impl FnMut(Fields<'_, N>) -> Result<()>,
) -> Result<()> {
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next_line()? {
        let fields = Fields::split(line.text, line.number);
        if fields.count > 0 && !fields.fields[0].starts_with('#') {
            take(fields)?;
        }
    }
    Ok(())
}

/// The first `N` fields of a line.
#[derive(Debug)]
pub(super) struct Fields<'a, const N: usize> {
    /// The fields; those that are not there are empty.
    pub(super) fields: [&'a str; N],
    /// How many fields the line has, those after the first `N` included.
    pub(super) count: usize,
    /// The line's number, from 1.
    pub(super) line: u64,
}

impl<'a, const N: usize> Fields<'a, N> {
    fn split(text: &'a str, line: u64) -> Self {
        let mut fields = [""; N];
        let mut count = 0;
        for field in text.split_ascii_whitespace() {
            if let Some(place) = fields.get_mut(count) {
                *place = field;
            }
            count += 1;
        }
        Self { fields, count, line }
    }
}
