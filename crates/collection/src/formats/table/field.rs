//! What a column may mean, and the names under which it is known.

use std::path::Path;

use crate::{Error, Place, Result};

macro_rules! fields {
    ($($(#[doc = $about:literal])+ $field:ident: $name:literal, [$($alias:literal),*];)+) => {
        /// The meaning of a column.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Field {
            $($(#[doc = $about])+ $field,)+
        }

        /// Every field with its own name and the other names by which it is found, best first.
        pub(crate) const FIELDS: &[(Field, &str, &[&str])] =
            &[$((Field::$field, $name, &[$($alias),*]),)+];
    };
}

fields! {
    /// What kind of record the row is, in tables that rebus wrote.
    Record: "record", [];
    /// The item's name, where it is not that of the picture.
    Item: "item", ["item_id", "image_id", "imageid", "img_id", "photo_id", "key", "__key__", "id"];
    /// The picture: a file name, an address, bytes, or a struct of `bytes` and `path`.
    Image: "image", [
        "file_name", "filename", "file", "path", "filepath", "file_path", "image_path",
        "image_name", "image_file", "img", "img_path", "photo", "picture", "url", "image_url"
    ];
    /// The picture's bytes; base64 where the table holds only text.
    Bytes: "bytes", ["image_bytes", "image_base64"];
    /// A sentence about the picture, or several.
    Caption: "caption", [
        "captions", "sentence", "sentences", "text", "txt", "raw", "comment", "alt_text",
        "description", "title"
    ];
    /// The caption's name, or several.
    CaptionId: "caption_id", ["caption_ids", "sentid", "sentids", "sentence_id", "annotation_id"];
    /// The caption's number among those of its item.
    Number: "number", ["k", "caption_number", "caption_index", "comment_number", "sent_num"];
    /// The part of the collection.
    Split: "split", ["subset", "partition", "set_name"];
    /// Words from a controlled list.
    Keywords: "keywords", ["keyword", "labels", "words", "concepts"];
    /// A short title.
    Title: "title", [];
    /// Free tags.
    Tags: "tags", ["tag", "hashtags"];
    /// A longer description.
    Description: "description", [];
    /// When it was taken.
    Date: "date", ["taken", "date_taken", "datetaken", "datetime", "timestamp"];
    /// The name of the place.
    Place: "place", ["location", "city"];
    /// Degrees north.
    Latitude: "latitude", ["lat"];
    /// Degrees east.
    Longitude: "longitude", ["lon", "lng", "long"];
    /// Make and model of the camera.
    Camera: "camera", ["model"];
    /// Who made the picture.
    Author: "author", ["photographer", "creator", "owner", "username"];
    /// Terms of use.
    Licence: "licence", ["license", "rights"];
    /// BLAKE3 of the picture's bytes, in hexadecimal.
    Hash: "hash", ["blake3"];
    /// Pixels across.
    Width: "width", [];
    /// Pixels down.
    Height: "height", [];
    /// Region tokens, `token` or `token:count`.
    Blobs: "blobs", [];
    /// Number of regions.
    Regions: "regions", [];
    /// A topic's name.
    Topic: "topic", [];
    /// A topic's text.
    Query: "query", [];
    /// The set a judgement belongs to.
    Set: "set", [];
    /// The item asked with.
    QueryItem: "query_item", [];
    /// The caption asked with.
    QueryCaption: "query_caption", [];
    /// The topic asked with.
    QueryTopic: "query_topic", [];
    /// The item shown.
    AnswerItem: "answer_item", [];
    /// The caption shown.
    AnswerCaption: "answer_caption", [];
    /// The topic shown.
    AnswerTopic: "answer_topic", [];
    /// Who judged.
    Judge: "judge", [];
    /// The grade given.
    Grade: "grade", [];
    /// How many said yes.
    Yes: "yes", [];
    /// How many said no.
    No: "no", [];
    /// The group that a judge put the answer into.
    Cluster: "cluster", [];
}

impl Field {
    /// What rebus calls the column, and what its writers write.
    pub(crate) fn name(self) -> &'static str {
        FIELDS[self as usize].1
    }
}

/// Which column holds which field.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    at: [Option<usize>; FIELDS.len()],
}

impl Columns {
    /// Finds the fields among the columns of a table; `chosen` (`--column`) goes before the names
    /// we know.
    ///
    /// # Errors
    /// If a chosen field or column does not exist, or if nothing names the picture.
    pub(crate) fn find(names: &[String], chosen: &[(String, String)], path: &Path) -> Result<Self> {
        let mut columns = Self { at: [None; FIELDS.len()] };
        for (field, column) in chosen {
            let field = chosen_field(field)?;
            let at = names
                .iter()
                .position(|name| name.trim() == column)
                .or_else(|| names.iter().position(|name| plain(name) == plain(column)));
            let Some(at) = at else {
                return Err(Error::malformed(
                    Place::file(path).field(column.as_str()),
                    format!("there is no such column; there are: {}", list(names)),
                ));
            };
            columns.at[field as usize] = Some(at);
        }
        let plain_names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        // A column that was chosen for one field does not serve another by its name.
        let taken: Vec<usize> = columns.at.iter().flatten().copied().collect();
        let find = |name: &str| {
            plain_names.iter().position(|known| known == name).filter(|at| !taken.contains(at))
        };
        for &(field, name, aliases) in FIELDS {
            let slot = &mut columns.at[field as usize];
            if slot.is_none() {
                *slot = find(name).or_else(|| aliases.iter().find_map(|alias| find(alias)));
            }
        }
        columns.settle();
        if columns.at(Field::Record).is_none()
            && columns.at(Field::Item).is_none()
            && columns.at(Field::Image).is_none()
        {
            return Err(missing_picture(names, path));
        }
        Ok(columns)
    }

    /// A column has one meaning only. A title or description is the caption where nothing else
    /// is, but not in tables that rebus wrote, which name their captions.
    fn settle(&mut self) {
        for other in [Field::Description, Field::Title] {
            if self.at(Field::Caption).is_some() && self.at(Field::Caption) == self.at(other) {
                let loser = if self.at(Field::Record).is_some() { Field::Caption } else { other };
                self.at[loser as usize] = None;
            }
        }
    }

    /// The column of a field.
    pub(crate) fn at(&self, field: Field) -> Option<usize> {
        self.at[field as usize]
    }
}

fn chosen_field(name: &str) -> Result<Field> {
    let wanted = plain(name);
    FIELDS.iter().find(|(_, name, _)| *name == wanted).map(|&(field, ..)| field).ok_or_else(|| {
        Error::no_such("field for --column", name, FIELDS.iter().map(|&(_, name, _)| name))
    })
}

fn missing_picture(names: &[String], path: &Path) -> Error {
    Error::malformed(
        Place::file(path),
        format!("no column names the picture; there are: {}", list(names)),
    )
    .with_hint("say which one does, such as --column image=NAME")
}

/// Names of columns, for a message.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 30;
    let mut shown: Vec<&str> = names.iter().take(SHOWN).map(|name| name.trim()).collect();
    if names.len() > SHOWN {
        shown.push("...");
    }
    if shown.is_empty() { "none".into() } else { shown.join(", ") }
}

