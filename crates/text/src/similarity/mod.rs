//! How alike two words are (section 3.5 of the ranking-task paper).
//!
//! What the text kernels need is the *word kernel* kappa of equation 18: symmetric, 1 for a word
//! with itself, between 0 and 1 otherwise, and the identity for words it does not know. Equations
//! 19 to 21 use nothing else: a product of word kernels over the places of a sequence. That is a
//! [`WordSimilarity`], a sparse table.
//!
//! Each similarity S of the paper gives a word a vector over some other words or senses (equation
//! 17), its word kernel is the cosine of two such vectors, and small entries are left out of the
//! table. The averages and maxima of equations 26 and 27 are taken between tables, not between
//! vectors.

mod table;

pub use table::{Builder, WordSimilarity};
