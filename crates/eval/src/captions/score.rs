//! Scores of a whole set of captions, over the corpus and for each image.

use rayon::prelude::*;
use rebus_collection::ItemId;

use super::bleu::{Bleu, BleuReferences};
use super::caption_set::{CaptionSet, ImageCaptions};
use super::cider::{Cider, TfIdf};
use super::document_frequency::{DocumentFrequencies, TooSmall};
use super::measure::CaptionMeasure as M;
use super::ngrams::{NgramCounts, NgramTable};
use super::word_map::{WordMap, plain_words, stems};
use super::words::Sentence;
use super::{rouge_l, unigram_bleu, unigram_rouge};

/// What became of a set of captions.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptionScores {
    /// The figures over the whole set, in the order of the measures asked for.
    pub corpus: Vec<CorpusScore>,
    /// The images in the set's order.
    pub images: Vec<ImageScores>,
    /// Images whose candidate has no words; they score 0.
    pub empty_candidates: Vec<ItemId>,
    /// Images none of whose references has a word; every measure is undefined for them, and they
    /// are left out of the figures over the corpus.
    pub empty_references: Vec<ItemId>,
    /// How many documents weigh CIDEr's n-grams, or why there are no weights.
    pub documents: Option<Result<usize, TooSmall>>,
}

/// One measure over the whole set.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusScore {
    /// The measure.
    pub measure: M,
    /// BLEU over the added counts; the mean over images otherwise.
    pub value: Option<f64>,
    /// For how many images the measure is undefined.
    pub undefined: usize,
}

/// The scores of one image.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageScores {
    /// The image.
    pub id: ItemId,
    /// The values, in the order of the measures asked for.
    pub values: Vec<Option<f64>>,
}

/// Scores every image of a set by every measure.
pub fn score(set: &CaptionSet, measures: &[M]) -> CaptionScores {
    let prepared = Prepared::new(set, measures);
    let parts: Vec<Parts> =
        (0..set.images().len()).into_par_iter().map(|at| prepared.image(set, at)).collect();
    let corpus = (0..measures.len()).map(|m| corpus_score(measures[m], m, &parts)).collect();
    let which = |keep: &dyn Fn(&ImageCaptions) -> bool| {
        set.images().iter().filter(|image| keep(image)).map(|image| image.id.clone()).collect()
    };
    CaptionScores {
        corpus,
        empty_candidates: which(&|image| image.candidate.is_empty()),
        empty_references: which(&|image| image.references.iter().all(Vec::is_empty)),
        documents: prepared
            .frequencies
            .as_ref()
            .map(|known| known.as_ref().map(|known| known.documents()).map_err(|&why| why)),
        images: set
            .images()
            .iter()
            .zip(parts)
            .map(|(image, parts)| ImageScores { id: image.id.clone(), values: parts.values })
            .collect(),
    }
}

fn corpus_score(measure: M, at: usize, parts: &[Parts]) -> CorpusScore {
    let defined: Vec<f64> = parts.iter().filter_map(|image| image.values[at]).collect();
    let value = match bleu_order(measure) {
        _ if defined.is_empty() => None,
        Some(order) => {
            let mut all = Bleu::default();
            parts.iter().filter_map(|image| image.bleu).for_each(|bleu| all += bleu);
            Some(all.scores()[order])
        }
        None => Some(defined.iter().sum::<f64>() / defined.len() as f64),
    };
    CorpusScore { measure, value, undefined: parts.len() - defined.len() }
}

/// Which of the four BLEU scores a measure is, from 0.
pub(crate) fn bleu_order(measure: M) -> Option<usize> {
    [M::Bleu1, M::Bleu2, M::Bleu3, M::Bleu4].iter().position(|&bleu| bleu == measure)
}

struct Parts {
    values: Vec<Option<f64>>,
    bleu: Option<Bleu>,
}

struct Prepared<'a> {
    measures: &'a [M],
    counts: Vec<(NgramCounts, Vec<NgramCounts>)>,
    frequencies: Option<Result<DocumentFrequencies, TooSmall>>,
    bare: Option<WordMap>,
    stems: Option<WordMap>,
}

impl<'a> Prepared<'a> {
    fn new(set: &CaptionSet, measures: &'a [M]) -> Self {
        let wants = |some: &[M]| measures.iter().any(|measure| some.contains(measure));
        let lexicon = set.lexicon();
        let pieces = WordMap::pieces(lexicon);
        let mut table = NgramTable::new();
        let mut count = |sentence: &Sentence| match &pieces {
            None => table.count(sentence),
            Some(pieces) => table.count(&pieces.apply(sentence)),
        };
        let counts: Vec<(_, Vec<_>)> = set
            .images()
            .iter()
            .map(|image| {
                let references = image.references.iter().map(&mut count).collect();
                (count(&image.candidate), references)
            })
            .collect();
        let frequencies = wants(&[M::Cider, M::CiderD]).then(|| match set.corpus() {
            None => DocumentFrequencies::new(counts.iter().map(|(_, references)| references)),
            Some(corpus) => {
                let corpus: Vec<Vec<_>> =
                    corpus.iter().map(|d| d.iter().map(&mut count).collect()).collect();
                DocumentFrequencies::new(&corpus)
            }
        });
        Self {
            measures,
            counts,
            frequencies,
            bare: wants(&[M::UnigramBleu]).then(|| WordMap::new(lexicon, plain_words)),
            stems: wants(&[M::UnigramRouge, M::BleuPre]).then(|| WordMap::new(lexicon, stems)),
        }
    }

