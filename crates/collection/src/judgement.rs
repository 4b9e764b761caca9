//! What people said about how well things fit each other.

use serde::{Deserialize, Serialize};

use crate::{CaptionId, Coordinates, ItemId, TopicId};

/// A query that was written down and judged by somebody else (MediaEval's locations, TREC topics).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    /// The topic's stable name.
    pub id: TopicId,
    /// The query as text.
    pub text: String,
    /// Where on the globe, if the topic is a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<Coordinates>,
}

/// What a judgement is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A picture.
    Item(ItemId),
    /// A caption.
    Caption(CaptionId),
    /// A topic.
    Topic(TopicId),
}

/// What a judge said.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A grade on the source's own scale; a binary judgement is 0 or 1.
    Grade(i64),
    /// Votes of a crowd whose members are not told apart.
    Votes {
        /// How many said that it fits.
        yes: u32,
        /// How many said that it does not.
        no: u32,
    },
    /// The group of answers to this query that an answer belongs to (MediaEval's diversity
    /// clusters): a name, not an amount, so it is never a relevance.
    Cluster(u32),
}

/// One judge's word on one pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Which set of judgements this belongs to (`expert`, `crowd`, `rGT`).
    pub set: String,
    /// What was asked for.
    pub query: Subject,
    /// What was shown.
    pub answer: Subject,
    /// Who judged; `None` where the source does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// What was said.
    pub verdict: Verdict,
}