/// A column's name as it is compared: lower case, with `_` for blanks and hyphens.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(names: &[&str], chosen: &[(&str, &str)]) -> Result<Columns> {
        let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
        let chosen: Vec<_> = chosen.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect();
        Columns::find(&names, &chosen, Path::new("t.csv"))
    }

    #[test]
    fn fields_stand_in_the_order_of_the_enum() {
        for (at, &(field, ..)) in FIELDS.iter().enumerate() {
            assert_eq!(field as usize, at);
        }
    }

    #[test]
    fn usual_names_are_known_however_they_are_spelt() {
        let columns = find(&["Image Name", " comment_number", "comment"], &[]).unwrap();
        assert_eq!(columns.at(Field::Image), Some(0));
        assert_eq!(columns.at(Field::Number), Some(1));
        assert_eq!(columns.at(Field::Caption), Some(2));
    }

    #[test]
    fn a_title_is_the_caption_only_where_nothing_else_is() {
        let columns = find(&["file", "title"], &[]).unwrap();
        assert_eq!((columns.at(Field::Caption), columns.at(Field::Title)), (Some(1), None));
        let columns = find(&["file", "title", "text"], &[]).unwrap();
        assert_eq!((columns.at(Field::Caption), columns.at(Field::Title)), (Some(2), Some(1)));
    }

    #[test]
    fn a_chosen_column_goes_first_and_serves_nothing_else() {
        let columns = find(&["path", "caption", "title"], &[("title", "caption")]).unwrap();
        assert_eq!(columns.at(Field::Title), Some(1));
        assert_eq!(columns.at(Field::Caption), Some(2));
    }

    #[test]
    fn what_is_missing_is_said_with_what_is_there() {
        let error = find(&["a", "b"], &[]).unwrap_err();
        assert_eq!(error.to_string(), "t.csv: no column names the picture; there are: a, b");
        let error = find(&["image", "b"], &[("caption", "c")]).unwrap_err();
        assert_eq!(error.to_string(), "t.csv (c): there is no such column; there are: image, b");
        let error = find(&["image"], &[("colour", "image")]).unwrap_err();
        assert!(error.hint().unwrap().contains("caption_id"));
    }
}
