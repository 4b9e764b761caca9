//! `rebus eval`: measures rankings.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use rebus_collection::npy;
use rebus_eval::fusion::{Fusion, fuse_runs};
use rebus_eval::report::Protocol;
use rebus_eval::semantic::{SEMANTIC_MEASURES, SemanticMeasure};
use rebus_eval::trec_eval::{self, Detail, Request, Selection, Version};
use rebus_eval::{
    GoldMap, GoldRanks, MEASURES, Measure, Options, ParameterKind, Qrels, RankingReport, Run, Ties,
    Topics, default_run_measures, default_score_measures, run_report, score_report,
};

use super::eval_index::{IndexArgs, default_index_measures};
use super::eval_keywords::KeywordArgs;
use super::eval_model::{KeywordRuns, ModelArgs};
use super::eval_semantic::SemanticArgs;
use crate::output::{
    Outcome, ReportArgs, Usage, answer, counted, keep_inputs, print_report, say, ties, write_page,
};
use crate::systems::single;

/// Measure rankings and keywords: runs against judgements, score matrices against gold captions,
/// words given to pictures against their true ones.
#[derive(Args)]
#[command(group(ArgGroup::new("measured").required(true)
    .args(["qrels", "scores", "keywords", "model", "index", "list_measures"])))]
#[command(after_help = "Examples:
  rebus eval --qrels qrels.txt --run bm25.txt --run simagg.txt --measure MAP,P@20
  rebus eval --qrels qrels.txt --run bm25.txt --trec 10 --all-measures --per-query
  rebus eval --scores scores.npy --captions-per-image 5 --ties worst --report scores.html
  rebus eval --scores scores.npy --references captions.json --semantic cider-d --m 5,10,20
  rebus eval --model my-model --data flickr8k --split dev --captions 5
  rebus eval --index photos --queries-file my-queries.tsv
  rebus eval --keywords corel5k --split test --predicted cmrm.tsv --k 5 --words words_260.txt

A system is called as NAME=FILE says, or else as its file without the ending.

A score matrix has a row an image and a column a text; its figures are given for both directions:
annotation (images to texts) and search (texts to images). R@k is the share of all gold items among
the first k, R^V@k whether any of them is there, Rsum the sum of R^V@1, 5 and 10 both ways.

Ties: under `worst`, the default, what is relevant comes last of those that share a score; `trec`
is trec_eval's order, by document id descending; `mean` is the expected value over all orders;
under `best` what is relevant comes first. The rule and the number of queries that a tie touches
are part of every answer.")]
pub(crate) struct Eval {
    /// Judgements: topic, iteration, document, grade on each line
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,
    /// Results of a system: topic, Q0, document, rank, score, tag on each line; may be repeated
    #[arg(long, value_name = "[NAME=]FILE", requires = "qrels")]
    run: Vec<String>,
    /// A matrix of scores, images by texts, as .npy; may be repeated
    #[arg(long, value_name = "[NAME=]FILE.npy", conflicts_with_all = ["qrels", "run", "trec"])]
    scores: Vec<String>,
    /// Fuse all runs into one system and measure it, too: borda, rrf or rrf:K, combsum or
    /// combsum:NORM, combmnz or combmnz:NORM, NORM being min-max, z-score, sum or rank; may be
    /// repeated
    #[arg(long, value_name = "METHOD", requires = "run", conflicts_with = "trec")]
    fuse: Vec<Fusion>,
    /// Write the fused system as a run
    #[arg(long, value_name = "FILE", requires = "fuse")]
    write_run: Option<PathBuf>,
    /// How many captions each image has, in order [default: texts / images, if that is whole]
    #[arg(long, value_name = "K", requires = "scores", conflicts_with = "map",
          value_parser = at_least_one)]
    captions_per_image: Option<usize>,
    /// The image of each text, from 0: one on each line, or a list as .npy
    #[arg(long, value_name = "FILE", requires = "scores")]
    map: Option<PathBuf>,
    /// What becomes of items that share a score
    #[arg(long, value_name = "RULE", default_value = "worst",
          conflicts_with_all = ["trec", "keywords"], value_parser = ties())]
    ties: Ties,
    /// Measures, separated by commas: P@5,nDCG@10,MAP (see --list-measures)
    #[arg(long, value_name = "NAMES", conflicts_with_all = ["trec", "keywords"])]
    measure: Vec<String>,
    /// Cut-offs of the usual measures, separated by commas [default: 1,5,10; of runs 5,10,20; of
    /// keywords all words that were given]
    #[arg(long, value_name = "K,...", value_delimiter = ',', conflicts_with_all = ["measure", "trec"])]
    k: Vec<usize>,
    /// The grade from which on a document is relevant
    #[arg(
        long,
        visible_alias = "relevance-level",
        value_name = "GRADE",
        default_value_t = 1,
        allow_negative_numbers = true,
        requires = "qrels"
    )]
    threshold: i32,
    /// Measure all judged topics; one without results has found nothing
    #[arg(long, requires = "qrels")]
    complete: bool,
    /// Print the values of each query, too
    #[arg(long)]
    per_query: bool,
    /// Print trec_eval's own lines, of version 9 (9.0.8) or 10 (10.0)
    #[arg(long, value_name = "VERSION", num_args = 0..=1, default_missing_value = "10",
          value_parser = trec_version(), requires = "run",
          conflicts_with_all = ["json", "csv", "latex", "report"])]
    trec: Option<Version>,
    /// With --trec: all of trec_eval's measures, not only the official ones
    #[arg(long, requires = "trec")]
    all_measures: bool,
    /// With --trec and --all-measures: how many results `relstring` shows
    #[arg(long, value_name = "N", requires = "all_measures")]
    relstring: Option<usize>,
    /// List the measures and end
    #[arg(long, exclusive = true)]
    list_measures: bool,
    /// Of the collection of --keywords or --model, only this part [default: all of it]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["qrels", "scores"])]
    split: Option<String>,
    #[command(flatten)]
    keywords: KeywordArgs,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    indexed: IndexArgs,
    #[command(flatten)]
    semantic: SemanticArgs,
    #[command(flatten)]
    output: ReportArgs,
}

