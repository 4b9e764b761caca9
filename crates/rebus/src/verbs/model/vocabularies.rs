//! `rebus model blobs` and `rebus model words`: vocabularies of what pictures are made of.

use std::path::{Path, PathBuf};

use clap::Args;
use rebus_collection::{Item, Split};
use rebus_vision::regions::{self, Blobs, Method, RegionVectors};
use rebus_vision::{Cache, Encoder, Extractor, VisualWords, encoder, visual_words};
use serde_json::json;

use crate::output::{Outcome, answer, counted, say};
use crate::part::Pictures;
use crate::progress::Talk;
use crate::{home, model};

/// The pictures that a vocabulary is made from.
#[derive(Args)]
struct Source {
    /// Photos: a folder, or a collection of any format
    #[arg(value_name = "PHOTOS")]
    photos: PathBuf,
    /// Which part of a collection to look at; all of it, if it has no such part and none was asked
    /// for [default: train]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// The folder to write the vocabulary to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
}

impl Source {
    fn pictures(&self) -> anyhow::Result<(Pictures, Option<Split>)> {
        let pictures = Pictures::read(&self.photos, None)?;
        let split = pictures.split(self.split.as_deref(), &Split::Train)?;
        Ok((pictures, split))
    }

    fn tell(&self, made: &serde_json::Value) -> anyhow::Result<()> {
        match self.json {
            true => answer(format_args!("{made:#}"))?,
            false => answer(self.out.display())?,
        }
        Ok(())
    }
}

fn inside<'a>(pictures: &'a Pictures, split: Option<&Split>) -> Vec<&'a Item> {
    let collection = &pictures.collection;
    let inside = |item: &&Item| split.is_none() || collection.split_of(&item.id) == split;
    collection.items().iter().filter(inside).collect()
}

#[derive(Args)]
#[command(after_help = "Examples:
  rebus model blobs holiday/ --out blobs
  rebus model blobs corel5k --network dinov2-small --k 1000 --out blobs

Wherever a network is asked for, the folder will do: `rebus train rank-svm --network blobs`.")]
pub(super) struct MakeBlobs {
    #[command(flatten)]
    source: Source,
    /// How pictures are divided: normalised-cuts, or graph-based, which is faster
    #[arg(long, value_name = "METHOD", default_value_t)]
    regions: Method,
    /// Describe regions by what this network sees in them, in place of colour, texture, position and
    /// shape
    #[arg(long, value_name = "NAME|PATH")]
    network: Option<String>,
    /// How many blobs
    #[arg(long, value_name = "COUNT", default_value_t = regions::Params::default().k)]
    k: usize,
    /// How many pictures to look at, drawn from all
    #[arg(long, value_name = "COUNT", default_value_t = regions::Params::default().pictures)]
    pictures: usize,
    /// The seed by which pictures and the start of k-means are drawn
    #[arg(long, value_name = "NUMBER", default_value_t = regions::Params::default().seed)]
    seed: u64,
    /// Put the network into the folder, so that the blobs need no other file
    #[arg(long, requires = "network")]
    with_network: bool,
}

impl MakeBlobs {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let vectors = match &self.network {
            None => RegionVectors::low_level(self.regions),
            Some(name) => {
                RegionVectors::network(self.regions, Encoder::open(&encoder::locate(name)?)?)?
            }
        };
        let params = regions::Params {
            k: self.k,
            pictures: self.pictures,
            seed: self.seed,
            ..regions::Params::default()
        };
        params.check()?;
        let (pictures, split) = self.source.pictures()?;
        let items = inside(&pictures, split.as_ref());
        let mut cache = Cache::open(&home::features()?, &vectors)?;
        let progress = Talk::new();
        let blobs = Blobs::fit(&items, vectors, &params, Some(&mut cache), &progress)?;
        drop(progress);
        let out: &Path = &self.source.out;
        blobs.save(out)?;
        if let (true, Some(network)) = (self.with_network, &self.network) {
            model::put_network(network, out)?;
        }
        let (found, looked) = blobs.made_from();
        self.source.tell(&json!({
            "vocabulary": out, "extractor": blobs.name(), "blobs": blobs.dimensions(),
            "method": self.regions, "regions": blobs.vectors().name(), "pictures": looked,
            "found": found,
        }))?;
        say(format_args!(
            "made {} of {} in {}, {} passed over, into {}",
            counted(blobs.dimensions() as u64, "blob"),
            counted(found as u64, "region"),
            counted(looked as u64, "picture"),
            items.len().min(self.pictures).saturating_sub(looked),
            out.display()
        ));
        Ok(Outcome::Fine)
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  rebus model words holiday/ --out words
  rebus model words flickr8k --pictures 400 --out words --json

Wherever a network is asked for, the folder will do: `rebus train cca --network words`.")]
pub(super) struct MakeWords {
    #[command(flatten)]
    source: Source,
    /// How many pictures to look at, drawn from all
    #[arg(long, value_name = "COUNT", default_value_t = visual_words::Params::default().pictures)]
    pictures: usize,
    /// How many points of each picture
    #[arg(long, value_name = "COUNT", default_value_t = visual_words::Params::default().points)]
    points: usize,
    /// The seed by which pictures, points and the starts of k-means are drawn
    #[arg(long, value_name = "NUMBER", default_value_t = visual_words::Params::default().seed)]
    seed: u64,
}

impl MakeWords {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let params = visual_words::Params {
            pictures: self.pictures,
            points: self.points,
            seed: self.seed,
            ..visual_words::Params::default()
        };
        params.check()?;
        let (pictures, split) = self.source.pictures()?;
        let items = inside(&pictures, split.as_ref());
        let progress = Talk::new();
        let words = VisualWords::fit(&items, &params, &progress)?;
        drop(progress);
        let out: &Path = &self.source.out;
        words.save(out)?;
        let [colours, textures, shapes] = visual_words::WORDS;
        let looked = words.made_from();
        self.source.tell(&json!({
            "vocabulary": out, "extractor": words.name(), "colours": colours,
            "textures": textures, "shapes": shapes, "pictures": looked,
        }))?;
        say(format_args!(
            "made {colours} colours, {textures} textures and {shapes} shapes of {} into {}",
            counted(looked as u64, "picture"),
            out.display()
        ));
        Ok(Outcome::Fine)
    }
}
