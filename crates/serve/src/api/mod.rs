//! The interface under `/api/v1`: one file a thing that can be asked for.

pub(crate) mod about;
pub(crate) mod annotate;
pub(crate) mod corrections;
pub(crate) mod items;
pub(crate) mod judgements;
pub(crate) mod pictures;
pub(crate) mod search;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use rebus_index::PhotoId;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// The number of a photo in a path. Anything else is told as such.
pub(crate) struct Id(pub(crate) PhotoId);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<u32>::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(PhotoId(id))),
            Err(_) => Err(Problem::missing("a photo is named by its number")),
        }
    }
}

/// The parameters of a request; a wrong one is named.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        match axum::extract::Query::try_from_uri(&parts.uri) {
            Ok(axum::extract::Query(given)) => Ok(Self(given)),
            Err(error) => Err(Problem::bad(error.body_text())
                .hint("the parameters are described in /api/v1/openapi.json")),
        }
    }
}

/// A body of JSON; a wrong one is told with the field.
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> axum::extract::FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Problem> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(given)) => Ok(Self(given)),
            Err(error) => Err(Problem::new(error.status(), error.body_text())),
        }
    }
}
