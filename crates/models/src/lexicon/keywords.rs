//! Keywords with probabilities.
//!
//! A keyword's probability is logistic in its standard score and in the log odds of its frequency.
//! The three weights are fitted a group: the words of captions on pictures that the space was not
//! fitted on (does any caption of the picture hold the word?), the words of each evidence on a
//! tenth of its pictures, with directions learnt from the others. For a single word both inputs
//! fold into a factor and a constant.

use rebus_collection::Matrix;
use rebus_text::Tokeniser;
use rustc_hash::{FxHashMap, FxHashSet};

use super::background::Background;
use super::logistic::{Sample, Weights};
use super::widen::{Evidence, directions};
use super::{Params, Sources};
use crate::word_space::WordSpace;
use crate::{Error, Result, dot_products};

/// The file of the keywords, a line each: the word as people write it, a tab, as the bag has it.
pub(super) const FILE: &str = "keywords.txt";

/// One picture of so many is kept back of each evidence.
const KEPT_BACK: usize = 10;
/// A word of captions becomes a keyword if so many training pictures have it, and if on the held
/// out pictures it stands above others at least this often.
const LEAST: u64 = 8;
const TELLING: f64 = 0.65;

/// A word for a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyword<'a> {
    /// The word as people write it.
    pub word: &'a str,
    /// How probable it is that somebody would give it to the picture.
    pub probability: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Keywords {
    /// By the alphabet.
    pub(super) list: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) word: String,
    pub(super) stem: String,
    /// The row among the space's words.
    pub(super) row: usize,
    /// From the score to the log odds.
    pub(super) factor: f32,
    pub(super) constant: f32,
}

/// Words whose probabilities are learnt together.
pub(super) struct Group {
    weights: Weights<2>,
    /// The word as people write it, as the bag has it, and the log odds of its frequency.
    words: Vec<(String, String, f64)>,
}

impl Group {
    /// The words of captions.
    pub(super) fn of_captions(
        space: &WordSpace,
        background: &Background,
        data: &Sources<'_>,
    ) -> Result<Self> {
        let images = space.encode_images(data.held_out.features)?;
        let mentioned: Vec<FxHashSet<usize>> = data
            .held_out
            .texts
            .iter()
            .map(|texts| space.bag.encode(texts).into_iter().map(|(word, _)| word).collect())
            .collect();
        let forms = surface_forms(space, data);
        let pictures = data.captioned.texts.len() as f64;
        let (mut samples, mut words) = (Vec::new(), Vec::new());
        for (row, stem) in space.bag.words().enumerate() {
            let frequency = space.bag.documents_with(stem);
            let Some(form) = forms.get(stem).filter(|_| frequency >= LEAST) else { continue };
            let odds = log_odds(frequency as f64 / pictures);
            let Some(vector) = space.of_words(&[row]) else { continue };
            let spread = background.spread(vector.row(0))?;
            let scores = dot_products(&vector, &images)?;
            let shown: Vec<bool> = mentioned.iter().map(|words| words.contains(&row)).collect();
            if telling(scores.row(0), &shown) < TELLING {
                continue;
            }
            for (&score, shown) in scores.row(0).iter().zip(shown) {
                let sure = if shown { 1.0 } else { 0.0 };
                samples.push(Sample { inputs: [spread.standard(score), odds], sure, often: 1.0 });
            }
            words.push((form.clone(), stem.to_owned(), odds));
        }
        Ok(Self { weights: Weights::fit(&samples), words })
    }

    /// The words of one evidence; `space` is not widened yet.
    pub(super) fn of_evidence(
        space: &WordSpace,
        evidence: &Evidence<'_>,
        params: &Params,
    ) -> Result<Self> {
        let kept_back = |row: usize| row.is_multiple_of(KEPT_BACK);
        let images = space.encode_images(evidence.features)?;
        let background = Background::of(&images);
        let pictures = evidence.features.rows().max(1) as f64;
        let (mut samples, mut words) = (Vec::new(), Vec::new());
        // Words of which the evidence says the same are one keyword, under the first of them.
        let mut said = FxHashSet::default();
        for direction in directions(space, evidence, params, |row| !kept_back(row))? {
            let (word, sure) = &evidence.words[direction.at];
            if !said.insert(sure.iter().map(|sure| sure.to_bits()).collect::<Vec<u32>>()) {
                continue;
            }
            let odds = log_odds(sure.iter().map(|&sure| f64::from(sure)).sum::<f64>() / pictures);
            let vector: Vec<f32> = direction.vector.iter().map(|&value| value as f32).collect();
            let spread = background.spread(&vector)?;
            for row in (0..images.rows()).filter(|&row| kept_back(row)) {
                let score = images.row(row).iter().zip(&vector).map(|(a, b)| a * b).sum();
                let inputs = [spread.standard(score), odds];
                samples.push(Sample { inputs, sure: f64::from(sure[row]), often: 1.0 });
            }
            words.push((word.clone(), direction.stem, odds));
        }
        Ok(Self { weights: Weights::fit(&samples), words })
    }
}

