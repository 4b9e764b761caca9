//! A query cut into signs, words and values.

use crate::date::{DateRange, looks_like_date};
use crate::error::{Error, Problem, Result, Span};
use crate::field::{self, Said, Written};
use crate::marks;
use crate::weight::Weight;

/// The smallest piece of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Open,
    Close,
    Plus,
    Minus,
    Or,
    And,
    Not,
    Weight(Weight),
    Word(String),
    Phrase(String),
    Dates(DateRange),
    Said(Said),
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// All tokens of a query.
pub(crate) fn tokens(query: &str) -> Result<Vec<Placed>> {
    let mut scanner = Scanner { query, at: 0, unclosed: unclosed(query) };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.next()? {
        tokens.push(token);
    }
    check_ranges(query, &mut tokens)?;
    Ok(tokens)
}

struct Scanner<'a> {
    query: &'a str,
    at: usize,
    /// Where parentheses open that are not closed before the next blank or quotation mark.
    unclosed: Vec<usize>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.query[self.at..]
    }

    fn next(&mut self) -> Result<Option<Placed>> {
        self.at = self.query.len() - self.rest().trim_start_matches(marks::is_blank).len();
        let start = self.at;
        let Some(c) = self.rest().chars().next() else { return Ok(None) };
        let token = if marks::is_open(c) {
            self.sign(c, Token::Open)
        } else if marks::is_close(c) {
            self.sign(c, Token::Close)
        } else if marks::is_plus(c) {
            self.sign(c, Token::Plus)
        } else if marks::is_minus(c) {
            self.dash()?
        } else if marks::is_quote(c) {
            self.phrase()?
        } else if let Some(weight) = self.weight()? {
            weight
        } else if let Some(said) = self.field()? {
            said
        } else {
            self.word()?
        };
        Ok(Some(Placed { token, span: (start..self.at).into() }))
    }

    fn sign(&mut self, c: char, token: Token) -> Token {
        self.at += c.len_utf8();
        token
    }

    /// A minus before something; dashes by themselves are a word like others.
    fn dash(&mut self) -> Result<Token> {
        let rest = self.rest();
        let behind = rest.trim_start_matches(marks::is_minus);
        let dashes = &rest[..rest.len() - behind.len()];
        let start = self.at;
        self.at += dashes.len();
        if behind.chars().next().is_none_or(|c| marks::is_blank(c) || marks::is_close(c)) {
            return Ok(Token::Word(dashes.to_owned()));
        }
        if dashes.chars().nth(1).is_some() {
            return Err(Error::new(Problem::MinusTwice, start..self.at));
        }
        Ok(Token::Minus)
    }

    fn phrase(&mut self) -> Result<Token> {
        let start = self.at;
        let text = marks::plain_blanks(&self.quoted()?);
        if text.is_empty() {
            return Err(Error::new(Problem::EmptyQuotes, start..self.at));
        }
        Ok(Token::Phrase(text))
    }

    /// What stands in quotes from here on. A mark that stands twice is one of the text.
    fn quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices().peekable();
        let opening = chars.next().map_or(0, |(_, c)| c.len_utf8());
        while let Some((at, c)) = chars.next() {
            if !marks::is_quote(c) || chars.next_if(|&(_, next)| next == c).is_some() {
                text.push(c);
            } else {
                self.at += at + c.len_utf8();
                return Ok(text);
            }
        }
        Err(Error::new(Problem::UnclosedQuote, self.at..self.at + opening))
    }

    /// `2:` before something that is not a digit: `12:30` is a time.
    fn weight(&mut self) -> Result<Option<Token>> {
        let rest = self.rest();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
        let number = &rest[..rest.len() - behind.len()];
        let mut behind = behind.chars();
        let colon = behind.next().filter(|&c| marks::is_colon(c));
        let weighs = |c: char| !(marks::is_blank(c) || marks::is_close(c) || c.is_ascii_digit());
        let points = number.matches(['.', ',']).count();
        let digits = number.len() - points;
        let (Some(colon), true) = (colon, behind.next().is_some_and(weighs)) else {
            return Ok(None);
        };
        if digits == 0 || points > 1 {
            return Ok(None);
        }
        let start = self.at;
        self.at += number.len() + colon.len_utf8();
        let span = start..start + number.len();
        if number.contains(',') {
            let mended = number.replace(',', ".");
            return Err(Error::new(Problem::CommaWeight { mended }, span));
        }
        match number.parse().ok().and_then(Weight::new) {
            Some(weight) => Ok(Some(Token::Weight(weight))),
            None => Err(Error::new(Problem::BadWeight { weight: number.to_owned() }, span)),
        }
    }

    /// A known name before a colon. A name that is nearly one is a mistake; all others are words.
    fn field(&mut self) -> Result<Option<Token>> {
        let rest = self.rest();
        let behind = rest.trim_start_matches(char::is_alphabetic);
        let name = &rest[..rest.len() - behind.len()];
        let Some(colon) = behind.chars().next().filter(|&c| marks::is_colon(c)) else {
            return Ok(None);
        };
        let value = &behind[colon.len_utf8()..];
        let start = self.at;
        let value_start = start + name.len() + colon.len_utf8();
        let Some(field) = field::named(name) else {
            let empty = value
                .chars()
                .next()
                .is_none_or(|c| marks::is_blank(c) || marks::is_close(c) || marks::is_colon(c));
            return match field::meant(name) {
                Some(meant) if !empty && !value.starts_with("//") => {
                    let problem = Problem::UnknownField { name: name.to_owned(), meant };
                    Err(Error::new(problem, start..start + name.len()))
                }
                _ => Ok(None),
            };
        };
        self.at = value_start;
        let quoted = value.starts_with(marks::is_quote);
        let (text, written) = if quoted {
            (self.quoted()?, Written::Quoted)
        } else {
            (self.bare().to_owned(), Written::Bare)
        };
        let said = if text.is_empty() && value.starts_with(marks::is_open) {
            Err(Problem::GroupAsValue { field: field.name })
        } else {
            field.say(&text, written)
        };
        // An empty value is shown by the name that lacks it.
        let start = if text.trim().is_empty() { start } else { value_start };
        said.map(|said| Some(Token::Said(said)))
            .map_err(|problem| Error::new(problem, start..self.at))
    }

    fn word(&mut self) -> Result<Token> {
        let start = self.at;
        let word = self.bare();
        if let Some(dates) = DateRange::bare(word) {
            return dates.map(Token::Dates).map_err(|problem| Error::new(problem, start..self.at));
        }
        Ok(match word {
            "OR" | "|" | "||" => Token::Or,
            "AND" => Token::And,
            "NOT" => Token::Not,
            _ => Token::Word(word.replace(marks::is_curly_apostrophe, "'")),
        })
    }

    /// Up to the next blank, quotation mark or closing parenthesis. Parentheses that open and close
    /// within belong to it, as in `photo(1).jpg`.
    fn bare(&mut self) -> &'a str {
        let rest = self.rest();
        let mut open = 0_usize;
        let ends = |(at, c): &(usize, char)| {
            if marks::is_open(*c) {
                open += 1;
                return self.unclosed.binary_search(&(self.at + at)).is_ok();
            }
            if marks::is_close(*c) {
                let Some(fewer) = open.checked_sub(1) else { return true };
                open = fewer;
            }
            marks::is_blank(*c) || marks::is_quote(*c)
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        self.at += end;
        &rest[..end]
    }
}

