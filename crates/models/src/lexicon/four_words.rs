//! A small lexicon for tests.

use rebus_collection::{Matrix, Silent};

use super::{Lexicon, Params, Sources};
use crate::Training;

/// A lexicon of four words, each of which is a feature, and the features.
pub(super) fn fitted() -> (Lexicon, Matrix) {
    let words = ["dog", "sea", "snow", "car"];
    let mut features = Matrix::zeros(160, 4);
    let mut texts = Vec::new();
    for row in 0..160 {
        let (a, b) = (row % 4, (row / 4) % 4);
        features.row_mut(row)[a] += 1.0;
        features.row_mut(row)[b] += 0.5 + (row % 7) as f32 / 50.0;
        texts.push(vec![format!("a {} and a {}", words[a], words[b])]);
    }
    let texts: Vec<Vec<&str>> =
        texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
    let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
    let mut params = Params::default();
    params.space.start.dimensions = 3;
    params.space.start.min_count = 1;
    params.space.epochs = 2;
    params.space.batch = 16;
    let sources = Sources { captioned: data, held_out: data, evidence: &[], described: &[] };
    (Lexicon::fit(&sources, &params, &Silent).unwrap(), features)
}
