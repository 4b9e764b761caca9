//! Flickr8k and Flickr30k: a token file of captions, lists of the splits, and Flickr8k's judgements.
//!
//! The token file has a caption a line, `photo.jpg#k`, a tab, the sentence. Around it, in the same
//! folder and all optional:
//!
//! - split lists, a photo a line, named `*trainImages.txt`, `*devImages.txt`, `*testImages.txt`;
//! - the photos, in `photos/`, `Images/`, `Flicker8k_Dataset/` or `flickr30k-images/`;
//! - `ExpertAnnotations.txt`: photo, caption id, three experts' grades from 1 (unrelated) to 4
//!   (describes it without errors). They become judgements of the set `expert` with the judges `1`,
//!   `2` and `3`;
//! - `CrowdFlowerAnnotations.txt`: photo, caption id, share of yes, number of yes, number of no. They
//!   become [`Verdict::Votes`] of the set `crowd`.
//!
//! A line whose name is no photo's (Flickr8k has one such photo, `2258277193_586949ec62.jpg.1`,
//! which is in no split and has no picture) is left out and told as a finding.
//!
//! Hodosh, Young and Hockenmaier 2013, "Framing image description as a ranking task", and Young et
//! al. 2014, "From image descriptions to visual denotations".

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::findings::{Findings, note};
use crate::format::{Confidence, Format, ReadOptions};
use crate::lines::{self, Line, for_each_line};
use crate::photo::folder::{Photos, is_picture_name};
use crate::{
    Caption, CaptionId, Error, Item, ItemId, Judgement, Place, Record, Result, Severity, Sink,
    Split, Subject, Verdict,
};

/// Flickr8k and Flickr30k.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flickr;

const PHOTOS: &[&str] = &[
    "photos",
    "Images",
    "images",
    "Flicker8k_Dataset",
    "Flickr8k_Dataset",
    "flickr30k-images",
    "flickr30k_images",
];

impl Format for Flickr {
    fn name(&self) -> &'static str {
        "flickr"
    }

    fn about(&self) -> &'static str {
        "Flickr8k / Flickr30k token file, or the folder that holds it; Flickr8k's judgements alone"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let known = token_file(path).is_some() || Set::of(path).is_some();
        if known { Confidence::Surely } else { Confidence::No }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        read(path, options, sink)
    }
}

fn read(path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    if let Some(set) = Set::of(path) {
        let mut reader = Reader { alone: true, ..Reader::new(Photos::none()) };
        for_each_line(path, sink, |line, sink| reader.judgement_line(path, line, set, sink))?;
        return reader.findings.finish(path, sink);
    }
    let token = match token_file(path) {
        Some(token) => token,
        None if path.is_dir() => {
            return Err(Error::malformed(Place::file(path), "no token file in this folder")
                .with_hint("name the file with a caption a line, such as Flickr8k.token.txt"));
        }
        None => path.to_path_buf(),
    };
    let folder = token.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut reader = Reader::new(Photos::find(options, &[&folder], PHOTOS)?);
    reader.read_tokens(&token, sink)?;
    reader.read_splits(&folder, sink)?;
    reader.read_judgements(&folder, Set::Expert, sink)?;
    reader.read_judgements(&folder, Set::Crowd, sink)?;
    reader.photos.report(&token, sink)
}

/// The token file that a path means: itself, or the one in a folder (the plain one rather than the
/// lemmatised one, which holds other words).
fn token_file(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        let mut names: Vec<PathBuf> = std::fs::read_dir(path)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = lines::plain_name(path);
                name.ends_with(".token.txt") || name.ends_with(".token")
            })
            .collect();
        names.sort_by_key(|path| {
            let name = lines::plain_name(path);
            (name.contains("lemma") || name.contains("spell"), name)
        });
        return names.into_iter().find(|path| begins_with_a_caption(path));
    }
    (path.is_file() && begins_with_a_caption(path)).then(|| path.to_path_buf())
}

fn begins_with_a_caption(path: &Path) -> bool {
    let head = lines::head(path, 4096);
    let line = head.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let Some(line) = line else { return false };
    let line = String::from_utf8_lossy(line);
    let line = line.trim_start_matches('\u{feff}');
    line.split_once('\t')
        .and_then(|(id, _)| split_id(id))
        .is_some_and(|(photo, _)| is_picture_name(photo) && !photo.contains([',', '"', '{']))
}

/// `photo.jpg#3` as photo and number.
fn split_id(id: &str) -> Option<(&str, u32)> {
    let (photo, number) = id.trim().rsplit_once('#')?;
    Some((photo, number.parse().ok()?)).filter(|(photo, _)| !photo.is_empty())
}

