//! The affinity of pictures and texts: two traits, and the systems that implement them.
//!
//! It is for fitting systems on features and texts, keeping them in folders, and scoring. It is
//! not for reading pictures (`rebus-vision`), nor for measuring rankings (`rebus-eval`).
//!
//! ```
//! use rebus_collection::{Matrix, Silent};
//! use rebus_models::{Affinity, Cca, Training, cca::Params};
//!
//! // Two features: how green and how blue a picture is.
//! let features = Matrix::new(4, 2, vec![1.0, 0.1, 0.9, 0.0, 0.1, 1.0, 0.0, 0.8])?;
//! let texts = [vec!["green grass"], vec!["grass"], vec!["blue sea"], vec!["the sea"]];
//! let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
//! let params = Params { min_count: 1, ..Params::default() };
//! let model = Cca::fit(&data, &params, &Silent)?;
//! let scores = Affinity::Dual(&model).matrix(&features, &["grass", "sea"])?;
//! assert!(scores.row(0)[0] > scores.row(0)[1]);
//! assert!(scores.row(3)[1] > scores.row(3)[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every system goes the same way: `Params` with documented defaults and a `check` that names the
//! wrong field; `fit` on a [`Training`] set; a model that is a [`DualEncoder`] or a [`PairScorer`];
//! `save` into a folder ([`Manifest`]) and `load` from it. [`SYSTEMS`] lists them all. [`cca`] is
//! the first, with [`Canonical`] as its algebra, and [`kcca`] the same with any kernels; [`rank_svm`]
//! and [`word_svm`] have a weight for every pair of a word and a feature, and say what each word
//! adds to a score ([`WordResponses`]); [`relevance`] has the models that give every word a
//! probability ([`WordProbabilities`]); [`NearestNeighbour`] is a pair scorer. [`BagOfWords`] is the
//! text side of the explicit ones. [`Understands`] is what a model says beyond vectors.

mod affinity;
pub mod bag_of_words;
mod blocks;
mod canonical;
pub mod cca;
pub mod contrastive;
mod error;
mod explicit;
mod folder;
mod image_side;
mod interruption;
pub mod kcca;
pub mod lexicon;
mod nearest;
mod origin;
mod precision_recall;
pub mod rank_svm;
pub mod relevance;
mod settings;
mod spelled_like;
mod system;
mod training;
mod understands;
mod word_responses;
mod word_space;
pub mod word_svm;

pub use affinity::{Affinity, DualEncoder, PairScorer, dot_products};
pub use bag_of_words::BagOfWords;
pub use canonical::Canonical;
pub use cca::Cca;
pub use contrastive::Contrastive;
pub use error::{Error, Result};
pub use explicit::{ExplicitModel, ExplicitParams};
pub use folder::{Manifest, TrainingSource, manifest, record_training};
pub use image_side::Scaling;
pub use kcca::Kcca;
pub use lexicon::Lexicon;
pub use nearest::{Likeness, NearestNeighbour, Neighbours, Task, TextSide};
pub use rank_svm::RankSvm;
pub use relevance::{BlobWords, Cmrm, Crm, NeighbourWords, WordProbabilities};
pub use settings::Settings;
pub use system::{Model, SYSTEMS, System, Takes, load};
pub use training::Training;
pub use understands::{Meaning, Understands, WordPart};
pub use word_responses::{Contribution, Response, WordResponses};
pub use word_svm::WordSvm;
