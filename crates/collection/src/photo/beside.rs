//! What lies beside a photo: an `.xmp` sidecar, captions in a `.txt`, captions and more in a `.json`.
//!
//! For `photo.jpg` these are, the first that is there of each:
//!
//! - `photo.jpg.xmp`, `photo.xmp`: XMP, as photo programs write it;
//! - `photo.txt`, `photo.jpg.txt`: a caption a line;
//! - `photo.json`, `photo.jpg.json`, `photo.jpg.supplemental-metadata.json`: an object with `caption`
//!   or `captions`, `keywords`, `split`, and the fields of [`Metadata`] by name; also what Google's
//!   export writes (`title`, `description`, `photoTakenTime`, `geoData`).

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::json::{self, Json, Wanted};
use crate::lines::for_each_line;
use crate::photo::exif::clean;
use crate::photo::xmp;
use crate::xml::Document;
use crate::{
    Coordinates, Error, Finding, Metadata, Place, Record, Result, Severity, Sink, Split, dates,
};

/// What was found beside a photo.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    /// The sidecar's word before that of the JSON.
    pub(crate) metadata: Metadata,
    pub(crate) captions: Vec<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) split: Option<Split>,
    pub(crate) findings: Vec<Finding>,
}

/// A file of captions or fields for one photo is no larger than this.
const LARGEST: u64 = 16 << 20;

/// The files beside a photo: sidecar, JSON and text. `names` are the files of its folder.
pub(super) fn files(folder: &Path, names: &FxHashSet<String>, photo: &str) -> [Option<PathBuf>; 3] {
    let stem = photo.rsplit_once('.').map_or(photo, |(stem, _)| stem);
    let find = |endings: &[(&str, &str)]| {
        endings
            .iter()
            .flat_map(|(base, ending)| {
                [format!("{base}{ending}"), format!("{base}{}", ending.to_uppercase())]
            })
            .find(|name| names.contains(name))
            .map(|name| folder.join(name))
    };
    let supplement = ".supplemental-metadata.json";
    [
        find(&[(photo, ".xmp"), (stem, ".xmp")]),
        find(&[(stem, ".json"), (photo, ".json"), (photo, supplement)]),
        find(&[(stem, ".txt"), (photo, ".txt")]),
    ]
}

/// Reads what lies beside a photo. `names` are the files of its folder.
pub(crate) fn read(folder: &Path, names: &FxHashSet<String>, photo: &str) -> Beside {
    let [sidecar, json, text] = files(folder, names, photo);
    let mut beside = Beside::default();
    if let Some(path) = sidecar {
        beside.attempt(&path, Beside::read_xmp);
    }
    if let Some(path) = json {
        beside.attempt(&path, |beside, path| beside.read_json(path, photo));
    }
    // A JSON that has captions has them on purpose; the text file then only adds what is new.
    if let Some(path) = text {
        beside.attempt(&path, Beside::read_text);
    }
    beside
}

/// Keeps findings, and nothing else.
struct Keep<'a>(&'a mut Vec<Finding>);

impl Sink for Keep<'_> {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        if let Record::Finding(finding) = record {
            self.0.push(finding);
        }
        ControlFlow::Continue(())
    }
}

impl Beside {
    /// Reads one file; what is wrong with it is a finding, for the photo is still there.
    fn attempt(&mut self, path: &Path, read: impl FnOnce(&mut Self, &Path) -> Result<()>) {
        let size = std::fs::metadata(path).map_or(0, |file| file.len());
        let result = if size > LARGEST {
            let what = format!("larger than {LARGEST} bytes: left out");
            Err(Error::malformed(Place::file(path), what))
        } else {
            read(self, path)
        };
        if let Err(error) = result {
            let (place, what) = match error {
                Error::Malformed { place, what, .. } => (place, what),
                Error::Io { place, source } => (place, source.to_string()),
                other => (Place::file(path), other.to_string()),
            };
            self.findings.push(Finding { place, what, severity: Severity::Skipped });
        }
    }

    fn read_xmp(&mut self, path: &Path) -> Result<()> {
        let document = Document::open(path, &mut Keep(&mut self.findings))?;
        let (metadata, trouble) = xmp::metadata(&document.text);
        self.metadata.fill_from(metadata);
        match trouble {
            Some(trouble) => Err(document.trouble(trouble.byte, trouble.what)),
            None => Ok(()),
        }
    }

    fn read_text(&mut self, path: &Path) -> Result<()> {
        let captions = &mut self.captions;
        for_each_line(path, &mut Keep(&mut self.findings), |line, _| {
            add(captions, line.text);
            Ok(())
        })
    }

    fn read_json(&mut self, path: &Path, photo: &str) -> Result<()> {
        let wanted = Wanted(&[
            "caption",
            "captions",
            "keywords",
            "tags",
            "title",
            "description",
            "date",
            "place",
            "camera",
            "author",
            "licence",
            "license",
            "split",
            "latitude",
            "longitude",
            "coordinates",
            "photoTakenTime",
            "timestamp",
            "geoData",
            "geoDataExif",
        ]);
        let json = json::whole(path, wanted)?;
        if !matches!(json, Json::Object(_)) {
            let what = format!("an object expected, {} found", json.kind());
            return Err(Error::malformed(Place::file(path), what));
        }
        for name in ["caption", "captions"] {
            texts(json.get(name)).for_each(|text| add(&mut self.captions, text));
        }
        texts(json.get("keywords")).for_each(|text| add(&mut self.keywords, text));
        self.split = json.get("split").and_then(Json::text).map(|s| Split::from(s.to_owned()));
        self.metadata.fill_from(fields(&json, photo));
        Ok(())
    }
}

