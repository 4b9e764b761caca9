//! `rebus synth`: draws the synthetic world.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::synth::{Settings, write};

use crate::output::{Outcome, answer, counted, say};
use crate::progress::Talk;

/// Draw a small illustrated world: pictures with captions, keywords and splits.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus synth world --images 1000
  rebus synth world --images 200 --seed 7 --json

The folder holds photos/, collection.jsonl, and the same captions as Flickr8k-style token files.
The same seed gives the same bytes; picture k does not depend on how many are drawn.")]
pub(crate) struct Synth {
    /// The folder to draw into; it is made if it is not there.
    folder: PathBuf,
    /// How many pictures to draw.
    #[arg(long, value_name = "N", default_value_t = Settings::default().images)]
    images: u64,
    /// Which world to draw.
    #[arg(long, value_name = "S", default_value_t = Settings::default().seed)]
    seed: u64,
    /// Print what was written as JSON.
    #[arg(long)]
    json: bool,
}

impl Synth {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let settings = Settings { images: self.images, seed: self.seed };
        let written = write(&self.folder, settings, &Talk::new())?;
        if self.json {
            answer(serde_json::to_string_pretty(&written)?)?;
        } else {
            answer(written.collection.display())?;
        }
        say(format_args!(
            "drew {} with {} (train {}, dev {}, test {}) into {}",
            counted(written.images, "picture"),
            counted(written.captions, "caption"),
            written.train,
            written.dev,
            written.test,
            self.folder.display()
        ));
        Ok(Outcome::Fine)
    }
}
