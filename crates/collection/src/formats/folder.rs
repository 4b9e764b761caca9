//! A folder of photos, with all the folders in it.
//!
//! An item is named by its path within the folder, with `/` between the parts. Which files are
//! looked at, [`walk`] says.
//!
//! What is known about a photo comes from several places. For each field the first of these that
//! says something is taken:
//!
//! 1. the `.xmp` sidecar: people's latest word, since programs that do not touch the original write
//!    there;
//! 2. the `.json` beside the photo;
//! 3. XMP inside the photo;
//! 4. IPTC inside the photo;
//! 5. EXIF inside the photo: what the camera wrote by itself.
//!
//! Tags of 3 to 5 are united; where a sidecar has tags, only the sidecars' are taken, so that a tag
//! that was removed there does not come back. Captions are the lines of `photo.txt` and the
//! `caption`s of `photo.json`, named `path#0`, `path#1`, …; keywords those of the JSON. See
//! [`beside`](crate::photo::beside) for the names of these files.
//!
//! Only the header of a photo is read, unless the options ask for more.

use std::path::Path;

use rayon::prelude::*;
use walkdir::WalkDir;

use crate::findings::{Findings, note};
use crate::format::{Confidence, Format, ReadOptions};
use crate::photo::examine::BROKEN;
use crate::photo::walk::{is_photo, is_wanted};
use crate::photo::{Looked, Met, PhotoFolder, walk};
use crate::{Caption, Error, ImageSource, Item, Place, Record, Result, Severity, Sink, counted};

/// A folder of photos.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Folder;

/// Photos that are read together.
const BATCH: usize = 256;

/// Entries that are looked at to guess whether a folder has photos.
const LOOKED_AT: usize = 2000;

impl Format for Folder {
    fn name(&self) -> &'static str {
        "folder"
    }

    fn about(&self) -> &'static str {
        "a folder of photos, with EXIF, IPTC and XMP, and .xmp, .txt or .json beside them"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        let has_photos = if path.is_dir() {
            let walk = WalkDir::new(path).max_depth(4).into_iter().filter_entry(is_wanted);
            let files = walk.take(LOOKED_AT).flatten().filter(|entry| !entry.file_type().is_dir());
            let mut names = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
            // A folder with nothing in it is one of photos that are still to come.
            names.next().is_none_or(|first| is_photo(&first) || names.any(|name| is_photo(&name)))
        } else {
            path.is_file() && path.file_name().is_some_and(|n| is_photo(&n.to_string_lossy()))
        };
        if has_photos { Confidence::Perhaps } else { Confidence::No }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        let about = std::fs::metadata(path).map_err(|source| Error::io(path, source))?;
        let mut reader =
            Reader { root: path, options, photos: 0, not_yet: 0, findings: Findings::default() };
        if about.is_file() {
            reader.root = path.parent().unwrap_or(Path::new(""));
            reader.folder(&PhotoFolder::around(path)?, sink)?;
        } else {
            reader.walk(sink)?;
        }
        reader.findings.finish(path, sink)?;
        if reader.not_yet > 0 {
            let photos = counted(reader.not_yet, "photo");
            let what =
                format!("left out: {photos} of kinds that cannot be decoded (HEIC, AVIF, RAW)");
            note(sink, Place::file(path), what)?;
        }
        if reader.photos == 0 {
            note(sink, Place::file(path), "no photos in this folder")?;
        }
        Ok(())
    }
}

struct Reader<'a> {
    root: &'a Path,
    options: &'a ReadOptions,
    photos: u64,
    not_yet: u64,
    findings: Findings,
}

