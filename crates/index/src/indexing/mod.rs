//! Bringing an index up to date with the photos on disk.
//!
//! [`update`] walks through the folders, compares what it finds with the catalogue, looks at what is
//! new or changed, and commits every few seconds. Only what was committed counts: a run that is
//! interrupted or killed is gone on with by the next one.

mod catch_up;
mod compact;
mod compare;
mod keep;
mod link;
mod look;
mod pipeline;
mod repair;
mod update;
mod watch;
mod writer;

use std::path::PathBuf;
use std::time::Duration;

use rebus_collection::ContentHash;
use rebus_models::DualEncoder;
use rebus_vision::Extractor;
use serde::Serialize;

use crate::Failure;
use crate::commit::Origin;
use crate::photo::as_text;

pub use update::update;
pub use watch::watch;

/// A model that looks at the photos.
#[derive(Clone, Copy)]
pub struct Eye<'a> {
    /// What the index calls it.
    pub name: &'a str,
    /// Where it lies.
    pub origin: &'a Origin,
    /// Its content: where it is another than before, all photos are encoded again.
    pub version: ContentHash,
    /// From features to vectors.
    pub model: &'a dyn DualEncoder,
    /// From pictures to features.
    pub extractor: &'a dyn Extractor,
}

/// What [`update`] may be asked to do differently.
#[derive(Debug, Clone)]
pub struct Options {
    /// What to call a new index; the folder's name unless it is given.
    pub name: Option<String>,
    /// Folders that the index shall no longer know.
    pub forget: Vec<PathBuf>,
    /// What is done about damage.
    pub damage: OnDamage,
    /// The time from one commit to the next: how much work a power cut may lose.
    pub commit_every: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: None,
            forget: Vec::new(),
            damage: OnDamage::Refuse,
            commit_every: Duration::from_secs(5),
        }
    }
}

/// What [`update`] does about a damaged index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDamage {
    /// It is refused.
    #[default]
    Refuse,
    /// What is damaged is made again.
    Repair,
}

/// What was found and done.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Update {
    /// Photos that were not in the index.
    pub new: u64,
    /// Photos whose content is another.
    pub changed: u64,
    /// Photos that lie elsewhere now.
    pub moved: u64,
    /// Photos about which something else is said, inside or beside them.
    pub described: u64,
    /// Photos that are gone.
    pub deleted: u64,
    /// Photos that are as they were.
    pub unchanged: u64,
    /// Photos of before that were encoded by a model that came later.
    pub encoded: u64,
    /// Photos of kinds that cannot be decoded (HEIC, AVIF, RAW).
    pub not_yet: u64,
    /// Photos that the index has now.
    pub photos: u64,
    /// Folders that could not be reached; their photos stay in the index.
    #[serde(serialize_with = "as_texts")]
    pub away: Vec<PathBuf>,
    /// Files and folders that could not be read, each with its reason.
    pub failed: Vec<Failure>,
}

fn as_texts<S: serde::Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    struct Text<'a>(&'a PathBuf);
    impl Serialize for Text<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            as_text(self.0, serializer)
        }
    }
    serializer.collect_seq(paths.iter().map(Text))
}
