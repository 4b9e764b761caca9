//! A photo or a failure as a document, and back.

use std::path::Path;

use rebus_collection::{ContentHash, EncodedPath, Metadata, Size};
use serde::{Deserialize, Serialize};
use tantivy::TantivyDocument;
use tantivy::schema::Value;

use super::Fields;
use super::schema::kind;
use crate::photo::Retry;
use crate::{Failure, Photo, PhotoId};

/// What is kept of a photo beyond its path and slot.
#[derive(Serialize, Deserialize)]
struct Record {
    hash: ContentHash,
    bytes: u64,
    modified: i64,
    size: Option<Size>,
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    metadata: Metadata,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keywords: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    captions: Vec<String>,
    likeness: u64,
    beside: u64,
}

/// What is kept of a file that failed.
#[derive(Serialize, Deserialize)]
struct FailureRecord {
    reason: String,
    retry: Retry,
    bytes: u64,
    modified: i64,
}

/// The document of a photo.
pub(crate) fn of_photo(photo: &Photo, fields: &Fields) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(fields.kind, kind::PHOTO);
    document.add_u64(fields.slot, u64::from(photo.id.0));
    document.add_bytes(fields.path, EncodedPath::bytes(&photo.path));
    document.add_bytes(fields.hash, &photo.hash.0);
    document.add_u64(fields.bytes, photo.bytes);
    document.add_i64(fields.modified, photo.modified);
    document.add_u64(fields.beside, photo.beside);
    document.add_u64(fields.likeness, photo.likeness);
    if let Some(Size { width, height }) = photo.size {
        document.add_u64(fields.width, u64::from(width));
        document.add_u64(fields.height, u64::from(height));
    }
    say(photo, fields, &mut document);
    let record = Record {
        hash: photo.hash,
        bytes: photo.bytes,
        modified: photo.modified,
        size: photo.size,
        metadata: photo.metadata.clone(),
        keywords: photo.keywords.clone(),
        captions: photo.captions.clone(),
        likeness: photo.likeness,
        beside: photo.beside,
    };
    document.add_bytes(fields.record, &json(&record));
    document
}

/// Puts what is said about a photo where words are looked for.
fn say(photo: &Photo, fields: &Fields, document: &mut TantivyDocument) {
    let metadata = &photo.metadata;
    for (field, text) in [
        (fields.title, &metadata.title),
        (fields.description, &metadata.description),
        (fields.place, &metadata.place),
        (fields.camera, &metadata.camera),
        (fields.author, &metadata.author),
    ] {
        if let Some(text) = text {
            document.add_text(field, text);
        }
    }
    for (field, texts) in [
        (fields.tags, &metadata.tags),
        (fields.keywords, &photo.keywords),
        (fields.captions, &photo.captions),
    ] {
        texts.iter().for_each(|text| document.add_text(field, text));
    }
    if let Some(seconds) = metadata.date.as_deref().and_then(clock_seconds) {
        document.add_i64(fields.date, seconds);
    }
    if let Some(point) = metadata.coordinates {
        document.add_f64(fields.latitude, point.latitude);
        document.add_f64(fields.longitude, point.longitude);
    }
    let text = |path: Option<&Path>| path.map(|path| path.to_string_lossy().into_owned());
    if let Some(name) = text(photo.path.file_name().map(Path::new)) {
        document.add_text(fields.file, name);
    }
    if let Some(ending) = photo.path.extension() {
        document.add_text(fields.ending, ending.to_string_lossy().to_lowercase());
    }
    if let Some(folder) = text(photo.path.parent()) {
        document.add_text(fields.folder, folder);
    }
}

/// The document of a file that failed.
pub(crate) fn of_failure(failure: &Failure, fields: &Fields) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(fields.kind, kind::FAILURE);
    document.add_bytes(fields.path, EncodedPath::bytes(&failure.path));
    document.add_u64(fields.bytes, failure.bytes);
    document.add_i64(fields.modified, failure.modified);
    let Failure { reason, retry, bytes, modified, .. } = failure.clone();
    document.add_bytes(fields.record, &json(&FailureRecord { reason, retry, bytes, modified }));
    document
}

fn json<T: Serialize>(record: &T) -> Vec<u8> {
    // Numbers, texts and lists of these: nothing in it can fail.
    serde_json::to_vec(record).unwrap_or_default()
}

