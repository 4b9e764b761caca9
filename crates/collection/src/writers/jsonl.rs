//! JSON Lines: a record a line, with the fields of a table's row. Everything goes through it, and
//! reading it again gives the same collection.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::{AtomicFile, Output, WriteOptions, Writer, Written, folder};
use crate::formats::table::Cell;
use crate::formats::table::row::{self, Named};
use crate::{Error, Item, ItemId, Record, Result, Sink, Split};

/// A record a line.
pub(super) struct JsonLines;

impl Writer for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn about(&self) -> &'static str {
        "JSON Lines, a record a line: takes everything"
    }

    fn create(&self, path: &Path, _options: &WriteOptions) -> Result<Box<dyn Output>> {
        let file = AtomicFile::create(path)?;
        let written = Written { path: path.to_path_buf(), ..Written::default() };
        let folder = folder(path).to_path_buf();
        Ok(Box::new(Lines {
            file,
            folder,
            waiting: None,
            items: FxHashSet::default(),
            written,
            trouble: None,
        }))
    }
}

struct Lines {
    file: AtomicFile,
    folder: PathBuf,
    /// The last item, in case its split follows: then both are one line.
    waiting: Option<Box<Item>>,
    items: FxHashSet<ItemId>,
    written: Written,
    trouble: Option<Error>,
}

impl Lines {
    fn put(&mut self, record: Record) -> Result<()> {
        match (record, self.waiting.take()) {
            (Record::Split(id, split), Some(item)) if item.id == id => {
                self.item(&item, Some(&split))
            }
            (record, waiting) => {
                waiting.map_or(Ok(()), |item| self.item(&item, None))?;
                self.other(record)
            }
        }
    }

    fn item(&mut self, item: &Item, split: Option<&Split>) -> Result<()> {
        self.written.items += u64::from(self.items.insert(item.id.clone()));
        self.line(row::of_item(item, split, &self.folder))
    }

    fn other(&mut self, record: Record) -> Result<()> {
        match record {
            Record::Item(item) => {
                self.waiting = Some(item);
                return Ok(());
            }
            Record::Caption(_) => self.written.captions += 1,
            Record::Topic(_) => self.written.topics += 1,
            Record::Judgement(_) => self.written.judgements += 1,
            Record::Split(..) | Record::Finding(_) => {}
        }
        row::of_record(&record, &self.folder).map_or(Ok(()), |row| self.line(row))
    }

    fn line(&mut self, row: Named) -> Result<()> {
        let row: Map<String, Value> =
            row.into_iter().map(|(field, cell)| (field.name().to_owned(), json(cell))).collect();
        let io = |source| Error::io(&self.written.path, source);
        serde_json::to_writer(&mut self.file, &row).map_err(|error| io(error.into()))?;
        self.file.write_all(b"\n").map_err(io)
    }
}

impl Sink for Lines {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        if self.trouble.is_none() {
            self.trouble = Self::put(self, record).err();
        }
        if self.trouble.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Output for Lines {
    fn finish(mut self: Box<Self>) -> Result<Written> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        if let Some(item) = self.waiting.take() {
            self.item(&item, None)?;
        }
        self.file.commit()?;
        Ok(self.written)
    }
}

/// A cell as JSON; bytes become base64, as JSON has no other way.
pub(super) fn json(cell: Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Text(text) => text.into(),
        Cell::Whole(number) => number.into(),
        Cell::Real(number) => number.into(),
        Cell::Bytes(bytes) => BASE64.encode(bytes).into(),
        Cell::List(cells) => cells.into_iter().map(json).collect(),
        Cell::Struct(parts) => {
            Value::Object(parts.into_iter().map(|(name, cell)| (name, json(cell))).collect())
        }
    }
}
