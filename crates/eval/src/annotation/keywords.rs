//! The words of each picture, from outside: what it truly shows, or what a system gave it.
//!
//! ```text
//! 1000<TAB>city,mountain,sky,sun          {"1000": ["city", "mountain", "sky", "sun"]}
//! 1003<TAB>bay,lake                       {"1003": "bay,lake"}
//! ```
//! Words are parted by commas, semicolons or tabs; only where the file has none of them (but the
//! tab after the picture) do blanks part words, so that `polar bear` may be a word. A header that
//! names the columns (`id`, `keywords`) is understood. What a system gives comes best first.

use std::collections::BTreeMap;
use std::path::Path;

use rebus_collection::lines::{self, Lines};
use rebus_collection::{Collection, Error, Place, Result, Split};
use serde_json::Value;

use crate::table::ABOUT;

/// The words of each picture, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keywords(BTreeMap<String, Vec<String>>);

/// What a column of words is called.
const WORDS: [&str; 5] = ["keywords", "words", "tags", "labels", "annotation"];

/// What a column of pictures is called, beside what other tables call their first column.
const PICTURES: [&str; 4] = ["image", "picture", "photo", "file"];

impl Keywords {
    /// The keywords of a collection's pictures, or of one part of it. Pictures without any are left
    /// out: nobody said what they show.
    pub fn of_collection(collection: &Collection, split: Option<&Split>) -> Self {
        let wanted = collection.items().iter().filter(|item| {
            !item.keywords.is_empty()
                && split.is_none_or(|split| collection.split_of(&item.id) == Some(split))
        });
        Self(wanted.map(|item| (item.id.to_string(), item.keywords.clone())).collect())
    }

    /// Reads a table, or JSON if the name ends in `.json`.
    ///
    /// # Errors
    /// If the file cannot be read, holds something else, or names a picture twice; the message
    /// names the line.
    pub fn read(path: &Path) -> Result<Self> {
        let read = if lines::plain_name(path).ends_with(".json") {
            read_json(path)
        } else {
            read_table(path)
        };
        let keywords = read?;
        if keywords.is_empty() {
            return Err(Error::malformed(Place::file(path), "there are no words in it")
                .with_hint("a line is: picture, tab, words separated by commas"));
        }
        Ok(keywords)
    }

    /// Gives a picture its words, in order. What it had before is forgotten, and given back.
    pub fn insert(&mut self, picture: &str, words: Vec<String>) -> Option<Vec<String>> {
        self.0.insert(picture.to_owned(), words)
    }

    /// The words of a picture, if it is known.
    pub fn of(&self, picture: &str) -> Option<&[String]> {
        self.0.get(picture).map(Vec::as_slice)
    }

    /// The pictures and their words, ordered by the pictures' names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(picture, words)| (picture.as_str(), words.as_slice()))
    }

    /// How many pictures there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no picture at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn read_table(path: &Path) -> Result<Keywords> {
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next_line()? {
        if !line.text.trim().is_empty() && !line.text.starts_with('#') {
            let cells = line.text.split('\t').map(|cell| cell.trim().to_owned()).collect();
            rows.push((line.number, cells));
        }
    }
    let columns = rows.first().and_then(|(_, cells)| header(cells));
    if columns.is_some() {
        rows.remove(0);
    }
    // Without a header, all that follows the picture are words.
    let words_of = |cells: &[String]| match columns {
        Some((_, words)) => cells.get(words).map_or(Vec::new(), |cell| vec![cell.clone()]),
        None => cells[1..].to_vec(),
    };
    let parted = |cells: &Vec<String>| {
        words_of(cells).len() > 1 || words_of(cells).iter().any(|cell| cell.contains([',', ';']))
    };
    let blanks = !rows.iter().any(|(_, cells)| parted(cells));
    let mut keywords = Keywords::default();
    for (line, cells) in &rows {
        let place = || Place::file(path).line(*line);
        if cells.len() < 2 {
            return Err(Error::malformed(place(), "there are no words after the picture")
                .with_hint("a line is: picture, tab, words separated by commas"));
        }
        let picture = columns.map_or(0, |(picture, _)| picture);
        let Some(picture) = cells.get(picture).filter(|name| !name.is_empty()) else {
            return Err(Error::malformed(place(), "the line names no picture"));
        };
        let words = words_of(cells).iter().flat_map(|cell| split(cell, blanks)).collect();
        if keywords.insert(picture, words).is_some() {
            return Err(Error::malformed(place(), format!("picture {picture} is there already"))
                .with_hint("a picture has one line, with all its words"));
        }
    }
    Ok(keywords)
}

