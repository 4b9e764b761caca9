//! CSV and TSV: a header line with the names of the columns, then a row a line.
//!
//! CSV may be separated by `,`, `;` or `|` (whichever the header has most of), quotes with `"`,
//! and a quoted field may run over several lines. TSV is read as it stands, because captions
//! contain lone quotes; only a field that can have been quoted by a writer of CSV (it begins and
//! ends with `"`, and has quotes inside, all of them doubled) is unquoted.

use std::io::Read;
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Trim};

use super::field::Columns;
use super::{Cell, Mapper};
use crate::format::{Confidence, Format, ReadOptions};
use crate::lines::{self, Lines};
use crate::{Error, Place, Result, Severity, Sink};

/// Values separated by commas, semicolons or bars.
pub(crate) struct Csv;

/// Values separated by tabs.
pub(crate) struct Tsv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "a table with a header line, separated by comma, semicolon or bar"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let path = &table(path, "csv");
        let header = header(path);
        let ours = separator(&header) != b'\t' && header.contains([',', ';', '|']);
        recognise(path, "csv", &header, separator(&header), ours)
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        let path = &table(path, "csv");
        read(path, options, separator(&header(path)), sink)
    }
}

impl Format for Tsv {
    fn name(&self) -> &'static str {
        "tsv"
    }

    fn about(&self) -> &'static str {
        "a table with a header line, separated by tabs; or a folder with captions.tsv"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let path = &table(path, "tsv");
        let header = header(path);
        recognise(path, "tsv", &header, b'\t', header.contains('\t'))
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        read(&table(path, "tsv"), options, b'\t', sink)
    }
}

/// The table that a path means: itself, or the captions in a folder, as Flickr30k comes.
fn table(path: &Path, end: &str) -> PathBuf {
    let inside = path.join(format!("captions.{end}"));
    if inside.is_file() { inside } else { path.to_path_buf() }
}

/// The header line, as text.
fn header(path: &Path) -> String {
    if !path.is_file() {
        return String::new();
    }
    let head = lines::head(path, 8 << 10);
    Lines::new(path, &head[..]).next().and_then(Result::ok).map_or_else(String::new, |line| line.1)
}

/// The separator that the header has most of; a comma where it has none.
fn separator(header: &str) -> u8 {
    let count = |mark: u8| header.bytes().filter(|&byte| byte == mark).count();
    b",;|\t"
        .iter()
        .copied()
        .rev()
        .max_by_key(|&mark| count(mark))
        .filter(|&m| count(m) > 0)
        .unwrap_or(b',')
}

/// Surely a table if its header names a picture; perhaps one if only the name says so.
fn recognise(path: &Path, end: &str, header: &str, separator: u8, ours: bool) -> Confidence {
    if ours {
        let names: Vec<String> = header
            .split(char::from(separator))
            .map(|name| name.trim().trim_matches('"').to_owned())
            .collect();
        if names.len() > 1 && Columns::find(&names, &[], path).is_ok() {
            return Confidence::Surely;
        }
    }
    let named = lines::plain_name(path).ends_with(&format!(".{end}"));
    if named && path.is_file() { Confidence::Perhaps } else { Confidence::No }
}

fn read(path: &Path, options: &ReadOptions, separator: u8, sink: &mut dyn Sink) -> Result<()> {
    let tabs = separator == b'\t';
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .quoting(!tabs)
        .flexible(true)
        .trim(if separator == b'|' { Trim::All } else { Trim::None })
        .has_headers(false)
        .from_reader(Text::open(path)?);
    let mut record = StringRecord::new();
    let mut next = |record: &mut StringRecord, sink: &mut dyn Sink| {
        let more = reader.read_record(record).map_err(|error| trouble(path, error))?;
        let text = reader.get_mut();
        text.lines.report(sink)?;
        let line = record.position().map(csv::Position::line);
        Ok::<_, Error>(more.then(|| (Place { line, ..Place::file(path) }, text.ends_quoted)))
    };
    if next(&mut record, sink)?.is_none() {
        return Err(Error::malformed(Place::file(path), "the file is empty")
            .with_hint("a table begins with a line that names its columns"));
    }
    let names: Vec<String> = record.iter().map(|name| field(name, tabs)).collect();
    let columns = Columns::find(&names, &options.columns, path)?;
    let mut mapper = Mapper::new(path, options);
    let mut open = None;
    while let Some((place, ends_quoted)) = next(&mut record, sink)? {
        // Only a quote that is never closed takes the file's last line end into its field.
        let is_open = !tabs && !ends_quoted && record.iter().next_back().is_some_and(ends_a_line);
        open = is_open.then(|| place.clone());
        let mut skip = |kind: &'static str, what: String| {
            mapper.findings.tell(sink, Severity::Skipped, kind, place.clone(), what)
        };
        if record.len() != names.len() {
            let what =
                format!("{} fields where the header has {}; left out", record.len(), names.len());
            skip("rows with more or fewer fields than the header", what)?;
            continue;
        }
        let cells: Vec<String> = record.iter().map(|text| field(text, tabs)).collect();
        if cells == names {
            skip("lines that repeat the header", "the header once more; left out".to_owned())?;
            continue;
        }
        mapper.row(&columns, cells.into_iter().map(Cell::Text).collect(), place, sink)?;
    }
    if let Some(place) = open {
        let what = "a quote is opened here and never closed: all that follows is in one field";
        mapper.findings.tell(sink, Severity::Skipped, "open quotes", place, what)?;
    }
    mapper.findings.finish(path, sink)
}

