//! COCO captions, `captions_train2014.json` and its like.
//!
//! One object with `images` (`id`, `file_name`, `width`, `height`) and `annotations` (`id`,
//! `image_id`, `caption`), in either order; read as a stream. Where the annotations come first, the
//! file is read a second time for them, so that they can be given their image's name without being
//! held in memory.
//!
//! An item is named by its `file_name`, as in Karpathy's files, a caption by the annotation's
//! `id`. The split is taken from the file's name (`train`, `val`, `test`), where it says one. A
//! folder with `captions_*.json`, or with `annotations/captions_*.json`, is read file by file.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::findings::Findings;
use crate::format::{Confidence, Format, ReadOptions};
use crate::json::{self, Json, Wanted};
use crate::lines;
use crate::photo::folder::Photos;
use crate::{
    Caption, CaptionId, Error, Item, ItemId, Place, Record, Result, Severity, Sink, Size, Split,
};

/// COCO captions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coco;

const WANTED: Wanted = Wanted(&["id", "file_name", "width", "height", "image_id", "caption"]);

impl Format for Coco {
    fn name(&self) -> &'static str {
        "coco"
    }

    fn about(&self) -> &'static str {
        "COCO captions JSON (images and annotations), or a folder of them"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        if path.is_dir() {
            return if caption_files(path).is_empty() {
                Confidence::No
            } else {
                Confidence::Surely
            };
        }
        if !path.is_file() {
            return Confidence::No;
        }
        let head = String::from_utf8_lossy(&lines::head(path, 16 << 10)).into_owned();
        if !head.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            return Confidence::No;
        }
        let has = |name: &str| head.contains(name);
        let images = has("\"images\"") && has("\"file_name\"");
        let annotations = has("\"annotations\"") && has("\"image_id\"") && has("\"caption\"");
        let named = lines::plain_name(path).starts_with("captions_");
        match (images || annotations, named) {
            (true, _) => Confidence::Surely,
            (false, true) => Confidence::Perhaps,
            (false, false) => Confidence::No,
        }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        read(path, options, sink)
    }
}

fn read(path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    let files = if path.is_dir() { caption_files(path) } else { vec![path.to_path_buf()] };
    if files.is_empty() {
        let what = "no captions_*.json in this folder";
        return Err(
            Error::malformed(Place::file(path), what).with_hint("name the captions file itself")
        );
    }
    files.iter().try_for_each(|file| read_file(file, options, sink))
}

/// The caption files of a folder or of its `annotations` folder, by name.
fn caption_files(folder: &Path) -> Vec<PathBuf> {
    for folder in [folder.to_path_buf(), folder.join("annotations")] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = lines::plain_name(path);
                name.starts_with("captions_") && name.ends_with(".json")
            })
            .collect();
        if !files.is_empty() {
            files.sort();
            return files;
        }
    }
    Vec::new()
}

/// The part a file's name speaks of, and the folder its photos are in: `captions_val2014.json` has
/// its photos in `val2014`.
fn part(path: &Path) -> (Option<Split>, String) {
    let name = lines::plain_name(path);
    let stem = name.strip_suffix(".json").unwrap_or(&name);
    let part = stem.strip_prefix("captions_").unwrap_or(stem).to_owned();
    let split = ["train", "val", "test"].into_iter().find(|split| part.starts_with(split));
    (split.map(|split| Split::from(split.to_owned())), part)
}

fn read_file(path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let above = folder.parent().unwrap_or(Path::new(""));
    let (split, part) = part(path);
    let usual = [part.as_str(), "photos", "images", "Images"];
    let mut reader = Reader {
        path,
        split,
        photos: Photos::find(options, &[folder, above], &usual)?,
        findings: Findings::default(),
        names: FxHashMap::default(),
        items: FxHashSet::default(),
        captions: FxHashSet::default(),
    };
    let result = reader.read(sink);
    reader.findings.finish(path, sink)?;
    result?;
    reader.photos.report(path, sink)
}

/// Which of the two arrays was met first.
#[derive(Clone, Copy, PartialEq)]
enum First {
    Images,
    Annotations,
}

struct Reader<'a> {
    path: &'a Path,
    split: Option<Split>,
    photos: Photos,
    findings: Findings,
    /// The name of each image by its number.
    names: FxHashMap<String, ItemId>,
    items: FxHashSet<ItemId>,
    captions: FxHashSet<CaptionId>,
}