struct Reader {
    photos: Photos,
    findings: Findings,
    /// Whether an item was kept.
    items: FxHashMap<ItemId, Kept>,
    captions: FxHashSet<CaptionId>,
    /// Whether judgements are read without the token file, so that nothing is known of what is judged.
    alone: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Yes,
    No,
}

impl Reader {
    fn new(photos: Photos) -> Self {
        Self {
            photos,
            findings: Findings::default(),
            items: FxHashMap::default(),
            captions: FxHashSet::default(),
            alone: false,
        }
    }

    fn read_tokens(&mut self, path: &Path, sink: &mut dyn Sink) -> Result<()> {
        for_each_line(path, sink, |line, sink| self.token_line(path, line, sink))?;
        if self.captions.is_empty() {
            note(sink, Place::file(path), "no captions in this file")?;
        }
        self.findings.finish(path, sink)
    }

    fn token_line(&mut self, path: &Path, line: Line<'_>, sink: &mut dyn Sink) -> Result<()> {
        if line.text.trim().is_empty() {
            return Ok(());
        }
        let place = || Place::file(path).line(line.number);
        let Some((id, text)) = line.text.split_once('\t') else {
            return self.findings.tell(
                sink,
                Severity::Skipped,
                "lines without a tab",
                place(),
                "no tab between the caption's id and its text: line left out",
            );
        };
        let id = id.trim();
        let Some((photo, _)) = split_id(id) else {
            let what = format!("`{id}` is not of the form photo.jpg#0: line left out");
            let place = place().field("id");
            return self.findings.tell(sink, Severity::Skipped, "lines without an id", place, what);
        };
        let item = ItemId::from(photo);
        match self.items.get(&item) {
            Some(Kept::No) => return Ok(()),
            Some(Kept::Yes) => {}
            None if is_picture_name(photo) => {
                let mut record = Item::new(item.clone());
                record.image = self.photos.source([photo]);
                sink.put(Record::Item(Box::new(record)))?;
                self.items.insert(item.clone(), Kept::Yes);
            }
            None => {
                self.items.insert(item, Kept::No);
                let what = format!("`{photo}` is not the name of a photo: its captions left out");
                let place = place().field("id");
                let kind = "names that are no photo's";
                return self.findings.tell(sink, Severity::Skipped, kind, place, what);
            }
        }
        let text = text.trim();
        if text.is_empty() {
            let what = format!("caption {id} has no words");
            let place = place().field("caption");
            self.findings.tell(sink, Severity::Note, "captions without words", place, what)?;
        }
        let id = CaptionId::from(id);
        if !self.captions.insert(id.clone()) {
            let what = format!("a second caption {id}: line left out");
            let kind = "captions with an id that was there before";
            return self.findings.tell(sink, Severity::Skipped, kind, place().field("id"), what);
        }
        sink.put(Record::Caption(Caption { id, item, text: text.to_owned() }))
    }

    fn read_splits(&mut self, folder: &Path, sink: &mut dyn Sink) -> Result<()> {
        let mut of: FxHashMap<ItemId, Split> = FxHashMap::default();
        let lists = split_lists(folder);
        for (path, split) in &lists {
            for_each_line(path, sink, |line, sink| {
                let name = line.text.trim();
                if name.is_empty() {
                    return Ok(());
                }
                let place = Place::file(path).line(line.number);
                let item = ItemId::from(name);
                if self.items.get(&item) != Some(&Kept::Yes) {
                    let what = format!("{name} has no captions: left out of the split");
                    let kind = "photos without captions";
                    return self.findings.tell(sink, Severity::Skipped, kind, place, what);
                }
                match of.get(&item) {
                    Some(first) => {
                        let what = format!("{name} is in the {first} list already: first one kept");
                        let kind = "photos in more than one list";
                        self.findings.tell(sink, Severity::Skipped, kind, place, what)
                    }
                    None => {
                        of.insert(item.clone(), split.clone());
                        sink.put(Record::Split(item, split.clone()))
                    }
                }
            })?;
            self.findings.finish(path, sink)?;
        }
        let kept = self.items.values().filter(|&&kept| kept == Kept::Yes).count();
        if !lists.is_empty() && of.len() < kept {
            let what =
                format!("{} of {kept} photos are in none of the split lists", kept - of.len());
            note(sink, Place::file(folder), what)?;
        }
        Ok(())
    }

    fn read_judgements(&mut self, folder: &Path, set: Set, sink: &mut dyn Sink) -> Result<()> {
        let path = folder.join(set.file());
        if !path.is_file() {
            return Ok(());
        }
        for_each_line(&path, sink, |line, sink| self.judgement_line(&path, line, set, sink))?;
        self.findings.finish(&path, sink)
    }

