//! The word similarities that the systems need (section 3.5), learnt once and kept.

use std::collections::HashMap;

use rebus_collection::Progress;
use rebus_text::Toolbox;
use rebus_text::kernel::{Lexical, kernel_named};
use rebus_text::similarity::{Recipe, WordSimilarity};
use rebus_text::wordnet::WordNet;

use super::data::Data;
use super::table::TableSystem;
use crate::{Request, Result};

/// The similarities that the kernels of these systems ask for, learnt from the training captions,
/// WordNet where it is installed, and the background texts of the request.
pub(super) fn needed(
    systems: &[&'static TableSystem],
    data: &Data,
    toolbox: &Toolbox,
    request: &Request<'_>,
    progress: &dyn Progress,
) -> Result<HashMap<Lexical, WordSimilarity>> {
    let mut wanted: Vec<Lexical> = Vec::new();
    for system in systems {
        wanted.extend(kernel_named(system.text)?.spec.lexical);
    }
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let recipe = Recipe {
        background: request.background.clone(),
        wordnet: WordNet::installed()?,
        ..Recipe::default()
    };
    let cache = request.cache.as_ref().map(|cache| cache.join("similarities"));
    let learnt = recipe.fit(&data.train.captions, toolbox, cache.as_deref(), progress)?;
    wanted.into_iter().map(|which| Ok((which, learnt.similarity(which)?))).collect()
}
