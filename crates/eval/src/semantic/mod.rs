//! Semantic measures: how much of what was retrieved means what was asked, gold or not.
//!
//! Biten, Mafla, Gomez and Karatzas (2022), "Is an image worth five sentences?", section 3. A
//! caption measure phi says how well each caption of the pool describes each image ([`phi`],
//! equation 3); Semantic Recall (`semantic_recall`, equation 4) and the Normalised Cumulative
//! Semantic score (`ncs`, equation 5) then look at the first k of a ranking.
//!
//! ```
//! use rebus_collection::{Matrix, Silent};
//! use rebus_eval::GoldMap;
//! use rebus_eval::captions::CaptionMeasure;
//! use rebus_eval::semantic::{self, CaptionPool, Direction, SemanticSettings};
//!
//! // Two images of two captions each, and a system that ranks captions for images.
//! let captions = ["a dog runs", "the dog runs fast", "a cat sleeps", "a cat on a mat"];
//! let mut pool = CaptionPool::new();
//! captions.chunks(2).for_each(|references| pool.add_image(references));
//! captions.iter().for_each(|caption| pool.add_caption(caption));
//! let phi = semantic::phi(CaptionMeasure::CiderD, &pool, &Silent)?;
//!
//! let scores = Matrix::new(2, 4, vec![0.9, 0.8, 0.3, 0.1, 0.2, 0.1, 0.7, 0.9])?;
//! let gold = GoldMap::even(2, 4)?;
//! let settings = SemanticSettings { k: vec![1, 2], m: vec![2], ..SemanticSettings::default() };
//! let found = semantic::measure(&scores, &phi, &gold, Direction::ImageToText, &settings)?;
//! assert_eq!(found.ncs[1].value, Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the paper leaves open, and what is done here
//! - **Who is in the extended ground truth.** The m items of largest phi (equation 4). Where phi is
//!   tied at the m-th place, the earlier in the pool is in; [`SemanticFigures::tied_extension`]
//!   counts the queries where that mattered. A pool of fewer than m items is in as a whole.
//! - **NCS@k needs no m.** Equation 5 sums over the extended ground truth, whose size m the text
//!   says need not be chosen: the score is the phi of the retrieved divided by the largest phi that
//!   k items can have. That is [`SemanticFigures::ncs`]; it does not grow with k, as the paper
//!   observes of its tables. Equation 5 to the letter, with a fixed m, is
//!   [`SemanticFigures::ncs_within`].
//! - **Text to image.** The query is a caption c_j, the items are images, and their phi is column j
//!   of the matrix: phi(G_i, c_j). The caption is one of its own image's references, so that
//!   image's phi is raised by the caption itself; the paper keeps it so, and so do we.
//! - **Without gold** ([`Gold::Removed`], the paper's "non-GT"): the query's gold items are taken
//!   out of the ranking and out of the ideal alike, then k and m are counted.
//! - **Means** are taken over queries, as equation 1 does. A query whose items all have phi 0 has
//!   no ideal; it is undefined, left out and counted.
//! - **Ties** in the system's scores follow [`Ties`](crate::Ties), with phi as what is
//!   gained: `worst` takes the tied items of smallest gain first.

mod cider_matrix;
mod evaluate;
mod extension;
mod gain;
mod named;
mod ncs;
mod phi;
mod pool;
mod report;
mod semantic_recall;

pub use evaluate::{Direction, Gold, Mean, SemanticFigures, SemanticSettings, Within, measure};
pub use named::{SEMANTIC_MEASURES, SemanticMeasure};
pub use phi::phi;
pub use pool::CaptionPool;
pub use report::{SemanticTask, add_to_report, measure_all};
