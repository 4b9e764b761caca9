//! The catalogue as search reads it: columns and postings, segment by segment.

use rustc_hash::FxHashMap;
use tantivy::schema::Field;
use tantivy::{DocAddress, DocId, SegmentReader, TantivyError};

use crate::catalogue::schema::column;
use crate::index::Snapshot;
use crate::{Error, PhotoId, Result, Selection};

/// The photo of a document, if it is one.
type SlotOf<'a> = dyn Fn(DocId) -> Option<PhotoId> + 'a;

impl Snapshot {
    /// Looks at every segment.
    pub(super) fn each_segment(
        &self,
        mut look: impl FnMut(&SegmentReader, &SlotOf<'_>) -> tantivy::Result<()>,
    ) -> Result<()> {
        self.searcher
            .segment_readers()
            .iter()
            .try_for_each(|reader| self.look_at(reader, &mut look))
    }

    fn look_at(
        &self,
        reader: &SegmentReader,
        look: &mut dyn FnMut(&SegmentReader, &SlotOf<'_>) -> tantivy::Result<()>,
    ) -> Result<()> {
        let looked = reader.fast_fields().column_opt::<u64>(column::SLOT).and_then(|slots| {
            // A segment without a photo has no such column.
            slots.map_or(Ok(()), |slots| {
                look(reader, &|document| slots.first(document).map(|slot| PhotoId(slot as u32)))
            })
        });
        looked.map_err(|error| self.told(&error))
    }

    pub(super) fn told(&self, error: &TantivyError) -> Error {
        self.damaged(error.to_string())
    }

    /// The name of a field's column.
    pub(super) fn column(&self, field: Field) -> &str {
        self.searcher.schema().get_field_name(field)
    }

    /// The photos of documents.
    pub(super) fn slots_of(
        &self,
        documents: impl IntoIterator<Item = DocAddress>,
    ) -> Result<Selection> {
        let mut of_segment: FxHashMap<u32, Vec<DocId>> = FxHashMap::default();
        for document in documents {
            of_segment.entry(document.segment_ord).or_default().push(document.doc_id);
        }
        let mut found = Selection::new();
        for (segment, documents) in of_segment {
            self.look_at(self.searcher.segment_reader(segment), &mut |_, slots| {
                documents.iter().filter_map(|&at| slots(at)).for_each(|id| found.insert(id));
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// When photos were taken, in seconds since 1970 by the clock of the place.
    pub(super) fn dates(&self) -> Result<FxHashMap<PhotoId, i64>> {
        let mut dates = FxHashMap::default();
        let name = self.column(self.fields.date);
        self.each_segment(|reader, slots| {
            let Some(column) = reader.fast_fields().column_opt::<i64>(name)? else { return Ok(()) };
            for document in reader.doc_ids_alive() {
                if let (Some(id), Some(date)) = (slots(document), column.first(document)) {
                    dates.insert(id, date);
                }
            }
            Ok(())
        })?;
        Ok(dates)
    }
}
