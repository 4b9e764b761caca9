//! `rank-svm`: RankSVM, trained in the primal on sampled triples.
//!
//! Hodosh and Hockenmaier (2013), "Sentence-based image description with scalable, explicit
//! models", after PAMIR (Grangier and Bengio 2008) and RankSVM (Joachims 2002). The features of a
//! pair are the outer product of a picture's features and a caption's bag of words (section 3.1),
//! so there is a weight for every pair of a word and a feature; training prefers the captions
//! written for a picture to those written for others. The outer product is never built: pictures
//! and captions are kept apart, and a triple is three positions.
//!
//! [`Solver::Pegasos`] is the paper's optimiser, [`Solver::PassiveAggressive`] that of PAMIR.
//! Training touches one triple at a time and is sequential; several seeds run side by side. The
//! pictures are brought into an order of their own content first, so that their order in the
//! collection does not matter.

mod passive_aggressive;
mod pegasos;
mod step;
mod triples;
mod weights;

use rebus_collection::Progress;
use serde::{Deserialize, Serialize};

use crate::bag_of_words::{AtLeast, Form};
use crate::blocks::Blocks;
use crate::explicit::{ExplicitModel, explicit_params};
use crate::image_side::{ImageSide, Scaling};
use crate::settings::{Settings, above_zero, at_least, zero_or_more};
use crate::{BagOfWords, Error, Result, Training};
use passive_aggressive::PassiveAggressive;
use pegasos::Pegasos;
use triples::Triples;
use weights::LazyWeights;

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "rank-svm";
const VERSION: u32 = 1;

/// Updates a training picture where [`Params::updates`] says nothing: the paper's 30 million for
/// 6,000 pictures.
pub const UPDATES_A_PICTURE: u64 = 5_000;

/// How weights are updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Sub-gradient steps with projection onto a ball, as in the paper.
    #[default]
    Pegasos,
    /// PAMIR's.
    PassiveAggressive,
}

/// The settings of [`RankSvm`]. Where the paper states one, it is the default; lambda, the scaling
/// of the image side and the constant were chosen on 1,000 training pictures of Flickr8k held out,
/// with TinyViT's features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// The optimiser.
    pub solver: Solver,
    /// Pegasos: the weight of the regularisation.
    pub lambda: f64,
    /// Passive-aggressive: the longest step, C.
    pub aggressiveness: f64,
    /// How many triples are sampled; [`UPDATES_A_PICTURE`] for every picture if nothing is said.
    pub updates: Option<u64>,
    /// How many irrelevant captions a picture has; all, if there are no more.
    pub irrelevant: usize,
    /// A word must occur in at least so many documents (see [`Form::document`]).
    pub min_documents: u64,
    /// How texts become bags of words.
    pub text: Form,
    /// What is done to the features of a picture.
    pub scaling: Scaling,
    /// The constant behind the features, by which a word has a response of its own; 0 for none.
    pub bias: f32,
    /// Everything random comes from it.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            solver: Solver::Pegasos,
            lambda: 1e-5,
            aggressiveness: 0.1,
            updates: None,
            irrelevant: 2_000,
            min_documents: 20,
            text: Form::scalable_explicit(),
            scaling: Scaling::StandardUnit,
            bias: 0.1,
            seed: 2013,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        above_zero(&[
            ("lambda", Some(self.lambda)),
            ("aggressiveness", Some(self.aggressiveness)),
        ])?;
        if u32::try_from(self.irrelevant).is_err() {
            let what = "must be below 2^32".into();
            return Err(Error::Setting { field: "irrelevant", what });
        }
        at_least(&[
            ("updates", self.updates, 1),
            ("irrelevant", Some(self.irrelevant as u64), 1),
            ("min_documents", Some(self.min_documents), 1),
        ])?;
        zero_or_more(&[("bias", f64::from(self.bias))])
    }
}

explicit_params!(Params, (KIND, VERSION));

/// A fitted RankSVM.
pub type RankSvm = ExplicitModel<Params>;

impl RankSvm {
    /// Learns the weights.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(data: &Training<'_>, params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        data.check()?;
        let bag =
            BagOfWords::learn(data.texts, params.text, AtLeast::Documents(params.min_documents))?;
        let image = ImageSide::fit(data.features, params.scaling, params.bias);
        let order = data.by_content();
        let texts: Vec<&[&str]> = order.iter().map(|&at| data.texts[at].as_slice()).collect();
        let triples = Triples::new(&texts, &bag, params.irrelevant, params.seed)?;
        let pictures = Blocks::of(&image.rows(data.features)?, &order);
        let updates = params.updates.unwrap_or(UPDATES_A_PICTURE * order.len() as u64);
        progress.begin("training rank-svm", Some(updates));
        let mut weights = LazyWeights::zeros(bag.len(), image.dimensions());
        let (data_of, run) = ((&pictures, &triples), (updates, params.seed));
        match params.solver {
            Solver::Pegasos => {
                let mut rule = Pegasos::new(params.lambda);
                step::train(&mut weights, &mut rule, data_of, run, progress)?;
            }
            Solver::PassiveAggressive => {
                let mut rule = PassiveAggressive { aggressiveness: params.aggressiveness };
                step::train(&mut weights, &mut rule, data_of, run, progress)?;
            }
        }
        Self::new(data, params, (bag, image), weights.into_matrix())
    }
}

