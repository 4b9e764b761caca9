//! The form with a table a subject.
//!
//! - `keywords.tsv`: id, a tab, keywords with commas between; no header. The items come in its order;
//! - `words.txt`: the vocabulary, a word a line; a keyword that is not in it is told;
//! - `blobs.tsv`, with a header: `id`, `n_blobs` (regions of the photo), `exact` (1 where every token
//!   stands for one region, else it is not known which token repeats) and `tokens` (distinct, with
//!   commas between). The count of a token is given where `exact` is 1;
//! - `photos.tsv`, with a header: `id`, `width`, `height`;
//! - `train.txt`, `dev.txt`, `test.txt`: an id a line;
//! - `photos/ID.jpeg` or `photos/ID.jpg`.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::find;
use crate::findings::Findings;
use crate::format::ReadOptions;
use crate::lines::{self, for_each_line};
use crate::photo::folder::Photos;
use crate::{Blob, Error, Item, ItemId, Place, Record, Result, Severity, Sink, Size, Split};

pub(super) fn read(folder: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    let mut reader = Reader {
        folder,
        photos: Photos::find(options, &[folder], &["photos", "images", "Images"])?,
        findings: Findings::default(),
        vocabulary: FxHashSet::default(),
        blobs: FxHashMap::default(),
        sizes: FxHashMap::default(),
        items: FxHashSet::default(),
    };
    reader.read_vocabulary(sink)?;
    reader.read_blobs(sink)?;
    reader.read_sizes(sink)?;
    reader.read_keywords(sink)?;
    reader.read_splits(sink)?;
    reader.photos.report(folder, sink)
}

/// Whether this is a file of keywords: by its name, and a first line of a number, a tab and words.
pub(super) fn is_keywords(path: &Path) -> bool {
    if lines::plain_name(path) != "keywords.tsv" {
        return false;
    }
    let head = lines::head(path, 4096);
    let line = head.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
    line.split_once('\t').is_some_and(|(id, words)| {
        let id = id.trim();
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && !words.contains('\t')
    })
}

struct Reader<'a> {
    folder: &'a Path,
    photos: Photos,
    findings: Findings,
    vocabulary: FxHashSet<String>,
    /// Tokens and number of regions of a photo.
    blobs: FxHashMap<ItemId, (Vec<Blob>, u32)>,
    sizes: FxHashMap<ItemId, Size>,
    items: FxHashSet<ItemId>,
}

