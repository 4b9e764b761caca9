//! What a row says: its records.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustc_hash::FxHashMap;

use super::Cell;
use super::field::{Columns, Field};
use crate::findings::Findings;
use crate::format::ReadOptions;
use crate::{
    Blob, Caption, ContentHash, Coordinates, ImageSource, Item, ItemId, Judgement, Place, Record,
    Result, Severity, Sink, Size, Split, Subject, Topic, Verdict,
};

/// Turns the rows of one table into records.
///
/// It remembers the items it met, so that a table with a row for every caption gives each item
/// once, and numbers captions that have no name.
pub(crate) struct Mapper {
    folder: PathBuf,
    photos: Option<PathBuf>,
    seen: FxHashMap<ItemId, Seen>,
    /// The item given last: tables repeat all of it for every caption.
    last: Option<Item>,
    /// What was odd, counted by kind.
    pub(crate) findings: Findings,
}

#[derive(Default)]
struct Seen {
    captions: u32,
    split: Option<Split>,
}

/// One row on its way through the mapping.
struct Row<'a> {
    columns: &'a Columns,
    cells: Vec<Cell>,
    place: Place,
    sink: &'a mut dyn Sink,
    findings: Findings,
}

impl Row<'_> {
    fn cell(&self, field: Field) -> Option<&Cell> {
        self.cells.get(self.columns.at(field)?).filter(|cell| !cell.is_empty())
    }

    fn text(&self, field: Field) -> Option<String> {
        self.cell(field)?.text()
    }

    /// A short text, such as a name, without the blanks around it.
    fn name(&self, field: Field) -> Option<String> {
        Some(self.text(field)?.trim().to_owned())
    }

    fn words(&self, field: Field) -> Vec<String> {
        self.cell(field).map_or_else(Vec::new, Cell::words)
    }

    /// A number, or a note that the text there is none.
    fn number<T: std::str::FromStr>(&mut self, field: Field) -> Option<T> {
        let text = self.name(field)?;
        // Tables made by other tools often hold whole numbers as `3.0`.
        let number = text.parse().or_else(|_| text.trim_end_matches(".0").parse()).ok();
        if number.is_none() {
            let what = format!("`{}` is no such number; left out", short(&text));
            self.note(field, "values that are no such number", what);
        }
        number
    }

    fn note(&mut self, field: Field, kind: &'static str, what: String) {
        let place = self.place.clone().field(field.name());
        // A sink that wants no more says so again at the next record.
        let _ = self.findings.tell(self.sink, Severity::Note, kind, place, what);
    }

    fn skip(&mut self, what: impl Into<String>) -> Result<()> {
        let place = self.place.clone();
        self.findings.tell(self.sink, Severity::Skipped, "rows left out", place, what)
    }
}

impl Mapper {
    /// A mapping for the table at `path`; pictures are looked for beside it, or where the options
    /// say.
    pub(crate) fn new(path: &Path, options: &ReadOptions) -> Self {
        Self {
            folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            photos: options.photos.clone(),
            seen: FxHashMap::default(),
            last: None,
            findings: Findings::default(),
        }
    }

    /// Gives the records of one row to the sink.
    pub(crate) fn row(
        &mut self,
        columns: &Columns,
        cells: Vec<Cell>,
        place: Place,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        if cells.iter().all(Cell::is_empty) {
            return Ok(());
        }
        let findings = std::mem::take(&mut self.findings);
        let mut row = Row { columns, cells, place, sink, findings };
        let told = self.record(&mut row);
        self.findings = row.findings;
        told
    }

    fn record(&mut self, row: &mut Row<'_>) -> Result<()> {
        match row.name(Field::Record).as_deref() {
            None => self.plain_row(row),
            Some("item") => self.item_row(row),
            Some("caption") => self.caption_row(row),
            Some("split") => self.split_row(row),
            Some("topic") => topic_row(row),
            Some("judgement") => judgement_row(row),
            Some(other) => {
                let what = format!("`{}` is no kind of record; left out", short(other));
                row.skip(what)
            }
        }
    }

    /// A row of anybody's table: a picture, and what is said about it.
    fn plain_row(&mut self, row: &mut Row<'_>) -> Result<()> {
        let Some(mut item) = self.named_item(row) else {
            return row.skip("the row names no picture; left out");
        };
        self.find_picture(row, &mut item);
        fill(row, &mut item);
        let id = item.id.clone();
        let known = self.seen.contains_key(&id);
        let bare = Item { image: item.image.clone(), ..Item::new(id.clone()) };
        let said = self
            .last
            .as_ref()
            .is_some_and(|last| Item { image: last.image.clone(), ..item.clone() } == *last);
        if !known || !(item == bare || said) {
            self.last = Some(item.clone());
            row.sink.put(Record::Item(Box::new(item)))?;
        }
        self.captions(row, &id)?;
        self.split(row, id)
    }