/// How often a picture that shows the word stands above one that does not (the area under the
/// receiver's curve); a half if there is none of either.
pub(super) fn telling(scores: &[f32], shown: &[bool]) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    let (mut below, mut above, mut wins) = (0.0, 0.0, 0.0);
    for at in order {
        if shown[at] {
            above += 1.0;
            wins += below;
        } else {
            below += 1.0;
        }
    }
    if below * above == 0.0 { 0.5 } else { wins / (below * above) }
}

fn log_odds(share: f64) -> f64 {
    let share = share.clamp(1e-5, 1.0 - 1e-5);
    (share / (1.0 - share)).ln()
}

/// For every word of the bag the form in which captions have it most often.
fn surface_forms(space: &WordSpace, data: &Sources<'_>) -> FxHashMap<String, String> {
    let mut counts: FxHashMap<String, FxHashMap<String, u64>> = FxHashMap::default();
    let texts = data.captioned.texts.iter().flatten();
    for word in texts.flat_map(|text| Tokeniser::Words.tokens(text)) {
        let form = word.to_lowercase();
        if let [stem] = &space.bag.tokens(&form)[..] {
            *counts.entry(stem.clone()).or_default().entry(form).or_default() += 1;
        }
    }
    let most = |forms: FxHashMap<String, u64>| {
        forms.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))
    };
    counts.into_iter().filter_map(|(stem, forms)| Some((stem, most(forms)?.0))).collect()
}

impl Keywords {
    /// One entry a word; where groups share one, the first group has it.
    pub(super) fn fit(
        space: &WordSpace,
        background: &Background,
        groups: &[Group],
    ) -> Result<Self> {
        let mut list: Vec<Entry> = Vec::new();
        let mut seen = FxHashSet::default();
        for group in groups {
            let Weights { inputs: [by_score, by_odds], constant } = group.weights;
            for (word, stem, odds) in &group.words {
                let Some(row) = space.bag.position(stem).filter(|_| seen.insert(stem.clone()))
                else {
                    continue;
                };
                let Some(vector) = space.of_words(&[row]) else { continue };
                let (factor, shift) = background.spread(vector.row(0))?.line();
                list.push(Entry {
                    word: word.clone(),
                    stem: stem.clone(),
                    row,
                    factor: (by_score * factor) as f32,
                    constant: (by_score * shift + by_odds * odds + constant) as f32,
                });
            }
        }
        list.sort_by(|a, b| a.word.cmp(&b.word));
        Ok(Self { list })
    }

    pub(super) fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.list.iter().map(|entry| entry.word.as_str())
    }

    pub(super) fn of(&self, space: &WordSpace, images: &Matrix) -> Result<Vec<Vec<Keyword<'_>>>> {
        let mut vectors = Matrix::zeros(self.list.len(), space.dimensions());
        for (to, entry) in self.list.iter().enumerate() {
            if let Some(vector) = space.of_words(&[entry.row]) {
                vectors.row_mut(to).copy_from_slice(vector.row(0));
            }
        }
        if images.columns() != space.dimensions() {
            return Err(Error::Shape { expected: space.dimensions(), found: images.columns() });
        }
        let scores = dot_products(images, &vectors)?;
        let picture = |row: usize| {
            let mut keywords: Vec<Keyword<'_>> = self
                .list
                .iter()
                .zip(scores.row(row))
                .map(|(entry, score)| {
                    let odds = f64::from(entry.factor * score + entry.constant);
                    Keyword { word: &entry.word, probability: 1.0 / (1.0 + (-odds).exp()) }
                })
                .collect();
            keywords.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            keywords
        };
        Ok((0..images.rows()).map(picture).collect())
    }

    pub(super) fn tensor(&self) -> Matrix {
        let mut tensor = Matrix::zeros(self.list.len(), 2);
        for (row, entry) in self.list.iter().enumerate() {
            tensor.row_mut(row).copy_from_slice(&[entry.factor, entry.constant]);
        }
        tensor
    }

    pub(super) fn to_text(&self) -> String {
        self.list.iter().map(|entry| format!("{}\t{}\n", entry.word, entry.stem)).collect()
    }

    /// From the lines of [`Self::to_text`] and the rows of [`Self::tensor`].
    pub(super) fn read(
        lines: &[&str],
        tensor: &Matrix,
        space: &WordSpace,
    ) -> std::result::Result<Self, String> {
        let entry = |(at, line): (usize, &&str)| {
            let (word, stem) =
                line.split_once('\t').ok_or(format!("line {} has no tab", at + 1))?;
            let row = space
                .bag
                .position(stem)
                .ok_or(format!("line {}: the vocabulary has no `{stem}`", at + 1))?;
            let [factor, constant] = tensor.row(at) else { return Err("two columns".into()) };
            Ok(Entry {
                word: word.to_owned(),
                stem: stem.to_owned(),
                row,
                factor: *factor,
                constant: *constant,
            })
        };
        let list =
            lines.iter().enumerate().map(entry).collect::<std::result::Result<_, String>>()?;
        Ok(Self { list })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_by_hand() {
        assert!((telling(&[0.1, 0.9, 0.5, 0.4], &[false, true, false, true]) - 0.75).abs() < 1e-12);
        assert!((telling(&[0.1, 0.9], &[false, false]) - 0.5).abs() < 1e-12);
    }
}
