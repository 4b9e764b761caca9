//! `rebus train`: fits a model on a collection.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use rebus_collection::{Collection, Item, Matrix, Split};
use rebus_models::lexicon::{self, Evidence, Sources, class_words};
use rebus_models::{Lexicon, Model, SYSTEMS, System, Training, TrainingSource, record_training};
use rebus_text::wordnet::WordNet;
use rebus_vision::encoder::{Classifier, Encoder, locate};
use rebus_vision::{Cache, Extractor, features, find_extractor};
use serde_json::{Value, json};

use crate::output::{Outcome, Usage, answer, counted, say};
use crate::part::{Part, Pictures, texts};
use crate::progress::Talk;
use crate::{home, model};

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
    /// What looks at the pictures: a name of `rebus model list`, the path of a network, a folder of
    /// `rebus model blobs` or `rebus model words`, regions, regions:NETWORK, or grid-colour-edge
    #[arg(long, value_name = "NAME|PATH")]
    network: String,
    /// For lexicon: the part whose captions probabilities are fitted on
    #[arg(long, value_name = "NAME")]
    held_out: Option<String>,
    /// For lexicon: a collection whose keywords are learnt, too
    #[arg(long, value_name = "PATH", requires = "held_out")]
    keywords: Option<PathBuf>,
    /// For lexicon: a network whose classes are learnt, too; their words come from WordNet
    #[arg(long, value_name = "NAME|PATH", requires = "held_out")]
    classifier: Option<String>,
    /// For lexicon: a collection with captions, whose pictures are not needed, that more words are
    /// learnt from; its test part is left out (repeatable)
    #[arg(long, value_name = "PATH", requires = "held_out")]
    described: Vec<PathBuf>,
    /// For lexicon: the folder of a lexicon that is told more words by --described, instead of one
    /// that is fitted from the beginning
    #[arg(long, value_name = "FOLDER", requires = "held_out",
          conflicts_with_all = ["keywords", "classifier", "settings"])]
    from: Option<PathBuf>,
    /// Put the network into the model's folder, so that the model needs no other file
    #[arg(long)]
    with_network: bool,
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
        let settings = settings(&self.settings);
        system.check(&settings)?;
        let progress = Talk::new();
        let extractor = find_extractor(&self.network)?;
        let pictures = Pictures::read(&self.data, self.photos.as_deref())?;
        let split = pictures.split(self.split.as_deref(), &Split::Train)?;
        let part = pictures.part(split.as_ref(), &*extractor, &progress)?;
        let texts = texts(&pictures.collection, &part);
        let data =
            Training { extractor: extractor.name(), features: &part.features, texts: &texts };
        let fitted = if self.held_out.is_some() {
            self.lexicon(&pictures, &data, &part, &*extractor, &settings, &progress)?
        } else {
            system.fit(&data, &settings, &progress)?
        };
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
        model::put_vocabulary(&self.network, &self.out)?;
        if self.with_network {
            model::put_network(&self.network, &self.out)?;
        }
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
            "fitted {} on {} with {} into {}",
            system.name,
            counted(part.items.len() as u64, "picture"),
            counted(captions as u64, "caption"),
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

