//! Writes the synthetic world into a folder.
//!
//! - `photos/000000.jpg` and so on;
//! - `collection.jsonl`, one object a line: `id`, `image` (relative to the folder), `split`,
//!   `captions` (a list) and `keywords` (a list);
//! - the same captions and splits as Flickr8k has them: `captions.token.txt` with
//!   `000000.jpg#0<TAB>sentence`, and `trainImages.txt`, `devImages.txt`, `testImages.txt`.
//!
//! - `world.json`: how many pictures and which seed, written before the first picture is drawn.
//!
//! Every file is written under another name first and then renamed, so that an interrupted run
//! leaves whole files only. Running again gives the same bytes. Over another world (`world.json`
//! says which) its pictures and lists are removed first, but nothing that was not drawn by us: a
//! picture goes only if drawing it again gives the same bytes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use rayon::prelude::*;
use serde_json::json;

use super::{Specimen, specimen};
use crate::writers::write_whole;
use crate::{Error, Place, Progress, Result, Split};

/// The name of the file that holds captions, keywords and splits.
pub const COLLECTION: &str = "collection.jsonl";

/// The name of the file that says which world a folder holds.
const WORLD: &str = "world.json";

/// The lists beside it, in the order in which they go.
const LISTS: [&str; 5] =
    [COLLECTION, "captions.token.txt", "trainImages.txt", "devImages.txt", "testImages.txt"];

/// How many specimens are held in memory at once.
const BLOCK: u64 = 256;

/// JPEG quality, as cameras use it.
const QUALITY: u8 = 88;

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How many pictures.
    pub images: u64,
    /// Which world.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { images: 1500, seed: 1 }
    }
}

impl Settings {
    /// The world that a folder holds, whole or in part; `None` where none was drawn there.
    fn of_world(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(WORLD);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::io(&path, source)),
        };
        let world: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        match (world["images"].as_u64(), world["seed"].as_u64()) {
            (Some(images), Some(seed)) => Ok(Some(Self { images, seed })),
            _ => Err(Error::malformed(Place::file(&path), "does not say which world this is")
                .with_hint("draw into another folder")),
        }
    }
}

/// Makes way for another world: removes the lists, and the pictures that it will not draw over.
fn clear(folder: &Path, old: Settings, new: Settings, progress: &dyn Progress) -> Result<()> {
    for name in LISTS {
        remove(&folder.join(name))?;
    }
    let photos = folder.join("photos");
    // Pictures of another seed all go: a run that is interrupted must not leave a mixture.
    let kept = if old.seed == new.seed { new.images } else { 0 };
    let rest = fs::read_dir(&photos).map_err(|source| Error::io(&photos, source))?;
    let mut numbers: Vec<u64> = rest
        .flatten()
        .filter_map(|entry| number_of(&entry.file_name().to_string_lossy()))
        .filter(|number| (kept..old.images).contains(number))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    progress.begin("removing the pictures of an older world", Some(numbers.len() as u64));
    numbers.into_par_iter().try_for_each(|number| {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        let path = photos.join(file_name(number));
        remove(&photos.join(format!("{}.partial", file_name(number))))?;
        let drawn = jpeg(&path, &specimen(old.seed, number))?;
        if fs::read(&path).is_ok_and(|bytes| bytes == drawn) {
            remove(&path)?;
        }
        progress.advance(1);
        Ok(())
    })
}

/// The number of a picture that we would call so, finished or not.
fn number_of(name: &str) -> Option<u64> {
    let number =
        name.strip_suffix(".partial").unwrap_or(name).strip_suffix(".jpg")?.parse().ok()?;
    name.starts_with(&file_name(number)).then_some(number)
}

