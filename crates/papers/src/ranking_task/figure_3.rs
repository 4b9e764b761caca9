//! Figure 3: the five words most similar to *rider* and to *swim*, by four similarities.

/// A column of Figure 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// The word that others are similar to.
    pub word: &'static str,
    /// By what: `alignment`, `captions`, `background` (the British National Corpus) or `lin`.
    pub similarity: &'static str,
    /// The words as printed, with their similarities.
    pub printed: [(&'static str, f64); 5],
}

/// What is printed of a word and a similarity.
pub fn column(word: &str, similarity: &str) -> Option<&'static Column> {
    FIGURE_3.iter().find(|column| column.word == word && column.similarity == similarity)
}

/// The figure.
#[rustfmt::skip]
pub static FIGURE_3: &[Column] = &[
    Column { word: "rider", similarity: "alignment", printed: [("biker", 0.86), ("bicyclist", 0.82), ("cyclist", 0.79), ("bmx", 0.75), ("bicycler", 0.73)] },
    Column { word: "rider", similarity: "captions", printed: [("bike", 0.41), ("dirt", 0.35), ("motocross", 0.33), ("motorcycle", 0.33), ("ride", 0.33)] },
    Column { word: "rider", similarity: "background", printed: [("ride", 0.21), ("horse", 0.20), ("race", 0.19), ("bike", 0.17), ("jockey", 0.16)] },
    Column { word: "rider", similarity: "lin", printed: [("traveler", 0.94), ("cyclist", 0.89), ("bicyclist", 0.89), ("horseman", 0.84), ("jockey", 0.84)] },
    Column { word: "swim", similarity: "alignment", printed: [("retrieve", 0.56), ("paddle", 0.54), ("dive", 0.52), ("come", 0.38), ("wade", 0.31)] },
    Column { word: "swim", similarity: "captions", printed: [("pool", 0.53), ("trunk", 0.35), ("water", 0.34), ("dive", 0.30), ("goggles", 0.29)] },
    Column { word: "swim", similarity: "background", printed: [("fish", 0.21), ("water", 0.18), ("sea", 0.18), ("pool", 0.18), ("beach", 0.17)] },
    Column { word: "swim", similarity: "lin", printed: [("bathe", 0.85), ("sport", 0.85), ("football", 0.77), ("activity", 0.75), ("soccer", 0.73)] },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fall_and_are_found() {
        for found in FIGURE_3 {
            assert!(found.printed.is_sorted_by(|a, b| a.1 >= b.1));
            assert_eq!(column(found.word, found.similarity), Some(found));
        }
        assert!(column("rider", "combined").is_none() && column("dog", "lin").is_none());
    }
}
