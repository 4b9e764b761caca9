//! Parquet, one row group after the other. Pictures may lie inside, as Hugging Face's tables have
//! them: a struct of `bytes` and `path`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Value;
use parquet::record::reader::RowIter;

use super::field::Columns;
use super::{Cell, Mapper};
use crate::dates;
use crate::format::{Confidence, Format, ReadOptions};
use crate::{Error, Place, Result, Sink};

/// A columnar table.
pub(crate) struct Parquet;

/// So many rows are held at once: pictures are large.
const BATCH: usize = 64;

const MARK: &[u8; 4] = b"PAR1";

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn about(&self) -> &'static str {
        "a Parquet table, with pictures inside or beside it"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let mut mark = [0; 4];
        let read = path.is_file()
            && File::open(path).and_then(|mut file| file.read_exact(&mut mark)).is_ok();
        if read && mark == *MARK { Confidence::Surely } else { Confidence::No }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        // The library asserts some things of a file that a damaged one does not hold.
        catch_unwind(AssertUnwindSafe(|| read(path, options, sink))).unwrap_or_else(|_| {
            Err(Error::malformed(Place::file(path), "the file is damaged inside"))
        })
    }
}

fn read(path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    check_ends(path, &file)?;
    let reader = SerializedFileReader::new(file).map_err(|error| trouble(path, 0, &error))?;
    let schema = reader.metadata().file_metadata().schema();
    let names: Vec<String> =
        schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let columns = Columns::find(&names, &options.columns, path)?;
    let mut mapper = Mapper::new(path, options);
    let mut number = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(|e| trouble(path, number, &e))?;
        let rows = RowIter::from_row_group(None, group.as_ref())
            .map_err(|error| trouble(path, number, &error))?
            .with_batch_size(BATCH);
        for row in rows {
            number += 1;
            let row = row.map_err(|error| trouble(path, number, &error))?;
            let cells = row.into_columns().into_iter().map(|(_, value)| cell(value)).collect();
            mapper.row(&columns, cells, Place::file(path).line(number), sink)?;
        }
    }
    mapper.findings.finish(path, sink)
}

/// Tells a truncated file from one that is no Parquet at all.
fn check_ends(path: &Path, mut file: &File) -> Result<()> {
    let mut ends = [[0; 4]; 2];
    let read = (|| {
        file.seek(SeekFrom::Start(0))?;
        file.read_exact(&mut ends[0])?;
        file.seek(SeekFrom::End(-4))?;
        file.read_exact(&mut ends[1])
    })();
    let what = match (read, ends) {
        (Ok(()), [first, last]) if first == *MARK && last == *MARK => return Ok(()),
        (_, [first, _]) if first == *MARK => "the file ends before its table of contents",
        _ => "not a Parquet file",
    };
    let hint = "the copy may have been cut short; fetch the file again";
    Err(Error::malformed(Place::file(path), what).with_hint(hint))
}

fn trouble(path: &Path, row: u64, error: &ParquetError) -> Error {
    let mut place = Place::file(path);
    if row > 0 {
        place = place.line(row);
    }
    let text = error.to_string();
    let packed = text.contains("Disabled feature");
    let error = Error::malformed(place, text);
    if packed {
        return error.with_hint("write the table again with snappy, gzip, lz4 or no compression");
    }
    error
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::Bool(flag) => Cell::Whole(flag.into()),
        Value::Byte(number) => Cell::Whole(number.into()),
        Value::Short(number) => Cell::Whole(number.into()),
        Value::Int(number) => Cell::Whole(number.into()),
        Value::Long(number) => Cell::Whole(number),
        Value::UByte(number) => Cell::Whole(number.into()),
        Value::UShort(number) => Cell::Whole(number.into()),
        Value::UInt(number) => Cell::Whole(number.into()),
        Value::ULong(number) => Cell::Text(number.to_string()),
        Value::Float16(number) => Cell::Real(number.to_f64()),
        Value::Float(number) => Cell::Real(number.into()),
        Value::Double(number) => Cell::Real(number),
        Value::Str(text) => Cell::Text(text),
        // Some writers leave out the mark that says "this is text"; a picture is never UTF-8.
        Value::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => Cell::Text(text.to_owned()),
            Err(_) => Cell::Bytes(bytes.data().into()),
        },
        Value::Date(days) => {
            moment(i64::from(days) * 86_400, |text| text.chars().take(10).collect())
        }
        Value::TimestampMillis(millis) => moment(millis.div_euclid(1000), |text| text),
        Value::TimestampMicros(micros) => moment(micros.div_euclid(1_000_000), |text| text),
        Value::Group(row) => Cell::Struct(
            row.into_columns().into_iter().map(|(name, value)| (name, cell(value))).collect(),
        ),
        Value::ListInternal(list) => {
            Cell::List(list.elements().iter().cloned().map(cell).collect())
        }
        Value::Decimal(_) | Value::TimeMillis(_) | Value::TimeMicros(_) | Value::MapInternal(_) => {
            Cell::Empty
        }
    }
}

/// A moment in seconds since 1970, as text.
fn moment(seconds: i64, shape: impl Fn(String) -> String) -> Cell {
    dates::from_unix(seconds).map_or(Cell::Empty, |text| Cell::Text(shape(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_short_is_told_from_what_is_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let mut sink = crate::Collection::new();
        for (content, want) in [
            (&b"PAR1 and then nothing"[..], "ends before its table of contents"),
            (b"hello world", "not a Parquet file"),
            (b"", "not a Parquet file"),
        ] {
            std::fs::write(&path, content).unwrap();
            let error = Parquet.read(&path, &ReadOptions::default(), &mut sink).unwrap_err();
            assert!(error.to_string().contains(want), "{error}");
        }
    }
}
