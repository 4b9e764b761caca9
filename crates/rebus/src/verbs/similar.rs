//! `rebus similar`: photos that look like a photo.

use std::path::{Path, PathBuf};

use clap::Args;
use rebus_index::search::{CUT_OFF, SearchOptions, Searcher, Show};

use super::search;
use crate::index::IndexArgs;
use crate::indexed_model;
use crate::output::{Outcome, answer};

/// Find photos that look like a photo of the index, or like any other picture.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus similar ~/Pictures/beach.jpg
  rebus similar found-on-a-disk.png --all --limit 5 --json

The photo itself is not among the answers. `rebus search 'like:photo.jpg ...'` adds words, dates and
filters. Without any match the exit code is 1.")]
pub(crate) struct Similar {
    /// The picture
    photo: PathBuf,
    #[command(flatten)]
    index: IndexArgs,
    /// The model to compare by, of those of the index [default: its first]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// How many photos are shown at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Show what does not match, too, behind the matches
    #[arg(long)]
    all: bool,
    /// From which relevance on a photo is a match, 0 to 1
    #[arg(long, value_name = "P", default_value_t = CUT_OFF)]
    min_relevance: f64,
    /// Print JSON
    #[arg(long, conflicts_with = "paths")]
    json: bool,
    /// Print paths only, one a line
    #[arg(long)]
    paths: bool,
}

impl Similar {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        search::check_relevance(self.min_relevance)?;
        let index = self.index.open()?;
        let record = indexed_model::of_index(&index, self.model.as_deref())?;
        let reader = indexed_model::reader(&record)?;
        let look = |path: &Path| indexed_model::look(&record, path);
        let searcher = Searcher::new(&index, &record.name, &*reader)?.looking(&look);
        let name = self.photo.display().to_string();
        let vector = searcher.example(&self.photo)?;
        let show = if self.all { Show::All } else { Show::Matches };
        let options = SearchOptions {
            // One more, for the photo itself.
            limit: self.limit.saturating_add(1),
            min_relevance: self.min_relevance,
            show,
            ..SearchOptions::default()
        };
        let mut found = searcher.like(&name, &vector, &options)?;
        let itself = self.photo.canonicalize().unwrap_or_else(|_| self.photo.clone());
        if let Some(at) = found.results.iter().position(|hit| hit.path == itself) {
            let hit = found.results.remove(at);
            found.matches -= usize::from(hit.relevance >= self.min_relevance);
        }
        found.results.truncate(self.limit);
        if self.json {
            let json = search::to_json(&name, &index, &record.name, &found)?;
            answer(format_args!("{json:#}"))?;
        } else if self.paths {
            for hit in &found.results {
                answer(hit.path.display())?;
            }
        } else {
            search::print_hits(&found, 0)?;
        }
        search::conclude(&index, &found, show);
        let nothing = if self.all { found.results.is_empty() } else { found.matches == 0 };
        Ok(if nothing { Outcome::Short } else { Outcome::Fine })
    }
}
