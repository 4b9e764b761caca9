//! Tables with named columns: one mapping from a row to records, whatever the file looks like.
//!
//! The readers of CSV, TSV, JSON Lines, Parquet and WebDataset only produce rows. What a column
//! means is settled in [`field`], and what a row says in [`mapping`]; [`row`] is the way back,
//! from a record to a row, which the writers use.

mod cell;
pub(crate) mod csv;
pub(crate) mod field;
pub(crate) mod jsonl;
mod mapping;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod row;

pub(crate) use cell::Cell;
pub(crate) use mapping::Mapper;
