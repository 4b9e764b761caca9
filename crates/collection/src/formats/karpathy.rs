//! Karpathy's split files, `dataset_flickr8k.json`, `dataset_flickr30k.json`, `dataset_coco.json`.
//!
//! One object with `images`, each with `filename`, `filepath` (COCO only), `split`, `cocoid` (COCO
//! only) and `sentences` (`raw`, `tokens`, `sentid`). Read as a stream: an image at a time.
//!
//! An item is named by its `filename`. A caption is named as its own data set names it, so that
//! the captions can be joined with those read by [`flickr`](super::flickr) and
//! [`coco`](super::coco): `filename#k` by position, or for COCO's images the `sentid`.
//! The path may be the file or a folder with a `dataset*.json`.
//! The text is `raw`, or the `tokens` with blanks between where there is no `raw`.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::findings::Findings;
use crate::format::{Confidence, Format, ReadOptions};
use crate::json::{self, Json, Wanted};
use crate::lines;
use crate::photo::folder::Photos;
use crate::{Caption, CaptionId, Item, ItemId, Place, Record, Result, Severity, Sink, Split};

/// Karpathy's JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Karpathy;

const WANTED: Wanted =
    Wanted(&["filename", "filepath", "split", "cocoid", "sentences", "raw", "tokens", "sentid"]);

const PHOTOS: &[&str] =
    &["photos", "images", "Images", "Flicker8k_Dataset", "flickr30k-images", "imgs"];

impl Format for Karpathy {
    fn name(&self) -> &'static str {
        "karpathy"
    }

    fn about(&self) -> &'static str {
        "Karpathy's dataset_*.json: images with their sentences and splits"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let is_folder = path.is_dir();
        let Some(path) = document(path) else { return Confidence::No };
        let head = String::from_utf8_lossy(&lines::head(&path, 8192)).into_owned();
        let opens = head.trim_start_matches('\u{feff}').trim_start().starts_with('{');
        let has = |name: &str| head.contains(name);
        if opens && has("\"images\"") && has("\"filename\"") && has("\"sentences\"") {
            Confidence::Surely
        } else {
            let name = lines::plain_name(&path);
            let named = name.starts_with("dataset") && name.ends_with(".json");
            if opens && named && !is_folder { Confidence::Perhaps } else { Confidence::No }
        }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        read(path, options, sink)
    }
}

/// The document that a path means: itself, or the first `dataset*.json` of a folder.
fn document(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    let entries = std::fs::read_dir(path).ok()?.flatten().map(|entry| entry.path());
    entries
        .filter(|path| {
            let name = lines::plain_name(path);
            path.is_file() && name.starts_with("dataset") && name.ends_with(".json")
        })
        .min()
}

fn read(path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    let path = &document(path).unwrap_or_else(|| path.to_path_buf());
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut reader = Reader {
        path,
        photos: Photos::find(options, &[folder], PHOTOS)?,
        findings: Findings::default(),
        items: FxHashSet::default(),
        captions: FxHashSet::default(),
    };
    let result =
        json::stream(path, &["images"], WANTED, &mut |_, at, image| reader.image(at, &image, sink));
    reader.findings.finish(path, sink)?;
    result?;
    reader.photos.report(path, sink)
}

struct Reader<'a> {
    path: &'a Path,
    photos: Photos,
    findings: Findings,
    items: FxHashSet<ItemId>,
    captions: FxHashSet<CaptionId>,
}

