//! Every route, in one table: the router, the metrics and the test of `openapi.json` read it.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use crate::api::{about, annotate, corrections, items, judgements, pictures, search};
use crate::guard::{access, headers, host, load, rate};
use crate::problem::Problem;
use crate::shared::Shared;
use crate::{metrics, page};

/// The most bytes of a body that is no picture.
const BODY_BYTES: usize = 256 << 10;

/// One way of asking for something.
struct Route {
    method: &'static str,
    path: &'static str,
    handler: fn() -> MethodRouter<Arc<Shared>>,
}

static ROUTES: &[Route] = &[
    Route { method: "get", path: "/api/v1/search", handler: || get(search::search) },
    Route { method: "post", path: "/api/v1/similar", handler: || post(search::similar_to) },
    Route { method: "get", path: "/api/v1/similar/{id}", handler: || get(search::similar) },
    Route { method: "post", path: "/api/v1/annotate", handler: || post(annotate::sent) },
    Route { method: "get", path: "/api/v1/annotate/{id}", handler: || get(annotate::of) },
    Route { method: "get", path: "/api/v1/items", handler: || get(items::all) },
    Route { method: "get", path: "/api/v1/items/{id}", handler: || get(items::one) },
    Route { method: "get", path: "/api/v1/thumbnails/{id}", handler: || get(pictures::thumbnail) },
    Route { method: "get", path: "/api/v1/photo/{id}", handler: || get(pictures::photo) },
    Route { method: "get", path: "/api/v1/stats", handler: || get(about::stats) },
    Route { method: "get", path: "/api/v1/health", handler: || get(about::health) },
    Route { method: "get", path: "/api/v1/judgements", handler: || get(judgements::all) },
    Route { method: "post", path: "/api/v1/judgements", handler: || post(judgements::judge) },
    Route { method: "get", path: "/api/v1/corrections", handler: || get(corrections::all) },
    Route { method: "post", path: "/api/v1/corrections", handler: || post(corrections::correct) },
    Route { method: "get", path: "/metrics", handler: || get(metrics::show) },
    Route { method: "post", path: "/sign-in", handler: || post(access::sign_in) },
    Route { method: "get", path: "/api/v1/openapi.json", handler: || get(description) },
];

/// The routes as `openapi.json` names them: the method in small letters, and the path. Files of the
/// page are not among them.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static str)> {
    ROUTES.iter().map(|route| (route.method, route.path))
}

/// The description of the interface.
pub const OPENAPI: &str = include_str!("../openapi.json");

async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn lost() -> Problem {
    Problem::missing("there is nothing here")
        .hint("the interface is described in /api/v1/openapi.json")
}

async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "not in this way")
        .hint("the interface is described in /api/v1/openapi.json")
}

/// All routes, with all that stands before them.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for path in page::paths() {
        let file = move |headers: HeaderMap| async move { page::serve(path, &headers) };
        router = router.route(path, get(file));
    }
    for route in ROUTES {
        router = router.route(route.path, (route.handler)());
    }
    let state = || Arc::clone(&shared);
    router
        .fallback(lost)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        // The last is the first that a request meets.
        .layer(from_fn_with_state(state(), access::check))
        .layer(from_fn_with_state(state(), load::check))
        .layer(from_fn_with_state(state(), rate::check))
        .layer(from_fn_with_state(state(), host::check))
        .layer(from_fn_with_state(state(), metrics::count))
        .layer(from_fn(headers::put))
        .with_state(shared)
}