fn ends_a_line(field: &str) -> bool {
    field.ends_with('\n')
}

/// A field's text; in TSV without the quotes that a writer of CSV put around it.
fn field(text: &str, tabs: bool) -> String {
    let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside {
        Some(inside) if tabs && inside.contains('"') => {
            let plain = inside.replace("\"\"", "\u{0}");
            if plain.contains('"') { text.to_owned() } else { plain.replace('\u{0}', "\"") }
        }
        _ => text.to_owned(),
    }
}

fn trouble(path: &Path, error: csv::Error) -> Error {
    let line = error.position().map(csv::Position::line);
    let place = Place { line, ..Place::file(path) };
    match error.into_kind() {
        csv::ErrorKind::Io(source) => Error::Io { place, source },
        other => Error::malformed(place, format!("{other:?}")),
    }
}

/// The lines of a file as bytes of UTF-8, so that CSV gets what every text reader gets.
struct Text {
    lines: Lines<Box<dyn Read + Send>>,
    ready: Vec<u8>,
    given: usize,
    number: u64,
    /// Whether the last line with anything on it ends with a quote.
    ends_quoted: bool,
}

impl Text {
    fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            lines: Lines::open(path)?,
            ready: Vec::new(),
            given: 0,
            number: 0,
            ends_quoted: false,
        })
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            match self.lines.next_line() {
                Ok(Some(line)) => {
                    // Lines that were left out still count.
                    let skipped = line.number.saturating_sub(self.number + 1);
                    self.ready.extend(std::iter::repeat_n(b'\n', skipped as usize));
                    self.ready.extend_from_slice(line.text.as_bytes());
                    self.ready.push(b'\n');
                    self.number = line.number;
                    if !line.text.trim().is_empty() {
                        self.ends_quoted = line.text.trim_end().ends_with('"');
                    }
                }
                Ok(None) => return Ok(0),
                Err(Error::Io { source, .. }) => return Err(source),
                Err(other) => return Err(std::io::Error::other(other)),
            }
        }
        let given = buffer.len().min(self.ready.len() - self.given);
        buffer[..given].copy_from_slice(&self.ready[self.given..self.given + given]);
        self.given += given;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, Split};

    fn table(name: &str, text: &[u8]) -> Result<Collection> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let format: &dyn Format = if name.ends_with("tsv") { &Tsv } else { &Csv };
        assert_eq!(format.recognise(&path), Confidence::Surely, "{name}");
        let mut collection = Collection::new();
        format.read(&path, &ReadOptions::default(), &mut collection)?;
        Ok(collection)
    }

    #[test]
    fn a_row_for_every_caption_gives_each_item_once() {
        let text = b"image\tk\tcaption\tsplit\na.jpg\t0\tA \"dog\" runs.\ttrain\n\
            a.jpg\t1\t\"\"\"Run!\"\"\"\ttrain\nb.jpg\t0\t\"So!\"\tval\n";
        let all = table("t.tsv", text).unwrap();
        assert_eq!(all.items().len(), 2);
        let texts: Vec<&str> = all.captions().iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["A \"dog\" runs.", "\"Run!\"", "\"So!\""]);
        assert_eq!(all.captions()[1].id.as_str(), "a.jpg#1");
        assert_eq!(all.split_of(&"b.jpg".into()), Some(&Split::Dev));
        assert!(all.findings().is_empty());
    }

    #[test]
    fn quotes_bars_and_semicolons() {
        let text = b"file;tags;text\n\"a;1.jpg\";\"x; y\";\"Two\nlines; \"\"so\"\"\"\n";
        let all = table("t.csv", text).unwrap();
        assert_eq!(all.items()[0].id.as_str(), "a;1.jpg");
        assert_eq!(all.items()[0].metadata.tags, ["x", "y"]);
        assert_eq!(all.captions()[0].text, "Two\nlines; \"so\"");
        let all =
            table("t.csv", b"image_name| comment_number| comment\na.jpg| 0| A, b .\n").unwrap();
        assert_eq!(all.captions()[0].id.as_str(), "a.jpg#0");
        assert_eq!(all.captions()[0].text, "A, b .");
    }

    #[test]
    fn ragged_rows_are_left_out_with_their_line() {
        let all =
            table("t.csv", b"image,caption\na.jpg,A dog, running\nb.jpg,A cat\nc.jpg\n").unwrap();
        assert_eq!(all.captions().len(), 1);
        let lines: Vec<_> = all.findings().iter().map(|f| f.place.line).collect();
        assert_eq!(lines, [Some(2), Some(4)]);
        assert_eq!(all.findings()[0].what, "3 fields where the header has 2; left out");
    }

    #[test]
    fn odd_values_are_noted_with_line_and_field() {
        let text = b"image,lat,lon,width,height,split\na,91,0,3.0,x,train\na,1,2,,,test\n,,,,,\n";
        let all = table("t.csv", text).unwrap();
        let shown: Vec<String> = all
            .findings()
            .iter()
            .map(|f| {
                format!(
                    "{:?} {}: {}",
                    f.place.line.unwrap(),
                    f.place.field.as_ref().unwrap(),
                    f.what
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "2 latitude: 91, 0 is no place on the globe; left out",
                "2 height: `x` is no such number; left out",
                "3 split: a is in train already; test left out",
            ]
        );
        assert_eq!(all.items()[0].metadata.coordinates.unwrap().longitude, 2.0);
    }

    #[test]
    fn open_quotes_and_repeated_headers_are_told() {
        let text = b"image,caption\na.jpg,A dog\nimage,caption\nb.jpg,\"A cat\nc.jpg,A cow\n";
        let all = table("t.csv", text).unwrap();
        let told: Vec<_> =
            all.findings().iter().map(|f| (f.place.line.unwrap(), &f.what[..12])).collect();
        assert_eq!(told, [(3, "the header o"), (4, "a quote is o")]);
        // A quoted text may well end with a line end.
        let all = table("t.csv", b"image,caption\na.jpg,\"A dog\n\"\n").unwrap();
        assert!(all.findings().is_empty(), "{:?}", all.findings());
    }

    #[test]
    fn a_size_in_bytes_is_no_picture() {
        let text = b"id\tsplit\tbytes\n1000\ttrain\t3497\n1003\ttrain\t5078\n";
        let all = table("photos.tsv", text).unwrap();
        assert!(all.items().iter().all(|item| item.image == crate::ImageSource::Absent));
        assert!(all.findings().is_empty());
    }

    #[test]
    fn a_folder_with_captions_is_its_table() {
        let folder = tempfile::tempdir().unwrap();
        let text = "image\tk\tcaption\tsplit\na.jpg\t0\tA dog .\ttrain\n";
        std::fs::write(folder.path().join("captions.tsv"), text).unwrap();
        let format = crate::format::guess(folder.path()).unwrap();
        assert_eq!(format.name(), "tsv");
        let collection = Collection::read(folder.path()).unwrap();
        assert_eq!(collection.captions()[0].id.as_str(), "a.jpg#0");
    }

    #[test]
    fn what_repeats_is_counted() {
        let mut text = String::from("image,caption\n");
        for at in 0..25 {
            text += &format!("{at}.jpg\n");
        }
        let all = table("t.csv", text.as_bytes()).unwrap();
        assert_eq!(all.findings().len(), 11);
        assert!(all.findings()[10].what.starts_with("25 rows with more or fewer fields"));
    }

    #[test]
    fn other_encodings_are_read() {
        let all = table("t.csv", b"image,caption\na.jpg,caf\xe9\n").unwrap();
        assert_eq!(all.captions()[0].text, "caf\u{e9}");
        assert_eq!(all.findings().len(), 1);
    }
}
