//! WebDataset: tar archives whose members are grouped by name, such as `000012.jpg`, `000012.txt`
//! and `000012.json`.
//!
//! A path is one archive (`.tar`, `.tar.gz`, `.tgz`), a folder of them, or a pattern such as
//! `shards/train-{000..041}.tar`. The key is the member's path up to the first dot of its last
//! part. `txt` holds a caption a line, `json` named values as a row of a table has them; where it
//! names captions itself, they go before those of `txt`.

use std::cell::Cell as Counter;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value};

use super::table::field::{Columns, Field};
use super::table::{Cell, Mapper};
use crate::format::{Confidence, Format, ReadOptions};
use crate::{Error, Finding, Place, Record, Result, Severity, Sink};

/// Pictures, captions and metadata in tar archives.
pub(crate) struct WebDataset;

/// Extensions of members that are pictures.
const PICTURES: &[&str] = &["jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff"];

/// A larger member is left out: it is no picture, and may be made to exhaust the memory.
const LARGEST: u64 = 1 << 30;

/// A pattern may name so many archives.
const MOST_SHARDS: usize = 1 << 20;

impl Format for WebDataset {
    fn name(&self) -> &'static str {
        "webdataset"
    }

    fn about(&self) -> &'static str {
        "tar archives of jpg, txt and json: a file, a folder, or a pattern like x-{000..009}.tar"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        if path.is_dir() {
            let any = shards(path).is_ok_and(|shards| !shards.is_empty());
            return if any { Confidence::Surely } else { Confidence::No };
        }
        let Some(first) = shards(path).ok().and_then(|shards| shards.into_iter().next()) else {
            return Confidence::No;
        };
        let mut header = [0; 512];
        let Ok(()) = open(&first).and_then(|mut file| file.read_exact(&mut header)) else {
            return Confidence::No;
        };
        if &header[257..262] != b"ustar" {
            return Confidence::No;
        }
        let end = header[..100].iter().position(|&byte| byte == 0).unwrap_or(100);
        match member(&String::from_utf8_lossy(&header[..end])) {
            Some((_, end)) if known(&end) => Confidence::Surely,
            _ => Confidence::Perhaps,
        }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        let shards = shards(path)?;
        if shards.is_empty() {
            return Err(Error::malformed(Place::file(path), "there are no tar archives here"));
        }
        let mut mapper = Mapper::new(path, options);
        let mut whole = 0;
        let mut trouble = None;
        for shard in &shards {
            let mut reader = Shard { path: shard, options, mapper: &mut mapper, sink, samples: 0 };
            match reader.read() {
                Ok(()) => whole += 1,
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                Err(error) => {
                    whole += u64::from(reader.samples > 0);
                    report(&error, sink)?;
                    trouble.get_or_insert(error);
                }
            }
        }
        mapper.findings.finish(path, sink)?;
        match trouble {
            // Where nothing could be read at all, the first trouble is the whole answer.
            Some(trouble) if whole == 0 => Err(trouble),
            _ => Ok(()),
        }
    }
}

/// Reading goes on with the next archive; what happened to this one is told.
fn report(error: &Error, sink: &mut dyn Sink) -> Result<()> {
    let (place, what) = match error {
        Error::Malformed { place, what, .. } => (place.clone(), what.clone()),
        Error::Io { place, source } => (place.clone(), source.to_string()),
        other => (Place::default(), other.to_string()),
    };
    sink.put(Record::Finding(Finding { place, what, severity: Severity::Skipped }))
}

/// The archives that a path stands for, in order.
fn shards(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|source| Error::io(path, source))?;
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut shards: Vec<PathBuf> =
            files.filter(|path| is_archive(path) && path.is_file()).collect();
        shards.sort();
        return Ok(shards);
    }
    match path.to_str().filter(|text| text.contains('{') && !path.exists()) {
        Some(pattern) => {
            let mut all = Vec::new();
            expand(pattern, &mut all);
            Ok(all.into_iter().map(PathBuf::from).collect())
        }
        None => Ok(vec![path.to_path_buf()]),
    }
}