impl Reader<'_> {
    fn read(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let mut first = None;
        json::stream(self.path, &["images", "annotations"], WANTED, &mut |array, at, record| {
            let met = if array == "images" { First::Images } else { First::Annotations };
            match (*first.get_or_insert(met), met) {
                (_, First::Images) => self.image(at, &record, sink),
                (First::Images, First::Annotations) => self.annotation(at, &record, sink),
                (First::Annotations, First::Annotations) => Ok(()),
            }
        })?;
        if first != Some(First::Annotations) {
            return Ok(());
        }
        json::stream(self.path, &["annotations"], WANTED, &mut |_, at, record| {
            self.annotation(at, &record, sink)
        })
    }

    fn skip(&mut self, sink: &mut dyn Sink, field: String, what: impl Into<String>) -> Result<()> {
        let place = Place::file(self.path).field(field);
        self.findings.tell(sink, Severity::Skipped, "records left out", place, what)
    }

    fn image(&mut self, at: usize, image: &Json, sink: &mut dyn Sink) -> Result<()> {
        let Some(number) = image.get("id").and_then(Json::id) else {
            return self.skip(sink, format!("images[{at}].id"), "no id: image left out");
        };
        let name = image.get("file_name").and_then(Json::text);
        let id = ItemId::from(name.unwrap_or(&number));
        if self.names.insert(number.clone(), id.clone()).is_some() {
            let what = format!("a second image with the id {number}");
            return self.skip(sink, format!("images[{at}].id"), what);
        }
        if !self.items.insert(id.clone()) {
            let what = format!("a second image with the name {id}: both are taken for one");
            return self.skip(sink, format!("images[{at}].file_name"), what);
        }
        let mut item = Item::new(id.clone());
        item.image = self.photos.source(name);
        item.size = size(image);
        sink.put(Record::Item(Box::new(item)))?;
        match &self.split {
            Some(split) => sink.put(Record::Split(id, split.clone())),
            None => Ok(()),
        }
    }

    fn annotation(&mut self, at: usize, annotation: &Json, sink: &mut dyn Sink) -> Result<()> {
        let field = |name: &str| format!("annotations[{at}].{name}");
        let Some(image) = annotation.get("image_id").and_then(Json::id) else {
            return self.skip(sink, field("image_id"), "no image_id: caption left out");
        };
        let Some(item) = self.names.get(&image).cloned() else {
            let what = format!("image_id {image} is not among the images: caption left out");
            return self.skip(sink, field("image_id"), what);
        };
        let Some(text) = annotation.get("caption").and_then(Json::text) else {
            return self.skip(sink, field("caption"), "no caption: annotation left out");
        };
        let own = annotation.get("id").and_then(Json::id);
        let id = CaptionId::from(own.unwrap_or_else(|| format!("annotation-{at}")));
        if !self.captions.insert(id.clone()) {
            let what = format!("a second annotation with the id {id}: left out");
            return self.skip(sink, field("id"), what);
        }
        sink.put(Record::Caption(Caption { id, item, text: text.trim().to_owned() }))
    }
}

fn size(image: &Json) -> Option<Size> {
    let side = |name: &str| {
        let pixels = image.get(name).and_then(Json::number)?;
        (pixels >= 1.0 && pixels <= f64::from(u32::MAX)).then_some(pixels as u32)
    };
    Some(Size { width: side("width")?, height: side("height")? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    const IMAGES: &str = r#""images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480},
        {"id": 2, "file_name": "b.jpg"}]"#;
    const ANNOTATIONS: &str = r#""annotations": [{"image_id": 2, "id": 70, "caption": "A boat. "},
        {"image_id": 1, "id": 71, "caption": "A dog."}]"#;

    fn read(name: &str, text: &str) -> (Collection, Result<()>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut collection = Collection::new();
        let result = Coco.read(&path, &ReadOptions::default(), &mut collection);
        (collection, result)
    }

    #[test]
    fn the_order_of_the_two_arrays_is_free() {
        for text in [
            format!("{{\"info\": {{}}, {IMAGES}, {ANNOTATIONS}}}"),
            format!("{{{ANNOTATIONS}, \"licenses\": [], {IMAGES}}}"),
        ] {
            let (collection, result) = read("captions_val2014.json", &text);
            result.unwrap();
            assert_eq!(collection.items().len(), 2);
            assert_eq!(collection.items()[0].size, Some(Size { width: 640, height: 480 }));
            let caption = &collection.captions()[0];
            assert_eq!((caption.id.as_str(), caption.item.as_str()), ("70", "b.jpg"));
            assert_eq!(caption.text, "A boat.");
            assert_eq!(collection.split_of(&"a.jpg".into()), Some(&Split::Dev));
        }
    }

    #[test]
    fn bad_records_are_told_by_array_position_and_field() {
        let text = format!(
            "{{{IMAGES}, \"annotations\": [{{\"image_id\": 9, \"caption\": \"x\"}}, \
             {{\"image_id\": 1}}, {{\"caption\": \"x\"}}, 5, \
             {{\"image_id\": 1, \"id\": 7, \"caption\": \"x\"}}, \
             {{\"image_id\": 1, \"id\": 7, \"caption\": \"x\"}}]}}"
        );
        let (collection, result) = read("c.json", &text);
        result.unwrap();
        assert_eq!(collection.captions().len(), 1);
        assert_eq!(collection.split_of(&"a.jpg".into()), None);
        let fields: Vec<_> =
            collection.findings().iter().filter_map(|f| f.place.field.as_deref()).collect();
        assert_eq!(
            fields,
            [
                "annotations[0].image_id",
                "annotations[1].caption",
                "annotations[2].image_id",
                "annotations[3].image_id",
                "annotations[5].id"
            ]
        );
    }
}
