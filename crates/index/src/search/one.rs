//! One photo under a query.

use rebus_query::Query;
use serde::Serialize;

use super::evidence::Evidence;
use super::{CUT_OFF, Part, Searcher};
use crate::{PhotoId, Result};

/// What a query has to do with a photo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// How probable it is that the photo is meant, 0 to 1.
    pub relevance: f64,
    /// What each part has to do with it.
    pub parts: Vec<Part>,
}

impl Searcher<'_> {
    /// What a query has to do with one photo, by the reading that suits it best; `None` if a filter
    /// keeps it out, or nothing speaks for it.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn explain(&self, query: &Query, id: PhotoId) -> Result<Option<Explanation>> {
        let mut best: Option<Explanation> = None;
        for reading in query.readings() {
            let evidence = Evidence::of(self, reading)?;
            let judgement = evidence.judge(self, CUT_OFF)?;
            let Some(judged) = judgement.photos.iter().find(|judged| judged.id == id) else {
                continue;
            };
            if best.as_ref().is_none_or(|best| judged.relevance > best.relevance) {
                let parts = evidence.explain(self, judged)?;
                best = Some(Explanation { relevance: judged.relevance, parts });
            }
        }
        Ok(best)
    }
}
