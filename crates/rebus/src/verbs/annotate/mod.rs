//! `rebus annotate`: words for photos, and into the sidecars beside them if that is asked for.

mod print;
mod refit;
mod regions;
mod undo;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rebus_collection::format::{ReadOptions, by_name};
use rebus_collection::photo::examine::BROKEN;
use rebus_collection::sidecar::Journal;
use rebus_collection::{Collection, Error, Item, Progress};
use rebus_eval::fusion::Fusion;
use rebus_index::Index;
use rebus_index::annotate::{
    Annotation, Annotator, Asked, CaptionPool, Floor, Indexed, Reviews, Studio, Viewer, Writing,
};
use rebus_models::Understands;

use crate::model::{Opened, open, open_recorded};
use crate::output::{Outcome, Usage, say};
use crate::progress::Talk;
use crate::verbs::serve::{Door, Page, serve_here};
use crate::{built_in, home, index};

use print::Found;

/// Suggest keywords and sentences for photos, and write them into sidecars if asked to.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus annotate holiday/
  rebus annotate holiday/ --write xmp --dry-run
  rebus annotate a.jpg b.jpg --captions captions.txt --sentences 1 --json
  rebus annotate holiday/ --show-regions regions.html
  rebus annotate --review --open

Nothing is written without --write xmp, and then only into the .xmp files beside the photos, never
into a photo. What is there stays. `rebus annotate --undo` takes the last run back, and
`rebus annotate --undo holiday/` everything that was ever written beside those photos.

What was rejected in a review of the index, the last one unless --index names another, is not
suggested again, and what was accepted is written along.")]
pub(crate) struct Annotate {
    /// Photos, and folders of photos
    #[arg(value_name = "PHOTOS|FOLDERS")]
    photos: Vec<PathBuf>,
    /// A model; of several, the rankings are made into one (repeatable) [default: rebus-small, or
    /// what the index was made with]
    #[arg(long = "model", value_name = "NAME|DIR")]
    models: Vec<String>,
    /// How the rankings of several models are made into one
    #[arg(long, value_name = "METHOD", default_value_t = Fusion::Borda)]
    fusion: Fusion,
    /// Where sentences come from: a .txt file with one a line, or a collection with captions
    /// [default: sentences of our own]
    #[arg(long, value_name = "FILE|COLLECTION")]
    captions: Option<PathBuf>,
    /// How many keywords a photo, at most
    #[arg(long, value_name = "N", default_value_t = Asked::default().keywords)]
    keywords: usize,
    /// How many sentences a photo, at most
    #[arg(long, value_name = "N", default_value_t = Asked::default().sentences)]
    sentences: usize,
    /// Leave out what is less probable [default: 0.1; for writing 0.5]
    #[arg(long, value_name = "P", value_parser = probability)]
    min_probability: Option<f64>,
    /// Write what is suggested into sidecars
    #[arg(long, value_name = "FORMAT")]
    write: Option<Format>,
    /// Only say what would be written
    #[arg(long, requires = "write")]
    dry_run: bool,
    /// Take back what was written: the last run, or everything beside these photos
    #[arg(long, conflicts_with_all = ["write", "models", "captions", "index", "refit", "review"])]
    undo: bool,
    /// Take the photos from an index, with what was said about them there
    #[arg(long, value_name = "DIR|NAME", num_args = 0..=1, default_missing_value = "")]
    index: Option<String>,
    /// Go through the photos of an index as a page until Ctrl-C: accept, reject, correct
    #[arg(long, conflicts_with_all = ["photos", "models", "write", "captions", "refit", "json", "csv"])]
    review: bool,
    #[command(flatten)]
    door: Door,
    /// Learn from what was accepted, rejected and corrected in an index: makes a new model
    #[arg(long, conflicts_with_all = ["photos", "write", "captions"])]
    refit: bool,
    /// Where the new model goes [default: among the user's models, by the name of the index]
    #[arg(long, value_name = "DIR", requires = "refit")]
    out: Option<PathBuf>,
    /// Write a page that shows the regions of each photo, and with a --model over blobs, or a folder of
    /// blobs, the blob of each region and the blob's likeliest words
    #[arg(long, value_name = "PAGE.html", conflicts_with_all = ["write", "undo", "index", "refit",
          "captions", "csv"])]
    show_regions: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print what was found as comma-separated values
    #[arg(long)]
    csv: bool,
}

/// What can be written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// XMP sidecars: dc:subject, dc:description, digiKam:TagsList, lr:hierarchicalSubject
    Xmp,
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a probability is between 0 and 1".into()),
    }
}

