//! Whether an index is whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rebus_collection::{Progress, counted};
use serde::Serialize;

use crate::catalogue::Catalogue;
use crate::commit::{Commit, ModelRecord};
use crate::folders::{ANNOTATIONS, THUMBNAILS};
use crate::index::Snapshot;
use crate::lock::WriterLock;
use crate::manifest::Manifest;
use crate::photo::as_text;
use crate::{Error, PhotoId, Result};

/// So many photos are named for each damage.
const NAMED: usize = 3;

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The file.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// What cannot be relied on because of it.
    pub affects: String,
    /// What to do about it.
    pub remedy: String,
}

/// What [`check`] found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// Photos in the catalogue, where it can be read.
    pub photos: u64,
    /// Vectors whose checksums were looked at.
    pub vectors: u64,
    /// Thumbnails that were opened.
    pub thumbnails: u64,
    /// Everything that is damaged.
    pub damages: Vec<Damage>,
}

/// Looks through every file of an index.
///
/// # Errors
/// If there is no index, it is in use or of a newer version, or the caller interrupts. Damage is no
/// error: it is what the report is about.
pub fn check(folder: &Path, progress: &dyn Progress) -> Result<CheckReport> {
    let mut checking = Checking { folder, report: CheckReport::default(), progress };
    match Manifest::read(folder) {
        Ok(_) => {}
        Err(Error::Damaged { path, what }) => {
            checking.damage(path, what, "the index cannot be opened", checking.repair())
        }
        Err(error) => return Err(error),
    }
    let _lock = match WriterLock::take(folder) {
        // Where nothing can be written there is nobody to keep from writing.
        Err(error) if error.is_refused() => None,
        taken => Some(taken?),
    };
    if let Some((catalogue, commit)) = checking.catalogue() {
        let snapshot = catalogue
            .reader()
            .and_then(|reader| Snapshot::take(&catalogue, &reader, folder))
            .map(Arc::new);
        match snapshot {
            Ok(snapshot) => {
                checking.documents(&snapshot, &catalogue)?;
                for model in &commit.models {
                    checking.vectors(model, &snapshot)?;
                }
            }
            Err(error) => checking.damage(
                catalogue.path.clone(),
                error.to_string(),
                "the index cannot be opened",
                checking.repair(),
            ),
        }
    }
    checking.thumbnails()?;
    checking.annotations()?;
    Ok(checking.report)
}

/// Whether the catalogue of an index can be read from end to end.
pub(crate) fn catalogue_is_sound(folder: &Path) -> bool {
    let progress = &rebus_collection::Silent;
    let mut checking = Checking { folder, report: CheckReport::default(), progress };
    let Some((catalogue, _)) = checking.catalogue() else { return false };
    let snapshot =
        catalogue.reader().and_then(|reader| Snapshot::take(&catalogue, &reader, folder));
    let Ok(snapshot) = snapshot.map(Arc::new) else { return false };
    checking.documents(&snapshot, &catalogue).is_ok() && checking.report.damages.is_empty()
}

struct Checking<'a> {
    folder: &'a Path,
    report: CheckReport,
    progress: &'a dyn Progress,
}

