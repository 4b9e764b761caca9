//! What rebus itself wrote into sidecars: nothing to measure it by.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Journal;
use crate::{ContentHash, Result};

/// The keywords and sentences that a journal says were written and not taken back. A photo is known by
/// its path, if it was changed since, and by its content, if it was moved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnWords {
    by_path: HashSet<(PathBuf, String)>,
    by_content: HashSet<(ContentHash, String)>,
}

impl OwnWords {
    /// Those of a journal; none if there is no journal.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(journal: &Path) -> Result<Self> {
        let whole = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let mut words = Self::default();
        for (photo, content, text) in Journal::own_words(journal)? {
            let text = text.to_lowercase();
            words.by_content.extend(content.map(|content| (content, text.clone())));
            words.by_path.insert((whole(photo), text));
        }
        Ok(words)
    }

    /// Whether a text about a photo was written by rebus. The path is absolute and without links.
    pub fn contains(&self, photo: &Path, content: ContentHash, text: &str) -> bool {
        if self.by_path.is_empty() {
            return false;
        }
        let text = text.to_lowercase();
        self.by_content.contains(&(content, text.clone()))
            || self.by_path.contains(&(photo.to_path_buf(), text))
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
        let [same, other] = ["a photo", "another"].map(|text| ContentHash::of(text.as_bytes()));
        assert!(words.contains(&photo, same, "dog") && words.contains(&photo, same, "a dog runs."));
        // What the photo had inside before is somebody's.
        assert!(!words.contains(&photo, same, "holiday"));
        // Changed in its place, and moved; another photo is neither.
        assert!(words.contains(&photo, other, "dog"));
        let moved = home.join("b.jpg");
        assert!(words.contains(&moved, same, "dog") && !words.contains(&moved, other, "dog"));
        open.undo(Which::LastRun, &Silent).unwrap();
        assert_eq!(OwnWords::read(&journal).unwrap(), OwnWords::default());
    }
}
