//! How fast rebus is, as a ratio against named peers in the same run.
//!
//! Machines are noisy, so a time alone says little: every [`Case`] times our work and, where a
//! Python with the peers installed is given, the peer's on the same data right after it, and
//! checks that both came to the same figures. The data are drawn from a seed.
//!
//! ```
//! use rebus_bench::{Options, cases};
//!
//! let options = Options { scale: 0.001, ..Options::default() };
//! let case = cases("eval").find(|case| case.name == "fisher").unwrap();
//! let outcome = case.run(&options)?;
//! assert!(outcome.seconds > 0.0);
//! # Ok::<(), rebus_bench::Error>(())
//! ```

mod captions;
mod cider;
mod dense_sift;
mod drawn;
mod encoders;
mod fisher;
mod indexing;
mod kcca;
mod peer;
mod pyramid_kernel;
mod rankings;
mod ranksvm;
mod recall;
mod regions;
mod relevance;
mod start_up;
mod table;
mod text_kernels;
mod vector_search;

use std::path::PathBuf;
use std::time::Instant;

pub use peer::Error;
use rebus_collection::ContentHash;
pub use table::report;

/// What to run the cases with.
#[derive(Debug, Clone)]
pub struct Options {
    /// A Python that has the peers (see `crates/bench/peers/install`).
    pub python: Option<PathBuf>,
    /// A collection with five captions a picture, in place of the synthetic world's captions.
    pub captions: Option<PathBuf>,
    /// A folder of photos, in place of the synthetic world's pictures.
    pub photos: Option<PathBuf>,
    /// The command, for cases that time it from its start on.
    pub command: Option<Command>,
    /// The seed that the data are drawn from.
    pub seed: u64,
    /// The share of the full size of each case; 1 is what the targets are about.
    pub scale: f64,
}

/// The command, and what is built into it.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program.
    pub program: PathBuf,
    /// What an index calls the built-in model.
    pub model: String,
    /// The content of that model.
    pub version: ContentHash,
    /// The length of its vectors.
    pub dimensions: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { python: None, captions: None, photos: None, command: None, seed: 2013, scale: 1.0 }
    }
}

impl Options {
    /// A size of a case under this scale: never less than one.
    fn scaled(&self, full: usize) -> usize {
        ((full as f64 * self.scale) as usize).max(1)
    }
}

/// How a peer did on the same data.
#[derive(Debug, Clone, PartialEq)]
pub struct PeerTime {
    /// The peer's name.
    pub name: &'static str,
    /// Its best time, scaled to the whole of the work where it did only a part.
    pub seconds: f64,
    /// How many times faster we shall be.
    pub target: f64,
    /// The largest difference between its figures and ours.
    pub difference: f64,
}

/// What a case came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Our best time.
    pub seconds: f64,
    /// The time it shall stay under, for cases without a peer.
    pub limit: Option<f64>,
    /// The peers on the same data.
    pub peers: Vec<PeerTime>,
    /// What the time means (sizes, bandwidth).
    pub note: String,
}

impl Outcome {
    /// Whether every target was met.
    pub fn met(&self) -> bool {
        self.limit.is_none_or(|limit| self.seconds <= limit)
            && self.peers.iter().all(|peer| peer.seconds / self.seconds >= peer.target)
    }
}

/// One piece of work that is timed.
pub struct Case {
    /// The group of cases it belongs to (`eval`, `kernels`).
    pub group: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    work: fn(&Options) -> Result<Outcome, Error>,
}

impl Case {
    /// Does the work and times it.
    ///
    /// # Errors
    /// If a peer fails, or came to other figures than we did.
    pub fn run(&self, options: &Options) -> Result<Outcome, Error> {
        (self.work)(options)
    }
}

static CASES: &[Case] = &[
    rankings::CASE,
    cider::CASE,
    fisher::CASE,
    recall::CASE,
    encoders::NETWORK,
    encoders::PIPELINE,
    encoders::PHOTOGRAPHS,
    indexing::SMALL,
    indexing::PHOTOGRAPHS,
    vector_search::SMALL,
    vector_search::MIDDLE,
    vector_search::LARGE,
    vector_search::LINKED_MIDDLE,
    vector_search::LINKED_LARGE,
    start_up::CASE,
    text_kernels::TRI5,
    text_kernels::TRI5SEM,
    pyramid_kernel::CASE,
    dense_sift::CASE,
    regions::NORMALISED_CUTS,
    regions::GRAPH_BASED,
    kcca::CASE,
    ranksvm::CASE,
    relevance::ANNOTATION,
    relevance::GROWTH,
];

/// The cases of a group.
pub fn cases(group: &str) -> impl Iterator<Item = &'static Case> {
    CASES.iter().filter(move |case| case.group == group)
}

/// The groups there are.
pub fn groups() -> impl Iterator<Item = &'static str> {
    let mut seen = Vec::new();
    CASES.iter().map(|case| case.group).filter(move |group| {
        let new = !seen.contains(group);
        seen.push(group);
        new
    })
}

/// The best of several rounds: what the machine can do when nothing else disturbs it.
fn best_of<T>(rounds: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let timed = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        let answer = work();
        (start.elapsed().as_secs_f64(), answer)
    };
    let mut best = timed(&mut work);
    for _ in 1..rounds {
        let next = timed(&mut work);
        best = if next.0 < best.0 { next } else { best };
    }
    best
}
