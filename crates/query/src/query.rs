//! A query, read.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::{Error, Problem, Result};
use crate::parser;
use crate::reading::{self, Reading};
use crate::tree::Node;

/// What somebody typed into the search box, read.
///
/// Printed, it is a query that reads as the same (one that was as long as can be may then be too
/// long).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Query {
    tree: Node,
    readings: Vec<Reading>,
}

impl Query {
    /// The longest query, in bytes.
    pub const MAX_BYTES: usize = 4096;
    /// How many parentheses may lie within each other.
    pub const MAX_DEPTH: usize = 32;
    /// How many readings the alternatives of a query may make.
    pub const MAX_READINGS: usize = 16;

    /// Reads a query. The empty one asks for nothing in particular: every photo fits.
    pub fn parse(query: &str) -> Result<Self> {
        if query.len() > Self::MAX_BYTES {
            let problem = Problem::TooLong { bytes: query.len() };
            let start = query.floor_char_boundary(Self::MAX_BYTES);
            return Err(Error::new(problem, start..query.len()));
        }
        let tree = parser::parse(query)?;
        let readings = reading::readings(&tree);
        Ok(Self { tree, readings })
    }

    /// What it asks for, without any grammar: at least one reading, and more only where there are
    /// alternatives between words or examples. What a photo is found for is the best of them.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The query as a tree.
    pub fn tree(&self) -> &Node {
        &self.tree
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        matches!(&self.tree, Node::All(parts) if parts.is_empty())
    }
}

impl FromStr for Query {
    type Err = Error;

    fn from_str(query: &str) -> Result<Self> {
        Self::parse(query)
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(f)
    }
}
