//! `GET /items`, `GET /items/{id}`: what is known about photos.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use rebus_index::Photo;
use serde::{Deserialize, Serialize};

use super::search::{Why, why};
use super::{Id, Query};
use crate::library::name_of;
use crate::lines::{line, stream};
use crate::problem::Problem;
use crate::settings::Coordinates;
use crate::shared::Shared;
use crate::work::{Queue, work};

/// Photos in a piece of the stream.
const PIECE: usize = 500;

/// A photo, as it is told.
#[derive(Serialize)]
struct Item {
    id: u32,
    name: String,
    path: String,
    bytes: u64,
    modified: i64,
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(flatten)]
    metadata: rebus_collection::Metadata,
    // The metadata leave them out where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<[String; 0]>,
    keywords: Vec<String>,
    captions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

impl Item {
    /// A photo, with what may be told of where it was taken.
    fn new(photo: Photo, coordinates: Coordinates) -> Self {
        let mut metadata = photo.metadata;
        if coordinates == Coordinates::Hidden {
            metadata.coordinates = None;
        }
        Self {
            id: photo.id.0,
            name: name_of(&photo.path),
            path: photo.path.display().to_string(),
            bytes: photo.bytes,
            modified: photo.modified / 1_000_000_000,
            hash: photo.hash.to_string(),
            width: photo.size.map(|size| size.width),
            height: photo.size.map(|size| size.height),
            tags: metadata.tags.is_empty().then_some([]),
            metadata,
            keywords: photo.keywords,
            captions: photo.captions,
            why: None,
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    q: Option<String>,
}

/// One photo, and why a query finds it.
pub(crate) async fn one(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    use axum::response::IntoResponse;
    work(&shared, Queue::Thinking, move |shared| {
        let mut item = Item::new(shared.library.photo(id)?, shared.settings.coordinates);
        if let Some(query) = asked.q.filter(|query| !query.trim().is_empty()) {
            item.why = why(shared, &query, id)?;
        }
        Ok(Json(item).into_response())
    })
    .await
}

/// Which photos of all.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

/// All photos, or some.
pub(crate) async fn all(
    State(shared): State<Arc<Shared>>,
    Query(which): Query<Which>,
) -> Result<Response, Problem> {
    let photos = shared.library.index().photos();
    let photos = photos.skip(which.offset).take(which.limit.unwrap_or(usize::MAX));
    stream(&shared, photos, |shared, mut photos| {
        let mut piece = Vec::new();
        for photo in photos.by_ref().take(PIECE) {
            line(&mut piece, &Item::new(photo?, shared.settings.coordinates))?;
        }
        Ok((!piece.is_empty()).then_some((piece, photos)))
    })
}
