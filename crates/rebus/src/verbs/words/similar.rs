//! `rebus words similar`: the words most similar to a word, by every similarity.

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use rebus_papers::ranking_task::figure_3;
use serde_json::{Value, json};

use super::fitted::{Fitted, FittedArgs};
use crate::output::{Outcome, answer, counted, say};

/// Show the words most similar to a word, by each similarity of the ranking-task paper.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus words similar rider swim --data flickr8k --background simplewiki.txt
  rebus words similar dog --data captions.tsv --top 10 --json

Similarities: alignment of the captions of an image (equation 25), distributional in the captions
and in the background text (24), Lin's of two senses of WordNet (22) and the kernel made of it (23),
and combined, the greater of alignment and the mean of both distributional ones (26, 27), which the
kernel TRI5SEM uses. For the words of
the paper's Figure 3 what it prints stands beneath.
What was learnt is kept in your cache folder, by the content of the captions and files.")]
pub(super) struct Similar {
    /// The words.
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    fitted: FittedArgs,
    /// How many similar words to show.
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

impl Similar {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let fitted = self.fitted.fit()?;
        let words: Vec<(&String, String)> =
            self.words.iter().map(|word| (word, fitted.lemma(word))).collect();
        if self.json {
            let words: Vec<Value> =
                words.iter().map(|(asked, word)| self.to_json(asked, word, &fitted)).collect();
            answer(format_args!("{:#}", json!({ "words": words })))?;
        } else {
            for (at, (_, word)) in words.iter().enumerate() {
                let space = if at > 0 { "\n" } else { "" };
                answer(format_args!("{space}{word}\n{}", self.table(word, &fitted)))?;
            }
        }
        let names = fitted.names();
        let known = |word: &str| names.iter().any(|n| !fitted.most_similar(n, word, 1).is_empty());
        let unknown: Vec<&str> =
            words.iter().map(|(_, word)| word.as_str()).filter(|word| !known(word)).collect();
        if !unknown.is_empty() {
            say(format_args!("nothing is known to be similar to {}", unknown.join(", ")));
        }
        let (words_there, pairs) = fitted.size();
        let (words_there, pairs) =
            (counted(words_there as u64, "word"), counted(pairs as u64, "pair"));
        say(format_args!("{words_there} and {pairs} in the combined similarity"));
        Ok(if unknown.len() == words.len() { Outcome::Short } else { Outcome::Fine })
    }

    /// A column a similarity; the paper's beneath ours.
    fn table(&self, word: &str, fitted: &Fitted) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Disabled);
        let columns = fitted.names();
        table.set_header(std::iter::once("").chain(columns.iter().copied()));
        let ours: Vec<Vec<(&str, f64)>> =
            columns.iter().map(|name| fitted.most_similar(name, word, self.top)).collect();
        for at in 0..ours.iter().map(Vec::len).max().unwrap_or(0) {
            let cell = |column: &Vec<(&str, f64)>| match column.get(at) {
                Some((word, how)) => format!("{word} {how:.2}"),
                None => String::new(),
            };
            let name = if at == 0 { "ours" } else { "" };
            table.add_row(std::iter::once(name.to_owned()).chain(ours.iter().map(cell)));
        }
        let paper: Vec<_> = columns.iter().map(|name| figure_3::column(word, name)).collect();
        if paper.iter().any(Option::is_some) {
            for at in 0..5 {
                let cell = |column: &Option<&figure_3::Column>| match column {
                    Some(column) => {
                        let (word, how) = column.printed[at];
                        format!("{word} {how:.2}")
                    }
                    None => String::new(),
                };
                let name = if at == 0 { "paper" } else { "" };
                table.add_row(std::iter::once(name.to_owned()).chain(paper.iter().map(cell)));
            }
        }
        let lines = table.to_string();
        let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    fn to_json(&self, asked: &str, word: &str, fitted: &Fitted) -> Value {
        let pair = |word: &str, how: f64| json!({ "word": word, "similarity": how });
        let similarities: Vec<Value> = fitted
            .names()
            .into_iter()
            .map(|name| {
                let ours = fitted.most_similar(name, word, self.top).into_iter();
                let ours: Vec<Value> = ours.map(|(word, how)| pair(word, how)).collect();
                let paper = figure_3::column(word, name).map(|column| {
                    column.printed.iter().map(|&(word, how)| pair(word, how)).collect::<Vec<_>>()
                });
                json!({ "name": name, "ours": ours, "paper": paper })
            })
            .collect();
        json!({ "asked": asked, "word": word, "similarities": similarities })
    }
}
