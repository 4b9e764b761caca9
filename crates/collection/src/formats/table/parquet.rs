//! Parquet, one row group after the other. Pictures may lie inside, as Hugging Face's tables have
//! them: a struct of `bytes` and `path`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Value;
use parquet::record::reader::RowIter;

use super::field::Columns;
use super::{Cell, Mapper};
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
        Ok(())
    }
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
        return error.with_hint("write the table again with snappy or no compression");
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
        Value::Date(days) => Cell::Text(date(days.into())),
        Value::TimestampMillis(millis) => Cell::Text(moment(millis.div_euclid(1000))),
        Value::TimestampMicros(micros) => Cell::Text(moment(micros.div_euclid(1_000_000))),
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

/// Seconds since 1970 as `YYYY-MM-DDTHH:MM:SS`.
fn moment(seconds: i64) -> String {
    let (day, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    format!("{}T{:02}:{:02}:{:02}", date(day), rest / 3600, rest / 60 % 60, rest % 60)
}

/// Days since 1970 as `YYYY-MM-DD`, in the Gregorian calendar: years begin in March and come in
/// cycles of 400 with 146,097 days, so that the leap day is always the last.
fn date(days: i64) -> String {
    let day = days + 719_468;
    let (cycle, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + 400 * cycle + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(-1), "1969-12-31");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(19_782), "2024-02-29");
        assert_eq!(moment(1_000_000_000), "2001-09-09T01:46:40");
    }

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
