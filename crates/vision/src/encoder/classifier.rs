//! A network's own classes as features: for each class of ImageNet how probable it is.

use super::Encoder;
use crate::{Error, Extractor, Picture, Result};

/// The sense of each of ImageNet's thousand classes, in the order of the classifiers' outputs:
/// where it stands among the nouns of WordNet 3.0.
const SENSES: &str = include_str!("imagenet.txt");

/// The classifier of a network.
#[derive(Debug)]
pub struct Classifier {
    encoder: Encoder,
    name: String,
    classes: usize,
}

impl Classifier {
    /// Takes the classifier of a network that has one.
    ///
    /// # Errors
    /// If it has none.
    pub fn new(encoder: Encoder) -> Result<Self> {
        let Some(classes) = encoder.specimen().classes.as_ref().map(Vec::len) else {
            let what = "it has no classifier; efficientnet-lite2 has one".into();
            return Err(Error::Network { name: encoder.name().into(), what });
        };
        Ok(Self { name: format!("classes-of-{}", encoder.name()), encoder, classes })
    }

    /// The offsets of ImageNet's classes among the nouns of WordNet 3.0.
    pub fn imagenet_senses() -> Vec<u32> {
        SENSES.lines().filter_map(|line| line.parse().ok()).collect()
    }
}

impl Extractor for Classifier {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.classes
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
        let classes = self.encoder.look(picture)?.classes.unwrap_or_default();
        let most = classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = classes.iter().map(|value| (value - most).exp()).sum();
        for (to, value) in features.iter_mut().zip(classes) {
            *to = (value - most).exp() / sum;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_senses() {
        let senses = Classifier::imagenet_senses();
        assert_eq!(senses.len(), 1000);
        assert!(senses.is_sorted());
        // The tench, the goldfish, and at the end toilet tissue.
        assert_eq!((senses[0], senses[1], senses[999]), (1_440_764, 1_443_537, 15_075_141));
    }
}
