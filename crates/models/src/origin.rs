//! Where a model comes from: what `model.json` says of it beside its settings and files.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::Training;
use crate::folder::{Manifest, Reader};

/// What a model was trained on, and through what it sees pictures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    /// The extractor whose features it takes.
    pub(crate) extractor: String,
    /// How many pictures and texts it was trained on, and whatever else was noted.
    pub(crate) training: Map<String, Value>,
}

impl Origin {
    /// Of a model that is fitted on these pictures.
    pub(crate) fn of(data: &Training<'_>) -> Self {
        let texts: usize = data.texts.iter().map(Vec::len).sum();
        let mut training = Map::new();
        training.insert("pictures".into(), data.texts.len().into());
        training.insert("texts".into(), texts.into());
        Self { extractor: data.extractor.to_owned(), training }
    }

    /// Of a model that is read.
    pub(crate) fn read(reader: &Reader) -> Self {
        let Manifest { extractor, training, .. } = &reader.manifest;
        Self { extractor: extractor.clone(), training: training.clone() }
    }

    /// What `model.json` says, but for the files.
    pub(crate) fn manifest(
        &self,
        (kind, version): (&str, u32),
        analysis: Vec<String>,
        settings: &impl Serialize,
    ) -> Manifest {
        Manifest {
            kind: kind.to_owned(),
            version,
            extractor: self.extractor.clone(),
            analysis,
            training: self.training.clone(),
            settings: json!(settings),
            files: Map::new(),
        }
    }
}