fn is_archive(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    name.is_some_and(|name| [".tar", ".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end)))
}

/// Expands the first `{000..041}` or `{a,b}` of a pattern, and then the rest.
fn expand(pattern: &str, all: &mut Vec<String>) {
    let braces = pattern.find('{').and_then(|open| {
        let close = open + pattern[open..].find('}')?;
        Some((&pattern[..open], &pattern[open + 1..close], &pattern[close + 1..]))
    });
    let Some((before, inside, after)) = braces else {
        all.push(pattern.to_owned());
        return;
    };
    let range = inside.split_once("..").and_then(|(first, last)| {
        Some((first.len(), first.parse::<u64>().ok()?, last.parse::<u64>().ok()?))
    });
    let choices: Vec<String> = match range {
        Some((width, first, last)) => {
            (first..=last).take(MOST_SHARDS).map(|n| format!("{n:0width$}")).collect()
        }
        None => inside.split(',').map(str::to_owned).collect(),
    };
    for choice in choices {
        if all.len() >= MOST_SHARDS {
            return;
        }
        expand(&format!("{before}{choice}{after}"), all);
    }
}

fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let head = std::io::BufRead::fill_buf(&mut file)?;
    let packed = head.starts_with(&[0x1f, 0x8b]);
    Ok(if packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

/// A member's key and its extension in lower case.
fn member(name: &str) -> Option<(String, String)> {
    let name = name.strip_prefix("./").unwrap_or(name);
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    let dot = last + name[last..].find('.')?;
    (dot > last).then(|| (name[..dot].to_owned(), name[dot + 1..].to_lowercase()))
}

fn known(end: &str) -> bool {
    PICTURES.contains(&end) || end == "txt" || end == "json"
}

/// The members of one key.
#[derive(Default)]
struct Sample {
    key: String,
    place: Place,
    picture: Option<Vec<u8>>,
    text: Option<String>,
    about: Map<String, Value>,
}

struct Shard<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    mapper: &'a mut Mapper,
    sink: &'a mut dyn Sink,
    samples: u64,
}

impl Shard<'_> {
    fn read(&mut self) -> Result<()> {
        let io = |source| Error::io(self.path, source);
        let position = Rc::new(Counter::new(0));
        let counted = Counted { source: open(self.path).map_err(io)?, position: position.clone() };
        let mut archive = tar::Archive::new(counted);
        let mut sample = Sample::default();
        let mut last = String::new();
        for entry in archive.entries().map_err(io)? {
            let here = Place::file(self.path).byte(position.get());
            let mut entry = entry.map_err(|error| cut(here, &last, &error.to_string()))?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let size = entry.size();
            let place = Place::file(self.path).byte(entry.raw_file_position()).field(name.as_str());
            last.clone_from(&name);
            let Some((key, end)) = member(&name).filter(|(_, end)| known(end)) else { continue };
            if !entry.header().entry_type().is_file() {
                continue;
            }
            if key != sample.key {
                self.give(std::mem::take(&mut sample))?;
                sample.key = key;
                sample.place = place.clone();
            }
            if size > LARGEST {
                self.skip(place, format!("{size} bytes are too many for a member; left out"))?;
                continue;
            }
            let mut bytes = Vec::new();
            let read = entry.read_to_end(&mut bytes);
            if read.is_err() || bytes.len() as u64 != size {
                let read = place.byte.unwrap_or(0) + bytes.len() as u64;
                let what = format!("the archive ends inside {name}, at byte {read}");
                return Err(Error::malformed(place, what)
                    .with_hint("the copy was cut short; fetch the archive again"));
            }
            self.add(&mut sample, &end, bytes, place)?;
        }
        self.give(sample)
    }

    fn add(&mut self, sample: &mut Sample, end: &str, bytes: Vec<u8>, place: Place) -> Result<()> {
        match end {
            "txt" => match String::from_utf8(bytes) {
                Ok(text) => sample.text = Some(text),
                Err(error) => {
                    let (text, ..) = encoding_rs::WINDOWS_1252.decode(error.as_bytes());
                    sample.text = Some(text.into_owned());
                    let what = "bytes that are not UTF-8 were read as Windows-1252".to_owned();
                    let severity = Severity::Note;
                    self.sink.put(Record::Finding(Finding { place, what, severity }))?;
                }
            },
            "json" => match serde_json::from_slice(&bytes) {
                Ok(about) => sample.about = about,
                Err(error) => self.skip(place, format!("no JSON object ({error}); left out"))?,
            },
            _ if sample.picture.is_none() => sample.picture = Some(bytes),
            _ => self.skip(place, "a second picture of the same key; left out".into())?,
        }
        Ok(())
    }

    fn skip(&mut self, place: Place, what: String) -> Result<()> {
        let kind = "members left out";
        self.mapper.findings.tell(self.sink, Severity::Skipped, kind, place, what)
    }

    /// Hands a finished sample to the mapping, as a row.
    fn give(&mut self, sample: Sample) -> Result<()> {
        if sample.key.is_empty() {
            return Ok(());
        }
        self.samples += 1;
        let has_captions = ["caption", "captions"].iter().any(|n| sample.about.contains_key(*n));
        let mut row: Vec<(String, Cell)> =
            sample.about.into_iter().map(|(name, value)| (name, Cell::from(value))).collect();
        row.retain(|(name, _)| !matches!(name.as_str(), "__key__" | "record" | "bytes"));
        row.push(("__key__".into(), Cell::Text(sample.key)));
        if let Some(text) = sample.text.filter(|_| !has_captions) {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| Cell::Text(line.to_owned())).collect();
            row.push(("caption".into(), Cell::List(lines)));
        }
        // A shard that rebus wrote names its captions: without any, a description is not one.
        let is_ours = row.iter().any(|(name, _)| name == Field::Item.name());
        if is_ours && !row.iter().any(|(name, _)| matches!(name.as_str(), "caption" | "captions")) {
            row.push((Field::Record.name().into(), Cell::Text("item".into())));
        }
        if let Some(picture) = sample.picture {
            row.push(("bytes".into(), Cell::Bytes(picture.into())));
        }
        let (names, cells): (Vec<String>, Vec<Cell>) = row.into_iter().unzip();
        let chosen = self.options.columns.iter().filter(|(_, column)| names.contains(column));
        let columns = Columns::find(&names, &chosen.cloned().collect::<Vec<_>>(), self.path)?;
        self.mapper.row(&columns, cells, sample.place, self.sink)
    }
}

