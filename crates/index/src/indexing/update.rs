//! One run from beginning to end.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};

use rebus_collection::Progress;
use rebus_collection::photo::Met;
use rustc_hash::FxHashMap;

use super::catch_up::catch_up;
use super::compact::compact;
use super::compare::{Comparing, walk_photos};
use super::keep::Keeper;
use super::link::link;
use super::look::Known;
use super::pipeline;
use super::repair::{Salvage, Saved, salvage};
use super::writer::Writer;
use super::{Eye, OnDamage, Options, Update};
use crate::catalogue::document::Entry;
use crate::index::Snapshot;
use crate::{Error, Result};

/// Brings the index in `folder` up to date with the photos under `roots`, or makes it; without roots,
/// with those that it knows.
///
/// New and changed photos are looked at by every eye; a file that was moved is recognised by its
/// content and keeps its vectors; photos that are gone are taken out, unless the whole root is away. An
/// eye that the index does not know is shown all photos of before.
///
/// # Errors
/// If the index is in use, damaged or of a newer version, a root is not there and never was, or
/// [`Error::Interrupted`]; what was done until then is kept.
pub fn update(
    folder: &Path,
    roots: &[PathBuf],
    eyes: &[Eye<'_>],
    options: &Options,
    progress: &dyn Progress,
) -> Result<Update> {
    let mut given = roots.iter().map(|root| absolute(root)).collect::<Result<Vec<_>>>()?;
    let salvage = match options.damage {
        OnDamage::Refuse => Salvage::default(),
        OnDamage::Repair => salvage(folder)?,
    };
    given.extend(salvage.roots.iter().filter(|root| root.exists()).cloned());
    // A root that never was there is a mistake, found before anything is written.
    let known = match crate::Index::open(folder) {
        Ok(index) => index.roots().iter().map(|root| root.path().to_path_buf()).collect(),
        Err(_) => Vec::new(),
    };
    for root in &given {
        let is_known =
            |known: &PathBuf| root == known || root.starts_with(known) && !known.exists();
        if !known.iter().any(is_known) {
            std::fs::metadata(root).map_err(|source| rebus_collection::Error::io(root, source))?;
        }
    }
    let mut writer = Writer::open(folder, options.name.as_deref(), eyes, &salvage.models)?;
    let result = run(&mut writer, &given, options, &salvage.models, progress);
    // What was done in order counts, however the run ended.
    let kept = writer.commit();
    let mut update = result?;
    kept?;
    compact(&mut writer, progress)?;
    link(&writer, progress)?;
    update.photos = writer.snapshot()?.everything().len() as u64;
    writer.finish()?;
    Ok(update)
}

/// A path without links, where the file is there; else as it is, from the root on.
fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .map_err(|source| Error::io(path, source))
}

fn run(
    writer: &mut Writer<'_>,
    given: &[PathBuf],
    options: &Options,
    saved: &[Saved],
    progress: &dyn Progress,
) -> Result<Update> {
    let start = writer.snapshot()?;
    let known_roots = start.commit.roots.iter().map(|root| root.path().to_path_buf());
    let forgotten = options.forget.iter().map(|folder| absolute(folder));
    let forgotten = forgotten.collect::<Result<Vec<_>>>()?;
    let mut roots = match given {
        [] => known_roots.collect(),
        given => outermost(given),
    };
    roots.retain(|root| !forgotten.iter().any(|folder| root.starts_with(folder)));
    writer.commit.add_roots(&roots);
    let (away, present): (Vec<_>, Vec<_>) =
        roots.into_iter().partition(|root| is_away(root, &start));
    writer.commit.note_away(&away, &present);
    writer.is_dirty |= writer.commit != start.commit;

    let (folder, eyes) = (writer.folder.clone(), writer.eyes);
    // A photo on a drive that is away is not moved because there is a copy of it elsewhere.
    let roots = start.commit.roots.iter().map(|root| root.path().to_path_buf());
    let unreachable: Vec<PathBuf> = roots.filter(|root| is_away(root, &start)).collect();
    let known = Known {
        folder: &folder,
        eyes,
        away: &unreachable,
        latest: RwLock::new(start.clone()),
        pending: RwLock::new(FxHashMap::default()),
        large: Mutex::new(()),
    };
    let mut keeper = Keeper::new(writer, options.commit_every);
    forget(&mut keeper, &forgotten, &start)?;
    catch_up(&mut keeper, &known, start.clone(), saved, progress)?;
    known.renew(keeper.writer.snapshot()?);

    let photos = count(&present, progress)?;
    progress.begin("indexing photos", Some(photos));
    let mut comparing = Comparing::new(&present, &mut keeper, &known, start.clone(), progress);
    pipeline::run(&mut comparing, |job| known.look(job), progress)?;
    remove_gone(&mut keeper, &present, &start)?;
    keeper.commit()?;
    let mut update = std::mem::take(&mut keeper.update);
    update.away = away;
    update.failed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(update)
}

