//! What can be wrong with a query, and where.

use std::ops::Range;

use serde::Serialize;

use crate::weight::Weight;

/// A mistake in a query: what, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{problem}")]
pub struct Error {
    problem: Problem,
    span: Span,
}

/// A place in a query, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The first byte behind it.
    pub end: usize,
}

impl Span {
    pub(crate) fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// The result of reading a query.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(problem: Problem, span: impl Into<Span>) -> Self {
        Self { problem, span: span.into() }
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Where in the query.
    pub fn span(&self) -> Span {
        self.span
    }

    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        self.problem.hint()
    }

    /// The query with a mark under the place, and the hint, for a terminal or a plain-text answer:
    ///
    /// ```
    /// let query = "dogs camra:nikon";
    /// let error = rebus_query::Query::parse(query).unwrap_err();
    /// assert_eq!(
    ///     error.pointed(query),
    ///     "there is no field `camra:`\n\
    ///      \x20 dogs camra:nikon\n\
    ///      \x20      ^~~~~\n\
    ///      hint: did you mean `camera:`? In quotes it is looked for as it is written"
    /// );
    /// ```
    pub fn pointed(&self, query: &str) -> String {
        let (line, mark) = crate::pointer::point(query, self.span);
        let mut text = format!("{self}\n  {line}\n  {mark}");
        if let Some(hint) = self.hint() {
            text.push_str("\nhint: ");
            text.push_str(&hint);
        }
        text
    }
}

/// What is wrong with a query.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It is longer than [`Query::MAX_BYTES`](crate::Query::MAX_BYTES).
    #[error("the query is too long: {bytes} bytes")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// More parentheses within each other than [`Query::MAX_DEPTH`](crate::Query::MAX_DEPTH).
    #[error("too many parentheses within each other")]
    TooDeep,
    /// More readings than [`Query::MAX_READINGS`](crate::Query::MAX_READINGS).
    #[error("the alternatives make more than {} different sentences", crate::Query::MAX_READINGS)]
    TooManyReadings,
    /// A quotation mark that is never closed.
    #[error("this quotation mark is never closed")]
    UnclosedQuote,
    /// Quotation marks with nothing between.
    #[error("there is nothing between the quotation marks")]
    EmptyQuotes,
    /// A parenthesis that is never closed.
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    /// A parenthesis that was never opened.
    #[error("this parenthesis was never opened")]
    StrayParenthesis,
    /// Parentheses with nothing between.
    #[error("there is nothing between the parentheses")]
    EmptyParentheses,
    /// A field without a value.
    #[error("`{field}:` needs a value")]
    EmptyValue {
        /// The field.
        field: &'static str,
        /// A use of it.
        example: &'static str,
    },
    /// Something that looks like a field and is none.
    #[error("there is no field `{name}:`")]
    UnknownField {
        /// As it was written.
        name: String,
        /// The field that was probably meant.
        meant: &'static str,
    },
    /// A value that is not one of those that a field takes.
    #[error("`{field}:` does not know {value:?}")]
    NotAmong {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// What it takes.
        names: &'static [&'static str],
    },
    /// A value that is no number of pixels.
    #[error("{value:?} is not a number of pixels")]
    NoPixels {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
    },
    /// A value with a minus that belongs before the field.
    #[error("a minus goes before the field")]
    MinusInValue {
        /// The field.
        field: &'static str,
        /// The value without the minus.
        value: String,
    },
    /// A parenthesis behind the colon of a field.
    #[error("`{field}:` takes one value")]
    GroupAsValue {
        /// The field.
        field: &'static str,
    },
    /// Something that is no date.
    #[error("{0:?} is not a date")]
    NoDate(String),
    /// A date that the calendar does not have.
    #[error("there is no such day, month or year: {0}")]
    NoDay(String),
    /// A range whose end lies before its start.
    #[error("the range ends before it starts")]
    Backwards {
        /// Its start.
        from: String,
        /// Its end.
        to: String,
    },
    /// A range of years with a dash.
    #[error("a range of dates is written with two points")]
    DashRange {
        /// Its start.
        from: u16,
        /// Its end.
        to: String,
    },
    /// Blanks around the points of a range.
    #[error("a range of dates is written without blanks")]
    SpacedRange,
    /// A point that does not lie on the globe.
    #[error("{0:?} is not a point on the globe")]
    NoPoint(String),
    /// A value that is no distance.
    #[error("{0:?} is not a distance")]
    NoDistance(String),
    /// A distance without a point.
    #[error("`within:` needs a point to measure from")]
    WithinAlone,
    /// A second distance beside the first.
    #[error("there are two `within:` here")]
    WithinTwice,
    /// A distance with a minus, a weight or an alternative.
    #[error("`within:` stands by itself, beside `near:`")]
    WithinInside,
    /// A number before a colon that is no weight.
    #[error("a weight lies between {} and {}, {weight} does not", Weight::LIMITS.0, Weight::LIMITS.1)]
    BadWeight {
        /// As it was written, or as it came out.
        weight: String,
    },
    /// A decimal comma.
    #[error("a weight is written with a point")]
    CommaWeight {
        /// With a point.
        mended: String,
    },
    /// A weight before something that is true or not.
    #[error("a weight goes with words or an example; this holds or it does not")]
    WeightedFilter,
    /// A weight before a minus, or before another weight.
    #[error("nothing can stand between a weight and what it weighs")]
    MisplacedWeight,
    /// A minus before nothing.
    #[error("there is nothing to leave out after the minus")]
    NothingAfterMinus,
    /// More than one minus.
    #[error("one minus is enough")]
    MinusTwice,
    /// A plus without anything on one side.
    #[error("there is nothing to add after the plus")]
    NothingAfterPlus,
    /// `OR` without anything on one side.
    #[error("`OR` needs something on both sides")]
    LonelyOr,
    /// `NOT`, as other programs write a minus.
    #[error("`NOT` is no sign of this language")]
    Not,
    /// Words and filters together in what is left out.
    #[error("words or examples cannot be left out together with something else")]
    MixedExclusion,
}

