//! `POST /annotate`, `GET /annotate/{id}`: words for photos.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use rebus_index::annotate::{Asked, Judged};
use serde::Serialize;

use super::Id;
use crate::problem::Problem;
use crate::shared::Shared;
use crate::upload;
use crate::work::{Queue, work};

/// What is suggested at most.
const ASKED: Asked = Asked { keywords: 12, sentences: 4, min_probability: 0.05 };

/// What the model says of a photo, and what people made of it.
#[derive(Debug, Serialize)]
pub(crate) struct Annotation {
    keywords: Vec<Keyword>,
    sentences: Vec<Sentence>,
    /// Whether somebody has decided about a keyword of it.
    reviewed: bool,
}

#[derive(Debug, Serialize)]
struct Keyword {
    word: String,
    /// Unknown for a keyword that only people gave, and from models that only order.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Decision>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Accepted,
    Rejected,
}

#[derive(Debug, Serialize)]
struct Sentence {
    text: String,
    score: f64,
}

impl Annotation {
    fn new(shared: &Shared, vector: Vec<f32>, judged: &Judged) -> Result<Self, Problem> {
        let suggestions = shared.library.suggestions(vector, &ASKED)?;
        let among = |words: &[String], word: &str| {
            words.iter().any(|other| other.eq_ignore_ascii_case(word))
        };
        let decision = |word: &str| {
            if among(&judged.fitting, word) {
                Some(Decision::Accepted)
            } else {
                among(&judged.unfitting, word).then_some(Decision::Rejected)
            }
        };
        let mut keywords: Vec<Keyword> = suggestions
            .keywords
            .into_iter()
            .map(|suggestion| Keyword {
                decision: decision(&suggestion.text),
                probability: suggestion.probability,
                word: suggestion.text,
            })
            .collect();
        for word in judged.fitting.iter().chain(&judged.unfitting) {
            if !keywords.iter().any(|keyword| keyword.word.eq_ignore_ascii_case(word)) {
                let decision = decision(word);
                keywords.push(Keyword { word: word.clone(), probability: None, decision });
            }
        }
        let sentences = suggestions.sentences.into_iter();
        Ok(Self {
            keywords,
            sentences: sentences.map(|it| Sentence { text: it.text, score: it.score }).collect(),
            reviewed: *judged != Judged::default(),
        })
    }
}

/// Words for a photo that is sent.
pub(crate) async fn sent(
    State(shared): State<Arc<Shared>>,
    body: Body,
) -> Result<Json<Annotation>, Problem> {
    let bytes = upload::receive(body, &shared.settings.limits).await?;
    work(&shared, Queue::Thinking, move |shared| {
        let picture = upload::picture(&bytes, &shared.settings.limits)?;
        let vector = shared.library.look(&picture)?;
        Ok(Json(Annotation::new(shared, vector, &Judged::default())?))
    })
    .await
}

/// Words for a photo of the index, and what people made of them.
pub(crate) async fn of(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
) -> Result<Json<Annotation>, Problem> {
    work(&shared, Queue::Thinking, move |shared| {
        let photo = shared.library.photo(id)?;
        let judged = shared.library.reviews().by_photo()?.remove(&photo.hash).unwrap_or_default();
        Ok(Json(Annotation::new(shared, shared.library.vector(id)?, &judged)?))
    })
    .await
}
