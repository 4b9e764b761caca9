//! A model as an index has it: its text side, which opens at once, and its eye, which is opened only
//! when there is something to look at.

use std::path::Path;

use anyhow::Context;
use rebus_collection::{ContentHash, Matrix};
use rebus_index::{Index, ModelRecord, Origin};
use rebus_models::{Lexicon, Model, load};

use crate::output::Usage;
use crate::{built_in, model};

/// The model of this name that an index has, or its first.
pub(crate) fn of_index(index: &Index, name: Option<&str>) -> anyhow::Result<ModelRecord> {
    let models = index.models();
    let known: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    let what = match name {
        Some(name) => format!("the index has no model `{name}`; it has: {}", known.join(", ")),
        None => "the index has no model yet: `rebus index` gives it one".to_owned(),
    };
    let wanted = |model: &&ModelRecord| name.is_none_or(|name| name == model.name);
    models.iter().find(wanted).cloned().ok_or_else(|| Usage(what).into())
}

/// The text side of a model.
pub(crate) fn reader(record: &ModelRecord) -> anyhow::Result<Box<dyn Model>> {
    let (reader, version): (Box<dyn Model>, ContentHash) = match &record.origin {
        Origin::BuiltIn => (Box::new(built_in::model()?), built_in::version()),
        Origin::Folder(folder) => {
            let path = folder.join("model.json");
            let bytes = std::fs::read(&path)
                .with_context(|| format!("{} is gone: {}", record.name, path.display()))?;
            (load(folder)?, ContentHash::of(&bytes))
        }
    };
    anyhow::ensure!(
        version == record.version,
        "{} is another model now than the one that looked at the photos; `rebus index` looks again",
        record.name
    );
    Ok(reader)
}

/// A model that must be a lexicon.
pub(crate) fn lexicon(record: &ModelRecord) -> anyhow::Result<Lexicon> {
    Ok(match &record.origin {
        Origin::BuiltIn => built_in::model()?,
        Origin::Folder(folder) => Lexicon::load(folder)?,
    })
}

/// The vector of a picture that the index need not have.
pub(crate) fn look(record: &ModelRecord, path: &Path) -> rebus_index::Result<Vec<f32>> {
    let picture = rebus_vision::open(path)?;
    let opened = model::open_recorded(record).map_err(|error| rebus_index::Error::NoSuch {
        kind: "network to look through",
        name: format!("{error:#}"),
        known: Vec::new(),
    })?;
    let mut features = Matrix::zeros(1, opened.extractor.dimensions());
    opened.extractor.extract(&picture, features.row_mut(0))?;
    Ok(opened.model.encode_images(&features)?.row(0).to_vec())
}
