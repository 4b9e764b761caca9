//! `rebus caption-score`: candidate captions against the captions people wrote.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use rebus_collection::Finding;
use rebus_eval::captions::{self, CaptionMeasure, CaptionScores, Tokeniser, read};

use crate::output::{Outcome, ReportArgs, answer, counted, print_report, say};

/// Score candidate captions against references: BLEU, ROUGE, CIDEr.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus caption-score results.json captions_val2014.json
  rebus caption-score system.txt human1.txt human2.txt --measure cider-d,bleu-4 --per-image

Candidates and references are each [{\"image_id\": 1, \"caption\": \"...\"}], COCO captions
{\"images\": ..., \"annotations\": ...}, {\"id\": [\"...\", ...]}, or plain text with a line an
image: several files of references, or one whose references are separated by tabs.
What the COCO caption evaluation calls CIDEr is CIDEr-D here; CIDEr is the measure as first
published. Measures: bleu-1 bleu-2 bleu-3 bleu-4 rouge-l cider cider-d, and the ranking-task
paper's unigram-bleu unigram-rouge bleu-pre.")]
pub(crate) struct CaptionScore {
    /// The captions to score, one an image.
    candidates: PathBuf,
    /// What people wrote: one file, or several plain text files.
    #[arg(required = true)]
    references: Vec<PathBuf>,
    /// The measures, separated by commas; `all` for all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = measures)]
    measure: Vec<Measures>,
    /// Take the sentences as they are: words are separated by spaces.
    #[arg(long, visible_alias = "tokenized")]
    tokenised: bool,
    /// Count CIDEr's document frequencies in these captions instead of in the references.
    #[arg(long, value_name = "CORPUS")]
    df: Option<PathBuf>,
    /// Also print the scores of each image.
    #[arg(long, conflicts_with = "latex")]
    per_image: bool,
    #[command(flatten)]
    figures: ReportArgs,
}

/// What one name stands for.
#[derive(Clone)]
struct Measures(Vec<CaptionMeasure>);

fn measures(name: &str) -> Result<Measures, String> {
    if name == "all" {
        return Ok(Measures(CaptionMeasure::ALL.to_vec()));
    }
    name.parse().map(|measure| Measures(vec![measure]))
}

impl CaptionScore {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let candidates = read::read(&self.candidates)?;
        let references = read::read_references(&self.references)?;
        let corpus = self.df.as_deref().map(read::read).transpose()?;
        let files = [Some(&candidates), Some(&references), corpus.as_ref()];
        files.into_iter().flatten().flat_map(|file| &file.findings).for_each(tell);

        let tokeniser = if self.tokenised { Tokeniser::Whitespace } else { Tokeniser::Ptb };
        let paired = captions::pair(&candidates, &references, corpus.as_ref(), tokeniser)?;
        let scores = captions::score(&paired.set, &self.measures());
        let name = self.candidates.file_stem().unwrap_or_default().to_string_lossy();
        let corpus = self.df.as_ref().map(|path| path.display().to_string());
        let report = captions::report(&name, &paired, &scores, tokeniser, corpus.as_deref());
        if self.per_image && self.figures.json {
            let mut json = report.to_json();
            json["systems"][0]["per_image"] = scores.per_image_json();
            answer(format_args!("{json:#}"))?;
        } else if self.per_image && self.figures.csv {
            answer(per_image_csv(&scores))?;
        } else {
            print_report(&report, &self.figures)?;
            if self.per_image {
                answer(per_image_text(&scores))?;
            }
        }
        let undefined = scores.corpus.iter().filter(|figure| figure.value.is_none()).count();
        say(format_args!(
            "scored {} by {}{}",
            counted(scores.images.len() as u64, "candidate"),
            counted(scores.corpus.len() as u64, "measure"),
            if undefined > 0 { format!(", {undefined} of them undefined") } else { String::new() }
        ));
        Ok(if undefined == scores.corpus.len() { Outcome::Short } else { Outcome::Fine })
    }

    /// The measures asked for, each once; COCO's where none is named.
    fn measures(&self) -> Vec<CaptionMeasure> {
        let mut all: Vec<CaptionMeasure> = Vec::new();
        for &measure in self.measure.iter().flat_map(|Measures(measures)| measures) {
            if !all.contains(&measure) {
                all.push(measure);
            }
        }
        if all.is_empty() { CaptionMeasure::COCO.to_vec() } else { all }
    }
}

fn tell(finding: &Finding) {
    say(format_args!("note: {}: {}", finding.place, finding.what));
}

/// A line an image, a column a measure.
fn per_image_csv(scores: &CaptionScores) -> String {
    let mut csv = "image".to_owned();
    for figure in &scores.corpus {
        let _ = write!(csv, ",{}", figure.measure);
    }
    for image in &scores.images {
        let id = image.id.as_str();
        let id = if id.contains([',', '"', '\n']) {
            format!("\"{}\"", id.replace('"', "\"\""))
        } else {
            id.to_owned()
        };
        let _ = write!(csv, "\n{id}");
        for value in &image.values {
            let _ = write!(csv, ",{}", value.map_or(String::new(), |value| value.to_string()));
        }
    }
    csv
}

/// The same for the eye.
fn per_image_text(scores: &CaptionScores) -> String {
    let width = scores.images.iter().map(|image| image.id.as_str().chars().count()).max();
    let width = width.unwrap_or(0).max("image".len());
    let mut text = format!("{:width$}", "image");
    for figure in &scores.corpus {
        let _ = write!(text, "  {:>9}", figure.measure.name());
    }
    for image in &scores.images {
        let _ = write!(text, "\n{:width$}", image.id.as_str());
        for (value, figure) in image.values.iter().zip(&scores.corpus) {
            let column = figure.measure.name().len().max(9);
            let value = value.map_or("undefined".to_owned(), |value| format!("{value:.4}"));
            let _ = write!(text, "  {value:>column$}");
        }
    }
    text
}