    fn item_row(&mut self, row: &mut Row<'_>) -> Result<()> {
        let Some(id) = row.name(Field::Item) else {
            return row.skip("an item without a name; left out");
        };
        let mut item = Item::new(id);
        let path = row.name(Field::Image).or_else(|| row.cell(Field::Image)?.part("path")?.text());
        if let Some(bytes) = picture_bytes(row) {
            item.image = ImageSource::Bytes(bytes);
        } else if let Some(path) = path {
            item.image = ImageSource::File(self.folder.join(path));
        }
        fill(row, &mut item);
        let id = item.id.clone();
        self.seen.entry(id.clone()).or_default();
        row.sink.put(Record::Item(Box::new(item)))?;
        self.split(row, id)
    }

    fn caption_row(&mut self, row: &mut Row<'_>) -> Result<()> {
        let (Some(item), Some(text)) = (row.name(Field::Item), row.text(Field::Caption)) else {
            return row.skip("a caption without item or without words; left out");
        };
        let item = ItemId::from(item);
        let seen = self.seen.entry(item.clone()).or_default();
        let id = row.name(Field::CaptionId).unwrap_or(format!("{item}#{}", seen.captions));
        seen.captions += 1;
        row.sink.put(Record::Caption(Caption { id: id.into(), item, text }))
    }

    fn split_row(&mut self, row: &mut Row<'_>) -> Result<()> {
        match row.name(Field::Item) {
            Some(item) => self.split(row, item.into()),
            None => row.skip("a split without an item; left out"),
        }
    }

    fn named_item(&self, row: &Row<'_>) -> Option<Item> {
        let name = row.name(Field::Item).or_else(|| row.name(Field::Image)).or_else(|| {
            let image = row.cell(Field::Image)?;
            let path = image.part("path").and_then(Cell::text);
            path.or_else(|| Some(format!("row-{}", row.place.line?)))
        })?;
        Some(Item::new(name))
    }

    /// The picture's bytes, or a file that is really there.
    fn find_picture(&self, row: &mut Row<'_>, item: &mut Item) {
        if let Some(bytes) = picture_bytes(row) {
            item.image = ImageSource::Bytes(bytes);
            return;
        }
        if self.seen.contains_key(&item.id) {
            return;
        }
        let named = row.name(Field::Image).or_else(|| row.cell(Field::Image)?.part("path")?.text());
        let named = named.unwrap_or_else(|| item.id.as_str().to_owned());
        if named.contains("://") || named.contains('\0') {
            return;
        }
        let folder = self.photos.as_deref().unwrap_or(&self.folder);
        let name = Path::new(&named);
        let bare = name.file_name().map(|bare| folder.join(bare));
        let file = [Some(folder.join(name)), bare].into_iter().flatten().find(|at| at.is_file());
        if let Some(file) = file {
            item.image = ImageSource::File(file);
        }
    }

    fn captions(&mut self, row: &mut Row<'_>, item: &ItemId) -> Result<()> {
        let texts = row.cell(Field::Caption).map_or_else(Vec::new, Cell::texts);
        let names = row.cell(Field::CaptionId).map_or_else(Vec::new, Cell::texts);
        let number = row.name(Field::Number);
        let seen = self.seen.entry(item.clone()).or_default();
        if texts.is_empty() && row.columns.at(Field::Caption).is_some() {
            let what = format!("{item} has an empty caption here; left out");
            row.note(Field::Caption, "empty captions", what);
        }
        let single = texts.len() == 1;
        for (at, text) in texts.into_iter().enumerate() {
            let id = match (names.get(at), &number) {
                (Some(name), _) => name.trim().to_owned(),
                (None, Some(number)) if single => format!("{item}#{number}"),
                _ => format!("{item}#{}", seen.captions),
            };
            seen.captions += 1;
            let caption = Caption { id: id.into(), item: item.clone(), text };
            row.sink.put(Record::Caption(caption))?;
        }
        Ok(())
    }

    fn split(&mut self, row: &mut Row<'_>, item: ItemId) -> Result<()> {
        let Some(split) = row.name(Field::Split).map(Split::from) else {
            return Ok(());
        };
        let seen = self.seen.entry(item.clone()).or_default();
        match &seen.split {
            Some(known) if *known == split => Ok(()),
            Some(known) => {
                let what = format!("{item} is in {known} already; {split} left out");
                row.note(Field::Split, "items in more than one split", what);
                Ok(())
            }
            None => {
                seen.split = Some(split.clone());
                row.sink.put(Record::Split(item, split))
            }
        }
    }
}

/// What a row says about its item, beside name and picture.
fn fill(row: &mut Row<'_>, item: &mut Item) {
    item.keywords = row.words(Field::Keywords);
    item.metadata.title = row.name(Field::Title);
    item.metadata.tags = row.words(Field::Tags);
    item.metadata.description = row.text(Field::Description);
    item.metadata.date = row.name(Field::Date);
    item.metadata.place = row.name(Field::Place);
    item.metadata.camera = row.name(Field::Camera);
    item.metadata.author = row.name(Field::Author);
    item.metadata.licence = row.name(Field::Licence);
    item.metadata.coordinates = coordinates(row);
    item.regions = row.number(Field::Regions);
    item.blobs = blobs(row);
    item.hash = hash(row);
    if let (Some(width), Some(height)) = (row.number(Field::Width), row.number(Field::Height)) {
        item.size = Some(Size { width, height });
    }
}

