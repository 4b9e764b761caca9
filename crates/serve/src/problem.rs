//! What a client is told when it gets no answer: `{"error": {"message", "hint", "span"}}`.

use std::ops::Range;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
    hint: Option<String>,
    /// The bytes of the query that it is about.
    span: Option<Range<usize>>,
    /// What went wrong inside; not for the client.
    cause: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), hint: None, span: None, cause: None }
    }

    /// The client asked for what makes no sense.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// It is our fault. What went wrong inside is for the log, not for the client.
    pub(crate) fn ours(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// There is too much to do; the client may come again.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).hint("try again in a moment")
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Keeps what went wrong for the log of the server.
    fn cause(mut self, error: &dyn std::error::Error) -> Self {
        self.cause = Some(error.to_string());
        self
    }

    /// Tells the server's own people what went wrong inside.
    pub(crate) fn report(&self, report: fn(&str)) {
        if let Some(cause) = &self.cause {
            report(cause);
        }
    }

    pub(crate) fn span(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }
}

/// What went wrong inside, on its way out beside the answer.
#[derive(Debug, Clone)]
pub(crate) struct Cause(pub(crate) String);

/// A mistake in a query is told with its place.
impl From<rebus_query::Error> for Problem {
    fn from(error: rebus_query::Error) -> Self {
        let span = error.span();
        let problem = Self::bad(error.to_string()).span(span.start..span.end);
        match error.hint() {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}

/// What went wrong inside names files of this machine: the client is told only that it did.
macro_rules! inside {
    ($($error:ty),*) => {$(
        impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                Self::ours("something went wrong inside").cause(&error)
            }
        }
    )*};
}

inside!(rebus_collection::Error, rebus_models::Error, rebus_vision::Error);

impl From<rebus_index::Error> for Problem {
    fn from(error: rebus_index::Error) -> Self {
        match error {
            // The only thing that a query names is an example.
            rebus_index::Error::NoSuch { kind: "photo", name, .. } => Self::bad(format!(
                "no photo of the index lies at {name}"
            ))
            .hint("an example is a photo of the index by its path; others can be dragged in"),
            other if other.is_refused() => Self::new(
                StatusCode::FORBIDDEN,
                "the system refused: where the index can only be read, nothing is kept",
            )
            .cause(&other),
            damaged @ rebus_index::Error::Damaged { .. } => {
                Self::ours("the index is damaged").hint("run rebus check").cause(&damaged)
            }
            other => Self::ours("something went wrong inside").cause(&other),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut error = json!({ "message": self.message });
        if let Some(hint) = self.hint {
            error["hint"] = hint.into();
        }
        if let Some(span) = self.span {
            error["span"] = json!([span.start, span.end]);
        }
        let mut response = (self.status, Json(json!({ "error": error }))).into_response();
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(Cause(cause));
        }
        let headers = response.headers_mut();
        match self.status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
