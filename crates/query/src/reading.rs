//! What a query asks for: sentences, exclusions, examples and a filter, without any grammar.

use serde::Serialize;

use crate::condition::Condition;
use crate::tree::{Example, Node, Words};
use crate::weight::Weight;

/// One way to read a query. A query without `OR` between words or examples has one reading; `(red OR
/// blue) car` has two, and a photo is as relevant as it is in the reading that suits it best.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reading {
    /// What the photo should show, in the order in which it was written: one part for all words that
    /// have the same weight and follow each other, whatever filters stand between, and a new part
    /// after a `+`.
    pub sentence: Vec<Words>,
    /// What it should not show. Words that are left out also stand in the filter, so that what was
    /// written about a photo counts.
    pub exclusions: Vec<Words>,
    /// What it should look like.
    pub like: Vec<Example>,
    /// What it should not look like.
    pub unlike: Vec<Example>,
    /// What was put into quotes. The filter asks for it already; here it may help in ranking.
    pub phrases: Vec<String>,
    /// What must hold.
    pub filter: Filter,
}

/// Conditions, joined. It holds of a photo, or it does not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// All of them hold. Without any, every photo passes.
    All(Vec<Filter>),
    /// At least one of them holds.
    Any(Vec<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// The condition holds.
    Is(Condition),
}

impl Filter {
    /// Whether every photo passes.
    pub fn is_everything(&self) -> bool {
        matches!(self, Self::All(filters) if filters.is_empty())
    }

    fn all(mut filters: Vec<Self>) -> Self {
        match filters.pop() {
            Some(filter) if filters.is_empty() => filter,
            last => {
                filters.extend(last);
                Self::All(filters)
            }
        }
    }
}

impl Reading {
    /// Whether there is anything to rank by; else the filter is all there is.
    pub fn is_ranked(&self) -> bool {
        !(self.sentence.is_empty()
            && self.exclusions.is_empty()
            && self.like.is_empty()
            && self.unlike.is_empty())
    }

    /// The words of the sentence in one line, without weights.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.sentence.iter().map(|words| words.text.as_str()).collect();
        texts.join(" ")
    }
}

/// How many readings a part has.
pub(crate) fn count(node: &Node) -> usize {
    if !node.is_scored() {
        return 1;
    }
    match node {
        Node::All(parts) | Node::Sum(parts) => {
            parts.iter().map(count).fold(1, usize::saturating_mul)
        }
        Node::Any(parts) => parts.iter().map(count).fold(0, usize::saturating_add),
        Node::Not(_) | Node::Words(_) | Node::Like(_) | Node::Is(_) => 1,
    }
}

/// The readings of a tree that has no more than the limit of them.
pub(crate) fn readings(tree: &Node) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for pieces in expand(tree) {
        let reading = gather(pieces);
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings
}

/// A piece of a reading, in the order of the query.
#[derive(Clone)]
enum Piece<'a> {
    Words(&'a Words),
    /// Words before and behind it are not one sentence.
    Break,
    Like(&'a Example),
    Without(Vec<Words>),
    Unlike(Vec<Example>),
    Holds(&'a Condition),
    Filter(Filter),
}

fn expand(node: &Node) -> Vec<Vec<Piece<'_>>> {
    match node {
        Node::Words(words) => vec![vec![Piece::Words(words)]],
        Node::Like(example) => vec![vec![Piece::Like(example)]],
        Node::Is(condition) => vec![vec![Piece::Holds(condition)]],
        Node::All(parts) => product(parts, &[]),
        Node::Sum(parts) => product(parts, &[Piece::Break]),
        Node::Any(parts) if node.is_scored() => parts.iter().flat_map(expand).collect(),
        Node::Any(_) => vec![filter(node).map(Piece::Filter).into_iter().collect()],
        Node::Not(part) => vec![without(part)],
    }
}

/// Every choice of one reading of each part.
fn product<'a>(parts: &'a [Node], behind: &[Piece<'a>]) -> Vec<Vec<Piece<'a>>> {
    let mut all = vec![Vec::new()];
    for part in parts {
        let mut choices = expand(part);
        choices.iter_mut().for_each(|choice| choice.extend_from_slice(behind));
        if let [only] = choices.as_slice() {
            // By far the most: nothing is copied, so that long queries stay cheap.
            all.iter_mut().for_each(|before| before.extend_from_slice(only));
        } else {
            let with = |before: &Vec<Piece<'a>>| -> Vec<Vec<Piece<'a>>> {
                choices.iter().map(|choice| [before.as_slice(), choice].concat()).collect()
            };
            all = all.iter().flat_map(with).collect();
        }
    }
    all
}

/// What a minus before a part says.
fn without<'a>(part: &Node) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    if let Some(filter) = filter(part) {
        pieces.push(Piece::Filter(Filter::Not(Box::new(filter))));
    }
    // Conditions that hold together only take nothing away from the sentence.
    if part.is_scored() || matches!(part, Node::Is(_) | Node::Any(_)) {
        let alternatives = match part {
            Node::Any(parts) => parts.iter().flat_map(expand).collect(),
            part => expand(part),
        };
        for alternative in alternatives {
            let Reading { mut sentence, like, phrases, .. } = gather(alternative);
            let phrase = |text| Words { text, weight: Weight::ONE };
            sentence.extend(phrases.into_iter().map(phrase));
            pieces.push(Piece::Without(sentence));
            pieces.push(Piece::Unlike(like));
        }
    }
    pieces
}

/// What must hold of a photo for a part. An example says nothing about that.
fn filter(node: &Node) -> Option<Filter> {
    let each = |parts: &[Node]| parts.iter().filter_map(filter).collect::<Vec<_>>();
    let some = |filters: Vec<Filter>| Some(filters).filter(|filters| !filters.is_empty());
    match node {
        Node::All(parts) | Node::Sum(parts) => some(each(parts)).map(Filter::all),
        Node::Any(parts) => some(each(parts)).map(|mut filters| {
            if filters.len() == 1 { filters.remove(0) } else { Filter::Any(filters) }
        }),
        Node::Not(part) => filter(part).map(|filter| Filter::Not(Box::new(filter))),
        Node::Words(words) => Some(Filter::Is(Condition::Words(words.text.clone()))),
        Node::Like(_) => None,
        Node::Is(condition) => Some(Filter::Is(condition.clone())),
    }
}

fn gather(pieces: Vec<Piece<'_>>) -> Reading {
    let mut reading = Reading {
        sentence: Vec::new(),
        exclusions: Vec::new(),
        like: Vec::new(),
        unlike: Vec::new(),
        phrases: Vec::new(),
        filter: Filter::All(Vec::new()),
    };
    let mut filters = Vec::new();
    let mut broken = true;
    for piece in pieces {
        match piece {
            Piece::Words(words) => {
                match reading.sentence.last_mut() {
                    Some(last) if !broken && last.weight == words.weight => {
                        last.text.push(' ');
                        last.text.push_str(&words.text);
                    }
                    _ => reading.sentence.push(words.clone()),
                }
                broken = false;
            }
            Piece::Break => broken = true,
            Piece::Like(example) => reading.like.push(example.clone()),
            Piece::Without(words) => reading.exclusions.extend(words),
            Piece::Unlike(examples) => reading.unlike.extend(examples),
            Piece::Holds(condition) => {
                if let Condition::Phrase(text) = condition {
                    reading.phrases.push(text.clone());
                }
                filters.push(Filter::Is(condition.clone()));
            }
            Piece::Filter(filter) => filters.push(filter),
        }
    }
    reading.filter = Filter::all(filters);
    reading
}
