//! `word-svm`: a linear support vector machine for every word, each trained by itself.
//!
//! The independent baseline of Hodosh and Hockenmaier (2013), section 4: a picture is a positive
//! example of a word if any of its captions has it; the cost C of each word is the one with the
//! largest area under the curve of precision and recall on pictures held out of the training
//! pictures; then the machine is trained on all of them. The score of a caption is the sum of its
//! words' responses.
//!
//! A word without a positive picture on one of the two sides of the split takes the smallest cost.

mod svm;

use pulp::Arch;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};

use crate::bag_of_words::{AtLeast, Form};
use crate::blocks::{self, Block, Blocks};
use crate::explicit::{ExplicitModel, explicit_params};
use crate::image_side::{ImageSide, Scaling};
use crate::precision_recall::area;
use crate::settings::{Settings, above_zero, at_least, shares, zero_or_more};
use crate::{BagOfWords, Error, Result, Training};
use svm::{Svm, Until};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "word-svm";
const VERSION: u32 = 1;

/// The settings of [`WordSvm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// The costs C that are tried, rising.
    pub costs: Vec<f64>,
    /// The share of the training pictures on which the cost is chosen.
    pub held_out: f64,
    /// A machine is done when the projected gradients lie within so much.
    pub tolerance: f64,
    /// Or when so many rounds over all pictures were made.
    pub rounds: usize,
    /// A word must occur in at least so many documents (see [`Form::document`]).
    pub min_documents: u64,
    /// How texts become bags of words.
    pub text: Form,
    /// What is done to the features of a picture.
    pub scaling: Scaling,
    /// The constant behind the features; 0, as LIBLINEAR's default, for none. With one, most
    /// responses are negative and short captions win.
    pub bias: f32,
    /// Everything random comes from it.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            costs: vec![0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0],
            held_out: 1.0 / 6.0,
            tolerance: 0.1,
            rounds: 200,
            min_documents: 20,
            text: Form::scalable_explicit(),
            scaling: Scaling::StandardUnit,
            bias: 0.0,
            seed: 2013,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        let bad = |field, what: &str| Err(Error::Setting { field, what: what.into() });
        if self.costs.is_empty() {
            return bad("costs", "must be one or more numbers above 0");
        }
        let costs: Vec<_> = self.costs.iter().map(|&cost| ("costs", Some(cost))).collect();
        above_zero(&costs)?;
        if !self.costs.is_sorted() {
            return bad("costs", "must rise");
        }
        shares(&[("held_out", Some(self.held_out))])?;
        above_zero(&[("tolerance", Some(self.tolerance))])?;
        at_least(&[
            ("rounds", Some(self.rounds as u64), 1),
            ("min_documents", Some(self.min_documents), 1),
        ])?;
        zero_or_more(&[("bias", f64::from(self.bias))])
    }
}

explicit_params!(Params, (KIND, VERSION));

/// A machine for every word.
pub type WordSvm = ExplicitModel<Params>;

impl WordSvm {
    /// Trains a machine for every word that is frequent enough.
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
        let examples = Examples::new(&image.rows(data.features)?, &order, params);
        let mut positive = vec![Vec::new(); bag.len()];
        for (place, &at) in order.iter().enumerate() {
            for (word, _) in bag.encode(&data.texts[at]) {
                positive[word].push(place);
            }
        }
        progress.begin("training word-svm", Some(bag.len() as u64));
        let machines: Vec<Option<Vec<Block>>> = positive
            .par_iter()
            .enumerate()
            .map(|(word, positive)| {
                if progress.interrupted() {
                    return None;
                }
                let weights = examples.machine(word, positive);
                progress.advance(1);
                Some(weights)
            })
            .collect();
        let mut weights = Blocks::zeros(bag.len(), image.dimensions());
        for (word, machine) in machines.into_iter().enumerate() {
            let machine = machine.ok_or(Error::Interrupted)?;
            weights.row_mut(word).copy_from_slice(&machine);
        }
        Self::new(data, params, (bag, image), weights.to_matrix())
    }
}

/// The pictures that all words share, and how they are split.
struct Examples<'a> {
    params: &'a Params,
    all: Blocks,
    squares: Vec<f64>,
    /// The first so many pictures are trained on while the cost is chosen.
    kept: usize,
}

impl<'a> Examples<'a> {
    fn new(rows: &Matrix, order: &[usize], params: &'a Params) -> Self {
        let all = Blocks::of(rows, order);
        let squares = all.squares();
        // At least one picture on each side: there are two or more.
        let held_out = (order.len() as f64 * params.held_out).round() as usize;
        let kept = order.len() - held_out.clamp(1, order.len() - 1);
        Self { params, all, squares, kept }
    }

    fn until(&self) -> Until {
        Until { tolerance: self.params.tolerance, rounds: self.params.rounds }
    }

    /// The weights of a word.
    fn machine(&self, word: usize, positive: &[usize]) -> Vec<Block> {
        let mut labels = vec![false; self.squares.len()];
        positive.iter().for_each(|&at| labels[at] = true);
        let mut random = ChaCha8Rng::seed_from_u64(self.params.seed);
        random.set_stream(word as u64);
        Arch::new().dispatch(
            #[inline(always)]
            || {
                let cost = self.cost(&labels, &mut random);
                let mut svm = Svm::new(labels.len(), self.all.width());
                let data = (&self.all, self.squares.as_slice());
                svm.train(data, &labels, cost, self.until(), &mut random);
                svm.weights
            },
        )
    }

    /// The cost that ranks the held-out pictures best; of equals, the smallest.
    #[inline(always)]
    fn cost(&self, labels: &[bool], random: &mut ChaCha8Rng) -> f64 {
        let smallest = self.params.costs.first().copied().unwrap_or(1.0);
        let (train, held_out) = labels.split_at(self.kept);
        if !train.contains(&true) || !held_out.contains(&true) {
            return smallest;
        }
        let mut svm = Svm::new(train.len(), self.all.width());
        let (mut best, mut chosen) = (f64::NEG_INFINITY, smallest);
        for &cost in &self.params.costs {
            let data = (&self.all, self.squares.as_slice());
            svm.train(data, train, cost, self.until(), random);
            let score = |at: usize| blocks::dot(&svm.weights, self.all.row(at));
            let scores: Vec<f64> = (self.kept..labels.len()).map(score).collect();
            let found = area(&scores, held_out).unwrap_or(0.0);
            if found > best {
                (best, chosen) = (found, cost);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::names_what_is_wrong;

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { costs: vec![], ..good.clone() }, "costs"),
            (Params { costs: vec![1.0, 0.1], ..good.clone() }, "costs"),
            (Params { held_out: 1.0, ..good.clone() }, "held_out"),
            (Params { tolerance: 0.0, ..good.clone() }, "tolerance"),
            (Params { rounds: 0, ..good.clone() }, "rounds"),
            (Params { min_documents: 0, ..good.clone() }, "min_documents"),
            (Params { bias: f32::NAN, ..good.clone() }, "bias"),
        ];
        names_what_is_wrong(wrong);
    }
}