/// A document of the catalogue, read back.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are photos, one at a time")]
pub(crate) enum Entry {
    Photo(Photo),
    Failure(Failure),
}

impl Entry {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Photo(photo) => &photo.path,
            Self::Failure(failure) => &failure.path,
        }
    }
}

/// Reads a document; says what is wrong where it does not hold what it should.
pub(crate) fn read(document: &TantivyDocument, fields: &Fields) -> Result<Entry, String> {
    let bytes = |field, name: &str| {
        let value = document.get_first(field).and_then(|value| value.as_bytes());
        value.ok_or_else(|| format!("a document without its {name}"))
    };
    let path = EncodedPath::of_bytes(bytes(fields.path, "path")?).path().to_path_buf();
    let record = bytes(fields.record, "record")?;
    let wrong = |error: serde_json::Error| format!("the record of {}: {error}", path.display());
    let Some(slot) = document.get_first(fields.slot).and_then(|value| value.as_u64()) else {
        let FailureRecord { reason, retry, bytes, modified } =
            serde_json::from_slice(record).map_err(wrong)?;
        return Ok(Entry::Failure(Failure { path, reason, retry, bytes, modified }));
    };
    let record: Record = serde_json::from_slice(record).map_err(wrong)?;
    Ok(Entry::Photo(Photo {
        id: PhotoId(u32::try_from(slot).map_err(|_| format!("slot {slot} is too large"))?),
        path,
        hash: record.hash,
        bytes: record.bytes,
        modified: record.modified,
        size: record.size,
        metadata: record.metadata,
        keywords: record.keywords,
        captions: record.captions,
        likeness: record.likeness,
        beside: record.beside,
    }))
}

/// The seconds since 1970 that a clock at the place showed: `YYYY-MM-DD`, with `THH:MM:SS` or
/// without; the offset is left out, for people remember the day as it was there.
pub(crate) fn clock_seconds(date: &str) -> Option<i64> {
    let number = |from: usize, to: usize| date.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    // Years counted from March, so that the leap day is the last of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let time = number(11, 13).zip(number(14, 16)).zip(number(17, 19));
    let seconds = time.map_or(0, |((hour, minute), second)| hour * 3600 + minute * 60 + second);
    Some(days * 86_400 + seconds)
}

#[cfg(test)]
mod tests {
    use rebus_collection::Coordinates;

    use super::super::schema::schema;
    use super::*;

    #[test]
    fn photos_and_failures_come_back() {
        let (_, fields) = schema();
        let photo = Photo {
            id: PhotoId(7),
            path: EncodedPath::of_bytes(b"/p/caf\xc3\xa9/\xff.jpg").path().to_path_buf(),
            hash: ContentHash::of(b"x"),
            bytes: 3,
            modified: 1_700_000_000_123_456_789,
            size: Some(Size { width: 30, height: 20 }),
            metadata: Metadata {
                title: Some("A title".into()),
                coordinates: Coordinates::known(1.0, 2.0),
                ..Metadata::default()
            },
            keywords: vec!["dog".into()],
            captions: vec!["A dog.".into(), "Dogs.".into()],
            likeness: u64::MAX,
            beside: u64::MAX - 1,
        };
        match read(&of_photo(&photo, &fields), &fields).unwrap() {
            Entry::Photo(back) => assert_eq!(back, photo),
            other => panic!("{other:?}"),
        }
        let failure = Failure {
            path: "/p/broken.jpg".into(),
            reason: "cut short".into(),
            retry: Retry::WhenChanged,
            bytes: 9,
            modified: -1,
        };
        match read(&of_failure(&failure, &fields), &fields).unwrap() {
            Entry::Failure(back) => assert_eq!(back, failure),
            other => panic!("{other:?}"),
        }
        assert!(read(&TantivyDocument::default(), &fields).is_err());
    }

    #[test]
    fn clocks() {
        assert_eq!(clock_seconds("1970-01-01"), Some(0));
        assert_eq!(clock_seconds("2000-02-29T00:00:01Z"), Some(951_782_401));
        assert_eq!(clock_seconds("2018-11-03T13:27:05+02:00"), Some(1_541_251_625));
        assert_eq!(clock_seconds("1969-12-31T23:59:59"), Some(-1));
        assert_eq!(clock_seconds("soon"), None);
    }
}
