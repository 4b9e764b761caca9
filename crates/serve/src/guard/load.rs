//! How much is done at a time, and for how long.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::shared::Shared;

/// Sends away what does not fit, and ends what takes too long.
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let Ok(_place) = shared.in_flight.try_acquire() else {
        shared.metrics.refused("load");
        return Problem::busy("too many requests at a time").into_response();
    };
    let time = shared.settings.limits.request;
    match tokio::time::timeout(time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            shared.metrics.refused("time");
            let message = format!("the request took longer than {} seconds", time.as_secs());
            Problem::new(StatusCode::GATEWAY_TIMEOUT, message).into_response()
        }
    }
}
