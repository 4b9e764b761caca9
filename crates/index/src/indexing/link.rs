//! Linking the vectors of many photos, so that a search need not look at all of them.

use std::path::Path;

use rebus_collection::Progress;

use super::writer::Writer;
use crate::Result;
use crate::commit::ModelRecord;
use crate::vectors::Graph;

/// From so many photos on their vectors are linked: those of fewer are looked at one by one within
/// some ten milliseconds.
const MANY: usize = 200_000;
/// A graph is gone on with when more than one of so many photos is not in it yet; they are looked at
/// one by one meanwhile.
const BEHIND: usize = 16;

/// Makes the graphs of the models that have looked at many photos, or goes on with them; everything
/// must have been committed.
pub(super) fn link(writer: &Writer<'_>, progress: &dyn Progress) -> Result<()> {
    for record in &writer.commit.models {
        link_if_many(record, &writer.folder, MANY, progress)?;
    }
    Ok(())
}

fn link_if_many(
    record: &ModelRecord,
    index: &Path,
    many: usize,
    progress: &dyn Progress,
) -> Result<()> {
    let rows = record.rows() as usize;
    if rows < many {
        return Ok(());
    }
    let linked = record.graph(index).map_or(0, |graph| graph.len());
    if linked + rows / BEHIND < rows {
        let (path, vectors) = (record.graph_path(index), record.open(index)?);
        Graph::build(&path, &vectors, &record.committed, progress)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rebus_collection::{ContentHash, Silent};

    use super::*;
    use crate::Origin;
    use crate::vectors::VectorWriter;

    #[test]
    fn many_photos_are_linked_and_a_few_new_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = ModelRecord {
            name: "small".into(),
            origin: Origin::BuiltIn,
            version: ContentHash::of(b"small"),
            extractor: "eye".into(),
            dimensions: 4,
            file: "small/1.vectors".into(),
            committed: Default::default(),
            lacking: Vec::new(),
        };
        let path: PathBuf = record.path(folder.path());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut writer = VectorWriter::create(&path, record.version, 4).unwrap();
        let mut push = |rows: usize, record: &mut ModelRecord| {
            for row in 0..rows {
                let angle = row as f32;
                writer.push(&[angle.sin(), angle.cos(), 0.0, 0.0]).unwrap();
            }
            record.committed = writer.commit().unwrap();
        };
        let linked = |record: &ModelRecord| {
            link_if_many(record, folder.path(), 5000, &Silent).unwrap();
            record.graph(folder.path()).map_or(0, |graph| graph.len())
        };
        push(4200, &mut record);
        assert_eq!(linked(&record), 0);
        push(4200, &mut record);
        assert_eq!(linked(&record), 8192);
        push(300, &mut record);
        assert_eq!(linked(&record), 8192);
        push(4000, &mut record);
        assert_eq!(linked(&record), 12_288);
    }
}
