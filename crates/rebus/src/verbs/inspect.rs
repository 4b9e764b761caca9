//! `rebus inspect`: what is in a collection.

use std::fmt::Write;

use clap::Args;
use rebus_collection::Error;
use rebus_collection::inspect::figures::{self, Content, Figures, KINDS};
use rebus_collection::inspect::{Findings, Inspection, Spread, Vocabulary, inspect};
use rebus_text::tagger::Verbs;
use serde_json::{Value, json};

use crate::output::{Outcome, answer, counted, say};
use crate::progress::Talk;
use crate::source::SourceArgs;
use crate::verbs::inspect_verbs::Listening;

/// So many findings are shown unless all are asked for.
const SHOWN: usize = 10;

/// Tell what is in a collection: counts, splits, captions, doubles, and what is odd about it.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus inspect captions.tsv --photos photos --examine
  rebus inspect table.csv --column caption=sentence_text --json

Static verbs are sit, stand, wear and look.
TREC judgements, TREC runs and NumPy arrays are described too: --format qrels, run, npy.")]
pub(crate) struct Inspect {
    #[command(flatten)]
    source: SourceArgs,
    /// Open every picture: find broken and identical ones
    #[arg(long)]
    examine: bool,
    /// Show all that is odd, not only the first ten
    #[arg(long)]
    all_findings: bool,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        if let Some(kind) = self.figures() {
            return self.run_figures(kind);
        }
        let mut options = self.source.options();
        options.examine_images = self.examine;
        let keep = if self.all_findings { Findings::All } else { Findings::First(SHOWN) };
        let format = self.source.choose().map_err(with_kinds)?;
        let format = Listening::new(format);
        let found = inspect(&self.source.path, &format, &options, keep, &Talk::new())?;
        let verbs = format.verbs();
        if self.json {
            let mut whole = serde_json::to_value(&found)?;
            whole["verbs"] = match verbs.captions {
                0 => Value::Null,
                captions => json!({
                    "captions": captions,
                    "share_without": verbs.share_without(),
                    "share_only_static": verbs.share_only_static(),
                }),
            };
            answer(format_args!("{whole:#}"))?;
        } else {
            answer(describe(&found, &verbs).trim_end())?;
        }
        say(format_args!(
            "read {} and {} from {} as {}; {}",
            counted(found.items, "item"),
            counted(found.captions, "caption"),
            found.path.display(),
            found.format,
            counted(found.findings.total, "finding")
        ));
        let empty = found.items + found.captions + found.topics == 0 && found.judgements.is_empty();
        Ok(if empty { Outcome::Short } else { Outcome::Fine })
    }
}

impl Inspect {
    /// What kind of figures the path holds, if it is no collection.
    fn figures(&self) -> Option<figures::Kind> {
        match &self.source.format {
            Some(name) => KINDS.iter().find(|(kind, _)| kind == name).map(|&(_, kind)| kind),
            None => match self.source.choose() {
                Err(Error::UnknownFormat { path, .. }) => figures::recognise(&path),
                _ => None,
            },
        }
    }

    fn run_figures(&self, kind: figures::Kind) -> anyhow::Result<Outcome> {
        let found = figures::summarise(&self.source.path, kind)?;
        if self.json {
            answer(serde_json::to_string_pretty(&found)?)?;
        } else {
            answer(describe_figures(&found).trim_end())?;
        }
        say(format_args!("read {}", found.path.display()));
        Ok(Outcome::Fine)
    }
}

/// The formats that only this verb knows are named with the others.
fn with_kinds(mut error: Error) -> Error {
    if let Error::UnknownFormat { known, .. } | Error::NoSuch { known, .. } = &mut error {
        known.extend(KINDS.iter().map(|(name, _)| (*name).to_owned()));
    }
    error
}

fn describe_figures(found: &Figures) -> String {
    let mut lines = Lines(String::new());
    match &found.content {
        Content::Qrels { topics, judgements, grades, relevant_a_topic } => {
            lines.add("format", "qrels: TREC relevance judgements");
            lines.add("topics", topics);
            lines.add("judgements", judgements);
            let grades: Vec<String> =
                grades.iter().map(|(grade, n)| format!("{grade}: {n}")).collect();
            lines.add("grades", grades.join(", "));
            if let Some(spread) = relevant_a_topic {
                lines.add("relevant a topic", show(spread));
            }
        }
        Content::Run { name, topics, results, results_a_topic, tied } => {
            lines.add("format", "run: a TREC run");
            lines.add("name", name);
            lines.add("topics", topics);
            lines.add("results", results);
            if let Some(spread) = results_a_topic {
                lines.add("results a topic", show(spread));
            }
            lines.add("tied with another", tied);
        }
        Content::Npy { shape, range, not_finite } => {
            lines.add("format", "npy: a NumPy array");
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            lines.add("shape", shape.join(" x "));
            if let Some((low, high)) = range {
                lines.add("values", format!("{low} to {high}"));
            }
            if let Some(count) = not_finite {
                lines.add("not finite", count);
            }
        }
    }
    lines.0
}

