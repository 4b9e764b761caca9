//! The matrix phi(G_i, c_j): how well each caption describes each image, by a caption measure.
//!
//! Biten et al. (2022), equation 3, for any caption measure. A row is an image, a column a caption.
//! Where a measure is undefined (an image without references, or a caption without words for a
//! measure of precision) phi is 0: nothing is known to be similar.

use rayon::prelude::*;
use rebus_collection::{Error, Matrix, Place, Progress, Result};

use super::cider_matrix::cider_matrix;
use crate::captions::{
    BleuReferences, CaptionMeasure as M, Cider, DocumentFrequencies, NgramCounts, NgramTable,
    Sentence, bleu_order, rouge_l, unigram_bleu, unigram_rouge,
};

/// Computes phi for every pair.
///
/// Sentences must be of one lexicon. Document frequencies come from `corpus`, a group of sentences
/// a document, or else from the references. The measures of the ranking-task paper take words as
/// they are: analyse them first ([`WordMap`](crate::captions::WordMap)).
///
/// # Errors
/// If the corpus is too small for document frequencies (CIDEr only), or `progress` interrupts.
pub fn phi(
    measure: M,
    references: &[Vec<Sentence>],
    captions: &[Sentence],
    corpus: Option<&[Vec<Sentence>]>,
    progress: &dyn Progress,
) -> Result<Matrix> {
    match measure {
        M::Cider => cider(Cider::Plain, references, captions, corpus, progress),
        M::CiderD => cider(Cider::D, references, captions, corpus, progress),
        M::Bleu1 | M::Bleu2 | M::Bleu3 | M::Bleu4 => {
            let mut table = NgramTable::new();
            let (images, candidates) = counted(&mut table, references, captions);
            let order = bleu_order(measure).unwrap_or(0);
            let images: Vec<_> = images.iter().map(BleuReferences::new).collect();
            by_pairs(images.len(), captions.len(), progress, |image, caption| {
                Some(images[image].as_ref()?.compare(&candidates[caption]).scores()[order])
            })
        }
        M::RougeL => by_pairs(references.len(), captions.len(), progress, |image, caption| {
            rouge_l(&captions[caption], &references[image])
        }),
        M::UnigramRouge => {
            by_pairs(references.len(), captions.len(), progress, |image, caption| {
                unigram_rouge(&captions[caption], &references[image])
            })
        }
        M::UnigramBleu | M::BleuPre => {
            by_pairs(references.len(), captions.len(), progress, |image, caption| {
                unigram_bleu(&captions[caption], &references[image])
            })
        }
    }
}

fn counted(
    table: &mut NgramTable,
    references: &[Vec<Sentence>],
    captions: &[Sentence],
) -> (Vec<Vec<NgramCounts>>, Vec<NgramCounts>) {
    let images =
        references.iter().map(|image| image.iter().map(|r| table.count(r)).collect()).collect();
    (images, captions.iter().map(|caption| table.count(caption)).collect())
}

fn cider(
    kind: Cider,
    references: &[Vec<Sentence>],
    captions: &[Sentence],
    corpus: Option<&[Vec<Sentence>]>,
    progress: &dyn Progress,
) -> Result<Matrix> {
    let mut table = NgramTable::new();
    let (images, candidates) = counted(&mut table, references, captions);
    let frequencies = match corpus {
        None => DocumentFrequencies::new(&images),
        Some(corpus) => {
            let (documents, _) = counted(&mut table, corpus, &[]);
            DocumentFrequencies::new(&documents)
        }
    };
    let frequencies = frequencies.map_err(|why| {
        Error::malformed(Place::default(), format!("CIDEr has no weights: {why}"))
            .with_hint("take document frequencies from a larger corpus with --df")
    })?;
    cider_matrix(kind, &images, &candidates, &frequencies, progress)
}

fn by_pairs(
    images: usize,
    captions: usize,
    progress: &dyn Progress,
    value: impl Fn(usize, usize) -> Option<f64> + Sync,
) -> Result<Matrix> {
    let mut matrix = Matrix::zeros(images, captions);
    if captions == 0 {
        return Ok(matrix);
    }
    progress.begin("caption similarities", Some(images as u64));
    let row = |(image, row): (usize, &mut [f32])| {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        for (caption, to) in row.iter_mut().enumerate() {
            *to = value(image, caption).unwrap_or(0.0) as f32;
        }
        progress.advance(1);
        Ok(())
    };
    matrix.values_mut().par_chunks_mut(captions).enumerate().try_for_each(row)?;
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::{CaptionSet, bare_words, score};
    use rebus_collection::Silent;

    #[test]
    fn each_cell_is_the_score_of_its_pair() {
        let texts = ["a red dog runs", "the dog is fast", "two cats sleep on a mat", "cats", ""];
        let groups = [&texts[..2], &texts[2..]];
        for measure in M::ALL {
            // The measures of the paper are of bare words here, without stems.
            let mut set = CaptionSet::new();
            for group in groups {
                for caption in texts {
                    set.add(caption, caption, group);
                }
                set.add_document(group);
            }
            let scores = score(&set, &[measure], &bare_words);
            let mut lexicon = crate::captions::Lexicon::new();
            let captions: Vec<_> = texts.iter().map(|text| lexicon.sentence(text)).collect();
            let references = [captions[..2].to_vec(), captions[2..].to_vec()];
            let matrix = phi(measure, &references, &captions, None, &Silent).unwrap();
            for (value, image) in matrix.values().iter().zip(&scores.images) {
                let wanted = image.values[0].unwrap_or(0.0);
                assert!((f64::from(*value) - wanted).abs() < 1e-6, "{measure}: {value} {wanted}");
            }
        }
    }

    #[test]
    fn a_corpus_too_small_is_refused_with_a_remedy() {
        let mut lexicon = crate::captions::Lexicon::new();
        let captions = vec![lexicon.sentence("a dog")];
        let error = phi(M::CiderD, &[captions.clone()], &captions, None, &Silent).unwrap_err();
        assert!(error.hint().unwrap().contains("--df"), "{error}");
    }
}
