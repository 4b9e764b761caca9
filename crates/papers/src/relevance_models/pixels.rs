//! The models on features of the photos themselves: own blobs, vectors of regions, vectors of whole
//! photos.
//!
//! The test photos of Corel5k are not handed around with its keywords, so that by default every ninth
//! training photo is measured on, and the others are trained on; who has the test photos names them with
//! `--photos` and takes `--split test`. Settings are chosen by each system on a part of the photos that
//! it is trained on. The cross-media relevance model on the blobs that come with the data stands beside
//! the others, on the same photos.

use std::path::Path;

use rebus_collection::{Collection, Item, Matrix, Place, Progress, Split, counted};
use rebus_eval::annotation::WordScores;
use rebus_eval::report::{Protocol, Report, System};
use rebus_models::{Model, SYSTEMS, Training};
use rebus_vision::{Cache, Extractor, RowKind, features};
use serde_json::json;

use super::annotation::{LENGTH, means};
use super::data::{self, Parts, Photos, Repeats};
use crate::{Error, Request, Result};

const ALL: &str = "annotation, all words of the measured photos";
/// The words that later papers take.
const LATER: &str = "annotation, the words of later papers that the measured photos have";

/// What is fitted on features of a kind.
fn fitting(extractor: &str) -> &'static [&'static str] {
    match RowKind::of_extractor(extractor) {
        RowKind::Blobs => &["co-occurrence", "translation", "cmrm"],
        RowKind::Regions => &["crm", "mbrm"],
        RowKind::VisualWords | RowKind::Vector => &["crm", "mbrm", "jec", "tagprop", "2pknn"],
    }
}

/// Measures annotation with the features that the request names.
///
/// # Errors
/// If the data cannot be read, no features are named, a split has no photos, or a model fails.
pub fn reproduce(data: &Path, request: &Request<'_>, progress: &dyn Progress) -> Result<Report> {
    let extractor = request.extractor.ok_or_else(no_features)?;
    let collection = data::read(data, request.photos.as_deref(), progress)?;
    let split = request.split.clone().unwrap_or(Split::Dev);
    let parts = Parts::new(&collection, &split)?;
    let folder = request.cache.as_ref().map(|folder| folder.join("features"));
    let mut cache = folder.map(|folder| Cache::open(&folder, extractor)).transpose()?;
    let mut look =
        |photos: &Photos<'_>| Seen::new(&collection, photos, (extractor, cache.as_mut()), progress);
    let (train, test) = (look(&parts.train)?, look(&parts.test)?);
    let names = wanted(extractor.name(), &request.systems)?;
    let later = data::words_260(data);
    let mut report = Report::new(protocol(extractor, &split, &train, &test));
    let settings = json!({ "words": "keywords", "length": LENGTH });
    let texts = texts(&train.items);
    for name in names {
        let system = SYSTEMS.iter().find(|system| system.name == name);
        let system = system.ok_or_else(|| Error::Ours(format!("there is no system {name}")))?;
        let data =
            Training { extractor: extractor.name(), features: &train.features, texts: &texts };
        let settings = match name {
            "co-occurrence" | "translation" => json!({ "words": "keywords" }),
            _ => settings.clone(),
        };
        let model = system.fit(&data, &settings, progress)?;
        let scores = scores(&*model, &test)?;
        report.systems.push(figures(name, &scores, later.as_deref()));
    }
    if train.items.iter().any(|item| !item.blobs.is_empty()) {
        let given = given_blobs(&parts, (&train, &test), progress)?;
        report.systems.push(figures("cmrm on the given blobs", &given, later.as_deref()));
    }
    report.notes = notes(&train, &test);
    Ok(report)
}

fn no_features() -> Error {
    Error::Ours(
        "say what photos are looked at with, such as --features tiny-vit-5m, regions, or a folder of \
         blobs"
            .to_owned(),
    )
}

/// The systems that are asked for among those that fit the features.
fn wanted(extractor: &str, asked: &[String]) -> Result<Vec<&'static str>> {
    let fitting = fitting(extractor);
    if asked.is_empty() {
        return Ok(fitting.to_vec());
    }
    let find = |name: &String| {
        let found = fitting.iter().copied().find(|known| known == name);
        let known = || fitting.iter().copied();
        found.ok_or_else(|| rebus_collection::Error::no_such("system", name, known()).into())
    };
    asked.iter().map(find).collect()
}

/// Photos that could be looked at, with their features.
struct Seen<'a> {
    items: Vec<&'a Item>,
    features: Matrix,
    failed: usize,
}

