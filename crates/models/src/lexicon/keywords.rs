//! Keywords with probabilities: the words that may be given to a picture, by how they respond to it.
//!
//! A word of captions becomes a keyword if it can be told on pictures that the space was not fitted
//! on; a word of evidence, if enough pictures show it.

use rebus_collection::Matrix;
use rebus_text::Tokeniser;
use rustc_hash::{FxHashMap, FxHashSet};

use super::responses::{Responses, mentioned};
use super::widen::Evidence;
use super::{Params, Sources};
use crate::Result;
use crate::word_space::WordSpace;

/// The file of the keywords, a line each: the word as people write it, a tab, as the bag has it.
pub(super) const FILE: &str = "keywords.txt";

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
    /// One entry a word; captions are asked first, then each evidence in turn.
    pub(super) fn fit(
        space: &WordSpace,
        responses: &Responses,
        data: &Sources<'_>,
        params: &Params,
    ) -> Result<Self> {
        let mut words = of_captions(space, responses, data)?;
        for evidence in data.evidence {
            words.extend(of_evidence(space, evidence, params));
        }
        let mut seen = FxHashSet::default();
        words.retain(|entry| seen.insert(entry.row));
        words.sort_by(|a, b| a.word.cmp(&b.word));
        Ok(Self { list: words })
    }

    pub(super) fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.list.iter().map(|entry| entry.word.as_str())
    }

    pub(super) fn of(
        &self,
        responses: &Responses,
        images: &Matrix,
    ) -> Result<Vec<Vec<Keyword<'_>>>> {
        let rows: Vec<usize> = self.list.iter().map(|entry| entry.row).collect();
        let odds = responses.of(images, &rows)?;
        let picture = |row: usize| {
            let mut keywords: Vec<Keyword<'_>> = self
                .list
                .iter()
                .zip(odds.row(row))
                .map(|(entry, &odds)| Keyword {
                    word: &entry.word,
                    probability: 1.0 / (1.0 + f64::from(-odds).exp()),
                })
                .collect();
            keywords.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            keywords
        };
        Ok((0..images.rows()).map(picture).collect())
    }

    pub(super) fn to_text(&self) -> String {
        self.list.iter().map(|entry| format!("{}\t{}\n", entry.word, entry.stem)).collect()
    }

    /// From the lines of [`Self::to_text`].
    pub(super) fn read(lines: &[&str], space: &WordSpace) -> std::result::Result<Self, String> {
        let entry = |(at, line): (usize, &&str)| {
            let (word, stem) =
                line.split_once('\t').ok_or(format!("line {} has no tab", at + 1))?;
            let row = space
                .bag
                .position(stem)
                .ok_or(format!("line {}: the vocabulary has no `{stem}`", at + 1))?;
            Ok(Entry { word: word.to_owned(), stem: stem.to_owned(), row })
        };
        let list =
            lines.iter().enumerate().map(entry).collect::<std::result::Result<_, String>>()?;
        Ok(Self { list })
    }
}

/// The words of captions that can be told on the held out pictures.
fn of_captions(space: &WordSpace, responses: &Responses, data: &Sources<'_>) -> Result<Vec<Entry>> {
    let images = space.encode_images(data.held_out.features)?;
    let mentioned = mentioned(space, &data.held_out);
    let forms = surface_forms(space, data);
    let mut entries = Vec::new();
    for (row, stem) in space.bag.words().enumerate() {
        let often = space.bag.documents_with(stem) >= LEAST;
        let Some(form) = forms.get(stem).filter(|_| often) else { continue };
        let odds = responses.of(&images, &[row])?;
        let shown: Vec<bool> = mentioned.iter().map(|words| words.contains(&row)).collect();
        if telling(odds.values(), &shown) >= TELLING {
            entries.push(Entry { word: form.clone(), stem: stem.to_owned(), row });
        }
    }
    Ok(entries)
}

/// The words of one evidence that enough pictures show.
fn of_evidence(space: &WordSpace, evidence: &Evidence<'_>, params: &Params) -> Vec<Entry> {
    let mut entries = Vec::new();
    // Words of which the evidence says the same are one keyword, under the first of them.
    let mut said = FxHashSet::default();
    for (word, stem, sure) in evidence.single_words(space, params) {
        let Some(row) = space.bag.position(&stem) else { continue };
        if said.insert(sure.iter().map(|sure| sure.to_bits()).collect::<Vec<u32>>()) {
            entries.push(Entry { word: word.to_owned(), stem, row });
        }
    }
    entries
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
