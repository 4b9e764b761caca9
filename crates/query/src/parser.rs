//! From tokens to a tree.
//!
//! ```text
//! query = [ sum ]
//! sum   = all { "+" all }
//! all   = any { [ "AND" ] any }
//! any   = term { "OR" term }
//! term  = [ "-" ] [ weight ] part
//! part  = "(" sum ")" | phrase | field | range | word
//! ```

use crate::condition::Condition;
use crate::error::{Error, Problem, Result, Span};
use crate::field::Said;
use crate::place::Kilometres;
use crate::query::Query;
use crate::reading;
use crate::token::{Placed, Token, tokens};
use crate::tree::{Example, Node};
use crate::weight::Weight;

/// The tree of a query.
pub(crate) fn parse(query: &str) -> Result<Node> {
    let tokens = tokens(query)?;
    let mut parser = Parser { tokens: &tokens, at: 0, end: query.len(), depth: 0 };
    if tokens.is_empty() {
        return Ok(Node::All(Vec::new()));
    }
    let tree = parser.group()?;
    match parser.peek() {
        Some(stray) => Err(Error::new(Problem::StrayParenthesis, stray.span)),
        None => Ok(tree),
    }
}

struct Parser<'a> {
    tokens: &'a [Placed],
    at: usize,
    end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Placed> {
        self.tokens.get(self.at)
    }

    fn sees(&self, token: &Token) -> bool {
        self.peek().is_some_and(|placed| placed.token == *token)
    }

    fn next(&mut self) -> Option<&'a Placed> {
        let placed = self.peek();
        self.at += usize::from(placed.is_some());
        placed
    }

    /// Where the parser stands.
    fn here(&self) -> Span {
        self.peek().map_or((self.end..self.end).into(), |placed| placed.span)
    }

    /// From a place to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        self.at.checked_sub(1).map_or(start, |last| start.to(self.tokens[last].span))
    }

    /// All up to a closing parenthesis or the end.
    fn group(&mut self) -> Result<Node> {
        let start = self.here();
        let mut within = None;
        let mut sums = Vec::new();
        // Old habit puts a plus before every word.
        let mut plus = self.next_if(&Token::Plus);
        loop {
            let parts = self.all(&mut within)?;
            if parts.is_empty() {
                if let Some(plus) = plus {
                    return Err(Error::new(Problem::NothingAfterPlus, plus));
                }
            } else {
                sums.push(Node::all(parts));
            }
            plus = self.next_if(&Token::Plus);
            if plus.is_none() {
                break;
            }
        }
        let mut tree = if sums.is_empty() { Node::All(sums) } else { Node::sum(sums) };
        if let Some((distance, span)) = within {
            put_distance(&mut tree, distance).map_err(|problem| Error::new(problem, span))?;
        }
        if reading::count(&tree) > Query::MAX_READINGS {
            return Err(Error::new(Problem::TooManyReadings, self.since(start)));
        }
        Ok(tree)
    }

    fn next_if(&mut self, token: &Token) -> Option<Span> {
        let sees = self.sees(token);
        sees.then(|| self.next()).flatten().map(|placed| placed.span)
    }

    /// Terms side by side.
    fn all(&mut self, within: &mut Option<(Kilometres, Span)>) -> Result<Vec<Node>> {
        let mut parts = Vec::new();
        while let Some(placed) = self.peek() {
            match &placed.token {
                Token::Close | Token::Plus => break,
                Token::And if !parts.is_empty() && self.term_follows() => {
                    self.next();
                }
                Token::Said(Said::Within(distance)) => {
                    self.next();
                    if self.sees(&Token::Or) {
                        return Err(Error::new(Problem::WithinInside, placed.span));
                    }
                    if within.replace((*distance, placed.span)).is_some() {
                        return Err(Error::new(Problem::WithinTwice, placed.span));
                    }
                }
                _ => parts.push(self.any()?),
            }
        }
        Ok(parts)
    }

    /// Whether what stands behind the next token starts a term.
    fn term_follows(&self) -> bool {
        let behind = self.tokens.get(self.at + 1);
        behind.is_some_and(|placed| {
            !matches!(placed.token, Token::Close | Token::Plus | Token::Or | Token::And)
        })
    }

    /// A term, or alternatives.
    fn any(&mut self) -> Result<Node> {
        let mut parts = vec![self.term(None)?];
        while let Some(or) = self.next_if(&Token::Or) {
            parts.push(self.term(Some(or))?);
        }
        Ok(Node::any(parts))
    }

    /// One term, perhaps behind an `OR`.
    fn term(&mut self, or: Option<Span>) -> Result<Node> {
        let start = self.here();
        let minus = self.next_if(&Token::Minus);
        let weight = match self.peek() {
            Some(Placed { token: Token::Weight(weight), span }) => {
                self.next();
                Some((*weight, *span))
            }
            _ => None,
        };
        let lacking = match (minus, weight) {
            (_, Some((_, span))) => (Problem::MisplacedWeight, span),
            (Some(span), None) => (Problem::NothingAfterMinus, span),
            (None, None) => (Problem::LonelyOr, or.unwrap_or(start)),
        };
        let mut part = self.part(lacking)?;
        if let Some((weight, span)) = weight {
            part = self.weighed(part, weight, span)?;
        }
        if minus.is_some() {
            let span = self.since(start);
            part = part.left_out().map_err(|problem| Error::new(problem, span))?;
        }
        Ok(part)
    }

    fn weighed(&self, part: Node, weight: Weight, span: Span) -> Result<Node> {
        if !part.is_scored() {
            return Err(Error::new(Problem::WeightedFilter, self.since(span)));
        }
        part.weighed(weight).map_err(|problem| Error::new(problem, span))
    }

    /// What a minus or a weight may stand before; `lacking` is told where there is nothing.
    fn part(&mut self, lacking: (Problem, Span)) -> Result<Node> {
        let error = |(problem, span): (Problem, Span)| Err(Error::new(problem, span));
        let Some(placed) = self.next() else { return error(lacking) };
        Ok(match &placed.token {
            Token::Open => return self.parentheses(placed.span),
            Token::Word(word) => Node::word(word.clone()),
            Token::And => Node::word("and".to_owned()),
            Token::Not => return self.not(placed.span),
            Token::Phrase(phrase) => Node::Is(Condition::Phrase(phrase.clone())),
            Token::Dates(dates) => Node::Is(Condition::Taken(*dates)),
            Token::Said(Said::Condition(condition)) => Node::Is(condition.clone()),
            Token::Said(Said::Like(path)) => {
                Node::Like(Example { path: path.clone(), weight: Weight::ONE })
            }
            Token::Said(Said::Within(_)) => return error((Problem::WithinInside, placed.span)),
            Token::Close | Token::Plus | Token::Minus | Token::Or | Token::Weight(_) => {
                return error(lacking);
            }
        })
    }

    fn parentheses(&mut self, open: Span) -> Result<Node> {
        self.depth += 1;
        if self.depth > Query::MAX_DEPTH {
            return Err(Error::new(Problem::TooDeep, open));
        }
        let tree = self.group()?;
        self.depth -= 1;
        let Some(close) = self.next_if(&Token::Close) else {
            return Err(Error::new(Problem::UnclosedParenthesis, open));
        };
        if matches!(&tree, Node::All(parts) if parts.is_empty()) {
            return Err(Error::new(Problem::EmptyParentheses, open.to(close)));
        }
        Ok(tree)
    }

    /// `NOT` before a word is a word ("DO NOT ENTER"), before anything else somebody's minus.
    fn not(&self, span: Span) -> Result<Node> {
        match self.peek().map(|placed| &placed.token) {
            Some(Token::Open | Token::Phrase(_) | Token::Dates(_) | Token::Said(_)) => {
                Err(Error::new(Problem::Not, span))
            }
            _ => Ok(Node::word("not".to_owned())),
        }
    }
}

/// Gives a distance to the points that have none of their own.
fn put_distance(tree: &mut Node, distance: Kilometres) -> Result<(), Problem> {
    let mut points = 0;
    tree.conditions_mut(&mut |condition| {
        if let Condition::Near(near) = condition
            && near.within.is_none()
        {
            near.within = Some(distance);
            points += 1;
        }
    });
    if points == 0 { Err(Problem::WithinAlone) } else { Ok(()) }
}
