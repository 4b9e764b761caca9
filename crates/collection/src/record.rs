//! What readers give and writers take: a stream of records.
//!
//! A reader never holds a whole file. It hands one [`Record`] at a time to a [`Sink`]: the
//! builder of a [`Collection`](crate::Collection), the statistics of `rebus inspect`, or a
//! writer. Records may come in any order; a caption may precede its item.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::{Caption, Error, Item, ItemId, Judgement, Place, Result, Topic};

/// The part of a collection that an item belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Split {
    /// For fitting.
    Train,
    /// For choosing settings.
    Dev,
    /// For the figures one reports.
    Test,
    /// A part with a name of its own (Karpathy's `restval`).
    Other(String),
}

impl Split {
    /// The part's name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Train => "train",
            Self::Dev => "dev",
            Self::Test => "test",
            Self::Other(name) => name,
        }
    }
}

impl From<String> for Split {
    fn from(name: String) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "train" | "training" => Self::Train,
            "dev" | "val" | "valid" | "validation" => Self::Dev,
            "test" => Self::Test,
            _ => Self::Other(name),
        }
    }
}

impl From<Split> for String {
    fn from(split: Split) -> Self {
        split.as_str().to_owned()
    }
}

impl std::fmt::Display for Split {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much a [`Finding`] matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing was lost.
    Note,
    /// A record was left out or mended.
    Skipped,
}

/// Something odd about a single record; reading went on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What was found.
    pub what: String,
    /// Whether anything was lost.
    pub severity: Severity,
}

/// One piece of a collection on its way from a reader to a sink.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A picture. A second record of the same id adds to the first.
    Item(Box<Item>),
    /// A sentence about an item.
    Caption(Caption),
    /// The part of the collection an item belongs to.
    Split(ItemId, Split),
    /// Somebody's query.
    Topic(Topic),
    /// Somebody's word on a pair.
    Judgement(Judgement),
    /// Something odd that was met.
    Finding(Finding),
}

/// Takes records as they are read. `Break` asks the reader to stop (Ctrl-C, or enough seen).
pub trait Sink {
    /// Takes one record.
    fn take(&mut self, record: Record) -> ControlFlow<()>;

    /// Takes one record, where a reader wants to leave with `?` when it is asked to stop: its
    /// `read` then ends with [`Error::Interrupted`], which a caller that stopped it knows to expect.
    fn put(&mut self, record: Record) -> Result<()> {
        match self.take(record) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Interrupted),
        }
    }
}

impl<F: FnMut(Record) -> ControlFlow<()>> Sink for F {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        self(record)
    }
}
