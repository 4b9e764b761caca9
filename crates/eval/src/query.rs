//! One query's ranking, as every measure sees it.

use crate::Ties;

/// Documents of one query that share a score and among which something counts.
///
/// Under every rule but [`Ties::Mean`] ties are resolved, and each group is a single document at
/// a known rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Group {
    /// Documents above the group.
    pub(crate) before: u32,
    /// Documents in the group.
    pub(crate) size: u32,
    /// Relevant documents in the group.
    pub(crate) relevant: u32,
    /// Documents above the group that were judged not relevant.
    pub(crate) nonrelevant_before: u32,
    /// Documents in the group that were judged not relevant.
    pub(crate) nonrelevant: u32,
    /// The sum of the gains in the group: the grades above zero.
    pub(crate) gain: f64,
}

/// Where a gold item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GoldItem {
    /// Documents that score higher.
    pub(crate) before: u32,
    /// Of the documents that score as high, those that stand ahead of it in trec_eval's order.
    pub(crate) ahead: u32,
    /// Documents that score as high, the item included.
    pub(crate) size: u32,
}

/// One query's ranking: where what counts stands, and how much of it there is.
///
/// Made from judgements by [`evaluate`](crate::evaluate), from a score matrix by
/// [`GoldRanks`](crate::GoldRanks), or by hand:
///
/// ```
/// use rebus_eval::{Measure, Query, Ties};
///
/// // Two relevant documents exist; the ranking has them first and fourth.
/// let query = Query::from_relevance(&[true, false, false, true], 2);
/// let measure: Measure = "MAP".parse()?;
/// assert_eq!(measure.of(&query), Some((1.0 + 2.0 / 4.0) / 2.0));
/// # Ok::<(), rebus_eval::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The groups in which something counts, best first.
    pub(crate) groups: Vec<Group>,
    /// Documents that were retrieved.
    pub(crate) retrieved: u32,
    /// Relevant documents there are, retrieved or not.
    pub(crate) relevant: u32,
    /// Documents judged not relevant, retrieved or not.
    pub(crate) nonrelevant: u32,
    /// Gains there are and how many documents have each, the highest first.
    pub(crate) gains: Vec<(u32, u32)>,
    /// Before and size of each tie in which relevant and other documents share a score.
    ties: Vec<(u32, u32)>,
}

impl Query {
    /// A ranking without ties: whether each document is relevant, the best first, and how many
    /// relevant documents there are, retrieved or not. Documents that are not relevant count as
    /// judged.
    pub fn from_relevance(ranking: &[bool], relevant: usize) -> Self {
        let scored = ranking.iter().enumerate();
        let scored = scored.map(|(at, &yes)| (-(at as f64), Some(i32::from(yes))));
        let found = ranking.iter().filter(|&&yes| yes).count();
        let missed = relevant.saturating_sub(found);
        let judged = ranking.iter().map(|&yes| i32::from(yes));
        let judged = judged.chain(std::iter::repeat_n(1, missed));
        Self::from_grades(scored, judged, 1, Ties::Worst)
    }

    /// A ranking of scored documents, the best first and equal scores in trec_eval's order, each
    /// with its grade where somebody judged it; the grades of all judged documents; and the
    /// grade from which on a document is relevant.
    ///
    /// A negative grade means that the document was pooled but not judged.
    pub fn from_grades(
        ranking: impl Iterator<Item = (f64, Option<i32>)>,
        judged: impl Iterator<Item = i32>,
        threshold: i32,
        ties: Ties,
    ) -> Self {
        let mut query = Self::empty(judged, threshold);
        let mut builder = Builder { query: &mut query, threshold, ties, before: 0, above: 0 };
        let mut tied: Vec<i32> = Vec::new();
        let mut last = f64::NAN;
        for (score, grade) in ranking {
            if score != last {
                builder.take(&mut tied);
                last = score;
            }
            tied.push(grade.unwrap_or(-1));
        }
        builder.take(&mut tied);
        query.retrieved = builder.before;
        query
    }

    /// A query for which nothing was retrieved.
    fn empty(judged: impl Iterator<Item = i32>, threshold: i32) -> Self {
        let (mut relevant, mut nonrelevant) = (0, 0);
        let mut gains: Vec<(u32, u32)> = Vec::new();
        for grade in judged {
            if is_relevant(grade, threshold) {
                relevant += 1;
            } else if grade >= 0 {
                nonrelevant += 1;
            }
            let gain = grade.max(0) as u32;
            match gains.iter_mut().find(|(known, _)| *known == gain) {
                Some((_, count)) => *count += 1,
                None if gain > 0 => gains.push((gain, 1)),
                None => {}
            }
        }
        gains.sort_unstable_by(|a, b| b.cmp(a));
        let (groups, ties) = (Vec::new(), Vec::new());
        Self { groups, retrieved: 0, relevant, nonrelevant, gains, ties }
    }