    fn image(&self, set: &CaptionSet, at: usize) -> Parts {
        let image = &set.images()[at];
        let (candidate, references) = &self.counts[at];
        let bleu = BleuReferences::new(references).map(|known| known.compare(candidate));
        let value = |&measure: &M| {
            if image.references.iter().all(Vec::is_empty) {
                return None;
            }
            match measure {
                M::Bleu1 | M::Bleu2 | M::Bleu3 | M::Bleu4 => {
                    bleu.zip(bleu_order(measure)).map(|(bleu, order)| bleu.scores()[order])
                }
                M::RougeL => rouge_l(&image.candidate, &image.references),
                M::Cider => self.cider(Cider::Plain, candidate, references),
                M::CiderD => self.cider(Cider::D, candidate, references),
                M::UnigramBleu => mapped(self.bare.as_ref()?, image, unigram_bleu),
                M::UnigramRouge => mapped(self.stems.as_ref()?, image, unigram_rouge),
                M::BleuPre => mapped(self.stems.as_ref()?, image, unigram_bleu),
            }
        };
        Parts { values: self.measures.iter().map(value).collect(), bleu }
    }

    fn cider(
        &self,
        kind: Cider,
        candidate: &NgramCounts,
        references: &[NgramCounts],
    ) -> Option<f64> {
        let frequencies = self.frequencies.as_ref()?.as_ref().ok()?;
        let references: Vec<_> = references.iter().map(|r| TfIdf::new(r, frequencies)).collect();
        kind.score(&TfIdf::new(candidate, frequencies), &references)
    }
}

type Pairwise = fn(&Sentence, &[Sentence]) -> Option<f64>;

fn mapped(map: &WordMap, image: &ImageCaptions, measure: Pairwise) -> Option<f64> {
    let references: Vec<_> = image.references.iter().map(|r| map.apply(r)).collect();
    measure(&map.apply(&image.candidate), &references)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(images: &[(&str, &[&str])]) -> CaptionSet {
        let mut set = CaptionSet::new();
        for (at, (candidate, references)) in images.iter().enumerate() {
            set.add(at.to_string(), candidate, references);
        }
        set
    }

    #[test]
    fn one_image_has_no_cider_and_the_reason_is_given() {
        let scores = score(&set(&[("a dog", &["a dog"])]), &[M::CiderD, M::Bleu1]);
        assert_eq!(scores.corpus[0].value, None);
        assert_eq!(scores.corpus[0].undefined, 1);
        assert_eq!(scores.documents, Some(Err(TooSmall::OneDocument)));
        assert!(scores.corpus[1].value.is_some());
    }

    #[test]
    fn a_corpus_of_its_own_weighs_one_image() {
        let mut set = set(&[("a dog", &["a dog"])]);
        set.add_document(&["a dog"]);
        set.add_document(&["a cat"]);
        set.add_document(&["a bird"]);
        let scores = score(&set, &[M::CiderD]);
        assert_eq!(scores.documents, Some(Ok(3)));
        // Lengths 3 and 4 have no n-grams: half of 10.
        assert!((scores.corpus[0].value.unwrap() - 5.0).abs() < 1e-12);
    }

    #[test]
    fn images_without_reference_words_are_undefined_and_left_out() {
        let images: &[(&str, &[&str])] =
            &[("a dog", &["a dog"]), ("a cat", &["", ""]), ("", &["two cats"])];
        let scores = score(&set(images), &M::ALL);
        assert_eq!(scores.empty_references, ["1".into()]);
        assert_eq!(scores.empty_candidates, ["2".into()]);
        assert!(scores.images[1].values.iter().all(Option::is_none));
        let rouge = M::ALL.iter().position(|&m| m == M::RougeL).unwrap();
        assert_eq!(scores.corpus[rouge].value, Some(0.5));
        assert_eq!(scores.corpus[rouge].undefined, 1);
        // 0 / 0 for the paper's BLEU of an empty caption, 0 for COCO's.
        let unigram = M::ALL.iter().position(|&m| m == M::UnigramBleu).unwrap();
        assert_eq!(scores.images[2].values[unigram], None);
        assert_eq!(scores.images[2].values[0], Some(0.0));
    }
}