impl Reader<'_> {
    fn skip(&mut self, sink: &mut dyn Sink, place: Place, what: impl Into<String>) -> Result<()> {
        self.findings.tell(sink, Severity::Skipped, "lines left out", place, what)
    }

    fn read_vocabulary(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let Some(path) = find(self.folder, "words.txt") else { return Ok(()) };
        for_each_line(&path, sink, |line, sink| {
            let word = line.text.trim();
            if !word.is_empty() && !self.vocabulary.insert(word.to_owned()) {
                let place = Place::file(&path).line(line.number);
                let what = format!("the word `{word}` stands here a second time");
                self.findings.tell(sink, Severity::Note, "words that repeat", place, what)?;
            }
            Ok(())
        })?;
        self.findings.finish(&path, sink)
    }

    fn read_blobs(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let Some(path) = find(self.folder, "blobs.tsv") else { return Ok(()) };
        let columns = ["id", "n_blobs", "exact", "tokens"];
        table(&path, columns, sink, |place, [id, regions, exact, tokens], sink| {
            let (blobs, regions) = match blobs(regions, exact, tokens) {
                Ok(blobs) => blobs,
                Err((field, what)) => return self.skip(sink, place.field(field), what),
            };
            if self.blobs.insert(ItemId::from(id), (blobs, regions)).is_some() {
                let what = format!("blobs of photo {id} a second time: the later are taken");
                let kind = "photos with two lines of blobs";
                self.findings.tell(sink, Severity::Note, kind, place.field("id"), what)?;
            }
            Ok(())
        })?;
        self.findings.finish(&path, sink)
    }

    fn read_sizes(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let Some(path) = find(self.folder, "photos.tsv") else { return Ok(()) };
        table(&path, ["id", "width", "height"], sink, |place, [id, width, height], sink| {
            match (width.parse(), height.parse()) {
                (Ok(width @ 1..), Ok(height @ 1..)) => {
                    self.sizes.insert(ItemId::from(id), Size { width, height });
                    Ok(())
                }
                _ => {
                    let what = format!("`{width}` and `{height}` are no size: left out");
                    self.skip(sink, place.field("width"), what)
                }
            }
        })?;
        self.findings.finish(&path, sink)
    }

    fn read_keywords(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let Some(path) = find(self.folder, "keywords.tsv") else { return Ok(()) };
        for_each_line(&path, sink, |line, sink| {
            if line.text.trim().is_empty() {
                return Ok(());
            }
            let place = Place::file(&path).line(line.number);
            let Some((id, words)) = line.text.split_once('\t') else {
                let what = "no tab between the photo and its keywords: line left out";
                return self.skip(sink, place, what);
            };
            let id = ItemId::from(id.trim());
            if id.as_str().is_empty() || !self.items.insert(id.clone()) {
                let what = format!("photo `{id}` has no name, or a line before: line left out");
                return self.skip(sink, place.field("id"), what);
            }
            let mut item = Item::new(id.clone());
            for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
                if !self.vocabulary.is_empty() && !self.vocabulary.contains(word) {
                    let what = format!("`{word}` is not in words.txt");
                    let place = place.clone().field("keywords");
                    let kind = "keywords that are not in words.txt";
                    self.findings.tell(sink, Severity::Note, kind, place, what)?;
                }
                if !item.keywords.iter().any(|known| known == word) {
                    item.keywords.push(word.to_owned());
                }
            }
            if let Some((blobs, regions)) = self.blobs.remove(&id) {
                item.blobs = blobs;
                item.regions = Some(regions);
            }
            item.size = self.sizes.get(&id).copied();
            let names = [format!("{id}.jpeg"), format!("{id}.jpg")];
            item.image = self.photos.source(names.iter().map(String::as_str));
            sink.put(Record::Item(Box::new(item)))
        })?;
        if !self.blobs.is_empty() {
            let place = Place::file(self.folder.join("blobs.tsv"));
            let what = format!("{} photos with blobs have no keywords: left out", self.blobs.len());
            self.findings.tell(sink, Severity::Skipped, "photos without keywords", place, what)?;
        }
        self.findings.finish(&path, sink)
    }

    fn read_splits(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let mut of: FxHashMap<ItemId, Split> = FxHashMap::default();
        let lists =
            [("train.txt", Split::Train), ("dev.txt", Split::Dev), ("test.txt", Split::Test)];
        for (name, split) in lists {
            let Some(path) = find(self.folder, name) else { continue };
            for_each_line(&path, sink, |line, sink| {
                let id = line.text.trim();
                if id.is_empty() {
                    return Ok(());
                }
                let place = Place::file(&path).line(line.number);
                let item = ItemId::from(id);
                if !self.items.contains(&item) {
                    return self.skip(sink, place, format!("photo {id} has no keywords: left out"));
                }
                if let Some(first) = of.get(&item) {
                    let what = format!("photo {id} is in the {first} list already: left out");
                    return self.skip(sink, place, what);
                }
                of.insert(item.clone(), split.clone());
                sink.put(Record::Split(item, split.clone()))
            })?;
            self.findings.finish(&path, sink)?;
        }
        Ok(())
    }
}

/// Reads a table with a header, and hands on the named columns of each row.
fn table<const N: usize>(
    path: &Path,
    names: [&str; N],
    sink: &mut dyn Sink,
    mut each: impl FnMut(Place, [&str; N], &mut dyn Sink) -> Result<()>,
) -> Result<()> {
    let mut columns: Option<[usize; N]> = None;
    let mut findings = Findings::default();
    for_each_line(path, sink, |line, sink| {
        if line.text.trim().is_empty() {
            return Ok(());
        }
        let place = Place::file(path).line(line.number);
        let cells: Vec<&str> = line.text.split('\t').map(str::trim).collect();
        let Some(at) = columns else {
            let mut at = [0; N];
            for (at, name) in at.iter_mut().zip(names) {
                *at = cells.iter().position(|cell| *cell == name).ok_or_else(|| {
                    Error::malformed(place.clone().field(name), "no such column in the header")
                        .with_hint(format!("the header must name {}", names.join(", ")))
                })?;
            }
            columns = Some(at);
            return Ok(());
        };
        if let Some(missing) = at.iter().position(|&at| at >= cells.len()) {
            let place = place.field(names[missing]);
            let what = "the line is too short: left out";
            return findings.tell(sink, Severity::Skipped, "lines that are too short", place, what);
        }
        each(place, at.map(|at| cells[at]), sink)
    })?;
    findings.finish(path, sink)
}

