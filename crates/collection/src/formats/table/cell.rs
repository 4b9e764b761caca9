//! What stands in one column of one row.

use std::sync::Arc;

use serde_json::Value;

/// One value of a table, as far as the file's own types go.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// Nothing, or a value that has no meaning here.
    Empty,
    /// Text; in CSV and TSV everything is.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// Any other number.
    Real(f64),
    /// Bytes that are no text.
    Bytes(Arc<[u8]>),
    /// Several values.
    List(Vec<Cell>),
    /// Named values (Hugging Face's pictures are `{bytes, path}`).
    Struct(Vec<(String, Cell)>),
}

impl Cell {
    /// The value as text, if it is a single one and not blank.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            Self::Whole(number) => Some(number.to_string()),
            Self::Real(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// The part of this name, if it is a struct.
    pub(crate) fn part(&self, name: &str) -> Option<&Cell> {
        match self {
            Self::Struct(parts) => {
                parts.iter().find(|(part, _)| part == name).map(|(_, cell)| cell)
            }
            _ => None,
        }
    }

    /// True if there is nothing here.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(cells) => cells.is_empty(),
            _ => false,
        }
    }

    /// The values as texts: those of a list, those of a JSON list in a text, or the one.
    pub(crate) fn texts(&self) -> Vec<String> {
        match self {
            Self::List(cells) => cells.iter().filter_map(Self::text).collect(),
            Self::Text(text) => match json_list(text) {
                Some(list) => list.iter().filter_map(Self::text).collect(),
                None => self.text().into_iter().collect(),
            },
            other => other.text().into_iter().collect(),
        }
    }

    /// As [`texts`](Self::texts), and a single text is taken apart at `;`, else `|`, else `,`.
    /// Repeats are dropped.
    pub(crate) fn words(&self) -> Vec<String> {
        let texts = match self {
            Self::Text(text) if json_list(text).is_none() => {
                let separator = [';', '|'].into_iter().find(|&c| text.contains(c)).unwrap_or(',');
                text.split(separator).map(str::to_owned).collect()
            }
            other => other.texts(),
        };
        let mut words: Vec<String> = Vec::with_capacity(texts.len());
        for text in texts {
            let word = text.trim();
            if !word.is_empty() && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        words
    }
}

/// A JSON list written into a text column, as tools that flatten tables do.
fn json_list(text: &str) -> Option<Vec<Cell>> {
    let text = text.trim();
    if !(text.starts_with('[') && text.ends_with(']')) {
        return None;
    }
    let values: Vec<Value> = serde_json::from_str(text).ok()?;
    Some(values.into_iter().map(Cell::from).collect())
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Empty,
            Value::Bool(flag) => Self::Whole(i64::from(flag)),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => Self::Whole(whole),
                None => number.as_f64().map_or(Self::Empty, Self::Real),
            },
            Value::String(text) => Self::Text(text),
            Value::Array(values) => Self::List(values.into_iter().map(Self::from).collect()),
            Value::Object(parts) => Self::Struct(
                parts.into_iter().map(|(name, value)| (name, Self::from(value))).collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Cell {
        Cell::Text(text.into())
    }

    #[test]
    fn words_are_taken_apart_at_the_strongest_mark() {
        assert_eq!(text("sun; big sea;sun").words(), ["sun", "big sea"]);
        assert_eq!(text("sun|sea, deep").words(), ["sun", "sea, deep"]);
        assert_eq!(text("sun, sea").words(), ["sun", "sea"]);
        assert_eq!(text(r#"["sun", "sea, deep"]"#).words(), ["sun", "sea, deep"]);
        assert_eq!(
            Cell::List(vec![text("sun"), Cell::Empty, Cell::Whole(3)]).words(),
            ["sun", "3"]
        );
        assert!(text(" ; ").words().is_empty());
    }

    #[test]
    fn a_sentence_in_brackets_is_no_list() {
        assert_eq!(text("[a dog] runs").texts(), ["[a dog] runs"]);
        assert_eq!(text("[a dog]").texts(), ["[a dog]"]);
    }
}