/// A triple that training samples, by positions in the training data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledTriple {
    /// The picture.
    pub picture: usize,
    /// The caption written for it: picture and place among its texts.
    pub relevant: (usize, usize),
    /// The caption written for another.
    pub irrelevant: (usize, usize),
}

/// The first triples that [`RankSvm::fit`] samples, in order: for seeing what it learns from, and
/// for running other programs on the same.
///
/// # Errors
/// As [`RankSvm::fit`].
pub fn sample_triples(
    data: &Training<'_>,
    params: &Params,
    count: usize,
) -> Result<Vec<SampledTriple>> {
    params.check()?;
    data.check()?;
    let bag = BagOfWords::learn(data.texts, params.text, AtLeast::Documents(params.min_documents))?;
    let order = data.by_content();
    let texts: Vec<&[&str]> = order.iter().map(|&at| data.texts[at].as_slice()).collect();
    let triples = Triples::new(&texts, &bag, params.irrelevant, params.seed)?;
    let place = |caption| {
        let (picture, text) = triples.place(caption);
        (order[picture], text)
    };
    let mut random = step::random(params.seed);
    let sample = |_| {
        let triple = triples.sample(&mut random);
        SampledTriple {
            picture: order[triple.picture as usize],
            relevant: place(triple.relevant),
            irrelevant: place(triple.irrelevant),
        }
    };
    Ok((0..count).map(sample).collect())
}

#[cfg(test)]
mod tests {
    use rebus_collection::{Matrix, Silent};

    use super::*;
    use crate::WordResponses;
    use crate::settings::names_what_is_wrong;

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { lambda: 0.0, ..good.clone() }, "lambda"),
            (Params { aggressiveness: f64::NAN, ..good.clone() }, "aggressiveness"),
            (Params { updates: Some(0), ..good.clone() }, "updates"),
            (Params { irrelevant: 0, ..good.clone() }, "irrelevant"),
            (Params { min_documents: 0, ..good.clone() }, "min_documents"),
            (Params { bias: -1.0, ..good.clone() }, "bias"),
        ];
        names_what_is_wrong(wrong);
    }

    /// Green pictures and blue ones.
    fn small(solver: Solver) -> RankSvm {
        let features = Matrix::new(4, 2, vec![1.0, 0.1, 0.9, 0.0, 0.1, 1.0, 0.0, 0.8]).unwrap();
        let texts =
            [vec!["green grass"], vec!["grass", "of the"], vec!["blue sea"], vec!["the sea"]];
        let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
        let params = Params { solver, min_documents: 1, ..Params::default() };
        RankSvm::fit(&data, &params, &Silent).unwrap()
    }

    #[test]
    fn responses_are_what_words_add() {
        for solver in [Solver::Pegasos, Solver::PassiveAggressive] {
            let model = small(solver);
            let pictures = Matrix::new(2, 2, vec![0.8, 0.1, 0.1, 0.9]).unwrap();
            let text = "green grass by the sea";
            let parts = model.contributions(&pictures, text).unwrap();
            let words: Vec<&str> = parts[0].iter().map(|part| part.word.as_str()).collect();
            assert_eq!(words, ["grass", "sea", "green"]);
            let scores = crate::Affinity::Dual(&model).matrix(&pictures, &[text]).unwrap();
            for (row, parts) in parts.iter().enumerate() {
                let sum: f32 = parts.iter().map(|part| part.value).sum();
                assert!((sum - scores.row(row)[0]).abs() < 1e-4);
            }
            assert!(parts[0][0].value > parts[0][1].value);
            let strongest = model.strongest(&pictures, "sea", 1).unwrap();
            assert_eq!(strongest[0].row, 1);
            let unknown = model.strongest(&pictures, "pizza", 1).unwrap_err().to_string();
            assert!(unknown.contains("pizza"), "{unknown}");
            assert!(model.contributions(&pictures, "pizza").unwrap().iter().all(Vec::is_empty));
        }
    }

    #[test]
    fn absurd_features_are_refused() {
        let features = Matrix::new(2, 1, vec![f32::MAX, -f32::MAX]).unwrap();
        let texts = [vec!["grass"], vec!["sea"]];
        let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
        let params = Params { min_documents: 1, scaling: Scaling::AsIs, ..Params::default() };
        let error = RankSvm::fit(&data, &params, &Silent).unwrap_err().to_string();
        assert!(error.contains("not finite"), "{error}");
    }
}
