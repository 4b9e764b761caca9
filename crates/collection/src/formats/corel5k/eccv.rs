//! The files as they were published in 2002: matrices of numbers, a photo a line.
//!
//! - `words`: the vocabulary, a word a line, counted from 1;
//! - `document_words`, `test_1_document_words`: the numbers of a photo's words, filled up with -99 or
//!   0;
//! - `blob_counts`, `test_1_blob_counts`: the number of regions of a photo. The numbers in
//!   `document_blobs` count regions through the whole set; which cluster a region belongs to was
//!   a result of its own and is not among the files, so there are no tokens;
//! - `image_nums`, `test_1_image_nums`, if present: the name of the photo of each line. Otherwise
//!   items are called `train-1`, `train-2`, … and `test-1`, …

use std::path::Path;

use rustc_hash::FxHashSet;

use super::find;
use crate::findings::{Findings, note};
use crate::lines::{Lines, for_each_line};
use crate::{Item, ItemId, Place, Record, Result, Severity, Sink, Split};

pub(super) fn read(folder: &Path, sink: &mut dyn Sink) -> Result<()> {
    let mut words = Vec::new();
    if let Some(path) = find(folder, "words") {
        for_each_line(&path, sink, |line, _| {
            words.push(line.text.trim().to_owned());
            Ok(())
        })?;
    }
    let mut seen = FxHashSet::default();
    for (prefix, split) in [("", Split::Train), ("test_1_", Split::Test)] {
        read_part(folder, prefix, &split, &words, &mut seen, sink)?;
    }
    Ok(())
}

fn column(folder: &Path, name: &str, sink: &mut dyn Sink) -> Result<Option<Vec<String>>> {
    let Some(path) = find(folder, name) else { return Ok(None) };
    let mut values = Vec::new();
    for_each_line(&path, sink, |line, _| {
        values.push(line.text.trim().to_owned());
        Ok(())
    })?;
    Ok(Some(values))
}

fn read_part(
    folder: &Path,
    prefix: &str,
    split: &Split,
    words: &[String],
    seen: &mut FxHashSet<ItemId>,
    sink: &mut dyn Sink,
) -> Result<()> {
    let Some(path) = find(folder, &format!("{prefix}document_words")) else { return Ok(()) };
    let regions = column(folder, &format!("{prefix}blob_counts"), sink)?;
    let names = column(folder, &format!("{prefix}image_nums"), sink)?;
    let mut findings = Findings::default();
    let mut lines = Lines::open(&path)?;
    let mut count = 0;
    while let Some(line) = lines.next_line()? {
        if line.text.trim().is_empty() {
            continue;
        }
        let place = || Place::file(&path).line(line.number);
        let name =
            names.as_ref().and_then(|names| names.get(count)).filter(|name| !name.is_empty());
        let name = name.cloned().unwrap_or_else(|| format!("{split}-{}", count + 1));
        let mut item = Item::new(name);
        for number in line.text.split_whitespace() {
            let word = match number.parse::<i64>() {
                Ok(0 | -99) => continue,
                Ok(number) => usize::try_from(number - 1).ok().and_then(|at| words.get(at)),
                Err(_) => None,
            };
            match word {
                Some(word) if !item.keywords.contains(word) => item.keywords.push(word.clone()),
                Some(_) => {}
                None => {
                    let what = format!("`{number}` is not the number of a word: left out");
                    let kind = "numbers that are no word's";
                    findings.tell(sink, Severity::Skipped, kind, place(), what)?;
                }
            }
        }
        item.regions = regions
            .as_ref()
            .and_then(|regions| regions.get(count))
            .and_then(|regions| regions.parse().ok());
        count += 1;
        if !seen.insert(item.id.clone()) {
            let what = format!("photo {} stands here a second time: left out", item.id);
            findings.tell(sink, Severity::Skipped, "photos that repeat", place(), what)?;
            continue;
        }
        let id = item.id.clone();
        sink.put(Record::Item(Box::new(item)))?;
        sink.put(Record::Split(id, split.clone()))?;
    }
    lines.report(sink)?;
    findings.finish(&path, sink)?;
    for (what, other) in [("blob_counts", &regions), ("image_nums", &names)] {
        let length = other.as_ref().map_or(count, |values| {
            values.iter().rposition(|value| !value.is_empty()).map_or(0, |last| last + 1)
        });
        if length != count {
            let what = format!("{prefix}{what} has {length} lines, but there are {count} photos");
            note(sink, Place::file(&path), what)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Corel5k;
    use crate::Collection;
    use crate::format::{Format, ReadOptions};

    #[test]
    fn numbers_become_words() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("words", "city\nsea\n"),
            ("document_words", "1 2 -99 \n2 9 x -99\n"),
            ("blob_counts", "9\n10\n"),
            ("test_1_document_words", "2 0 0\n2 0 0\n"),
            ("test_1_image_nums", "161092\n161092\n"),
            ("test_1_blob_counts", "4\n"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let mut collection = Collection::new();
        Corel5k.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap();
        let ids: Vec<_> = collection.items().iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["train-1", "train-2", "161092"]);
        assert_eq!(collection.items()[0].keywords, ["city", "sea"]);
        assert_eq!(collection.items()[1].regions, Some(10));
        let told: Vec<_> = collection.findings().iter().map(|f| f.what.as_str()).collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[3].contains("1 lines, but there are 2"));
    }
}
