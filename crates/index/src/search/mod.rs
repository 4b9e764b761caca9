//! Search: from a query to photos that are probably meant, best first, or to none.
//!
//! A [`Query`] has one or more readings. For each, its filter selects photos (`filter.rs`; it always
//! holds). What the query wants to see becomes vectors, whose nearest photos are candidates, as are
//! photos about which its words are written (`written.rs`). What the scores mean says the model, or
//! else how the photos of the index score (`relevance.rs`). Evidence is put together as
//! probabilities:
//!
//! - what is seen of a sentence: what the model makes of it as a whole and of its words
//!   ([`rebus_models::Understands::probes`]);
//! - a sentence: what is seen or what is written (1 - (1 - p)(1 - q));
//! - several sentences: their product, by weight; these and examples: the mean of their log odds, by
//!   weight;
//! - what is to be left out: times 1 - p each, and photos that probably show it, or about which it
//!   is written, are gone;
//! - several readings: the best.
//!
//! So a relevance stays a probability, and a query to which nothing fits finds nothing.

mod evidence;
mod explain;
mod facets;
mod filter;
mod held_out;
mod one;
mod relevance;
mod rerank;
mod segments;
mod written;

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rebus_models::Understands;
use rebus_query::{Filter, Query};
use rustc_hash::FxHashMap;
use serde::Serialize;

pub use explain::{Part, PartKind};
pub use facets::{Count, Facets};
pub use held_out::{HeldOut, Source, held_out};
pub use one::Explanation;
pub use rerank::{FeaturesOf, Rerank};

use crate::index::Snapshot;
use crate::vectors::{VectorEngine, Vectors};
use crate::{Error, Index, Photo, PhotoId, Result, Selection};
use evidence::{Evidence, Judged, Wanted};

/// From this relevance on a photo counts as a match.
///
/// Of photos of Flickr8k's training part on which a model was neither fitted nor calibrated, the mean F1
/// of words and of sentences of two to four words is highest at 0.2 and 0.25, and a wrong photo among
/// the matches is worse than a right one that only `--all` shows: precision 0.49 and recall 0.30 for
/// words, 0.21 and 0.34 for sentences, by captions, which leave out much that photos show. At 0.5 it
/// were 0.70 and 0.15, 0.38 and 0.15
/// (`cargo run --release -p rebus-models --example cut_off -- FLICKR8K NETWORK CACHE`).
pub const CUT_OFF: f64 = 0.25;

/// How many photos are looked at closely at most, unless only a filter is asked for.
const CANDIDATES: usize = 10_000;

/// Turns a picture's file into its vector, for examples that the index does not have.
pub type Look<'a> = dyn Fn(&Path) -> Result<Vec<f32>> + Send + Sync + 'a;

/// A picture that others are compared with.
#[derive(Debug, Clone, Copy)]
pub struct LookedAt<'a> {
    /// What stands for it in explanations.
    pub name: &'a str,
    /// Its vector.
    pub vector: &'a [f32],
    /// The photo that it is, if the index has it: it is no answer.
    pub itself: Option<PhotoId>,
}

/// In which order photos are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The most relevant first; where nothing ranks them, the newest.
    #[default]
    Relevance,
    /// The newest first; those without a date last.
    Date,
}

/// What is asked of a search beside the query.
#[derive(Clone, Copy)]
pub struct SearchOptions<'a> {
    /// How many photos are answered.
    pub limit: usize,
    /// How many are passed over before.
    pub offset: usize,
    /// From which relevance on a photo is a match.
    pub min_relevance: f64,
    /// Which photos are answered.
    pub show: Show,
    /// In which order.
    pub sort: Sort,
    /// What is told beside the photos.
    pub tell: Tell,
    /// What puts the first photos into a better order.
    pub rerank: Option<Rerank<'a>>,
}

/// Which photos are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// Those that match.
    #[default]
    Matches,
    /// Those that do not, too, behind them.
    All,
}

/// What is told beside the photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tell {
    /// What each part of the query has to do with each photo.
    pub parts: bool,
    /// Of which years, cameras, places, folders and keywords the matches are.
    pub facets: bool,
}

