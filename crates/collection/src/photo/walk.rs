//! The photos under a folder, one folder at a time.
//!
//! Folders and files whose name begins with a dot, and those that systems make for themselves
//! (`@eaDir`, `$RECYCLE.BIN`, …), are passed over; links are followed, and a link that leads back to a
//! folder it lies in is told. Within a folder the files come first, then the folders, each by name.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use walkdir::{DirEntry, WalkDir};

use super::folder::is_picture_name;
use crate::{Error, Result};

/// Names of folders and files that systems make for themselves.
const SYSTEM: &[&str] =
    &["@eaDir", "#recycle", "$RECYCLE.BIN", "System Volume Information", "lost+found", "__MACOSX"];

/// Endings of photos that cannot be decoded yet: counted, so that nobody wonders where they are.
const NOT_YET: &[&str] =
    &["heic", "heif", "avif", "jxl", "dng", "cr2", "cr3", "nef", "arw", "orf", "rw2", "raf", "pef"];

/// One folder with its photos, and what lies beside them.
#[derive(Debug, Clone, Default)]
pub struct PhotoFolder {
    /// The folder.
    pub path: PathBuf,
    /// Its photos, by name.
    pub photos: Vec<PathBuf>,
    /// How many photos there are of kinds that cannot be decoded (HEIC, AVIF, RAW).
    pub not_yet: u64,
    /// The names of its other files: sidecars are among them.
    pub(super) others: FxHashSet<String>,
}

impl PhotoFolder {
    /// The folder of one photo, with this photo only.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn around(photo: &Path) -> Result<Self> {
        let path = photo.parent().unwrap_or(Path::new("")).to_path_buf();
        let listed = if path.as_os_str().is_empty() { Path::new(".") } else { &path };
        let entries = std::fs::read_dir(listed).map_err(|source| Error::io(listed, source))?;
        let others = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let others = others.collect();
        Ok(Self { path, photos: vec![photo.to_path_buf()], not_yet: 0, others })
    }

    fn of(files: Vec<PathBuf>) -> Option<Self> {
        let path = files.first()?.parent()?.to_path_buf();
        let mut folder = Self { path, ..Self::default() };
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            if is_photo(&name) {
                folder.photos.push(file);
            } else if name.rsplit_once('.').is_some_and(|(_, ending)| {
                NOT_YET.iter().any(|known| known.eq_ignore_ascii_case(ending))
            }) {
                folder.not_yet += 1;
            } else {
                folder.others.insert(name.into_owned());
            }
        }
        Some(folder)
    }
}

/// What a walk comes across.
#[derive(Debug)]
pub enum Met {
    /// A folder that has files.
    Folder(PhotoFolder),
    /// A file or folder that cannot be read, or a link that leads back.
    Trouble {
        /// Which.
        path: PathBuf,
        /// Why it was passed over.
        what: String,
    },
}

/// Walks through a folder and all that are in it. `enter` is asked for every folder whether to look
/// inside.
pub fn walk<F: FnMut(&Path) -> bool + 'static>(
    root: &Path,
    mut enter: F,
) -> impl Iterator<Item = Met> + use<F> {
    let entries = WalkDir::new(root)
        .follow_links(true)
        .sort_by(|a, b| {
            // Files first: then all the files of a folder come in one go.
            let key = |entry: &DirEntry| entry.file_type().is_dir();
            (key(a), a.file_name()).cmp(&(key(b), b.file_name()))
        })
        .into_iter()
        .filter_entry(move |entry| {
            is_wanted(entry) && (!entry.file_type().is_dir() || enter(entry.path()))
        });
    Walk { root: root.to_path_buf(), entries, files: Vec::new(), met: VecDeque::new() }
}

struct Walk<I> {
    root: PathBuf,
    entries: I,
    /// Files of the folder at hand.
    files: Vec<PathBuf>,
    met: VecDeque<Met>,
}

impl<I: Iterator<Item = walkdir::Result<DirEntry>>> Walk<I> {
    fn close(&mut self) {
        let files = std::mem::take(&mut self.files);
        // A photo that is walked through by itself has its sidecars, too.
        let folder = match &files[..] {
            [only] if *only == self.root && has_photo_name(only) => PhotoFolder::around(only).ok(),
            _ => PhotoFolder::of(files),
        };
        self.met.extend(folder.map(Met::Folder));
    }

    fn trouble(&mut self, error: &walkdir::Error) {
        let path = error.path().unwrap_or(&self.root).to_path_buf();
        let what = match (error.loop_ancestor(), error.io_error()) {
            (Some(above), _) => format!("a link that leads back to {}", above.display()),
            (None, Some(source)) => source.to_string(),
            (None, None) => "cannot be read".to_owned(),
        };
        self.met.push_back(Met::Trouble { path, what });
    }
}

impl<I: Iterator<Item = walkdir::Result<DirEntry>>> Iterator for Walk<I> {
    type Item = Met;

    fn next(&mut self) -> Option<Met> {
        loop {
            if let Some(met) = self.met.pop_front() {
                return Some(met);
            }
            match self.entries.next() {
                Some(Ok(entry)) if entry.file_type().is_dir() => self.close(),
                Some(Ok(entry)) if entry.file_type().is_file() => {
                    // Coming back from a folder within, the files are another folder's.
                    let last = self.files.last();
                    if last.is_some_and(|last| last.parent() != entry.path().parent()) {
                        self.close();
                    }
                    self.files.push(entry.into_path());
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => self.trouble(&error),
                None if self.files.is_empty() => return None,
                None => self.close(),
            }
        }
    }
}

fn has_photo_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_photo(&name.to_string_lossy()))
}

/// Whether a file is a photo, by its name.
pub(crate) fn is_photo(name: &str) -> bool {
    is_picture_name(name) && !name.starts_with('.')
}

/// Whether a walk looks at an entry at all.
pub(crate) fn is_wanted(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(name.starts_with('.') || SYSTEM.contains(&name.as_ref()))
}
