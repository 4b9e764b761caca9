//! The matrix phi(G_i, c_j): how well each caption describes each image, by a caption measure.
//!
//! Biten et al. (2022), equation 3, for any caption measure. A row is an image, a column a caption.
//! Where a measure is undefined (an image without references, or a caption without words for a
//! measure of precision) phi is 0: nothing is known to be similar.

use rayon::prelude::*;
use rebus_collection::{Error, Matrix, Place, Progress, Result};

use super::cider_matrix::cider_matrix;
use super::pool::CaptionPool;
use crate::captions::{
    BleuReferences, CaptionMeasure as M, Cider, DocumentFrequencies, NgramCounts, NgramTable,
    Sentence, WordMap, bleu_order, plain_words, rouge_l, stems, unigram_bleu, unigram_rouge,
};

/// Computes phi for every pair, as [`score`](crate::captions::score) would one by one.
///
/// # Errors
/// If the corpus is too small for document frequencies (CIDEr only), or `progress` interrupts.
pub fn phi(measure: M, pool: &CaptionPool, progress: &dyn Progress) -> Result<Matrix> {
    let words = |analyse: fn(&str) -> Vec<String>| {
        let map = WordMap::new(pool.lexicon(), analyse);
        pool.mapped(|sentence| map.apply(sentence))
    };
    match measure {
        M::Cider => cider(Cider::Plain, pool, progress),
        M::CiderD => cider(Cider::D, pool, progress),
        M::Bleu1 | M::Bleu2 | M::Bleu3 | M::Bleu4 => {
            let counted = Counted::new(pool);
            let order = bleu_order(measure).unwrap_or(0);
            let images: Vec<_> = counted.references.iter().map(BleuReferences::new).collect();
            by_pairs(pool, progress, |image, caption| {
                Some(images[image].as_ref()?.compare(&counted.captions[caption]).scores()[order])
            })
        }
        M::RougeL => by_sentences(pool, progress, |c, references| rouge_l(c, references)),
        M::UnigramBleu => by_sentences(&words(plain_words), progress, unigram_bleu),
        M::UnigramRouge => by_sentences(&words(stems), progress, unigram_rouge),
        M::BleuPre => by_sentences(&words(stems), progress, unigram_bleu),
    }
}

/// The n-grams of a pool.
struct Counted {
    references: Vec<Vec<NgramCounts>>,
    captions: Vec<NgramCounts>,
    corpus: Option<Vec<Vec<NgramCounts>>>,
}

impl Counted {
    fn new(pool: &CaptionPool) -> Self {
        let pieces = WordMap::pieces(pool.lexicon());
        let mut table = NgramTable::new();
        let mut count = |sentence: &Sentence| match &pieces {
            None => table.count(sentence),
            Some(pieces) => table.count(&pieces.apply(sentence)),
        };
        let mut groups = |groups: &[Vec<Sentence>]| -> Vec<Vec<NgramCounts>> {
            groups.iter().map(|group| group.iter().map(&mut count).collect()).collect()
        };
        let references = groups(pool.references());
        let corpus = pool.corpus().map(&mut groups);
        Self { references, corpus, captions: pool.captions().iter().map(count).collect() }
    }
}

fn cider(kind: Cider, pool: &CaptionPool, progress: &dyn Progress) -> Result<Matrix> {
    let counted = Counted::new(pool);
    let documents = counted.corpus.as_ref().unwrap_or(&counted.references);
    let frequencies = DocumentFrequencies::new(documents).map_err(|why| {
        Error::malformed(Place::default(), format!("CIDEr has no weights: {why}"))
            .with_hint("take document frequencies from a larger corpus with --df")
    })?;
    cider_matrix(kind, &counted.references, &counted.captions, &frequencies, progress)
}

fn by_sentences(
    pool: &CaptionPool,
    progress: &dyn Progress,
    value: impl Fn(&Sentence, &[Sentence]) -> Option<f64> + Sync,
) -> Result<Matrix> {
    by_pairs(pool, progress, |image, caption| {
        value(&pool.captions()[caption], &pool.references()[image])
    })
}

fn by_pairs(
    pool: &CaptionPool,
    progress: &dyn Progress,
    value: impl Fn(usize, usize) -> Option<f64> + Sync,
) -> Result<Matrix> {
    let (images, captions) = (pool.references().len(), pool.captions().len());
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
    use crate::captions::{CaptionSet, score};
    use rebus_collection::Silent;

    #[test]
    fn each_cell_is_the_score_of_its_pair() {
        let texts = ["a red-haired dog runs", "the dogs are fast", "cats sleep", "2\u{a0}cats", ""];
        let groups = [&texts[..2], &texts[2..]];
        let mut set = CaptionSet::new();
        let mut pool = CaptionPool::new();
        texts.iter().for_each(|text| pool.add_caption(text));
        for group in groups {
            texts.iter().for_each(|&text| set.add(text, text, group));
            set.add_document(group);
            pool.add_image(group);
        }
        for measure in M::ALL {
            let scores = score(&set, &[measure]);
            let matrix = phi(measure, &pool, &Silent).unwrap();
            for (value, image) in matrix.values().iter().zip(&scores.images) {
                let wanted = image.values[0].unwrap_or(0.0);
                assert!((f64::from(*value) - wanted).abs() < 1e-6, "{measure}: {value} {wanted}");
            }
        }
    }

    #[test]
    fn a_corpus_of_its_own_changes_the_weights_only() {
        let mut pool = CaptionPool::new();
        pool.add_image(&["a dog"]);
        pool.add_caption("a dog");
        let error = phi(M::CiderD, &pool, &Silent).unwrap_err();
        assert!(error.hint().unwrap().contains("--df"), "{error}");
        pool.add_document(&["a dog"]);
        pool.add_document(&["a cat"]);
        // Two of four lengths have n-grams.
        assert!((phi(M::CiderD, &pool, &Silent).unwrap().row(0)[0] - 5.0).abs() < 1e-6);
    }
}