    fn judgement_line(
        &mut self,
        path: &Path,
        line: Line<'_>,
        set: Set,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        if line.text.trim().is_empty() {
            return Ok(());
        }
        let place = Place::file(path).line(line.number);
        let (photo, caption, verdicts) = match set.parse(line.text) {
            Ok(parsed) => parsed,
            Err(wrong) => {
                let kind = "judgements that could not be read";
                let place = place.field(wrong.field);
                return self.findings.tell(sink, Severity::Skipped, kind, place, wrong.what);
            }
        };
        let (item, caption) = (ItemId::from(photo), CaptionId::from(caption));
        for (known, field, id) in [
            (self.items.get(&item) == Some(&Kept::Yes), "photo", photo),
            (self.captions.contains(&caption), "caption", caption.as_str()),
        ] {
            if !known && !self.alone {
                let what = format!("{field} {id} is judged, but is not in the token file");
                let kind = "judgements of what is not in the token file";
                self.findings.tell(sink, Severity::Note, kind, place.clone().field(field), what)?;
            }
        }
        for (judge, verdict) in verdicts {
            sink.put(Record::Judgement(Judgement {
                set: set.name().to_owned(),
                query: Subject::Item(item.clone()),
                answer: Subject::Caption(caption.clone()),
                judge: judge.map(str::to_owned),
                verdict,
            }))?;
        }
        Ok(())
    }
}

/// The two sets of judgements that come with Flickr8k.
#[derive(Clone, Copy)]
enum Set {
    Expert,
    Crowd,
}

/// A field of a judgement that cannot be read.
struct Wrong {
    field: &'static str,
    what: String,
}

type Parsed<'a> = (&'a str, &'a str, Vec<(Option<&'static str>, Verdict)>);

impl Set {
    /// The set that a file holds, by its name and its first line.
    fn of(path: &Path) -> Option<Self> {
        let named = |set: &Self| lines::plain_name(path) == set.file().to_ascii_lowercase();
        let set = [Self::Expert, Self::Crowd].into_iter().find(named)?;
        let head = if path.is_file() { lines::head(path, 4096) } else { Vec::new() };
        let line = head.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
        set.parse(&String::from_utf8_lossy(line)).is_ok().then_some(set)
    }

    fn file(self) -> &'static str {
        match self {
            Self::Expert => "ExpertAnnotations.txt",
            Self::Crowd => "CrowdFlowerAnnotations.txt",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Expert => "expert",
            Self::Crowd => "crowd",
        }
    }

    fn parse(self, line: &str) -> std::result::Result<Parsed<'_>, Wrong> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [photo, caption, a, b, c] = fields[..] else {
            let what = format!("five columns expected, {} found: line left out", fields.len());
            return Err(Wrong { field: "columns", what });
        };
        if split_id(caption).is_none() {
            let what = format!("`{caption}` is not of the form photo.jpg#0: line left out");
            return Err(Wrong { field: "caption", what });
        }
        let verdicts = match self {
            Self::Expert => vec![
                (Some("1"), grade("expert 1", a)?),
                (Some("2"), grade("expert 2", b)?),
                (Some("3"), grade("expert 3", c)?),
            ],
            Self::Crowd => vec![(None, votes(a, b, c)?)],
        };
        Ok((photo, caption, verdicts))
    }
}

fn grade(field: &'static str, text: &str) -> std::result::Result<Verdict, Wrong> {
    match text.parse() {
        Ok(grade @ 1..=4) => Ok(Verdict::Grade(grade)),
        _ => {
            let what = format!("`{text}` is not a grade from 1 to 4: line left out");
            Err(Wrong { field, what })
        }
    }
}

fn votes(share: &str, yes: &str, no: &str) -> std::result::Result<Verdict, Wrong> {
    let number = |field: &'static str, text: &str| {
        text.parse::<u32>().map_err(|_| Wrong {
            field,
            what: format!("`{text}` is not a number of votes: line left out"),
        })
    };
    let (yes, no) = (number("yes", yes)?, number("no", no)?);
    let all = f64::from(yes) + f64::from(no);
    // The share is written with up to 16 digits, so anything beyond rounding is a fault.
    let fits = share.parse().is_ok_and(|share: f64| (share * all - f64::from(yes)).abs() < 1e-3);
    if all == 0.0 || !fits {
        let what = format!("share {share} does not fit {yes} yes and {no} no: line left out");
        return Err(Wrong { field: "share", what });
    }
    Ok(Verdict::Votes { yes, no })
}

