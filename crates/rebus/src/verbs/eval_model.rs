//! The models' half of `rebus eval`: how well a dual encoder ranks the pictures and captions of a
//! collection, both ways.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use rebus_collection::{Collection, Split};
use rebus_eval::report::{Protocol, Report};
use rebus_eval::{GoldMap, GoldRanks, Qrels, Run, Ties};
use rebus_models::{Affinity, Model, Training, dot_products};

use super::eval_probabilities;
use crate::model;
use crate::output::{Usage, counted, say};
use crate::part::{Part, Pictures, texts};
use crate::progress::Talk;

/// Which models to measure, and on what.
#[derive(Args)]
pub(super) struct ModelArgs {
    /// A model: its name or its folder; may be repeated
    #[arg(long, value_name = "NAME|FOLDER", requires = "data",
          conflicts_with_all = ["qrels", "run", "scores"])]
    model: Vec<String>,
    /// With --model: the collection with pictures and captions
    #[arg(long, value_name = "PATH", requires = "model")]
    data: Option<PathBuf>,
    /// With --model: what is asked for: the captions both ways, or pictures for each keyword
    #[arg(long, value_enum, default_value = "captions", requires = "model")]
    queries: Queries,
    /// With --model: how many captions of each picture are queries and pool [default: all]
    #[arg(long, value_name = "K", requires = "model", value_parser = clap::value_parser!(u32).range(1..))]
    captions: Option<u32>,
    /// With --model: where the pictures lie, if not where the format expects them
    #[arg(long, value_name = "DIR", requires = "model")]
    photos: Option<PathBuf>,
}

/// What a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Queries {
    /// Every caption for its picture, every picture for its captions
    Captions,
    /// Every keyword for the pictures that have it
    Keywords,
    /// How far the probabilities of a lexicon can be believed, for texts and for pictures as
    /// queries
    Probabilities,
}

/// Rankings of every model for every keyword, and which pictures have it.
pub(super) struct KeywordRuns {
    pub(super) runs: Vec<(String, Run)>,
    pub(super) qrels: Qrels,
    pub(super) protocol: Protocol,
}

/// Ranks of every model over one pool.
pub(super) struct Measured {
    pub(super) systems: Vec<(String, GoldRanks)>,
    pub(super) map: GoldMap,
    pub(super) protocol: Protocol,
    /// What a reader of the figures should know.
    pub(super) notes: Vec<String>,
}

impl ModelArgs {
    /// The collection and the part of it that was asked for.
    fn pictures(
        &self,
        data: &Path,
        split: Option<&str>,
    ) -> anyhow::Result<(Pictures, Option<Split>)> {
        let pictures = Pictures::read(data, self.photos.as_deref())?;
        let split = match split {
            Some(name) => pictures.split(Some(name), &Split::Test)?,
            None => None,
        };
        Ok((pictures, split))
    }

    fn protocol(&self, data: &Path, split: Option<&Split>, part: &Part<'_>) -> Protocol {
        Protocol::new()
            .with("collection", data.display().to_string())
            .with("split", split.map_or("all", Split::as_str))
            .with("pictures left out", part.failed)
    }

    /// Ranks pictures for keywords by every model asked for; `None` where none was, or keywords
    /// were not.
    pub(super) fn keyword_runs(&self, split: Option<&str>) -> anyhow::Result<Option<KeywordRuns>> {
        let asked = !self.model.is_empty() && self.queries == Queries::Keywords;
        let Some(data) = self.data.as_ref().filter(|_| asked) else { return Ok(None) };
        let (pictures, split) = self.pictures(data, split)?;
        let progress = Talk::new();
        let mut found: Option<KeywordRuns> = None;
        for name in &self.model {
            let opened = model::open(name)?;
            let part = pictures.part(split.as_ref(), &*opened.extractor, &progress)?;
            let mut qrels = Qrels::new();
            for item in &part.items {
                for keyword in &item.keywords {
                    qrels.judge(keyword, item.id.as_str(), 1)?;
                }
            }
            let keywords: Vec<&str> = qrels.topics().map(|(keyword, _)| keyword).collect();
            let texts = opened.model.encode_texts(&keywords)?;
            let scores = dot_products(&texts, &opened.model.encode_images(&part.features)?)?;
            let mut run = Run::new(&opened.name);
            for (row, keyword) in keywords.iter().enumerate() {
                // A word that the model does not know finds nothing.
                if texts.row(row).iter().any(|&value| value != 0.0) {
                    for (item, &score) in part.items.iter().zip(scores.row(row)) {
                        run.add(keyword, item.id.as_str(), f64::from(score))?;
                    }
                }
            }
            run.sort()?;
            let found = found.get_or_insert_with(|| KeywordRuns {
                runs: Vec::new(),
                protocol: self
                    .protocol(data, split.as_ref(), &part)
                    .with("queries", "keywords, pictures that have one are relevant")
                    .with("pool", part.items.len()),
                qrels,
            });
            found.runs.push((opened.name, run));
        }
        Ok(found)
    }

