//! `rebus bench`: how fast, against whom.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use rebus_models::DualEncoder;

use crate::built_in;
use crate::output::{Outcome, ReportArgs, Usage, counted, print_report, say};

/// Time rebus against named peers on the same data in the same run.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus bench eval
  rebus bench eval --peers scratch/peers/bin/python --json
  rebus bench encoders --peers scratch/peers/bin/python --photos photos

The peers are installed by crates/bench/peers/install into a scratch environment.")]
pub(crate) struct Bench {
    /// The group of cases: encoders, eval, index, kernels, models, ranksvm, relevance, search, vision
    group: String,
    /// Only the cases of these names
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    case: Vec<String>,
    /// A Python that has the peers; without it only rebus is timed
    #[arg(long, value_name = "PYTHON")]
    peers: Option<PathBuf>,
    /// A collection with five captions a picture, in place of the synthetic world's captions
    #[arg(long, value_name = "PATH")]
    captions: Option<PathBuf>,
    /// A folder of photos, in place of the synthetic world's pictures
    #[arg(long, value_name = "DIR")]
    photos: Option<PathBuf>,
    /// The seed that the data are drawn from
    #[arg(long, default_value_t = rebus_bench::Options::default().seed)]
    seed: u64,
    /// The share of the full size of each case, up to 1
    #[arg(long, default_value_t = rebus_bench::Options::default().scale)]
    scale: f64,
    #[command(flatten)]
    report: ReportArgs,
}

/// This program, for cases that start it.
fn command() -> anyhow::Result<rebus_bench::Command> {
    Ok(rebus_bench::Command {
        program: std::env::current_exe().context("where this program lies")?,
        model: built_in::NAME.into(),
        version: built_in::version(),
        dimensions: built_in::model()?.dimensions(),
    })
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        if !(f64::MIN_POSITIVE..=1.0).contains(&self.scale) {
            return Err(Usage("--scale is above 0 and at most 1".into()).into());
        }
        let cases: Vec<_> = rebus_bench::cases(&self.group)
            .filter(|case| self.case.is_empty() || self.case.iter().any(|name| name == case.name))
            .collect();
        if cases.is_empty() {
            let names: Vec<_> = rebus_bench::cases(&self.group).map(|case| case.name).collect();
            let what = if names.is_empty() {
                let groups: Vec<_> = rebus_bench::groups().collect();
                format!("there is no group `{}`; there are: {}", self.group, groups.join(", "))
            } else {
                let asked = self.case.join(", ");
                format!("{} has no case `{asked}`; there are: {}", self.group, names.join(", "))
            };
            return Err(Usage(what).into());
        }
        let options = rebus_bench::Options {
            python: self.peers,
            captions: self.captions,
            photos: self.photos,
            command: Some(command()?),
            seed: self.seed,
            scale: self.scale,
        };
        let mut outcomes = Vec::new();
        for case in cases {
            say(format_args!("{}: {}", case.name, case.about));
            let outcome = case.run(&options).with_context(|| format!("case {}", case.name))?;
            outcomes.push((case, outcome));
        }
        print_report(&rebus_bench::report(&options, &outcomes), &self.report)?;
        let missed = outcomes.iter().filter(|(_, outcome)| !outcome.met()).count();
        let cases = counted(outcomes.len() as u64, "case");
        say(format_args!("{cases} timed, {missed} short of the target"));
        Ok(if missed == 0 { Outcome::Fine } else { Outcome::Short })
    }
}
