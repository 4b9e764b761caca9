//! Following what changes on disk.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use rebus_collection::Progress;

use super::{Eye, Options, Update, update};
use crate::{Error, Index, Result};

/// A folder must be quiet for so long before it is looked through: cameras copy many files.
const QUIET: Duration = Duration::from_secs(2);
/// But no longer than this.
const PATIENCE: Duration = Duration::from_secs(30);
/// Where the system tells nothing, folders are looked through so often.
const POLL: Duration = Duration::from_secs(60);
/// How often an interruption is noticed.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Updates the index in `folder` whenever something changes under its roots, until the caller
/// interrupts or `each` breaks; `each` is told of every update that changed something.
///
/// Where the system does not tell of changes (network drives, too many folders), they are looked for
/// every minute.
///
/// # Errors
/// As [`update`]; an index that is in use is waited for.
pub fn watch(
    folder: &Path,
    eyes: &[Eye<'_>],
    progress: &dyn Progress,
    each: &mut dyn FnMut(&Update) -> ControlFlow<()>,
) -> Result<()> {
    let roots: Vec<PathBuf> =
        Index::open(folder)?.roots().iter().map(|root| root.path().to_path_buf()).collect();
    let own = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let (send, events) = mpsc::channel();
    // Kept alive as long as events are wanted.
    let watcher = listen(&roots, send);
    loop {
        match &watcher {
            Some(_) => wait_for_change(&events, &own, progress)?,
            None => pause(POLL, progress)?,
        }
        let changed = loop {
            match update(folder, &[], eyes, &Options::default(), progress) {
                Err(Error::InUse { .. }) => pause(QUIET, progress)?,
                other => break other?,
            }
        };
        if changed.has_changed() && each(&changed).is_break() {
            return Ok(());
        }
    }
}

impl Update {
    /// Whether anything in the index is another than before.
    pub fn has_changed(&self) -> bool {
        let counts =
            [self.new, self.changed, self.moved, self.described, self.deleted, self.encoded];
        counts.iter().any(|&count| count > 0)
    }
}

type Told = std::result::Result<Event, notify::Error>;

/// Asks the system to tell of changes; `None` where it will not.
fn listen(roots: &[PathBuf], send: mpsc::Sender<Told>) -> Option<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(send).ok()?;
    for root in roots {
        watcher.watch(root, RecursiveMode::Recursive).ok()?;
    }
    Some(watcher)
}

/// Waits until something has changed, and then until it is quiet.
fn wait_for_change(events: &Receiver<Told>, own: &Path, progress: &dyn Progress) -> Result<()> {
    let mut first: Option<Instant> = None;
    let mut last = Instant::now();
    loop {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        match events.recv_timeout(LOOK_UP) {
            Ok(event) if matters(&event, own) => {
                last = Instant::now();
                first.get_or_insert(last);
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            // The watcher ended; looking through the folders now and then still works.
            Err(RecvTimeoutError::Disconnected) => return pause(POLL, progress),
        }
        let enough = |first: Instant| last.elapsed() >= QUIET || first.elapsed() >= PATIENCE;
        if first.is_some_and(enough) {
            return Ok(());
        }
    }
}

/// Whether an event may be about a photo. Our own writing is not.
fn matters(event: &Told, own: &Path) -> bool {
    match event {
        Ok(event) => {
            let read = matches!(event.kind, EventKind::Access(_));
            event.need_rescan() || !read && !event.paths.iter().all(|path| path.starts_with(own))
        }
        // Something was missed: better look.
        Err(_) => true,
    }
}

fn pause(length: Duration, progress: &dyn Progress) -> Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < length {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        thread::sleep(LOOK_UP);
    }
    Ok(())
}