/// The roots that lie in no other.
fn outermost(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    let mut sorted = roots.to_vec();
    sorted.sort_by_key(|root| root.components().count());
    for root in sorted {
        if !kept.iter().any(|other| root.starts_with(other)) {
            kept.push(root);
        }
    }
    kept
}

/// Whether a folder cannot be reached, or is empty where there were photos: a drive that is not
/// there.
fn is_away(root: &Path, start: &Arc<Snapshot>) -> bool {
    if root.is_file() {
        return false;
    }
    match std::fs::read_dir(root) {
        Ok(mut entries) => entries.next().is_none() && start.has_photos_under(root),
        Err(_) => true,
    }
}

/// How many photos there are to compare.
fn count(roots: &[PathBuf], progress: &dyn Progress) -> Result<u64> {
    progress.begin("counting photos", None);
    let mut photos = 0;
    for met in roots.iter().flat_map(|root| walk_photos(root)) {
        if let Met::Folder(folder) = met {
            photos += folder.photos.len() as u64;
            progress.advance(folder.photos.len() as u64);
        }
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
    }
    Ok(photos)
}

/// Takes out the photos of folders that the index shall no longer know.
fn forget(keeper: &mut Keeper<'_, '_>, folders: &[PathBuf], start: &Arc<Snapshot>) -> Result<()> {
    if folders.is_empty() {
        return Ok(());
    }
    for folder in folders {
        keeper.writer.commit.forget_root(folder)?;
    }
    for entry in start.entries() {
        let entry = entry?;
        let path = entry.path();
        if folders.iter().any(|folder| path.starts_with(folder)) {
            keeper.writer.remove_at(path);
            if let Entry::Photo(photo) = &entry {
                keeper.met.insert(photo.id);
                keeper.update.deleted += 1;
            }
        }
    }
    keeper.commit()?;
    Ok(())
}

/// Takes out photos that the walk should have met and did not.
fn remove_gone(
    keeper: &mut Keeper<'_, '_>,
    roots: &[PathBuf],
    start: &Arc<Snapshot>,
) -> Result<()> {
    let should = |path: &Path, withheld: &[PathBuf]| {
        roots.iter().any(|root| path.starts_with(root))
            && !withheld.iter().any(|folder| path.starts_with(folder))
    };
    let mut unmet = start.everything().clone();
    unmet.subtract(&keeper.met);
    for id in unmet.iter() {
        if let Some(photo) = start.photo(id)?.filter(|p| should(&p.path, &keeper.withheld)) {
            keeper.writer.remove(photo.id);
            keeper.update.deleted += 1;
        }
    }
    for failure in start.failures()? {
        if should(&failure.path, &keeper.withheld) && !failure.path.exists() {
            keeper.writer.remove_at(&failure.path);
        }
    }
    Ok(())
}