type Wrong = (&'static str, String);

fn blobs(regions: &str, exact: &str, tokens: &str) -> std::result::Result<(Vec<Blob>, u32), Wrong> {
    let regions: u32 = regions
        .parse()
        .map_err(|_| ("n_blobs", format!("`{regions}` is not a number of regions: left out")))?;
    let count = match exact {
        "1" => Some(1),
        "0" => None,
        _ => return Err(("exact", format!("`{exact}` is neither 0 nor 1: left out"))),
    };
    let tokens: std::result::Result<Vec<u32>, _> =
        tokens.split(',').filter(|token| !token.is_empty()).map(str::parse).collect();
    let tokens = tokens.map_err(|_| ("tokens", "not a list of numbers: left out".to_owned()))?;
    let distinct: FxHashSet<u32> = tokens.iter().copied().collect();
    if distinct.len() != tokens.len() {
        return Err(("tokens", "a token stands here twice: left out".to_owned()));
    }
    // With `exact`, each token is one region; without, there are more regions than tokens.
    let fits = match count {
        Some(_) => tokens.len() as u64 == u64::from(regions),
        None => tokens.len() as u64 <= u64::from(regions),
    };
    if !fits {
        let what = format!("{} tokens do not fit {regions} regions: left out", tokens.len());
        return Err(("n_blobs", what));
    }
    Ok((tokens.into_iter().map(|token| Blob { token, count }).collect(), regions))
}

#[cfg(test)]
mod tests {
    use super::super::Corel5k;
    use super::*;
    use crate::format::Format;
    use crate::{Collection, ImageSource};

    #[test]
    fn tables_are_joined_by_the_photo() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("keywords.tsv", "1000\tcity,sun\n1001\tsea,dragon,sea\nbad\n1000\tsky\n"),
            ("words.txt", "city\nsun\nsea\n"),
            (
                "blobs.tsv",
                "id\tsplit\tn_blobs\tn_distinct\texact\ttokens\n1000\ttrain\t2\t2\t1\t7,9\n\
                           1001\ttest\t9\t2\t0\t3,4\n1002\ttest\t1\t2\t1\t3,4\n1003\ttest\t1\n",
            ),
            ("photos.tsv", "id\twidth\theight\n1000\t192\t128\n1001\t0\tx\n"),
            ("train.txt", "1000\n"),
            ("test.txt", "1001\n1000\n7\n"),
            ("photos/1000.jpeg", ""),
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut collection = Collection::new();
        Corel5k.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap();
        let [first, second] = collection.items() else { panic!("two items") };
        assert_eq!(first.keywords, ["city", "sun"]);
        assert_eq!(first.blobs[1], Blob { token: 9, count: Some(1) });
        assert_eq!(first.regions, Some(2));
        assert_eq!(first.size, Some(Size { width: 192, height: 128 }));
        assert!(matches!(first.image, ImageSource::File(_)));
        assert_eq!(second.keywords, ["sea", "dragon"]);
        assert_eq!(second.blobs[0], Blob { token: 3, count: None });
        assert_eq!(second.regions, Some(9));
        assert_eq!(collection.split_of(&"1000".into()), Some(&Split::Train));
        let told: Vec<String> = collection
            .findings()
            .iter()
            .map(|f| {
                let name = f.place.path.file_name().unwrap().to_string_lossy().into_owned();
                let line = f.place.line.unwrap_or(0);
                format!("{name}:{line} {}", f.place.field.as_deref().unwrap_or("-"))
            })
            .collect();
        assert_eq!(
            told,
            [
                "blobs.tsv:4 n_blobs",
                "blobs.tsv:5 exact",
                "photos.tsv:3 width",
                "keywords.tsv:2 keywords",
                "keywords.tsv:3 -",
                "keywords.tsv:4 id",
                "test.txt:2 -",
                "test.txt:3 -",
                "photos:0 -",
            ]
        );
    }

    #[test]
    fn a_header_without_a_column_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("keywords.tsv"), "1\ta\n").unwrap();
        std::fs::write(folder.path().join("blobs.tsv"), "id\ttokens\n").unwrap();
        let mut collection = Collection::new();
        let error =
            Corel5k.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap_err();
        assert!(error.to_string().contains("blobs.tsv:1 (n_blobs)"), "{error}");
    }
}
