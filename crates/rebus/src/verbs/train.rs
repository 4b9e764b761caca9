//! `rebus train`: fits a model on a collection.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::Split;
use rebus_models::{SYSTEMS, System, Training, TrainingSource, record_training};
use serde_json::{Value, json};

use crate::model;
use crate::output::{Outcome, Usage, answer, say};
use crate::part::{Pictures, texts};
use crate::progress::Talk;

/// Fit a model on pictures with captions.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus train contrastive --data flickr8k --network tiny-vit-5m --out my-model
  rebus train cca --data world/collection.jsonl --network grid-colour-edge --out small \\
    --set dimensions=64 --set kappa_image=0.3

Features are kept in the cache folder, so that the next model on the same pictures needs to look at
none of them again. `rebus eval --model FOLDER` measures what was made.")]
pub(crate) struct Train {
    #[arg(value_name = "SYSTEM", help = "The system", long_help = systems())]
    system: String,
    /// The collection with pictures and captions
    #[arg(long, value_name = "PATH")]
    data: PathBuf,
    /// Which part of it to fit on; all of it, if it has no such part and none was asked for
    /// [default: train]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Where the pictures lie, if not where the format expects them
    #[arg(long, value_name = "DIR")]
    photos: Option<PathBuf>,
    /// What looks at the pictures: a name of `rebus model list`, the path of a network, or
    /// grid-colour-edge
    #[arg(long, value_name = "NAME|PATH")]
    network: String,
    /// The folder to write the model to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A setting of the system; `space.epochs=8` reaches inside (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, Value)>,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let system = system(&self.system)?;
        let progress = Talk::new();
        let extractor = model::extractor(&self.network)?;
        let pictures = Pictures::read(&self.data, self.photos.as_deref())?;
        let split = pictures.split(self.split.as_deref(), &Split::Train)?;
        let part = pictures.part(split.as_ref(), &*extractor, &progress)?;
        let texts = texts(&pictures.collection, &part);
        let data =
            Training { extractor: extractor.name(), features: &part.features, texts: &texts };
        let fitted = (system.fit)(&data, &settings(&self.settings), &progress)?;
        fitted.save(&self.out)?;
        let protocol = json!({
            "split": split.as_ref().map_or("all", Split::as_str),
            "captions": "all of a picture",
            "pictures left out": part.failed,
        });
        let source = TrainingSource {
            collection: self.data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            hash: pictures.collection.hash(),
            protocol: protocol.as_object().cloned().unwrap_or_default(),
        };
        record_training(&self.out, &source)?;
        let captions: usize = texts.iter().map(Vec::len).sum();
        if self.json {
            let made = json!({
                "model": self.out, "system": system.name, "extractor": extractor.name(),
                "pictures": part.items.len(), "captions": captions,
                "dimensions": fitted.dimensions(),
            });
            answer(format_args!("{made:#}"))?;
        } else {
            answer(self.out.display())?;
        }
        say(format_args!(
            "fitted {} on {} pictures with {captions} captions into {}",
            system.name,
            part.items.len(),
            self.out.display()
        ));
        Ok(Outcome::Fine)
    }
}

fn system(name: &str) -> anyhow::Result<&'static System> {
    SYSTEMS.iter().find(|system| system.name == name).ok_or_else(|| {
        let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name).collect();
        Usage(format!("no system `{name}`; there are {}", names.join(", "))).into()
    })
}

/// The systems with their lines of help.
fn systems() -> String {
    let mut help = String::from("The system:");
    for system in SYSTEMS {
        help += &format!("\n- {}: {}", system.name, system.about);
    }
    help
}

fn setting(text: &str) -> Result<(String, Value), String> {
    let (name, value) =
        text.split_once('=').ok_or("write it as NAME=VALUE, such as dimensions=64")?;
    // What is no number, truth value or list is a name.
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    Ok((name.to_owned(), value))
}

/// Settings as one object; dots reach into objects.
pub(super) fn settings(list: &[(String, Value)]) -> Value {
    let mut all = json!({});
    for (name, value) in list {
        let mut at = &mut all;
        for part in name.split('.') {
            if !at.is_object() {
                *at = json!({});
            }
            at = &mut at[part];
        }
        *at = value.clone();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_reach_inside() {
        let list =
            ["space.epochs=8", "space.start.power=2.5", "ridge=1"].map(|s| setting(s).unwrap());
        let expected = json!({"space": {"epochs": 8, "start": {"power": 2.5}}, "ridge": 1});
        assert_eq!(settings(&list), expected);
        assert!(setting("nothing").is_err());
    }
}
