//! Pictures that are sent: as large as we let them, and decoded only if their header is honest.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::Body;
use axum::http::StatusCode;
use futures_core::Stream;
use rebus_vision::{Error, Picture, decode_within};

use crate::problem::Problem;
use crate::settings::Limits;

/// Of a body that is too large, so many times the limit is read and dropped: a client that still
/// sends would not hear why.
const PATIENCE: usize = 4;

/// The bytes of a picture that is sent.
pub(crate) async fn receive(body: Body, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let mut stream = body.into_data_stream();
    let mut kept = Vec::new();
    let mut came = 0;
    while let Some(piece) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        let piece = piece.map_err(|_| Problem::bad("the picture did not arrive whole"))?;
        came += piece.len();
        if came <= limits.upload_bytes {
            kept.extend_from_slice(&piece);
        } else if came > limits.upload_bytes * PATIENCE {
            break;
        } else {
            kept = Vec::new();
        }
    }
    if came > limits.upload_bytes {
        let message = format!("the picture has more than {} MB", limits.upload_bytes >> 20);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, message).hint("make it smaller"));
    }
    if kept.is_empty() {
        return Err(Problem::bad("no picture was sent").hint("send its bytes as the body"));
    }
    Ok(kept)
}

/// Decodes it, if it has few enough pixels.
pub(crate) fn picture(bytes: &[u8], limits: &Limits) -> Result<Picture, Problem> {
    decode_within(bytes, "the picture", limits.upload_pixels).map_err(|error| {
        let status = match error {
            Error::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        };
        let problem = Problem::new(status, error.to_string());
        match error.hint() {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    })
}
