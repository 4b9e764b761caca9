//! Annotating real files: looking, suggesting, writing, reviewing, learning.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use rebus_collection::format::{ReadOptions, by_name};
use rebus_collection::sidecar::{Journal, Which};
use rebus_collection::{Collection, ContentHash, Item, Matrix, Silent};
use rebus_eval::fusion::Fusion;
use rebus_index::annotate::{
    Annotated, Annotator, Asked, CaptionPool, Floor, PassedOver, Reviews, Studio, Viewer, Writing,
    refit,
};
use rebus_models::lexicon::{self, Keyword, Sources};
use rebus_models::{DualEncoder, Lexicon, Meaning, Training, Understands};
use rebus_vision::{Extractor, Picture};

/// How red and how blue a picture is.
struct RedAndBlue;

impl Extractor for RedAndBlue {
    fn name(&self) -> &str {
        "red-and-blue/1"
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> rebus_vision::Result<()> {
        let pixel = picture.get_pixel(0, 0);
        features.copy_from_slice(&[pixel.0[0], pixel.0[2]].map(|value| f32::from(value) / 255.0));
        Ok(())
    }
}

/// Calls red fire and blue sea.
struct Toy;

impl DualEncoder for Toy {
    fn extractor(&self) -> &str {
        RedAndBlue.name()
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn encode_images(&self, features: &Matrix) -> rebus_models::Result<Matrix> {
        Ok(features.clone())
    }

    fn encode_texts(&self, texts: &[&str]) -> rebus_models::Result<Matrix> {
        let vector =
            |text: &&str| ["fire", "sea"].map(|word| f32::from(u8::from(text.contains(word))));
        Matrix::new(texts.len(), 2, texts.iter().flat_map(vector).collect())
            .map_err(|error| rebus_models::Error::Data { what: error.to_string() })
    }
}

impl Understands for Toy {
    fn probable_keywords(
        &self,
        images: &Matrix,
    ) -> rebus_models::Result<Option<Vec<Vec<Keyword<'_>>>>> {
        let photo = |row: usize| {
            let mut both = [("fire", images.row(row)[0]), ("sea", images.row(row)[1])];
            both.sort_by(|a, b| b.1.total_cmp(&a.1));
            both.map(|(word, p)| Keyword { word, probability: f64::from(p) }).to_vec()
        };
        Ok(Some((0..images.rows()).map(photo).collect()))
    }

    fn meaning_for_text(&self, _: &str, scores: &Matrix) -> rebus_models::Result<Meaning> {
        Ok(Meaning::Probabilities(scores.row(0).iter().map(|&score| f64::from(score)).collect()))
    }
}

fn photos(folder: &Path) {
    for (name, colour) in [("fire.png", [230, 0, 90]), ("sea.png", [20, 60, 240])] {
        image::RgbImage::from_pixel(4, 4, image::Rgb(colour)).save(folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("broken.jpg"), "no picture").unwrap();
}

fn items(folder: &Path) -> Vec<Item> {
    let mut collection = Collection::new();
    by_name("folder").unwrap().read(folder, &ReadOptions::default(), &mut collection).unwrap();
    collection.items().to_vec()
}

fn annotate(
    folder: &Path,
    reviews: &Reviews,
    writing: Writing<'_>,
) -> (Vec<Annotated>, Vec<PassedOver>) {
    let pool = CaptionPool::of(["The fire is hot.", "The sea is wide."]);
    let annotator = Annotator::new(&[&Toy], pool, Fusion::Borda).unwrap();
    let viewers = [Viewer { model: &Toy, extractor: &RedAndBlue }];
    let mut studio = Studio::new(&viewers, annotator, reviews.by_photo().unwrap());
    let (mut done, mut passed_over) = (Vec::new(), Vec::new());
    let mut each = |annotation: Result<Annotated, PassedOver>| match annotation {
        Ok(annotated) => done.push(annotated),
        Err(other) => passed_over.push(other),
    };
    studio.annotate(&items(folder), &Asked::default(), writing, &Silent, &mut each).unwrap();
    (done, passed_over)
}

fn words(annotated: &Annotated) -> Vec<&str> {
    annotated.suggestions.keywords.iter().map(|keyword| keyword.text.as_str()).collect()
}

#[test]
fn what_is_probable_is_written_and_then_known() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("photos");
    std::fs::create_dir(&folder).unwrap();
    photos(&folder);
    let reviews = Reviews::of_index(home.path());
    let (planned, _) = annotate(&folder, &reviews, Writing::Plan(Floor::default()));
    assert!(planned[0].written.as_ref().unwrap().created);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "a plan writes nothing");
    let mut journal = Journal::open(&home.path().join("journal.jsonl")).unwrap();
    let writing = Writing::Sidecars(Floor::default(), &mut journal);
    let (done, passed_over) = annotate(&folder, &reviews, writing);
    assert_eq!(passed_over.len(), 1);
    assert!(passed_over[0].path.ends_with("broken.jpg"), "{passed_over:?}");
    assert_eq!(words(&done[0]), ["fire", "sea"]);
    let fire = std::fs::read_to_string(folder.join("fire.png.xmp")).unwrap();
    assert!(fire.contains("<rdf:li>fire</rdf:li>") && fire.contains("The fire is hot."), "{fire}");
    // Blue is there with 90 of 255: not enough to be written.
    assert!(!fire.contains("<rdf:li>sea</rdf:li>"), "{fire}");
    let (again, _) = annotate(&folder, &reviews, Writing::Plan(Floor::default()));
    assert_eq!(again[0].known, ["fire"]);
    assert_eq!(words(&again[0]), ["sea"]);
    assert_eq!(again[0].written, None);
    let undone = journal.undo(Which::LastRun, &Silent).unwrap();
    assert_eq!(undone.len(), 2);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn photos_are_annotated_without_a_cache_that_cannot_be_had() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("photos");
    std::fs::create_dir(&folder).unwrap();
    photos(&folder);
    let pool = CaptionPool::of(["The fire is hot."]);
    let annotator = Annotator::new(&[&Toy], pool, Fusion::Borda).unwrap();
    let viewers = [Viewer { model: &Toy, extractor: &RedAndBlue }];
    let mut studio = Studio::new(&viewers, annotator, Default::default());
    let in_the_way = home.path().join("features");
    std::fs::write(&in_the_way, "a file where a folder is needed").unwrap();
    let [trouble] = &studio.keep_features(&in_the_way)[..] else { panic!("one model, one cache") };
    assert!(trouble.to_string().contains("features"), "{trouble}");
    let mut done = 0;
    let mut each =
        |annotation: Result<Annotated, PassedOver>| done += usize::from(annotation.is_ok());
    let asked = Asked::default();
    studio.annotate(&items(&folder), &asked, Writing::Nothing, &Silent, &mut each).unwrap();
    assert_eq!(done, 2);
    assert!(studio.keep_features(&home.path().join("others")).is_empty());
}

