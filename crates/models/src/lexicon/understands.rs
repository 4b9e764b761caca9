//! A lexicon says all that can be said: [`Understands`].

use rebus_collection::Matrix;

use super::{Keyword, Lexicon};
use crate::Result;
use crate::spelled_like::spelled_like;
use crate::understands::{Meaning, Understands, WordPart};

impl Understands for Lexicon {
    fn unknown(&self, text: &str) -> Vec<String> {
        Self::unknown(self, text)
    }

    fn spelled_like(&self, word: &str) -> Vec<String> {
        spelled_like(word, self.keyword_list())
    }

    fn probes(&self, text: &str) -> Result<Matrix> {
        self.text_probes(text)
    }

    fn meaning_for_text(&self, text: &str, scores: &Matrix) -> Result<Meaning> {
        Ok(self.relevance(text, scores)?.map_or(Meaning::Nothing, Meaning::Probabilities))
    }

    fn meaning_for_image(&self, image: &[f32], scores: &[f32]) -> Result<Meaning> {
        self.likeness(image, scores).map(Meaning::Probabilities)
    }

    fn probable_keywords(&self, images: &Matrix) -> Result<Option<Vec<Vec<Keyword<'_>>>>> {
        self.keywords(images).map(Some)
    }

    fn word_parts(&self, text: &str) -> Result<Vec<WordPart>> {
        Ok(self.space.word_parts(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::four_words::fitted;
    use crate::{DualEncoder, dot_products};

    #[test]
    fn the_parts_of_the_words_and_the_origin_are_the_whole() {
        let (model, _) = fitted();
        let parts = model.word_parts("two dogs, a dog and the sea of zxqv").unwrap();
        let words: Vec<&str> = parts.iter().map(|part| part.word.as_str()).collect();
        assert_eq!(words, ["dogs", "sea"]);
        let mut rest = model.encode_texts(&["dog sea"]).unwrap().row(0).to_vec();
        for part in &parts {
            rest.iter_mut().zip(&part.vector).for_each(|(rest, share)| *rest -= share);
        }
        // What is left is the origin, scaled.
        let origin = model.space.origin.row(0);
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let cosine = dot(&rest, origin) / (dot(&rest, &rest) * dot(origin, origin)).sqrt();
        assert!(cosine > 0.999, "{cosine}");
        assert!(model.word_parts("zxqv").unwrap().is_empty());
    }

    #[test]
    fn what_it_knows_and_what_not() {
        let (model, features) = fitted();
        assert_eq!(Understands::unknown(&model, "a zxqv dog"), ["zxqv"]);
        let images = model.encode_images(&features).unwrap();
        let meaning = |text: &str| {
            let scores = dot_products(&model.probes(text).unwrap(), &images).unwrap();
            model.meaning_for_text(text, &scores).unwrap()
        };
        assert_eq!(meaning("zxqv"), Meaning::Nothing);
        let probable = |text: &str| match meaning(text) {
            Meaning::Probabilities(found) => found,
            other => panic!("a lexicon is calibrated: {other:?}"),
        };
        // Pictures 0 to 5: dog and dog, sea and dog, snow and dog, car and dog, dog and sea, sea and sea.
        let (dog, both) = (probable("dog"), probable("dogs at sea"));
        assert!(dog[0] > dog[5], "{dog:?}");
        assert!(both[4] > both[0] && both[4] > both[5], "{both:?}");
        assert!(model.meaning_for_text("dogs at sea", &Matrix::zeros(1, 1)).is_err());
    }
}