    /// How far the probabilities of a model can be believed; `None` where that was not asked.
    pub(super) fn probabilities(&self, split: Option<&str>) -> anyhow::Result<Option<Report>> {
        let asked = !self.model.is_empty() && self.queries == Queries::Probabilities;
        let Some(data) = self.data.as_ref().filter(|_| asked) else { return Ok(None) };
        let [name] = &self.model[..] else {
            return Err(Usage("--queries probabilities looks at one model".into()).into());
        };
        let (lexicon, extractor) = (model::lexicon(name)?, model::extractor(name)?);
        let (pictures, split) = self.pictures(data, split)?;
        let part = pictures.part(split.as_ref(), &*extractor, &Talk::new())?;
        let texts = texts(&pictures.collection, &part);
        let captioned =
            Training { extractor: extractor.name(), features: &part.features, texts: &texts };
        let protocol = self.protocol(data, split.as_ref(), &part).with("model", name.as_str());
        let found = eval_probabilities::report(&lexicon, &captioned, protocol)?;
        Ok(Some(found.context("the pictures have no captions that tell anything")?))
    }

    /// Ranks the collection by every model asked for; `None` where none was.
    pub(super) fn ranks(
        &self,
        split: Option<&str>,
        ties: Ties,
    ) -> anyhow::Result<Option<Measured>> {
        let Some(data) = self.data.as_ref().filter(|_| !self.model.is_empty()) else {
            return Ok(None);
        };
        let (pictures, split) = self.pictures(data, split)?;
        let progress = Talk::new();
        let mut measured: Option<Measured> = None;
        for name in &self.model {
            let opened = model::open(name)?;
            let part = pictures.part(split.as_ref(), &*opened.extractor, &progress)?;
            let pool = Pool::new(&pictures.collection, &part, self.captions)?;
            let (ranks, unrankable) = pool.ranks(&*opened.model, &part, ties)?;
            let notes = match unrankable {
                0 => Vec::new(),
                _ => vec![format!(
                    "{name}: {} without a word that it knows: not to be ranked, and last",
                    counted(unrankable as u64, "caption")
                )],
            };
            match &mut measured {
                None => {
                    let protocol = self
                        .protocol(data, split.as_ref(), &part)
                        .with("pool", "pictures, and all captions taken of them");
                    let systems = vec![(opened.name, ranks)];
                    measured = Some(Measured { systems, map: pool.map, protocol, notes });
                }
                Some(measured) if measured.map.image_of() == pool.map.image_of() => {
                    measured.systems.push((opened.name, ranks));
                    measured.notes.extend(notes);
                }
                Some(_) => anyhow::bail!("the models could not look at the same pictures"),
            }
        }
        Ok(measured)
    }
}

/// What is ranked: the pictures that have captions, and those captions.
struct Pool<'a> {
    /// Rows of the part's features.
    rows: Vec<usize>,
    texts: Vec<&'a str>,
    map: GoldMap,
}

impl<'a> Pool<'a> {
    fn new(collection: &'a Collection, part: &Part<'_>, most: Option<u32>) -> anyhow::Result<Self> {
        let most = most.map_or(usize::MAX, |most| most as usize);
        let (mut rows, mut texts, mut image_of) = (Vec::new(), Vec::new(), Vec::new());
        for (row, item) in part.items.iter().enumerate() {
            let before = texts.len();
            for caption in collection.captions_of(&item.id).take(most) {
                texts.push(caption.text.as_str());
                image_of.push(rows.len());
            }
            if texts.len() > before {
                rows.push(row);
            }
        }
        if rows.is_empty() {
            return Err(anyhow::anyhow!("no picture could be looked at and has captions"));
        }
        let without = part.items.len() - rows.len();
        if without > 0 {
            let without = counted(without as u64, "picture");
            say(format_args!("note: not ranked: {without} without captions"));
        }
        let map = GoldMap::new(&image_of, rows.len())?;
        Ok(Self { rows, texts, map })
    }

    /// The ranks, and how many captions hold no word that the model knows: those stand last for
    /// every picture, and their own picture last for them, not where chance puts them.
    fn ranks(
        &self,
        model: &dyn Model,
        part: &Part<'_>,
        ties: Ties,
    ) -> anyhow::Result<(GoldRanks, usize)> {
        let features = part.features.only(&self.rows);
        let vectors = model.encode_texts(&self.texts)?;
        let zero = |row: &usize| vectors.row(*row).iter().all(|&value| value == 0.0);
        let unrankable: Vec<usize> = (0..vectors.rows()).filter(zero).collect();
        let mut scores = Affinity::Dual(model).matrix(&features, &self.texts)?;
        for row in 0..scores.rows() {
            let scores = scores.row_mut(row);
            unrankable.iter().for_each(|&column| scores[column] = f32::MIN);
        }
        let ranks = GoldRanks::new(&scores, &self.map, ties).context("cannot measure the model")?;
        Ok((ranks, unrankable.len()))
    }
}