impl Annotate {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        if self.undo {
            return self.take_back();
        }
        if self.refit {
            return self.learn();
        }
        if self.review {
            return serve_here(self.reviewed()?, &self.door, Page::Review);
        }
        if self.photos.is_empty() && self.index.is_none() {
            return Err(
                Usage("name photos or folders, an index with --index, or --review".into()).into()
            );
        }
        if let Some(page) = &self.show_regions {
            return self.show_regions(page);
        }
        let index = self.index()?;
        let opened = self.opened(index.as_ref())?;
        let understanding: Vec<&dyn Understands> =
            opened.iter().map(|opened| &*opened.model as &dyn Understands).collect();
        let pool = self.pool(&understanding)?;
        let annotator = Annotator::new(&understanding, pool, self.fusion)?;
        let viewers: Vec<Viewer<'_>> = opened.iter().map(viewer).collect();
        // Verdicts are about contents, so that they hold wherever the photos are taken from.
        let reviewed =
            index.as_ref().map(|index| index.folder().to_path_buf()).or_else(index::last);
        let reviews = match &reviewed {
            Some(folder) => Reviews::of_index(folder).by_photo()?,
            None => Default::default(),
        };
        let mut studio = Studio::new(&viewers, annotator, reviews);
        // An index has the vectors already.
        if index.is_none() {
            for error in studio.keep_features(&home::features()?) {
                say(format_args!("note: features of photos are not kept: {error}"));
            }
        }
        let mut journal = match (self.write, self.dry_run) {
            (Some(Format::Xmp), false) => Some(Journal::open(&home::journal())?),
            _ => None,
        };
        let floor = self.min_probability.map_or_else(Floor::default, Floor);
        let writing = match (&mut journal, self.write) {
            (Some(journal), _) => Writing::Sidecars(floor, journal),
            (None, Some(_)) => Writing::Plan(floor),
            (None, None) => Writing::Nothing,
        };
        let asked = self.asked();
        let names: Vec<&str> = opened.iter().map(|opened| opened.name.as_str()).collect();
        let mut found = Found::new(&names, self.captions.as_deref());
        let progress = Talk::new();
        let mut each = |annotation: Annotation| found.take(annotation);
        let ended = match &index {
            Some(index) => {
                let within = whole_paths(&self.photos)?;
                let indexed = Indexed { index, models: &names, within: &within };
                studio.annotate_index(&indexed, &asked, writing, &progress, &mut each)
            }
            None => {
                let items = read(&self.photos, &progress)?;
                studio.annotate(&items, &asked, writing, &progress, &mut each)
            }
        };
        drop(progress);
        // What was done before an interruption is told all the same.
        found.print(&self)?;
        ended?;
        Ok(if found.is_empty() { Outcome::Short } else { Outcome::Fine })
    }

    /// The index that was asked for, if any; the last one, if none was named.
    fn index(&self) -> anyhow::Result<Option<Index>> {
        self.index.is_some().then(|| self.reviewed()).transpose()
    }

    /// The index whose reviews are meant: the last one, if none was named.
    fn reviewed(&self) -> anyhow::Result<Index> {
        index::open(self.index.as_deref().filter(|name| !name.is_empty()))
    }

    /// The models that were asked for; those of the index, or else the built-in one, if none was.
    fn opened(&self, index: Option<&Index>) -> anyhow::Result<Vec<Opened>> {
        match index {
            Some(index) if self.models.is_empty() => {
                index.models().iter().map(open_recorded).collect()
            }
            None if self.models.is_empty() => Ok(vec![open(built_in::NAME)?]),
            _ => self.models.iter().map(|name| open(name)).collect(),
        }
    }

    fn asked(&self) -> Asked {
        let usual = Asked::default();
        Asked {
            keywords: self.keywords,
            sentences: self.sentences,
            min_probability: self.min_probability.unwrap_or(usual.min_probability),
        }
    }

    fn pool(&self, models: &[&dyn Understands]) -> anyhow::Result<CaptionPool> {
        match &self.captions {
            None => Ok(models.first().map_or_else(CaptionPool::built_in, |model| {
                CaptionPool::built_in().known_to(*model)
            })),
            Some(path) => {
                let pool = CaptionPool::read(path)?;
                if pool.sentences().is_empty() {
                    let what = "there is no sentence in it";
                    let place = rebus_collection::Place::file(path);
                    return Err(Error::malformed(place, what).into());
                }
                Ok(pool)
            }
        }
    }
}

fn viewer(opened: &Opened) -> Viewer<'_> {
    Viewer { model: &*opened.model, extractor: &*opened.extractor }
}

/// The photos of all paths, each once.
fn read(paths: &[PathBuf], progress: &dyn Progress) -> anyhow::Result<Vec<Item>> {
    let folder = by_name("folder")?;
    let mut items: Vec<Item> = Vec::new();
    progress.begin("reading folders", Some(paths.len() as u64));
    for path in paths {
        let mut collection = Collection::new();
        folder.read(path, &ReadOptions::default(), &mut collection)?;
        // Whoever looks at a broken picture will say so.
        for finding in collection.findings().iter().filter(|f| !f.what.starts_with(BROKEN)) {
            say(format_args!("note: {}: {}", finding.place, finding.what));
        }
        for mut item in collection.items().iter().cloned() {
            // Names are within a folder; several folders may have the same.
            item.id = format!("{}:{}", items.len(), item.id).into();
            items.push(item);
        }
        progress.advance(1);
        if progress.interrupted() {
            return Err(Error::Interrupted.into());
        }
    }
    Ok(items)
}

fn whole_paths(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let whole = |path: &PathBuf| {
        path.canonicalize().map_err(|source| Error::io(path as &Path, source).into())
    };
    paths.iter().map(whole).collect()
}