impl Default for SearchOptions<'_> {
    fn default() -> Self {
        Self {
            limit: 20,
            offset: 0,
            min_relevance: CUT_OFF,
            show: Show::Matches,
            sort: Sort::Relevance,
            tell: Tell::default(),
            rerank: None,
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, Serialize)]
pub struct Found {
    /// How many photos match.
    pub matches: usize,
    /// Whether more may match than were counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    /// How many photos were looked at closely, matching or not.
    #[serde(skip)]
    pub looked_at: usize,
    /// What the relevance of the results is.
    pub relevance: RelevanceKind,
    /// The photos asked for, best first.
    pub results: Vec<Hit>,
    /// Words of the query that neither the model nor the index knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_words: Vec<UnknownWord>,
    /// Of what years, cameras and so on the matches are, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
}

/// What a relevance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RelevanceKind {
    /// A probability, fitted on judged photos.
    Calibrated,
    /// How far a photo stands out from the others of this index: the model was not calibrated.
    Uncalibrated,
    /// Nothing was asked for that could be more or less relevant: 1 for all.
    Filter,
}

/// A word that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnknownWord {
    /// As it was typed.
    pub word: String,
    /// Known words that are written much like it.
    pub spelled_like: Vec<String>,
}

/// A photo that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Hit {
    /// Its number.
    pub id: PhotoId,
    /// Where it lies.
    #[serde(serialize_with = "crate::photo::as_text")]
    pub path: PathBuf,
    /// How probable it is that it is meant, 0 to 1.
    pub relevance: f64,
    /// Its dot product with the query; none where there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// What the re-ranking stage gave it, if it came to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reranked: Option<f32>,
    /// When it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What each part of the query has to do with it, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// All that is known about it.
    #[serde(skip)]
    pub photo: Photo,
}

/// Searches one index by one model.
pub struct Searcher<'a> {
    snapshot: Arc<Snapshot>,
    model: &'a dyn Understands,
    vectors: Vectors,
    engine: Box<dyn VectorEngine>,
    seen: Selection,
    look: Option<&'a Look<'a>>,
}

impl<'a> Searcher<'a> {
    /// Searches by the model that the index calls `name`.
    ///
    /// # Errors
    /// If the index does not have the model, or its vectors are of another length or damaged.
    pub fn new(index: &Index, name: &str, model: &'a dyn Understands) -> Result<Self> {
        let snapshot = index.snapshot();
        let vectors = snapshot.vectors(index.folder(), name)?;
        let (expected, found) = (vectors.dimensions(), model.dimensions());
        if expected != found {
            return Err(Error::Shape { expected, found });
        }
        Ok(Self {
            model,
            engine: snapshot.engine(index.folder(), name)?,
            vectors,
            snapshot,
            seen: index.seen_by(name)?,
            look: None,
        })
    }

    /// The same with a way to look at pictures that the index does not have.
    pub fn looking(self, look: &'a Look<'a>) -> Self {
        Self { look: Some(look), ..self }
    }

    /// The same with another engine over the same vectors.
    pub fn with_engine(self, engine: Box<dyn VectorEngine>) -> Self {
        Self { engine, ..self }
    }

    /// The photos that a query asks for.
    ///
    /// # Errors
    /// If an example cannot be looked at, or the index is damaged.
    pub fn search(&self, query: &Query, options: &SearchOptions<'_>) -> Result<Found> {
        let readings = query.readings().iter();
        let readings = readings.map(|reading| Evidence::of(self, reading));
        self.answer(&readings.collect::<Result<Vec<_>>>()?, options)
    }

    /// The photos that look like a picture.
    ///
    /// # Errors
    /// If the vector does not fit the model, or the index is damaged.
    pub fn like(&self, example: &LookedAt<'_>, options: &SearchOptions<'_>) -> Result<Found> {
        let wanted = Wanted::image(example.name, example.vector, 1.0);
        let everything = Filter::All(Vec::new());
        let evidence = Evidence::of_one(self, wanted, &everything)?;
        self.answer(&[evidence.without(example.itself)], options)
    }

