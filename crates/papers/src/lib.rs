//! The tables of the papers rebus is built on, computed again, ours beside theirs.
//!
//! For: seeing how far each published figure can be had from published data, and by what rules.
//! Not for: measuring systems of your own; that is `rebus-eval`, which this crate only calls.
//!
//! A [`Paper`] has [`Part`]s: what can be recomputed together from one data set. A part reads the
//! data and gives a [`Report`] in the one shape of every result, in which the published figure
//! stands beside ours. [`PAPERS`] lists them all, and drives `rebus reproduce --list`.
//!
//! ```
//! use rebus_papers::Request;
//!
//! let part = rebus_papers::part("ranking-task", "judgements")?;
//! assert_eq!(part.data, "flickr8k");
//! assert!(part.run("no/such/folder".as_ref(), &Request::default(), &rebus_collection::Silent).is_err());
//! # Ok::<(), rebus_papers::Error>(())
//! ```
//!
//! To add a part: a module under the paper's folder, with the published figures as typed tables
//! and one function from data to [`Report`]; then a line in [`PAPERS`].

mod error;
pub mod ranking_task;
pub mod relevance_models;
pub mod scalable_explicit;

use std::path::{Path, PathBuf};

use rebus_collection::{Progress, Split};
use rebus_eval::report::Report;
use rebus_vision::Extractor;

pub use error::{Error, Result};

/// A paper of which something can be recomputed.
#[derive(Debug)]
pub struct Paper {
    /// What the command calls it.
    pub name: &'static str,
    /// Authors, year and title.
    pub title: &'static str,
    /// What can be recomputed, what is meant where no part is named first.
    pub parts: &'static [Part],
}

/// What can be recomputed together.
#[derive(Debug)]
pub struct Part {
    /// What `--part` calls it.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// The data set it needs: the name of its folder among other data sets.
    pub data: &'static str,
    /// What of a [`Request`] it has a use for, by the names of the command's flags.
    pub takes: &'static [&'static str],
    run: fn(&Path, &Request<'_>, &dyn Progress) -> Result<Report>,
}

/// What is asked of a part, besides its data. What a part has no use for ([`Part::takes`]) it ignores.
#[derive(Clone, Default)]
pub struct Request<'a> {
    /// The split whose figures are wanted; the part's own choice where nothing is said.
    pub split: Option<Split>,
    /// The systems by name; all where none is named.
    pub systems: Vec<String>,
    /// Where the pictures of the split lie, if not with the data.
    pub photos: Option<PathBuf>,
    /// Features in place of the paper's own.
    pub extractor: Option<&'a dyn Extractor>,
    /// Files of other text, from which word similarities are learnt besides the captions.
    pub background: Vec<PathBuf>,
    /// Where features and matrices are kept from one run to the next; safe to delete.
    pub cache: Option<PathBuf>,
    /// How many updates a model makes that is trained step by step; the paper's number where nothing
    /// is said.
    pub updates: Option<u64>,
}

impl Part {
    /// Recomputes the figures from a folder of data.
    ///
    /// # Errors
    /// If the data cannot be read or lacks what the figures need.
    pub fn run(
        &self,
        data: &Path,
        request: &Request<'_>,
        progress: &dyn Progress,
    ) -> Result<Report> {
        (self.run)(data, request, progress)
    }
}

/// Every paper, in the order of their years.
pub static PAPERS: &[Paper] = &[
    Paper {
        name: "relevance-models",
        title: "Jeon, Lavrenko, Manmatha 2003: Annotation and Retrieval using Cross-Media Relevance Models",
        parts: &[
            Part {
                name: "blobs",
                about: "on the given blobs: annotation, ranked retrieval (Table 1, Figure 4), Table 2",
                data: "corel5k",
                takes: &["split"],
                run: relevance_models::reproduce,
            },
            Part {
                name: "pixels",
                about: "annotation from the photos themselves (--features), beside the given blobs",
                data: "corel5k",
                takes: &["split", "systems", "photos", "features", "cache"],
                run: relevance_models::pixels::reproduce,
            },
        ],
    },
    Paper {
        name: "ranking-task",
        title: "Hodosh, Young, Hockenmaier 2013: Framing Image Description as a Ranking Task",
        parts: &[
            Part {
                name: "systems",
                about: "nearest neighbours and KCCA with every kernel: Table 11, and on test 1-7 and 12",
                data: "flickr8k",
                takes: &["split", "systems", "photos", "features", "background", "cache"],
                run: ranking_task::systems::reproduce,
            },
            Part {
                name: "judgements",
                about: "agreement of experts, BLEU, ROUGE and the crowd; what the BLEU filter removes",
                data: "flickr8k",
                takes: &[],
                run: ranking_task::judgements::reproduce,
            },
        ],
    },
    Paper {
        name: "scalable-explicit",
        title: "Hodosh, Hockenmaier 2013: Sentence-based Image Description with Scalable, Explicit Models",
        parts: &[Part {
            name: "systems",
            about: "Table 1: RankSVM and a machine for every word; what words add (--report)",
            data: "flickr8k",
            takes: &["split", "photos", "features", "updates", "cache"],
            run: scalable_explicit::reproduce,
        }],
    },
];

/// The part of this name of the paper of this name.
///
/// # Errors
/// If there is none; the error names those there are.
pub fn part(paper: &str, part: &str) -> Result<&'static Part> {
    let parts = self::paper(paper)?.parts;
    let known = || parts.iter().map(|part| part.name);
    let found = parts.iter().find(|known| known.name == part);
    Ok(found.ok_or_else(|| rebus_collection::Error::no_such("part", part, known()))?)
}

/// The paper of this name.
///
/// # Errors
/// If there is none; the error names those there are.
pub fn paper(name: &str) -> Result<&'static Paper> {
    let known = || PAPERS.iter().map(|paper| paper.name);
    let found = PAPERS.iter().find(|known| known.name == name);
    Ok(found.ok_or_else(|| rebus_collection::Error::no_such("paper", name, known()))?)
}
