//! Sidecars that are written so that it can be taken back.
//!
//! The journal is a file of JSON lines that only grows. Before a sidecar is replaced, a line with
//! the hashes of the file before and after, the edits and the values added is on the disk; a sidecar
//! is replaced in one step of the file system. A run that is killed in between leaves the sidecar
//! as it was or as it was to be, and [`Journal::undo`] knows both by their hash. A line that was cut
//! off belongs to a sidecar that was not touched: it is dropped when the journal is opened again.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::encoding::Encoded;
use super::form::is_list_of_paths;
use super::take_out::take_out;
use super::{Added, Additions, Edit, Merged, Refused, apply, beside, inverse, merge};
use crate::writers::{AtomicFile, Contention, Log};
use crate::{ContentHash, EncodedPath, Error, Place, Progress, Result};

/// A sidecar is no larger than this.
const LARGEST: u64 = 16 << 20;

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Write(Box<Entry>),
    /// The entry of this number was taken back.
    Undo(u64),
}

/// What was about to be done to a sidecar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    number: u64,
    /// All that one run wrote shares a number.
    run: u64,
    photo: EncodedPath,
    /// What the photo held, by which it is known when it has moved; older lines lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<ContentHash>,
    sidecar: EncodedPath,
    /// The hash of the file, if there was one.
    before: Option<String>,
    after: String,
    edits: Vec<Edit>,
    added: Vec<Added>,
    /// Keywords that the photo had inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inherited: Vec<String>,
}

/// A sidecar that was written, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The sidecar.
    pub sidecar: PathBuf,
    /// Whether it was not there before.
    pub created: bool,
    /// What was added.
    pub added: Vec<Added>,
}

/// Which writes are taken back.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    /// Those of the last run that has not been taken back yet.
    LastRun,
    /// All beside these photos, or beside photos anywhere in these folders.
    Beside(&'a [PathBuf]),
}

/// How a write was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The file is what it was before, to the last byte.
    Restored,
    /// The file, which had not been there before, is gone.
    Removed,
    /// Somebody has changed the file since: only what was added was taken out of it.
    TakenOut,
    /// There was nothing to take back: the write had not come that far, or the file is gone.
    Nothing,
}

/// A sidecar from which something was taken back, or not.
#[derive(Debug)]
pub struct Undone {
    /// The sidecar.
    pub sidecar: PathBuf,
    /// How, or why not; then it is tried again the next time.
    pub how: Result<How>,
}

/// Writes sidecars and remembers how to take it back. One process has it at a time.
#[derive(Debug)]
pub struct Journal {
    log: Log<Line>,
    entries: Vec<Entry>,
    /// The entries that were taken back.
    undone: Vec<u64>,
    run: u64,
}

