//! Opening models by name: the built-in one, one of the user's, or any folder; each with the
//! extractor whose features it takes.

use std::path::{Path, PathBuf};

use anyhow::Context;
use rebus_collection::ContentHash;
use rebus_index::{Eye, ModelRecord, Origin};
use rebus_models::{DualEncoder, Lexicon, Manifest, Model, load, manifest};
use rebus_vision::encoder::{Encoder, locate};
use rebus_vision::regions::Blobs;
use rebus_vision::{Extractor, find_extractor};

use crate::output::Usage;
use crate::{built_in, home};

/// The folder inside a model's folder that holds a network of its own.
pub(crate) const NETWORK: &str = "network";
/// The folder inside a model's folder that holds the visual words or blobs that it counts.
const VOCABULARY: &str = "vocabulary";

/// A model that is ready to look and to read.
pub(crate) struct Opened {
    /// What reports call it.
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// The hash of its `model.json`, which has those of its other files.
    pub(crate) version: ContentHash,
    pub(crate) model: Box<dyn Model>,
    pub(crate) extractor: Box<dyn Extractor>,
}

impl Opened {
    /// As it looks at the photos of an index.
    pub(crate) fn eye(&self) -> Eye<'_> {
        Eye {
            name: &self.name,
            origin: &self.origin,
            version: self.version,
            model: &*self.model,
            extractor: &*self.extractor,
        }
    }
}

/// Opens a model from where an index has it.
pub(crate) fn open_recorded(record: &ModelRecord) -> anyhow::Result<Opened> {
    match &record.origin {
        Origin::BuiltIn => open(&record.name),
        Origin::Folder(folder) => open(&folder.to_string_lossy()),
    }
}

/// Opens a model by its name or its folder.
pub(crate) fn open(name: &str) -> anyhow::Result<Opened> {
    let extractor = extractor(name)?;
    if name == built_in::NAME {
        return Ok(Opened {
            name: name.into(),
            origin: Origin::BuiltIn,
            version: built_in::version(),
            model: Box::new(built_in::model()?),
            extractor,
        });
    }
    let folder = folder(name)?;
    let path = folder.join("model.json");
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let shown = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = shown.unwrap_or_else(|| name.to_owned());
    let model = load(&folder)?;
    let origin = Origin::Folder(folder.canonicalize().unwrap_or(folder));
    Ok(Opened { name, origin, version: ContentHash::of(&bytes), model, extractor })
}

/// Opens the text side of a lexicon by its name or its folder. No network is read: that takes much
/// longer than everything else.
pub(crate) fn lexicon(name: &str) -> anyhow::Result<Lexicon> {
    Ok(if name == built_in::NAME { built_in::model()? } else { Lexicon::load(&folder(name)?)? })
}

/// What a model, by its name or its folder, looks at pictures through.
pub(crate) fn extractor(name: &str) -> anyhow::Result<Box<dyn Extractor>> {
    if name == built_in::NAME {
        return Ok(Box::new(built_in::network()?));
    }
    let folder = folder(name)?;
    let Manifest { extractor, .. } = manifest(&folder)?;
    recorded(&extractor, &folder)
        .with_context(|| format!("{name} looks at pictures through {extractor}"))
}

/// The blobs that a model counts, by its name or its folder, or those of a folder of blobs; and the
/// model, if it is one.
pub(crate) fn blobs(name: &str) -> anyhow::Result<(Blobs, Option<Box<dyn Model>>)> {
    let given = PathBuf::from(name);
    if let Some(blobs) = Blobs::find(&given)? {
        return Ok((blobs, None));
    }
    let folder = if name == built_in::NAME { None } else { Some(folder(name)?) };
    match folder.as_ref().map(|folder| Blobs::find(&folder.join(VOCABULARY))).transpose()? {
        Some(Some(blobs)) => Ok((blobs, folder.map(|folder| load(&folder)).transpose()?)),
        _ => Err(Usage(format!(
            "{name} counts no blobs: `rebus model blobs` makes them, and `rebus train` a model over them"
        ))
        .into()),
    }
}

fn folder(name: &str) -> anyhow::Result<PathBuf> {
    let given = PathBuf::from(name);
    if given.join("model.json").is_file() {
        return Ok(given);
    }
    let kept = home::models().join(name);
    if !name.contains(['/', '\\']) && kept.join("model.json").is_file() {
        return Ok(kept);
    }
    Err(Usage(format!(
        "no model `{name}`: it is {} that is built in, or a folder that `rebus train` wrote",
        built_in::NAME
    ))
    .into())
}

/// The extractor that a model was fitted with; a network must be the very same.
fn recorded(name: &str, folder: &Path) -> anyhow::Result<Box<dyn Extractor>> {
    let (own, vocabulary) = (folder.join(NETWORK), folder.join(VOCABULARY));
    let extractor: Box<dyn Extractor> = if vocabulary.is_dir() {
        find_extractor(&vocabulary.to_string_lossy())?
    } else if own.is_dir() {
        Box::new(Encoder::open(&own)?)
    } else if built_in::model()?.extractor() == name {
        Box::new(built_in::network()?)
    } else {
        find_extractor(name.split('/').next().unwrap_or(name))?
    };
    if extractor.name() != name {
        anyhow::bail!("the network at hand is {}, another one", extractor.name());
    }
    Ok(extractor)
}

/// Copies a network into a model's folder.
pub(crate) fn put_network(name: &str, folder: &Path) -> anyhow::Result<()> {
    copy(&locate(name)?, &folder.join(NETWORK), &["model.onnx", "network.json"])
}

/// Copies visual words or blobs into the folder of a model over them, which is of no use without;
/// their network comes along where it lies with them. Other extractors need nothing.
pub(crate) fn put_vocabulary(name: &str, folder: &Path) -> anyhow::Result<()> {
    let (from, to) = (Path::new(name), folder.join(VOCABULARY));
    if !from.join("model.safetensors").is_file() {
        return Ok(());
    }
    copy(from, &to, &["model.safetensors", "model.json"])?;
    let network = from.join(NETWORK);
    if network.is_dir() {
        copy(&network, &to.join(NETWORK), &["model.onnx", "network.json"])?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path, files: &[&str]) -> anyhow::Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for file in files {
        let (from, to) = (from.join(file), to.join(file));
        std::fs::copy(&from, &to)
            .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    }
    Ok(())
}
