//! Blobs on disk: a folder with `model.json` and `model.safetensors`, and the network that describes
//! regions where it was put beside them.

use std::path::Path;

use super::blobs::{Blobs, Training, VERSION};
use super::{RegionVectors, wrong};
use crate::encoder::{self, Encoder};
use crate::vocabulary_folder::Kind;
use crate::{Extractor, Result, vocabulary_folder};

/// The folder inside a folder of blobs that may hold their network.
pub const NETWORK: &str = "network";

const KIND: Kind =
    Kind { name: super::blobs::NAME, version: VERSION, tensors: &["scaling", "blobs"] };

impl Blobs {
    /// Writes the blobs into a folder, which is made if needed. A network that describes their
    /// regions is named, not copied.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        KIND.save(folder, &self.training, &[&self.scaling, &self.means])
    }

    /// The blobs of a folder, if it is one of blobs.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn find(folder: &Path) -> Result<Option<Self>> {
        let is = vocabulary_folder::kind(folder).as_deref() == Some(KIND.name);
        is.then(|| Self::load(folder)).transpose()
    }

    /// Reads blobs from a folder. Their network is taken from the folder [`NETWORK`] in it, or from
    /// where networks are kept by name ([`encoder::locate`]).
    ///
    /// # Errors
    /// If a file cannot be read, is not the one that was written, or a tensor does not fit, which is
    /// named; or the network is missing or another one.
    pub fn load(folder: &Path) -> Result<Self> {
        let shapes = |training: &Training, tensor: usize| {
            [[2, training.width], [training.params.k, training.width]][tensor]
        };
        let (training, tensors) = KIND.load(folder, shapes)?;
        let vectors = match &training.network {
            None => RegionVectors::low_level(training.method),
            Some(name) => {
                let own = folder.join(NETWORK);
                let path = if own.is_dir() { own } else { encoder::locate(name)? };
                RegionVectors::network(training.method, Encoder::open(&path)?)?
            }
        };
        if vectors.name() != training.regions || vectors.width() != training.width {
            return Err(wrong(&format!(
                "the blobs of {} are of the regions {}, and those at hand are {}",
                folder.display(),
                training.regions,
                vectors.name()
            )));
        }
        let Ok([scaling, means]) = <[_; 2]>::try_from(tensors) else {
            return Err(wrong("a tensor is missing"));
        };
        Ok(Self::new(vectors, scaling, means, training))
    }
}