/// Refuses a folder with somebody else's photos: ours would be written over them.
fn check_unused(folder: &Path, photos: &Path) -> Result<()> {
    if folder.join(COLLECTION).is_file() {
        return Ok(());
    }
    let mut entries = fs::read_dir(photos).map_err(|source| Error::io(photos, source))?;
    if entries.next().is_none() {
        return Ok(());
    }
    let what = "there are files here that rebus did not draw";
    Err(Error::malformed(Place::file(photos), what).with_hint("draw into another folder"))
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path, error)),
        _ => Ok(()),
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// The file to read the collection from.
    pub collection: PathBuf,
    /// How many pictures.
    pub images: u64,
    /// How many captions.
    pub captions: u64,
    /// How many pictures are for training.
    pub train: u64,
    /// How many pictures are for choosing settings.
    pub dev: u64,
    /// How many pictures are for testing.
    pub test: u64,
}

/// Draws a world into `folder`, which is made if it is not there.
///
/// # Errors
/// If a file cannot be written, naming it; or [`Error::Interrupted`].
pub fn write(folder: &Path, settings: Settings, progress: &dyn Progress) -> Result<Written> {
    let photos = folder.join("photos");
    fs::create_dir_all(&photos).map_err(|source| Error::io(&photos, source))?;
    match Settings::of_world(folder)? {
        Some(world) if world == settings => {}
        Some(world) => clear(folder, world, settings, progress)?,
        None => check_unused(folder, &photos)?,
    }
    let world = json!({ "images": settings.images, "seed": settings.seed });
    whole(&folder.join(WORLD), format!("{world}\n").as_bytes())?;
    progress.begin("drawing pictures", Some(settings.images));
    let mut lists = Lists::default();
    let mut start = 0;
    while start < settings.images {
        let end = (start + BLOCK).min(settings.images);
        let block: Vec<Specimen> = (start..end)
            .into_par_iter()
            .map(|number| {
                if progress.interrupted() {
                    return Err(Error::Interrupted);
                }
                let specimen = specimen(settings.seed, number);
                let path = photos.join(file_name(number));
                whole(&path, &jpeg(&path, &specimen)?)?;
                progress.advance(1);
                Ok(specimen)
            })
            .collect::<Result<_>>()?;
        for (number, specimen) in (start..end).zip(&block) {
            lists.add(&file_name(number), specimen);
        }
        start = end;
    }
    lists.write(folder, settings.images)
}

fn file_name(number: u64) -> String {
    format!("{number:06}.jpg")
}

fn jpeg(path: &Path, specimen: &Specimen) -> Result<Vec<u8>> {
    let picture = &specimen.picture;
    let mut bytes = Vec::with_capacity(32 * 1024);
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode(picture.as_raw(), picture.width(), picture.height(), ExtendedColorType::Rgb8)
        .map_err(|error| Error::io(path, std::io::Error::other(error)))?;
    Ok(bytes)
}

/// Writes all of a file or nothing.
fn whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(path, bytes).map_err(|source| Error::io(path, source))
}

/// The text files, as they grow.
#[derive(Default)]
struct Lists {
    collection: String,
    tokens: String,
    splits: [(String, u64); 3],
    captions: u64,
}

impl Lists {
    fn add(&mut self, name: &str, specimen: &Specimen) {
        let line = json!({
            "id": name,
            "image": format!("photos/{name}"),
            "split": specimen.split,
            "captions": specimen.captions,
            "keywords": specimen.keywords,
        });
        // Writing to a string cannot fail.
        let _ = writeln!(self.collection, "{line}");
        for (k, caption) in specimen.captions.iter().enumerate() {
            let _ = writeln!(self.tokens, "{name}#{k}\t{caption}");
        }
        self.captions += specimen.captions.len() as u64;
        let list = match specimen.split {
            Split::Dev => 1,
            Split::Test => 2,
            Split::Train | Split::Other(_) => 0,
        };
        let _ = writeln!(self.splits[list].0, "{name}");
        self.splits[list].1 += 1;
    }

