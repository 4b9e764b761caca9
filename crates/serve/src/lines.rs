//! Streams of lines of JSON: made piece by piece as the client takes them, so that an answer of any
//! length needs little memory.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc;

use crate::problem::Problem;
use crate::shared::Shared;
use crate::work::{Queue, work};

/// What lines of JSON are called.
pub(crate) const NDJSON: &str = "application/x-ndjson";
/// How long a client may take for a piece before it is left.
const PATIENCE: Duration = Duration::from_secs(30);

/// The pieces as they come.
struct Pieces(mpsc::Receiver<Result<Bytes, std::io::Error>>);

impl Stream for Pieces {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// Adds a line.
pub(crate) fn line(piece: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Problem> {
    serde_json::to_writer(&mut *piece, value).map_err(|error| Problem::ours(error.to_string()))?;
    piece.push(b'\n');
    Ok(())
}

/// A stream of what `next` makes, piece by piece, until there is no more. An error in the middle
/// breaks the connection off, so that nobody takes a part for the whole.
pub(crate) fn stream<S: Send + 'static>(
    shared: &Arc<Shared>,
    state: S,
    next: impl Fn(&Shared, S) -> Result<Option<(Vec<u8>, S)>, Problem> + Send + Sync + 'static,
) -> Result<Response, Problem> {
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        return Err(Problem::busy("too many streams at a time"));
    };
    let (sender, receiver) = mpsc::channel(2);
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let _place = place;
        let next = Arc::new(next);
        let mut state = Some(state);
        while let Some(now) = state.take() {
            let next = Arc::clone(&next);
            let piece = match work(&shared, Queue::Thinking, move |shared| next(shared, now)).await
            {
                Ok(Some((piece, rest))) => {
                    state = Some(rest);
                    Ok(Bytes::from(piece))
                }
                Ok(None) => break,
                Err(problem) => {
                    problem.report(shared.settings.report);
                    Err(std::io::Error::other("broken off"))
                }
            };
            if sender.send_timeout(piece, PATIENCE).await.is_err() {
                break;
            }
        }
    });
    Ok(([(header::CONTENT_TYPE, NDJSON)], Body::from_stream(Pieces(receiver))).into_response())
}
