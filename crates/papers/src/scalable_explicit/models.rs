//! The rows of Table 1 as models: what each is, and what is swept for it.

use rebus_models::bag_of_words::{Form, Length, Weighting};
use rebus_models::rank_svm::{self, Solver};
use rebus_models::{RankSvm, Training, WordResponses, WordSvm, word_svm};

use super::published::{INDEPENDENT, JOINT, JOINT_IDF, Printed};
use super::quiet::Quiet;
use crate::Result;

/// The values of lambda that are tried.
const LAMBDAS: [f64; 6] = [3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3];
/// The bounds on a passive-aggressive step that are tried.
const AGGRESSIVENESSES: [f64; 3] = [0.01, 0.1, 1.0];

/// A row of the table that we compute.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) printed: Option<Printed>,
    pub(super) kind: Kind,
}

/// What a row is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A machine a word.
    Independent,
    /// One model for all words.
    Joint { solver: Solver, weighting: Weighting, length: Length },
}

const fn joint(
    name: &'static str,
    printed: Option<Printed>,
    weighting: Weighting,
    length: Length,
) -> Row {
    Row { name, printed, kind: Kind::Joint { solver: Solver::Pegasos, weighting, length } }
}

/// Every row, the paper's first.
pub(super) static ROWS: &[Row] = &[
    Row { name: INDEPENDENT.name, printed: Some(INDEPENDENT), kind: Kind::Independent },
    joint(JOINT.name, Some(JOINT), Weighting::Binary, Length::AsIs),
    joint(JOINT_IDF.name, Some(JOINT_IDF), Weighting::Idf, Length::AsIs),
    joint("Joint L2", None, Weighting::Binary, Length::Unit),
    joint("Joint L2 IDF", None, Weighting::Idf, Length::Unit),
    Row {
        name: "PAMIR (passive-aggressive)",
        printed: None,
        kind: Kind::Joint {
            solver: Solver::PassiveAggressive,
            weighting: Weighting::Binary,
            length: Length::AsIs,
        },
    },
];

impl Row {
    /// The regularisation that is tried; nothing for a row that chooses its own.
    pub(super) fn sweep(&self) -> &'static [f64] {
        match self.kind {
            Kind::Independent => &[],
            Kind::Joint { solver: Solver::Pegasos, .. } => &LAMBDAS,
            Kind::Joint { solver: Solver::PassiveAggressive, .. } => &AGGRESSIVENESSES,
        }
    }

    /// What the swept setting is called.
    pub(super) fn swept(&self) -> &'static str {
        match self.kind {
            Kind::Joint { solver: Solver::PassiveAggressive, .. } => "C",
            _ => "lambda",
        }
    }

    /// Whether seeds make a difference: the independent machines end where they end.
    pub(super) fn is_random(&self) -> bool {
        matches!(self.kind, Kind::Joint { .. })
    }

    /// Fits the row's model.
    pub(super) fn fit(
        &self,
        data: &Training<'_>,
        regularisation: f64,
        run: Run,
        progress: &Quiet<'_>,
    ) -> Result<Box<dyn WordResponses>> {
        match self.kind {
            Kind::Independent => {
                let params = word_svm::Params { seed: run.seed, ..word_svm::Params::default() };
                Ok(Box::new(WordSvm::fit(data, &params, progress)?))
            }
            Kind::Joint { solver, weighting, length } => {
                let text = Form { weighting, length, ..Form::scalable_explicit() };
                let mut params = rank_svm::Params {
                    solver,
                    text,
                    seed: run.seed,
                    updates: run.updates,
                    ..rank_svm::Params::default()
                };
                match solver {
                    Solver::Pegasos => params.lambda = regularisation,
                    Solver::PassiveAggressive => params.aggressiveness = regularisation,
                }
                Ok(Box::new(RankSvm::fit(data, &params, progress)?))
            }
        }
    }
}

/// One of several runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) seed: u64,
    pub(super) updates: Option<u64>,
}
