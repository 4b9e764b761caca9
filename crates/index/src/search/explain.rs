//! What each part of a query has to do with a photo.

use rebus_query::Filter;
use serde::Serialize;

use super::Searcher;
use super::evidence::{Evidence, Judged, Wanted, What, shows};
use super::written;
use crate::Result;

/// A part of a query, and what it has to do with a photo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// What kind of part.
    pub kind: PartKind,
    /// The words, the path or the condition.
    pub what: String,
    /// How much it adds to the photo's score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f32>,
    /// How probable it is that it is meant, by this part alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f64>,
}

/// A kind of part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A sentence.
    Sentence,
    /// A word of the sentence before it.
    Word,
    /// A picture.
    Example,
    /// Words that are written about the photo.
    Written,
    /// What the photo should not show.
    Excluded,
    /// A condition that holds.
    Filter,
}

impl Evidence<'_> {
    /// What each part has to do with a photo that it judged.
    pub(super) fn explain(&self, searcher: &Searcher<'_>, judged: &Judged) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        let image = searcher.vectors.row(judged.id)?.filter(|_| searcher.seen.contains(judged.id));
        for (wanted, excluded) in self
            .wanted
            .iter()
            .map(|wanted| (wanted, false))
            .chain(self.unwanted.iter().map(|wanted| (wanted, true)))
        {
            let (relevance, _) = wanted.seen(searcher, &[judged.id])?;
            let share = |vector: &[f32]| -> Option<f32> {
                let image = image.as_ref()?;
                Some(vector.iter().zip(image).map(|(a, b)| a * b).sum())
            };
            let kind = match (excluded, wanted.what) {
                (true, _) => PartKind::Excluded,
                (false, What::Words) => PartKind::Sentence,
                (false, What::Picture) => PartKind::Example,
            };
            parts.push(Part {
                kind,
                what: wanted.name.clone(),
                share: share(wanted.vector()),
                relevance: relevance.first().copied(),
            });
            if wanted.what == What::Words && !excluded {
                let words = searcher.model.word_parts(&wanted.name)?;
                // Of a single word the sentence has said it.
                let several = words.len() > 1;
                for word in words {
                    let alone = several.then(|| shows(searcher, &word.word, &[judged.id]));
                    let alone = alone.transpose()?;
                    parts.push(Part {
                        kind: PartKind::Word,
                        share: share(&word.vector),
                        what: word.word,
                        relevance: alone.and_then(|alone| alone.first().copied()),
                    });
                }
            }
            parts.extend(written_part(wanted, judged).filter(|_| !excluded));
        }
        let mut holding = Vec::new();
        conditions(self.filter, &mut holding);
        parts.extend(holding.into_iter().map(|what| Part {
            kind: PartKind::Filter,
            what,
            share: None,
            relevance: None,
        }));
        Ok(parts)
    }
}

fn written_part(wanted: &Wanted, judged: &Judged) -> Option<Part> {
    let about = wanted.written.about(judged.id);
    let words: Vec<&str> = about.iter().map(|word| word.word.as_str()).collect();
    let share: f64 = about.iter().map(|word| word.share).sum();
    (!words.is_empty()).then(|| Part {
        kind: PartKind::Written,
        what: words.join(" "),
        share: None,
        relevance: Some(written::relevance(share)),
    })
}

/// The conditions of a filter that holds, as they are written in a query.
fn conditions(filter: &Filter, holding: &mut Vec<String>) {
    match filter {
        Filter::All(parts) => parts.iter().for_each(|part| conditions(part, holding)),
        Filter::Any(parts) => {
            let each = parts.iter().map(|part| {
                let mut inner = Vec::new();
                conditions(part, &mut inner);
                inner.join(" ")
            });
            holding.push(each.collect::<Vec<_>>().join(" OR "));
        }
        Filter::Not(part) => {
            let mut inner = Vec::new();
            conditions(part, &mut inner);
            holding.push(format!("-{}", inner.join(" ")));
        }
        Filter::Is(condition) => holding.push(condition.to_string()),
    }
}
