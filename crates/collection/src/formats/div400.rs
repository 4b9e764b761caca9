//! MediaEval's Div400: photos of places found on Flickr, judged for relevance and diversity.
//!
//! A folder with
//!
//! - `*topics*.xml`: `topic` elements with `number`, `title`, `latitude`, `longitude`. Each becomes
//!   a [`Topic`] named by its number; the file's name says the split (`devset…`, `testset…`);
//! - `xml/TITLE.xml`: the photos of a place with what Flickr knew of them, in the order in which
//!   Flickr's search ranked them;
//! - `gt/rGT/TITLE rGT.txt`: `photo,grade`; 1 relevant, 0 not, -1 where the judges could not tell.
//!   Judgements of the set `rGT`, **in the order of Flickr's ranking** and not in that of the file
//!   (which is by number): the photos of a topic in their original ranking are the answers of
//!   its judgements, as they come;
//! - `gt/dGT/TITLE dGT.txt`: `photo,cluster`. Judgements of the set `dGT` with
//!   [`Verdict::Cluster`]; the names of the clusters (`dclusterGT.txt`) are not read;
//! - `img/TITLE/PHOTO.jpg`, if the pictures are there.
//!
//! The path may also be one of the topics files: then only its topics are read. About one photo in
//! a hundred was found for two places; it is one item with two judgements.
//!
//! Ionescu et al. 2014, "Div400: a social image retrieval result diversification dataset".

use std::path::{Path, PathBuf};

use quick_xml::Reader as XmlReader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

use crate::findings::{Findings, note};
use crate::format::{Confidence, Format, ReadOptions};
use crate::lines::{self, for_each_line};
use crate::photo::folder::Photos;
use crate::xml::{Document, attributes, entity};
use crate::{
    Coordinates, Error, Finding, Item, ItemId, Judgement, Place, Record, Result, Severity, Sink,
    Split, Subject, Topic, TopicId, Verdict, dates,
};

/// MediaEval Div400.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Div400;

impl Format for Div400 {
    fn name(&self) -> &'static str {
        "div400"
    }

    fn about(&self) -> &'static str {
        "MediaEval Div400: a folder with topics XML, xml/ and gt/, or a topics file in it"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let topics = topics_files(path);
        let folder = folder_of(path);
        let known =
            !topics.is_empty() && (folder.join("xml").is_dir() || folder.join("gt").is_dir());
        if known { Confidence::Surely } else { Confidence::No }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        read(path, options, sink)
    }
}

fn read(path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    std::fs::metadata(path).map_err(|source| Error::io(path, source))?;
    let folder = folder_of(path);
    let files = topics_files(path);
    if files.is_empty() {
        return Err(Error::malformed(Place::file(path), "no topics file (*topics*.xml) here")
            .with_hint("name the folder that holds the topics, xml/ and gt/"));
    }
    let mut reader = Reader {
        photos: Photos::find(options, &[folder], &["img", "photos"])?,
        folder,
        findings: Findings::default(),
        splits: FxHashMap::default(),
    };
    for file in &files {
        let split = split_of(file);
        for (topic, place) in read_topics(file, sink, &mut reader.findings)? {
            sink.put(Record::Topic(topic.clone()))?;
            reader.location(&topic, place, split.as_ref(), sink)?;
        }
    }
    reader.findings.finish(path, sink)?;
    // The data set comes without its pictures more often than with them.
    reader.photos.report(path, sink)
}

fn folder_of(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) }
}

fn is_topics_name(path: &Path) -> bool {
    let name = lines::plain_name(path);
    name.contains("topics") && name.ends_with(".xml")
}

fn topics_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return if is_topics_name(path) { vec![path.to_path_buf()] } else { Vec::new() };
    }
    let entries = std::fs::read_dir(path).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_topics_name(path))
        .collect();
    files.sort();
    files
}

fn split_of(path: &Path) -> Option<Split> {
    let name = lines::plain_name(path);
    [("dev", Split::Dev), ("test", Split::Test), ("train", Split::Train)]
        .into_iter()
        .find_map(|(start, split)| name.starts_with(start).then_some(split))
}

fn coordinates(latitude: &str, longitude: &str) -> Option<Coordinates> {
    Coordinates::known(latitude.trim().parse().ok()?, longitude.trim().parse().ok()?)
}

