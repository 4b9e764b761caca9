//! The language of the search box: a sentence, what must be written, what is to be left out, fields,
//! dates and example pictures, in one line.
//!
//! For: reading such a line, saying exactly where it is wrong, and handing on what it asks for. Not
//! for: finding anything, opening pictures, or knowing what words mean.
//!
//! ```
//! use rebus_query::{Condition, Filter, Query};
//!
//! let query = Query::parse(
//!     r#"two dogs in the 2:snow -indoor camera:nikon 2019..2021 "golden gate" like:photo.jpg"#,
//! )?;
//! let [reading] = query.readings() else { unreachable!("nothing is joined by OR") };
//!
//! assert_eq!(reading.text(), "two dogs in the snow");
//! assert_eq!(reading.sentence[1].text, "snow");
//! assert_eq!(reading.sentence[1].weight.get(), 2.0);
//! assert_eq!(reading.exclusions[0].text, "indoor");
//! assert_eq!(reading.like[0].path, "photo.jpg");
//!
//! // What must hold: nothing written says "indoor", the camera, the dates, the phrase.
//! let Filter::All(conditions) = &reading.filter else { unreachable!() };
//! assert_eq!(conditions.len(), 4);
//! assert_eq!(conditions[3], Filter::Is(Condition::Phrase("golden gate".into())));
//!
//! // It prints as a query that reads as the same.
//! assert_eq!(Query::parse(&query.to_string())?, query);
//!
//! // A mistake is shown where it stands.
//! let typed = "a dog near:Vienna (2019-13.. OR has:gps)";
//! let error = Query::parse(typed).unwrap_err();
//! assert_eq!(
//!     error.pointed(typed),
//!     "there is no such day, month or year: 2019-13\n\
//!      \x20 a dog near:Vienna (2019-13.. OR has:gps)\n\
//!      \x20                    ^~~~~~~~~"
//! );
//! # Ok::<(), rebus_query::Error>(())
//! ```
//!
//! The way through: a query is cut into tokens (`token.rs`), which the `parser.rs` makes a [`Node`] of;
//! from the tree come the [`Reading`]s, which are all that a search needs to know. [`FIELDS`] lists
//! what may stand before a colon. The guide has the grammar.

mod condition;
mod date;
mod error;
mod field;
mod marks;
mod parser;
mod place;
mod pointer;
mod query;
mod reading;
mod token;
mod tree;
mod weight;

pub use condition::{Condition, Kind, Known, Orientation, Pixels, TextField};
pub use date::{Date, DateRange};
pub use error::{Error, Problem, Result, Span};
pub use field::{FIELDS, Field};
pub use place::{Kilometres, Near};
pub use query::Query;
pub use reading::{Filter, Reading};
pub use tree::{Example, Node, Words};
pub use weight::Weight;