impl Eval {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        if self.list_measures {
            return list_measures();
        }
        let systems = single(if self.scores.is_empty() { &self.run } else { &self.scores })?;
        for out in self.write_run.iter().chain(&self.output.report) {
            let read = systems.iter().map(|(_, path)| path);
            keep_inputs(read.chain(&self.qrels).chain(&self.map), out)?;
        }
        if let Some(truth) = &self.keywords.keywords {
            let split = self.split.as_deref();
            return self.keywords.measure(truth, split, &self.k, self.per_query, &self.output);
        }
        if let Some(named) = &self.indexed.index {
            let (measures, _) = self.measures(&[1, 5, 10], default_index_measures)?;
            return self.indexed.measure(named, &measures, self.ties, &self.output);
        }
        match (&self.qrels, self.trec) {
            (Some(qrels), Some(version)) => self.print_trec_eval(qrels, &systems, version),
            (Some(qrels), None) => self.measure_runs(qrels, &systems),
            (None, _) => self.measure_scores(&systems),
        }
    }

    fn topics(&self) -> Topics {
        if self.complete { Topics::AllJudged } else { Topics::Common }
    }

    /// The measures of rankings and the semantic ones that were asked for; those of rankings that are
    /// usual where none were.
    fn measures(
        &self,
        cutoffs: &[usize],
        default: impl Fn(&[usize]) -> rebus_eval::Result<Vec<Measure>>,
    ) -> anyhow::Result<(Vec<Measure>, Vec<SemanticMeasure>)> {
        if self.measure.is_empty() {
            let cutoffs = if self.k.is_empty() { cutoffs } else { &self.k };
            return Ok((default(cutoffs)?, Vec::new()));
        }
        let names = self.measure.join(",");
        let (semantic, others): (Vec<&str>, Vec<&str>) =
            names.split(',').map(str::trim).partition(|name| SemanticMeasure::is_meant(name));
        let semantic: Vec<SemanticMeasure> =
            semantic.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let measures = Measure::parse_list(&others.join(","))?;
        if let (Some(first), false) = (semantic.first(), self.semantic.is_asked()) {
            let what =
                format!("{first} needs similarities: give --phi, or --semantic, with --scores");
            return Err(Usage(what).into());
        }
        if measures.is_empty() && semantic.is_empty() {
            return Err(Usage("name at least one measure after --measure".into()).into());
        }
        Ok((measures, semantic))
    }

    fn print_trec_eval(
        &self,
        qrels: &Path,
        runs: &[(String, PathBuf)],
        version: Version,
    ) -> anyhow::Result<Outcome> {
        let [(_, run)] = runs else {
            return Err(Usage("--trec prints one run: give --run once".into()).into());
        };
        let request = Request {
            version,
            selection: if self.all_measures { Selection::All } else { Selection::Official },
            detail: if self.per_query { Detail::PerTopic } else { Detail::Summary },
            topics: self.topics(),
            relevance_level: self.threshold,
            relstring: self.relstring,
        };
        let qrels = Qrels::read(qrels)?;
        let results = Run::read(run)?;
        let output = trec_eval::print(&results, &qrels, &request);
        let without_results = match request.topics {
            Topics::Common => "judged topics without results, left out (--complete counts them)",
            Topics::AllJudged => "judged topics without results, counted as 0",
        };
        for (topics, what) in [
            (&output.without_results, without_results),
            (&output.not_judged, "topics that nobody judged, left out"),
        ] {
            if !topics.is_empty() {
                say(format_args!("note: {what}: {} ({})", topics.len(), topics.join(" ")));
            }
        }
        if output.topics == 0 {
            say("no topic is both judged and has results");
            return Ok(Outcome::Short);
        }
        answer(output.text.trim_end_matches('\n'))?;
        let version = if request.version == Version::V9 { "9.0.8" } else { "10.0" };
        let topics = counted(output.topics as u64, "topic");
        say(format_args!("measured {topics} as trec_eval {version} does"));
        Ok(Outcome::Fine)
    }

    fn measure_runs(&self, path: &Path, files: &[(String, PathBuf)]) -> anyhow::Result<Outcome> {
        if files.is_empty() {
            return Err(Usage("give the results of a system with --run".into()).into());
        }
        let (measures, _) = self.measures(&[5, 10, 20], default_run_measures)?;
        let options = Options { ties: self.ties, threshold: self.threshold, topics: self.topics() };
        let qrels = Qrels::read(path)?;
        let mut runs = Vec::new();
        for (name, path) in files {
            runs.push((name.clone(), Run::read(path)?));
        }
        let fused = self.fused(&runs)?;
        runs.extend(fused);
        let protocol =
            Protocol::new().with("judgements", shown(path)).with("runs", all_shown(files));
        let report = run_report(&runs, &qrels, &measures, options, protocol);
        self.print(&report, "topics")
    }

    /// The runs made into one, by every method that was asked for.
    fn fused(&self, runs: &[(String, Run)]) -> anyhow::Result<Vec<(String, Run)>> {
        let all: Vec<&Run> = runs.iter().map(|(_, run)| run).collect();
        let fuse = |&method: &Fusion| -> anyhow::Result<(String, Run)> {
            let name = method.to_string();
            Ok((name.clone(), fuse_runs(&name, &all, method)?))
        };
        let fused = self.fuse.iter().map(fuse).collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(path) = &self.write_run {
            let [(_, run)] = fused.as_slice() else {
                return Err(Usage("--write-run writes one run: give --fuse once".into()).into());
            };
            let write = || run.write(std::io::BufWriter::new(std::fs::File::create(path)?));
            write().with_context(|| format!("cannot write {}", path.display()))?;
            say(format_args!("wrote {}", path.display()));
        }
        Ok(fused)
    }

    fn measure_scores(&self, files: &[(String, PathBuf)]) -> anyhow::Result<Outcome> {
        if let Some(found) = self.models.keyword_runs(self.split.as_deref())? {
            let KeywordRuns { runs, qrels, protocol } = found;
            let (measures, _) = self.measures(&[5, 10, 20], default_run_measures)?;
            // A keyword that a model does not know counts as not found.
            let topics = Topics::AllJudged;
            let options = Options { ties: self.ties, threshold: 1, topics };
            let found = run_report(&runs, &qrels, &measures, options, protocol);
            return self.print(&found, "keywords");
        }
        if let Some(report) = self.models.probabilities(self.split.as_deref())? {
            print_report(&report, &self.output)?;
            say("compared probabilities with what was so");
            return Ok(Outcome::Fine);
        }
        let (measures, asked) = self.measures(&[1, 5, 10], default_score_measures)?;
        let ties = self.ties;
        if let Some(ranked) = self.models.ranks(self.split.as_deref(), ties)? {
            let mut found =
                score_report(&ranked.systems, &ranked.map, &measures, ties, ranked.protocol);
            found.report.notes.extend(ranked.notes);
            return self.print(&found, "queries");
        }
        let mut systems = Vec::new();
        let mut semantic = Vec::new();
        let mut map = None;
        let mut phi = None;
        for (name, path) in files {
            let scores = npy::read_matrix(path)?;
            let map = match &mut map {
                Some(map) => map,
                none => none.insert(self.gold_map(scores.rows(), scores.columns())?),
            };
            let ranks = GoldRanks::new(&scores, map, ties)
                .with_context(|| format!("cannot measure {}", path.display()))?;
            let phi = match &mut phi {
                Some(phi) => phi,
                none => none.insert(self.semantic.phi(map)?),
            };
            if let Some(phi) = phi {
                semantic.push(
                    self.semantic
                        .measure(&scores, phi, map, &self.k, &asked, ties)
                        .with_context(|| format!("cannot measure {}", path.display()))?,
                );
            }
            systems.push((name.clone(), ranks));
        }
        let Some(map) = map else {
            return Err(Usage("give a matrix after --scores".into()).into());
        };
        let protocol = Protocol::new().with("scores", all_shown(files));
        let protocol = match &self.map {
            Some(path) => protocol.with("map", shown(path)),
            None => protocol,
        };
        let protocol = self.semantic.protocol(protocol);
        let mut found = score_report(&systems, &map, &measures, ties, protocol);
        self.semantic.add_to(&mut found.report, &semantic, &asked);
        self.print(&found, "queries")
    }

    fn gold_map(&self, images: usize, captions: usize) -> anyhow::Result<GoldMap> {
        if let Some(path) = &self.map {
            return Ok(GoldMap::read(path, images)?);
        }
        if let Some(each) = self.captions_per_image
            && images.checked_mul(each) != Some(captions)
        {
            return Err(rebus_eval::Error::Shape {
                what: format!(
                    "{} with {} each are not {}",
                    counted(images as u64, "image"),
                    counted(each as u64, "caption"),
                    counted(captions as u64, "text")
                ),
            }
            .into());
        }
        Ok(GoldMap::even(images, captions)?)
    }

    fn print(&self, found: &RankingReport, what: &str) -> anyhow::Result<Outcome> {
        let queries: usize = found
            .per_query
            .iter()
            .flat_map(|system| {
                system.tasks.iter().map(|(_, evaluation)| evaluation.per_query.len())
            })
            .sum();
        if self.per_query && self.output.json {
            write_page(&found.report, &self.output)?;
            let mut json = found.report.to_json();
            if let Some(systems) = json["systems"].as_array_mut() {
                for (system, values) in systems.iter_mut().zip(&found.per_query) {
                    system["per_query"] = values.to_json();
                }
            }
            answer(format_args!("{json:#}"))?;
        } else {
            print_report(&found.report, &self.output)?;
            if self.per_query {
                print_queries(found)?;
            }
        }
        let systems = counted(found.per_query.len() as u64, "system");
        say(format_args!("measured {systems} on {queries} {what} in all"));
        Ok(if queries == 0 { Outcome::Short } else { Outcome::Fine })
    }
}

