//! Which photos a filter lets pass.

use rebus_collection::Coordinates;
use rebus_query::{
    Condition, DateRange, Filter, Kind, Known, Near, Orientation, Pixels, TextField,
};
use tantivy::DocId;
use tantivy::columnar::Column;
use tantivy::fastfield::FastFieldReaders;
use tantivy::schema::Field;

use super::written::Texts;
use crate::catalogue::Fields;
use crate::catalogue::document::clock_seconds;
use crate::index::Snapshot;
use crate::{Result, Selection};

/// Kilometres around the globe's middle.
const RADIUS: f64 = 6371.0;
const DAY: i64 = 86_400;

/// The photos of which a filter holds.
pub(crate) fn matching(snapshot: &Snapshot, filter: &Filter) -> Result<Selection> {
    Ok(match filter {
        Filter::All(parts) => {
            let mut all = snapshot.everything().clone();
            for part in parts {
                all.intersect(&matching(snapshot, part)?);
            }
            all
        }
        Filter::Any(parts) => {
            let mut any = Selection::new();
            for part in parts {
                any.unite(&matching(snapshot, part)?);
            }
            any
        }
        Filter::Not(part) => {
            let mut others = snapshot.everything().clone();
            others.subtract(&matching(snapshot, part)?);
            others
        }
        Filter::Is(condition) => holding(snapshot, condition)?,
    })
}

/// The photos of which a condition holds.
fn holding(snapshot: &Snapshot, condition: &Condition) -> Result<Selection> {
    let texts = Texts(snapshot);
    let fields = &snapshot.fields;
    match condition {
        Condition::Phrase(text) => texts.phrase_in_any(&written_fields(fields), text),
        Condition::Words(text) => texts.words_in_any(&written_fields(fields), text),
        Condition::Text { field, text } => match field {
            // The parts of a path follow each other.
            TextField::Folder => texts.phrase_in_any(&[fields.folder], text),
            TextField::Name => texts.phrase_in_any(&[fields.file], text),
            TextField::Tag => texts.words_in_any(&[fields.tags, fields.keywords], text),
            TextField::Camera => texts.words_in_any(&[fields.camera], text),
            TextField::Place => texts.words_in_any(&[fields.place], text),
            TextField::Title => texts.words_in_any(&[fields.title], text),
            TextField::Description => texts.words_in_any(&[fields.description], text),
            TextField::Caption => texts.words_in_any(&[fields.captions], text),
            TextField::Author => texts.words_in_any(&[fields.author], text),
            _ => Ok(Selection::new()),
        },
        Condition::Near(near) => around(snapshot, near),
        Condition::Taken(range) => taken(snapshot, range),
        Condition::Width(pixels) => wide(snapshot, fields.width, pixels),
        Condition::Height(pixels) => wide(snapshot, fields.height, pixels),
        Condition::Kind(kind) => texts.any_term(fields.ending, endings(*kind)),
        Condition::Orientation(orientation) => standing(snapshot, *orientation),
        Condition::Has(known) => known_of(snapshot, *known),
        // A condition of a newer language holds of nothing that we know.
        _ => Ok(Selection::new()),
    }
}

/// Everything that was written about a photo.
fn written_fields(fields: &Fields) -> [Field; 9] {
    [
        fields.title,
        fields.tags,
        fields.description,
        fields.captions,
        fields.keywords,
        fields.place,
        fields.camera,
        fields.author,
        fields.file,
    ]
}

/// The endings of files of a kind.
fn endings(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Jpeg => &["jpg", "jpeg", "jpe", "jfif"],
        Kind::Png => &["png"],
        Kind::Webp => &["webp"],
        Kind::Gif => &["gif"],
        Kind::Bmp => &["bmp"],
        Kind::Tiff => &["tif", "tiff"],
        _ => &[],
    }
}

/// Asks of every document what its columns say.
fn where_columns<C>(
    snapshot: &Snapshot,
    open: impl Fn(&FastFieldReaders) -> tantivy::Result<Option<C>>,
    holds: impl Fn(&C, DocId) -> bool,
) -> Result<Selection> {
    let mut found = Selection::new();
    snapshot.each_segment(|reader, slots| {
        // A column of which no photo has a value is not there.
        let Some(columns) = open(reader.fast_fields())? else { return Ok(()) };
        for document in reader.doc_ids_alive() {
            if let Some(id) = slots(document)
                && holds(&columns, document)
            {
                found.insert(id);
            }
        }
        Ok(())
    })?;
    Ok(found)
}

