//! The folder that holds a data set's pictures.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::findings::note;
use crate::format::ReadOptions;
use crate::{Error, ImageSource, Place, Result, Sink};

/// Endings of the pictures that we can decode, in lower case.
pub(crate) const ENDINGS: &[&str] =
    &["jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "bmp", "tif", "tiff"];

/// Whether a file name ends as a picture's does.
pub(crate) fn is_picture_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.is_some_and(|(_, ending)| ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

/// Finds the pictures that a data set names, and counts those that are not there.
pub(crate) struct Photos {
    folder: Option<PathBuf>,
    /// The names in the folder itself: one look at the folder instead of one a picture.
    names: FxHashSet<String>,
    asked: u64,
    missing: u64,
    first_missing: Option<String>,
}

impl Photos {
    /// No folder at all, for sources that name no pictures.
    pub(crate) fn none() -> Self {
        Self {
            folder: None,
            names: FxHashSet::default(),
            asked: 0,
            missing: 0,
            first_missing: None,
        }
    }

    /// Takes the folder that the options name, or else the first of `usual` that stands in one of
    /// the `bases`.
    pub(crate) fn find(options: &ReadOptions, bases: &[&Path], usual: &[&str]) -> Result<Self> {
        let folder = match &options.photos {
            Some(folder) => Some(folder.clone()),
            None => bases
                .iter()
                .flat_map(|base| usual.iter().map(move |name| base.join(name)))
                .find(|folder| folder.is_dir()),
        };
        let mut names = FxHashSet::default();
        if let Some(folder) = &folder {
            let entries = std::fs::read_dir(folder).map_err(|source| Error::io(folder, source))?;
            for entry in entries {
                let entry = entry.map_err(|source| Error::io(folder, source))?;
                if let Ok(name) = entry.file_name().into_string() {
                    names.insert(name);
                }
            }
        }
        Ok(Self { folder, names, ..Self::none() })
    }

    /// Where the picture of one of these names lies; the first that is there is taken. A name may
    /// have folders in it, but never leads out of the photos' folder.
    pub(crate) fn source<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> ImageSource {
        self.asked += 1;
        let mut first = None;
        if let Some(folder) = &self.folder {
            for name in names {
                if self.is_there(folder, name) {
                    return ImageSource::File(folder.join(name));
                }
                first.get_or_insert(name);
            }
        }
        self.missing += 1;
        if self.first_missing.is_none() {
            self.first_missing = first.map(str::to_owned);
        }
        ImageSource::Absent
    }

    fn is_there(&self, folder: &Path, name: &str) -> bool {
        if self.names.contains(name) {
            return true;
        }
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        inside && name.contains('/') && folder.join(name).is_file()
    }

    /// Says how many pictures were not found.
    pub(crate) fn report(&self, path: &Path, sink: &mut dyn Sink) -> Result<()> {
        match (&self.folder, &self.first_missing) {
            (None, _) if self.asked > 0 => note(
                sink,
                Place::file(path),
                "no folder with the photos was found beside it; name one with --photos",
            ),
            (Some(folder), Some(first)) => {
                let what = format!(
                    "{} of {} photos are not there, the first is {first}",
                    self.missing, self.asked
                );
                note(sink, Place::file(folder), what)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    #[test]
    fn names_of_pictures() {
        assert!(is_picture_name("a.JPG"));
        assert!(is_picture_name("a.b.jpeg"));
        assert!(!is_picture_name("2258277193_586949ec62.jpg.1"));
        assert!(!is_picture_name(".jpg"));
        assert!(!is_picture_name("jpg"));
    }

    #[test]
    fn a_name_never_leads_out_of_the_folder() {
        let base = tempfile::tempdir().unwrap();
        let photos = base.path().join("photos");
        std::fs::create_dir_all(photos.join("val")).unwrap();
        for name in ["outside.jpg", "photos/a.jpg", "photos/val/b.jpg"] {
            std::fs::write(base.path().join(name), b"x").unwrap();
        }
        let options = ReadOptions::default();
        let mut found = Photos::find(&options, &[base.path()], &["Images", "photos"]).unwrap();
        assert_eq!(found.source(["a.jpg"]), ImageSource::File(photos.join("a.jpg")));
        assert_eq!(
            found.source(["b.jpg", "val/b.jpg"]),
            ImageSource::File(photos.join("val/b.jpg"))
        );
        assert_eq!(found.source(["../outside.jpg"]), ImageSource::Absent);
        assert_eq!(found.source(["/etc/hostname"]), ImageSource::Absent);
        let mut collection = Collection::new();
        found.report(base.path(), &mut collection).unwrap();
        assert!(collection.findings()[0].what.starts_with("2 of 4 photos are not there"));
    }
}
