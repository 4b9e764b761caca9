//! How probable it is that somebody would call a picture relevant for a text.
//!
//! On captioned pictures that the space was not fitted on, a picture counts as relevant for a
//! query if its captions hold every word of the query, or if the query is one of them. Queries are
//! single words, pairs of words, and whole captions; and the same with some words hidden, as if
//! the space did not know them. The probability is logistic in
//! - the support, how much speaks for the picture: the log odds that all words fit, were they
//!   independent, by their responses; and the standard score of the text as a whole, the more the
//!   more words it has,
//! - the logarithm of the number of known words, and that times the support: words are not
//!   independent, and what speaks for many of them is worth less than it seems,
//! - the share of the query's idf that lies in unknown words, and that times the support: what is
//!   asked beyond what is known may not be there, however much speaks for the rest,
//! - the mean idf of the known words, up to that of a word in one picture of a thousand.
//!
//! How often a word occurs in one collection says little about another, and who asks for something
//! rare probably has it. So a query's odds of being met are taken halfway (in logarithms) between
//! what they are among the pictures at hand and 1 : 19; relevant pictures are weighed for that.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Params;
use super::background::{Background, Spread};
use super::likeness::Likeness;
use super::logistic::{Sample, Weights};
use super::responses::{Responses, mentioned};
use crate::word_space::WordSpace;
use crate::{Result, Training, dot_products};

/// Every so many captions one is taken as a query.
const STRIDE: usize = 14;
/// A single word is a query if so many pictures are relevant for it.
const LEAST: usize = 2;
/// The odds that the queries' own are drawn towards.
const ODDS: f64 = 1.0 / 19.0;
/// A word is no rarer than this share of pictures: of rarer ones too few are right to learn from.
const RARE: f64 = 0.001;
/// However many words are asked for or unknown, what more speaks for is no less probable.
const FLATTEST: f64 = 0.1;
/// The logarithm of a probability is kept off 0, where odds are infinite.
const EDGE: f64 = 1e-9;

/// What the probability is logistic in, above.
pub(super) const INPUTS: usize = 6;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Relevance {
    pub(super) weights: Weights<INPUTS>,
}

/// What tells how much speaks for a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgedBy<'a> {
    pub(super) space: &'a WordSpace,
    pub(super) background: &'a Background,
    pub(super) responses: &'a Responses,
    /// How much the text as a whole counts for each word beyond the first.
    pub(super) whole: f64,
}

impl<'a> JudgedBy<'a> {
    pub(super) fn new(
        space: &'a WordSpace,
        background: &'a Background,
        responses: &'a Responses,
        params: &Params,
    ) -> Self {
        Self { space, background, responses, whole: params.whole }
    }

    /// What its scores mean, by pictures that it was not fitted on.
    pub(super) fn meanings(&self, held_out: &Training<'_>) -> Result<(Relevance, Likeness)> {
        let likeness = Likeness::fit(self.space, self.background, held_out)?;
        Ok((Relevance::fit(self, held_out)?, likeness))
    }
}

/// What the probability is made of beside what speaks for a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    length: f64,
    unknown: f64,
    rarity: f64,
}

impl Asked {
    /// Known words by position, and the idf of each unknown one; `None` if no word is known.
    pub(super) fn new(space: &WordSpace, known: &[usize], unknown: &[f64]) -> Option<Self> {
        let idf: f64 = known.iter().map(|&word| space.bag.weight(word).powi(2)).sum();
        if known.is_empty() || idf <= 0.0 {
            return None;
        }
        let missing: f64 = unknown.iter().sum();
        Some(Self {
            length: (known.len() as f64).ln(),
            unknown: missing / (missing + idf),
            rarity: (idf / known.len() as f64).min(-RARE.ln()),
        })
    }

    fn inputs(&self, support: f64) -> [f64; INPUTS] {
        let Self { length, unknown, rarity } = *self;
        [support, support * length, support * unknown, length, unknown, rarity]
    }
}

/// How much speaks for a picture: the log odds that all words fit it, from those of each, and `whole`
/// times the standard score of the text for each word beyond the first.
fn support(responses: impl ExactSizeIterator<Item = f64>, standard: f64, whole: f64) -> f64 {
    let more = responses.len().saturating_sub(1) as f64;
    // The logarithm of a probability is minus ln(1 + e^-x).
    let all: f64 = responses.map(|odds| odds.min(0.0) - (-odds.abs()).exp().ln_1p()).sum();
    let all = all.min(-EDGE);
    all - (-all.exp_m1()).ln() + whole * more * standard
}

impl Relevance {
    pub(super) fn fit(judged_by: &JudgedBy<'_>, data: &Training<'_>) -> Result<Self> {
        let mut samples = Vec::new();
        pairs(judged_by, data, &mut |sample| samples.push(sample))?;
        Ok(Self { weights: Weights::fit(&samples) })
    }

    /// The probability for a score of the text as a whole, and the log odds of each of its words.
    pub(super) fn of(
        &self,
        spread: &Spread,
        asked: &Asked,
        score: f32,
        responses: impl ExactSizeIterator<Item = f64>,
        whole: f64,
    ) -> f64 {
        let support = support(responses, spread.standard(score), whole);
        self.probability(asked.inputs(support))
    }

    /// The probability at these inputs; it never falls as the support grows.
    pub(super) fn probability(&self, inputs: [f64; INPUTS]) -> f64 {
        let [support, _, _, length, unknown, rarity] = inputs;
        let Weights {
            inputs: [by_support, more, missing, by_length, by_unknown, by_rarity],
            constant,
        } = self.weights;
        let slope = (by_support + more * length + missing * unknown).max(FLATTEST);
        let rest = by_length * length + by_unknown * unknown + by_rarity * rarity + constant;
        1.0 / (1.0 + (-(slope * support + rest)).exp())
    }
}