/// One line a query, task and measure, as trec_eval prints them.
fn print_queries(found: &RankingReport) -> anyhow::Result<()> {
    let mut lines = vec!["system\ttask\tquery\tmeasure\tvalue".to_owned()];
    for system in &found.per_query {
        for (task, evaluation) in &system.tasks {
            for (at, values) in evaluation.per_query.iter().enumerate() {
                let query = evaluation.queries.get(at).cloned().unwrap_or_else(|| at.to_string());
                for (measure, value) in evaluation.measures.iter().zip(values) {
                    let value = value.map_or("undefined".into(), |value| format!("{value:.4}"));
                    lines.push(format!("{}\t{task}\t{query}\t{measure}\t{value}", system.system));
                }
            }
        }
    }
    answer(lines.join("\n"))
}

fn list_measures() -> anyhow::Result<Outcome> {
    for definition in MEASURES {
        let parameter = match definition.parameter {
            ParameterKind::Nothing => "",
            ParameterKind::Cutoff => "@k",
            ParameterKind::OptionalCutoff => "[@k]",
            ParameterKind::Share { .. } => "[@share]",
        };
        let name = format!("{}{parameter}", definition.name);
        let aliases = match definition.aliases {
            [] => String::new(),
            names => format!(" (also {})", names.join(", ")),
        };
        answer(format_args!(
            "{name:<14} {}{aliases}; undefined: {}",
            definition.about, definition.undefined
        ))?;
    }
    for (name, about, undefined) in SEMANTIC_MEASURES {
        answer(format_args!("{name:<14} {about}; undefined: {undefined}"))?;
    }
    say(format_args!("{} measures", MEASURES.len() + SEMANTIC_MEASURES.len()));
    Ok(Outcome::Fine)
}

/// Reads a version of trec_eval by its number, short or in full.
fn trec_version() -> impl TypedValueParser<Value = Version> {
    PossibleValuesParser::new(["9", "9.0.8", "10", "10.0"])
        .map(|text| if text.starts_with('9') { Version::V9 } else { Version::V10 })
}

/// A number above 0.
fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "a whole number above 0".into())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn all_shown(files: &[(String, PathBuf)]) -> String {
    files.iter().map(|(_, path)| shown(path)).collect::<Vec<_>>().join(", ")
}
