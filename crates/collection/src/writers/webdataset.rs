//! WebDataset: an item is a group of members with the same key: the picture, `txt` with a caption
//! a line, and `json` with all that is known of the item.
//!
//! A name that ends in `.tar` becomes one archive, any other a folder of archives. What belongs to
//! an item may come from the reader in any order, so members are written at the end; pictures that
//! came as bytes wait in a file beside the output, not in memory. Topics and judgements have no
//! place in this format.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use super::atomic::AtomicFolder;
use super::jsonl::json;
use super::{AtomicFile, Output, WriteOptions, Writer, Written, folder};
use crate::formats::table::field::Field;
use crate::formats::table::row;
use crate::{Collection, Error, ImageSource, Item, ItemId, Record, Result, Sink, counted};

/// Tar archives.
pub(super) struct WebDataset;

/// An archive of a folder ends after so many items, or so many bytes.
const ITEMS: u64 = 10_000;
const BYTES: u64 = 1 << 30;

impl Writer for WebDataset {
    fn name(&self) -> &'static str {
        "webdataset"
    }

    fn about(&self) -> &'static str {
        "tar archives: one where the name ends in .tar, else a folder; no judgements"
    }

    fn create(&self, path: &Path, _options: &WriteOptions) -> Result<Box<dyn Output>> {
        let single = path.extension().is_some_and(|end| end == "tar");
        let (folder, open) = match single {
            true => (None, Some(Shard::new(AtomicFile::create(path)?))),
            false => (Some(AtomicFolder::create(path)?), None),
        };
        let shards = Shards { path: path.to_path_buf(), folder, open, number: 0 };
        Ok(Box::new(Archive {
            path: path.to_path_buf(),
            shards: Some(shards),
            collection: Collection::new(),
            spool: None,
            spooled: FxHashMap::default(),
            trouble: None,
        }))
    }
}

struct Archive {
    path: PathBuf,
    /// `None` once they are being finished.
    shards: Option<Shards>,
    /// All but the bytes of pictures.
    collection: Collection,
    spool: Option<Spool>,
    spooled: FxHashMap<ItemId, (u64, u64)>,
    trouble: Option<Error>,
}

/// Where bytes wait for the end.
struct Spool {
    file: File,
    end: u64,
}

impl Spool {
    /// A file without a name: it goes away with the process, however that ends.
    fn create(path: &Path) -> io::Result<Self> {
        let name = folder(path).join(format!(".rebus-spool-{}", std::process::id()));
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&name)?;
        // Where a file in use cannot be removed, it stays until somebody cleans up.
        let _ = std::fs::remove_file(&name);
        Ok(Self { file, end: 0 })
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<(u64, u64)> {
        self.file.write_all(bytes)?;
        let at = (self.end, bytes.len() as u64);
        self.end += at.1;
        Ok(at)
    }

    fn get(&mut self, (start, length): (u64, u64)) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        (&self.file).take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Archive {
    fn spool(&mut self, item: &mut Item) -> io::Result<()> {
        let ImageSource::Bytes(bytes) = &item.image else { return Ok(()) };
        if !self.spooled.contains_key(&item.id) {
            let spool = match &mut self.spool {
                Some(spool) => spool,
                none => none.insert(Spool::create(&self.path)?),
            };
            self.spooled.insert(item.id.clone(), spool.put(bytes)?);
        }
        item.image = ImageSource::Absent;
        Ok(())
    }

    fn write(&mut self, mut shards: Shards) -> Result<Written> {
        let mut written = Written { path: self.path.clone(), ..Written::default() };
        let (mut unread, mut keys) = (0, FxHashSet::default());
        for item in self.collection.items() {
            let picture = match (&item.image, self.spooled.get(&item.id), &mut self.spool) {
                (_, Some(&at), Some(spool)) => {
                    Some(spool.get(at).map_err(|source| Error::io(&self.path, source))?)
                }
                (ImageSource::File(path), ..) => std::fs::read(path).ok(),
                _ => None,
            };
            unread += u64::from(picture.is_none());
            let key = key(item, &mut keys);
            let mut members = Vec::new();
            if let Some(picture) = picture {
                members.push((format!("{key}.{}", extension(&picture, item)), picture));
            }
            let texts: Vec<&str> = self
                .collection
                .captions_of(&item.id)
                .map(|caption| caption.text.as_str())
                .collect();
            if !texts.is_empty() {
                let lines: String =
                    texts.iter().map(|text| text.replace(['\n', '\r'], " ") + "\n").collect();
                members.push((format!("{key}.txt"), lines.into_bytes()));
            }
            members.push((format!("{key}.json"), self.about(item).into_bytes()));
            shards.item(&members)?;
            written.items += 1;
            written.captions += texts.len() as u64;
        }
        shards.commit()?;
        self.tell(&mut written, unread);
        Ok(written)
    }

    fn about(&self, item: &Item) -> String {
        let mut about: Map<String, Value> = row::about_item(item)
            .into_iter()
            .map(|(field, cell)| (field.name().to_owned(), json(cell)))
            .collect();
        about.insert(Field::Item.name().into(), item.id.as_str().into());
        if let Some(split) = self.collection.split_of(&item.id) {
            about.insert(Field::Split.name().into(), split.as_str().into());
        }
        let captions = || self.collection.captions_of(&item.id);
        if captions().len() > 0 {
            let ids = captions().map(|caption| caption.id.as_str()).collect();
            let texts = captions().map(|caption| caption.text.as_str()).collect();
            about.insert("caption_ids".into(), ids);
            about.insert("captions".into(), texts);
        }
        Value::Object(about).to_string()
    }

    fn tell(&self, written: &mut Written, unread: u64) {
        let all = &self.collection;
        if unread > 0 {
            let items = counted(unread, "item");
            let what = format!("the pictures of {items}: they are not at hand");
            written.left_out.push(what);
        }
        let orphans = all.captions().iter().filter(|c| all.item(&c.item).is_none()).count();
        if orphans > 0 {
            written
                .left_out
                .push(format!("{}: their item is not there", counted(orphans as u64, "caption")));
        }
        let (topics, judgements) = (all.topics().len(), all.judgements().len());
        if topics + judgements > 0 {
            let what = "the format has no place for them";
            let topics = counted(topics as u64, "topic");
            let judgements = counted(judgements as u64, "judgement");
            written.left_out.push(format!("{topics} and {judgements}: {what}"));
        }
    }
}

impl Sink for Archive {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        let record = match record {
            Record::Item(mut item) => {
                if let Err(source) = self.spool(&mut item) {
                    self.trouble = Some(Error::io(&self.path, source));
                    return ControlFlow::Break(());
                }
                Record::Item(item)
            }
            Record::Finding(_) => return ControlFlow::Continue(()),
            other => other,
        };
        self.collection.take(record)
    }
}

