//! Parquet: the rows that JSON Lines has, in columns. Pictures that came as bytes lie inside, in
//! the struct of `bytes` and `path` that Hugging Face's tables use.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use rustc_hash::FxHashSet;

use super::{AtomicFile, Output, WriteOptions, Writer, Written, folder};
use crate::formats::table::Cell;
use crate::formats::table::field::{FIELDS, Field};
use crate::formats::table::row::{self, Named};
use crate::{Error, ItemId, Record, Result, Sink};

/// A columnar table.
pub(super) struct Parquet;

/// A row group ends after so many rows, or so many bytes of pictures and texts.
const ROWS: usize = 20_000;
const BYTES: usize = 64 << 20;

impl Writer for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn about(&self) -> &'static str {
        "a Parquet table, a record a row: takes everything"
    }

    fn create(&self, path: &Path, _options: &WriteOptions) -> Result<Box<dyn Output>> {
        let trouble = |error: ParquetError| fault(path, error);
        let schema = Arc::new(parse_message_type(&schema()).map_err(trouble)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_dictionary_enabled("image.bytes".into(), false)
            .set_created_by(format!("rebus {}", env!("CARGO_PKG_VERSION")))
            .build();
        let file = AtomicFile::create(path)?;
        let file =
            SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(trouble)?;
        Ok(Box::new(Table {
            file,
            folder: folder(path).to_path_buf(),
            rows: Vec::new(),
            bytes: 0,
            items: FxHashSet::default(),
            written: Written { path: path.to_path_buf(), ..Written::default() },
            trouble: None,
        }))
    }
}

fn fault(path: &Path, error: ParquetError) -> Error {
    Error::io(path, std::io::Error::other(error))
}

/// How a field is stored.
enum Kind {
    Text,
    List,
    Whole,
    Real,
    Picture,
    /// Part of another column.
    Nothing,
}

fn kind(field: Field) -> Kind {
    match field {
        Field::Image => Kind::Picture,
        Field::Bytes | Field::Number => Kind::Nothing,
        Field::Keywords | Field::Tags | Field::Blobs => Kind::List,
        Field::Latitude | Field::Longitude => Kind::Real,
        Field::Width
        | Field::Height
        | Field::Regions
        | Field::Grade
        | Field::Yes
        | Field::No
        | Field::Cluster => Kind::Whole,
        _ => Kind::Text,
    }
}

fn schema() -> String {
    let columns: String = FIELDS
        .iter()
        .map(|&(field, name, _)| match kind(field) {
            Kind::Text => format!("optional binary {name} (UTF8);\n"),
            Kind::Whole => format!("optional int64 {name};\n"),
            Kind::Real => format!("optional double {name};\n"),
            Kind::List => format!(
                "optional group {name} (LIST) {{ repeated group list {{ \
                 optional binary element (UTF8); }} }}\n"
            ),
            Kind::Picture => format!(
                "optional group {name} {{ optional binary bytes; optional binary path (UTF8); }}\n"
            ),
            Kind::Nothing => String::new(),
        })
        .collect();
    format!("message rebus {{\n{columns}}}")
}

struct Table {
    file: SerializedFileWriter<AtomicFile>,
    folder: PathBuf,
    rows: Vec<Named>,
    bytes: usize,
    items: FxHashSet<ItemId>,
    written: Written,
    trouble: Option<Error>,
}

impl Table {
    fn put(&mut self, record: &Record) -> Result<()> {
        match record {
            Record::Item(item) => {
                self.written.items += u64::from(self.items.insert(item.id.clone()));
            }
            Record::Caption(_) => self.written.captions += 1,
            Record::Topic(_) => self.written.topics += 1,
            Record::Judgement(_) => self.written.judgements += 1,
            Record::Split(..) | Record::Finding(_) => {}
        }
        let Some(row) = row::of_record(record, &self.folder) else { return Ok(()) };
        self.bytes += row.iter().map(|(_, cell)| weight(cell)).sum::<usize>();
        self.rows.push(row);
        if self.rows.len() >= ROWS || self.bytes >= BYTES {
            self.group()?;
        }
        Ok(())
    }

    /// Writes the rows at hand as a row group.
    fn group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        if rows.is_empty() {
            return Ok(());
        }
        let mut write = || {
            let mut group = self.file.next_row_group()?;
            for &(field, ..) in FIELDS {
                column(&mut group, field, &rows)?;
            }
            group.close().map(|_| ())
        };
        let packed: Packed = write();
        packed.map_err(|error| fault(&self.written.path, error))
    }
}