fn coordinates(row: &mut Row<'_>) -> Option<Coordinates> {
    let latitude: f64 = row.number(Field::Latitude)?;
    let longitude: f64 = row.number(Field::Longitude)?;
    if !((-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)) {
        let what = format!("{latitude}, {longitude} is no place on the globe; left out");
        row.note(Field::Latitude, "coordinates that are nowhere", what);
        return None;
    }
    Some(Coordinates { latitude, longitude })
}

fn blobs(row: &mut Row<'_>) -> Vec<Blob> {
    let texts = row.words(Field::Blobs);
    let blobs: Option<Vec<Blob>> = texts.iter().map(|text| blob(text)).collect();
    if blobs.is_none() {
        let what = "not a list of `token` or `token:count`; left out";
        row.note(Field::Blobs, "lists of blobs that cannot be read", what.into());
    }
    blobs.unwrap_or_default()
}

fn blob(text: &str) -> Option<Blob> {
    let (token, count) = match text.split_once(':') {
        Some((token, count)) => (token, Some(count.parse().ok()?)),
        None => (text, None),
    };
    Some(Blob { token: token.parse().ok()?, count })
}

fn hash(row: &mut Row<'_>) -> Option<ContentHash> {
    let text = row.name(Field::Hash)?;
    let mut hash = [0; 32];
    let read = text.len() == 64
        && text.is_ascii()
        && hash.iter_mut().enumerate().all(|(at, byte)| {
            u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map(|value| *byte = value).is_ok()
        });
    if !read {
        let what = "not 64 hexadecimal digits; left out";
        row.note(Field::Hash, "hashes that cannot be read", what.into());
    }
    read.then_some(ContentHash(hash))
}

/// The picture itself, from a column of bytes, from a `{bytes, path}` struct, or from base64.
fn picture_bytes(row: &mut Row<'_>) -> Option<Arc<[u8]>> {
    let image = row.cell(Field::Image);
    match image.and_then(|image| image.part("bytes")) {
        Some(Cell::Bytes(bytes)) => return Some(bytes.clone()),
        // Bytes that happen to be text are still the picture's.
        Some(Cell::Text(text)) => return Some(text.as_bytes().into()),
        _ => {}
    }
    if let Some(Cell::Bytes(bytes)) = image {
        return Some(bytes.clone());
    }
    match row.cell(Field::Bytes)? {
        Cell::Bytes(bytes) => Some(bytes.clone()),
        // A number is the size of the picture's file, whatever base64 would make of it.
        Cell::Text(text) if text.trim().parse::<f64>().is_ok() => None,
        Cell::Text(text) => match BASE64.decode(text.trim()) {
            Ok(bytes) => Some(bytes.into()),
            Err(error) => {
                let what = format!("not base64 ({error}); left out");
                row.note(Field::Bytes, "pictures that are not base64", what);
                None
            }
        },
        _ => None,
    }
}

fn topic_row(row: &mut Row<'_>) -> Result<()> {
    let (Some(id), Some(text)) = (row.name(Field::Topic), row.text(Field::Query)) else {
        return row.skip("a topic without name or text; left out");
    };
    let coordinates = coordinates(row);
    row.sink.put(Record::Topic(Topic { id: id.into(), text, coordinates }))
}

fn judgement_row(row: &mut Row<'_>) -> Result<()> {
    let query = subject(row, [Field::QueryItem, Field::QueryCaption, Field::QueryTopic]);
    let answer = subject(row, [Field::AnswerItem, Field::AnswerCaption, Field::AnswerTopic]);
    let verdict = verdict(row);
    let (Some(query), Some(answer), Some(verdict)) = (query, answer, verdict) else {
        return row.skip("a judgement without query, answer or verdict; left out");
    };
    let set = row.name(Field::Set).unwrap_or_default();
    let judge = row.name(Field::Judge);
    row.sink.put(Record::Judgement(Judgement { set, query, answer, judge, verdict }))
}

fn verdict(row: &mut Row<'_>) -> Option<Verdict> {
    if let Some(grade) = row.number(Field::Grade) {
        return Some(Verdict::Grade(grade));
    }
    if let Some(cluster) = row.number(Field::Cluster) {
        return Some(Verdict::Cluster(cluster));
    }
    Some(Verdict::Votes { yes: row.number(Field::Yes)?, no: row.number(Field::No)? })
}

fn subject(row: &Row<'_>, [item, caption, topic]: [Field; 3]) -> Option<Subject> {
    let item = row.name(item).map(|id| Subject::Item(id.into()));
    let caption = || row.name(caption).map(|id| Subject::Caption(id.into()));
    let topic = || row.name(topic).map(|id| Subject::Topic(id.into()));
    item.or_else(caption).or_else(topic)
}

/// The beginning of a text, for a message.
fn short(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
