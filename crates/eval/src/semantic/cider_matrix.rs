//! CIDEr of every caption against every image, through an inverted index.
//!
//! The plain definition compares each caption with each reference. Most pairs share only a few
//! common words, so here each n-gram of a reference visits only the captions that have it, and adds
//! its share of their cosine. Captions are taken in blocks whose sums stay in the processor's
//! cache; images are spread over the cores. The sums are `f64`, and their order does not depend on
//! the number of threads.

use rayon::prelude::*;
use rebus_collection::{Error, Matrix, Progress, Result};

use crate::captions::cider::{SCALE, length, length_penalty};
use crate::captions::{Cider, DocumentFrequencies, NgramCounts, ORDERS};

/// Captions in a block: 4,096 sums of `f64` are 32 KiB.
const BLOCK: usize = 4096;

/// The matrix phi(G_i, c_j), a row an image and a column a caption. An image without references
/// has a row of zeros.
///
/// Equal to [`Cider::score`] for each pair, up to the rounding to `f32`.
///
/// # Errors
/// Only if `progress` interrupts.
pub fn cider_matrix<R: AsRef<[NgramCounts]> + Sync>(
    kind: Cider,
    references: &[R],
    captions: &[NgramCounts],
    frequencies: &DocumentFrequencies,
    progress: &dyn Progress,
) -> Result<Matrix> {
    let columns = captions.len();
    let mut matrix = Matrix::zeros(references.len(), columns);
    if columns == 0 || references.is_empty() {
        return Ok(matrix);
    }
    let idf = Idf::new(references, captions, frequencies);
    let vectors: Vec<Vec<Reference>> = references
        .par_iter()
        .map(|image| image.as_ref().iter().map(|r| Reference::new(r, &idf)).collect())
        .collect();
    let blocks = columns.div_ceil(BLOCK);
    progress.begin("caption similarities", Some((references.len() * blocks) as u64));
    for (block, captions) in captions.chunks(BLOCK).enumerate() {
        let index = Index::new(captions, &idf);
        let first = block * BLOCK;
        let of_image = |sums: &mut Sums, row: &mut [f32], image: &[Reference]| {
            if progress.interrupted() {
                return Err(Error::Interrupted);
            }
            index.score(kind, image, sums);
            let scale = if image.is_empty() { 0.0 } else { SCALE / image.len() as f64 };
            for (value, total) in row[first..].iter_mut().zip(&sums.total) {
                *value = (total * scale) as f32;
            }
            progress.advance(1);
            Ok(())
        };
        matrix
            .values_mut()
            .par_chunks_mut(columns)
            .zip(&vectors)
            .try_for_each_init(Sums::default, |sums, (row, image)| of_image(sums, row, image))?;
    }
    Ok(matrix)
}

/// Inverse document frequencies by n-gram, for every n-gram at hand.
struct Idf(Vec<f64>);

impl Idf {
    fn new<R: AsRef<[NgramCounts]>>(
        references: &[R],
        captions: &[NgramCounts],
        frequencies: &DocumentFrequencies,
    ) -> Self {
        let sentences = references.iter().flat_map(AsRef::as_ref).chain(captions);
        let mut idf: Vec<f64> = Vec::new();
        for &(gram, _) in sentences.flat_map(NgramCounts::all) {
            if idf.len() <= gram.index() {
                idf.resize(gram.index() + 1, f64::NAN);
            }
            if idf[gram.index()].is_nan() {
                idf[gram.index()] = frequencies.idf(gram);
            }
        }
        Self(idf)
    }

    /// The lengths of a sentence's TF-IDF vectors.
    fn norms(&self, sentence: &NgramCounts) -> [f64; ORDERS] {
        std::array::from_fn(|order| {
            let weight = |&(gram, count): &(crate::captions::Ngram, u32)| {
                f64::from(count) * self.0[gram.index()]
            };
            sentence.order(order).iter().map(weight).map(|w| w * w).sum::<f64>().sqrt()
        })
    }
}

/// A reference, ready to visit captions.
struct Reference {
    length: usize,
    /// N-gram, how often it occurs, and that divided by the vector's length.
    grams: Vec<(u32, u32, f64)>,
}

impl Reference {
    fn new(sentence: &NgramCounts, idf: &Idf) -> Self {
        let norms = idf.norms(sentence);
        let mut grams = Vec::with_capacity(sentence.all().len());
        for (order, &norm) in norms.iter().enumerate().filter(|&(_, &norm)| norm > 0.0) {
            for &(gram, count) in sentence.order(order) {
                if idf.0[gram.index()] > 0.0 {
                    grams.push((gram.index() as u32, count, f64::from(count) / norm));
                }
            }
        }
        Self { length: length(sentence), grams }
    }
}

/// The captions of a block by n-gram.
struct Index {
    /// Where the captions of each n-gram start in the lists below.
    starts: Vec<u32>,
    captions: Vec<u16>,
    /// How often the caption has the n-gram.
    counts: Vec<f32>,
    /// idf² of the n-gram over the length of the caption's vector and the number of orders.
    weights: Vec<f64>,
    lengths: Vec<usize>,
}