impl Journal {
    /// Opens a journal, or begins one.
    ///
    /// # Errors
    /// If another process has it, or a line that is not the last cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let (log, lines) = Log::open(path, Contention::Refuse)?;
        let (mut entries, mut undone) = (Vec::new(), Vec::new());
        for line in lines {
            match line {
                Line::Write(entry) => entries.push(*entry),
                Line::Undo(number) => undone.push(number),
            }
        }
        let run = entries.last().map_or(0, |entry: &Entry| entry.run) + 1;
        Ok(Self { log, entries, undone, run })
    }

    /// The photos, by path and content, and texts that stand in a journal and were not taken back.
    /// Somebody else may be writing to it.
    ///
    /// # Errors
    /// If it cannot be read, or a line that is not the last cannot be understood.
    pub(super) fn own_words(path: &Path) -> Result<Vec<(PathBuf, Option<ContentHash>, String)>> {
        let lines = Log::<Line>::read(path)?;
        let undone: HashSet<u64> = lines
            .iter()
            .filter_map(|line| match line {
                Line::Undo(number) => Some(*number),
                Line::Write(_) => None,
            })
            .collect();
        let mut words = Vec::new();
        for line in &lines {
            let Line::Write(entry) = line else { continue };
            if undone.contains(&entry.number) {
                continue;
            }
            // A list of paths repeats subjects, and may have taken over those that people gave.
            let said = entry.added.iter().filter(|added| !is_list_of_paths(&added.property));
            let values = said.flat_map(|added| &added.values);
            for text in values.filter(|text| !entry.inherited.contains(text)) {
                words.push((entry.photo.path().to_path_buf(), entry.content, text.clone()));
            }
        }
        Ok(words)
    }

    /// Adds to the sidecar of a photo, or makes one. `None` if everything was there already.
    ///
    /// # Errors
    /// If the sidecar is malformed, in which case it is left alone, or cannot be written.
    pub fn write(&mut self, photo: &Path, additions: &Additions) -> Result<Option<Written>> {
        let photo = std::path::absolute(photo).map_err(|source| Error::io(photo, source))?;
        let Some(planned) = Planned::of(&photo, additions)? else { return Ok(None) };
        let Planned { sidecar, before, merged } = planned;
        self.append(Line::Write(Box::new(Entry {
            number: self.entries.last().map_or(0, |entry| entry.number) + 1,
            run: self.run,
            photo: EncodedPath::of(&photo),
            // A photo that cannot be read is known by its path all the same.
            content: std::fs::read(&photo).ok().map(|bytes| ContentHash::of(&bytes)),
            sidecar: EncodedPath::of(&sidecar),
            before: before.as_deref().map(hash),
            after: hash(&merged.bytes),
            edits: merged.edits,
            added: merged.added.clone(),
            inherited: additions.inherited.clone(),
        })))?;
        replace(&sidecar, &merged.bytes)?;
        Ok(Some(Written { sidecar, created: before.is_none(), added: merged.added }))
    }

    /// Says what [`Self::write`] would do.
    ///
    /// # Errors
    /// If the sidecar is malformed.
    pub fn plan(photo: &Path, additions: &Additions) -> Result<Option<Written>> {
        let planned = Planned::of(photo, additions)?;
        Ok(planned.map(|Planned { sidecar, before, merged }| Written {
            sidecar,
            created: before.is_none(),
            added: merged.added,
        }))
    }

    /// Takes writes back, the last first.
    ///
    /// # Errors
    /// If the journal cannot be written, or [`Error::Interrupted`]. What is wrong with one sidecar
    /// is told in its [`Undone`].
    pub fn undo(&mut self, which: Which<'_>, progress: &dyn Progress) -> Result<Vec<Undone>> {
        let chosen = self.chosen(which)?;
        progress.begin("taking back", Some(chosen.len() as u64));
        let mut done = Vec::with_capacity(chosen.len());
        for entry in chosen.into_iter().rev() {
            if progress.interrupted() {
                return Err(Error::Interrupted);
            }
            let how = entry.take_back();
            if how.is_ok() {
                self.append(Line::Undo(entry.number))?;
            }
            done.push(Undone { sidecar: entry.sidecar.path().to_path_buf(), how });
            progress.advance(1);
        }
        Ok(done)
    }

    fn chosen(&self, which: Which<'_>) -> Result<Vec<Entry>> {
        let open = self.entries.iter().filter(|entry| !self.undone.contains(&entry.number));
        match which {
            Which::LastRun => {
                let run = open.clone().map(|entry| entry.run).max();
                Ok(open.filter(|entry| Some(entry.run) == run).cloned().collect())
            }
            Which::Beside(paths) => {
                let whole = |path: &PathBuf| {
                    std::path::absolute(path).map_err(|source| Error::io(path, source))
                };
                let paths = paths.iter().map(whole).collect::<Result<Vec<_>>>()?;
                let inside = |path: &Path| paths.iter().any(|given| path.starts_with(given));
                let wanted =
                    |entry: &&Entry| inside(entry.photo.path()) || inside(entry.sidecar.path());
                Ok(open.filter(wanted).cloned().collect())
            }
        }
    }

    /// Puts a line on the disk.
    fn append(&mut self, line: Line) -> Result<()> {
        self.log.append(&line)?;
        match line {
            Line::Write(entry) => self.entries.push(*entry),
            Line::Undo(number) => self.undone.push(number),
        }
        Ok(())
    }
}

/// A sidecar as it is and as it would be.
struct Planned {
    sidecar: PathBuf,
    before: Option<Vec<u8>>,
    merged: Merged,
}

impl Planned {
    fn of(photo: &Path, additions: &Additions) -> Result<Option<Self>> {
        let named = beside(photo);
        // Behind a link the file itself is replaced, and the link stays.
        let sidecar = named.canonicalize().unwrap_or(named);
        let before = read(&sidecar)?;
        let merged = merge(before.as_deref(), additions)
            .map_err(|refused| malformed(&sidecar, before.as_deref(), refused))?;
        Ok((!merged.added.is_empty()).then_some(Self { sidecar, before, merged }))
    }
}