/// Adds a text that is not empty and not there yet.
fn add(list: &mut Vec<String>, text: &str) {
    if let Some(text) = clean(text)
        && !list.contains(&text)
    {
        list.push(text);
    }
}

/// A string, or the strings of a list.
fn texts(value: Option<&Json>) -> impl Iterator<Item = &str> {
    let list = match value {
        Some(Json::List(list)) => list.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    list.iter().filter_map(Json::text)
}

fn fields(json: &Json, photo: &str) -> Metadata {
    let text = |name: &str| json.get(name).and_then(Json::text).and_then(clean);
    let mut tags = Vec::new();
    texts(json.get("tags")).for_each(|tag| add(&mut tags, tag));
    let taken = json.get("photoTakenTime").and_then(|time| time.get("timestamp"));
    let point = |from: Option<&Json>| {
        let side = |name| from.and_then(|from| from.get(name)).and_then(Json::number);
        Coordinates::known(side("latitude")?, side("longitude")?)
    };
    Metadata {
        // Google's export gives the file's name as the title.
        title: text("title").filter(|title| title != photo),
        tags,
        description: text("description"),
        date: text("date")
            .as_deref()
            .and_then(dates::normalise)
            .or_else(|| dates::from_unix(taken?.number()? as i64)),
        place: text("place"),
        coordinates: point(Some(json))
            .or_else(|| point(json.get("coordinates")))
            .or_else(|| point(json.get("geoData")))
            .or_else(|| point(json.get("geoDataExif"))),
        camera: text("camera"),
        author: text("author"),
        licence: text("licence").or_else(|| text("license")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(files: &[(&str, &str)]) -> Beside {
        let folder = tempfile::tempdir().unwrap();
        let mut names = FxHashSet::default();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
            names.insert((*name).to_owned());
        }
        read(folder.path(), &names, "a.jpg")
    }

    const XMP: &str = "<x xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
        xmlns:dc='http://purl.org/dc/elements/1.1/'><rdf:Description dc:title='TITLE'/></x>";

    #[test]
    fn the_longer_sidecar_name_goes_first() {
        let first = XMP.replace("TITLE", "first");
        let second = XMP.replace("TITLE", "second");
        let found = beside(&[("a.jpg.xmp", &first), ("a.xmp", &second)]);
        assert_eq!(found.metadata.title.as_deref(), Some("first"));
        let found = beside(&[("a.XMP", &second), ("b.xmp", &first)]);
        assert_eq!(found.metadata.title.as_deref(), Some("second"));
        assert!(found.findings.is_empty());
    }

    #[test]
    fn captions_come_from_text_and_json() {
        let found = beside(&[
            ("a.txt", "A dog.\n\n Dogs.\r\nA dog.\n"),
            (
                "a.json",
                r#"{"captions": ["A dog.", 3], "keywords": "dog", "split": "val", "tags": ["x"],
                "date": "2020-01-02", "latitude": 1.5, "longitude": "2.5", "license": "CC0"}"#,
            ),
        ]);
        assert_eq!(found.captions, ["A dog.", "Dogs."]);
        assert_eq!(found.keywords, ["dog"]);
        assert_eq!(found.split, Some(Split::Dev));
        assert_eq!(found.metadata.date.as_deref(), Some("2020-01-02"));
        assert_eq!(found.metadata.coordinates.unwrap().longitude, 2.5);
        assert_eq!(found.metadata.licence.as_deref(), Some("CC0"));
    }

    #[test]
    fn an_export_of_google_is_understood() {
        let found = beside(&[(
            "a.jpg.supplemental-metadata.json",
            r#"{"title": "a.jpg", "description": "Boats", "photoTakenTime":
                {"timestamp": "1541251625", "formatted": "x"}, "geoData":
                {"latitude": 47.5, "longitude": 9.5}, "people": [{"name": "Ann"}]}"#,
        )]);
        assert_eq!(found.metadata.title, None);
        assert_eq!(found.metadata.description.as_deref(), Some("Boats"));
        assert_eq!(found.metadata.date.as_deref(), Some("2018-11-03T13:27:05Z"));
        assert_eq!(found.metadata.coordinates.unwrap().latitude, 47.5);
    }

    #[test]
    fn broken_files_are_told_with_their_place() {
        let found = beside(&[("a.json", "{\"caption\":\n nonsense}"), ("a.xmp", "<x>\n<y></x>")]);
        let places: Vec<_> = found.findings.iter().map(|finding| finding.place.line).collect();
        assert_eq!(places, [Some(2), Some(2)]);
        assert!(beside(&[("a.json", "[1]")]).findings[0].what.contains("an object expected"));
    }
}