    /// Puts readings together, and answers the part that is asked for.
    fn answer(&self, readings: &[Evidence<'_>], options: &SearchOptions<'_>) -> Result<Found> {
        let mut best: FxHashMap<PhotoId, (Judged, usize)> = FxHashMap::default();
        let (mut kind, mut at_least) = (RelevanceKind::Filter, false);
        for (at, reading) in readings.iter().enumerate() {
            let judged = reading.judge(self, options.min_relevance)?;
            kind = kind.with(judged.kind);
            at_least |= judged.cut_short;
            for photo in judged.photos {
                let known = best.entry(photo.id).or_insert((photo, at));
                if photo.relevance > known.0.relevance {
                    *known = (photo, at);
                }
            }
        }
        let mut ranked: Vec<(Judged, usize)> = best.into_values().collect();
        let looked_at = ranked.len();
        let is_match = |judged: &Judged| judged.relevance >= options.min_relevance;
        let matches = ranked.iter().filter(|(judged, _)| is_match(judged)).count();
        if options.show == Show::Matches {
            ranked.retain(|(judged, _)| is_match(judged));
        }
        let by_date = options.sort == Sort::Date || kind == RelevanceKind::Filter;
        if by_date {
            let dates = self.snapshot.dates()?;
            let date = |judged: &Judged| dates.get(&judged.id);
            ranked.sort_by(|(a, _), (b, _)| date(b).cmp(&date(a)).then(a.id.cmp(&b.id)));
        } else {
            ranked.sort_by(|(a, _), (b, _)| order(a, b));
        }
        let facets = if options.tell.facets {
            let matching =
                ranked.iter().map(|(judged, _)| judged).filter(|judged| is_match(judged));
            Some(Facets::of(self, matching.map(|judged| judged.id))?)
        } else {
            None
        };
        let reranked = match (&options.rerank, readings) {
            (Some(rerank), [reading]) if !by_date => rerank.apply(&mut ranked, reading.text())?,
            _ => FxHashMap::default(),
        };
        // An engine need not have looked at whole blocks.
        let shown = ranked.iter().skip(options.offset).take(options.limit);
        let shown = shown.filter(|(judged, _)| judged.score.is_some());
        self.vectors.trust_photos(&shown.map(|(judged, _)| judged.id).collect::<Vec<_>>())?;
        let mut results = Vec::new();
        for &(judged, at) in ranked.iter().skip(options.offset).take(options.limit) {
            // A photo may have gone since.
            let Some(photo) = self.snapshot.photo(judged.id)? else { continue };
            let parts = if options.tell.parts {
                readings.get(at).map_or(Ok(Vec::new()), |reading| reading.explain(self, &judged))?
            } else {
                Vec::new()
            };
            results.push(Hit {
                id: judged.id,
                path: photo.path.clone(),
                relevance: judged.relevance,
                score: judged.score,
                reranked: reranked.get(&judged.id).copied(),
                date: photo.metadata.date.clone(),
                title: photo.metadata.title.clone(),
                parts,
                photo,
            });
        }
        let unknown_words = self.unknown_words(readings);
        Ok(Found { matches, at_least, looked_at, relevance: kind, results, unknown_words, facets })
    }

    fn unknown_words(&self, readings: &[Evidence<'_>]) -> Vec<UnknownWord> {
        let mut unknown: Vec<UnknownWord> = Vec::new();
        for word in readings.iter().flat_map(|reading| reading.unknown_words(self.model)) {
            if unknown.iter().all(|known| known.word != word) {
                let spelled_like = self.model.spelled_like(&word);
                unknown.push(UnknownWord { word, spelled_like });
            }
        }
        unknown
    }

    /// The vector of an example: of a photo of the index, or of any other picture.
    ///
    /// # Errors
    /// If it is no photo of the index and cannot be looked at, or the index is damaged.
    pub fn example(&self, given: &Path) -> Result<Vec<f32>> {
        let whole = given.canonicalize().unwrap_or_else(|_| given.to_path_buf());
        for path in [&*whole, given] {
            if let Some(photo) = self.snapshot.photo_at(path)?
                && self.seen.contains(photo.id)
                && let Some(vector) = self.vectors.row(photo.id)?
            {
                return Ok(vector);
            }
        }
        match self.look {
            Some(look) => look(given),
            None => {
                let name = given.display().to_string();
                Err(Error::NoSuch { kind: "photo", name, known: Vec::new() })
            }
        }
    }
}

impl RelevanceKind {
    /// That of two readings.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Filter, kind) | (kind, Self::Filter) => kind,
            (Self::Calibrated, Self::Calibrated) => Self::Calibrated,
            _ => Self::Uncalibrated,
        }
    }
}

/// The most relevant first; of equals the higher score, then the smaller number.
fn order(a: &Judged, b: &Judged) -> Ordering {
    let score = |judged: &Judged| judged.score.unwrap_or(f32::NEG_INFINITY);
    b.relevance.total_cmp(&a.relevance).then(score(b).total_cmp(&score(a))).then(a.id.cmp(&b.id))
}
