//! Findings that repeat: the first few are told one by one, the rest are counted.
//!
//! A file of a million lines with the same fault must not become a million messages, yet the
//! first ones say exactly where to look.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::{Finding, Place, Record, Result, Severity, Sink};

/// How many findings of a kind are told with their place.
pub(crate) const TOLD: u64 = 10;

/// Counts findings by kind while a reader runs.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kinds: FxHashMap<&'static str, (u64, Severity)>,
    order: Vec<&'static str>,
}

impl Findings {
    /// Tells a sink about one oddity. `kind` names all of its like, in the plural, for the count at
    /// the end (`lines without a tab`); `what` is this one.
    pub(crate) fn tell(
        &mut self,
        sink: &mut dyn Sink,
        severity: Severity,
        kind: &'static str,
        place: Place,
        what: impl Into<String>,
    ) -> Result<()> {
        let order = &mut self.order;
        let (count, _) = self.kinds.entry(kind).or_insert_with(|| {
            order.push(kind);
            (0, severity)
        });
        *count += 1;
        if *count > TOLD {
            return Ok(());
        }
        sink.put(Record::Finding(Finding { place, what: what.into(), severity }))
    }

    /// Tells how many more there were of each kind, at the end of reading `path`.
    pub(crate) fn finish(&mut self, path: &Path, sink: &mut dyn Sink) -> Result<()> {
        for kind in self.order.drain(..) {
            let Some((count, severity)) = self.kinds.remove(kind) else { continue };
            if count > TOLD {
                let what = format!("{count} {kind}; the first {TOLD} are told one by one");
                let place = Place::file(path);
                sink.put(Record::Finding(Finding { place, what, severity }))?;
            }
        }
        Ok(())
    }
}

/// Tells a sink about something that is met once a file.
pub(crate) fn note(sink: &mut dyn Sink, place: Place, what: impl Into<String>) -> Result<()> {
    sink.put(Record::Finding(Finding { place, what: what.into(), severity: Severity::Note }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    #[test]
    fn the_first_are_told_and_the_rest_counted() {
        let mut collection = Collection::new();
        let mut findings = Findings::default();
        for line in 1..=25 {
            let place = Place::file("a.txt").line(line);
            findings
                .tell(&mut collection, Severity::Skipped, "lines without a tab", place, "no tab")
                .unwrap();
        }
        let place = Place::file("a.txt").line(3);
        findings.tell(&mut collection, Severity::Note, "other", place, "other").unwrap();
        findings.finish(Path::new("a.txt"), &mut collection).unwrap();
        let all = collection.findings();
        assert_eq!(all.len(), 12);
        assert_eq!(all[0].place.line, Some(1));
        assert!(all[11].what.starts_with("25 lines without a tab"));
    }
}
