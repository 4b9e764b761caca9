//! `rebus try`: the first walk through.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::synth::Settings;
use serde_json::json;

use crate::home;
use crate::output::{Outcome, answer, say};
use crate::progress::Talk;
use crate::verbs::serve::{Door, Page, serve_here};
use crate::walk::{Annotation, Search, Walk, showcase, walk};

/// Names a folder of photos to take instead of a drawn world.
const PHOTOS: &str = "PHOTOS";

/// Walk the whole way: draw a small world, learn from it, search, annotate, measure.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus try --open
  rebus try my-world --images 500 --seed 7 --json

Draws pictures with captions, takes features, fits a dual encoder (regularised linear CCA) on the
training pictures, ranks the test pictures and captions, and writes a page that shows both ways.

With --serve or --open it also fits a lexicon, which knows what is no match, indexes the pictures
with it, and serves them as a page until Ctrl-C. Where the environment has PHOTOS, that folder is
indexed and served by the built-in model instead, and nothing is drawn.")]
pub(crate) struct Try {
    /// The folder to work in; by default one in your cache folder.
    folder: Option<PathBuf>,
    /// How many pictures to draw; one in ten is for testing.
    #[arg(long, value_name = "N", default_value_t = Settings::default().images,
          value_parser = images)]
    images: u64,
    /// Which world to draw.
    #[arg(long, value_name = "S", default_value_t = Settings::default().seed)]
    seed: u64,
    /// Print figures and examples as JSON.
    #[arg(long)]
    json: bool,
    /// Then index the pictures, and serve them as a page until Ctrl-C.
    #[arg(long)]
    serve: bool,
    #[command(flatten)]
    door: Door,
}

impl Try {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let folder = match self.folder {
            Some(folder) => folder,
            None => home::cache()?.join(format!("try-{}-{}", self.images, self.seed)),
        };
        let serve = self.serve || self.door.open;
        if let Some(photos) = std::env::var_os(PHOTOS).filter(|photos| serve && !photos.is_empty())
        {
            let folder = folder.with_file_name("try-photos");
            let index = showcase::photos(&folder, photos.as_ref(), &Talk::new())?;
            return serve_here(index, &self.door, Page::Search);
        }
        let settings = Settings { images: self.images, seed: self.seed };
        let talk = Talk::new();
        let walk = walk(&folder, settings, &talk)?;
        drop(talk);
        if self.json {
            answer(format_args!("{:#}", to_json(&walk)))?;
        } else {
            for search in &walk.searches {
                answer(search_text(search))?;
            }
            for annotation in &walk.annotations {
                answer(annotation_text(annotation))?;
            }
            answer(walk.report.to_text())?;
        }
        say(format_args!("the world, the model and its features are in {}", walk.folder.display()));
        say(format_args!("look at {}", walk.sheet.display()));
        if serve {
            let index = showcase::world(&folder, &Talk::new())?;
            let words = showcase::queries(&index)?;
            say(format_args!("words to search for in the drawn world: {}", words.join(", ")));
            return serve_here(index, &self.door, Page::Search);
        }
        Ok(Outcome::Fine)
    }
}

/// A number of pictures that leaves some to test on.
fn images(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(images @ 20..) => Ok(images),
        Ok(_) => Err("one picture in ten is for testing: draw at least 20".into()),
        Err(_) => Err("a number of pictures, at least 20".into()),
    }
}

fn to_json(walk: &Walk) -> serde_json::Value {
    let mut whole = walk.report.to_json();
    whole["folder"] = json!(walk.folder);
    whole["sheet"] = json!(walk.sheet);
    whole["examples"] = json!({ "search": walk.searches, "annotation": walk.annotations });
    whole
}

fn search_text(search: &Search) -> String {
    let mut text = format!("search  {}\n", search.query);
    for (k, hit) in search.pictures.iter().enumerate() {
        let mark = if hit.gold { "  <- its own picture" } else { "" };
        text.push_str(&format!("  {}. photos/{}  {:.2}{mark}\n", k + 1, hit.what, hit.score));
    }
    text
}

fn annotation_text(annotation: &Annotation) -> String {
    let mut text = format!("annotate  photos/{}\n", annotation.picture);
    for (k, hit) in annotation.sentences.iter().enumerate() {
        let mark = if hit.gold { "  <- its own sentence" } else { "" };
        text.push_str(&format!("  {}. {}  {:.2}{mark}\n", k + 1, hit.what, hit.score));
    }
    let words: Vec<&str> = annotation.keywords.iter().map(|hit| hit.what.as_str()).collect();
    text.push_str(&format!("  keywords: {}\n", words.join(", ")));
    text
}