/// A text as a query: its words, some of them hidden, and the picture that it was written for.
struct Query {
    known: Vec<usize>,
    hidden: Vec<usize>,
    own: Option<usize>,
}

/// Every query with every picture: the inputs, and whether the picture is relevant.
pub(super) fn pairs(
    &JudgedBy { space, background, responses, whole }: &JudgedBy<'_>,
    data: &Training<'_>,
    take: &mut dyn FnMut(Sample<INPUTS>),
) -> Result<()> {
    let images = space.encode_images(data.features)?;
    let mentioned = mentioned(space, data);
    let every: Vec<usize> = (0..space.bag.len()).collect();
    let responded = responses.of(&images, &every)?;
    for query in queries(space, data, &mentioned) {
        let hidden: Vec<f64> =
            query.hidden.iter().map(|&word| space.bag.weight(word).powi(2)).collect();
        let asked = Asked::new(space, &query.known, &hidden);
        let (Some(vector), Some(asked)) = (space.of_words(&query.known), asked) else { continue };
        let holds = |picture: usize| {
            let mut words = query.known.iter().chain(&query.hidden);
            query.own == Some(picture) || words.all(|word| mentioned[picture].contains(word))
        };
        let relevant: Vec<bool> = (0..images.rows()).map(holds).collect();
        let count = relevant.iter().filter(|&&relevant| relevant).count();
        if count == 0 || count == relevant.len() {
            continue;
        }
        let odds = count as f64 / (relevant.len() - count) as f64;
        let spread = background.spread(vector.row(0))?;
        let scores = dot_products(&vector, &images)?;
        for (picture, (&score, relevant)) in scores.row(0).iter().zip(relevant).enumerate() {
            let (sure, often) = if relevant { (1.0, (ODDS / odds).sqrt()) } else { (0.0, 1.0) };
            let words = query.known.iter().map(|&word| f64::from(responded.row(picture)[word]));
            let support = support(words, spread.standard(score), whole);
            take(Sample { inputs: asked.inputs(support), sure, often });
        }
    }
    Ok(())
}

fn queries(space: &WordSpace, data: &Training<'_>, mentioned: &[FxHashSet<usize>]) -> Vec<Query> {
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for word in mentioned.iter().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let mut words: Vec<usize> =
        counts.into_iter().filter(|(_, count)| *count >= LEAST).map(|(word, _)| word).collect();
    words.sort_unstable();
    let query = |known: &[usize], hidden: &[usize], own| Query {
        known: known.to_vec(),
        hidden: hidden.to_vec(),
        own,
    };
    let mut queries: Vec<Query> = words.iter().map(|&word| query(&[word], &[], None)).collect();
    let captions = data
        .texts
        .iter()
        .enumerate()
        .flat_map(|(own, texts)| texts.iter().map(move |text| (own, *text)));
    for (own, text) in captions.step_by(STRIDE) {
        let words: Vec<usize> = space.bag.encode(&[text]).into_iter().map(|(at, _)| at).collect();
        queries.push(query(&words, &[], Some(own)));
        if let [first, second, rest @ ..] = &words[..] {
            queries.push(query(&[*first, *second], &[], None));
            queries.push(query(&[*first], &[*second], None));
            queries.push(query(&[*second], &[*first], None));
            if let Some(third) = rest.first() {
                queries.push(query(&[*first], &[*second, *third], None));
            }
            if words.len() >= 4 {
                let half = |from: usize| words.iter().copied().skip(from).step_by(2).collect();
                queries.push(Query { known: half(0), hidden: half(1), own: Some(own) });
            }
        }
    }
    queries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_more_speaks_for_is_more_probable_whatever_is_asked() {
        let inputs = [0.84, -0.27, -0.54, 0.6, -3.0, 0.45];
        let relevance = Relevance { weights: Weights { inputs, constant: -1.6 } };
        for (words, unknown) in [(1.0f64, 0.0), (6.0, 0.9), (30.0, 0.0), (30.0, 0.9)] {
            let asked = Asked { length: words.ln(), unknown, rarity: 4.0 };
            let of = |support: f64| relevance.probability(asked.inputs(support));
            assert!(of(-3.0) < of(2.0), "{words} words, {unknown} unknown");
            // Where nothing has to be held, it is the logistic of the weights.
            let plain = relevance.weights.probability(asked.inputs(2.0));
            assert!(words > 1.0 || (of(2.0) - plain).abs() < 1e-12);
        }
    }

    #[test]
    fn support_by_hand() {
        let odds = |p: f64| (p / (1.0 - p)).ln();
        let of = |words: &[f64], whole| support(words.iter().map(|&p| odds(p)), 2.0, whole);
        // One word is its own response, whatever the whole says.
        assert!((of(&[0.3], 0.2) - odds(0.3)).abs() < 1e-9);
        assert!((of(&[0.5, 0.4], 0.0) - odds(0.2)).abs() < 1e-9);
        assert!((of(&[0.5, 0.4, 0.5], 0.2) - odds(0.1) - 0.8).abs() < 1e-9);
        let sure = support([800.0, 900.0].into_iter(), 0.0, 0.2);
        assert!(sure.is_finite() && sure > 15.0, "{sure}");
        let never = support([-800.0, -900.0].into_iter(), 0.0, 0.2);
        assert!((never + 1700.0).abs() < 1e-6, "{never}");
    }
}
