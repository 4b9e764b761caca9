//! The end of the walk: an index of what was drawn, or of somebody's photos, to be opened as a page.

use std::path::Path;

use rebus_collection::{Collection, Progress, Split};
use rebus_index::search::{SearchOptions, Searcher};
use rebus_index::{Index, Options, update};
use rebus_models::{Lexicon, Model, Training, lexicon};
use rebus_query::Query;
use rebus_vision::{Extractor, GridColourEdge};

use super::part;
use crate::part::texts;
use crate::{built_in, index, indexed_model, model};

/// How many words are told to begin with.
const SUGGESTED: usize = 8;
/// What the index calls the drawn pictures.
const NAME: &str = "drawn world";

/// An index of the world in `folder`, by a lexicon that is fitted on its training pictures.
pub(crate) fn world(folder: &Path, progress: &dyn Progress) -> anyhow::Result<Index> {
    let collection = Collection::read(&folder.join(rebus_collection::synth::COLLECTION))?;
    let home = folder.join("lexicon");
    let train = part(&collection, &Split::Train, folder, progress)?;
    let texts = texts(&collection, &train);
    let data =
        Training { extractor: GridColourEdge.name(), features: &train.features, texts: &texts };
    Lexicon::fit_captions(&data, &lexicon::Params::default(), progress)?.save(&home)?;
    let opened = model::open(&home.to_string_lossy())?;
    made(&folder.join("index"), Some(NAME), &folder.join("photos"), &opened, progress)
}

/// Words to begin with: those that most photos of an index match. What a model of drawn pictures cannot
/// see, it does not find.
pub(crate) fn queries(index: &Index) -> anyhow::Result<Vec<String>> {
    let record = indexed_model::of_index(index, None)?;
    let lexicon = indexed_model::lexicon(&record)?;
    let searcher = Searcher::new(index, &record.name, &lexicon)?;
    let options = SearchOptions { limit: 0, ..SearchOptions::default() };
    let mut found = Vec::new();
    for word in lexicon.keyword_list() {
        let Ok(query) = Query::parse(word) else { continue };
        found.push((searcher.search(&query, &options)?.matches, word));
    }
    found.retain(|(matches, _)| *matches > 0);
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    Ok(found.into_iter().take(SUGGESTED).map(|(_, word)| word.to_owned()).collect())
}

/// An index of somebody's photos, by the built-in model.
pub(crate) fn photos(
    folder: &Path,
    photos: &Path,
    progress: &dyn Progress,
) -> anyhow::Result<Index> {
    made(folder, None, photos, &model::open(built_in::NAME)?, progress)
}

fn made(
    folder: &Path,
    name: Option<&str>,
    photos: &Path,
    opened: &model::Opened,
    progress: &dyn Progress,
) -> anyhow::Result<Index> {
    let options = Options { name: name.map(str::to_owned), ..Options::default() };
    update(folder, &[photos.to_path_buf()], &[opened.eye()], &options, progress)?;
    index::open(Some(&folder.to_string_lossy()))
}
