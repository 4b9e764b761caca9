//! `rebus reproduce`: the papers' tables, ours beside theirs.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::Split;
use rebus_papers::{PAPERS, Part, Request, paper, part};
use rebus_vision::{Extractor, find_extractor};
use serde_json::{Value, json};

use crate::home;
use crate::output::{Outcome, ReportArgs, Usage, answer, counted, print_report, say};
use crate::progress::Talk;

/// Where data sets lie, each in a folder of its name.
const DATA: &str = "REBUS_DATA";

/// Compute a paper's figures again, and show them beside the published ones.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus reproduce --list
  rebus reproduce ranking-task --data flickr8k --systems TRI5SEM,BoW5
  rebus reproduce ranking-task --part judgements --data flickr8k --report judgements.html
  rebus reproduce relevance-models --data corel5k --report relevance.html
  rebus reproduce scalable-explicit --data flickr8k --features tiny-vit-5m --report page.html

Without --data, the data set is looked for in the folder that the environment variable REBUS_DATA
names. Where a figure differs from the paper's, the difference stands beneath it.")]
pub(crate) struct Reproduce {
    /// The paper, by its short name.
    #[arg(required_unless_present = "list")]
    paper: Option<String>,
    /// What to recompute of it; the first part of its list where nothing is said.
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// The folder of the data set.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    systems: SystemArgs,
    /// List the papers and their parts.
    #[arg(long, conflicts_with_all = ["paper", "part", "data", "csv", "latex", "report"])]
    list: bool,
    #[command(flatten)]
    output: ReportArgs,
}

/// What parts that fit systems can be told.
#[derive(Args)]
struct SystemArgs {
    /// The split to report: dev or test; settings are never chosen on it [default: dev; test for
    /// the blobs of relevance-models]
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,
    /// Only these systems, by the names of the table, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    systems: Vec<String>,
    /// Where the split's pictures lie, if not with the data
    #[arg(long, value_name = "DIR")]
    photos: Option<PathBuf>,
    /// Features in place of the paper's own: a name of `rebus model list`, the path of an ONNX image
    /// network, or for pixels regions, graph-regions or a folder of blobs
    #[arg(long, value_name = "NAME")]
    features: Option<String>,
    /// A file of other text to learn word similarities from (repeatable); without it the glosses
    /// of WordNet
    #[arg(long, value_name = "FILE")]
    background: Vec<PathBuf>,
    /// How many updates a model makes that is trained step by step, if not the paper's number
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    updates: Option<u64>,
    /// Where to keep features and matrices for the next run; safe to delete
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl SystemArgs {
    /// Refuses what the part would ignore.
    fn check(&self, paper: &str, part: &Part) -> Result<(), Usage> {
        let given = [
            ("split", self.split.is_some()),
            ("systems", !self.systems.is_empty()),
            ("photos", self.photos.is_some()),
            ("features", self.features.is_some()),
            ("background", !self.background.is_empty()),
            ("updates", self.updates.is_some()),
            ("cache", self.cache.is_some()),
        ];
        let unused = given.iter().find(|(flag, is_given)| *is_given && !part.takes.contains(flag));
        let Some((unused, _)) = unused else { return Ok(()) };
        let takes: Vec<String> = part.takes.iter().map(|flag| format!("--{flag}")).collect();
        let takes = match takes.as_slice() {
            [] => "none of these flags".to_owned(),
            takes => takes.join(", "),
        };
        Err(Usage(format!("{paper}, {} has no use for --{unused}: it takes {takes}", part.name)))
    }

    /// What looks at photos, if it is named.
    fn extractor(&self) -> anyhow::Result<Option<Box<dyn Extractor>>> {
        Ok(self.features.as_deref().map(find_extractor).transpose()?)
    }

    fn request<'a>(&self, extractor: Option<&'a dyn Extractor>) -> anyhow::Result<Request<'a>> {
        let cache = match &self.cache {
            Some(folder) => folder.clone(),
            None => home::cache()?,
        };
        Ok(Request {
            split: self.split.clone().map(Split::from),
            systems: self.systems.clone(),
            photos: self.photos.clone(),
            background: self.background.clone(),
            cache: Some(cache),
            updates: self.updates,
            extractor,
        })
    }
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let Some(name) = self.paper.as_deref().filter(|_| !self.list) else {
            list(&self.output)?;
            return Ok(Outcome::Fine);
        };
        let part = self.chosen(name)?;
        self.systems.check(name, part)?;
        let folder = self.folder(part)?;
        let extractor = self.systems.extractor()?;
        let request = self.systems.request(extractor.as_deref())?;
        let report = part.run(&folder, &request, &Talk::new())?;
        print_report(&report, &self.output)?;
        say(format_args!(
            "recomputed {} of {name}, {}, from {}",
            counted(report.compared() as u64, "published figure"),
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
            [first, ..] => Ok(first),
            [] => Err(Usage(format!("nothing of {name} can be recomputed yet")).into()),
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
    say(format_args!("listed {}", counted(PAPERS.len() as u64, "paper")));
    Ok(())
}
