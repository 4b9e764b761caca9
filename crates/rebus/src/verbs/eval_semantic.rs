//! The semantic half of `rebus eval`: NCS@k and SR@k of score matrices.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rebus_collection::{Matrix, npy};
use rebus_eval::captions::{CaptionMeasure, Tokeniser, read};
use rebus_eval::report::{Protocol, Report};
use rebus_eval::semantic::{self, CaptionPool, SemanticMeasure, SemanticTask};
use rebus_eval::{GoldMap, Ties};

use crate::output::{Usage, say};
use crate::progress::Talk;

/// What the semantic measures need.
#[derive(Args)]
pub(super) struct SemanticArgs {
    /// Also measure NCS and semantic recall, by a caption measure: cider-d (which COCO's tools call
    /// CIDEr), cider, bleu-4, rouge-l ... [default: cider-d]
    #[arg(long, value_name = "MEASURE", num_args = 0..=1, default_missing_value = "cider-d",
          requires = "references", conflicts_with = "phi")]
    semantic: Option<CaptionMeasure>,
    /// The captions, in the order of the matrix: COCO JSON, {"id": ["..."]}, or a line an image
    /// with captions separated by tabs
    #[arg(long, value_name = "FILE", requires = "scores")]
    references: Option<PathBuf>,
    /// Also measure NCS and semantic recall by these similarities, images by texts, as .npy
    #[arg(long, value_name = "FILE.npy", requires = "scores")]
    phi: Option<PathBuf>,
    /// Sizes of the extended ground truth, separated by commas
    #[arg(long, value_name = "M,...", value_delimiter = ',', default_values_t = [5, 10, 20])]
    m: Vec<usize>,
    /// Count CIDEr's document frequencies in these captions instead of in the references
    #[arg(long, value_name = "CORPUS", requires = "semantic")]
    df: Option<PathBuf>,
    /// Take the captions as they are: words are separated by spaces
    #[arg(long, visible_alias = "tokenized", requires = "semantic")]
    tokenised: bool,
}

impl SemanticArgs {
    /// The similarities of every caption and image; `None` where none were asked for.
    pub(super) fn phi(&self, gold: &GoldMap) -> anyhow::Result<Option<Matrix>> {
        if let Some(path) = &self.phi {
            let phi = npy::read_matrix(path)?;
            if let Some((row, column)) = phi.first_not_finite() {
                let value = phi.row(row)[column];
                let broken = rebus_eval::Error::NotFinite { row, column, value };
                return Err(broken).with_context(|| format!("cannot use {}", path.display()));
            }
            return Ok(Some(phi));
        }
        let (Some(measure), Some(path)) = (self.semantic, &self.references) else {
            return Ok(None);
        };
        let cannot = |path: &Path| format!("cannot use the captions of {}", path.display());
        let file = read::read(path)?;
        let mut pool =
            CaptionPool::of_file(&file, gold, self.tokeniser()).with_context(|| cannot(path))?;
        let corpus = self.df.as_deref().map(read::read).transpose()?;
        for (_, captions) in corpus.iter().flat_map(|corpus| &corpus.images) {
            pool.add_document(&self.tokeniser().tokenise(captions));
        }
        for finding in file.findings.iter().chain(corpus.iter().flat_map(|c| &c.findings)) {
            say(format_args!("note: {}: {}", finding.place, finding.what));
        }
        let phi = semantic::phi(measure, &pool, &Talk::new()).with_context(|| cannot(path))?;
        Ok(Some(phi))
    }

    /// Whether similarities were asked for at all.
    pub(super) fn is_asked(&self) -> bool {
        self.phi.is_some() || self.semantic.is_some()
    }

    fn tokeniser(&self) -> Tokeniser {
        if self.tokenised { Tokeniser::Whitespace } else { Tokeniser::Ptb }
    }

    /// Measures one system in both directions, with and without gold: at the cut-offs of the measures
    /// that were asked for, or else at those given.
    pub(super) fn measure(
        &self,
        scores: &Matrix,
        phi: &Matrix,
        gold: &GoldMap,
        k: &[usize],
        asked: &[SemanticMeasure],
        ties: Ties,
    ) -> anyhow::Result<Vec<SemanticTask>> {
        if k.contains(&0) || self.m.contains(&0) {
            return Err(Usage("--k and --m must be at least 1".into()).into());
        }
        let mut named: Vec<usize> = asked.iter().map(|measure| measure.k()).collect();
        named.sort_unstable();
        named.dedup();
        let k = match (named.as_slice(), k) {
            ([], []) => &[1, 5, 10],
            ([], k) => k,
            (named, _) => named,
        };
        let mut m = self.m.clone();
        m.extend(asked.iter().filter_map(|measure| measure.m()));
        m.sort_unstable();
        m.dedup();
        Ok(semantic::measure_all(scores, phi, gold, k, &m, ties)?)
    }

    /// Says in the protocol what the similarities are.
    pub(super) fn protocol(&self, protocol: Protocol) -> Protocol {
        let protocol = match (&self.phi, self.semantic, &self.references) {
            (Some(phi), _, _) => protocol.with("phi", phi.display().to_string()),
            (None, Some(measure), Some(references)) => {
                let frequencies = self.df.as_deref().unwrap_or(references);
                let protocol = protocol
                    .with("phi", measure.name())
                    .with("references", references.display().to_string())
                    .with("tokeniser", self.tokeniser().name());
                match measure.weighs() {
                    true => {
                        protocol.with("document frequencies", frequencies.display().to_string())
                    }
                    false => protocol,
                }
            }
            _ => return protocol,
        };
        protocol
            .with("NCS@k", "phi of the first k / largest phi of k items, mean over queries")
            .with("without gold", "gold items leave both the ranking and the ideal")
    }

    /// Puts the figures of each system beside what the report says already.
    pub(super) fn add_to(
        &self,
        report: &mut Report,
        systems: &[Vec<SemanticTask>],
        asked: &[SemanticMeasure],
    ) {
        for (at, tasks) in systems.iter().enumerate() {
            semantic::add_to_report(report, at, tasks, asked);
        }
    }
}
