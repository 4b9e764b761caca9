//! `rebus words`: what words are, and which are alike.

mod correlate;
mod fitted;
mod similar;
mod tagger;

use clap::{Args, Subcommand};

use crate::output::Outcome;

/// Find similar words, and work with the part-of-speech tagger.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus words similar rider swim --data flickr8k --background simplewiki.txt
  rebus words check-tagger en_ewt-ud-test.conllu")]
pub(crate) struct Words {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Similar(similar::Similar),
    Correlate(correlate::Correlate),
    TrainTagger(tagger::TrainTagger),
    CheckTagger(tagger::CheckTagger),
}

impl Words {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        match self.what {
            What::Similar(similar) => similar.run(),
            What::Correlate(correlate) => correlate.run(),
            What::TrainTagger(train) => train.run(),
            What::CheckTagger(check) => check.run(),
        }
    }
}
