//! `rebus convert`: from one format to another.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::Split;
use rebus_collection::convert::{Source, Target, convert};
use rebus_collection::writers::{self, WRITERS, WriteOptions, Written};

use crate::output::{Outcome, answer, counted, keep_inputs, say};
use crate::progress::Talk;
use crate::source::SourceArgs;

/// Write a collection in another format.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus convert captions.tsv flickr30k.jsonl --to jsonl
  rebus convert flickr8k shards --to webdataset --split train

The output is there whole or not at all.")]
pub(crate) struct Convert {
    #[command(flatten)]
    source: SourceArgs,
    /// Where to write
    out: PathBuf,
    #[arg(long, value_name = "NAME", help = formats())]
    to: String,
    /// Only this part of the collection
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Of several sets of judgements, the one to write
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let writer = writers::by_name(&self.to)?;
        keep_inputs([&self.source.path], &self.out)?;
        let split = self.split.map(Split::from);
        let source = Source {
            path: &self.source.path,
            format: self.source.choose()?,
            options: &self.source.options(),
        };
        let target = Target {
            path: &self.out,
            writer,
            options: &WriteOptions { set: self.set },
            split: split.as_ref(),
        };
        let done = convert(source, target, &Talk::new())?;
        if self.json {
            answer(serde_json::to_string_pretty(&done)?)?;
        } else {
            answer(done.written.path.display())?;
        }
        for finding in &done.first_findings {
            say(format_args!("{}: {}", finding.place, finding.what));
        }
        if done.findings > done.first_findings.len() as u64 {
            say("`rebus inspect --all-findings` shows all that is odd about the source");
        }
        for what in &done.written.left_out {
            say(format_args!("left out {what}"));
        }
        let (path, what) = (done.written.path.display(), contents(&done.written));
        say(format_args!("wrote {what} to {path}"));
        let Written { items, captions, topics, judgements, .. } = done.written;
        let empty = items + captions + topics + judgements == 0;
        Ok(if empty { Outcome::Short } else { Outcome::Fine })
    }
}

/// What there is of each kind, in words.
fn contents(written: &Written) -> String {
    let kinds = [
        (written.items, "item"),
        (written.captions, "caption"),
        (written.topics, "topic"),
        (written.judgements, "judgement"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| counted(*count, kind))
        .collect();
    if kinds.is_empty() { "nothing".into() } else { kinds.join(", ") }
}

/// The formats that can be written, with their lines of help.
fn formats() -> String {
    let lines = WRITERS.iter().map(|writer| format!("{} ({})", writer.name(), writer.about()));
    format!("The format to write: {}", lines.collect::<Vec<_>>().join("; "))
}
