//! In how many images an n-gram occurs: what CIDEr weighs n-grams by.
//!
//! Vedantam, Zitnick and Parikh (2015), section 3, equation 1: a document is an image with all its
//! references; idf(g) = ln N - ln max(1, df(g)). An n-gram that no document has weighs as much as
//! one that a single document has.

use super::ngrams::{Ngram, NgramCounts};

/// Document frequencies of n-grams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFrequencies {
    documents: usize,
    counts: Vec<u32>,
}

/// Why a corpus cannot weigh n-grams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooSmall {
    /// No image has a reference with words.
    #[error("no image has a reference with words")]
    Empty,
    /// With one image every n-gram weighs ln(1/1) = 0, and CIDEr would be 0 whatever is said.
    #[error("document frequencies from one image weigh every n-gram 0")]
    OneDocument,
    /// Every n-gram is in every image, so all weigh 0.
    #[error("all {0} images have the same n-grams, so each weighs 0")]
    AllAlike(usize),
}

impl DocumentFrequencies {
    /// Counts documents, each a group of sentences: the references of one image. Documents
    /// without words are not counted.
    ///
    /// # Errors
    /// If the corpus is too small, or too much alike, for any n-gram to weigh more than 0.
    pub fn new<'a, D>(documents: impl IntoIterator<Item = D>) -> Result<Self, TooSmall>
    where
        D: IntoIterator<Item = &'a NgramCounts>,
    {
        let mut frequencies = Self { documents: 0, counts: Vec::new() };
        let mut grams: Vec<Ngram> = Vec::new();
        for document in documents {
            grams.clear();
            grams.extend(document.into_iter().flat_map(|s| s.all()).map(|&(gram, _)| gram));
            grams.sort_unstable();
            grams.dedup();
            let Some(last) = grams.last() else { continue };
            if frequencies.counts.len() <= last.index() {
                frequencies.counts.resize(last.index() + 1, 0);
            }
            grams.iter().for_each(|gram| frequencies.counts[gram.index()] += 1);
            frequencies.documents += 1;
        }
        let all_alike = || {
            let everywhere = frequencies.documents as u32;
            frequencies.counts.iter().all(|&count| count == 0 || count == everywhere)
        };
        match frequencies.documents {
            0 => Err(TooSmall::Empty),
            1 => Err(TooSmall::OneDocument),
            documents if all_alike() => Err(TooSmall::AllAlike(documents)),
            _ => Ok(frequencies),
        }
    }

    /// How many documents were counted.
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// The inverse document frequency of an n-gram, at least 0.
    pub fn idf(&self, gram: Ngram) -> f64 {
        let count = self.counts.get(gram.index()).copied().unwrap_or(0).max(1);
        (self.documents as f64).ln() - f64::from(count).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::{Lexicon, NgramTable};

    fn frequencies(documents: &[&[&str]]) -> Result<(DocumentFrequencies, NgramCounts), TooSmall> {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        let mut count = |text: &str| table.count(&lexicon.sentence(text));
        let documents: Vec<Vec<_>> =
            documents.iter().map(|d| d.iter().map(|text| count(text)).collect()).collect();
        Ok((DocumentFrequencies::new(&documents)?, count("dog cat newt")))
    }

    #[test]
    fn worked_example() {
        let (frequencies, counts) =
            frequencies(&[&["dog cat", "dog"], &["dog"], &["bird"], &[""]]).unwrap();
        assert_eq!(frequencies.documents(), 3);
        let idf: Vec<_> = counts.order(0).iter().map(|&(gram, _)| frequencies.idf(gram)).collect();
        let ln = f64::ln;
        assert_eq!(idf, [ln(3.0) - ln(2.0), ln(3.0), ln(3.0)]);
    }

    #[test]
    fn a_corpus_that_weighs_nothing_is_refused() {
        assert_eq!(frequencies(&[]).unwrap_err(), TooSmall::Empty);
        assert_eq!(frequencies(&[&[""]]).unwrap_err(), TooSmall::Empty);
        assert_eq!(frequencies(&[&["a dog"], &[]]).unwrap_err(), TooSmall::OneDocument);
        assert_eq!(frequencies(&[&["a dog"], &["a dog"]]).unwrap_err(), TooSmall::AllAlike(2));
    }
}