fn cut(place: Place, last: &str, what: &str) -> Error {
    let place = if last.is_empty() { place } else { place.field(format!("after {last}")) };
    Error::malformed(place, format!("not a whole tar archive: {what}"))
        .with_hint("the copy may have been cut short; fetch the archive again")
}

/// Counts the bytes that were read.
struct Counted<R> {
    source: R,
    position: Rc<Counter<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.position.set(self.position.get() + read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, ImageSource};

    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, content) in members {
            let mut header = tar::Header::new_ustar();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, *content).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn small() -> Vec<u8> {
        archive(&[
            ("x/a.jpg", b"\xff\xd8 picture"),
            ("x/a.txt", b"A dog.\nA hound.\n"),
            ("x/b.seg.png", b"mask"),
            ("x/b.png", b"\x89PNG picture"),
            ("x/b.json", br#"{"caption": "A cat.", "split": "val", "title": "Cat"}"#),
            ("x/b.txt", b"other words"),
        ])
    }

    fn read(path: &Path) -> Result<Collection> {
        let mut collection = Collection::new();
        WebDataset.read(path, &ReadOptions::default(), &mut collection)?;
        Ok(collection)
    }

    #[test]
    fn members_are_grouped_by_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x-001.tar");
        std::fs::write(&path, small()).unwrap();
        assert_eq!(WebDataset.recognise(&path), Confidence::Surely);
        assert_eq!(WebDataset.recognise(folder.path()), Confidence::Surely);
        let all = read(&path).unwrap();
        let ids: Vec<&str> = all.items().iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["x/a", "x/b"]);
        assert_eq!(all.items()[0].image, ImageSource::Bytes(b"\xff\xd8 picture"[..].into()));
        let texts: Vec<&str> = all.captions().iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["A dog.", "A hound.", "A cat."]);
        assert_eq!(all.items()[1].metadata.title.as_deref(), Some("Cat"));
        assert!(all.findings().is_empty(), "{:?}", all.findings());
    }

    #[test]
    fn patterns_and_folders_name_the_same_shards() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["s-009.tar", "s-010.tar"] {
            std::fs::write(folder.path().join(name), archive(&[(name, b"")])).unwrap();
        }
        let pattern = folder.path().join("s-{009..010}.tar");
        assert_eq!(shards(&pattern).unwrap(), shards(folder.path()).unwrap());
        let mut all = Vec::new();
        expand("a{x,y}-{1..2}", &mut all);
        assert_eq!(all, ["ax-1", "ax-2", "ay-1", "ay-2"]);
        all.clear();
        expand("open{brace", &mut all);
        assert_eq!(all, ["open{brace"]);
    }

    #[test]
    fn a_cut_archive_keeps_what_was_whole_and_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.tar");
        let bytes = small();
        let at = bytes.windows(6).position(|w| w == b"\x89PNG p").unwrap();
        std::fs::write(&path, &bytes[..at + 3]).unwrap();
        let all = read(&path).unwrap();
        assert_eq!(all.items().len(), 1);
        let finding = &all.findings()[0];
        assert_eq!(finding.place.byte, Some(at as u64));
        assert_eq!(finding.what, format!("the archive ends inside x/b.png, at byte {}", at + 3));
    }

    #[test]
    fn packed_archives_and_rubbish() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.tar.gz");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&small()).unwrap();
        std::fs::write(&path, packer.finish().unwrap()).unwrap();
        assert_eq!(WebDataset.recognise(&path), Confidence::Surely);
        assert_eq!(read(&path).unwrap().items().len(), 2);
        std::fs::write(&path, [b'x'; 2000]).unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.to_string().contains("not a whole tar archive"), "{error}");
    }
}