impl Entry {
    fn take_back(&self) -> Result<How> {
        let Some(now) = read(self.sidecar.path())? else { return Ok(How::Nothing) };
        let found = hash(&now);
        if self.before.as_ref() == Some(&found) {
            return Ok(How::Nothing);
        }
        if found == self.after {
            if self.before.is_none() {
                std::fs::remove_file(self.sidecar.path())
                    .map_err(|source| Error::io(self.sidecar.path(), source))?;
                return Ok(How::Removed);
            }
            let old = Encoded::read(&now).ok().and_then(|encoded| {
                Some(encoded.with(apply(&encoded.text, &inverse(&self.edits))?).bytes())
            });
            if let Some(old) = old.filter(|old| Some(hash(old)) == self.before) {
                replace(self.sidecar.path(), &old)?;
                return Ok(How::Restored);
            }
        }
        let left = take_out(&now, &self.added)
            .map_err(|refused| malformed(self.sidecar.path(), Some(&now), refused))?;
        if left == now {
            return Ok(How::Nothing);
        }
        replace(self.sidecar.path(), &left)?;
        Ok(How::TakenOut)
    }
}

fn hash(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string()
}

/// The bytes of a sidecar, if it is there.
fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    let failed = |source| Error::io(path, source);
    match std::fs::metadata(path) {
        Ok(file) if file.len() > LARGEST => {
            let what = format!("{} bytes are more than a sidecar has: left alone", file.len());
            Err(Error::malformed(Place::file(path), what))
        }
        Ok(_) => std::fs::read(path).map(Some).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|source| Error::io(path, source))?;
    file.commit()
}

