//! `rebus compare`: systems against a baseline, with stars and p-values.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use rebus_collection::{Place, lines, npy};
use rebus_eval::comparison::{Comparison, Contestant, QueryValues, Test, add_orders};
use rebus_eval::significance::{Bootstrap, Correction, Randomisation};
use rebus_eval::{
    Evaluation, GoldMap, GoldRanks, Measure, Options, Qrels, Run, Ties, Topics, evaluate,
};

use crate::output::{Outcome, ReportArgs, Usage, counted, keep_inputs, print_report, say, ties};
use crate::systems::{Entry, entries};

/// Compare systems with a baseline: figures with stars, p-values, intervals.
///
/// A system is a run (with --qrels), a score matrix (.npy), or a table of values by query (.csv, .tsv,
/// .json). NAME=FILE names it; NAME=FILE,FILE,... are several runs of it, of which mean and deviation
/// are shown.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus compare tri5sem.run bow5.run nn.run --qrels qrels.txt --measure R-precision,S@5
  rebus compare KCCA=s1.npy,s2.npy,s3.npy NN=nn.npy --correct holm --intervals --json
  rebus compare a.npy b.npy c.npy d.npy --measure R@1,R@10,median --correlate

Measures for which every value is 0 or 1 (R@k, S@k) are tested by McNemar's exact test, others by
Fisher's randomisation test of the means, or of the medians where the figure is one; --test chooses
another. All judged topics count: one without results has found nothing.")]
pub(crate) struct Compare {
    /// The systems; the first is the baseline unless --baseline names another.
    #[arg(value_name = "[NAME=]FILE[,FILE...]", required = true)]
    systems: Vec<String>,
    /// Judgements for runs: topic, iteration, document, grade on each line.
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,
    /// The name of the system that the others are compared with.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Measures, separated by commas (see `rebus eval --list-measures`).
    #[arg(long, value_name = "NAMES")]
    measure: Vec<String>,
    /// The test of significance.
    #[arg(long, value_name = "TEST", default_value = "auto",
          value_parser = clap::builder::PossibleValuesParser::new(Test::names()))]
    test: String,
    /// Adjust p-values for the number of systems, measure by measure.
    #[arg(long, value_enum, value_name = "HOW", default_value = "none")]
    correct: Adjustment,
    /// Show bootstrap intervals of the figures (BCa, 95 % unless --confidence says otherwise).
    #[arg(long)]
    intervals: bool,
    /// The confidence of the intervals.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, requires = "intervals")]
    confidence: f64,
    /// Show how alike these measures, or all, order the systems: Spearman's rho and Kendall's tau-b.
    #[arg(long, value_name = "NAMES", num_args = 0..=1, default_missing_value = "")]
    correlate: Option<String>,
    /// Samples of the randomisation test.
    #[arg(long, value_name = "N", default_value_t = Randomisation::default().samples)]
    samples: usize,
    /// Seed of the samples and the draws.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// What becomes of items that share a score.
    #[arg(long, value_name = "RULE", default_value = "worst",
          value_parser = ties())]
    ties: Ties,
    /// The grade from which on a document is relevant.
    #[arg(long, value_name = "GRADE", default_value_t = 1, allow_negative_numbers = true)]
    threshold: i32,
    /// For score matrices: the image of each text, from 0, one on each line, or a list as .npy.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    #[command(flatten)]
    print: ReportArgs,
}

/// How p-values are adjusted for the number of systems.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Adjustment {
    None,
    Holm,
    Bonferroni,
    /// Benjamini-Hochberg.
    Bh,
}

impl From<Adjustment> for Correction {
    fn from(adjustment: Adjustment) -> Self {
        match adjustment {
            Adjustment::None => Self::None,
            Adjustment::Holm => Self::Holm,
            Adjustment::Bonferroni => Self::Bonferroni,
            Adjustment::Bh => Self::BenjaminiHochberg,
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scores,
    Table,
    Run,
}

impl Kind {
    fn of(path: &Path) -> Self {
        let name = lines::plain_name(path);
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        match () {
            () if ends(&[".npy"]) => Self::Scores,
            () if ends(&[".csv", ".tsv", ".json"]) => Self::Table,
            () => Self::Run,
        }
    }
}

impl Compare {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let entries = entries(&self.systems)?;
        let files = || entries.iter().flat_map(|entry| &entry.files);
        if let Some(out) = &self.print.report {
            keep_inputs(files().chain(&self.qrels).chain(&self.map), out)?;
        }
        if entries.len() < 2 {
            let what = "one system has nothing to be compared with: name another (`rebus eval` \
                        measures one)";
            return Err(Usage(what.into()).into());
        }
        let kind = kind(&entries)?;
        self.check()?;
        let baseline = self.baseline_of(&entries)?;
        let reader = Reader::new(&self, kind)?;
        let mut systems = Vec::with_capacity(entries.len());
        for entry in &entries {
            let runs = entry.files.iter().map(|path| reader.values(path));
            let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
            systems.push(Contestant { name: entry.name.clone(), runs });
        }
        let bootstrap =
            Bootstrap { confidence: self.confidence, seed: self.seed, ..Bootstrap::default() };
        let comparison = Comparison {
            baseline,
            test: self.test.parse().map_err(Usage)?,
            randomisation: Randomisation { samples: self.samples, seed: self.seed },
            correction: self.correct.into(),
            intervals: self.intervals.then_some(bootstrap),
        };
        let mut report = comparison.report(&systems)?;
        if let Some(names) = &self.correlate {
            let names: Vec<String> =
                names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            add_orders(&mut report, &names)?;
        }
        report.protocol = reader.told(report.protocol);
        print_report(&report, &self.print)?;
        let others = counted(systems.len() as u64 - 1, "system");
        say(format_args!("compared {others} with {}", entries[baseline].name));
        Ok(Outcome::Fine)
    }

    /// Settings that clap cannot check.
    fn check(&self) -> anyhow::Result<()> {
        if !(f64::MIN_POSITIVE..1.0).contains(&self.confidence) {
            return Err(Usage("--confidence lies between 0 and 1".into()).into());
        }
        if self.samples == 0 {
            return Err(Usage("--samples is at least 1".into()).into());
        }
        Ok(())
    }

    fn baseline_of(&self, entries: &[Entry]) -> anyhow::Result<usize> {
        let Some(name) = &self.baseline else { return Ok(0) };
        entries.iter().position(|entry| entry.name == *name).ok_or_else(|| {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            Usage(format!("--baseline {name}: the systems are {}", names.join(", "))).into()
        })
    }
}

/// What all files hold.
fn kind(entries: &[Entry]) -> anyhow::Result<Kind> {
    let mut files = entries.iter().flat_map(|entry| &entry.files);
    let kind = files.next().map_or(Kind::Run, |path| Kind::of(path));
    match files.find(|path| Kind::of(path) != kind) {
        Some(other) => {
            let what =
                format!("{}: systems are all runs, all matrices or all tables", other.display());
            Err(Usage(what).into())
        }
        None => Ok(kind),
    }
}

/// Makes values by query of a system's file.
struct Reader<'a> {
    args: &'a Compare,
    kind: Kind,
    measures: Vec<Measure>,
    qrels: Option<Qrels>,
    /// The shape of the first matrix: queries are compared by their position.
    shape: OnceCell<(usize, usize)>,
}