/// The split lists of a folder, train before dev before test.
fn split_lists(folder: &Path) -> Vec<(PathBuf, Split)> {
    let mut lists: Vec<(PathBuf, Split)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = lines::plain_name(&path);
            let split = [
                ("trainimages.txt", Split::Train),
                ("devimages.txt", Split::Dev),
                ("testimages.txt", Split::Test),
            ]
            .into_iter()
            .find_map(|(ending, split)| name.ends_with(ending).then_some(split))?;
            Some((path, split))
        })
        .collect();
    lists.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
    lists
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, ImageSource};

    fn read(files: &[(&str, &str)]) -> Collection {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut collection = Collection::new();
        assert_eq!(Flickr.recognise(folder.path()), Confidence::Surely);
        Flickr.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap();
        collection
    }

    #[test]
    fn judgements_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, judgements) in [
            ("ExpertAnnotations.txt", "a.jpg\tb.jpg#2\t1\t1\t4\n", 3),
            ("CrowdFlowerAnnotations.txt", "a.jpg\tb.jpg#2\t1\t3\t0\nx\n", 1),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(Flickr.recognise(&path), Confidence::Surely);
            let mut collection = Collection::new();
            Flickr.read(&path, &ReadOptions::default(), &mut collection).unwrap();
            assert_eq!(collection.judgements().len(), judgements);
            assert_eq!(collection.findings().len(), text.lines().count() - 1);
        }
    }

    const TOKENS: &str = "a.jpg#0\tA dog runs .\na.jpg#1\tThe dog .\nb.jpg#0\tA boat .\n";

    #[test]
    fn captions_splits_photos_and_judgements() {
        let collection = read(&[
            ("X.token.txt", TOKENS),
            ("X.lemma.token.txt", "a.jpg#0\tdog run\n"),
            ("X.trainImages.txt", "a.jpg\n"),
            ("X.testImages.txt", "b.jpg\n"),
            ("Images/a.jpg", ""),
            ("ExpertAnnotations.txt", "a.jpg\tb.jpg#0\t1\t2\t1\n"),
            ("CrowdFlowerAnnotations.txt", "a.jpg\ta.jpg#1\t0.6666666666666666\t2\t1\n"),
        ]);
        assert_eq!(collection.items().len(), 2);
        assert_eq!(collection.captions().len(), 3);
        assert_eq!(collection.captions()[0].text, "A dog runs .");
        assert!(matches!(collection.items()[0].image, ImageSource::File(_)));
        assert_eq!(collection.items()[1].image, ImageSource::Absent);
        assert_eq!(collection.split_of(&"b.jpg".into()), Some(&Split::Test));
        let judgements = collection.judgements();
        assert_eq!(judgements.len(), 4);
        assert_eq!(judgements[1].judge.as_deref(), Some("2"));
        assert_eq!(judgements[1].verdict, Verdict::Grade(2));
        assert_eq!(judgements[3].verdict, Verdict::Votes { yes: 2, no: 1 });
        assert_eq!(judgements[3].answer, Subject::Caption("a.jpg#1".into()));
    }

    #[test]
    fn odd_lines_are_told_with_their_place_and_the_rest_is_read() {
        let tokens = format!(
            "{TOKENS}no tab here\nc.jpg.1#0\tOdd .\nc.jpg.1#1\tOdd .\nb.jpg#0\tAgain .\n\nd\tx\n"
        );
        let collection = read(&[
            ("X.token.txt", &tokens),
            ("X.devImages.txt", "a.jpg\nz.jpg\na.jpg\n"),
            ("ExpertAnnotations.txt", "a.jpg\tb.jpg#0\t1\t5\t1\nq.jpg\tb.jpg#0\t1\t1\t1\n"),
            ("CrowdFlowerAnnotations.txt", "a.jpg\tb.jpg#0\t1\t1\t1\n"),
        ]);
        assert_eq!(collection.captions().len(), 3);
        assert_eq!(collection.judgements().len(), 3);
        let told: Vec<String> = collection
            .findings()
            .iter()
            .map(|finding| {
                let name = finding.place.path.file_name().unwrap().to_string_lossy().into_owned();
                let line = finding.place.line.unwrap_or(0);
                let field = finding.place.field.as_deref().unwrap_or("-");
                format!("{name}:{line} {field}")
            })
            .collect();
        let want = [
            "X.token.txt:4 -",
            "X.token.txt:5 id",
            "X.token.txt:7 id",
            "X.token.txt:9 id",
            "X.devImages.txt:2 -",
            "X.devImages.txt:3 -",
        ];
        assert_eq!(told[..6], want);
        assert!(told.contains(&"ExpertAnnotations.txt:1 expert 2".to_owned()));
        assert!(told.contains(&"ExpertAnnotations.txt:2 photo".to_owned()));
        assert!(told.contains(&"CrowdFlowerAnnotations.txt:1 share".to_owned()));
    }

    #[test]
    fn other_text_is_not_taken_for_captions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in ["", "id\tcaption\na.jpg\tA dog\n", "a#1 b\tc\n", "{\"a.jpg#1\t\"}"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Flickr.recognise(&path), Confidence::No, "{text}");
        }
        assert_eq!(Flickr.recognise(folder.path()), Confidence::No);
    }
}
