//! `rebus-small`: the model that is part of the program, so that nothing needs to be fetched.
//!
//! Its folder is `models/rebus-small`; its card there says what it was made of, by which command,
//! and what it is bad at.

use rebus_collection::ContentHash;
use rebus_models::Lexicon;
use rebus_vision::encoder::{Encoder, Recipe};

/// Its name.
pub(crate) const NAME: &str = "rebus-small";

/// A file of its folder.
macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../../models/rebus-small/", $name))
    };
}

static FILES: &[(&str, &[u8])] = &[
    ("model.json", file!("model.json")),
    ("model.safetensors", file!("model.safetensors")),
    ("vocabulary.txt", file!("vocabulary.txt")),
    ("keywords.txt", file!("keywords.txt")),
];

/// The model.
pub(crate) fn model() -> rebus_models::Result<Lexicon> {
    Lexicon::embedded(FILES)
}

/// The hash of its `model.json`, which has those of its other files.
pub(crate) fn version() -> ContentHash {
    ContentHash::of(file!("model.json"))
}

/// The network through which it looks at pictures.
pub(crate) fn network() -> anyhow::Result<Encoder> {
    let recipe: Recipe = serde_json::from_slice(file!("network/network.json"))?;
    Ok(Encoder::from_bytes(file!("network/model.onnx"), &recipe)?)
}

#[cfg(test)]
mod tests {
    use rebus_collection::{Matrix, synth};
    use rebus_models::DualEncoder;
    use rebus_vision::Extractor;

    use super::*;

    #[test]
    fn it_is_whole_and_fits_its_network() {
        let (model, network) = (model().unwrap(), network().unwrap());
        assert_eq!(model.extractor(), network.name());
        assert!(model.keyword_list().len() >= 1000, "{}", model.keyword_list().len());
        let mut features = Matrix::zeros(1, network.dimensions());
        network.extract(&synth::specimen(1, 0).picture, features.row_mut(0)).unwrap();
        let images = model.encode_images(&features).unwrap();
        let keywords = &model.keywords(&images).unwrap()[0];
        assert!(keywords.iter().all(|keyword| (0.0..=1.0).contains(&keyword.probability)));
    }

    #[test]
    fn it_knows_more_than_its_captions_and_names_what_it_does_not() {
        let model = model().unwrap();
        for word in ["dog", "snow", "pizza", "castle", "zebra", "cats"] {
            assert!(model.unknown(word).is_empty(), "{word}");
        }
        assert_eq!(model.unknown("a qwrtz on the beach"), ["qwrtz"]);
        assert_eq!(model.relevance("qwrtz", &Matrix::zeros(1, 1)).unwrap(), None);
        let mut scores = Matrix::zeros(2, 2);
        scores.row_mut(0).copy_from_slice(&[0.1, 0.4]);
        scores.row_mut(1).copy_from_slice(&[0.1, 4.0]);
        let near = model.relevance("dog", &scores).unwrap().unwrap();
        assert!(near[0] < near[1]);
    }
}
