//! Candidates and references of a set of images, tokenised.
//!
//! Tokens are separated by plain spaces. The tokeniser of the COCO evaluation writes some tokens
//! with a hard space inside (`2 1/2`): its ROUGE-L takes them as one word, its BLEU and CIDEr as
//! two, and so do ours.

use rebus_collection::ItemId;

use super::words::{Lexicon, Sentence};

/// What is scored: a candidate and references for each image, and perhaps a corpus of its own for
/// document frequencies.
#[derive(Debug, Clone, Default)]
pub struct CaptionSet {
    lexicon: Lexicon,
    images: Vec<ImageCaptions>,
    corpus: Option<Vec<Vec<Sentence>>>,
}

/// The captions of one image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ImageCaptions {
    /// The image.
    pub id: ItemId,
    /// What is scored.
    pub candidate: Sentence,
    /// What people wrote.
    pub references: Vec<Sentence>,
}

impl CaptionSet {
    /// A set without images, whose document frequencies are those of its references.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an image; each sentence is its tokens, separated by plain spaces.
    pub fn add<S: AsRef<str>>(&mut self, id: impl Into<ItemId>, candidate: &str, references: &[S]) {
        let candidate = self.lexicon.tokens(candidate);
        let references = self.sentences(references);
        self.images.push(ImageCaptions { id: id.into(), candidate, references });
    }

    /// Adds a document (the captions of one image) to the corpus that document frequencies are
    /// taken from, instead of from the references.
    pub fn add_document<S: AsRef<str>>(&mut self, sentences: &[S]) {
        let document = self.sentences(sentences);
        self.corpus.get_or_insert_default().push(document);
    }

    fn sentences<S: AsRef<str>>(&mut self, texts: &[S]) -> Vec<Sentence> {
        texts.iter().map(|text| self.lexicon.tokens(text.as_ref())).collect()
    }

    /// The images, in the order in which they were added.
    pub(crate) fn images(&self) -> &[ImageCaptions] {
        &self.images
    }

    /// The corpus for document frequencies, if it is not the references.
    pub(crate) fn corpus(&self) -> Option<&[Vec<Sentence>]> {
        self.corpus.as_deref()
    }

    /// The words of all sentences.
    pub(crate) fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }
}