fn read_topics(
    path: &Path,
    sink: &mut dyn Sink,
    findings: &mut Findings,
) -> Result<Vec<(Topic, Place)>> {
    let document = Document::open(path, sink)?;
    let mut reader = XmlReader::from_str(&document.text);
    let mut topics = Vec::new();
    let mut fields: FxHashMap<String, String> = FxHashMap::default();
    let mut inside = None;
    let mut start = 0;
    loop {
        let event = reader
            .read_event()
            .map_err(|error| document.trouble(reader.error_position(), error))?;
        match event {
            Event::Start(element) => {
                let name = element.local_name().into_inner().to_owned();
                if name == "topic" {
                    fields.clear();
                    start = reader.buffer_position();
                }
                fields.remove(&name);
                inside = Some(name);
            }
            Event::Text(text) => add(&mut fields, &inside, &text.xml10_content()),
            Event::CData(text) => add(&mut fields, &inside, &text.xml10_content()),
            Event::GeneralRef(reference) => add(&mut fields, &inside, &entity(&reference)),
            Event::End(element) => {
                inside = None;
                if element.local_name().into_inner() == "topic" {
                    let place = document.place(start);
                    match topic(&fields) {
                        Ok(topic) => topics.push((topic, place)),
                        Err(field) => {
                            let what = format!("topic without a {field}: left out");
                            let place = place.field(field);
                            let kind = "topics left out";
                            findings.tell(sink, Severity::Skipped, kind, place, what)?;
                        }
                    }
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if topics.is_empty() {
        note(sink, Place::file(path), "no topics in this file")?;
    }
    Ok(topics)
}

fn add(fields: &mut FxHashMap<String, String>, inside: &Option<String>, text: &str) {
    if let Some(name) = inside {
        fields.entry(name.clone()).or_default().push_str(text);
    }
}

fn topic(fields: &FxHashMap<String, String>) -> std::result::Result<Topic, &'static str> {
    let get = |name: &'static str| {
        fields.get(name).map(|text| text.trim()).filter(|text| !text.is_empty()).ok_or(name)
    };
    let point = get("latitude").and_then(|north| Ok(coordinates(north, get("longitude")?)));
    Ok(Topic {
        id: TopicId::from(get("number")?),
        text: get("title")?.to_owned(),
        coordinates: point.ok().flatten(),
    })
}

struct Reader<'a> {
    folder: &'a Path,
    photos: Photos,
    findings: Findings,
    /// The split of each photo that was met.
    splits: FxHashMap<ItemId, Option<Split>>,
}

impl Reader<'_> {
    fn location(
        &mut self,
        topic: &Topic,
        place: Place,
        split: Option<&Split>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        // The title names files: it must not lead elsewhere.
        if topic.text.contains(['/', '\\', '\0']) {
            let what = format!("the title `{}` cannot be part of a file's name", topic.text);
            return self.findings.tell(sink, Severity::Skipped, "odd titles", place, what);
        }
        let path = self.folder.join("xml").join(format!("{}.xml", topic.text));
        let mut ranking = Vec::new();
        if path.is_file() {
            self.read_photos(&path, topic, split, &mut ranking, sink)?;
        } else {
            let what =
                format!("no photos for the topic {}: {} is missing", topic.id, path.display());
            self.findings.tell(sink, Severity::Note, "topics without photos", place, what)?;
        }
        self.judgements(topic, "rGT", &ranking, sink)?;
        self.judgements(topic, "dGT", &ranking, sink)
    }

    /// Reads the photos of a place; a file that is not well-formed gives what comes before the fault.
    fn read_photos(
        &mut self,
        path: &Path,
        topic: &Topic,
        split: Option<&Split>,
        ranking: &mut Vec<ItemId>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let document = Document::open(path, sink)?;
        let mut reader = XmlReader::from_str(&document.text);
        loop {
            let start = reader.buffer_position();
            match reader.read_event() {
                Ok(Event::Start(element) | Event::Empty(element)) => {
                    if element.local_name().into_inner() == "photo" {
                        let place = || document.place(start);
                        self.photo(&element, place, topic, split, ranking, sink)?;
                    }
                }
                Ok(Event::Eof) => return Ok(()),
                Ok(_) => {}
                Err(error) => {
                    let place = document.place(reader.error_position());
                    let what = format!("not well-formed XML: {error}; the rest is left out");
                    let finding = Finding { place, what, severity: Severity::Skipped };
                    return sink.put(Record::Finding(finding));
                }
            }
        }
    }

    fn photo(
        &mut self,
        element: &BytesStart<'_>,
        place: impl Fn() -> Place,
        topic: &Topic,
        split: Option<&Split>,
        ranking: &mut Vec<ItemId>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut item = Item::new("");
        let (mut north, mut east) = (None, None);
        for attribute in attributes(element) {
            let (name, value) = match attribute {
                Ok(attribute) => attribute,
                Err(what) => {
                    let kind = "attributes that cannot be read";
                    self.findings.tell(sink, Severity::Skipped, kind, place(), what)?;
                    continue;
                }
            };
            let text = Some(value.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
            let metadata = &mut item.metadata;
            match name {
                "id" => item.id = ItemId::from(value.trim()),
                "title" => metadata.title = text,
                "description" => metadata.description = text,
                "tags" => {
                    for tag in value.split_whitespace() {
                        if !metadata.tags.iter().any(|known| known == tag) {
                            metadata.tags.push(tag.to_owned());
                        }
                    }
                }
                "date_taken" => metadata.date = dates::normalise(&value),
                "latitude" => north = text,
                "longitude" => east = text,
                "username" => metadata.author = text,
                "license" => metadata.licence = text.map(|number| licence(&number)),
                _ => {}
            }
        }
        if item.id.as_str().is_empty() {
            let place = place().field("id");
            let kind = "photos without an id";
            return self.findings.tell(sink, Severity::Skipped, kind, place, "no id: left out");
        }
        item.metadata.coordinates = north.zip(east).and_then(|(n, e)| coordinates(&n, &e));
        let id = item.id.clone();
        ranking.push(id.clone());
        match self.splits.get(&id) {
            None => {
                let names = [format!("{}/{id}.jpg", topic.text), format!("{id}.jpg")];
                item.image = self.photos.source(names.iter().map(String::as_str));
                self.splits.insert(id.clone(), split.cloned());
                sink.put(Record::Item(Box::new(item)))?;
                match split {
                    Some(split) => sink.put(Record::Split(id, split.clone())),
                    None => Ok(()),
                }
            }
            Some(first) if first.as_ref() != split => {
                let what = format!("photo {id} was found for a topic of another split as well");
                let kind = "photos in two splits";
                self.findings.tell(sink, Severity::Note, kind, place(), what)
            }
            Some(_) => Ok(()),
        }
    }

    /// Reads the judgements of a place and hands them on in the order of the ranking; photos that
    /// were not in the ranking come after it, in the order of the file.
    fn judgements(
        &mut self,
        topic: &Topic,
        set: &'static str,
        ranking: &[ItemId],
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let path = self.folder.join("gt").join(set).join(format!("{} {set}.txt", topic.text));
        if !path.is_file() {
            return Ok(());
        }
        let at: FxHashMap<&ItemId, usize> =
            ranking.iter().enumerate().map(|(at, id)| (id, at)).collect();
        let mut judged: FxHashMap<ItemId, usize> = FxHashMap::default();
        let mut judgements: Vec<(usize, ItemId, Verdict)> = Vec::new();
        for_each_line(&path, sink, |line, sink| {
            if line.text.trim().is_empty() {
                return Ok(());
            }
            let place = Place::file(&path).line(line.number);
            let Some((id, verdict)) = judgement(set, line.text) else {
                let what = format!("`{}` is not a photo and a number: left out", line.text.trim());
                let kind = "judgements that cannot be read";
                return self.findings.tell(sink, Severity::Skipped, kind, place, what);
            };
            if judged.insert(id.clone(), judgements.len()).is_some() {
                let what = format!("photo {id} is judged a second time: left out");
                let kind = "second judgements of a photo";
                return self.findings.tell(sink, Severity::Skipped, kind, place, what);
            }
            let position = at.get(&id).copied().unwrap_or(usize::MAX);
            if position == usize::MAX && !ranking.is_empty() {
                let what = format!("photo {id} is judged, but was not found for this topic");
                let kind = "judged photos that were not found";
                self.findings.tell(sink, Severity::Note, kind, place, what)?;
            }
            judgements.push((position, id, verdict));
            Ok(())
        })?;
        judgements.sort_by_key(|(position, ..)| *position);
        for (_, id, verdict) in judgements {
            sink.put(Record::Judgement(Judgement {
                set: set.to_owned(),
                query: Subject::Topic(topic.id.clone()),
                answer: Subject::Item(id),
                judge: None,
                verdict,
            }))?;
        }
        Ok(())
    }
}

fn judgement(set: &str, line: &str) -> Option<(ItemId, Verdict)> {
    let (id, number) = line.split_once(',')?;
    let (id, number) = (id.trim(), number.trim());
    if id.is_empty() {
        return None;
    }
    let verdict = match set {
        "dGT" => Verdict::Cluster(number.parse().ok()?),
        _ => Verdict::Grade(number.parse().ok().filter(|grade| (-1..=1).contains(grade))?),
    };
    Some((ItemId::from(id), verdict))
}

/// Flickr's numbers for licences.
fn licence(number: &str) -> String {
    match number {
        "0" => "all rights reserved",
        "1" => "CC BY-NC-SA 2.0",
        "2" => "CC BY-NC 2.0",
        "3" => "CC BY-NC-ND 2.0",
        "4" => "CC BY 2.0",
        "5" => "CC BY-SA 2.0",
        "6" => "CC BY-ND 2.0",
        "7" => "no known copyright restrictions",
        "8" => "United States government work",
        other => return format!("Flickr licence {other}"),
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    const TOPICS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<topics>\n<topic>\n\
        <number>26</number>\n<title>Arch &amp; Gate</title>\n<latitude>47.5</latitude>\n\
        <longitude>9.25</longitude>\n</topic>\n<topic><title>No number</title></topic>\n</topics>\n";
    const PHOTOS: &str = "<photos monument=\"Arch\">\n\
        <photo id=\"9\" date_taken=\"2008-05-06 12:32:00\" description=\"A &lt;b&gt; &eacute;\" \
        tags=\"arch gate arch\" title=\"Arch\" license=\"1\" latitude=\"0\" longitude=\"0\" \
        username=\"Ann\" rank=\"1\" />\n<photo id=\"3\" latitude=\"1\" longitude=\"2\"/>\n\
        <photo title=\"x\"/></photos>";

    fn write(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn topics_photos_and_judgements_in_the_order_of_the_ranking() {
        let folder = write(&[
            ("devset_topics.xml", TOPICS),
            ("xml/Arch & Gate.xml", PHOTOS),
            ("gt/rGT/Arch & Gate rGT.txt", "3,1\r\n9,0\r\n7,-1\n3,1\nx\n"),
            ("gt/dGT/Arch & Gate dGT.txt", "3,12\n"),
        ]);
        let mut collection = Collection::new();
        assert_eq!(Div400.recognise(folder.path()), Confidence::Surely);
        Div400.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap();
        let topic = &collection.topics()[0];
        assert_eq!((topic.id.as_str(), topic.text.as_str()), ("26", "Arch & Gate"));
        assert_eq!(topic.coordinates.unwrap().longitude, 9.25);
        assert_eq!(collection.topics().len(), 1);
        assert_eq!(collection.items().len(), 2);
        let metadata = &collection.items()[0].metadata;
        assert_eq!(metadata.tags, ["arch", "gate"]);
        assert_eq!(metadata.date.as_deref(), Some("2008-05-06T12:32:00"));
        assert_eq!(metadata.licence.as_deref(), Some("CC BY-NC-SA 2.0"));
        assert_eq!(metadata.coordinates, None);
        assert!(collection.items()[1].metadata.coordinates.is_some());
        assert_eq!(collection.split_of(&"9".into()), Some(&Split::Dev));
        let answers: Vec<_> =
            collection.judgements().iter().map(|j| (&j.answer, j.verdict)).collect();
        let item = |id: &str| Subject::Item(ItemId::from(id));
        assert_eq!(answers[0], (&item("9"), Verdict::Grade(0)));
        assert_eq!(answers[1], (&item("3"), Verdict::Grade(1)));
        assert_eq!(answers[2], (&item("7"), Verdict::Grade(-1)));
        assert_eq!(answers[3], (&item("3"), Verdict::Cluster(12)));
        let told = collection.findings();
        assert!(
            told.iter().any(|f| f.what.contains("without a number") && f.place.line == Some(9))
        );
        assert!(
            told.iter().any(|f| f.place.field.as_deref() == Some("id") && f.place.line == Some(4))
        );
        assert!(told.iter().any(|f| f.what.contains("second time") && f.place.line == Some(4)));
    }

    #[test]
    fn a_broken_location_is_told_and_the_others_are_read() {
        let folder = write(&[
            ("testset_topics.xml", TOPICS),
            ("xml/Arch & Gate.xml", "<photos>\n<photo id=\"1\"/>\n<photo id=\"2\""),
        ]);
        let mut collection = Collection::new();
        Div400.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap();
        assert_eq!(collection.items().len(), 1);
        let finding =
            collection.findings().iter().find(|f| f.what.contains("well-formed")).unwrap();
        assert_eq!(finding.place.line, Some(3));
    }

    #[test]
    fn a_broken_topics_file_is_an_error_with_a_line() {
        let folder = write(&[("a_topics.xml", "<topics>\n<topic>\n</number>"), ("xml/a.xml", "")]);
        let mut collection = Collection::new();
        let error =
            Div400.read(folder.path(), &ReadOptions::default(), &mut collection).unwrap_err();
        assert!(error.to_string().contains("a_topics.xml:3 at byte"), "{error}");
    }
}