/// Lines of a name and a value, one under the other.
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{name:<24}{value}");
    }

    fn count(&mut self, name: &str, count: u64) {
        if count > 0 {
            self.add(name, count);
        }
    }
}

fn describe(found: &Inspection, verbs: &Verbs) -> String {
    let mut lines = Lines(String::new());
    lines.add("format", found.format);
    lines.add("items", found.items);
    for (split, items) in &found.splits {
        lines.add(&format!("  {split}"), items);
    }
    let split: u64 = found.splits.values().sum();
    if !found.splits.is_empty() && split < found.items {
        lines.add("  in no split", found.items - split);
    }
    pictures(found, &mut lines);
    captions(found, verbs, &mut lines);
    if let Some(words) = &found.keywords {
        lines.add("keywords", words.total);
        vocabulary(words, &mut lines);
    }
    lines.count("topics", found.topics);
    for (set, judgements) in &found.judgements {
        let name = if set.is_empty() { "judgements".into() } else { format!("judgements {set}") };
        lines.add(&name, judgements.judgements);
        lines.count("  judges", judgements.judges);
        let verdicts: Vec<String> =
            judgements.verdicts.iter().map(|(verdict, n)| format!("{verdict}: {n}")).collect();
        lines.add("  verdicts", verdicts.join(", "));
    }
    findings(found, &mut lines);
    lines.0
}

fn pictures(found: &Inspection, lines: &mut Lines) {
    let pictures = &found.pictures;
    lines.add("pictures at hand", pictures.present);
    lines.count("  named but missing", pictures.missing);
    lines.count("  not at hand", pictures.absent);
    if let Some(broken) = pictures.broken {
        lines.add("  broken", broken);
    }
    if let Some(same) = found.duplicates.pictures {
        lines.add("  same bytes as another", same);
    }
}

fn captions(found: &Inspection, verbs: &Verbs, lines: &mut Lines) {
    if found.captions == 0 {
        return;
    }
    lines.add("captions", found.captions);
    if let Some(spread) = &found.captions_an_item {
        lines.add("  an item", show(spread));
    }
    if let Some(spread) = &found.words_a_caption {
        lines.add("  words a caption", show(spread));
    }
    if let Some(words) = &found.vocabulary {
        vocabulary(words, lines);
    }
    if verbs.captions > 0 {
        let looked_at = match verbs.captions < found.captions {
            true => format!(" (of the first {})", verbs.captions),
            false => String::new(),
        };
        let share = |share: f64| format!("{:.1}%{looked_at}", share * 100.0);
        lines.add("  without a verb", share(verbs.share_without()));
        lines.add("  only static verbs", share(verbs.share_only_static()));
    }
    lines.count("  items without", found.items_without_caption);
    lines.count("  without their item", found.captions_without_item);
    lines.count("  same under many items", found.duplicates.caption_texts);
    lines.count("  with a name twice", found.duplicates.caption_ids);
}

fn show(spread: &Spread) -> String {
    let Spread { min, median, mean, max } = spread;
    format!("min {min}, median {median}, mean {mean:.2}, max {max}")
}

fn vocabulary(words: &Vocabulary, lines: &mut Lines) {
    lines.add("  different words", format!("{}, {} of them once", words.distinct, words.once));
    let frequent: Vec<String> =
        words.most_frequent.iter().map(|(word, count)| format!("{word} {count}")).collect();
    lines.add("  most frequent", frequent.join(", "));
}

fn findings(found: &Inspection, lines: &mut Lines) {
    let findings = &found.findings;
    if findings.total == 0 {
        return;
    }
    let skipped = format!("{}, {} of them left something out", findings.total, findings.skipped);
    lines.add("findings", skipped);
    for finding in &findings.shown {
        let _ = writeln!(lines.0, "  {}: {}", finding.place, finding.what);
    }
    let more = findings.total - findings.shown.len() as u64;
    if more > 0 {
        let _ = writeln!(lines.0, "  and {more} more; --all-findings shows them");
    }
}
