//! The first walk through: draw a world, look at it, learn from it, rank, show and measure.

mod measure;
pub(crate) mod sheet;
pub(crate) mod showcase;

use std::path::{Path, PathBuf};

use anyhow::Context;
use rebus_collection::format::{ReadOptions, guess};
use rebus_collection::synth::{self, Settings};
use rebus_collection::{Caption, Collection, Matrix, Progress, Split};
use rebus_eval::report::Report;
use rebus_models::{
    Affinity, Cca, DualEncoder, Model, Training, TrainingSource, cca, dot_products, record_training,
};
use rebus_vision::{Extractor, GridColourEdge};
use serde::Serialize;

use crate::part::{Part, texts};

/// What anybody might type.
const QUERIES: [&str; 4] = [
    "a dog running on the beach",
    "a red car on the street at night",
    "children playing in the snow",
    "boats on the lake at sunset",
];
/// How many results are shown for a query.
const SHOWN: usize = 5;
/// How many test captions are tried as queries, and how many test pictures are described.
const EXAMPLES: usize = 4;

/// All that the walk found.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Where the world was drawn.
    pub(crate) folder: PathBuf,
    /// The page that shows it.
    pub(crate) sheet: PathBuf,
    pub(crate) report: Report,
    pub(crate) searches: Vec<Search>,
    pub(crate) annotations: Vec<Annotation>,
}

/// Pictures for a text.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Search {
    pub(crate) query: String,
    /// The picture that the query was written for, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gold: Option<String>,
    pub(crate) pictures: Vec<Hit>,
}

/// Texts for a picture.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Annotation {
    pub(crate) picture: String,
    pub(crate) sentences: Vec<Hit>,
    pub(crate) keywords: Vec<Hit>,
}

/// One result.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Hit {
    /// The picture's name, the sentence or the keyword.
    pub(crate) what: String,
    pub(crate) score: f32,
    /// Whether it belongs to what was asked.
    pub(crate) gold: bool,
}

/// Goes the whole way in `folder`.
pub(crate) fn walk(
    folder: &Path,
    settings: Settings,
    progress: &dyn Progress,
) -> anyhow::Result<Walk> {
    let written = synth::write(folder, settings, progress)?;
    let mut collection = Collection::new();
    guess(&written.collection)?.read(
        &written.collection,
        &ReadOptions::default(),
        &mut collection,
    )?;
    let train = part(&collection, &Split::Train, folder, progress)?;
    let test = part(&collection, &Split::Test, folder, progress)?;
    anyhow::ensure!(!test.items.is_empty(), "there are no pictures to test on; draw at least 20");
    let texts = texts(&collection, &train);
    let data =
        Training { extractor: GridColourEdge.name(), features: &train.features, texts: &texts };
    let model = Cca::fit(&data, &cca::Params::default(), progress)?;
    model.save(&folder.join("model"))?;
    let protocol = serde_json::json!({
        "split": Split::Train.as_str(),
        "captions": "all of a picture, as one text",
        "pictures": train.items.len(),
    });
    let source = TrainingSource {
        collection: format!("synthetic, seed {}, {} pictures", settings.seed, settings.images),
        hash: collection.hash(),
        protocol: protocol.as_object().cloned().unwrap_or_default(),
    };
    record_training(&folder.join("model"), &source)?;

    let captions: Vec<&Caption> =
        test.items.iter().flat_map(|item| collection.captions_of(&item.id)).collect();
    let sentences: Vec<&str> = captions.iter().map(|caption| caption.text.as_str()).collect();
    let scores = Affinity::Dual(&model).matrix(&test.features, &sentences)?;
    let report = measure::measure(&collection, &test.items, &test.features, settings, &model)?;
    let walk = Walk {
        folder: folder.to_path_buf(),
        sheet: folder.join("contact-sheet.html"),
        report,
        searches: searches(&model, &test, &captions, &scores)?,
        annotations: annotations(&model, &test, &captions, &scores)?,
    };
    std::fs::write(&walk.sheet, sheet::page(&walk, &collection))
        .with_context(|| format!("cannot write {}", walk.sheet.display()))?;
    Ok(walk)
}

/// The drawn pictures of a split: all of them can be looked at.
fn part<'a>(
    collection: &'a Collection,
    split: &Split,
    folder: &Path,
    progress: &dyn Progress,
) -> anyhow::Result<Part<'a>> {
    let part =
        Part::new(collection, Some(split), &GridColourEdge, &folder.join("features"), progress)?;
    anyhow::ensure!(part.failed == 0, "drawn pictures that cannot be read: {}", part.failed);
    Ok(part)
}

fn searches(
    model: &Cca,
    test: &Part<'_>,
    captions: &[&Caption],
    scores: &Matrix,
) -> anyhow::Result<Vec<Search>> {
    let images = model.encode_images(&test.features)?;
    let typed = dot_products(&model.encode_texts(&QUERIES)?, &images)?;
    let typed = QUERIES.iter().enumerate().map(|(k, query)| Search {
        query: (*query).to_owned(),
        gold: None,
        pictures: best(typed.row(k), |at| (test.items[at].id.to_string(), false)),
    });
    let written = spread(captions.len()).map(|column| {
        let caption = captions[column];
        let scores: Vec<f32> = (0..scores.rows()).map(|row| scores.row(row)[column]).collect();
        Search {
            query: caption.text.clone(),
            gold: Some(caption.item.to_string()),
            pictures: best(&scores, |at| {
                (test.items[at].id.to_string(), test.items[at].id == caption.item)
            }),
        }
    });
    Ok(typed.chain(written).collect())
}

fn annotations(
    model: &Cca,
    test: &Part<'_>,
    captions: &[&Caption],
    scores: &Matrix,
) -> anyhow::Result<Vec<Annotation>> {
    let mut keywords: Vec<&str> =
        test.items.iter().flat_map(|item| &item.keywords).map(String::as_str).collect();
    keywords.sort_unstable();
    keywords.dedup();
    let words =
        dot_products(&model.encode_images(&test.features)?, &model.encode_texts(&keywords)?)?;
    let annotations = spread(test.items.len()).map(|row| {
        let item = test.items[row];
        Annotation {
            picture: item.id.to_string(),
            sentences: best(scores.row(row), |at| {
                (captions[at].text.clone(), captions[at].item == item.id)
            }),
            keywords: best(words.row(row), |at| {
                (keywords[at].to_owned(), item.keywords.iter().any(|known| known == keywords[at]))
            }),
        }
    });
    Ok(annotations.collect())
}

/// A few positions, evenly spread over `count`.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let shown = EXAMPLES.min(count);
    (0..shown).map(move |k| (2 * k + 1) * count / (2 * shown))
}

/// The highest scores, highest first.
fn best(scores: &[f32], what: impl Fn(usize) -> (String, bool)) -> Vec<Hit> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    let hit = |at: usize| {
        let (what, gold) = what(at);
        Hit { what, score: scores[at], gold }
    };
    order.into_iter().take(SHOWN).map(hit).collect()
}
