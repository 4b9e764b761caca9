//! The keywords half of `rebus eval`: precision, recall and F of every word.

use std::path::{Path, PathBuf};

use clap::Args;
use rebus_collection::{Collection, Error, Split, format, lines};
use rebus_eval::annotation::{KeywordQuestion, KeywordReport, Keywords, keyword_report};
use rebus_eval::report::Protocol;

use crate::output::{
    Outcome, ReportArgs, answer, counted, keep_inputs, print_report, say, write_page,
};
use crate::systems::single;

/// What the measures of keywords need.
#[derive(Args)]
pub(super) struct KeywordArgs {
    /// The true words of pictures: a collection with keywords, or lines of picture, tab, words
    /// separated by commas
    #[arg(long, value_name = "TRUTH", requires = "predicted",
          conflicts_with_all = ["run", "trec", "fuse"])]
    pub(super) keywords: Option<PathBuf>,
    /// The words that a system gave to pictures, the best first: lines as of --keywords, or JSON,
    /// {"picture": ["word"]}; may be repeated
    #[arg(long, value_name = "[NAME=]FILE", requires = "keywords")]
    predicted: Vec<String>,
    /// Take means over these words, one on each line [default: all that a picture has]
    #[arg(long, value_name = "FILE", requires = "keywords")]
    words: Option<PathBuf>,
    /// The collection's format, if it is not guessed right
    #[arg(long, value_name = "NAME", requires = "keywords")]
    format: Option<String>,
}

impl KeywordArgs {
    /// Measures the systems on the truth, or on this part of it, and prints what was found.
    pub(super) fn measure(
        &self,
        truth: &PathBuf,
        split: Option<&str>,
        cutoffs: &[usize],
        per_word: bool,
        output: &ReportArgs,
    ) -> anyhow::Result<Outcome> {
        let files = single(&self.predicted)?;
        if let Some(out) = &output.report {
            keep_inputs(files.iter().map(|(_, path)| path).chain([truth]).chain(&self.words), out)?;
        }
        let known = self.truth(truth, split)?;
        let words = self.words.as_deref().map(read_words).transpose()?;
        let mut systems = Vec::with_capacity(files.len());
        for (name, path) in &files {
            systems.push((name.clone(), Keywords::read(path)?));
        }
        let shown: Vec<String> = files.iter().map(|(_, path)| path.display().to_string()).collect();
        let protocol = Protocol::new()
            .with("keywords", truth.display().to_string())
            .with("predicted", shown.join(", "));
        let protocol = match split {
            Some(split) => protocol.with("split", split),
            None => protocol,
        };
        let protocol = match &self.words {
            Some(words) => protocol.with("words", words.display().to_string()),
            None => protocol,
        };
        let question = KeywordQuestion { truth: &known, words: words.as_deref(), cutoffs };
        let found = keyword_report(&systems, question, protocol)?;
        print(&found, per_word, output)?;
        let systems = counted(systems.len() as u64, "system");
        say(format_args!("measured {systems} on {}", counted(known.len() as u64, "picture")));
        Ok(Outcome::Fine)
    }

    /// The true words, of a collection or of a table.
    fn truth(&self, path: &Path, split: Option<&str>) -> anyhow::Result<Keywords> {
        let name = lines::plain_name(path);
        let is_table = [".tsv", ".txt", ".json"].iter().any(|end| name.ends_with(end));
        if is_table && path.is_file() && self.format.is_none() && split.is_none() {
            return Ok(Keywords::read(path)?);
        }
        let mut collection = Collection::new();
        let format = format::choose(path, self.format.as_deref())?;
        format.read(path, &format::ReadOptions::default(), &mut collection)?;
        let split = split.map(|name| Split::from(name.to_owned()));
        let keywords = Keywords::of_collection(&collection, split.as_ref());
        match split {
            Some(split) if collection.items_in(&split).next().is_none() => {
                let known = collection.items().iter().filter_map(|it| collection.split_of(&it.id));
                let mut known: Vec<&str> = known.map(Split::as_str).collect();
                known.sort_unstable();
                known.dedup();
                Err(Error::no_such("split", split.as_str(), known).into())
            }
            _ if keywords.is_empty() => {
                let place = rebus_collection::Place::file(path);
                Err(Error::malformed(place, "no picture has keywords").into())
            }
            _ => Ok(keywords),
        }
    }
}

/// One word on each line.
fn read_words(path: &Path) -> rebus_collection::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut lines = lines::Lines::open(path)?;
    while let Some(line) = lines.next_line()? {
        let word = line.text.trim();
        if !word.is_empty() {
            words.push(word.to_owned());
        }
    }
    Ok(words)
}

fn print(found: &KeywordReport, per_word: bool, output: &ReportArgs) -> anyhow::Result<()> {
    if per_word && output.json {
        write_page(&found.report, output)?;
        let mut json = found.report.to_json();
        if let Some(systems) = json["systems"].as_array_mut() {
            for (at, system) in systems.iter_mut().enumerate() {
                system["per_query"] = found.words_json(at);
            }
        }
        return answer(format_args!("{json:#}"));
    }
    print_report(&found.report, output)?;
    if per_word {
        let mut lines = vec!["system\ttask\tquery\tmeasure\tvalue".to_owned()];
        for (system, task, word, measure, value) in found.values() {
            let value = value.map_or("undefined".into(), |value| format!("{value:.4}"));
            lines.push(format!("{system}\t{task}\t{word}\t{measure}\t{value}"));
        }
        answer(lines.join("\n"))?;
    }
    Ok(())
}