fn taken(snapshot: &Snapshot, range: &DateRange) -> Result<Selection> {
    let seconds = |day: rebus_query::Date| clock_seconds(&day.to_string());
    let first = range.first.and_then(seconds).unwrap_or(i64::MIN);
    let behind = range.last.and_then(seconds).map_or(i64::MAX, |day| day + DAY);
    let name = snapshot.column(snapshot.fields.date);
    where_columns(
        snapshot,
        |columns| columns.column_opt::<i64>(name),
        |dates, document| dates.first(document).is_some_and(|date| (first..behind).contains(&date)),
    )
}

fn wide(snapshot: &Snapshot, field: Field, pixels: &Pixels) -> Result<Selection> {
    let name = snapshot.column(field);
    where_columns(
        snapshot,
        |columns| columns.column_opt::<u64>(name),
        |sizes, document| {
            let size = sizes.first(document).and_then(|size| u32::try_from(size).ok());
            size.is_some_and(|size| pixels.contains(size))
        },
    )
}

/// Two columns of one kind of number.
fn two<T>(
    snapshot: &Snapshot,
    fields: [Field; 2],
    open: impl Fn(&FastFieldReaders, &str) -> tantivy::Result<Option<Column<T>>>,
    holds: impl Fn(T, T) -> bool,
) -> Result<Selection>
where
    T: PartialOrd + Copy + std::fmt::Debug + Send + Sync + 'static,
{
    let [a, b] = fields.map(|field| snapshot.column(field));
    where_columns(
        snapshot,
        |columns| Ok(open(columns, a)?.zip(open(columns, b)?)),
        |(a, b), document| {
            a.first(document).zip(b.first(document)).is_some_and(|(a, b)| holds(a, b))
        },
    )
}

fn standing(snapshot: &Snapshot, orientation: Orientation) -> Result<Selection> {
    let Fields { width, height, .. } = snapshot.fields;
    let open = |columns: &FastFieldReaders, name: &str| columns.column_opt::<u64>(name);
    two(snapshot, [width, height], open, |width, height| match orientation {
        Orientation::Portrait => height > width,
        Orientation::Landscape => width > height,
        Orientation::Square => width == height,
        _ => false,
    })
}

fn around(snapshot: &Snapshot, near: &Near) -> Result<Selection> {
    let Fields { latitude, longitude, .. } = snapshot.fields;
    let open = |columns: &FastFieldReaders, name: &str| columns.column_opt::<f64>(name);
    let middle = Coordinates { latitude: near.latitude, longitude: near.longitude };
    let radius = near.radius().get();
    two(snapshot, [latitude, longitude], open, |latitude, longitude| {
        kilometres(middle, Coordinates { latitude, longitude }) <= radius
    })
}

/// The distance of two points on the globe (haversine).
fn kilometres(a: Coordinates, b: Coordinates) -> f64 {
    let half = |a: f64, b: f64| ((b - a).to_radians() / 2.0).sin().powi(2);
    let cosines = a.latitude.to_radians().cos() * b.latitude.to_radians().cos();
    let chord = half(a.latitude, b.latitude) + cosines * half(a.longitude, b.longitude);
    2.0 * RADIUS * chord.sqrt().min(1.0).asin()
}

fn known_of(snapshot: &Snapshot, known: Known) -> Result<Selection> {
    let fields = &snapshot.fields;
    let texts = Texts(snapshot);
    match known {
        Known::Caption => texts.any_text(&[fields.captions]),
        Known::Description => texts.any_text(&[fields.description]),
        Known::Keywords => texts.any_text(&[fields.tags, fields.keywords]),
        Known::Title => texts.any_text(&[fields.title]),
        Known::Place => texts.any_text(&[fields.place]),
        Known::Camera => texts.any_text(&[fields.camera]),
        Known::Author => texts.any_text(&[fields.author]),
        Known::Date => taken(snapshot, &DateRange { first: None, last: None }),
        Known::Gps => {
            let open = |columns: &FastFieldReaders, name: &str| columns.column_opt::<f64>(name);
            two(snapshot, [fields.latitude, fields.longitude], open, |_, _| true)
        }
        _ => Ok(Selection::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_on_the_globe() {
        let at = |latitude, longitude| Coordinates { latitude, longitude };
        let (vienna, salzburg) = (at(48.2082, 16.3738), at(47.8095, 13.0550));
        assert!((kilometres(vienna, salzburg) - 251.0).abs() < 2.0);
        // Across the date line, and to the other side.
        assert!((kilometres(at(0.0, 179.5), at(0.0, -179.5)) - 111.19).abs() < 0.1);
        assert!((kilometres(at(90.0, 0.0), at(-90.0, 7.0)) - 20_015.0).abs() < 1.0);
    }
}
