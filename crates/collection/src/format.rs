//! The formats a collection comes in: one table, from which names, guesses and help are drawn.

use std::path::Path;

use crate::formats::coco::Coco;
use crate::formats::corel5k::Corel5k;
use crate::formats::div400::Div400;
use crate::formats::flickr::Flickr;
use crate::formats::folder::Folder;
use crate::formats::karpathy::Karpathy;
use crate::formats::table;
use crate::formats::webdataset::WebDataset;
use crate::photo::examine;
use crate::{Error, Result, Sink};

/// How sure a format is that a path is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It is something else.
    No,
    /// It could be read so, if nothing better is found.
    Perhaps,
    /// Its marks are there.
    Surely,
}

/// What a reader may be asked to do differently.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Where the pictures lie, if not where the format expects them.
    pub photos: Option<std::path::PathBuf>,
    /// Reads and hashes every picture, and checks that it can be decoded.
    pub examine_images: bool,
    /// Names of columns in tables: what rebus calls them, what the file calls them.
    pub columns: Vec<(String, String)>,
}

/// One way in which collections are stored.
///
/// To add a format, implement this in a file of its own under `formats/` and add it to
/// [`FORMATS`]: guessing, `--format`, help, documentation and the shared test suite follow.
pub trait Format: Sync {
    /// What `--format` calls it.
    fn name(&self) -> &'static str;
    /// One line of help.
    fn about(&self) -> &'static str;
    /// Looks at a path, and at no more of it than a few kilobytes.
    fn recognise(&self, path: &Path) -> Confidence;
    /// What a format writes down: reads all of it, a record at a time. It need not look into
    /// pictures; [`read`](Self::read) does that for all formats.
    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()>;

    /// What users call: reads all of it, a record at a time, and examines the pictures if the
    /// options say so.
    ///
    /// # Errors
    /// If the path cannot be read or is not of this format; [`Error::Interrupted`] if the sink
    /// asked to stop. What is wrong with a single record is told to the sink instead.
    fn read(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        if let Some(photos) = &options.photos {
            std::fs::read_dir(photos).map_err(|source| Error::io(photos, source))?;
        }
        examine::with(options, sink, |sink| self.read_records(path, options, sink))
    }
}

/// Every format, the most particular first.
///
/// The order settles what fits two of them equally well: a format that knows its own marks goes
/// before one that takes what it can get.
pub static FORMATS: &[&dyn Format] = &[
    &Corel5k,
    &Div400,
    &Flickr,
    &Karpathy,
    &Coco,
    #[cfg(feature = "parquet")]
    &table::parquet::Parquet,
    &WebDataset,
    &table::jsonl::JsonLines,
    &table::csv::Tsv,
    &table::csv::Csv,
    &Folder,
];

/// The names of all formats, as `--format` takes them.
pub fn names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name()).collect()
}

/// The format of this name.
///
/// # Errors
/// If there is none; the error lists those there are, and names the nearest.
pub fn by_name(name: &str) -> Result<&'static dyn Format> {
    let format = FORMATS.iter().copied().find(|format| format.name() == name);
    format.ok_or_else(|| Error::no_such("format", name, names()))
}

/// The format that fits a path best; of equals, the one that stands first in [`FORMATS`].
///
/// What a file contains goes before what it is called, and the name only helps where the content
/// could be several things.
///
/// # Errors
/// If nothing is there, or no format fits.
pub fn guess(path: &Path) -> Result<&'static dyn Format> {
    let mut best = (Confidence::No, None);
    for &format in FORMATS {
        let confidence = format.recognise(path);
        if confidence > best.0 {
            best = (confidence, Some(format));
        }
    }
    match best.1 {
        Some(format) => Ok(format),
        // A pattern such as `photos-{000..009}.tar` is no file, so this is only asked at the end.
        None => match std::fs::metadata(path) {
            Err(source) => Err(Error::io(path, source)),
            Ok(_) => Err(Error::UnknownFormat {
                path: path.to_path_buf(),
                known: names().into_iter().map(str::to_owned).collect(),
            }),
        },
    }
}

/// The format that was asked for, or else the one that fits.
///
/// # Errors
/// As [`by_name`] and [`guess`].
pub fn choose(path: &Path, name: Option<&str>) -> Result<&'static dyn Format> {
    match name {
        Some(name) => by_name(name),
        None => guess(path),
    }
}
