//! What rebus itself wrote into sidecars: nothing to measure it by.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Journal;
use crate::Result;

/// The keywords and sentences that a journal says were written and not taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnWords(HashSet<(PathBuf, String)>);

impl OwnWords {
    /// Those of a journal; none if there is no journal.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(journal: &Path) -> Result<Self> {
        let whole = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let words = Journal::own_words(journal)?.into_iter();
        Ok(Self(words.map(|(photo, text)| (whole(photo), text.to_lowercase())).collect()))
    }

    /// Whether a text about a photo was written by rebus. The path is absolute and without links.
    pub fn contains(&self, photo: &Path, text: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&(photo.to_path_buf(), text.to_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Additions, Which};
    use super::*;
    use crate::Silent;

    #[test]
    fn what_was_written_counts_until_it_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let (journal, photo) = (home.join("sidecars.jsonl"), home.join("a.jpg"));
        assert_eq!(OwnWords::read(&journal).unwrap(), OwnWords::default());
        std::fs::write(&photo, "a photo").unwrap();
        let additions = Additions {
            keywords: vec!["Dog".into()],
            inherited: vec!["holiday".into()],
            description: Some("A dog runs.".into()),
        };
        let mut open = Journal::open(&journal).unwrap();
        open.write(&photo, &additions).unwrap().unwrap();
        let words = OwnWords::read(&journal).unwrap();
        assert!(words.contains(&photo, "dog") && words.contains(&photo, "a dog runs."));
        // What the photo had inside before is somebody's.
        assert!(!words.contains(&photo, "holiday"));
        assert!(!words.contains(&home.join("b.jpg"), "dog"));
        open.undo(Which::LastRun, &Silent).unwrap();
        assert_eq!(OwnWords::read(&journal).unwrap(), OwnWords::default());
    }
}
