//! Captions by image from the files people keep them in.
//!
//! - COCO results: `[{"image_id": 1, "caption": "..."}, ...]`
//! - COCO captions: `{"images": [...], "annotations": [{"image_id": 1, "caption": "..."}, ...]}`
//! - a map: `{"1": ["...", "..."], ...}`, also with `"1": "..."` or `"1": [{"caption": "..."}]`
//! - plain text: a line an image, captions separated by tabs; images are named by line, from 1
//!
//! A file whose first character is `[` or `{` is JSON. Encodings and `.gz` are as in
//! [`rebus_collection::lines`].

use std::fmt;
use std::path::{Path, PathBuf};

use rebus_collection::lines::Lines;
use rebus_collection::{Error, Finding, ItemId, Place, Result, counted};
use rustc_hash::FxHashMap;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Captions by image, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CaptionFile {
    /// Where they were read.
    pub path: PathBuf,
    /// The images and their captions.
    pub images: Vec<(ItemId, Vec<String>)>,
    /// How the images are named.
    pub names: Names,
    /// What was odd.
    pub findings: Vec<Finding>,
}

/// How the images of a file are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// By ids in the file.
    #[default]
    Ids,
    /// By line, from 1.
    Lines,
}

/// Reads one file.
///
/// # Errors
/// Names the file, and for JSON the line and column, that cannot be read.
pub fn read(path: &Path) -> Result<CaptionFile> {
    let mut lines = Lines::open(path)?;
    let mut text = String::new();
    let mut next = 1;
    while let Some(line) = lines.next_line()? {
        // Lines that were left out keep their number, so that messages point to the right one.
        for _ in next..line.number {
            text.push('\n');
        }
        next = line.number + 1;
        text.push_str(line.text);
        text.push('\n');
    }
    let mut file = match text.trim_start().chars().next() {
        None => return Err(empty(path)),
        Some('[' | '{') => from_json(path, text.trim_end())?,
        Some(_) => from_lines(&text),
    };
    file.path = path.to_path_buf();
    file.findings = lines.take_findings();
    Ok(file)
}

/// Reads references that lie in several text files, line by line beside each other, or one file
/// of any kind.
///
/// # Errors
/// As [`read`]; and if text files differ in length, or JSON files are given among several.
pub fn read_references<P: AsRef<Path>>(paths: &[P]) -> Result<CaptionFile> {
    let mut all: Option<CaptionFile> = None;
    for path in paths {
        let path = path.as_ref();
        let mut file = read(path)?;
        let Some(all) = all.as_mut() else {
            all = Some(file);
            continue;
        };
        if file.names == Names::Ids || all.names == Names::Ids {
            return Err(Error::malformed(
                Place::file(path),
                "of several files with references each must be plain text",
            )
            .with_hint("put all references into one JSON file: {\"id\": [\"...\", \"...\"]}"));
        }
        if file.images.len() != all.images.len() {
            let what = format!(
                "{}, but the files of references before it have {}",
                counted(file.images.len() as u64, "line"),
                all.images.len()
            );
            return Err(Error::malformed(Place::file(path), what)
                .with_hint("line n of every file must be about image n; leave a line empty"));
        }
        for (image, (_, more)) in all.images.iter_mut().zip(file.images) {
            image.1.extend(more);
        }
        all.findings.append(&mut file.findings);
    }
    Ok(all.unwrap_or_default())
}

fn empty(path: &Path) -> Error {
    Error::malformed(Place::file(path), "the file is empty")
        .with_hint("captions are JSON or a line an image; see `rebus caption-score --help`")
}

fn from_lines(text: &str) -> CaptionFile {
    let captions = |line: &str| line.split('\t').map(str::to_owned).collect();
    let images = text
        .lines()
        .enumerate()
        .map(|(at, line)| (ItemId::from((at + 1).to_string()), captions(line)))
        .collect();
    CaptionFile { images, names: Names::Lines, ..CaptionFile::default() }
}

fn from_json(path: &Path, text: &str) -> Result<CaptionFile> {
    let Json(entries) = serde_json::from_str(text).map_err(|error| {
        let place = Place::file(path)
            .line(error.line() as u64)
            .field(format!("column {}", error.column()));
        let what = error.to_string();
        let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
        Error::malformed(place, what).with_hint(
            "known are [{\"image_id\": ..., \"caption\": ...}], COCO captions with \"annotations\", \
             and {\"id\": [\"...\"]}",
        )
    })?;
    let mut images: Vec<(ItemId, Vec<String>)> = Vec::new();
    let mut known: FxHashMap<ItemId, usize> = FxHashMap::default();
    for (id, mut captions) in entries {
        let id = ItemId::from(id);
        match known.get(&id) {
            Some(&at) => images[at].1.append(&mut captions),
            None => {
                known.insert(id.clone(), images.len());
                images.push((id, captions));
            }
        }
    }
    Ok(CaptionFile { images, names: Names::Ids, ..CaptionFile::default() })
}

