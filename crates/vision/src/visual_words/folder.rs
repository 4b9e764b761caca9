//! Visual words on disk: a folder with `model.json` and `model.safetensors`.

use std::path::Path;

use super::{NAMES, Training, VERSION, VisualWords, WIDTHS, WORDS};
use crate::vocabulary_folder::Kind;
use crate::{Error, Result};

const KIND: Kind = Kind { name: super::NAME, version: VERSION, tensors: &NAMES };

impl VisualWords {
    /// Writes the words into a folder, which is made if needed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let tensors: Vec<_> = self.vocabularies.iter().map(|kind| &kind.words).collect();
        KIND.save(folder, &self.training, &tensors)
    }

    /// Reads the words from a folder.
    ///
    /// # Errors
    /// If a file cannot be read, is not the one that was written, or a tensor does not fit; the
    /// file and the tensor are named.
    pub fn load(folder: &Path) -> Result<Self> {
        let shapes = |_: &Training, kind: usize| [WORDS[kind], WIDTHS[kind]];
        let (training, words) = KIND.load(folder, shapes)?;
        let words = <[_; 3]>::try_from(words)
            .map_err(|_| Error::Words { what: "a vocabulary is missing".into() })?;
        Ok(Self::new(words, training))
    }
}
