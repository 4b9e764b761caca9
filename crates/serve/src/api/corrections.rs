//! `GET /corrections`, `POST /corrections`: what people made of suggested keywords.

use std::sync::Arc;

use axum::extract::State;
use rebus_index::PhotoId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Json;
use crate::problem::Problem;
use crate::shared::Shared;
use crate::work::{Queue, work};

/// The most keywords in a correction, and the most letters in one of them.
const MOST: usize = 200;
const LONGEST: usize = 200;

/// Keywords of a photo that fit, that do not, and that another should take the place of.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Correction {
    id: u32,
    #[serde(default)]
    accepted: Vec<String>,
    #[serde(default)]
    rejected: Vec<String>,
    #[serde(default)]
    corrected: Vec<Replaced>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replaced {
    word: String,
    right: String,
}

impl Correction {
    fn check(&self) -> Result<(), Problem> {
        let replaced = self.corrected.iter().flat_map(|it| [&it.word, &it.right]);
        let words = || self.accepted.iter().chain(&self.rejected).chain(replaced.clone());
        if words().count() > MOST {
            return Err(Problem::bad(format!("at most {MOST} keywords at once")));
        }
        match words().find(|word| word.trim().is_empty() || word.len() > LONGEST) {
            Some(_) => Err(Problem::bad(format!("a keyword has from 1 to {LONGEST} letters"))),
            None => Ok(()),
        }
    }
}

pub(crate) async fn correct(
    State(shared): State<Arc<Shared>>,
    Json(correction): Json<Correction>,
) -> Result<axum::Json<Value>, Problem> {
    correction.check()?;
    work(&shared, Queue::Thinking, move |shared| {
        let hash = shared.library.photo(PhotoId(correction.id))?.hash;
        let reviews = shared.library.reviews();
        for word in &correction.accepted {
            reviews.accept(hash, word)?;
        }
        for word in &correction.rejected {
            reviews.reject(hash, word)?;
        }
        for Replaced { word, right } in &correction.corrected {
            reviews.correct(hash, word, right)?;
        }
        let judged = reviews.by_photo()?.remove(&hash).unwrap_or_default();
        Ok(axum::Json(json!({
            "id": correction.id,
            "accepted": judged.fitting,
            "rejected": judged.unfitting,
        })))
    })
    .await
}

pub(crate) async fn all(State(shared): State<Arc<Shared>>) -> Result<axum::Json<Value>, Problem> {
    work(&shared, Queue::Thinking, |shared| {
        let mut corrections = Vec::new();
        for (hash, judged) in shared.library.reviews().by_photo()? {
            let photos = shared.library.index().photos_with(hash)?;
            let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
            corrections.push(json!({
                "hash": hash,
                "photos": ids,
                "accepted": judged.fitting,
                "rejected": judged.unfitting,
            }));
        }
        corrections.sort_by(|a, b| a["hash"].as_str().cmp(&b["hash"].as_str()));
        Ok(axum::Json(json!({ "corrections": corrections })))
    })
    .await
}
