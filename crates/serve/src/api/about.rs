//! `GET /stats`, `GET /health`: what the index holds, and whether the server answers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::settings::Coordinates;
use crate::shared::Shared;
use crate::work::{Queue, work};

pub(crate) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

pub(crate) async fn stats(State(shared): State<Arc<Shared>>) -> Result<Json<Value>, Problem> {
    work(&shared, Queue::Thinking, |shared| {
        let index = shared.library.index();
        let statistics = index.statistics()?;
        let models = index.models().into_iter().map(|model| {
            json!({
                "name": model.name,
                "extractor": model.extractor,
                "dimensions": model.dimensions,
            })
        });
        let folders = index
            .roots()
            .into_iter()
            .map(|root| json!({ "path": root.path().display().to_string(), "away": root.away }));
        Ok(Json(json!({
            "name": index.name(),
            "photos": statistics.photos,
            "failures": statistics.failures,
            "bytes": statistics.bytes,
            "generation": statistics.generation,
            "models": models.collect::<Vec<_>>(),
            "folders": folders.collect::<Vec<_>>(),
            "coordinates": match shared.settings.coordinates {
                Coordinates::Hidden => "hidden",
                Coordinates::Shown => "shown",
            },
            "version": env!("CARGO_PKG_VERSION"),
            "uptime_s": shared.metrics.uptime().as_secs_f64(),
        })))
    })
    .await
}
