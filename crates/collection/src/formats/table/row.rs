//! The way back: a record as a row with named cells, for the writers.

use std::path::Path;

use super::Cell;
use super::field::Field;
use crate::{Caption, ImageSource, Item, Judgement, Record, Split, Subject, Topic, Verdict};

/// The cells of a row that are not empty.
pub(crate) type Named = Vec<(Field, Cell)>;

/// The row of a record, in a table that lies in `folder`; `None` for a finding, which speaks of
/// the source and not of the collection.
pub(crate) fn of_record(record: &Record, folder: &Path) -> Option<Named> {
    match record {
        Record::Item(item) => Some(of_item(item, None, folder)),
        Record::Caption(caption) => Some(of_caption(caption)),
        Record::Split(item, split) => Some(vec![
            (Field::Record, text("split")),
            (Field::Item, text(item.as_str())),
            (Field::Split, text(split.as_str())),
        ]),
        Record::Topic(topic) => Some(of_topic(topic)),
        Record::Judgement(judgement) => Some(of_judgement(judgement)),
        Record::Finding(_) => None,
    }
}

/// The row of an item, with the split it belongs to, where that is known.
pub(crate) fn of_item(item: &Item, split: Option<&Split>, folder: &Path) -> Named {
    let mut row = vec![(Field::Record, text("item")), (Field::Item, text(item.id.as_str()))];
    match &item.image {
        ImageSource::Absent => {}
        ImageSource::File(path) => row.push((Field::Image, Cell::Text(seen_from(path, folder)))),
        ImageSource::Bytes(bytes) => row.push((Field::Bytes, Cell::Bytes(bytes.clone()))),
    }
    row.extend(split.map(|split| (Field::Split, text(split.as_str()))));
    row.extend(about_item(item));
    row
}

/// What is known of an item beside its name, its picture and its split.
pub(crate) fn about_item(item: &Item) -> Named {
    let mut row = Named::new();
    if !item.keywords.is_empty() {
        row.push((Field::Keywords, list(&item.keywords)));
    }
    let about = &item.metadata;
    if !about.tags.is_empty() {
        row.push((Field::Tags, list(&about.tags)));
    }
    let texts = [
        (Field::Title, &about.title),
        (Field::Description, &about.description),
        (Field::Date, &about.date),
        (Field::Place, &about.place),
        (Field::Camera, &about.camera),
        (Field::Author, &about.author),
        (Field::Licence, &about.licence),
    ];
    row.extend(texts.into_iter().filter_map(|(field, value)| Some((field, text(value.as_ref()?)))));
    if let Some(point) = about.coordinates {
        row.push((Field::Latitude, Cell::Real(point.latitude)));
        row.push((Field::Longitude, Cell::Real(point.longitude)));
    }
    row.extend(item.hash.map(|hash| (Field::Hash, Cell::Text(hash.to_string()))));
    if let Some(size) = item.size {
        row.push((Field::Width, Cell::Whole(size.width.into())));
        row.push((Field::Height, Cell::Whole(size.height.into())));
    }
    if !item.blobs.is_empty() {
        let blobs = item.blobs.iter().map(|blob| match blob.count {
            Some(count) => Cell::Text(format!("{}:{count}", blob.token)),
            None => Cell::Text(blob.token.to_string()),
        });
        row.push((Field::Blobs, Cell::List(blobs.collect())));
    }
    row.extend(item.regions.map(|regions| (Field::Regions, Cell::Whole(regions.into()))));
    row
}

fn of_caption(caption: &Caption) -> Named {
    vec![
        (Field::Record, text("caption")),
        (Field::Item, text(caption.item.as_str())),
        (Field::CaptionId, text(caption.id.as_str())),
        (Field::Caption, text(&caption.text)),
    ]
}

fn of_topic(topic: &Topic) -> Named {
    let mut row = vec![
        (Field::Record, text("topic")),
        (Field::Topic, text(topic.id.as_str())),
        (Field::Query, text(&topic.text)),
    ];
    if let Some(point) = topic.coordinates {
        row.push((Field::Latitude, Cell::Real(point.latitude)));
        row.push((Field::Longitude, Cell::Real(point.longitude)));
    }
    row
}

fn of_judgement(judgement: &Judgement) -> Named {
    let mut row = vec![(Field::Record, text("judgement"))];
    if !judgement.set.is_empty() {
        row.push((Field::Set, text(&judgement.set)));
    }
    row.push(match &judgement.query {
        Subject::Item(id) => (Field::QueryItem, text(id.as_str())),
        Subject::Caption(id) => (Field::QueryCaption, text(id.as_str())),
        Subject::Topic(id) => (Field::QueryTopic, text(id.as_str())),
    });
    row.push(match &judgement.answer {
        Subject::Item(id) => (Field::AnswerItem, text(id.as_str())),
        Subject::Caption(id) => (Field::AnswerCaption, text(id.as_str())),
        Subject::Topic(id) => (Field::AnswerTopic, text(id.as_str())),
    });
    row.extend(judgement.judge.iter().map(|judge| (Field::Judge, text(judge))));
    match judgement.verdict {
        Verdict::Grade(grade) => row.push((Field::Grade, Cell::Whole(grade))),
        Verdict::Votes { yes, no } => {
            row.push((Field::Yes, Cell::Whole(yes.into())));
            row.push((Field::No, Cell::Whole(no.into())));
        }
        Verdict::Cluster(cluster) => row.push((Field::Cluster, Cell::Whole(cluster.into()))),
    }
    row
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn list(texts: &[String]) -> Cell {
    Cell::List(texts.iter().map(|word| text(word)).collect())
}

/// A picture's path as a table in `folder` should name it: relative where the picture lies below
/// the folder, so that both can be moved together; absolute elsewhere.
fn seen_from(path: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let path = absolute(path);
    let inside = path.strip_prefix(absolute(folder)).map(Path::to_path_buf);
    inside.unwrap_or(path).to_string_lossy().into_owned()
}
