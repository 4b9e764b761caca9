//! Explicit models: a weight for every pair of a word and a feature of pictures.
//!
//! Both systems of the scalable-explicit paper, the joint one (`rank-svm`) and the independent
//! baseline (`word-svm`), end in such weights and differ in how they come by them. A picture is
//! encoded as its response to every word, a text as its bag of words.

use std::path::Path;

use rebus_collection::Matrix;

use crate::bag_of_words::Form;
use crate::folder::{Reader, Writer};
use crate::image_side::{ImageSide, Scaling};
use crate::origin::Origin;
use crate::{
    BagOfWords, DualEncoder, Error, Model, Result, Settings, Training, Understands, WordResponses,
    dot_products,
};

/// The settings of an explicit model.
pub trait ExplicitParams: Settings + Clone + Send + Sync {
    /// What [`crate::SYSTEMS`] calls the system.
    const KIND: &'static str;
    /// The version of the layout of its folder.
    const VERSION: u32;
    /// How texts become bags of words.
    fn text(&self) -> Form;
    /// What is done to the features of a picture, and the constant behind them.
    fn image(&self) -> (Scaling, f32);
}

/// [`ExplicitParams`] of settings that have `text`, `scaling` and `bias`.
macro_rules! explicit_params {
    ($params:ty, ($kind:expr, $version:expr)) => {
        impl $crate::ExplicitParams for $params {
            const KIND: &'static str = $kind;
            const VERSION: u32 = $version;

            fn text(&self) -> Form {
                self.text
            }

            fn image(&self) -> (Scaling, f32) {
                (self.scaling, self.bias)
            }
        }
    };
}

pub(crate) use explicit_params;

/// A fitted explicit model: [`crate::RankSvm`] or [`crate::WordSvm`], by its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplicitModel<P> {
    origin: Origin,
    params: P,
    bag: BagOfWords,
    image: ImageSide,
    /// A row a word, a column a feature, the constant last.
    weights: Matrix,
}

impl<P: ExplicitParams> ExplicitModel<P> {
    /// With weights that were learnt.
    ///
    /// # Errors
    /// If a weight is not finite, naming its word and feature.
    pub(crate) fn new(
        data: &Training<'_>,
        params: &P,
        (bag, image): (BagOfWords, ImageSide),
        weights: Matrix,
    ) -> Result<Self> {
        if let Some((word, feature)) = weights.first_not_finite() {
            let word = bag.word(word).unwrap_or_default();
            let what = format!(
                "the weight of `{word}` and feature {feature} is not finite; scale the features"
            );
            return Err(Error::Data { what });
        }
        Ok(Self { origin: Origin::of(data), params: params.clone(), bag, image, weights })
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &P {
        &self.params
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let reader = Reader::open(folder, P::KIND, P::VERSION)?;
        let params: P = reader.settings()?;
        let bag = reader.bag_of_words(params.text())?;
        let statistics = reader.tensor("image.statistics", [Some(2), None])?;
        let (scaling, bias) = params.image();
        let image = ImageSide::from_statistics(statistics, scaling, bias);
        let weights = reader.tensor("weights", [Some(bag.len()), Some(image.dimensions())])?;
        Ok(Self { origin: Origin::read(&reader), params, bag, image, weights })
    }
}

impl<P: ExplicitParams> Model for ExplicitModel<P> {
    fn save(&self, folder: &Path) -> Result<()> {
        let kind = (P::KIND, P::VERSION);
        let manifest = self.origin.manifest(kind, self.bag.analysis(), &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        let statistics = self.image.statistics();
        writer.tensors(&[("image.statistics", statistics), ("weights", &self.weights)])?;
        writer.vocabulary(&self.bag.to_text())?;
        writer.finish()
    }
}

impl<P: ExplicitParams> DualEncoder for ExplicitModel<P> {
    fn extractor(&self) -> &str {
        &self.origin.extractor
    }

    fn dimensions(&self) -> usize {
        self.bag.len()
    }

    /// The response of every picture to every word.
    fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
        dot_products(&self.image.rows(features)?, &self.weights)
    }

    /// The bag of every text; zeros where no word is known.
    fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
        let mut vectors = Matrix::zeros(texts.len(), self.bag.len());
        for (row, text) in texts.iter().enumerate() {
            for (at, weight) in self.bag.encode(&[text]) {
                vectors.row_mut(row)[at] = weight as f32;
            }
        }
        Ok(vectors)
    }
}

impl<P: ExplicitParams> WordResponses for ExplicitModel<P> {
    fn bag(&self) -> &BagOfWords {
        &self.bag
    }
}

impl<P: ExplicitParams> Understands for ExplicitModel<P> {
    fn unknown(&self, text: &str) -> Vec<String> {
        self.bag.unknown(text)
    }
}
