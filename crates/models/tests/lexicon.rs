//! What a lexicon says beyond scores.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rebus_collection::{Matrix, Silent};
use rebus_models::lexicon::{Params, Sources};
use rebus_models::{DualEncoder, Lexicon, Model, Training, Understands, dot_products};

const EXTRACTOR: &str = "suite/1";
const KINDS: [[&str; 3]; 4] = [
    ["a dog runs on grass", "the dog is on the grass", "a brown dog"],
    ["a boat at sea", "the boat sails", "sea and a boat"],
    ["children play in snow", "a child in the snow", "snow falls"],
    ["a red car on a road", "the car drives", "a road with a car"],
];

/// Pictures of four kinds of things, each kind along a feature of its own. Nobody says all that
/// could be said of a picture.
fn world(from: usize, count: usize) -> (Matrix, Vec<Vec<&'static str>>) {
    let mut features = Matrix::zeros(count, 6);
    for row in 0..count {
        let kind = (from + row) % KINDS.len();
        let noise = |k: usize| (((from + row) * 7 + k * 13) % 11) as f32 / 40.0;
        for (k, value) in features.row_mut(row).iter_mut().enumerate() {
            *value = noise(k) + if k == kind { 1.0 } else { 0.0 };
        }
    }
    let said = |row: usize| {
        let [whole, more, part] = KINDS[(from + row) % KINDS.len()];
        if (row / KINDS.len()).is_multiple_of(2) { vec![whole, more] } else { vec![part] }
    };
    (features, (0..count).map(said).collect())
}

fn fitted() -> Lexicon {
    let ((features, texts), (other, other_texts)) = (world(0, 80), world(3, 40));
    let data = Sources {
        captioned: Training { extractor: EXTRACTOR, features: &features, texts: &texts },
        held_out: Training { extractor: EXTRACTOR, features: &other, texts: &other_texts },
        evidence: &[],
        described: &[],
    };
    Lexicon::fit(&data, &Params::default(), &Silent).unwrap()
}

#[test]
fn probabilities_are_high_for_what_fits_and_fall_with_unknown_words() {
    let lexicon = fitted();
    let (features, _) = world(0, 8);
    let images = lexicon.encode_images(&features).unwrap();
    let relevance = |text: &str| {
        let scores = dot_products(&lexicon.probes(text).unwrap(), &images).unwrap();
        lexicon.relevance(text, &scores).unwrap()
    };
    let dog = relevance("dog").unwrap();
    assert!(dog[0] > 0.5 && dog[4] > 0.5 && dog[1] < 0.5 && dog[3] < 0.5, "{dog:?}");
    let mixed = relevance("dog qwrtz asdf").unwrap();
    assert!(mixed[0] < dog[0], "{mixed:?} {dog:?}");
    assert_eq!(relevance("qwrtz"), None);
}

#[test]
fn pictures_of_one_kind_are_alike() {
    let lexicon = fitted();
    let (features, _) = world(0, 8);
    let images = lexicon.encode_images(&features).unwrap();
    let scores = dot_products(&images, &images).unwrap();
    let alike = lexicon.likeness(images.row(0), scores.row(0)).unwrap();
    assert!(alike[4] > 0.5 && alike[1] < 0.5 && alike[2] < 0.5, "{alike:?}");
    assert!(lexicon.likeness(&[1.0], &[0.5]).is_err());
}

#[test]
fn reliability_is_measured_on_pictures_with_captions() {
    let lexicon = fitted();
    let (features, texts) = world(2, 24);
    let data = Training { extractor: EXTRACTOR, features: &features, texts: &texts };
    let [relevance, likeness] = lexicon.reliability(&data).unwrap().unwrap();
    assert_eq!(likeness.pairs, 24 * 23);
    for found in [relevance, likeness] {
        assert!(found.brier < found.brier_of_the_share, "{found:?}");
    }
}

#[test]
fn a_lexicon_in_a_folder_is_told_more_words() {
    let folder = tempfile::tempdir().unwrap();
    let old = fitted();
    old.save(folder.path()).unwrap();
    let ((features, texts), (other, other_texts)) = (world(0, 80), world(3, 40));
    let described: Vec<Vec<&str>> = (0..40)
        .map(|k| match k % 4 {
            0 => vec!["a puppy runs on grass", "a dog"],
            1 => vec!["a yacht at sea", "the boat"],
            2 => vec!["children in snow"],
            _ => vec!["a car on the road"],
        })
        .collect();
    let captioned = Training { extractor: EXTRACTOR, features: &features, texts: &texts };
    let held_out = Training { extractor: EXTRACTOR, features: &other, texts: &other_texts };
    let data = Sources { captioned, held_out, evidence: &[], described: &described };
    let new = Lexicon::retell(folder.path(), &data).unwrap();
    assert_eq!(old.unknown("puppy yacht"), ["puppy", "yacht"]);
    assert!(new.unknown("puppy yacht").is_empty());
    // What it knew it says as before.
    let same = ["dog", "a boat at sea"];
    let (before, after) = (old.encode_texts(&same).unwrap(), new.encode_texts(&same).unwrap());
    let far = |(a, b): (&f32, &f32)| (a - b).abs();
    assert!(before.values().iter().zip(after.values()).map(far).all(|far| far < 1e-6));
    let images = new.encode_images(&features).unwrap();
    let scores = dot_products(&new.encode_texts(&["puppy"]).unwrap(), &images).unwrap();
    let best = (0..80).max_by(|&a, &b| scores.row(0)[a].total_cmp(&scores.row(0)[b])).unwrap();
    assert_eq!(best % 4, 0);

    let foreign = Training { extractor: "another/1", ..captioned };
    let data = Sources { captioned: foreign, held_out, evidence: &[], described: &described };
    assert!(Lexicon::retell(folder.path(), &data).is_err());
}