impl Problem {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::TooLong { .. } => {
                format!("it may have {} bytes", crate::Query::MAX_BYTES)
            }
            Self::TooManyReadings => "use fewer `OR`, or ask in two queries".to_owned(),
            Self::UnclosedQuote => "close it with \", or drop it".to_owned(),
            Self::UnclosedParenthesis => "close it with ), or drop it".to_owned(),
            Self::StrayParenthesis => "drop it, or put it in quotes".to_owned(),
            Self::EmptyValue { example, .. } => {
                format!("write it without a blank after the colon, for example {example}")
            }
            Self::UnknownField { meant, .. } => {
                format!("did you mean `{meant}:`? In quotes it is looked for as it is written")
            }
            Self::NotAmong { names, .. } => format!("it knows {}", names.join(", ")),
            Self::NoPixels { field, .. } => {
                format!("for example {field}:2000, {field}:>2000 or {field}:1000..2000")
            }
            Self::MinusInValue { field, value } => format!("write -{field}:{value}"),
            Self::GroupAsValue { field } => {
                format!("write ({field}:this OR {field}:that), or put the value in quotes")
            }
            Self::NoDate(_) => {
                "dates are 2019, 2019-05 or 2019-05-31; ranges 2019..2021, 2019-05.. or ..2020"
                    .into()
            }
            Self::Backwards { from, to } => format!("write {to}..{from}"),
            Self::DashRange { from, to } => format!("write {from:04}..{to}"),
            Self::SpacedRange => "write 2019..2021".to_owned(),
            Self::NoPoint(_) => {
                "degrees north, then east: near:48.2,16.4 or near:48.2,16.4,5km".into()
            }
            Self::NoDistance(_) => "for example within:10km, within:500m or within:5mi".to_owned(),
            Self::WithinAlone => {
                "give it in degrees: near:48.2,16.4 within:10km; names of places have no size"
                    .into()
            }
            Self::WithinTwice | Self::WithinInside => {
                "each point may have its own distance: near:48.2,16.4,10km".to_owned()
            }
            Self::CommaWeight { mended } => format!("write {mended}:"),
            Self::BadWeight { .. } => {
                "what counts double is 2:dog, what counts half 0.5:dog; -dog leaves dogs out".into()
            }
            Self::WeightedFilter => {
                "drop the weight; several words are weighed as 2:(golden gate)".to_owned()
            }
            Self::MisplacedWeight => "write -2:dog to leave dogs out with a weight of 2".to_owned(),
            Self::LonelyOr => "in small letters or in quotes it is a word".to_owned(),
            Self::Not => "write -tag:beach; in small letters `not` is a word".to_owned(),
            Self::MixedExclusion => "write -this -that to leave out either".to_owned(),
            Self::TooDeep
            | Self::EmptyQuotes
            | Self::EmptyParentheses
            | Self::NoDay(_)
            | Self::NothingAfterMinus
            | Self::MinusTwice
            | Self::NothingAfterPlus => return None,
        })
    }
}