impl Reader<'_> {
    fn skip(&mut self, sink: &mut dyn Sink, field: String, what: impl Into<String>) -> Result<()> {
        let place = Place::file(self.path).field(field);
        self.findings.tell(sink, Severity::Skipped, "records left out", place, what)
    }

    fn image(&mut self, at: usize, image: &Json, sink: &mut dyn Sink) -> Result<()> {
        let Some(name) = image.get("filename").and_then(Json::text) else {
            let field = format!("images[{at}].filename");
            return self.skip(sink, field, "no file name: image left out");
        };
        let id = ItemId::from(name);
        if !self.items.insert(id.clone()) {
            let what = format!("a second image {name}: left out");
            return self.skip(sink, format!("images[{at}].filename"), what);
        }
        let mut item = Item::new(id.clone());
        let longer =
            image.get("filepath").and_then(Json::text).map(|path| format!("{path}/{name}"));
        item.image = self.photos.source([name].into_iter().chain(longer.as_deref()));
        sink.put(Record::Item(Box::new(item)))?;
        match image.get("split").and_then(Json::text) {
            Some(split) => {
                sink.put(Record::Split(id.clone(), Split::from(split.to_owned())))?;
            }
            None => {
                let place = Place::file(self.path).field(format!("images[{at}].split"));
                let kind = "images without a split";
                self.findings.tell(sink, Severity::Note, kind, place, "no split")?;
            }
        }
        let of_coco = image.get("cocoid").is_some();
        match image.get("sentences") {
            Some(Json::List(sentences)) => {
                for (k, sentence) in sentences.iter().enumerate() {
                    self.sentence(at, k, &id, of_coco, sentence, sink)?;
                }
                Ok(())
            }
            None => self.skip(sink, format!("images[{at}].sentences"), "no sentences"),
            Some(other) => {
                let what = format!("a list of sentences expected, {} found", other.kind());
                self.skip(sink, format!("images[{at}].sentences"), what)
            }
        }
    }

    fn sentence(
        &mut self,
        at: usize,
        k: usize,
        item: &ItemId,
        of_coco: bool,
        sentence: &Json,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let field = |name: &str| format!("images[{at}].sentences[{k}].{name}");
        let Some(text) = sentence_text(sentence) else {
            return self.skip(sink, field("raw"), "neither raw text nor tokens: sentence left out");
        };
        let own = sentence.get("sentid").and_then(Json::id).filter(|_| of_coco);
        let id = CaptionId::from(own.unwrap_or_else(|| format!("{item}#{k}")));
        if !self.captions.insert(id.clone()) {
            let what = format!("a second sentence {id}: left out");
            return self.skip(sink, field("sentid"), what);
        }
        sink.put(Record::Caption(Caption { id, item: item.clone(), text }))
    }
}

fn sentence_text(sentence: &Json) -> Option<String> {
    if let Some(raw) = sentence.get("raw").and_then(Json::text) {
        return Some(raw.trim().to_owned());
    }
    let tokens = sentence.get("tokens")?.list()?;
    let words: Vec<&str> = tokens.iter().filter_map(Json::text).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    fn read(text: &str) -> (Collection, Result<()>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dataset_x.json");
        std::fs::write(&path, text).unwrap();
        let mut collection = Collection::new();
        let result = Karpathy.read(&path, &ReadOptions::default(), &mut collection);
        (collection, result)
    }

    #[test]
    fn images_sentences_and_splits() {
        let (collection, result) = read(
            r#"{"images": [
                {"sentids": [0, 1], "imgid": 0, "filename": "a.jpg", "split": "train", "sentences": [
                    {"tokens": ["a", "dog"], "raw": "A dog. ", "imgid": 0, "sentid": 0},
                    {"tokens": ["two", "dogs"], "sentid": 1}]},
                {"filepath": "val2014", "filename": "b.jpg", "cocoid": 9, "split": "restval",
                 "sentences": [{"raw": "A boat", "sentid": 77}]}
            ], "dataset": "x"}"#,
        );
        result.unwrap();
        assert_eq!(collection.items().len(), 2);
        let captions = collection.captions();
        assert_eq!(captions[0].text, "A dog.");
        assert_eq!((captions[1].id.as_str(), captions[1].text.as_str()), ("a.jpg#1", "two dogs"));
        assert_eq!(captions[2].id.as_str(), "77");
        assert_eq!(collection.split_of(&"b.jpg".into()), Some(&Split::Other("restval".into())));
    }

    #[test]
    fn one_bad_record_does_not_spoil_the_others() {
        let (collection, result) = read(
            r#"{"images": [17, {"filename": 3}, {"filename": "a.jpg", "sentences": {}},
                {"filename": "b.jpg", "split": "val", "sentences": [{"raw": null}, {"raw": "ok"}]},
                {"filename": "b.jpg"}]}"#,
        );
        result.unwrap();
        assert_eq!(collection.items().len(), 2);
        assert_eq!(collection.captions()[0].id.as_str(), "b.jpg#1");
        let fields: Vec<_> =
            collection.findings().iter().filter_map(|f| f.place.field.as_deref()).collect();
        assert_eq!(
            fields,
            [
                "images[0].filename",
                "images[1].filename",
                "images[2].split",
                "images[2].sentences",
                "images[3].sentences[0].raw",
                "images[4].filename"
            ]
        );
    }

    #[test]
    fn a_cut_file_gives_what_it_has_and_says_where_it_ends() {
        let (collection, result) =
            read("{\"images\": [{\"filename\": \"a.jpg\", \"sentences\": []},\n{\"filena");
        assert_eq!(collection.items().len(), 1);
        let error = result.unwrap_err();
        assert!(error.to_string().contains("dataset_x.json:2 (column 8)"), "{error}");
    }
}