/// The columns of picture and words, if the first row names them.
fn header(cells: &[String]) -> Option<(usize, usize)> {
    let find = |is: &dyn Fn(&str) -> bool| {
        cells.iter().position(|cell| is(cell.to_ascii_lowercase().as_str()))
    };
    let picture = find(&|name| ABOUT.contains(&name) || PICTURES.contains(&name))?;
    Some((picture, find(&|name| WORDS.contains(&name))?))
}

fn split(cell: &str, blanks: bool) -> Vec<String> {
    let is_gap = |c: char| matches!(c, ',' | ';') || (blanks && c.is_whitespace());
    let words = cell.split(is_gap).map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn read_json(path: &Path) -> Result<Keywords> {
    let source = std::io::BufReader::new(lines::open(path)?);
    let value: Value = serde_json::from_reader(source).map_err(|error| {
        Error::malformed(Place::file(path).line(error.line() as u64), error.to_string())
    })?;
    let wrong = |field: &str, what: &str| {
        Error::malformed(Place::file(path).field(field), what)
            .with_hint("words are {\"picture\": [\"word\", ...]}, the best first")
    };
    let Value::Object(pictures) = value else {
        return Err(wrong("the whole file", "no object"));
    };
    let mut keywords = Keywords::default();
    for (picture, words) in pictures {
        let words = match words {
            Value::String(text) => split(&text, !text.contains([',', ';'])),
            Value::Array(words) => words
                .into_iter()
                .map(|word| match word {
                    Value::String(word) => Ok(word.trim().to_owned()),
                    _ => Err(wrong(&picture, "a word is no text")),
                })
                .collect::<Result<_>>()?,
            _ => return Err(wrong(&picture, "neither a list of words nor a text")),
        };
        keywords.insert(&picture, words);
    }
    Ok(keywords)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(ending: &str, text: &str) -> Result<Keywords> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Keywords::read(file.path())
    }

    #[test]
    fn tables_and_json_say_the_same() {
        let commas = read(".tsv", "a\tpolar bear,ice\nb\tsun\n").unwrap();
        assert_eq!(commas.of("a").unwrap(), ["polar bear", "ice"]);
        assert_eq!(commas, read(".tsv", "id\tkeywords\na\tpolar bear; ice\nb\tsun\n").unwrap());
        assert_eq!(commas, read(".tsv", "a\tpolar bear\tice\nb\tsun\n").unwrap());
        assert_eq!(commas, read(".json", r#"{"b": "sun", "a": ["polar bear", "ice"]}"#).unwrap());
        let blanks = read(".txt", "# pictures\na\tbear ice\nb\tsun\n").unwrap();
        assert_eq!(blanks.of("a").unwrap(), ["bear", "ice"]);
        let other = read(".tsv", "split\timage\twords\ntest\ta\tbear,ice\ntest\tb\tsun\n").unwrap();
        assert_eq!(other, blanks);
        assert_eq!(read(".tsv", "a\t\nb\tsun\n").unwrap().of("a").unwrap().len(), 0);
    }

    #[test]
    fn faults_are_named() {
        for (ending, text, part) in [
            (".tsv", "a\tsun\na\tsea\n", ":2: picture a is there already"),
            (".tsv", "a\tsun\nb\n", ":2: there are no words after"),
            (".tsv", "a\tsun\n\tsea\n", ":2: the line names no picture"),
            (".tsv", "", "no words in it"),
            (".json", "[]", "no object"),
            (".json", r#"{"a": 1}"#, "(a): neither"),
            (".json", r#"{"a": [1]}"#, "(a): a word is no text"),
            (".json", "{\"a\":\n", ":2"),
        ] {
            let error = read(ending, text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
