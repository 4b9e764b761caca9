//! Mulan's ARFF form: a row a photo, an attribute a blob or keyword.
//!
//! `@attribute Cluster17 {0,1}` is the blob 17, any other attribute a keyword; `@data` rows are
//! sparse (`{19 1,93 1}`, counted from 0) or dense (`0,1,0`). Rows carry no names, so items are
//! called `train-1`, `train-2`, … after the file's name, or `row-1` where it says no split. A blob
//! is only present or not: its count is not known.
//!
//! In the published test file the last cluster is set in nearly every row, which no picture
//! accounts for: such a blob is told, and left as it is.

use std::path::Path;

use super::split_of;
use crate::findings::{Findings, note};
use crate::lines::{self, for_each_line};
use crate::{Blob, Error, Item, Place, Record, Result, Severity, Sink};

/// Whether a file looks like Corel5k in this form.
pub(super) fn is_corel(path: &Path) -> bool {
    let head = String::from_utf8_lossy(&lines::head(path, 4096)).to_lowercase();
    head.contains("@attribute cluster") || (head.contains("@relation") && head.contains("corel5k"))
}

enum Attribute {
    Blob(u32),
    Keyword(String),
}

enum Row {
    Values(Vec<usize>),
    Wrong(&'static str, String),
}

pub(super) fn read(path: &Path, sink: &mut dyn Sink) -> Result<()> {
    let split = split_of(path);
    let stem = split.as_ref().map_or("row", |split| split.as_str()).to_owned();
    let mut attributes: Vec<Attribute> = Vec::new();
    let mut set_in: Vec<u64> = Vec::new();
    let mut in_data = false;
    let mut rows = 0_u64;
    let mut findings = Findings::default();
    for_each_line(path, sink, |line, sink| {
        let text = line.text.trim();
        if text.is_empty() || text.starts_with('%') {
            return Ok(());
        }
        let place = || Place::file(path).line(line.number);
        if !in_data {
            let (keyword, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            match keyword.to_ascii_lowercase().as_str() {
                "@relation" => {}
                "@attribute" => attributes.push(attribute(rest).ok_or_else(|| {
                    Error::malformed(place().field("@attribute"), "an attribute without a name")
                })?),
                "@data" => {
                    in_data = true;
                    set_in = vec![0; attributes.len()];
                }
                _ => {
                    let what = format!("`{keyword}` is not known in the header of an ARFF file");
                    return Err(Error::malformed(place(), what)
                        .with_hint("@relation, @attribute or @data is expected before the data"));
                }
            }
            return Ok(());
        }
        rows += 1;
        let set = match values(text, attributes.len()) {
            Row::Values(set) => set,
            Row::Wrong(field, what) => {
                let place = place().field(field);
                return findings.tell(sink, Severity::Skipped, "rows left out", place, what);
            }
        };
        let mut item = Item::new(format!("{stem}-{rows}"));
        for at in set {
            set_in[at] += 1;
            match &attributes[at] {
                Attribute::Blob(token) => item.blobs.push(Blob { token: *token, count: None }),
                Attribute::Keyword(word) => item.keywords.push(word.clone()),
            }
        }
        let id = item.id.clone();
        sink.put(Record::Item(Box::new(item)))?;
        match &split {
            Some(split) => sink.put(Record::Split(id, split.clone())),
            None => Ok(()),
        }
    })?;
    findings.finish(path, sink)?;
    if !in_data {
        return Err(Error::malformed(Place::file(path), "no @data in this file")
            .with_hint("the file is cut short; copy or download it again"));
    }
    for (attribute, &count) in attributes.iter().zip(&set_in) {
        // No region type is in nine photos of ten.
        if let Attribute::Blob(token) = attribute
            && rows >= 20
            && count * 10 > rows * 9
        {
            let what = format!(
                "Cluster{token} is set in {count} of {rows} rows: likely a fault of the conversion"
            );
            note(sink, Place::file(path).field(format!("Cluster{token}")), what)?;
        }
    }
    Ok(())
}

/// The attribute that a declaration names; the name may stand in quotes.
fn attribute(declaration: &str) -> Option<Attribute> {
    let declaration = declaration.trim();
    let quote = declaration.chars().next()?;
    let name = if quote == '\'' || quote == '"' {
        declaration[1..].split(quote).next()?
    } else {
        declaration.split_whitespace().next()?
    };
    if name.is_empty() {
        return None;
    }
    let number = name.strip_prefix("Cluster").or_else(|| name.strip_prefix("cluster"));
    Some(match number.and_then(|number| number.parse().ok()) {
        Some(token) => Attribute::Blob(token),
        None => Attribute::Keyword(name.to_owned()),
    })
}

/// The positions of the attributes that a row sets.
fn values(row: &str, attributes: usize) -> Row {
    let mut set = Vec::new();
    let Some(sparse) = row.strip_prefix('{') else {
        let cells: Vec<&str> = row.split(',').map(str::trim).collect();
        if cells.len() != attributes {
            let what = format!("{} values for {attributes} attributes: row left out", cells.len());
            return Row::Wrong("values", what);
        }
        for (at, cell) in cells.into_iter().enumerate() {
            match is_set(cell) {
                Some(true) => set.push(at),
                Some(false) => {}
                None => {
                    return Row::Wrong(
                        "values",
                        format!("`{cell}` is neither 0 nor 1: row left out"),
                    );
                }
            }
        }
        return Row::Values(set);
    };
    let Some(sparse) = sparse.strip_suffix('}') else {
        return Row::Wrong("values", "no closing brace: row left out".to_owned());
    };
    for pair in sparse.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let Some((at, value)) = pair.split_once(char::is_whitespace) else {
            return Row::Wrong(
                "values",
                format!("`{pair}` is not a position and a value: row left out"),
            );
        };
        match (at.parse::<usize>(), is_set(value.trim())) {
            (Ok(at), Some(true)) if at < attributes && !set.contains(&at) => set.push(at),
            (Ok(at), Some(false)) if at < attributes => {}
            (Ok(at), Some(_)) if at >= attributes => {
                return Row::Wrong("values", format!("there is no attribute {at}: row left out"));
            }
            _ => return Row::Wrong("values", format!("`{pair}` makes no sense: row left out")),
        }
    }
    Row::Values(set)
}

fn is_set(value: &str) -> Option<bool> {
    match value {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Corel5k;
    use super::*;
    use crate::format::{Format, ReadOptions};
    use crate::{Collection, Split};

    fn read(name: &str, text: &str) -> (Collection, Result<()>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut collection = Collection::new();
        let result = Corel5k.read(&path, &ReadOptions::default(), &mut collection);
        (collection, result)
    }

    const HEADER: &str = "% a comment\n@relation Corel5k\n\n@attribute Cluster1 {0,1}\n\
        @ATTRIBUTE Cluster7 {0,1}\n@attribute 'f 16' {0,1}\n@attribute sea {0,1}\n@data\n";

    #[test]
    fn sparse_and_dense_rows() {
        let text = format!("{HEADER}{{1 1,3 1}}\n1,0,1,0\n{{9 1}}\n{{1 1\n1,2\n{{0 x}}\n{{}}\n");
        let (collection, result) = read("Corel5k-test-sparse.arff", &text);
        result.unwrap();
        let [first, second, third] = collection.items() else { panic!("three items") };
        assert_eq!(first.blobs, [Blob { token: 7, count: None }]);
        assert_eq!(first.keywords, ["sea"]);
        assert_eq!(second.keywords, ["f 16"]);
        assert_eq!(third.id.as_str(), "test-7");
        assert_eq!(collection.split_of(&"test-1".into()), Some(&Split::Test));
        let lines: Vec<_> = collection.findings().iter().filter_map(|f| f.place.line).collect();
        assert_eq!(lines, [11, 12, 13, 14]);
    }

    #[test]
    fn a_blob_in_every_row_is_told() {
        let rows = "{0 1}\n".repeat(30);
        let (collection, result) = read("x.arff", &format!("{HEADER}{rows}"));
        result.unwrap();
        assert!(collection.findings()[0].what.starts_with("Cluster1 is set in 30 of 30 rows"));
    }

    #[test]
    fn a_header_without_data_is_an_error() {
        let (_, result) = read("x.arff", "@relation Corel5k\n@attribute a {0,1}\n");
        assert!(result.unwrap_err().to_string().contains("no @data"));
        let (_, result) = read("x.arff", "@relation Corel5k\nnonsense\n");
        assert!(result.unwrap_err().to_string().contains("x.arff:2"));
    }
}
