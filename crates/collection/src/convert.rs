//! From one format to another: a reader's records into a writer, whole or of one split.

use std::ops::ControlFlow;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::format::{Format, ReadOptions};
use crate::writers::{Output, WriteOptions, Writer, Written};
use crate::{
    CaptionId, Error, Finding, ItemId, Progress, Record, Result, Severity, Sink, Split, Subject,
};

/// How many findings are kept word for word.
const SHOWN: usize = 10;

/// What to read, and how.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What it is.
    pub format: &'a dyn Format,
    /// How to read it.
    pub options: &'a ReadOptions,
}

/// What to write, and how.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// Where to.
    pub path: &'a Path,
    /// In which format.
    pub writer: &'a dyn Writer,
    /// How to write it.
    pub options: &'a WriteOptions,
    /// Only this part of the collection.
    pub split: Option<&'a Split>,
}

/// What a conversion did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Converted {
    /// The format that was read.
    pub format: &'static str,
    /// What was written.
    #[serde(flatten)]
    pub written: Written,
    /// How many odd things the reader met.
    pub findings: u64,
    /// How many records it left out or mended.
    pub skipped: u64,
    /// The first findings.
    pub first_findings: Vec<Finding>,
}

/// Reads one format and writes another, a record at a time.
///
/// # Errors
/// If the source cannot be read or the target cannot be written, or [`Error::Interrupted`]; then
/// nothing is left under the target's name that was not there before.
pub fn convert(
    source: Source<'_>,
    target: Target<'_>,
    progress: &dyn Progress,
) -> Result<Converted> {
    let part = target.split.map(|split| Part::find(source, split, progress)).transpose()?;
    progress.begin("converting records", None);
    let output = target.writer.create(target.path, target.options)?;
    let mut gate =
        Gate { output, part, progress, output_broke: false, findings: Vec::new(), found: [0; 2] };
    let read = source.format.read(source.path, source.options, &mut gate);
    if progress.interrupted() {
        return Err(Error::Interrupted);
    }
    match read {
        Ok(()) => {}
        // The output knows why it would take no more.
        Err(Error::Interrupted) if gate.output_broke => {}
        Err(error) => return Err(error),
    }
    let written = gate.output.finish()?;
    let [findings, skipped] = gate.found;
    let format = source.format.name();
    Ok(Converted { format, written, findings, skipped, first_findings: gate.findings })
}

/// What belongs to one split. It is known only after all has been read, because a split may be
/// told after the items; so the source is read twice.
struct Part {
    items: FxHashSet<ItemId>,
    captions: FxHashSet<CaptionId>,
}

impl Part {
    fn find(source: Source<'_>, split: &Split, progress: &dyn Progress) -> Result<Self> {
        progress.begin("looking for the split", None);
        let mut items = FxHashSet::default();
        let mut others = FxHashSet::default();
        let mut captions_of: FxHashMap<ItemId, Vec<CaptionId>> = FxHashMap::default();
        let mut sink = |record: Record| {
            progress.advance(1);
            match record {
                Record::Split(item, here) if here == *split => {
                    items.insert(item);
                }
                Record::Split(_, other) => {
                    others.insert(other);
                }
                Record::Caption(caption) => {
                    captions_of.entry(caption.item).or_default().push(caption.id);
                }
                _ => {}
            }
            if progress.interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ReadOptions { examine_images: false, ..source.options.clone() };
        source.format.read(source.path, &options, &mut sink)?;
        if items.is_empty() {
            let mut names: Vec<&str> = others.iter().map(Split::as_str).collect();
            names.sort_unstable();
            return Err(Error::no_such("split", split.as_str(), names));
        }
        let captions = items.iter().filter_map(|item| captions_of.remove(item)).flatten().collect();
        Ok(Self { items, captions })
    }

    fn holds(&self, record: &Record) -> bool {
        match record {
            Record::Item(item) => self.items.contains(&item.id),
            Record::Caption(caption) => self.items.contains(&caption.item),
            Record::Split(item, _) => self.items.contains(item),
            Record::Judgement(judgement) => {
                self.has(&judgement.query) && self.has(&judgement.answer)
            }
            Record::Topic(_) | Record::Finding(_) => true,
        }
    }

    fn has(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Item(id) => self.items.contains(id),
            Subject::Caption(id) => self.captions.contains(id),
            Subject::Topic(_) => true,
        }
    }
}

/// Lets through what belongs to the part, counts, and closes when the caller wants to stop.
struct Gate<'a> {
    output: Box<dyn Output>,
    part: Option<Part>,
    progress: &'a dyn Progress,
    output_broke: bool,
    findings: Vec<Finding>,
    found: [u64; 2],
}

impl Sink for Gate<'_> {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        self.progress.advance(1);
        if self.progress.interrupted() {
            return ControlFlow::Break(());
        }
        if let Record::Finding(finding) = record {
            self.found[0] += 1;
            self.found[1] += u64::from(finding.severity == Severity::Skipped);
            if self.findings.len() < SHOWN {
                self.findings.push(finding);
            }
            return ControlFlow::Continue(());
        }
        if self.part.as_ref().is_some_and(|part| !part.holds(&record)) {
            return ControlFlow::Continue(());
        }
        let flow = self.output.take(record);
        self.output_broke = flow.is_break();
        flow
    }
}
