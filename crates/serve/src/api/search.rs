//! `GET /search`, `GET /similar/{id}`, `POST /similar`: photos for words and for photos.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use rebus_index::PhotoId;
use rebus_index::search::{
    CUT_OFF, Count, Facets, Found, Hit, LookedAt, PartKind, RelevanceKind, SearchOptions, Show,
    Sort, Tell,
};
use rebus_query::{Condition, Query as Parsed, TextField};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Id, Query};
use crate::library::name_of;
use crate::lines::{NDJSON, line, stream};
use crate::problem::Problem;
use crate::shared::Shared;
use crate::upload;
use crate::work::{Queue, work};

/// Results that are given at once, unless asked otherwise, and at most.
const LIMIT: usize = 100;
const MOST: usize = 1000;
/// Results in a piece of a stream: each piece is a search of its own.
const PIECE: usize = 5000;

/// What may stand behind the question mark.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Asked {
    q: String,
    limit: Option<usize>,
    offset: usize,
    sort: Order,
    min_relevance: Option<f64>,
    all: bool,
    facets: bool,
}

/// The order of results.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Relevance,
    Date,
}

impl Asked {
    fn options(&self) -> Result<SearchOptions<'static>, Problem> {
        let limit = self.limit.unwrap_or(LIMIT);
        if !(1..=MOST).contains(&limit) {
            return Err(Problem::bad(format!("limit is a number from 1 to {MOST}"))
                .hint("ask for lines of JSON to have everything"));
        }
        let min_relevance = self.min_relevance.unwrap_or(CUT_OFF);
        if !(0.0..=1.0).contains(&min_relevance) {
            return Err(Problem::bad("min_relevance is a number from 0 to 1"));
        }
        Ok(SearchOptions {
            limit,
            offset: self.offset,
            min_relevance,
            show: if self.all { Show::All } else { Show::Matches },
            sort: match self.sort {
                Order::Relevance => Sort::Relevance,
                Order::Date => Sort::Date,
            },
            tell: Tell { facets: self.facets, ..Tell::default() },
            rerank: None,
        })
    }
}

/// What photos are looked for.
#[derive(Debug, Clone)]
enum Wanted {
    Query(String),
    Like { name: String, vector: Vec<f32>, itself: Option<PhotoId> },
}

fn find(shared: &Shared, wanted: &Wanted, options: &SearchOptions<'_>) -> Result<Found, Problem> {
    let searcher = shared.library.searcher()?;
    Ok(match wanted {
        Wanted::Query(text) => searcher.search(&Parsed::parse(text)?, options)?,
        Wanted::Like { name, vector, itself } => {
            searcher.like(&LookedAt { name, vector, itself: *itself }, options)?
        }
    })
}

/// A result, as it is told.
#[derive(Serialize)]
struct Told {
    id: PhotoId,
    name: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relevance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
}

impl Told {
    fn new(hit: Hit, kind: RelevanceKind) -> Self {
        Self {
            id: hit.id,
            name: name_of(&hit.path),
            path: hit.path.display().to_string(),
            title: hit.title,
            date: hit.date,
            // Where only filters were asked for, all are as relevant as can be: no news.
            relevance: (kind != RelevanceKind::Filter).then_some(hit.relevance),
            score: hit.score,
        }
    }
}

/// All of an answer but the results.
fn head(shared: &Shared, asked: &Asked, found: &Found, begun: Instant) -> Value {
    let mut head = json!({
        "query": asked.q,
        "matches": found.matches,
        "at_least": found.at_least,
        "photos": shared.library.index().len(),
        "offset": asked.offset,
        "relevance": found.relevance,
        "results": [],
        "unknown_words": found.unknown_words,
    });
    if let Some(facets) = &found.facets {
        head["facets"] = json!({ "counted": facets.counted, "fields": fields(facets) });
    }
    head["took_ms"] = json!((begun.elapsed().as_secs_f64() * 1e4).round() / 10.0);
    head
}

/// Filters with counts, each with the term that asks for it.
fn fields(facets: &Facets) -> Value {
    let text = |field| move |value: &str| Condition::Text { field, text: value.into() }.to_string();
    let year = |value: &str| format!("date:{value}");
    let told = |label: &str, counts: &[Count], term: &dyn Fn(&str) -> String| {
        let value = |count: &Count| json!({ "value": count.value, "count": count.photos, "term": term(&count.value) });
        json!({ "label": label, "values": counts.iter().map(value).collect::<Vec<_>>() })
    };
    let mut years = facets.years.clone();
    years.sort_by(|a, b| b.value.cmp(&a.value));
    json!([
        told("Years", &years, &year),
        told("Keywords", &facets.keywords, &text(TextField::Tag)),
        told("Places", &facets.places, &text(TextField::Place)),
        told("Cameras", &facets.cameras, &text(TextField::Camera)),
        told("Folders", &facets.folders, &text(TextField::Folder)),
    ])
}

