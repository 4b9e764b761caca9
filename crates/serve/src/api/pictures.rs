//! `GET /thumbnails/{id}`, `GET /photo/{id}`: photos as pictures.
//!
//! What goes out is always a JPEG that was made here from pixels: whatever else a file holds (where
//! it was taken, scripts in a file that only claims to be a picture) stays where it is.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rebus_collection::ContentHash;

use super::Id;
use crate::problem::Problem;
use crate::shared::Shared;
use crate::thumbnails::{Origin, copy};
use crate::work::{Queue, work};

/// The longer side of a photo in pixels: as much as a screen shows.
const SCREEN: u32 = 2560;

pub(crate) async fn thumbnail(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let photo = shared.library.photo(id)?;
    let tag = tag(&photo.hash, "s");
    if is_known(&headers, &tag) {
        return Ok(unchanged(&tag));
    }
    let hash = photo.hash;
    let jpeg = work(&shared, Queue::Picturing, move |shared| {
        if let Some(jpeg) = shared.thumbnails.kept(&hash) {
            return Ok(jpeg);
        }
        let (jpeg, origin) = shared.thumbnails.of(&hash, &shared.library.file(&photo)?)?;
        if origin == Origin::Made {
            shared.metrics.thumbnail();
        }
        Ok(jpeg)
    });
    Ok(jpeg_response(jpeg.await?, &tag))
}

pub(crate) async fn photo(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let photo = shared.library.photo(id)?;
    let tag = tag(&photo.hash, "l");
    if is_known(&headers, &tag) {
        return Ok(unchanged(&tag));
    }
    let jpeg =
        work(&shared, Queue::Picturing, move |shared| copy(&shared.library.file(&photo)?, SCREEN));
    Ok(jpeg_response(jpeg.await?, &tag))
}

fn tag(hash: &ContentHash, size: &str) -> String {
    format!("\"{}-{size}\"", &hash.to_string()[..24])
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag)
}

fn unchanged(tag: &str) -> Response {
    kept(StatusCode::NOT_MODIFIED.into_response(), tag)
}

fn jpeg_response(jpeg: Vec<u8>, tag: &str) -> Response {
    kept(([(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response(), tag)
}

/// The browser may keep it for some minutes, then asks whether it is still the same: the number of
/// a photo may become another's.
fn kept(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=300"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
