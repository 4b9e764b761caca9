//! One topic as trec_eval sees it: the grade at each rank.

use rebus_collection::trec::{Judged, Ranking};

use crate::{Measure, Query, Ties};

/// The ranked grades of one topic, and what is known of its judgements.
#[derive(Debug)]
pub(super) struct Topic {
    /// By rank: the grade, where the document was judged.
    pub(super) ranked: Vec<Place>,
    /// Relevant documents among them.
    pub(super) relevant_retrieved: usize,
    /// Documents judged relevant, retrieved or not.
    pub(super) relevant: usize,
    /// The grade from which on a document is relevant.
    pub(super) level: i32,
    /// The grades above 0 of all judged documents, the highest first.
    pub(super) ideal: Vec<i32>,
    query: Query,
}

/// What is known of the document at a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It was judged.
    Grade(i32),
    /// It was pooled but not judged: its grade is negative.
    Pooled,
    /// It was never looked at.
    Unknown,
}

impl Place {
    pub(super) fn is_judged(self) -> bool {
        matches!(self, Self::Grade(_))
    }

    pub(super) fn gain(self) -> f64 {
        match self {
            Self::Grade(grade) => f64::from(grade),
            _ => 0.0,
        }
    }
}

impl Topic {
    pub(super) fn new(ranking: Option<&Ranking>, judged: &Judged, level: i32) -> Self {
        let results = || ranking.into_iter().flat_map(|ranking| ranking.grades(judged));
        let ranked: Vec<Place> = results()
            .map(|(_, grade)| match grade {
                Some(grade) if grade >= 0 => Place::Grade(grade),
                Some(_) => Place::Pooled,
                None => Place::Unknown,
            })
            .collect();
        let is_relevant = |grade: i32| grade >= 0 && grade >= level;
        let counted = |place: &&Place| matches!(place, Place::Grade(grade) if is_relevant(*grade));
        let mut ideal: Vec<i32> = judged.grades().filter(|&grade| grade > 0).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            relevant_retrieved: ranked.iter().filter(counted).count(),
            relevant: judged.grades().filter(|&grade| is_relevant(grade)).count(),
            level,
            ideal,
            query: Query::from_grades(results(), judged.grades(), level, Ties::Trec),
            ranked,
        }
    }

    pub(super) fn retrieved(&self) -> usize {
        self.ranked.len()
    }

    pub(super) fn is_relevant(&self, place: Place) -> bool {
        matches!(place, Place::Grade(grade) if grade >= self.level)
    }

    /// Relevant documents among the first so many.
    pub(super) fn found(&self, cutoff: usize) -> usize {
        self.ranked.iter().take(cutoff).filter(|&&place| self.is_relevant(place)).count()
    }

    /// The value of one of our measures; 0 where it is undefined.
    pub(super) fn ours(&self, measure: &Measure) -> f64 {
        measure.of(&self.query).unwrap_or(0.0)
    }

    /// The highest precision at any rank where at least so many relevant documents were found.
    pub(super) fn precision_from(&self, wanted: u32) -> f64 {
        crate::measures::interpolated_precision::precision_from(&self.query, wanted)
    }

    /// A character a result: its grade, `>` above 9, `-` never looked at, `.` not judged.
    pub(super) fn relstring(&self, length: usize) -> String {
        let sign = |&place: &Place| match place {
            Place::Grade(grade) => char::from_digit(grade as u32, 10).unwrap_or('>'),
            Place::Pooled => '.',
            Place::Unknown => '-',
        };
        self.ranked.iter().take(length).map(sign).collect()
    }
}