/// A page of results.
fn page(shared: &Shared, asked: &Asked, wanted: &Wanted) -> Result<Response, Problem> {
    let begun = Instant::now();
    let mut found = find(shared, wanted, &asked.options()?)?;
    let hits = std::mem::take(&mut found.results);
    let results: Vec<Told> = hits.into_iter().map(|hit| Told::new(hit, found.relevance)).collect();
    let mut whole = head(shared, asked, &found, begun);
    whole["results"] = json!(results);
    Ok(Json(whole).into_response())
}

/// Photos for a query.
pub(crate) async fn search(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if accept.is_some_and(|accept| accept.contains(NDJSON)) {
        return all(&shared, asked).await;
    }
    work(&shared, Queue::Thinking, move |shared| {
        let wanted = Wanted::Query(asked.q.clone());
        page(shared, &asked, &wanted)
    })
    .await
}

/// Everything that a query finds, line by line.
async fn all(shared: &Arc<Shared>, mut asked: Asked) -> Result<Response, Problem> {
    asked.limit = None;
    // What is wrong with the query is told before the stream begins.
    asked.options()?;
    Parsed::parse(&asked.q)?;
    stream(shared, Some(asked.offset), move |shared, from| {
        let Some(offset) = from else { return Ok(None) };
        let begun = Instant::now();
        let first = offset == asked.offset;
        let options = asked.options()?;
        let tell = Tell { facets: asked.facets && first, ..Tell::default() };
        let options = SearchOptions { limit: PIECE, offset, tell, ..options };
        let mut found = find(shared, &Wanted::Query(asked.q.clone()), &options)?;
        let hits = std::mem::take(&mut found.results);
        let next = (hits.len() == PIECE).then_some(offset + PIECE);
        let mut piece = Vec::new();
        if first {
            let mut head = head(shared, &asked, &found, begun);
            head.as_object_mut().map(|head| head.remove("results"));
            line(&mut piece, &head)?;
        }
        for hit in hits {
            line(&mut piece, &Told::new(hit, found.relevance))?;
        }
        Ok(Some((piece, next)))
    })
}

/// Photos like one of the index, itself left out.
pub(crate) async fn similar(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    work(&shared, Queue::Thinking, move |shared| {
        let name = name_of(&shared.library.photo(id)?.path);
        let vector = shared.library.vector(id)?;
        page(shared, &asked, &Wanted::Like { name, vector, itself: Some(id) })
    })
    .await
}

/// Photos like one that is sent.
pub(crate) async fn similar_to(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<Asked>,
    body: Body,
) -> Result<Response, Problem> {
    let bytes = upload::receive(body, &shared.settings.limits).await?;
    work(&shared, Queue::Thinking, move |shared| {
        let picture = upload::picture(&bytes, &shared.settings.limits)?;
        let vector = shared.library.look(&picture)?;
        page(shared, &asked, &Wanted::Like { name: "the picture".into(), vector, itself: None })
    })
    .await
}

/// What each part of a query says about a photo.
#[derive(Debug, Serialize)]
pub(crate) struct Why {
    relevance: f64,
    parts: Vec<Share>,
}

#[derive(Debug, Serialize)]
struct Share {
    text: String,
    share: f64,
}

/// Why a query finds a photo, or would not: the words of its sentences, examples and exclusions, by
/// what they add to the score.
pub(crate) fn why(shared: &Shared, query: &str, id: PhotoId) -> Result<Option<Why>, Problem> {
    let parsed = Parsed::parse(query)?;
    let searcher = shared.library.searcher()?;
    let Some(hit) = searcher.explain(&parsed, id)? else { return Ok(None) };
    let shares = hit.parts.iter().filter_map(|part| {
        let share = f64::from(part.share?);
        match part.kind {
            PartKind::Word | PartKind::Example => Some(Share { text: part.what.clone(), share }),
            PartKind::Excluded => Some(Share { text: format!("-{}", part.what), share: -share }),
            PartKind::Sentence | PartKind::Written | PartKind::Filter => None,
        }
    });
    Ok(Some(Why { relevance: hit.relevance, parts: shares.collect() }))
}