impl Index {
    fn new(captions: &[NgramCounts], idf: &Idf) -> Self {
        let mut starts = vec![0_u32; idf.0.len() + 1];
        for &(gram, _) in captions.iter().flat_map(NgramCounts::all) {
            starts[gram.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let size = starts.last().copied().unwrap_or(0) as usize;
        let mut index = Self {
            captions: vec![0; size],
            counts: vec![0.0; size],
            weights: vec![0.0; size],
            lengths: captions.iter().map(length).collect(),
            starts: Vec::new(),
        };
        let mut next = starts.clone();
        for (number, caption) in captions.iter().enumerate() {
            let norms = idf.norms(caption);
            for (order, &norm) in norms.iter().enumerate() {
                for &(gram, count) in caption.order(order) {
                    let at = next[gram.index()] as usize;
                    next[gram.index()] += 1;
                    index.captions[at] = number as u16;
                    index.counts[at] = count as f32;
                    let idf = idf.0[gram.index()];
                    if norm > 0.0 {
                        index.weights[at] = idf * idf / (norm * ORDERS as f64);
                    }
                }
            }
        }
        index.starts = starts;
        index
    }

    /// The sum over an image's references of the similarity with each caption, into `sums.total`.
    fn score(&self, kind: Cider, image: &[Reference], sums: &mut Sums) {
        sums.total.clear();
        sums.total.resize(self.lengths.len(), 0.0);
        match kind {
            Cider::Plain => {
                for reference in image {
                    self.visit(kind, reference, &mut sums.total);
                }
            }
            Cider::D => {
                for reference in image {
                    sums.one.clear();
                    sums.one.resize(self.lengths.len(), 0.0);
                    self.visit(kind, reference, &mut sums.one);
                    sums.penalise(reference.length, &self.lengths);
                }
            }
        }
    }

    fn visit(&self, kind: Cider, reference: &Reference, sums: &mut [f64]) {
        for &(gram, count, share) in &reference.grams {
            let gram = gram as usize;
            let range = self.starts[gram] as usize..self.starts[gram + 1] as usize;
            let visited = self.captions[range.clone()].iter().zip(&self.weights[range.clone()]);
            match kind {
                // The caption's count is at least 1, so it is clipped to 1.
                Cider::D if count == 1 => {
                    for (&caption, &weight) in visited {
                        sums[usize::from(caption)] += weight * share;
                    }
                }
                Cider::D => {
                    let most = count as f32;
                    for ((&caption, &weight), &mine) in visited.zip(&self.counts[range]) {
                        sums[usize::from(caption)] += weight * share * f64::from(mine.min(most));
                    }
                }
                Cider::Plain => {
                    for ((&caption, &weight), &mine) in visited.zip(&self.counts[range]) {
                        sums[usize::from(caption)] += weight * share * f64::from(mine);
                    }
                }
            }
        }
    }
}

/// Room for one image's sums, used again for the next.
#[derive(Default)]
struct Sums {
    one: Vec<f64>,
    total: Vec<f64>,
    /// The length penalty by the caption's length, for the reference at hand.
    penalties: Vec<f64>,
}

impl Sums {
    /// Adds one reference's similarities, with CIDEr-D's length penalty, to the total.
    fn penalise(&mut self, reference: usize, lengths: &[usize]) {
        let longest = lengths.iter().copied().max().unwrap_or(0);
        self.penalties.clear();
        self.penalties
            .extend((0..=longest).map(|length| length_penalty(length.abs_diff(reference))));
        for ((total, one), &length) in self.total.iter_mut().zip(&self.one).zip(lengths) {
            *total += one * self.penalties[length];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::cider::TfIdf;
    use crate::captions::{Lexicon, NgramTable};
    use proptest::prelude::*;
    use rebus_collection::Silent;

    type Sentences = Vec<Vec<u8>>;

    fn agrees(
        images: &[Sentences],
        captions: &Sentences,
    ) -> std::result::Result<(), TestCaseError> {
        let mut lexicon = Lexicon::new();
        let mut table = NgramTable::new();
        let mut count = |s: &Vec<u8>| table.count(&lexicon.words(s.iter().map(u8::to_string)));
        let references: Vec<Vec<_>> =
            images.iter().map(|image| image.iter().map(&mut count).collect()).collect();
        let captions: Vec<_> = captions.iter().map(&mut count).collect();
        let Ok(frequencies) = DocumentFrequencies::new(&references) else { return Ok(()) };
        for kind in [Cider::Plain, Cider::D] {
            let matrix = cider_matrix(kind, &references, &captions, &frequencies, &Silent).unwrap();
            for (row, image) in references.iter().enumerate() {
                let image: Vec<_> = image.iter().map(|r| TfIdf::new(r, &frequencies)).collect();
                for (column, caption) in captions.iter().enumerate() {
                    let caption = TfIdf::new(caption, &frequencies);
                    let plain = kind.score(&caption, &image).unwrap_or(0.0);
                    let fast = f64::from(matrix.row(row)[column]);
                    prop_assert!((fast - plain).abs() <= 1e-6 * plain.abs(), "{fast} {plain}");
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn the_index_agrees_with_the_definition(
            images in prop::collection::vec(
                prop::collection::vec(prop::collection::vec(0..12_u8, 0..9), 0..4), 2..8),
            captions in prop::collection::vec(prop::collection::vec(0..12_u8, 0..9), 1..20),
        ) {
            agrees(&images, &captions)?;
        }
    }

    #[test]
    fn captions_of_several_blocks_agree() {
        let sentence = |n: usize| -> Vec<u8> { (0..n % 11).map(|w| (w * n % 23) as u8).collect() };
        let images: Vec<Sentences> =
            (0..3).map(|i| (0..3).map(|j| sentence(7 * i + 3 * j + 5)).collect()).collect();
        let captions: Vec<_> = (0..BLOCK + 7).map(sentence).collect();
        agrees(&images, &captions).unwrap();
    }
}
