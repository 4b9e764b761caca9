//! `rebus agree`: how far judges agree, or one set of judgements with another.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rebus_collection::{Collection, format};
use rebus_eval::agreement::{Judgements, Side, Threshold, agreement_against, agreement_among};
use rebus_eval::report::Report;

use crate::output::{Outcome, ReportArgs, Usage, counted, print_report, say};

/// Measure how far judges agree, or one set of judgements with another.
///
/// With one set: Krippendorff's alpha on every scale, then Cohen's kappa and the correlations of every
/// pair of judges. With a reference: correlations of the mean scores, then kappa, precision, recall
/// and F at every pair of thresholds.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus agree ratings.csv
  rebus agree flickr8k --set crowd --against expert --thresholds 1,0.66,0.33 \\
      --against-thresholds 4,3.66,3.33,3,2.66

A table has the columns unit, judge, value; or unit and one column a judge. An empty cell, `NA`, `*`
or `.` is a judgement that was not made. A score reaches a threshold if it is at or above it.")]
pub(crate) struct Agree {
    /// A table of judgements, or with --set a collection that has judgements.
    #[arg(value_name = "PATH")]
    judgements: PathBuf,
    /// A second table, to which the first is compared.
    #[arg(value_name = "REFERENCE", conflicts_with = "set")]
    reference: Option<PathBuf>,
    /// Take this set of judgements from a collection.
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
    /// Compare with this set of judgements of the same collection.
    #[arg(long, value_name = "NAME", requires = "set")]
    against: Option<String>,
    /// The collection's format, if it is not guessed right.
    #[arg(long, value_name = "NAME", requires = "set")]
    format: Option<String>,
    /// Thresholds of the set that is compared; all its steps if not given.
    #[arg(long, value_name = "T,...", value_delimiter = ',', allow_negative_numbers = true)]
    thresholds: Vec<f64>,
    /// Thresholds of the reference; all its steps if not given.
    #[arg(long, value_name = "T,...", value_delimiter = ',', allow_negative_numbers = true)]
    against_thresholds: Vec<f64>,
    #[command(flatten)]
    print: ReportArgs,
}

/// A set of judgements and its name.
type Named = (Judgements, String);

/// More steps than this are no table that anybody reads.
const MOST_STEPS: usize = 24;

impl Agree {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let ((tested, tested_name), reference) = self.sets()?;
        let Some((reference, reference_name)) = reference else {
            if !(self.thresholds.is_empty() && self.against_thresholds.is_empty()) {
                let what = "thresholds need a second set: give REFERENCE, or --against";
                return Err(Usage(what.into()).into());
            }
            let report = agreement_among(&tested);
            print_report(&report, &self.print)?;
            say(format_args!(
                "compared {} of {} by {}",
                counted(tested.ratings.len() as u64, "judgement"),
                counted(tested.ratings.units().len() as u64, "unit"),
                counted(tested.ratings.judges().len() as u64, "judge")
            ));
            return Ok(outcome(&report));
        };
        let thresholds = steps(&self.thresholds, &tested, "--thresholds")?;
        let against = steps(&self.against_thresholds, &reference, "--against-thresholds")?;
        let report = agreement_against(
            Side { name: &tested_name, judgements: &tested, thresholds: &thresholds },
            Side { name: &reference_name, judgements: &reference, thresholds: &against },
        )
        .with_context(|| format!("{tested_name} and {reference_name} cannot be compared"))?;
        print_report(&report, &self.print)?;
        say(format_args!("compared {tested_name} with {reference_name}"));
        Ok(outcome(&report))
    }

    /// The set, and the reference where there is one, with their names.
    fn sets(&self) -> anyhow::Result<(Named, Option<Named>)> {
        let Some(set) = &self.set else {
            let read =
                |path: &PathBuf| -> anyhow::Result<_> { Ok((Judgements::read(path)?, stem(path))) };
            if self.judgements.is_dir() {
                let what = "a folder is a collection: name a set of its judgements with --set";
                return Err(Usage(what.into()).into());
            }
            let reference = self.reference.as_ref().map(read).transpose()?;
            return Ok((read(&self.judgements)?, reference));
        };
        let path = &self.judgements;
        let mut collection = Collection::new();
        format::choose(path, self.format.as_deref())?.read(
            path,
            &format::ReadOptions::default(),
            &mut collection,
        )?;
        let of = |set: &String| -> anyhow::Result<_> {
            Ok((Judgements::of_collection(&collection, set, path)?, set.clone()))
        };
        Ok((of(set)?, self.against.as_ref().map(of).transpose()?))
    }
}

/// Short where nothing at all could be told of the judgements but how many there are.
fn outcome(report: &Report) -> Outcome {
    let figures = report.systems.iter().flat_map(|system| &system.ours);
    let mut figures = figures.flat_map(|task| &task.figures);
    let told = figures.any(|figure| figure.value.is_some() && figure.measure != "units");
    if told { Outcome::Fine } else { Outcome::Short }
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "table".into(), |stem| stem.to_string_lossy().into_owned())
}

/// The thresholds that were given, or every step of the scores if they are few enough to read.
fn steps(given: &[f64], judgements: &Judgements, flag: &str) -> anyhow::Result<Vec<Threshold>> {
    if let Some(wrong) = given.iter().find(|threshold| !threshold.is_finite()) {
        return Err(Usage(format!("{flag}: {wrong} is no threshold")).into());
    }
    if !given.is_empty() {
        return Ok(given.iter().copied().map(Threshold).collect());
    }
    let scores: Vec<f64> = judgements.means().into_values().collect();
    let steps = Threshold::steps(&scores);
    if steps.len() > MOST_STEPS {
        let what = format!("there are {} different scores: choose a few with {flag}", steps.len());
        return Err(Usage(what).into());
    }
    Ok(steps)
}
