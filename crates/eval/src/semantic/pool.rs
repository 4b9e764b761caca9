//! The captions that are ranked, and the references that stand for each image.

use rebus_collection::counted;

use crate::captions::read::CaptionFile;
use crate::captions::{Lexicon, Sentence, Tokeniser};
use crate::{Error, GoldMap, Result};

/// What phi is computed of: rows are images with their references, columns are captions.
#[derive(Debug, Clone, Default)]
pub struct CaptionPool {
    lexicon: Lexicon,
    references: Vec<Vec<Sentence>>,
    captions: Vec<Sentence>,
    corpus: Option<Vec<Vec<Sentence>>>,
}

impl CaptionPool {
    /// A pool of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an image by its references, each its tokens separated by plain spaces.
    pub fn add_image<S: AsRef<str>>(&mut self, references: &[S]) {
        let references = self.sentences(references);
        self.references.push(references);
    }

    /// Adds a caption to the pool.
    pub fn add_caption(&mut self, tokenised: &str) {
        let caption = self.lexicon.tokens(tokenised);
        self.captions.push(caption);
    }

    /// Adds a document to the corpus for document frequencies, instead of the references.
    pub fn add_document<S: AsRef<str>>(&mut self, sentences: &[S]) {
        let document = self.sentences(sentences);
        self.corpus.get_or_insert_default().push(document);
    }

    fn sentences<S: AsRef<str>>(&mut self, texts: &[S]) -> Vec<Sentence> {
        texts.iter().map(|text| self.lexicon.tokens(text.as_ref())).collect()
    }

    /// The usual pool: every caption of every image. Image `i` of the file is row `i`; the captions
    /// of an image, in the file's order, are the columns that `gold` gives it, in order.
    ///
    /// # Errors
    /// If the file and the map differ in images, or in the captions of an image.
    pub fn of_file(file: &CaptionFile, gold: &GoldMap, tokeniser: Tokeniser) -> Result<Self> {
        if file.images.len() != gold.images() {
            let what = format!(
                "references of {}, but scores of {}",
                counted(file.images.len() as u64, "image"),
                gold.images()
            );
            return Err(Error::Shape { what });
        }
        for (image, (id, captions)) in file.images.iter().enumerate() {
            let columns = gold.captions_of(image).len();
            if columns != captions.len() {
                let what = format!(
                    "image {image} (`{id}`) has {} in the references, but {columns} in the scores",
                    counted(captions.len() as u64, "caption")
                );
                return Err(Error::Shape { what });
            }
        }
        let texts: Vec<&String> = file.images.iter().flat_map(|(_, captions)| captions).collect();
        let tokens = tokeniser.tokenise(&texts);
        let mut pool = Self::new();
        let mut rest = &tokens[..];
        pool.captions = vec![Sentence::new(); texts.len()];
        for (image, (_, captions)) in file.images.iter().enumerate() {
            let (mine, others) = rest.split_at(captions.len());
            rest = others;
            let sentences = pool.sentences(mine);
            for (&column, sentence) in gold.captions_of(image).iter().zip(&sentences) {
                pool.captions[column as usize].clone_from(sentence);
            }
            pool.references.push(sentences);
        }
        Ok(pool)
    }

    /// The words of all sentences.
    pub(crate) fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The references of each image.
    pub(crate) fn references(&self) -> &[Vec<Sentence>] {
        &self.references
    }

    /// The captions.
    pub(crate) fn captions(&self) -> &[Sentence] {
        &self.captions
    }

    /// The corpus for document frequencies, if it is not the references.
    pub(crate) fn corpus(&self) -> Option<&[Vec<Sentence>]> {
        self.corpus.as_deref()
    }

    /// The same pool after an analysis of its words.
    pub(super) fn mapped(&self, map: impl Fn(&[crate::captions::Word]) -> Sentence) -> Self {
        let group = |group: &Vec<Sentence>| group.iter().map(|s| map(s)).collect();
        Self {
            lexicon: Lexicon::new(),
            references: self.references.iter().map(group).collect(),
            captions: self.captions.iter().map(|caption| map(caption)).collect(),
            corpus: self.corpus.as_ref().map(|corpus| corpus.iter().map(group).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(images: &[&[&str]]) -> CaptionFile {
        let image = |(at, captions): (usize, &&[&str])| {
            let captions = captions.iter().map(|&text| text.to_owned()).collect();
            (at.to_string().into(), captions)
        };
        CaptionFile { images: images.iter().enumerate().map(image).collect(), ..Default::default() }
    }

    #[test]
    fn columns_follow_the_map() {
        let file = file(&[&["a dog", "two dogs"], &["a cat"]]);
        let gold = GoldMap::new(&[0, 1, 0], 2).unwrap();
        let pool = CaptionPool::of_file(&file, &gold, Tokeniser::Ptb).unwrap();
        assert_eq!(pool.captions()[1], pool.references()[1][0]);
        assert_eq!(pool.captions()[2], pool.references()[0][1]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let file = file(&[&["a dog", "two dogs"], &["a cat"]]);
        let of = |map: &GoldMap| CaptionPool::of_file(&file, map, Tokeniser::Ptb).unwrap_err();
        assert!(of(&GoldMap::even(3, 3).unwrap()).to_string().contains("2 images"));
        assert!(of(&GoldMap::even(2, 4).unwrap()).to_string().contains("`1`"));
    }
}
