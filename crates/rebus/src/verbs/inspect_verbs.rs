//! Listens to the captions of a collection while it is read, for their verbs.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use rebus_collection::format::{Confidence, Format, ReadOptions};
use rebus_collection::{Record, Result, Sink};
use rebus_text::tagger::{Tagger, Verbs};

/// So many captions are looked at; more would hardly change the shares.
const MOST: u64 = 100_000;
/// So many are tagged at a time.
const BATCH: usize = 4096;

/// A format that listens.
pub(super) struct Listening<'a> {
    format: &'a dyn Format,
    heard: Mutex<Verbs>,
}

impl<'a> Listening<'a> {
    pub(super) fn new(format: &'a dyn Format) -> Self {
        Self { format, heard: Mutex::default() }
    }

    /// What was heard.
    pub(super) fn verbs(&self) -> Verbs {
        self.heard.lock().map(|verbs| *verbs).unwrap_or_default()
    }
}

impl Format for Listening<'_> {
    fn name(&self) -> &'static str {
        self.format.name()
    }

    fn about(&self) -> &'static str {
        self.format.about()
    }

    fn recognise(&self, path: &Path) -> Confidence {
        self.format.recognise(path)
    }

    fn read_records(&self, path: &Path, options: &ReadOptions, sink: &mut dyn Sink) -> Result<()> {
        let mut ear = Ear { sink, batch: Vec::new(), verbs: Verbs::default() };
        let read = self.format.read_records(path, options, &mut ear);
        ear.look();
        if let Ok(mut heard) = self.heard.lock() {
            *heard = ear.verbs;
        }
        read
    }
}

struct Ear<'a> {
    sink: &'a mut dyn Sink,
    batch: Vec<String>,
    verbs: Verbs,
}

impl Ear<'_> {
    fn look(&mut self) {
        self.verbs.add(&self.batch, Tagger::english());
        self.batch.clear();
    }
}

impl Sink for Ear<'_> {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        if let Record::Caption(caption) = &record {
            if self.verbs.captions + (self.batch.len() as u64) < MOST {
                self.batch.push(caption.text.clone());
            }
            if self.batch.len() >= BATCH {
                self.look();
            }
        }
        self.sink.take(record)
    }
}