impl Output for Archive {
    fn finish(mut self: Box<Self>) -> Result<Written> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        match self.shards.take() {
            Some(shards) => self.write(shards),
            None => Ok(Written::default()),
        }
    }
}

/// The archives, one after the other.
struct Shards {
    path: PathBuf,
    folder: Option<AtomicFolder>,
    open: Option<Shard>,
    number: u32,
}

struct Shard {
    tar: tar::Builder<AtomicFile>,
    items: u64,
    bytes: u64,
}

impl Shard {
    fn new(file: AtomicFile) -> Self {
        Self { tar: tar::Builder::new(file), items: 0, bytes: 0 }
    }

    fn close(self) -> io::Result<AtomicFile> {
        self.tar.into_inner()
    }
}

impl Shards {
    fn item(&mut self, members: &[(String, Vec<u8>)]) -> Result<()> {
        let full = |shard: &Shard| shard.items >= ITEMS || shard.bytes >= BYTES;
        if self.folder.is_some() && self.open.as_ref().is_some_and(full) {
            self.close()?;
        }
        let path = self.path.clone();
        let shard = self.shard()?;
        shard.items += 1;
        for (name, content) in members {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            shard.bytes += content.len() as u64;
            shard
                .tar
                .append_data(&mut header, name, &content[..])
                .map_err(|source| Error::io(&path, source))?;
        }
        Ok(())
    }

    fn shard(&mut self) -> Result<&mut Shard> {
        let folder = self.folder.as_ref().map_or(Path::new("."), AtomicFolder::partial);
        match &mut self.open {
            Some(shard) => Ok(shard),
            none => {
                let name = format!("shard-{:06}.tar", self.number);
                self.number += 1;
                Ok(none.insert(Shard::new(AtomicFile::create(&folder.join(name))?)))
            }
        }
    }

    fn close(&mut self) -> Result<()> {
        match self.open.take() {
            Some(shard) => shard.close().map_err(|source| Error::io(&self.path, source))?.commit(),
            None => Ok(()),
        }
    }

    fn commit(mut self) -> Result<()> {
        if self.number == 0 && self.folder.is_some() {
            // An empty collection is one empty archive, not a folder without any.
            self.shard()?;
        }
        self.close()?;
        self.folder.map_or(Ok(()), AtomicFolder::commit)
    }
}

/// A key for an item: its name without extension, and without dots, which end a key.
fn key(item: &Item, taken: &mut FxHashSet<String>) -> String {
    const LONGEST: usize = 80;
    let id = item.id.as_str();
    let last = id.rfind('/').map_or(0, |slash| slash + 1);
    let stem = id[last..].rfind('.').filter(|&dot| dot > 0).map_or(id, |dot| &id[..last + dot]);
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let stem: String = stem.chars().map(plain).take(LONGEST).collect();
    let mut key = if stem.is_empty() { "item".to_owned() } else { stem.clone() };
    let mut number = 1;
    while !taken.insert(key.clone()) {
        number += 1;
        key = format!("{stem}-{number}");
    }
    key
}

/// What a picture's first bytes say it is; else what its file is called.
fn extension(picture: &[u8], item: &Item) -> String {
    let known = match picture {
        [0xff, 0xd8, ..] => "jpg",
        [0x89, b'P', b'N', b'G', ..] => "png",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "webp",
        [b'G', b'I', b'F', b'8', ..] => "gif",
        [b'B', b'M', ..] => "bmp",
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "tif",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let name = match &item.image {
        ImageSource::File(path) => path.as_path(),
        _ => Path::new(item.id.as_str()),
    };
    let end = name.extension().map(|end| end.to_string_lossy().to_lowercase());
    end.filter(|end| end.chars().all(char::is_alphanumeric)).unwrap_or_else(|| "jpg".into())
}