fn malformed(path: &Path, bytes: Option<&[u8]>, refused: Refused) -> Error {
    let before = bytes.and_then(|bytes| bytes.get(..refused.byte as usize)).unwrap_or_default();
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    Error::malformed(Place::file(path).line(line), refused.what)
        .with_hint("the sidecar was left alone; mend it with the program that made it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    fn additions(words: &[&str]) -> Additions {
        Additions {
            keywords: words.iter().map(|&word| word.to_owned()).collect(),
            description: Some("A dog runs.".into()),
            ..Additions::default()
        }
    }

    struct Home {
        folder: tempfile::TempDir,
    }

    impl Home {
        fn new() -> Self {
            Self { folder: tempfile::tempdir().unwrap() }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn journal(&self) -> Journal {
            Journal::open(&self.path("journal.jsonl")).unwrap()
        }

        fn undo(&self) -> Vec<How> {
            let photos = [self.folder.path().to_path_buf()];
            let undone = self.journal().undo(Which::Beside(&photos), &Silent).unwrap();
            undone.into_iter().map(|undone| undone.how.unwrap()).collect()
        }
    }

    const THERE: &str = "<?xpacket?><x:m xmlns:x='adobe:ns:meta/' \
        xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:RDF><rdf:Description \
        xmlns:dc='http://purl.org/dc/elements/1.1/' dc:title='T'/></rdf:RDF></x:m>";

    #[test]
    fn a_new_file_goes_and_an_old_one_comes_back() {
        let home = Home::new();
        std::fs::write(home.path("b.xmp"), THERE).unwrap();
        let mut journal = home.journal();
        let written = journal.write(&home.path("a.jpg"), &additions(&["dog"])).unwrap().unwrap();
        assert!(written.created && written.sidecar == home.path("a.jpg.xmp"));
        let written = journal.write(&home.path("b.jpg"), &additions(&["dog"])).unwrap().unwrap();
        assert!(!written.created && written.added.len() == 4);
        assert_eq!(journal.write(&home.path("b.jpg"), &additions(&["Dog"])).unwrap(), None);
        // A second run adds more; both are taken back, the last first.
        drop(journal);
        home.journal().write(&home.path("b.jpg"), &additions(&["sea"])).unwrap().unwrap();
        assert_eq!(home.undo(), [How::Restored, How::Restored, How::Removed]);
        assert!(!home.path("a.jpg.xmp").exists());
        assert_eq!(std::fs::read_to_string(home.path("b.xmp")).unwrap(), THERE);
        assert!(home.undo().is_empty());
    }

    #[test]
    fn the_last_run_alone_is_taken_back() {
        let home = Home::new();
        home.journal().write(&home.path("a.jpg"), &additions(&["dog"])).unwrap().unwrap();
        let first = std::fs::read(home.path("a.jpg.xmp")).unwrap();
        home.journal().write(&home.path("a.jpg"), &additions(&["sea"])).unwrap().unwrap();
        for (how, left) in [(How::Restored, true), (How::Removed, false)] {
            let undone = home.journal().undo(Which::LastRun, &Silent).unwrap();
            assert_eq!(undone.len(), 1);
            assert_eq!(*undone[0].how.as_ref().unwrap(), how);
            let now = std::fs::read(home.path("a.jpg.xmp")).ok();
            assert_eq!(now, left.then(|| first.clone()));
        }
        assert!(home.journal().undo(Which::LastRun, &Silent).unwrap().is_empty());
    }

    #[test]
    fn what_somebody_else_wrote_since_stays() {
        let home = Home::new();
        let sidecar = home.path("a.jpg.xmp");
        home.journal().write(&home.path("a.jpg"), &additions(&["dog", "sea"])).unwrap().unwrap();
        let text = std::fs::read_to_string(&sidecar).unwrap();
        let theirs = text
            .replacen("<rdf:li>sea</rdf:li>", "<rdf:li>sea</rdf:li><rdf:li>mine</rdf:li>", 1)
            .replace("A dog runs.", "My own words.");
        std::fs::write(&sidecar, theirs).unwrap();
        assert_eq!(home.undo(), [How::TakenOut]);
        let left = std::fs::read_to_string(&sidecar).unwrap();
        let (metadata, trouble) = crate::photo::xmp::metadata(&left);
        assert!(trouble.is_none());
        assert_eq!(metadata.tags, ["mine"]);
        assert_eq!(metadata.description.as_deref(), Some("My own words."));
        assert!(!left.contains("TagsList>"), "{left}");
        assert_eq!(home.undo(), []);
    }

    #[test]
    fn a_write_that_was_cut_off_is_nothing_to_take_back() {
        let home = Home::new();
        std::fs::write(home.path("b.xmp"), THERE).unwrap();
        home.journal().write(&home.path("a.jpg"), &additions(&["dog"])).unwrap().unwrap();
        home.journal().write(&home.path("b.jpg"), &additions(&["dog"])).unwrap().unwrap();
        // As if both had been killed after the journal's line and before the file.
        std::fs::remove_file(home.path("a.jpg.xmp")).unwrap();
        std::fs::write(home.path("b.xmp"), THERE).unwrap();
        // And a third in the middle of its line.
        let journal = home.path("journal.jsonl");
        let mut torn = std::fs::read(&journal).unwrap();
        torn.extend(b"{\"write\":{\"numb");
        std::fs::write(&journal, torn).unwrap();
        assert_eq!(home.undo(), [How::Nothing, How::Nothing]);
        assert_eq!(std::fs::read_to_string(home.path("b.xmp")).unwrap(), THERE);
        let text = std::fs::read_to_string(&journal).unwrap();
        assert_eq!(text.lines().count(), 4, "{text}");
    }

    #[test]
    fn broken_sidecars_and_journals_are_named_and_left_alone() {
        let home = Home::new();
        let sidecar = home.path("a.jpg.xmp");
        std::fs::write(&sidecar, "<x>\n<y></x>").unwrap();
        let mut journal = home.journal();
        let error = journal.write(&home.path("a.jpg"), &additions(&["dog"])).unwrap_err();
        assert!(error.to_string().contains("a.jpg.xmp:2"), "{error}");
        assert!(error.hint().unwrap().contains("left alone"));
        assert_eq!(std::fs::read(&sidecar).unwrap(), b"<x>\n<y></x>");
        let error = Journal::open(&home.path("journal.jsonl")).unwrap_err();
        assert!(error.to_string().contains("another process"), "{error}");
        drop(journal);
        std::fs::write(home.path("journal.jsonl"), "{}\n").unwrap();
        let error = Journal::open(&home.path("journal.jsonl")).unwrap_err();
        assert!(error.to_string().contains("journal.jsonl:1"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_name_that_is_no_text_gets_a_sidecar_too() {
        use std::os::unix::ffi::OsStrExt;
        let home = Home::new();
        let named = |name: &[u8]| home.folder.path().join(std::ffi::OsStr::from_bytes(name));
        let photo = named(b"\xff\xfe.jpg");
        let written = home.journal().write(&photo, &additions(&["dog"])).unwrap().unwrap();
        assert_eq!(written.sidecar, named(b"\xff\xfe.jpg.xmp"));
        assert!(std::fs::read_to_string(&written.sidecar).unwrap().contains("dog"));
        assert_eq!(home.undo(), [How::Removed]);
        assert!(!written.sidecar.exists());
    }

    #[test]
    #[cfg(unix)]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let home = Home::new();
        let real = home.path("real");
        std::fs::write(&real, THERE).unwrap();
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&real, home.path("a.jpg.xmp")).unwrap();
        home.journal().write(&home.path("a.jpg"), &additions(&["dog"])).unwrap().unwrap();
        assert!(home.path("a.jpg.xmp").is_symlink());
        let mode = std::fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(std::fs::read_to_string(&real).unwrap().contains("dog"));
        assert_eq!(home.undo(), [How::Restored]);
        assert_eq!(std::fs::read_to_string(&real).unwrap(), THERE);
    }
}
