//! Corel5k: photos with one to five keywords from 374, and region tokens ("blobs") from 500.
//!
//! Three forms are known:
//!
//! - [`tables`]: a folder with `keywords.tsv` (or that file itself), and `words.txt`, `blobs.tsv`,
//!   `photos.tsv`, `train.txt`, `test.txt`, `photos/` as far as they are there;
//! - [`eccv`]: the folder of files that Duygulu et al. published in 2002 (`words`,
//!   `document_words`, `blob_counts`, and the same with `test_1_` in front);
//! - [`arff`]: Mulan's sparse ARFF files (`Corel5k-train-sparse.arff`), where an attribute
//!   `Cluster17` is a blob and every other attribute a keyword.
//!
//! All files may be packed (`.gz`).
//!
//! Duygulu, Barnard, de Freitas and Forsyth 2002, "Object recognition as machine translation".

mod arff;
mod eccv;
mod tables;

use std::path::{Path, PathBuf};

use crate::format::{Confidence, Format, ReadOptions};
use crate::{Error, Place, Result, Sink, Split, lines};

/// Corel5k in any of its forms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corel5k;

enum Form {
    /// The folder of the tables.
    Tables(PathBuf),
    Eccv,
    Arff(Vec<PathBuf>),
}

impl Format for Corel5k {
    fn name(&self) -> &'static str {
        "corel5k"
    }

    fn about(&self) -> &'static str {
        "Corel5k: keywords.tsv and blobs.tsv, the ECCV 2002 files, or Mulan's ARFF"
    }

    fn recognise(&self, path: &Path) -> Confidence {
        if form(path).is_some() { Confidence::Surely } else { Confidence::No }
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        std::fs::metadata(path).map_err(|source| Error::io(path, source))?;
        match form(path) {
            Some(Form::Tables(folder)) => tables::read(&folder, options, sink),
            Some(Form::Eccv) => eccv::read(path, sink),
            Some(Form::Arff(files)) => files.iter().try_for_each(|file| arff::read(file, sink)),
            None if path.is_file() => arff::read(path, sink),
            None => Err(Error::malformed(
                Place::file(path),
                "neither keywords.tsv nor document_words nor an ARFF file is in this folder",
            )
            .with_hint("name the folder with keywords.tsv, or an .arff file")),
        }
    }
}

fn form(path: &Path) -> Option<Form> {
    if path.is_file() {
        if tables::is_keywords(path) {
            return Some(Form::Tables(path.parent().unwrap_or(Path::new("")).to_path_buf()));
        }
        return arff::is_corel(path).then(|| Form::Arff(vec![path.to_path_buf()]));
    }
    let marks = ["words.txt", "blobs.tsv", "train.txt"];
    if find(path, "keywords.tsv").is_some() && marks.iter().any(|name| find(path, name).is_some()) {
        return Some(Form::Tables(path.to_path_buf()));
    }
    if find(path, "document_words").is_some() && find(path, "words").is_some() {
        return Some(Form::Eccv);
    }
    let entries = std::fs::read_dir(path).ok()?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| lines::plain_name(path).ends_with(".arff"))
        .filter(|path| path.is_file() && arff::is_corel(path))
        .collect();
    // Training before test, as in the other forms.
    files.sort_by_key(|path| (split_of(path), path.clone()));
    (!files.is_empty()).then_some(Form::Arff(files))
}

/// A file of this name, or the same packed.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    [name.to_owned(), format!("{name}.gz")]
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.is_file())
}

/// The part that a file's name speaks of.
fn split_of(path: &Path) -> Option<Split> {
    let name = lines::plain_name(path);
    [("train", Split::Train), ("test", Split::Test)]
        .into_iter()
        .find_map(|(part, split)| name.contains(part).then_some(split))
}
