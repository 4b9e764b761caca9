//! Small tables from outside: judgements, or values by query, as comma- or tab-separated text.

use std::io::Read;
use std::path::Path;

use rebus_collection::{Error, Place, Result, lines};

/// What the first column of a table is called.
pub(crate) const ABOUT: [&str; 6] = ["unit", "item", "query", "topic", "id", "pair"];

/// A table of text: rows of equally many cells, each row with the line it stands on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    /// All rows, the header included where there is one.
    pub rows: Vec<Row>,
    path: std::path::PathBuf,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// Its cells, without blanks around them.
    pub cells: Vec<String>,
}

impl Table {
    /// Reads a table; tabs part the cells if the first line holds one, else semicolons if it holds
    /// one and no comma, else commas. Empty lines and lines that begin with `#` are passed over.
    pub fn read(path: &Path) -> Result<Self> {
        let mut bytes = Vec::new();
        lines::open(path)?.read_to_end(&mut bytes).map_err(|source| Error::io(path, source))?;
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let first = text
            .split(|&byte| byte == b'\n')
            .find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))
            .unwrap_or_default();
        let delimiter = match first {
            line if line.contains(&b'\t') => b'\t',
            line if line.contains(&b';') && !line.contains(&b',') => b';',
            _ => b',',
        };
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text);
        let mut table = Self { rows: Vec::new(), path: path.to_path_buf() };
        let mut record = csv::ByteRecord::new();
        let mut counted = (0, 1);
        loop {
            let begin = reader.position().byte() as usize;
            let line = line_at(text, begin, &mut counted);
            let more = reader
                .read_byte_record(&mut record)
                .map_err(|error| Error::malformed(table.place(line), error.to_string()))?;
            if !more {
                break;
            }
            let text = |cell: &[u8]| {
                String::from_utf8(cell.to_vec()).map_err(|_| {
                    Error::malformed(table.place(line), "the text is not UTF-8")
                        .with_hint("save the table as UTF-8")
                })
            };
            let cells = record.iter().map(text).collect::<Result<Vec<String>>>()?;
            if let Some(row) = table.rows.first().filter(|row| row.cells.len() != cells.len()) {
                let what =
                    format!("{} cells, but line {} has {}", cells.len(), row.line, row.cells.len());
                return Err(Error::malformed(table.place(line), what)
                    .with_hint("every line of a table has equally many cells"));
            }
            table.rows.push(Row { line, cells });
        }
        if table.rows.is_empty() {
            return Err(Error::malformed(Place::file(path), "the table is empty"));
        }
        Ok(table)
    }

    /// A line of the file.
    pub fn place(&self, line: u64) -> Place {
        Place::file(&self.path).line(line)
    }

    /// Takes the first row off, if it names the columns: if none of its cells is a number, or the
    /// first says what a row is about.
    pub fn take_header(&mut self) -> Option<Vec<String>> {
        let header = |row: &Row| {
            let first = row.cells.first().map(|cell| cell.to_ascii_lowercase());
            first.is_some_and(|first| ABOUT.contains(&first.as_str()))
                || row.cells.iter().all(|cell| cell.parse::<f64>().is_err())
        };
        if self.rows.first().is_some_and(header) {
            return Some(self.rows.remove(0).cells);
        }
        None
    }
}

/// The line of the first row at or after a byte: the reader passes over ends of lines, empty lines
/// and comments without counting them. `counted` is a byte and the line it is on, from before.
fn line_at(text: &[u8], begin: usize, counted: &mut (usize, u64)) -> u64 {
    let mut at = begin.min(text.len());
    loop {
        match text.get(at) {
            Some(b'\r' | b'\n') => at += 1,
            Some(b'#') => at += text[at..].iter().take_while(|&&byte| byte != b'\n').count(),
            _ => break,
        }
    }
    let ends = text[counted.0..at].iter().filter(|&&byte| byte == b'\n').count();
    *counted = (at, counted.1 + ends as u64);
    counted.1
}

/// A number in a cell; `None` where the cell says that there is none.
pub(crate) fn number(cell: &str) -> std::result::Result<Option<f64>, String> {
    if is_missing(cell) {
        return Ok(None);
    }
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Some(value)),
        Ok(_) => Err(format!("`{cell}` is not a finite number")),
        Err(_) => Err(format!("`{cell}` is no number")),
    }
}

/// Whether a cell says that there is no value: empty, `NA`, `null`, `-`, `*` or `.`.
pub(crate) fn is_missing(cell: &str) -> bool {
    matches!(cell, "" | "NA" | "N/A" | "na" | "null" | "None" | "-" | "*" | ".")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(text: &[u8]) -> Result<Table> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        Table::read(file.path())
    }

    #[test]
    fn separators_headers_and_comments() {
        let mut table =
            read(b"\xef\xbb\xbf# made by hand\nunit, x ,y\r\n\"a,b\",1,\r\n\nc,2,3").unwrap();
        assert_eq!(table.take_header().unwrap(), ["unit", "x", "y"]);
        assert_eq!(table.rows[0].cells, ["a,b", "1", ""]);
        assert_eq!((table.rows[0].line, table.rows[1].line), (3, 5));
        assert_eq!(read(b"a\t1,5\n").unwrap().rows[0].cells, ["a", "1,5"]);
        assert_eq!(read(b"a;1\n").unwrap().rows[0].cells, ["a", "1"]);
        assert_eq!(read(b"a,1\n").unwrap().take_header(), None);
        assert!(read(b"unit,1,2\na,3,4\n").unwrap().take_header().is_some());
    }

    #[test]
    fn faults_are_named() {
        let message = |text: &[u8]| read(text).unwrap_err().to_string();
        assert!(message(b"a,1\nb,2,3\n").ends_with(":2: 3 cells, but line 1 has 2"));
        assert!(message(b"a,1\n\xff,2\n").ends_with(":2: the text is not UTF-8"));
        assert!(message(b"\n# nothing\n").ends_with("the table is empty"));
        assert_eq!(number("NA"), Ok(None));
        assert!(number("nan").is_err() && number("1,5").is_err());
    }

    #[test]
    fn truncation_at_every_byte_is_no_panic() {
        let whole = "unit,x\n\"é,\n\",1\nb,2\n".as_bytes();
        for length in 0..whole.len() {
            let _ = read(&whole[..length]);
        }
    }
}
