//! `rebus words correlate`: similarities against what people say.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::lines::Lines;
use rebus_eval::correlation::spearman;
use serde_json::{Value, json};

use super::fitted::FittedArgs;
use crate::output::{Outcome, answer, counted, say};

/// Compare word similarities with people's: Spearman's rank correlation.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus words correlate EN-WS-353-SIM.txt EN-SIMLEX-999.txt --data flickr8k
  rebus words correlate EN-MEN-TR-3k.txt --data flickr8k --background simplewiki.txt --json

A file has two words and a number a line. Only pairs count whose words a similarity both knows; how
many those are stands beside it. A pair that a similarity leaves out of its table counts as 0.")]
pub(super) struct Correlate {
    /// The files with people's similarities.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    fitted: FittedArgs,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

impl Correlate {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let fitted = self.fitted.fit()?;
        let mut sets = Vec::new();
        for path in &self.files {
            let pairs = read(path)?;
            let lemmas: Vec<(String, String)> = pairs
                .iter()
                .map(|(one, other, _)| (fitted.lemma(one), fitted.lemma(other)))
                .collect();
            let mut found = Vec::new();
            for name in fitted.names() {
                let how = fitted.between(name, &lemmas);
                let known =
                    pairs.iter().zip(how).filter_map(|((.., said), how)| Some((*said, how?)));
                let (said, ours): (Vec<f64>, Vec<f64>) = known.unzip();
                let rho = spearman(&said, &ours).ok().map(|rho| rho.coefficient);
                if !self.json {
                    let rho = rho.map_or_else(|| "undefined".to_owned(), |rho| format!("{rho:.3}"));
                    let file = path.file_name().unwrap_or_default().to_string_lossy();
                    answer(format_args!(
                        "{file:<24}{name:<12}{rho:>10}  {:>5} of {}",
                        said.len(),
                        counted(pairs.len() as u64, "pair")
                    ))?;
                }
                found.push(json!({ "name": name, "spearman": rho, "pairs": said.len() }));
            }
            sets.push(json!({ "file": path, "pairs": pairs.len(), "similarities": found }));
        }
        if self.json {
            answer(format_args!("{:#}", Value::from(sets)))?;
        }
        say(counted(self.files.len() as u64, "file"));
        Ok(Outcome::Fine)
    }
}

/// Two words and how similar people find them, a line each; blanks or tabs between.
fn read(path: &std::path::Path) -> anyhow::Result<Vec<(String, String, f64)>> {
    let mut lines = Lines::open(path)?;
    let mut pairs = Vec::new();
    while let Some(line) = lines.next_line()? {
        let fields: Vec<&str> = line.text.split_whitespace().collect();
        let (number, pair) = (line.number, fields.as_slice());
        match pair {
            [] => {}
            [one, other, said] if said.parse::<f64>().is_ok_and(f64::is_finite) => {
                pairs.push(((*one).to_owned(), (*other).to_owned(), said.parse().unwrap_or(0.0)));
            }
            _ => anyhow::bail!("{}:{number}: expected two words and a number", path.display()),
        }
    }
    Ok(pairs)
}