impl Checking<'_> {
    /// What mends most damages.
    fn repair(&self) -> String {
        format!("rebus index --repair --index {}", self.folder.display())
    }

    fn damage(
        &mut self,
        file: PathBuf,
        what: impl Into<String>,
        affects: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.report.damages.push(Damage {
            file,
            what: what.into(),
            affects: affects.into(),
            remedy: remedy.into(),
        });
    }

    fn go_on(&self) -> Result<()> {
        if self.progress.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The catalogue, if all its files are whole.
    fn catalogue(&mut self) -> Option<(Catalogue, Commit)> {
        let opened = Catalogue::open(self.folder)
            .and_then(|catalogue| Ok((catalogue.commit()?, catalogue.damaged_files()?, catalogue)));
        let (commit, damaged, catalogue) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let path = match &error {
                    Error::Damaged { path, .. } | Error::Io { path, .. } => path.clone(),
                    _ => self.folder.to_path_buf(),
                };
                self.damage(path, error.to_string(), "the index cannot be opened", self.repair());
                return None;
            }
        };
        let is_whole = damaged.is_empty();
        for (file, photos) in damaged {
            let photos = counted(u64::from(photos), "photo");
            let affects = format!("what is known of up to {photos}; the index cannot be opened");
            self.damage(file, "does not fit its checksum", affects, self.repair());
        }
        is_whole.then_some((catalogue, commit))
    }

    /// Every document can be read, and no two photos have one slot.
    fn documents(&mut self, snapshot: &Arc<Snapshot>, catalogue: &Catalogue) -> Result<()> {
        let slots = snapshot.commit.slots;
        self.progress.begin("checking the catalogue", Some(u64::from(slots)));
        let mut unreadable = Vec::new();
        for entry in snapshot.entries() {
            self.go_on()?;
            self.progress.advance(1);
            if let Err(error) = entry {
                unreadable.push(error.to_string());
            }
        }
        if let Some(first) = unreadable.first() {
            let photos = counted(unreadable.len() as u64, "photo");
            let affects = format!("what is known of {photos}");
            self.damage(catalogue.path.clone(), first.clone(), affects, self.repair());
        }
        let photos = snapshot.everything();
        self.report.photos = photos.len() as u64;
        let beyond = photos.iter().filter(|id| id.0 >= slots).count();
        if beyond > 0 {
            let photos = counted(beyond as u64, "photo");
            let what = format!("{photos} with slots beyond the {slots} that were given");
            self.damage(catalogue.path.clone(), what, "these photos", self.repair());
        }
        Ok(())
    }

    fn vectors(&mut self, model: &ModelRecord, snapshot: &Snapshot) -> Result<()> {
        self.progress.begin("checking vectors", Some(u64::from(model.rows())));
        self.go_on()?;
        let path = model.path(self.folder);
        let vectors = match model.open(self.folder) {
            Ok(vectors) => vectors,
            Err(error) => {
                let affects = format!("search and keywords by {}", model.name);
                self.damage(path, error.to_string(), affects, self.repair());
                return Ok(());
            }
        };
        self.report.vectors += u64::from(model.rows());
        for (first, last) in vectors.damage() {
            let here = snapshot.everything().iter().filter(|id| (first..=last).contains(&id.0));
            let photos: Vec<PhotoId> = here.collect();
            let named = photos.iter().take(NAMED);
            let named: Vec<String> = named
                .filter_map(|&id| snapshot.photo(id).ok().flatten())
                .map(|photo| photo.path.display().to_string())
                .collect();
            let more = if photos.len() > named.len() { ", …" } else { "" };
            let affects = format!(
                "search by {} for {}: {}{more}",
                model.name,
                counted(photos.len() as u64, "photo"),
                named.join(", ")
            );
            let what = format!("rows {first} to {last} do not fit their checksum");
            self.damage(path.clone(), what, affects, self.repair());
        }
        self.graph(model);
        Ok(())
    }

    /// The links between photos, where there are so many that they were linked.
    fn graph(&mut self, model: &ModelRecord) {
        let path = model.graph_path(self.folder);
        if !path.exists() {
            return;
        }
        let what = match model.graph(self.folder) {
            Ok(graph) if graph.is_whole() => return,
            Ok(_) => "does not fit its checksum".to_owned(),
            Err(error) => error.to_string(),
        };
        let affects = format!("how fast, and how surely, search by {} finds photos", model.name);
        self.damage(path, what, affects, "delete the file: `rebus index` makes it again");
    }

    fn thumbnails(&mut self) -> Result<()> {
        let folder = self.folder.join(THUMBNAILS);
        self.progress.begin("checking thumbnails", None);
        for path in files(&folder) {
            self.go_on()?;
            self.progress.advance(1);
            self.report.thumbnails += 1;
            if let Err(error) = rebus_vision::open(&path) {
                let text = error.to_string();
                let shown = format!("{}: ", path.display());
                let what = text.strip_prefix(&shown).unwrap_or(&text).to_owned();
                let remedy = "delete the file: it is made again when it is needed";
                self.damage(path, what, "one small picture in the page", remedy);
            }
        }
        Ok(())
    }

    fn annotations(&mut self) -> Result<()> {
        for path in files(&self.folder.join(ANNOTATIONS)) {
            self.go_on()?;
            let text = match std::fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) => {
                    let affects = "what was accepted or corrected";
                    self.damage(path, error.to_string(), affects, "restore it from a copy");
                    continue;
                }
            };
            let bad: Vec<usize> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| serde_json::from_str::<serde_json::Value>(line).is_err())
                .map(|(at, _)| at + 1)
                .collect();
            if let Some(first) = bad.first() {
                let lines = counted(bad.len() as u64, "line");
                let what = format!("{lines} without JSON, the first is line {first}");
                let affects = "what was accepted or corrected there";
                self.damage(path, what, affects, "restore it from a copy, or remove these lines");
            }
        }
        Ok(())
    }
}

/// Every file under a folder, by name; none where there is no folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // What a killed writer left behind is no file of the index.
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && !hidden => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
