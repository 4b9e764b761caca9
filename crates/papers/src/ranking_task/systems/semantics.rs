//! The word similarities that the systems need (section 3.5), learnt once and kept.

use std::collections::HashMap;
use std::path::Path;

use rebus_collection::Progress;
use rebus_text::Toolbox;
use rebus_text::kernel::{Lexical, kernel_named};
use rebus_text::similarity::WordSimilarity;

use super::data::Data;
use super::table::TableSystem;
use crate::{Error, Request, Result};

/// The similarities that the kernels of these systems ask for.
pub(super) fn needed(
    systems: &[&'static TableSystem],
    _data: &Data,
    _toolbox: &Toolbox,
    _request: &Request<'_>,
    _folder: &Path,
    _progress: &dyn Progress,
) -> Result<HashMap<Lexical, WordSimilarity>> {
    let mut wanted: Vec<Lexical> = Vec::new();
    for system in systems {
        wanted.extend(kernel_named(system.text)?.spec.lexical);
    }
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    Err(Error::Ours("word similarities are not at hand".into()))
}