    fn write(self, folder: &Path, images: u64) -> Result<Written> {
        let [(train_list, train), (dev_list, dev), (test_list, test)] = self.splits;
        // The collection comes last: where it is, all is.
        let texts = [&self.collection, &self.tokens, &train_list, &dev_list, &test_list];
        for (name, text) in LISTS.into_iter().zip(texts).rev() {
            whole(&folder.join(name), text.as_bytes())?;
        }
        let collection = folder.join(COLLECTION);
        Ok(Written { collection, images, captions: self.captions, train, dev, test })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn a_smaller_world_is_the_beginning_of_a_larger_one() {
        let folder = tempfile::tempdir().unwrap();
        let (small, large) = (folder.path().join("small"), folder.path().join("large"));
        write(&small, Settings { images: 5, seed: 9 }, &Silent).unwrap();
        let written = write(&large, Settings { images: 12, seed: 9 }, &Silent).unwrap();
        assert_eq!((written.train, written.dev, written.test), (10, 1, 1));
        assert_eq!(written.captions, 60);
        let read = |path: PathBuf| fs::read(path).unwrap();
        assert_eq!(read(small.join("photos/000004.jpg")), read(large.join("photos/000004.jpg")));
        let (few, many) = (read(small.join(COLLECTION)), read(large.join(COLLECTION)));
        assert!(many.starts_with(&few));
    }

    #[test]
    fn threads_do_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        let draw = |threads: usize| {
            let folder = folder.path().join(threads.to_string());
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let settings = Settings { images: 6, seed: 4 };
            pool.install(|| write(&folder, settings, &Silent)).unwrap();
            fs::read(folder.join("photos/000005.jpg")).unwrap()
        };
        assert_eq!(draw(1), draw(3));
    }

    #[test]
    fn an_interrupted_run_leaves_whole_files() {
        struct Stop(std::sync::atomic::AtomicU64);
        impl Progress for Stop {
            fn begin(&self, _: &str, _: Option<u64>) {}
            fn advance(&self, by: u64) {
                self.0.fetch_add(by, std::sync::atomic::Ordering::SeqCst);
            }
            fn interrupted(&self) -> bool {
                self.0.load(std::sync::atomic::Ordering::SeqCst) >= 3
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let stopped = write(folder.path(), Settings { images: 40, seed: 1 }, &Stop(0.into()));
        assert!(matches!(stopped, Err(Error::Interrupted)));
        for photo in fs::read_dir(folder.path().join("photos")).unwrap() {
            let path = photo.unwrap().path();
            assert!(image::open(&path).is_ok(), "{}", path.display());
        }
        assert!(!folder.path().join(COLLECTION).exists());
        // Running again, with these settings or others, gives the same as in an empty folder.
        for settings in [Settings { images: 12, seed: 1 }, Settings { images: 4, seed: 2 }] {
            write(folder.path(), settings, &Silent).unwrap();
            let fresh = tempfile::tempdir().unwrap();
            write(fresh.path(), settings, &Silent).unwrap();
            assert_eq!(files(folder.path()), files(fresh.path()));
        }
    }

    fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let list = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let all = list(folder).chain(list(&folder.join("photos"))).filter(|path| path.is_file());
        let mut all: Vec<(String, Vec<u8>)> = all
            .map(|path| (path.strip_prefix(folder).unwrap().display().to_string(), path))
            .map(|(name, path)| (name, fs::read(path).unwrap()))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn a_smaller_world_replaces_a_larger_but_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let photos = folder.path().join("photos");
        write(folder.path(), Settings { images: 6, seed: 3 }, &Silent).unwrap();
        fs::write(photos.join("000005.jpg"), "mine").unwrap();
        fs::write(photos.join("000004.jpg.partial"), "half").unwrap();
        fs::write(photos.join("holiday.jpg"), "mine").unwrap();
        write(folder.path(), Settings { images: 2, seed: 3 }, &Silent).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&photos).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["000000.jpg", "000001.jpg", "000005.jpg", "holiday.jpg"]);
    }

    #[test]
    fn photos_of_others_are_not_drawn_over() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("photos")).unwrap();
        fs::write(folder.path().join("photos/000000.jpg"), "mine").unwrap();
        let refused = write(folder.path(), Settings { images: 2, seed: 3 }, &Silent).unwrap_err();
        assert!(refused.to_string().contains("did not draw"), "{refused}");
    }
}
