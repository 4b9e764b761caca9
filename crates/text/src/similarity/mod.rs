//! How alike two words are (section 3.5 of the ranking-task paper).
//!
//! What the text kernels need is the *word kernel* kappa of equation 18: symmetric, 1 for a word
//! with itself, between 0 and 1 otherwise, and the identity for words it does not know. Equations
//! 19 to 21 use nothing else: a product of word kernels over the places of a sequence. That is a
//! [`WordSimilarity`], a sparse table.
//!
//! Each similarity S of the paper gives a word a vector over some other words or senses (equation
//! 17, [`WordVectors`]), its word kernel is the cosine of two such vectors, and small entries are
//! left out of the table. The averages and maxima of equations 26 and 27 are taken between tables,
//! not between vectors.
//!
//! The way through: [`Semantics::fit`] makes all of them from the captions of a training set, a
//! background [`Corpus`] and WordNet, [`Recipe::fit`] the same from files, with a cache. [`InformationContent`] is Lin's similarity, [`distributional`]
//! is pointwise mutual information, [`alignment`] stands on the alignment models of [`ibm`].

pub mod alignment;
mod combination;
mod corpus;
pub mod distributional;
pub mod ibm;
mod lin;
mod recipe;
mod semantics;
mod table;
mod vectors;

pub use corpus::{Corpus, CorpusReader};
pub use lin::InformationContent;
pub use recipe::Recipe;
pub use semantics::{Params, Semantics, Sources};
pub use table::{Builder, WordSimilarity};
pub use vectors::WordVectors;