impl<'a> Reader<'a> {
    fn new(args: &'a Compare, kind: Kind) -> anyhow::Result<Self> {
        let names = match kind {
            _ if !args.measure.is_empty() => args.measure.join(","),
            Kind::Run => "MAP,R-precision,P@10,S@1,S@5,S@10".to_owned(),
            Kind::Scores => "R@1,R@5,R@10,median".to_owned(),
            Kind::Table => String::new(),
        };
        let measures = match kind {
            Kind::Table => Vec::new(),
            _ => Measure::parse_list(&names)?,
        };
        let qrels = match (&args.qrels, kind) {
            (Some(path), Kind::Run) => Some(Qrels::read(path)?),
            (None, Kind::Run) => {
                let what = "runs need judgements: give --qrels FILE (or tables of values by query, \
                            .csv, .tsv or .json)";
                return Err(Usage(what.into()).into());
            }
            (Some(_), _) => {
                return Err(Usage("--qrels goes with runs only".into()).into());
            }
            (None, _) => None,
        };
        Ok(Self { args, kind, measures, qrels, shape: OnceCell::new() })
    }

    fn values(&self, path: &Path) -> anyhow::Result<Vec<QueryValues>> {
        match (&self.qrels, self.kind) {
            (Some(qrels), _) => {
                let options = Options {
                    ties: self.args.ties,
                    threshold: self.args.threshold,
                    topics: Topics::AllJudged,
                };
                let evaluation = evaluate(&Run::read(path)?, qrels, &self.measures, options);
                Ok(QueryValues::of_evaluation(&evaluation, "search"))
            }
            (None, Kind::Scores) => self.of_scores(path),
            (None, _) => {
                let mut values = QueryValues::read(path, "values")?;
                let asked = self.args.measure.join(",");
                let asked: Vec<&str> = asked.split(',').filter(|name| !name.is_empty()).collect();
                values
                    .retain(|values| asked.is_empty() || asked.contains(&values.measure.as_str()));
                Ok(values)
            }
        }
    }

    fn of_scores(&self, path: &Path) -> anyhow::Result<Vec<QueryValues>> {
        let scores = npy::read_matrix(path)?;
        let shape = (scores.rows(), scores.columns());
        let first = *self.shape.get_or_init(|| shape);
        if shape != first {
            let what = format!(
                "{} x {} scores, where the first matrix has {} x {}: these are other queries",
                shape.0, shape.1, first.0, first.1
            );
            return Err(rebus_collection::Error::malformed(Place::file(path), what).into());
        }
        let map = match &self.args.map {
            Some(map) => GoldMap::read(map, scores.rows())?,
            None => GoldMap::even(scores.rows(), scores.columns())
                .with_context(|| format!("cannot measure {}", path.display()))?,
        };
        let ranks = GoldRanks::new(&scores, &map, self.args.ties)
            .with_context(|| format!("cannot measure {}", path.display()))?;
        let of = |(task, queries): (&str, &[_])| {
            QueryValues::of_evaluation(&Evaluation::of_queries(queries, &self.measures), task)
        };
        Ok(ranks.tasks().into_iter().flat_map(of).collect())
    }

    /// What the protocol must say about how values came to be.
    fn told(&self, protocol: rebus_eval::report::Protocol) -> rebus_eval::report::Protocol {
        let protocol = match &self.args.qrels {
            Some(path) => protocol
                .with("judgements", path.display().to_string())
                .with("topics", "all that are judged")
                .with("threshold", self.args.threshold),
            None => protocol,
        };
        match self.kind {
            Kind::Table => protocol,
            _ => protocol.with("ties", self.args.ties.name()),
        }
    }
}
