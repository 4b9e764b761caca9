//! `rebus words train-tagger` and `check-tagger`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use rebus_text::tagger::conllu::{self, TaggedSentence};
use rebus_text::tagger::{Params, Tag, Tagger};
use serde_json::json;

use crate::output::{Outcome, answer, counted, keep_inputs, say};

/// Train the part-of-speech tagger on a treebank.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus words train-tagger en_ewt-ud-train.conllu --output english.bin
  rebus words train-tagger train-a.conllu train-b.conllu --check dev.conllu --output mine.bin --json

Treebanks are CoNLL-U files as Universal Dependencies publishes them. The same files, rounds and seed
give the same weights.")]
pub(super) struct TrainTagger {
    /// The treebank to learn from.
    #[arg(required = true, value_name = "FILE.conllu")]
    files: Vec<PathBuf>,
    /// Where to write the weights.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// A part of the treebank that is not learnt from, to measure on.
    #[arg(long, value_name = "FILE.conllu")]
    check: Option<PathBuf>,
    /// How often all sentences are gone through.
    #[arg(long, value_name = "N", default_value_t = Params::default().rounds)]
    rounds: usize,
    /// A feature must occur so often to be used.
    #[arg(long, value_name = "N", default_value_t = Params::default().least)]
    least: u32,
    /// Where the order of sentences comes from.
    #[arg(long, value_name = "S", default_value_t = Params::default().seed)]
    seed: u64,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

impl TrainTagger {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        keep_inputs(self.files.iter().chain(&self.check), &self.output)?;
        let sentences = read(&self.files)?;
        let held_out = self.check.as_ref().map(|path| conllu::read(path)).transpose()?;
        let params = Params { rounds: self.rounds, least: self.least, seed: self.seed };
        let tagger = Tagger::train(&sentences, &params, &mut |round, right| {
            say(format_args!("round {}: {:.2}% right on the way", round + 1, right * 100.0));
        })?;
        tagger.write(&self.output)?;
        let accuracy = held_out.map(|sentences| tagger.accuracy(&sentences));
        if self.json {
            answer(format_args!(
                "{:#}",
                json!({
                    "sentences": sentences.len(),
                    "features": tagger.features(),
                    "bytes": tagger.to_bytes().len(),
                    "accuracy": accuracy,
                })
            ))?;
        } else {
            answer(format_args!("features  {}", tagger.features()))?;
            if let Some(accuracy) = accuracy {
                answer(format_args!("accuracy  {:.2}%", accuracy * 100.0))?;
            }
        }
        say(format_args!(
            "learnt from {}; wrote {}",
            counted(sentences.len() as u64, "sentence"),
            self.output.display()
        ));
        Ok(Outcome::Fine)
    }
}

/// Measure the part-of-speech tagger on a treebank.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus words check-tagger en_ewt-ud-test.conllu
  rebus words check-tagger en_ewt-ud-dev.conllu --weights mine.bin --json")]
pub(super) struct CheckTagger {
    /// The treebank to measure on.
    #[arg(required = true, value_name = "FILE.conllu")]
    files: Vec<PathBuf>,
    /// Weights that `train-tagger` wrote; without it the built-in ones.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

impl CheckTagger {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let read_tagger = self.weights.as_ref().map(|path| Tagger::read(path)).transpose()?;
        let tagger = read_tagger.as_ref().unwrap_or_else(|| Tagger::english());
        let sentences = read(&self.files)?;
        let begun = Instant::now();
        let counts = tagger.counts(&sentences);
        let seconds = begun.elapsed().as_secs_f64();
        let all: u64 = counts.iter().map(|count| count.gold).sum();
        let right: u64 = counts.iter().map(|count| count.right).sum();
        let accuracy = right as f64 / all as f64;
        if self.json {
            let tags: Vec<_> = Tag::ALL
                .into_iter()
                .zip(&counts)
                .map(|(tag, count)| {
                    json!({ "tag": tag.name(), "words": count.gold, "guessed": count.guessed, "right": count.right })
                })
                .collect();
            let accuracy = accuracy.is_finite().then_some(accuracy);
            answer(format_args!(
                "{:#}",
                json!({ "words": all, "accuracy": accuracy, "tags": tags })
            ))?;
        } else {
            answer(format_args!("{:<8}{:>8}{:>11}{:>9}", "tag", "words", "precision", "recall"))?;
            let share = |part: u64, of: u64| match of {
                0 => "-".to_owned(),
                _ => format!("{:.2}%", part as f64 * 100.0 / of as f64),
            };
            for (tag, count) in Tag::ALL.into_iter().zip(&counts) {
                answer(format_args!(
                    "{:<8}{:>8}{:>11}{:>9}",
                    tag.name(),
                    count.gold,
                    share(count.right, count.guessed),
                    share(count.right, count.gold)
                ))?;
            }
            answer(format_args!("{:<8}{all:>8}{:>20}", "all", share(right, all)))?;
        }
        say(format_args!(
            "{}, {:.0} words a second",
            counted(sentences.len() as u64, "sentence"),
            all as f64 / seconds.max(1e-9)
        ));
        Ok(if all == 0 { Outcome::Short } else { Outcome::Fine })
    }
}

fn read(files: &[PathBuf]) -> anyhow::Result<Vec<TaggedSentence>> {
    let mut sentences = Vec::new();
    for path in files {
        sentences.extend(conllu::read(path)?);
    }
    Ok(sentences)
}