impl Reader<'_> {
    fn walk(&mut self, sink: &mut dyn Sink) -> Result<()> {
        for met in walk(self.root, |_| true) {
            match met {
                Met::Folder(folder) => self.folder(&folder, sink)?,
                Met::Trouble { path, what } => {
                    let kind = "files and folders that cannot be read";
                    let what = format!("{what}: passed over");
                    let place = Place::file(path);
                    self.findings.tell(sink, Severity::Skipped, kind, place, what)?;
                }
            }
        }
        Ok(())
    }

    /// Reads the photos of one folder.
    fn folder(&mut self, folder: &PhotoFolder, sink: &mut dyn Sink) -> Result<()> {
        self.photos += folder.photos.len() as u64;
        self.not_yet += folder.not_yet;
        for batch in folder.photos.chunks(BATCH) {
            let looked: Vec<Looked> = batch.par_iter().map(|photo| folder.look(photo)).collect();
            for (photo, looked) in batch.iter().zip(looked) {
                self.hand_on(photo, looked, sink)?;
            }
        }
        Ok(())
    }

    fn hand_on(&mut self, path: &Path, looked: Looked, sink: &mut dyn Sink) -> Result<()> {
        let mut item = Item::new(self.id(path));
        item.image = ImageSource::File(path.to_path_buf());
        item.size = looked.size;
        item.keywords = looked.keywords;
        item.metadata = looked.metadata;
        let id = item.id.clone();
        sink.put(Record::Item(Box::new(item)))?;
        for (k, text) in looked.captions.into_iter().enumerate() {
            let caption = Caption { id: format!("{id}#{k}").into(), item: id.clone(), text };
            sink.put(Record::Caption(caption))?;
        }
        if let Some(split) = looked.split {
            sink.put(Record::Split(id, split))?;
        }
        let mut tell = |what: String| note(sink, Place::file(path), what);
        if path.to_str().is_none() {
            tell("the name is not UTF-8: the item's name is only like it".to_owned())?;
        }
        // Whoever examines the whole picture will say it again.
        if let Some(what) = looked.broken.filter(|_| !self.options.examine_images) {
            tell(format!("{BROKEN}{what}"))?;
        }
        looked.findings.into_iter().try_for_each(|finding| sink.put(Record::Finding(finding)))
    }

    fn id(&self, path: &Path) -> String {
        let within = path.strip_prefix(self.root).unwrap_or(path);
        let parts: Vec<_> = within.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;
    use crate::format::guess;
    use crate::photo::exif::tests::block as exif_block;
    use crate::photo::iptc::tests::block as iptc_block;

    /// A JPEG with these segments: marker, label and content.
    fn jpeg(segments: &[(u8, &[u8], &[u8])]) -> Vec<u8> {
        let picture = image::RgbImage::from_pixel(30, 20, image::Rgb([9, 90, 200]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
        let mut jpeg = bytes.into_inner();
        let mut inserted = Vec::new();
        for (marker, label, content) in segments {
            inserted.extend([0xff, *marker]);
            inserted.extend(((label.len() + content.len() + 2) as u16).to_be_bytes());
            inserted.extend(*label);
            inserted.extend(*content);
        }
        jpeg.splice(2..2, inserted);
        jpeg
    }

    fn xmp(title: &str, tag: &str) -> String {
        format!(
            "<x xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns:dc='http://purl.org/dc/elements/1.1/'><rdf:Description dc:title='{title}'>\
             <dc:subject><rdf:Bag><rdf:li>{tag}</rdf:li></rdf:Bag></dc:subject>\
             </rdf:Description></x>"
        )
    }

    fn full_photo() -> Vec<u8> {
        let exif = exif_block(
            &[(0x010e, 2, 6, b"Boats\0"), (0x0110, 2, 4, b"D70\0"), (0x0112, 3, 1, b"\x06\0")],
            &[(0x9003, 2, 20, b"2019:02:03 10:11:12\0")],
            &[],
        );
        let iptc = iptc_block(&[((2, 25), b"old"), ((2, 90), b"Lund"), ((2, 5), b"From IPTC")]);
        jpeg(&[
            (0xe1, b"Exif\0\0", &exif),
            (0xe1, b"http://ns.adobe.com/xap/1.0/\0", xmp("From XMP", "sea").as_bytes()),
            (0xed, b"Photoshop 3.0\0", &iptc),
        ])
    }

    fn put(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn read(path: &Path) -> Collection {
        let mut collection = Collection::new();
        Folder.read(path, &ReadOptions::default(), &mut collection).unwrap();
        collection
    }

    #[test]
    fn what_is_inside_a_photo_is_found_in_order_of_trust() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "a.jpg", full_photo());
        let collection = read(folder.path());
        assert!(collection.findings().is_empty(), "{:?}", collection.findings());
        let item = &collection.items()[0];
        assert_eq!(item.size, Some(crate::Size { width: 20, height: 30 }));
        let metadata = &item.metadata;
        assert_eq!(metadata.title.as_deref(), Some("From XMP"));
        assert_eq!(metadata.tags, ["sea", "old"]);
        assert_eq!(metadata.description.as_deref(), Some("Boats"));
        assert_eq!(metadata.place.as_deref(), Some("Lund"));
        assert_eq!(metadata.date.as_deref(), Some("2019-02-03T10:11:12"));
        assert_eq!(metadata.camera.as_deref(), Some("D70"));
    }

    #[test]
    fn sidecars_go_before_what_is_inside() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "a.jpg", full_photo());
        put(folder.path(), "a.jpg.xmp", xmp("From the sidecar", "new"));
        put(
            folder.path(),
            "a.json",
            r#"{"title": "From JSON", "place": "Malm\u00f6", "caption": "Hi."}"#,
        );
        let collection = read(folder.path());
        let metadata = &collection.items()[0].metadata;
        assert_eq!(metadata.title.as_deref(), Some("From the sidecar"));
        assert_eq!(metadata.tags, ["new"]);
        assert_eq!(metadata.place.as_deref(), Some("Malm\u{f6}"));
        assert_eq!(metadata.camera.as_deref(), Some("D70"));
        assert_eq!(collection.captions()[0].id.as_str(), "a.jpg#0");
    }

    #[test]
    fn folders_within_hidden_ones_and_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let photo = jpeg(&[]);
        for name in [
            "b.jpg",
            "sub/x/c.JPEG",
            "a.png",
            ".git/d.jpg",
            "sub/@eaDir/e.jpg",
            "._b.jpg",
            "z.heic",
            "notes.txt",
            "sub/1.jpg",
        ] {
            put(folder.path(), name, &photo);
        }
        put(folder.path(), "sub/1.txt", "One.\nTwo.\n");
        put(folder.path(), "broken.jpg", "");
        let collection = read(folder.path());
        let ids: Vec<_> = collection.items().iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["a.png", "b.jpg", "broken.jpg", "sub/1.jpg", "sub/x/c.JPEG"]);
        assert_eq!(collection.captions().len(), 2);
        let told: Vec<_> = collection.findings().iter().map(|f| f.what.as_str()).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("empty"), "{told:?}");
        assert!(told[1].starts_with("left out: 1 photo of kinds"), "{told:?}");
        assert_eq!(guess(folder.path()).unwrap().name(), "folder");
        let single = read(&folder.path().join("sub/1.jpg"));
        assert_eq!(single.items()[0].id.as_str(), "1.jpg");
        assert_eq!(single.captions().len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_back_are_told() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "sub/a.jpg", jpeg(&[]));
        std::os::unix::fs::symlink(folder.path(), folder.path().join("sub/back")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("dangling.jpg")).unwrap();
        let collection = read(folder.path());
        assert_eq!(collection.items().len(), 1);
        let told: Vec<_> = collection.findings().iter().map(|f| f.what.as_str()).collect();
        assert!(told.iter().any(|what| what.contains("leads back")), "{told:?}");
        assert_eq!(told.len(), 2, "{told:?}");
    }

    #[test]
    fn a_data_set_with_photos_is_not_taken_for_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "Flickr8k.token.txt", "a.jpg#0\tA dog .\n");
        put(folder.path(), "Images/a.jpg", jpeg(&[]));
        assert_eq!(guess(folder.path()).unwrap().name(), "flickr");
    }
}