    /// A query with these gold items, in the order of a ranking; `pool` documents are ranked.
    pub(crate) fn from_gold(items: &[GoldItem], pool: u32, ties: Ties) -> Self {
        let relevant = items.len() as u32;
        let gains = if relevant > 0 { vec![(1, relevant)] } else { Vec::new() };
        let mut query = Self {
            groups: Vec::with_capacity(items.len()),
            retrieved: pool,
            relevant,
            nonrelevant: pool - relevant,
            gains,
            ties: Vec::new(),
        };
        let mut gold_above = 0;
        for tied in items.chunk_by(|a, b| a.before == b.before) {
            let GoldItem { before, size, .. } = tied[0];
            let gold = tied.len() as u32;
            let others = size - gold;
            let others_above = before - gold_above;
            if others > 0 {
                query.ties.push((before, size));
            }
            if ties == Ties::Mean {
                query.groups.push(Group {
                    before,
                    size,
                    relevant: gold,
                    nonrelevant_before: others_above,
                    nonrelevant: others,
                    gain: f64::from(gold),
                });
            } else {
                query.groups.extend((0..).zip(tied).map(|(at, item)| {
                    let ahead = match ties {
                        Ties::Best => at,
                        Ties::Trec => item.ahead,
                        _ => others + at,
                    };
                    Group {
                        before: before + ahead,
                        size: 1,
                        relevant: 1,
                        nonrelevant_before: others_above + ahead - at,
                        nonrelevant: 0,
                        gain: 1.0,
                    }
                }));
            }
            gold_above += gold;
        }
        query
    }

    /// `before` documents, then `size` tied ones of which `gold` are relevant.
    #[cfg(test)]
    pub(crate) fn from_tie(before: u32, size: u32, gold: u32, ties: Ties) -> Self {
        let item = |ahead| GoldItem { before, ahead, size };
        let items: Vec<GoldItem> = (0..gold).map(item).collect();
        Self::from_gold(&items, before + size, ties)
    }

    /// Whether relevant and other documents share a score on both sides of rank `cutoff`; with no
    /// cut-off, whether they share one anywhere.
    pub(crate) fn is_tied_at(&self, cutoff: Option<usize>) -> bool {
        match cutoff {
            None => !self.ties.is_empty(),
            Some(cutoff) => self.ties.iter().any(|&(before, size)| {
                (before as usize) < cutoff && cutoff < (before + size) as usize
            }),
        }
    }

    /// Whether some documents still share a rank: only under [`Ties::Mean`].
    pub(crate) fn is_unresolved(&self) -> bool {
        self.groups.iter().any(|group| group.size > 1)
    }

    /// Ranks of the relevant documents, from 1, where none share one.
    pub(crate) fn ranks(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.groups.iter().filter(|group| group.relevant > 0).map(|group| group.before + 1)
    }
}

fn is_relevant(grade: i32, threshold: i32) -> bool {
    grade >= 0 && grade >= threshold
}

/// Puts the documents of one score after the other into a query.
struct Builder<'a> {
    query: &'a mut Query,
    threshold: i32,
    ties: Ties,
    before: u32,
    above: u32,
}

impl Builder<'_> {
    /// Takes the grades of the documents that share a score, in trec_eval's order.
    fn take(&mut self, tied: &mut Vec<i32>) {
        let threshold = self.threshold;
        let counts = |grade: i32| grade > 0 || is_relevant(grade, threshold);
        if let &mut [grade] = tied.as_mut_slice() {
            if counts(grade) {
                self.push(grade, 1);
            }
            self.pass(&[grade]);
        } else if tied.iter().any(|&grade| counts(grade)) {
            if tied.iter().any(|&grade| grade != tied[0]) {
                self.query.ties.push((self.before, tied.len() as u32));
            }
            match self.ties {
                Ties::Mean => {
                    self.push_group(tied);
                    self.pass(tied);
                    tied.clear();
                    return;
                }
                Ties::Worst => tied.sort_unstable(),
                Ties::Best => tied.sort_unstable_by(|a, b| b.cmp(a)),
                Ties::Trec => {}
            }
            for &grade in tied.iter() {
                if counts(grade) {
                    self.push(grade, 1);
                }
                self.pass(&[grade]);
            }
        } else {
            self.pass(tied);
        }
        tied.clear();
    }

    fn push(&mut self, grade: i32, size: u32) {
        let relevant = u32::from(is_relevant(grade, self.threshold));
        self.query.groups.push(Group {
            before: self.before,
            size,
            relevant,
            nonrelevant_before: self.above,
            nonrelevant: u32::from(grade >= 0 && relevant == 0),
            gain: f64::from(grade.max(0)),
        });
    }

    fn push_group(&mut self, tied: &[i32]) {
        let relevant = tied.iter().filter(|&&grade| is_relevant(grade, self.threshold)).count();
        let judged = tied.iter().filter(|&&grade| grade >= 0).count();
        self.query.groups.push(Group {
            before: self.before,
            size: tied.len() as u32,
            relevant: relevant as u32,
            nonrelevant_before: self.above,
            nonrelevant: (judged - relevant) as u32,
            gain: tied.iter().map(|&grade| f64::from(grade.max(0))).sum(),
        });
    }

    fn pass(&mut self, grades: &[i32]) {
        self.before += grades.len() as u32;
        let judged =
            grades.iter().filter(|&&grade| grade >= 0 && !is_relevant(grade, self.threshold));
        self.above += judged.count() as u32;
    }
}
