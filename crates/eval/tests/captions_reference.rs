//! Caption scores against recorded ones of pycocoevalcap (`reference/caption_scores.py`), and what
//! must hold of every caption measure.

use proptest::prelude::*;
use rebus_eval::captions::{CaptionMeasure, CaptionScores, CaptionSet, score};
use serde_json::Value;

#[test]
fn own_sentences_score_as_recorded() {
    let recorded: Value =
        serde_json::from_str(include_str!("reference/caption_scores.json")).unwrap();
    for (name, recorded) in recorded.as_object().unwrap() {
        let mut set = CaptionSet::new();
        for (id, image) in recorded["images"].as_object().unwrap() {
            let references = image["references"].as_array().unwrap();
            let references: Vec<_> = references.iter().map(|r| r.as_str().unwrap()).collect();
            set.add(id.as_str(), image["candidate"].as_str().unwrap(), &references);
        }
        let scores = score(&set, &CaptionMeasure::COCO);
        for (at, figure) in scores.corpus.iter().enumerate() {
            let check = |ours: Option<f64>, theirs: &Value, of: &str| {
                let (ours, theirs) = (ours.unwrap(), theirs.as_f64().unwrap());
                let what = format!("{} of {of} in {name}: {ours} is not {theirs}", figure.measure);
                assert!((ours - theirs).abs() < 1e-12, "{what}");
            };
            check(figure.value, &recorded["corpus"][figure.measure.name()], "all");
            for image in &scores.images {
                let id = image.id.as_str();
                check(image.values[at], &recorded["per_image"][id][figure.measure.name()], id);
            }
        }
    }
}

/// Sentences over few words, so that they share n-grams.
fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "red", "dog", "runs", "on", "sand"]), 0..8)
        .prop_map(|words| words.join(" "))
}

fn images() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    prop::collection::vec((sentence(), prop::collection::vec(sentence(), 1..5)), 1..6)
}

fn scored(images: &[(String, Vec<String>)]) -> CaptionScores {
    let mut set = CaptionSet::new();
    for (at, (candidate, references)) in images.iter().enumerate() {
        set.add(at.to_string(), candidate, references);
    }
    score(&set, &CaptionMeasure::ALL)
}

fn near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-12,
        (a, b) => a == b,
    }
}

proptest! {
    #[test]
    fn values_lie_in_their_range(images in images()) {
        let scores = scored(&images);
        for (at, figure) in scores.corpus.iter().enumerate() {
            let values = scores.images.iter().map(|image| image.values[at]);
            for value in values.chain([figure.value]).flatten() {
                prop_assert!((0.0..=figure.measure.maximum() + 1e-9).contains(&value));
            }
        }
    }

    #[test]
    fn the_order_of_references_and_images_does_not_matter(images in images()) {
        let mut turned = images.clone();
        turned.reverse();
        turned.iter_mut().for_each(|(_, references)| references.reverse());
        let (forth, back) = (scored(&images), scored(&turned));
        for (a, b) in forth.corpus.iter().zip(&back.corpus) {
            prop_assert!(near(a.value, b.value), "{}: {:?} {:?}", a.measure, a.value, b.value);
        }
        for (a, b) in forth.images.iter().zip(back.images.iter().rev()) {
            prop_assert!(a.values.iter().zip(&b.values).all(|(&a, &b)| near(a, b)));
        }
    }

    #[test]
    fn a_candidate_that_is_a_reference_is_as_good_as_can_be(images in images()) {
        let copied: Vec<_> = images.iter().map(|(_, r)| (r[0].clone(), r.clone())).collect();
        let (any, best) = (scored(&images), scored(&copied));
        for (at, measure) in CaptionMeasure::ALL.into_iter().enumerate() {
            for (image, (candidate, _)) in best.images.iter().zip(&copied) {
                let words = candidate.split(' ').filter(|word| !word.is_empty()).count();
                let Some(value) = image.values[at] else { continue };
                match measure {
                    CaptionMeasure::Bleu1 | CaptionMeasure::RougeL if words > 0 => {
                        prop_assert!((value - 1.0).abs() < 1e-6, "{measure}: {value}");
                    }
                    CaptionMeasure::UnigramBleu => prop_assert_eq!(value, 1.0),
                    _ => {}
                }
            }
        }
        prop_assert_eq!(any.empty_references, best.empty_references);
    }
}