/// Found once for the whole query, so that each word need not look ahead.
fn unclosed(query: &str) -> Vec<usize> {
    let mut unclosed = Vec::new();
    let mut open = Vec::new();
    for (at, c) in query.char_indices() {
        if marks::is_blank(c) || marks::is_quote(c) {
            unclosed.append(&mut open);
        } else if marks::is_open(c) {
            open.push(at);
        } else if marks::is_close(c) {
            open.pop();
        }
    }
    unclosed.append(&mut open);
    unclosed
}

/// `2019 .. 2021` and `2019.. 2021` would mean something else than they seem to.
fn check_ranges(query: &str, tokens: &mut [Placed]) -> Result<()> {
    let text = |placed: &Placed| &query[placed.span.start..placed.span.end];
    let year = |placed: Option<&Placed>| {
        placed.is_some_and(|placed| {
            matches!(placed.token, Token::Word(_)) && looks_like_date(text(placed))
        })
    };
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let behind = tokens.get(at + 1);
        let spaced = match tokens[at].token {
            Token::Dates(_) => {
                let text = text(&tokens[at]);
                (text.ends_with("..") && year(behind)) || (text.starts_with("..") && year(before))
            }
            Token::Word(_) => text(&tokens[at]) == ".." && year(before) && year(behind),
            _ => false,
        };
        if spaced {
            let first = before.filter(|_| year(before)).unwrap_or(&tokens[at]);
            let last = behind.filter(|_| year(behind)).unwrap_or(&tokens[at]);
            return Err(Error::new(Problem::SpacedRange, first.span.to(last.span)));
        }
    }
    // By themselves two points say as much as three.
    for placed in tokens {
        if placed.token == Token::Word("..".to_owned()) {
            placed.token = Token::Word("…".to_owned());
        }
    }
    Ok(())
}
