//! JSON Lines: an object a line, its names the columns. This is also what `rebus convert` writes.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::field::Columns;
use super::{Cell, Mapper};
use crate::format::{Confidence, Format, ReadOptions};
use crate::lines::{self, Lines};
use crate::{Error, Result, Severity, Sink};

/// An object a line.
pub(crate) struct JsonLines;

/// Rows may differ in their columns; so many kinds of row are remembered.
const LAYOUTS: usize = 1024;

impl Format for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn about(&self) -> &'static str {
        "JSON Lines: an object a line; what `rebus convert --to jsonl` writes"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        if !path.is_file() {
            return Confidence::No;
        }
        let name = lines::plain_name(path);
        let named = [".jsonl", ".ndjson"].iter().any(|end| name.ends_with(end));
        let head = lines::head(path, 64 << 10);
        let mut rows = Lines::new(path, &head[..]).filter_map(Result::ok).map(|line| line.1);
        let first = rows.find(|line| !line.trim().is_empty()).unwrap_or_default();
        match serde_json::from_str::<Map<String, Value>>(&first) {
            // A whole JSON file on one line looks the same; a second line tells, or the name does.
            Ok(row) if named || rows.next().is_some_and(|line| line.starts_with('{')) => {
                let names: Vec<String> = row.keys().cloned().collect();
                match Columns::find(&names, &[], path) {
                    Ok(_) => Confidence::Surely,
                    Err(_) => Confidence::Perhaps,
                }
            }
            _ if named => Confidence::Perhaps,
            _ => Confidence::No,
        }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        let mut table = Table {
            path,
            options,
            mapper: Mapper::new(path, options),
            layouts: FxHashMap::default(),
            good: 0,
            trouble: None,
        };
        lines::for_each_line(path, sink, |line, sink| {
            if line.text.trim().is_empty() {
                return Ok(());
            }
            table.line(line, sink)
        })?;
        table.mapper.findings.finish(path, sink)?;
        match table.trouble {
            // Where no line was any good, the first trouble is the file's.
            Some(trouble) if table.good == 0 => Err(trouble),
            _ => Ok(()),
        }
    }
}

struct Table<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    mapper: Mapper,
    layouts: FxHashMap<Vec<String>, Columns>,
    good: u64,
    trouble: Option<Error>,
}

impl Table<'_> {
    fn line(&mut self, line: lines::Line<'_>, sink: &mut dyn Sink) -> Result<()> {
        let place = crate::Place::file(self.path).line(line.number);
        let row: Map<String, Value> = match serde_json::from_str(line.text) {
            Ok(row) => row,
            Err(error) => {
                let what = format!("not a JSON object: {}", reason(&error));
                return self.skip(Error::malformed(place, what), sink);
            }
        };
        let (names, cells): (Vec<String>, Vec<Cell>) =
            row.into_iter().map(|(name, value)| (name, Cell::from(value))).unzip();
        if !self.layouts.contains_key(&names) {
            let chosen: Vec<_> = self.chosen(&names);
            let columns = match Columns::find(&names, &chosen, self.path) {
                Ok(columns) => columns,
                Err(Error::Malformed { what, hint, .. }) => {
                    return self.skip(Error::Malformed { place, what, hint }, sink);
                }
                Err(other) => return Err(other),
            };
            if self.layouts.len() == LAYOUTS {
                self.layouts.clear();
            }
            self.layouts.insert(names.clone(), columns);
        }
        self.good += 1;
        match self.layouts.get(&names) {
            Some(columns) => self.mapper.row(columns, cells, place, sink),
            None => Ok(()),
        }
    }

    /// The chosen columns that this row has: a row may lack some, as long as it names a picture.
    fn chosen(&self, names: &[String]) -> Vec<(String, String)> {
        let here = self.options.columns.iter().filter(|(_, column)| names.contains(column));
        let here: Vec<_> = here.cloned().collect();
        if here.is_empty() { self.options.columns.clone() } else { here }
    }

    fn skip(&mut self, error: Error, sink: &mut dyn Sink) -> Result<()> {
        if let Error::Malformed { place, what, .. } = &error {
            let (findings, place) = (&mut self.mapper.findings, place.clone());
            let what = format!("{what}; left out");
            findings.tell(sink, Severity::Skipped, "lines left out", place, what)?;
        }
        self.trouble.get_or_insert(error);
        Ok(())
    }
}

/// What serde says, with the column only: the line is that of the file.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let bare = text.split(" at line ").next().unwrap_or_default();
    format!("{bare} at column {}", error.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    fn read(text: &str) -> Result<Collection> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        std::fs::write(&path, text).unwrap();
        let mut collection = Collection::new();
        JsonLines.read(&path, &ReadOptions::default(), &mut collection)?;
        Ok(collection)
    }

    #[test]
    fn rows_may_differ() {
        let all = read(concat!(
            "{\"file_name\": \"a.jpg\", \"captions\": [\"A dog.\", \"A hound.\"]}\n\n",
            "{\"key\": 7, \"text\": \"A cat.\", \"keywords\": [\"cat\"], \"extra\": {\"x\": 1}}\n",
        ))
        .unwrap();
        assert_eq!(all.items()[1].id.as_str(), "7");
        assert_eq!(all.captions()[1].id.as_str(), "a.jpg#1");
        assert_eq!(all.items()[1].keywords, ["cat"]);
    }

    #[test]
    fn bad_lines_are_left_out_with_line_and_column() {
        let all = read("{\"image\": \"a.jpg\"}\n{\"image\": \"b.j\n[1]\n{\"x\": 1}\n").unwrap();
        assert_eq!(all.items().len(), 1);
        let shown: Vec<_> =
            all.findings().iter().map(|f| (f.place.line.unwrap(), &f.what[..12])).collect();
        assert_eq!(shown, [(2, "not a JSON o"), (3, "not a JSON o"), (4, "no column na")]);
    }

    #[test]
    fn a_file_without_a_good_line_is_an_error() {
        let error = read("{\"x\": 1}\n{\"x\": 2}\n").unwrap_err();
        assert!(
            error.to_string().ends_with("t.jsonl:1: no column names the picture; there are: x")
        );
    }
}
