//! `rebus similar`: photos that look like a photo.

use std::path::{Path, PathBuf};

use clap::Args;
use rebus_index::search::{CUT_OFF, LookedAt, SearchOptions, Searcher, Show};

use super::search::{self, Finding};
use crate::indexed_model;
use crate::output::{Outcome, counted, say};

/// Find the photos that look most like a photo of the index, or like any other picture.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus similar ~/Pictures/beach.jpg
  rebus similar found-on-a-disk.png --min-relevance 0.5 --limit 5 --json

The nearest are shown, each with the probability that somebody would say the same about both. The
photo itself is not among the answers. With --min-relevance only those at least so alike are shown.
Where none is alike enough to be a match, the exit code is 1, as it is with `rebus search --all`.
`rebus search 'like:photo.jpg ...'` adds words, dates and filters.")]
pub(crate) struct Similar {
    /// The picture
    photo: PathBuf,
    #[command(flatten)]
    finding: Finding,
    /// Show only photos at least so probably alike, 0 to 1
    #[arg(long, value_name = "P")]
    min_relevance: Option<f64>,
}

impl Similar {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let least = self.min_relevance.unwrap_or(CUT_OFF);
        search::check_relevance(least)?;
        let index = self.finding.index.open()?;
        let record = indexed_model::of_index(&index, self.finding.model.as_deref())?;
        let reader = indexed_model::reader(&record)?;
        let look = |path: &Path| indexed_model::look(&record, path);
        let searcher = Searcher::new(&index, &record.name, &*reader)?.looking(&look);
        let name = self.photo.display().to_string();
        let vector = searcher.example(&self.photo)?;
        let options = SearchOptions {
            limit: self.finding.limit(),
            min_relevance: least,
            show: if self.min_relevance.is_some() { Show::Matches } else { Show::All },
            ..SearchOptions::default()
        };
        let itself = searcher.photo_of(&self.photo)?;
        let example = LookedAt { name: &name, vector: &vector, itself };
        let found = searcher.like(&example, &options)?;
        self.finding.print(&name, &index, &record.name, &found, 0)?;
        search::caution(&found);
        let photos = counted(index.len() as u64, "photo");
        let more = if found.at_least { "at least " } else { "" };
        let nearest = if self.min_relevance.is_some() { "" } else { "; the nearest are shown" };
        say(format_args!(
            "{more}{} of {photos} with a relevance of {least} or more{nearest} ({})",
            found.matches,
            index.folder().display()
        ));
        Ok(if found.matches == 0 { Outcome::Short } else { Outcome::Fine })
    }
}
