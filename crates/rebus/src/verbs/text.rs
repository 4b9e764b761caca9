//! `rebus text`: what tokenisers and stages make of a text.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use rebus_collection::lines::Lines;
use rebus_text::Toolbox;
use rebus_text::analysis::Step;
use rebus_text::lemma::Lemmatiser;
use serde_json::{Value, json};

use crate::output::{Outcome, Usage, answer, counted, say};

/// Show what tokenisers, spelling, stop words, lemmas and stems make of a text.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus text \"A man's T-shirt isn't white.\"
  rebus text --stages words,lower,stop-words,stem < captions.txt

Without --stages every tokeniser, stage and pipeline is shown by itself: the stages work on the
tokens that the caption measures use. With --stages one works on what the one before it left.
Tokenisers: ptb words. Pipelines: captions ranking-task ranking-task-stemmed. Stages: lower spelling
compounds hyphens strip stop-words lemma stem.
From a file or stdin, each line is a text, and each gives a line: its tokens, or JSON.")]
pub(crate) struct Text {
    /// The text; without it the lines of --file or stdin.
    #[arg(conflicts_with = "file")]
    text: Option<String>,
    /// Read texts from this file, a line each.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A tokeniser or pipeline and the stages behind it, separated by commas.
    #[arg(long, visible_alias = "stage", value_name = "NAMES", value_delimiter = ',')]
    stages: Vec<String>,
    /// A corpus, a text a line (of a table the last column), to learn spelling and compounds from.
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// The folder of WordNet's files, if it is not in its usual place; `none` for the built-in table.
    #[arg(long, value_name = "FOLDER")]
    wordnet: Option<PathBuf>,
    /// Print JSON: an object a text, with the tokens behind every step.
    #[arg(long)]
    json: bool,
}

impl Text {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let toolbox = self.toolbox()?;
        match &self.text {
            Some(text) => self.one(text, &toolbox),
            None => self.many(&toolbox),
        }
    }

    fn toolbox(&self) -> anyhow::Result<Toolbox> {
        let lemmatiser = match self.wordnet.as_deref() {
            Some(none) if none == Path::new("none") => Lemmatiser::builtin(),
            Some(folder) => Lemmatiser::wordnet(folder)?,
            None => Lemmatiser::installed()?,
        };
        let toolbox = Toolbox::new(lemmatiser);
        let Some(path) = &self.corpus else { return Ok(toolbox) };
        let texts = lines(Lines::open(path)?, |line| line.rsplit('\t').next().unwrap_or(line))?;
        Ok(toolbox.with_corpus(&texts))
    }

    /// The steps of one text: as a table, or as JSON.
    fn one(&self, text: &str, toolbox: &Toolbox) -> anyhow::Result<Outcome> {
        let steps = self.steps(text, toolbox)?;
        if self.json {
            answer(format_args!("{:#}", self.to_json(text, &steps, toolbox)))?;
        } else {
            let mut table = Table::new();
            table.load_style(presets::NOTHING);
            table.set_content_arrangement(ContentArrangement::Disabled);
            table.set_header(["stage", "result"]);
            for step in &steps {
                table.add_row([step.name, &shown(step)]);
            }
            let lines = table.to_string();
            let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
            answer(lines.join("\n"))?;
            for change in toolbox.corrections(text) {
                say(format_args!(
                    "spelling: {} is {} at distance {}",
                    change.from, change.to, change.distance
                ));
            }
        }
        let tokens = steps.last().map_or(0, |step| step.tokens.len());
        say(format_args!(
            "{}, {} at the end; lemmas from {}",
            counted(steps.len() as u64, "step"),
            counted(tokens as u64, "token"),
            toolbox.lemma_source()
        ));
        Ok(Outcome::Fine)
    }

    /// A line for each line.
    fn many(&self, toolbox: &Toolbox) -> anyhow::Result<Outcome> {
        let texts = match &self.file {
            Some(path) => lines(Lines::open(path)?, |line| line)?,
            None if std::io::stdin().is_terminal() => {
                let what = "there is no text: give one, or --file, or lines on stdin";
                return Err(Usage(what.to_owned()).into());
            }
            None => lines(Lines::new("stdin", std::io::stdin()), |line| line)?,
        };
        let mut tokens = 0;
        if self.json {
            for text in &texts {
                let steps = self.steps(text, toolbox)?;
                tokens += steps.last().map_or(0, |step| step.tokens.len());
                answer(self.to_json(text, &steps, toolbox))?;
            }
        } else {
            let captions = ["captions".to_owned()];
            let names = if self.stages.is_empty() { &captions[..] } else { &self.stages };
            for line in toolbox.analysis(names)?.batch(&texts) {
                tokens += line.len();
                answer(line.join(" "))?;
            }
        }
        let read = counted(texts.len() as u64, "text");
        say(format_args!("{read}, {} at the end", counted(tokens as u64, "token")));
        Ok(if texts.is_empty() { Outcome::Short } else { Outcome::Fine })
    }

    fn steps(&self, text: &str, toolbox: &Toolbox) -> anyhow::Result<Vec<Step>> {
        if self.stages.is_empty() {
            return Ok(toolbox.overview(text));
        }
        Ok(toolbox.analysis(&self.stages)?.steps(text))
    }

    fn to_json(&self, text: &str, steps: &[Step], toolbox: &Toolbox) -> Value {
        let steps: Vec<Value> =
            steps.iter().map(|step| json!({ "stage": step.name, "tokens": step.tokens })).collect();
        let corrections: Vec<Value> = toolbox
            .corrections(text)
            .into_iter()
            .map(|c| json!({ "from": c.from, "to": c.to, "distance": c.distance }))
            .collect();
        json!({ "text": text, "steps": steps, "corrections": corrections })
    }
}

/// Tokens with blanks between them; the hard spaces within a token made visible.
fn shown(step: &Step) -> String {
    step.tokens.join(" ").replace('\u{a0}', "\u{2423}")
}

/// All lines, as `part` cuts them. What was odd about the encoding is said.
fn lines<R: std::io::Read>(
    mut lines: Lines<R>,
    part: impl Fn(&str) -> &str,
) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    while let Some(line) = lines.next_line()? {
        texts.push(part(line.text).to_owned());
    }
    for finding in lines.take_findings() {
        say(format_args!("note: {}: {}", finding.place, finding.what));
    }
    Ok(texts)
}
