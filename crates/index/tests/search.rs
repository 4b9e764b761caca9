//! Search on a handful of plain pictures, by a model whose every score can be worked out.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use rebus_collection::sidecar::{Additions, Journal, OwnWords};
use rebus_collection::{ContentHash, Matrix, Silent};
use rebus_index::search::{
    Found, HeldOut, PartKind, RelevanceKind, SearchOptions, Searcher, Show, Sort, Source, Tell,
    held_out,
};
use rebus_index::{Error, Eye, Index, Options, Origin, Update, update};
use rebus_models::{DualEncoder, Meaning, Understands};
use rebus_query::Query;
use rebus_vision::{Extractor, Picture};

/// The mean of red, green and blue, of length 1.
struct MeanColour;

impl Extractor for MeanColour {
    fn name(&self) -> &str {
        "mean-colour/1"
    }

    fn dimensions(&self) -> usize {
        3
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> rebus_vision::Result<()> {
        for pixel in picture.pixels() {
            features.iter_mut().zip(pixel.0).for_each(|(sum, value)| *sum += f32::from(value));
        }
        let length = features.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-6);
        features.iter_mut().for_each(|value| *value /= length);
        Ok(())
    }
}

/// Knows three colours. A score is a cosine; 0.8 is as likely relevant as not.
struct Colours {
    calibrated: bool,
}

const WORDS: [&str; 3] = ["red", "green", "blue"];

impl DualEncoder for Colours {
    fn extractor(&self) -> &str {
        "mean-colour/1"
    }

    fn dimensions(&self) -> usize {
        3
    }

    fn encode_images(&self, features: &Matrix) -> rebus_models::Result<Matrix> {
        Ok(features.clone())
    }

    fn encode_texts(&self, texts: &[&str]) -> rebus_models::Result<Matrix> {
        let mut vectors = Matrix::zeros(texts.len(), 3);
        for (row, text) in texts.iter().enumerate() {
            let row = vectors.row_mut(row);
            for word in text.split_whitespace() {
                if let Some(at) = WORDS.iter().position(|known| known == &word) {
                    row[at] = 1.0;
                }
            }
            let length = row.iter().map(|value| value * value).sum::<f32>().sqrt().max(1.0);
            row.iter_mut().for_each(|value| *value /= length);
        }
        Ok(vectors)
    }
}

fn logistic(score: f32) -> f64 {
    1.0 / (1.0 + (-20.0 * (f64::from(score) - 0.8)).exp())
}

impl Understands for Colours {
    fn unknown(&self, text: &str) -> Vec<String> {
        let words = text.split_whitespace().filter(|word| !WORDS.contains(word));
        words.map(str::to_owned).collect()
    }

    fn spelled_like(&self, word: &str) -> Vec<String> {
        WORDS
            .iter()
            .filter(|known| known.get(..2) == word.get(..2))
            .map(|&word| word.to_owned())
            .collect()
    }

    /// Where the text lies, then each of its known words.
    fn probes(&self, text: &str) -> rebus_models::Result<Matrix> {
        let words = text.split_whitespace().filter(|word| WORDS.contains(word));
        self.encode_texts(&[text].into_iter().chain(words).collect::<Vec<_>>())
    }

    /// The text as a whole counts as much as its least probable word.
    fn meaning_for_text(&self, text: &str, scores: &Matrix) -> rebus_models::Result<Meaning> {
        let known = self.encode_texts(&[text])?.values().iter().any(|&value| value != 0.0);
        Ok(match (known, self.calibrated) {
            (false, _) => Meaning::Nothing,
            (true, false) => Meaning::Uncalibrated,
            (true, true) => {
                let least = |at: usize| {
                    (1..scores.rows()).map(|row| scores.row(row)[at]).fold(f32::INFINITY, f32::min)
                };
                let probability = |at| logistic((scores.row(0)[at] + least(at)) / 2.0);
                Meaning::Probabilities((0..scores.columns()).map(probability).collect())
            }
        })
    }

    fn meaning_for_image(&self, _image: &[f32], scores: &[f32]) -> rebus_models::Result<Meaning> {
        Ok(Meaning::Probabilities(scores.iter().map(|&score| logistic(score)).collect()))
    }
}

static MODEL: Colours = Colours { calibrated: true };
static PLAIN: Colours = Colours { calibrated: false };