#[test]
fn reviews_are_minded() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("photos");
    std::fs::create_dir(&folder).unwrap();
    photos(&folder);
    let hash = ContentHash::of(&std::fs::read(folder.join("fire.png")).unwrap());
    let reviews = Reviews::of_index(home.path());
    reviews.correct(hash, "fire", "sunset").unwrap();
    let (done, _) = annotate(&folder, &reviews, Writing::Plan(Floor(0.3)));
    assert_eq!(words(&done[0]), ["sea"]);
    let written = done[0].written.as_ref().unwrap();
    let subject = written.added.iter().find(|added| added.property == "dc:subject").unwrap();
    assert_eq!(subject.values, ["sunset", "sea"]);
}

#[test]
fn a_model_learns_from_reviews() {
    let names = ["dog", "sea", "snow", "car"];
    let mut features = Matrix::zeros(160, 4);
    let mut texts = Vec::new();
    for row in 0..160 {
        let (a, b) = (row % 4, (row / 4) % 4);
        features.row_mut(row)[a] += 1.0;
        features.row_mut(row)[b] += 0.5 + (row % 7) as f32 / 50.0;
        texts.push(vec![format!("a {} and a {}", names[a], names[b])]);
    }
    let texts: Vec<Vec<&str>> =
        texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
    let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
    let mut params = lexicon::Params::default();
    params.space.start.dimensions = 3;
    params.space.start.min_count = 1;
    params.space.epochs = 2;
    params.space.batch = 16;
    let sources = Sources { captioned: data, held_out: data, evidence: &[], described: &[] };
    let model = Lexicon::fit(&sources, &params, &Silent).unwrap();
    let images = model.encode_images(&features).unwrap();
    let photos: Vec<ContentHash> = (0..160u32).map(|k| ContentHash::of(&k.to_le_bytes())).collect();
    let folder = tempfile::tempdir().unwrap();
    let reviews = Reviews::of_index(folder.path());
    for k in 0..6 {
        reviews.correct(photos[4 * k], "dog", "wolf").unwrap();
        reviews.reject(photos[4 * k + 1], "wolf").unwrap();
    }
    reviews.accept(ContentHash::of(b"a photo that is gone"), "wolf").unwrap();
    let learnt = refit(&model, &photos, &images, &reviews).unwrap();
    assert_eq!((learnt.photos, learnt.verdicts), (12, 18));
    assert_eq!(learnt.changes.new, ["wolf"]);
    assert_eq!(learnt.changes.adjusted, ["dog"]);
    let all = learnt.model.keywords(&images).unwrap();
    let wolf = |row: usize| all[row].iter().find(|keyword| keyword.word == "wolf").unwrap();
    assert!(wolf(0).probability > 0.5 && wolf(1).probability < 0.5);
}
