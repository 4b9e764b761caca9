//! Small copies of photos, made once and kept in the index's folder by content; safe to delete.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rebus_collection::ContentHash;
use rebus_collection::writers::write_whole;
use rebus_vision::{open, small_copy};

use crate::problem::Problem;

/// The longer side in pixels: two for each on a fine screen.
const SIDE: u32 = 440;
/// What ends every whole JPEG.
const END: [u8; 2] = [0xff, 0xd9];

/// The kept copies.
#[derive(Debug)]
pub(crate) struct Thumbnails {
    folder: PathBuf,
    /// Held while a copy is made, so that nobody makes the same one meanwhile.
    making: Vec<Mutex<()>>,
}

/// Whether a copy was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Kept,
    Made,
}

impl Thumbnails {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, making: (0..64).map(|_| Mutex::default()).collect() }
    }

    fn path(&self, hash: &ContentHash) -> PathBuf {
        let name = hash.to_string();
        self.folder.join(&name[..2]).join(format!("{name}-{SIDE}.jpg"))
    }

    /// The copy that is kept, if one is. A torn file counts as none.
    pub(crate) fn kept(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        std::fs::read(self.path(hash)).ok().filter(|jpeg| jpeg.ends_with(&END))
    }

    /// The copy of a photo; it is kept for the next time if the folder lets us.
    pub(crate) fn of(
        &self,
        hash: &ContentHash,
        photo: &Path,
    ) -> Result<(Vec<u8>, Origin), Problem> {
        let lock = &self.making[usize::from(hash.0[1]) % self.making.len()];
        let _alone = lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(jpeg) = self.kept(hash) {
            return Ok((jpeg, Origin::Kept));
        }
        let jpeg = copy(photo, SIDE)?;
        let path = self.path(hash);
        if path.parent().is_some_and(|parent| std::fs::create_dir_all(parent).is_ok()) {
            let _ = write_whole(&path, &jpeg);
        }
        Ok((jpeg, Origin::Made))
    }
}

/// A copy of a photo: pixels only, so that nothing of what the file says beside them goes out.
pub(crate) fn copy(photo: &Path, side: u32) -> Result<Vec<u8>, Problem> {
    // Where it lies is nobody's business here.
    let shown = photo.file_name().unwrap_or_default().to_string_lossy();
    let picture =
        open(photo).map_err(|_| Problem::missing(format!("{shown} cannot be read now")))?;
    small_copy(&picture, side, &shown).map_err(|error| Problem::ours(error.to_string()))
}

#[cfg(test)]
mod tests {
    use rebus_collection::synth;

    use super::*;

    #[test]
    fn made_once_and_mended() {
        let folder = tempfile::tempdir().unwrap();
        let photo = folder.path().join("a.png");
        synth::specimen(1, 0).picture.save(&photo).unwrap();
        let hash = ContentHash::of(&std::fs::read(&photo).unwrap());
        let kept = Thumbnails::new(folder.path().join(rebus_index::THUMBNAILS));
        let (first, origin) = kept.of(&hash, &photo).unwrap();
        assert_eq!(origin, Origin::Made);
        assert_eq!(kept.of(&hash, &photo).unwrap(), (first.clone(), Origin::Kept));
        // A torn copy is made again.
        std::fs::write(kept.path(&hash), &first[..first.len() / 2]).unwrap();
        assert_eq!(kept.of(&hash, &photo).unwrap(), (first, Origin::Made));
        assert!(kept.of(&ContentHash([7; 32]), Path::new("no/such.png")).is_err());
    }
}