fn weight(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        Cell::Bytes(bytes) => bytes.len(),
        _ => 8,
    }
}

/// How packing a column ended.
type Packed = std::result::Result<(), ParquetError>;

type Group<'a> = SerializedRowGroupWriter<'a, AtomicFile>;

/// The cell of a field in a row.
fn cell(row: &Named, field: Field) -> Option<&Cell> {
    row.iter().find(|(known, _)| *known == field).map(|(_, cell)| cell)
}

fn column(group: &mut Group<'_>, field: Field, rows: &[Named]) -> Packed {
    let cells = || rows.iter().map(|row| cell(row, field));
    match kind(field) {
        Kind::Nothing => Ok(()),
        Kind::Text => {
            let texts = cells().map(|cell| cell.and_then(Cell::text));
            simple::<ByteArrayType>(group, texts.map(|text| text.map(|t| t.as_str().into())))
        }
        Kind::Whole => simple::<Int64Type>(
            group,
            cells().map(|cell| match cell {
                Some(Cell::Whole(number)) => Some(*number),
                _ => None,
            }),
        ),
        Kind::Real => simple::<DoubleType>(
            group,
            cells().map(|cell| match cell {
                Some(Cell::Real(number)) => Some(*number),
                _ => None,
            }),
        ),
        Kind::List => lists(group, cells()),
        Kind::Picture => pictures(group, rows),
    }
}

/// A column with one value a row, or none.
fn simple<T: DataType>(group: &mut Group<'_>, cells: impl Iterator<Item = Option<T::T>>) -> Packed {
    let mut values = Vec::new();
    let levels: Vec<i16> = cells
        .map(|cell| {
            let level = i16::from(cell.is_some());
            values.extend(cell);
            level
        })
        .collect();
    write::<T>(group, &values, &levels, None)
}

/// A column of lists: level 0 is no list, 1 an empty one, 3 an element; a repetition goes on with
/// the list before it.
fn lists<'a>(group: &mut Group<'_>, cells: impl Iterator<Item = Option<&'a Cell>>) -> Packed {
    let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    for cell in cells {
        let texts = cell.map(Cell::texts);
        match texts.as_deref() {
            None | Some([]) => {
                levels.push(i16::from(texts.is_some()));
                repeats.push(0);
            }
            Some(texts) => {
                for (at, text) in texts.iter().enumerate() {
                    values.push(ByteArray::from(text.as_str()));
                    levels.push(3);
                    repeats.push(i16::from(at > 0));
                }
            }
        }
    }
    write::<ByteArrayType>(group, &values, &levels, Some(&repeats))
}

/// The two columns of the picture's struct: level 0 is no picture, 1 one without this part.
fn pictures(group: &mut Group<'_>, rows: &[Named]) -> Packed {
    for part in [Field::Bytes, Field::Image] {
        let mut values = Vec::new();
        let levels: Vec<i16> = rows
            .iter()
            .map(|row| match (cell(row, part), cell(row, Field::Bytes), cell(row, Field::Image)) {
                (Some(Cell::Bytes(bytes)), ..) => {
                    values.push(ByteArray::from(bytes.to_vec()));
                    2
                }
                (Some(Cell::Text(path)), ..) => {
                    values.push(ByteArray::from(path.as_str()));
                    2
                }
                (_, None, None) => 0,
                _ => 1,
            })
            .collect();
        write::<ByteArrayType>(group, &values, &levels, None)?;
    }
    Ok(())
}

fn write<T: DataType>(
    group: &mut Group<'_>,
    values: &[T::T],
    levels: &[i16],
    repeats: Option<&[i16]>,
) -> Packed {
    match group.next_column()? {
        Some(mut column) => {
            column.typed::<T>().write_batch(values, Some(levels), repeats)?;
            column.close()
        }
        None => Err(ParquetError::General("a column too many".into())),
    }
}

impl Sink for Table {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        if self.trouble.is_none() {
            self.trouble = Self::put(self, &record).err();
        }
        if self.trouble.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Output for Table {
    fn finish(mut self: Box<Self>) -> Result<Written> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        self.group()?;
        let file = self.file.into_inner().map_err(|error| fault(&self.written.path, error))?;
        file.commit()?;
        Ok(self.written)
    }
}
