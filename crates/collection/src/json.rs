//! JSON documents read a record at a time.
//!
//! The data sets keep their records in long arrays of one object. [`stream`] walks such a
//! document and hands over one element at a time, so that only a record is in memory. Records are
//! read leniently into [`Json`]: a field of the wrong kind spoils that record only, while broken
//! syntax ends the reading with line and column.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::{Error, Place, Result, lines};

/// A JSON value, with only those fields of objects that somebody wants.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool,
    Integer(i64),
    Real(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// The field of an object; of two with one name, the later.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Self::Object(fields) => {
                fields.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// A string that is not empty.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.trim().is_empty() => Some(text),
            _ => None,
        }
    }

    /// A string or a whole number, as text: ids come as either.
    pub(crate) fn id(&self) -> Option<String> {
        match self {
            Self::Integer(number) => Some(number.to_string()),
            _ => self.text().map(|text| text.trim().to_owned()),
        }
    }

    /// A number, or a string that holds one.
    pub(crate) fn number(&self) -> Option<f64> {
        let number = match self {
            Self::Integer(number) => *number as f64,
            Self::Real(number) => *number,
            Self::Text(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    /// The elements of a list.
    pub(crate) fn list(&self) -> Option<&[Json]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::Integer(_) | Self::Real(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// The names of fields that are kept; the others are skipped without a copy.
#[derive(Clone, Copy)]
pub(crate) struct Wanted(pub(crate) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Wanted {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<Json, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Wanted {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Json, E> {
        Ok(Json::Bool)
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Json, E> {
        Ok(Json::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Json, E> {
        Ok(i64::try_from(number).map_or(Json::Real(number as f64), Json::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> std::result::Result<Json, E> {
        Ok(Json::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> std::result::Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(at) = map.next_key_seed(OneOf(self.0))? {
            match at {
                Some(name) => fields.push((name, map.next_value_seed(self)?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Json::Object(fields))
    }
}

/// A key, if it is one of these.
struct OneOf(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        from: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E>(self, key: &str) -> std::result::Result<Self::Value, E> {
        Ok(self.0.iter().copied().find(|&name| name == key))
    }
}

/// Takes one element: the array it is in, its position there, and the element.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&'static str, usize, Json) -> Result<()>;

/// Reads an object and hands the elements of those arrays on that `arrays` names, in the order of
/// the document. Of the elements, only the `wanted` fields are kept.
pub(crate) fn stream(
    path: &Path,
    arrays: &'static [&'static str],
    wanted: Wanted,
    each: Each<'_>,
) -> Result<()> {
    let mut trouble = None;
    let mut from = serde_json::Deserializer::from_reader(open(path)?);
    let result = Document { arrays, wanted, each, trouble: &mut trouble }
        .deserialize(&mut from)
        .and_then(|()| from.end());
    match (trouble, result) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(at(path, error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Reads a small document whole.
pub(crate) fn whole(path: &Path, wanted: Wanted) -> Result<Json> {
    let mut from = serde_json::Deserializer::from_reader(open(path)?);
    let value = wanted.deserialize(&mut from).and_then(|value| from.end().map(|()| value));
    value.map_err(|error| at(path, error))
}

/// The file without its byte order mark.
fn open(path: &Path) -> Result<BufReader<Box<dyn Read + Send>>> {
    let mut file = BufReader::with_capacity(1 << 16, lines::open(path)?);
    let head = file.fill_buf().map_err(|source| Error::io(path, source))?;
    if head.starts_with(b"\xef\xbb\xbf") {
        file.consume(3);
    }
    Ok(file)
}

/// An error of the JSON reader, with line and column.
pub(crate) fn at(path: &Path, error: serde_json::Error) -> Error {
    let (line, column) = (error.line() as u64, error.column());
    if error.is_io() {
        return Error::Io { place: Place::file(path), source: error.into() };
    }
    let place = Place::file(path).line(line).field(format!("column {column}"));
    let ending = format!(" at line {line} column {column}");
    let what = error.to_string();
    let what = what.strip_suffix(&ending).unwrap_or(&what).to_owned();
    let cut_off = error.is_eof();
    let error = Error::malformed(place, what);
    if cut_off {
        error.with_hint("the file is cut short; copy or download it again")
    } else {
        error
    }
}

struct Document<'a, 'e> {
    arrays: &'static [&'static str],
    wanted: Wanted,
    each: Each<'e>,
    trouble: &'a mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with {}", self.arrays.join(" and "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(OneOf(self.arrays))? {
            match key {
                Some(array) => map.next_value_seed(Array {
                    array,
                    wanted: self.wanted,
                    each: self.each,
                    trouble: self.trouble,
                })?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct Array<'a, 'e> {
    array: &'static str,
    wanted: Wanted,
    each: &'a mut (dyn FnMut(&'static str, usize, Json) -> Result<()> + 'e),
    trouble: &'a mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for Array<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Array<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.array)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let mut at = 0;
        while let Some(value) = seq.next_element_seed(self.wanted)? {
            if let Err(error) = (self.each)(self.array, at, value) {
                *self.trouble = Some(error);
                return Err(A::Error::custom("stopped"));
            }
            at += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &str) -> (Vec<(String, usize, Json)>, Result<()>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, text).unwrap();
        let mut all = Vec::new();
        let result = stream(&path, &["a", "b"], Wanted(&["id", "in"]), &mut |array, at, value| {
            all.push((array.to_owned(), at, value));
            Ok(())
        });
        (all, result)
    }

    #[test]
    fn elements_come_one_by_one_with_wanted_fields_only() {
        let text = "\u{feff}{\"x\": [1, {\"y\": 2}], \"b\": [{\"id\": 7, \"no\": [1], \
            \"in\": [\"t\", null, 1.5, true, {\"id\": \"8\"}]}], \"a\": [3]}";
        let (all, result) = walk(text);
        result.unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].0.as_str(), all[0].1), ("b", 0));
        let record = &all[0].2;
        assert_eq!(record.get("id").unwrap().id().unwrap(), "7");
        assert!(record.get("no").is_none());
        let list = record.get("in").unwrap().list().unwrap();
        assert_eq!(list[0].text(), Some("t"));
        assert_eq!(list[2].number(), Some(1.5));
        assert_eq!(list[4].get("id").unwrap().number(), Some(8.0));
        assert_eq!(all[1].2, Json::Integer(3));
    }

    #[test]
    fn syntax_errors_say_line_and_column() {
        let (all, result) = walk("{\"a\": [{\"id\": 1},\n  {\"id\" 2}]}");
        assert_eq!(all.len(), 1);
        let error = result.unwrap_err();
        assert!(error.to_string().contains("a.json:2 (column 9): expected `:`"), "{error}");
        let error = walk("{\"a\": [{\"id\": 1},").1.unwrap_err();
        assert!(error.hint().unwrap().contains("cut short"), "{error}");
        let error = walk("[1]").1.unwrap_err();
        assert!(error.to_string().contains("expected an object with a and b"), "{error}");
        let error = walk("{\"a\": 1}").1.unwrap_err();
        assert!(error.to_string().contains("expected a list of a"), "{error}");
    }

    #[test]
    fn the_error_of_the_caller_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, "{\"a\": [1, 2]}").unwrap();
        let result = stream(&path, &["a"], Wanted(&[]), &mut |_, _, _| Err(Error::Interrupted));
        assert!(matches!(result, Err(Error::Interrupted)));
    }
}