/// Ids and captions of any of the JSON forms, as they come.
struct Json(Vec<(String, Vec<String>)>);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of captions or a map from image to captions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = seq.next_element::<Entry>()? {
            all.push((entry.image_id.0, vec![entry.caption]));
        }
        Ok(Json(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "annotations" => {
                    let entries: Vec<Entry> = map.next_value()?;
                    all.extend(entries.into_iter().map(|e| (e.image_id.0, vec![e.caption])));
                }
                // The other parts of a COCO file.
                "images" | "info" | "licenses" | "type" | "categories" => {
                    map.next_value::<IgnoredAny>()?;
                }
                _ => all.push((key, map.next_value::<Captions>()?.0)),
            }
        }
        Ok(Json(all))
    }
}

#[derive(serde::Deserialize)]
struct Entry {
    image_id: Id,
    caption: String,
}

/// A number or a text.
struct Id(String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = Id;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an image id, a number or a text")
            }

            fn visit_u64<E>(self, id: u64) -> std::result::Result<Id, E> {
                Ok(Id(id.to_string()))
            }

            fn visit_i64<E>(self, id: i64) -> std::result::Result<Id, E> {
                Ok(Id(id.to_string()))
            }

            fn visit_str<E>(self, id: &str) -> std::result::Result<Id, E> {
                Ok(Id(id.to_owned()))
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}

/// One caption, a list of them, or a list of objects with a `caption`.
struct Captions(Vec<String>);

impl<'de> Deserialize<'de> for Captions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct CaptionsVisitor;
        impl<'de> Visitor<'de> for CaptionsVisitor {
            type Value = Captions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a caption or a list of captions")
            }

            fn visit_str<E>(self, caption: &str) -> std::result::Result<Captions, E> {
                Ok(Captions(vec![caption.to_owned()]))
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Captions, A::Error> {
                let mut captions = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "caption" {
                        captions.push(map.next_value::<String>()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                if captions.is_empty() {
                    return Err(serde::de::Error::missing_field("caption"));
                }
                Ok(Captions(captions))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Captions, A::Error> {
                let mut all = Vec::new();
                while let Some(Captions(mut captions)) = seq.next_element()? {
                    all.append(&mut captions);
                }
                Ok(Captions(all))
            }
        }
        deserializer.deserialize_any(CaptionsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(bytes: &[u8]) -> Result<CaptionFile> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("captions");
        std::fs::write(&path, bytes).unwrap();
        read(&path)
    }

    fn image(id: &str, captions: &[&str]) -> (ItemId, Vec<String>) {
        (id.into(), captions.iter().map(|&text| text.to_owned()).collect())
    }

    #[test]
    fn every_form_says_the_same() {
        let wanted = [image("1", &["a dog", "the dog"]), image("2", &["a cat"])];
        for form in [
            r#"[{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a cat", "id": 7},
                {"image_id": "1", "caption": "the dog"}]"#,
            r#"{"info": {}, "images": [{"id": 1}], "annotations": [
                {"id": 3, "image_id": 1, "caption": "a dog"},
                {"id": 4, "image_id": 1, "caption": "the dog"},
                {"id": 5, "image_id": 2, "caption": "a cat"}]}"#,
            r#"{"1": ["a dog", "the dog"], "2": "a cat"}"#,
            r#"{"1": [{"caption": "a dog"}, {"id": 3, "caption": "the dog"}], "2": ["a cat"]}"#,
            "a dog\tthe dog\na cat\n",
        ] {
            assert_eq!(read_text(form.as_bytes()).unwrap().images, wanted, "{form}");
        }
    }

    #[test]
    fn an_id_that_comes_twice_in_a_map_loses_nothing() {
        let file = read_text(br#"{"1": ["a"], "1": ["b"]}"#).unwrap();
        assert_eq!(file.images, [image("1", &["a", "b"])]);
    }

    #[test]
    fn wrong_json_is_pointed_at() {
        for (text, line) in [
            (&b"[{\"image_id\": 1,\n  \"caption\": 5}]"[..], 2),
            (b"[{\"image_id\": 1, \"caption\": \"a\"},\n {\"caption\": \"b\"}]", 2),
            (b"{\"1\": [\"a\",\n\n 3]}", 3),
            (b"{\"1\": [\"a\"", 1),
            (b"[{\"image_id\": 1.5, \"caption\": \"a\"}]", 1),
        ] {
            let error = read_text(text).unwrap_err();
            let Error::Malformed { place, .. } = &error else { panic!("{error}") };
            assert_eq!(place.line, Some(line), "{error}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn an_empty_file_is_refused_and_other_encodings_are_read() {
        assert!(read_text(b"").is_err());
        assert!(read_text(b" \n").is_err());
        let file = read_text(b"a caf\xe9\n").unwrap();
        assert_eq!(file.images, [image("1", &["a caf\u{e9}"])]);
        assert_eq!(file.findings.len(), 1);
    }

    #[test]
    fn text_files_lie_side_by_side() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let (a, b) = (write("a", "a dog\na cat\n"), write("b", "the dog\n\n"));
        let file = read_references(&[&a, &b]).unwrap();
        assert_eq!(file.images, [image("1", &["a dog", "the dog"]), image("2", &["a cat", ""])]);
        let c = write("c", "one line\n");
        assert!(read_references(&[&a, &c]).is_err());
        let json = write("d", "{}");
        assert!(read_references(&[&a, &json]).is_err());
    }

    #[test]
    fn truncation_anywhere_is_an_error_or_less_but_never_a_panic() {
        let whole = r#"{"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "é"}]}"#;
        for end in 0..whole.len() {
            let _ = read_text(&whole.as_bytes()[..end]);
        }
    }
}
