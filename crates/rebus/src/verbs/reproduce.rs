//! `rebus reproduce`: the papers' tables, ours beside theirs.

use std::path::PathBuf;

use clap::Args;
use rebus_papers::{PAPERS, Part, paper, part};
use serde_json::{Value, json};

use crate::output::{Outcome, ReportArgs, Usage, answer, print_report, say};
use crate::progress::Talk;

/// Where data sets lie, each in a folder of its name.
const DATA: &str = "REBUS_DATA";

/// Compute a paper's figures again, and show them beside the published ones.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus reproduce --list
  rebus reproduce ranking-task --part judgements --data flickr8k --report judgements.html

Without --data, the data set is looked for in the folder that the environment variable REBUS_DATA
names. Where a figure differs from the paper's, the difference stands beneath it.")]
pub(crate) struct Reproduce {
    /// The paper, by its short name.
    #[arg(required_unless_present = "list")]
    paper: Option<String>,
    /// What to recompute of it; may be left out where the paper has one part only.
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// The folder of the data set.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// List the papers and their parts.
    #[arg(long, conflicts_with_all = ["paper", "part", "data", "csv", "latex", "report"])]
    list: bool,
    #[command(flatten)]
    output: ReportArgs,
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let Some(name) = self.paper.as_deref().filter(|_| !self.list) else {
            list(&self.output)?;
            return Ok(Outcome::Fine);
        };
        let part = self.chosen(name)?;
        let folder = self.folder(part)?;
        let report = part.run(&folder, &Talk::new())?;
        print_report(&report, &self.output)?;
        say(format_args!(
            "recomputed {} published figures of {name}, {}, from {}",
            report.compared(),
            part.name,
            folder.display()
        ));
        Ok(Outcome::Fine)
    }

    fn chosen(&self, name: &str) -> anyhow::Result<&'static Part> {
        if let Some(wanted) = &self.part {
            return Ok(part(name, wanted)?);
        }
        match paper(name)?.parts {
            [only] => Ok(only),
            parts => {
                let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
                Err(Usage(format!("{name} has several parts: --part {}", names.join("|"))).into())
            }
        }
    }

    fn folder(&self, part: &Part) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.data {
            return Ok(folder.clone());
        }
        match std::env::var_os(DATA).filter(|folder| !folder.is_empty()) {
            Some(folder) => Ok(PathBuf::from(folder).join(part.data)),
            None => Err(Usage(format!(
                "where is the data set {0}? Give its folder with --data DIR, or set {DATA} to the \
                 folder that holds {0}",
                part.data
            ))
            .into()),
        }
    }
}

fn list(output: &ReportArgs) -> anyhow::Result<()> {
    if output.json {
        let part =
            |part: &Part| json!({ "name": part.name, "about": part.about, "data": part.data });
        let papers: Vec<Value> = PAPERS
            .iter()
            .map(|paper| {
                let parts: Vec<Value> = paper.parts.iter().map(part).collect();
                json!({ "name": paper.name, "title": paper.title, "parts": parts })
            })
            .collect();
        answer(format_args!("{:#}", Value::Array(papers)))?;
    } else {
        for paper in PAPERS {
            answer(format_args!("{}  {}", paper.name, paper.title))?;
            for part in paper.parts {
                let Part { name, about, data, .. } = part;
                answer(format_args!("  --part {name}  {about} (data: {data})"))?;
            }
        }
    }
    say(format_args!("listed {} paper(s)", PAPERS.len()));
    Ok(())
}