impl Train {
    /// A lexicon that is told more than captions.
    fn lexicon(
        &self,
        pictures: &Pictures,
        captioned: &Training<'_>,
        part: &Part<'_>,
        extractor: &dyn Extractor,
        settings: &Value,
        progress: &Talk,
    ) -> anyhow::Result<Box<dyn Model>> {
        if self.system != lexicon::KIND {
            let what = "--held-out, --keywords, --classifier, --described and --from are for the \
                        system lexicon";
            return Err(Usage(what.into()).into());
        }
        let params: lexicon::Params = serde_json::from_value(settings.clone())
            .map_err(|error| Usage(format!("--set: {error}")))?;
        let split = pictures.split(self.held_out.as_deref(), &Split::Dev)?;
        let held_out = pictures.part(split.as_ref(), extractor, progress)?;
        let held_out_texts = texts(&pictures.collection, &held_out);
        let labelled =
            self.keywords.as_deref().map(|path| Pictures::read(path, None)).transpose()?;
        let labelled_part = match &labelled {
            Some(labelled) => {
                let split = labelled.split(None, &Split::Train)?;
                Some(labelled.part(split.as_ref(), extractor, progress)?)
            }
            None => None,
        };
        let parts: Vec<&Part<'_>> = std::iter::once(part).chain(&labelled_part).collect();
        let all = stacked(&parts.iter().map(|part| &part.features).collect::<Vec<_>>());
        let mut evidence = Vec::new();
        if let Some(part) = &labelled_part {
            let words = keyword_evidence(&part.items);
            evidence.push(Evidence {
                name: "keywords",
                features: &part.features,
                words,
                trust: 1.0,
            });
        }
        if let Some(name) = &self.classifier {
            let words = class_evidence(name, &parts, progress)?;
            evidence.push(Evidence { name: "classes", features: &all, words, trust: 0.5 });
        }
        let held_out = Training {
            extractor: extractor.name(),
            features: &held_out.features,
            texts: &held_out_texts,
        };
        let collections = self
            .described
            .iter()
            .map(|path| Pictures::read(path, None))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let described: Vec<Vec<&str>> =
            collections.iter().flat_map(|described| captions(&described.collection)).collect();
        let sources =
            Sources { captioned: *captioned, held_out, evidence: &evidence, described: &described };
        Ok(Box::new(match &self.from {
            Some(folder) => Lexicon::retell(folder, &sources)?,
            None => Lexicon::fit(&sources, &params, progress)?,
        }))
    }
}

/// The captions of each item that is not in the test part.
fn captions(collection: &Collection) -> impl Iterator<Item = Vec<&str>> {
    let items = collection.items().iter();
    let open = items.filter(|item| collection.split_of(&item.id) != Some(&Split::Test));
    open.map(|item| collection.captions_of(&item.id).map(|caption| caption.text.as_str()).collect())
}

/// Every keyword, and which items have it.
fn keyword_evidence(items: &[&Item]) -> Vec<(String, Vec<f32>)> {
    let mut words: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
    for (row, item) in items.iter().enumerate() {
        for keyword in &item.keywords {
            words.entry(keyword).or_insert_with(|| vec![0.0; items.len()])[row] = 1.0;
        }
    }
    words.into_iter().map(|(word, shown)| (word.to_owned(), shown)).collect()
}

/// Every word that names classes, and how probable the classifier finds them in each picture.
fn class_evidence(
    classifier: &str,
    parts: &[&Part<'_>],
    progress: &Talk,
) -> anyhow::Result<Vec<(String, Vec<f32>)>> {
    let wordnet =
        WordNet::installed()?.context("WordNet 3.0 is not installed; it names classes")?;
    let classifier = Classifier::new(Encoder::open(&locate(classifier)?)?)?;
    let mut cache = Cache::open(&home::features()?, &classifier)?;
    let items: Vec<&Item> = parts.iter().flat_map(|part| &part.items).copied().collect();
    let looked = features(&items, &classifier, Some(&mut cache), progress)?;
    anyhow::ensure!(
        looked.failed.is_empty(),
        "lost: {}",
        counted(looked.failed.len() as u64, "picture")
    );
    let words = class_words(&wordnet.nouns, &Classifier::imagenet_senses());
    let shown = |classes: &[usize]| -> Vec<f32> {
        let probability = |row: usize| {
            let row = looked.matrix.row(row);
            classes.iter().map(|&class| row[class]).sum::<f32>().min(1.0)
        };
        (0..looked.matrix.rows()).map(probability).collect()
    };
    Ok(words.into_iter().map(|(word, classes)| (word, shown(&classes))).collect())
}

/// Matrices of one width above each other.
fn stacked(matrices: &[&Matrix]) -> Matrix {
    let rows = matrices.iter().map(|matrix| matrix.rows()).sum();
    let mut all = Matrix::zeros(rows, matrices.first().map_or(0, |matrix| matrix.columns()));
    let values = matrices.iter().flat_map(|matrix| matrix.values());
    for (to, value) in all.values_mut().iter_mut().zip(values) {
        *to = *value;
    }
    all
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