impl<'a> Seen<'a> {
    fn new(
        collection: &'a Collection,
        photos: &Photos<'_>,
        (extractor, cache): (&dyn Extractor, Option<&mut Cache>),
        progress: &dyn Progress,
    ) -> Result<Self> {
        let looked = features(&photos.items, extractor, cache, progress)?;
        let items: Vec<&Item> = looked.items.iter().filter_map(|id| collection.item(id)).collect();
        match (items.is_empty(), looked.failed.first()) {
            (false, _) => Ok(Self { items, features: looked.matrix, failed: looked.failed.len() }),
            (true, first) => {
                let why = first.map_or_else(String::new, |(_, error)| format!(": {error}"));
                let what = format!("no photo of a split can be looked at{why}");
                let error = rebus_collection::Error::malformed(Place::default(), what);
                Err(error.with_hint("name the folder of the photos with --photos").into())
            }
        }
    }
}

fn texts<'a>(items: &[&'a Item]) -> Vec<Vec<&'a str>> {
    items.iter().map(|item| item.keywords.iter().map(String::as_str).collect()).collect()
}

/// A model's likeliest words, measured word by word.
fn scores(model: &dyn Model, test: &Seen<'_>) -> Result<WordScores> {
    let keywords = model.probable_keywords(&model.encode_images(&test.features)?)?;
    let mut scores = WordScores::new();
    for (given, own) in keywords.unwrap_or_default().iter().zip(texts(&test.items)) {
        scores.add(given.iter().take(LENGTH).map(|keyword| keyword.word), own);
    }
    Ok(scores)
}

/// The cross-media relevance model on the blobs that come with the data.
fn given_blobs(
    parts: &Parts<'_>,
    (train, test): (&Seen<'_>, &Seen<'_>),
    progress: &dyn Progress,
) -> Result<WordScores> {
    let bags =
        |photos: &Photos<'_>, seen: &Seen<'_>| photos.of(&seen.items).features(Repeats::Presence);
    let features = bags(&parts.train, train);
    let texts = texts(&train.items);
    let params = super::settings(rebus_models::relevance::Size::OneKind);
    let data = data::training(&features, &texts);
    let model = rebus_models::Cmrm::fit(&data, &params, progress)?;
    let test = Seen { items: test.items.clone(), features: bags(&parts.test, test), failed: 0 };
    scores(&model, &test)
}

fn figures(name: &str, scores: &WordScores, later: Option<&[String]>) -> System {
    let with = |system: System, task: &str, found: Option<rebus_eval::annotation::WordMeans>| {
        let words = found.map(|means| means.found as f64);
        means(system, task, found).figure(task, "words", words)
    };
    let system = with(System::new(name), ALL, scores.means_over_all());
    match later {
        Some(words) => with(system, LATER, scores.means(words.iter().map(String::as_str))),
        None => system,
    }
}

fn protocol(
    extractor: &dyn Extractor,
    split: &Split,
    train: &Seen<'_>,
    test: &Seen<'_>,
) -> Protocol {
    let measured = match split {
        Split::Test => "the test photos".to_owned(),
        _ => "every ninth training photo, held out".to_owned(),
    };
    Protocol::new()
        .with("paper", "Jeon, Lavrenko, Manmatha 2003, and later systems, from pixels")
        .with("features", extractor.name())
        .with("trained on", counted(train.items.len() as u64, "photo"))
        .with("measured on", format!("{}: {measured}", test.items.len()))
        .with("annotations", format!("{LENGTH} words a photo"))
        .with("settings chosen on", "a part of the photos that are trained on")
        .with("a word that is never given", "precision 0")
}

fn notes(train: &Seen<'_>, test: &Seen<'_>) -> Vec<String> {
    let failed = train.failed + test.failed;
    let mut notes = Vec::new();
    if failed > 0 {
        notes.push(format!("{} could not be looked at: left out", counted(failed as u64, "photo")));
    }
    notes.push(
        "published for Corel5k's test photos, 260 words, precision / recall / words: CMRM 10/9/66, CRM \
         16/19/107, MBRM 24/25/122, JEC 27/32/139, TagProp 33/42/160, 2PKNN 44/46/191"
            .to_owned(),
    );
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_fit_the_features() {
        assert_eq!(wanted("regions/1", &[]).unwrap(), ["crm", "mbrm"]);
        assert_eq!(wanted("blobs/1-ab", &["cmrm".into()]).unwrap(), ["cmrm"]);
        let error = wanted("tiny-vit-5m/ab", &["cmrm".into()]).unwrap_err().to_string();
        assert!(error.contains("cmrm"), "{error}");
        for name in ["blobs", "regions", "grid"].iter().flat_map(|kind| fitting(kind)) {
            assert!(SYSTEMS.iter().any(|system| system.name == *name), "{name}");
        }
    }
}