struct World {
    home: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self::without_photos();
        world.draw();
        assert!(world.update().failed.is_empty());
        world
    }

    fn without_photos() -> Self {
        let world = Self { home: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(world.photos().join("alps/2019")).unwrap();
        world
    }

    fn draw(&self) {
        let photos = self.photos();
        for (name, colour, beside) in [
            ("red.png", [255, 0, 0], r#"{"date": "2019-05-06T10:00:00", "camera": "Nikon D90"}"#),
            ("dark-red.jpg", [120, 10, 10], r#"{"date": "2020-01-01", "camera": "Canon"}"#),
            ("green.png", [0, 255, 0], r#"{"title": "Golden gate in spring", "tags": ["bridge"]}"#),
            ("blue.png", [0, 0, 255], r#"{"date": "2021-07-01", "place": "Vienna, Austria"}"#),
            ("alps/2019/purple.png", [200, 0, 200], r#"{"captions": ["a zxqv by the gate"]}"#),
            ("yellow.png", [200, 200, 0], r#"{"date": "1999-12-31", "keywords": ["red"]}"#),
        ] {
            let path = photos.join(name);
            let wide = if name == "blue.png" { 8 } else { 4 };
            Picture::from_pixel(wide, 6, colour.into()).save(&path).unwrap();
            std::fs::write(path.with_extension("json"), beside).unwrap();
        }
    }

    /// Takes in what is there now.
    fn update(&self) -> Update {
        let eye = Eye {
            name: "colours",
            origin: &Origin::BuiltIn,
            version: ContentHash::of(b"colours"),
            model: &MODEL,
            extractor: &MeanColour,
        };
        update(&self.folder(), &[self.photos()], &[eye], &Options::default(), &Silent).unwrap()
    }

    fn photos(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap().join("photos")
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("index")
    }

    fn index(&self) -> Index {
        Index::open(&self.folder()).unwrap()
    }
}

fn found(searcher: &Searcher<'_>, query: &str, options: &SearchOptions<'_>) -> Found {
    searcher.search(&Query::parse(query).unwrap(), options).unwrap()
}

fn names(found: &Found) -> Vec<String> {
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    found.results.iter().map(|hit| name(&hit.path)).collect()
}

fn check(world: &World, cases: &[(&str, &[&str])]) {
    let index = world.index();
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap();
    for (query, want) in cases {
        let found = found(&searcher, query, &SearchOptions::default());
        assert_eq!(names(&found), *want, "{query}");
        assert_eq!(found.matches, want.len(), "{query}");
    }
}

#[test]
fn sentences_find_what_is_seen_or_written_and_nothing_else() {
    let world = World::new();
    check(
        &world,
        &[
            // Yellow was given the keyword.
            ("red", &["red", "dark-red", "yellow"]),
            ("green", &["green"]),
            // Nobody knows the word but who wrote it.
            ("zxqv", &["purple"]),
            ("qqqq", &[]),
            ("a diagram of a tax form", &[]),
            ("red blue", &["purple"]),
            // Green is seen, and the file is called so.
            ("red OR green", &["green", "red", "dark-red", "yellow"]),
        ],
    );
}

#[test]
fn filters_always_hold() {
    let world = World::new();
    check(
        &world,
        &[
            ("red camera:nikon", &["red"]),
            ("red camera:leica", &[]),
            ("red 2020..", &["dark-red"]),
            ("red date:2019-05", &["red"]),
            ("red \"golden gate\"", &[]),
            ("green \"golden gate\"", &["green"]),
            ("green \"gate golden\"", &[]),
            ("red type:jpeg", &["dark-red"]),
            ("blue orientation:landscape", &["blue"]),
            ("blue orientation:portrait", &[]),
            ("red tag:red", &["yellow"]),
            ("red blue folder:alps/2019", &["purple"]),
            ("red blue folder:2019/alps", &[]),
            ("blue near:vienna", &["blue"]),
            ("green has:title", &["green"]),
            ("green has:date", &[]),
            ("blue width:8", &["blue"]),
            ("blue width:<8", &[]),
            ("zxqv caption:gate", &["purple"]),
        ],
    );
}

#[test]
fn a_commit_without_photos_does_not_move_the_others() {
    let world = World::without_photos();
    // A part of the catalogue that holds nothing but a failure, before the parts with photos.
    std::fs::write(world.photos().join("torn.png"), b"no picture").unwrap();
    assert_eq!(world.update().failed.len(), 1);
    world.draw();
    world.update();
    check(
        &world,
        &[("red blue folder:alps/2019", &["purple"]), ("green \"golden gate\"", &["green"])],
    );
}

#[test]
fn without_anything_to_rank_the_newest_come_first() {
    let world = World::new();
    let index = world.index();
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap();
    let dated = found(&searcher, "has:date", &SearchOptions::default());
    assert_eq!(names(&dated), ["blue", "dark-red", "red", "yellow"]);
    assert_eq!(dated.relevance, RelevanceKind::Filter);
    assert!(dated.results.iter().all(|hit| hit.relevance == 1.0));
    assert_eq!(found(&searcher, "", &SearchOptions::default()).matches, 6);
    assert_eq!(found(&searcher, "camera:leica", &SearchOptions::default()).matches, 0);
    // What is left out goes, by looks and by what is written.
    let options = SearchOptions { limit: 3, offset: 1, ..SearchOptions::default() };
    let others = found(&searcher, "-red", &options);
    assert_eq!(others.matches, 3);
    assert_eq!(others.results.len(), 2);
    let newest = SearchOptions { sort: Sort::Date, ..SearchOptions::default() };
    assert_eq!(names(&found(&searcher, "red", &newest)), ["dark-red", "red", "yellow"]);
}

#[test]
fn exclusions_examples_weights_and_sums() {
    let world = World::new();
    let index = world.index();
    let look = |path: &Path| {
        let mut features = vec![0.0; 3];
        MeanColour.extract(&rebus_vision::open(path)?, &mut features)?;
        Ok(features)
    };
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap().looking(&look);
    let names_of = |query: &str| names(&found(&searcher, query, &SearchOptions::default()));
    let all = SearchOptions { show: Show::All, ..SearchOptions::default() };
    assert!(!names(&found(&searcher, "red -blue", &all)).contains(&"blue".to_owned()));
    // A photo of the index, and one that is not in it.
    let red = world.photos().join("red.png");
    assert_eq!(names_of(&format!("like:{}", red.display())), ["red", "dark-red"]);
    let elsewhere = world.home.path().join("other.png");
    Picture::from_pixel(2, 2, [0, 0, 99].into()).save(&elsewhere).unwrap();
    assert_eq!(names_of(&format!("like:{}", elsewhere.display())), ["blue"]);
    let gone = Query::parse("like:nowhere.png").unwrap();
    assert!(searcher.search(&gone, &SearchOptions::default()).is_err());
    // Purple is half of each; with more weight on one side that side's own come first.
    let first = |query: &str| names(&found(&searcher, query, &all)).first().cloned().unwrap();
    assert_eq!(first("red + blue"), "purple");
    assert!(first("9:red + blue").ends_with("red"));
    assert_eq!(first("red + 9:blue"), "blue");
}

#[test]
fn no_match_stays_no_match_and_all_shows_the_rest() {
    let world = World::new();
    let index = world.index();
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap();
    let all = SearchOptions { show: Show::All, ..SearchOptions::default() };
    let shown = found(&searcher, "red", &all);
    assert_eq!((shown.matches, shown.results.len()), (3, 6));
    assert_eq!(names(&shown)[..3], ["red", "dark-red", "yellow"]);
    let strict = SearchOptions { min_relevance: 0.9, ..SearchOptions::default() };
    assert_eq!(names(&found(&searcher, "red", &strict)), ["red", "dark-red"]);
    let unknown = found(&searcher, "rad dogs", &SearchOptions::default());
    assert_eq!(unknown.matches, 0);
    let words: Vec<&str> = unknown.unknown_words.iter().map(|it| it.word.as_str()).collect();
    assert_eq!(words, ["rad", "dogs"]);
    // A word that somebody wrote is known, whatever the model says.
    assert!(found(&searcher, "zxqv", &SearchOptions::default()).unknown_words.is_empty());
}

#[test]
fn without_a_calibration_what_stands_out_matches_and_it_is_said() {
    let world = World::new();
    let index = world.index();
    let searcher = Searcher::new(&index, "colours", &PLAIN).unwrap();
    let shown = found(&searcher, "green", &SearchOptions::default());
    assert_eq!(shown.relevance, RelevanceKind::Uncalibrated);
    assert!(shown.results.iter().all(|hit| (0.0..=1.0).contains(&hit.relevance)));
    assert_eq!(found(&searcher, "qqqq", &SearchOptions::default()).matches, 0);
}

#[test]
fn damaged_vectors_answer_nothing_and_filters_do_not_need_them() {
    let world = World::new();
    let vectors = world.folder().join("vectors/colours");
    let file = std::fs::read_dir(&vectors).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&file).unwrap();
    // Numbers that are as good as any others, but not those that were written.
    let row = bytes.len() - 6;
    bytes[row..].fill(0x3c);
    std::fs::write(&file, bytes).unwrap();
    let index = world.index();
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap();
    for query in ["red", "red camera:nikon", "green -red", "gate + blue"] {
        let refused = searcher.search(&Query::parse(query).unwrap(), &SearchOptions::default());
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Damaged { .. }), "{query}: {refused}");
        assert!(refused.hint().unwrap().contains("rebus check"));
    }
    let filtered = found(&searcher, "camera:nikon", &SearchOptions::default());
    assert_eq!(names(&filtered), ["red"]);
}

#[test]
fn parts_and_facets_tell_why() {
    let world = World::new();
    let index = world.index();
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap();
    let tell = Tell { parts: true, facets: true };
    let options = SearchOptions { tell, ..SearchOptions::default() };
    let shown = found(&searcher, "red has:date -blue", &options);
    let yellow = shown.results.iter().find(|hit| hit.path.ends_with("yellow.png")).unwrap();
    let of = |kind: PartKind| {
        let parts = yellow.parts.iter().filter(move |part| part.kind == kind);
        parts.map(|part| part.what.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(PartKind::Sentence), ["red"]);
    assert_eq!(of(PartKind::Word), ["red"]);
    assert_eq!(of(PartKind::Written), ["red"]);
    assert_eq!(of(PartKind::Excluded), ["blue"]);
    assert!(of(PartKind::Filter).contains(&"has:date"));
    // The only word adds all of the score.
    let share = |kind| yellow.parts.iter().find(|part| part.kind == kind).unwrap().share.unwrap();
    assert!((share(PartKind::Word) - share(PartKind::Sentence)).abs() < 1e-6);
    assert!((share(PartKind::Sentence) - 0.5f32.sqrt()).abs() < 1e-2);
    let facets = shown.facets.unwrap();
    assert_eq!(facets.counted, 3);
    let years: Vec<&str> = facets.years.iter().map(|count| count.value.as_str()).collect();
    assert_eq!(years, ["1999", "2019", "2020"]);
    assert_eq!(facets.keywords[0].value, "red");
}

#[test]
fn what_was_written_is_held_out_as_queries() {
    let world = World::new();
    let index = world.index();
    let queries = held_out(&index, 100, &OwnWords::default()).unwrap();
    let of = |source: Source| -> Vec<&HeldOut> {
        queries.iter().filter(|query| query.source == source).collect()
    };
    assert_eq!(of(Source::Title)[0].text, "Golden gate in spring");
    assert_eq!(of(Source::Caption).len(), 1);
    let words: Vec<&str> = of(Source::Keyword).iter().map(|query| query.text.as_str()).collect();
    assert_eq!(words, ["bridge", "red"]);
    assert_eq!(held_out(&index, 1, &OwnWords::default()).unwrap().len(), 3);
    // What we wrote ourselves is no truth to be measured by, what somebody wrote is.
    let journal = world.photos().join("../sidecars.jsonl");
    let blue = Additions { keywords: vec!["Blue".into(), "red".into()], ..Additions::default() };
    let mut open = Journal::open(&journal).unwrap();
    open.write(&world.photos().join("blue.png"), &blue).unwrap().unwrap();
    world.update();
    let index = world.index();
    let words = |index: &Index, ours: &OwnWords| -> Vec<(String, usize)> {
        let queries = held_out(index, 100, ours).unwrap().into_iter();
        let keywords = queries.filter(|query| query.source == Source::Keyword);
        keywords.map(|query| (query.text, query.right.len())).collect()
    };
    let with: Vec<String> =
        words(&index, &OwnWords::default()).into_iter().map(|word| word.0).collect();
    assert_eq!(with, ["blue", "bridge", "red"]);
    let ours = OwnWords::read(&journal).unwrap();
    let without = [("bridge".to_owned(), 1), ("red".to_owned(), 1)];
    assert_eq!(words(&index, &ours), without);
    // They stay ours when the photo is moved with its sidecar.
    for name in ["blue.png", "blue.png.xmp"] {
        let moved = world.photos().join(format!("moved-{name}"));
        std::fs::rename(world.photos().join(name), moved).unwrap();
    }
    world.update();
    let index = world.index();
    assert_eq!(words(&index, &OwnWords::default()).len(), 3);
    assert_eq!(words(&index, &OwnWords::read(&journal).unwrap()), without);
    let searcher = Searcher::new(&index, "colours", &MODEL).unwrap();
    // By looks alone, whatever is written.
    let ranked = searcher.rank("red").unwrap().unwrap();
    assert_eq!(ranked.len(), 6);
    let yellow = searcher.photo_of(&world.photos().join("yellow.png")).unwrap().unwrap();
    assert!(ranked[0].0 != yellow && ranked[1].0 != yellow);
    assert!(searcher.rank("zxqv").unwrap().is_none());
}
