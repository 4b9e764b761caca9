//! What the rows of an extractor are, by its name.

use crate::regions::Method;

/// What a row of features holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Histograms of visual words, in parts of the picture.
    VisualWords,
    /// How many regions are of each blob.
    Blobs,
    /// The number of regions and a vector for each.
    Regions,
    /// One vector of any numbers.
    Vector,
}

impl RowKind {
    /// That of the extractor with this name. A name begins with the kind, unless it is a network's or
    /// one that nobody here made: those give vectors.
    pub fn of_extractor(name: &str) -> Self {
        let kind = name.split(['/', ':']).next().unwrap_or(name);
        match kind {
            crate::visual_words::NAME => Self::VisualWords,
            crate::regions::BLOBS => Self::Blobs,
            _ if Method::ALL.iter().any(|method| method.extractor() == kind) => Self::Regions,
            _ => Self::Vector,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_by_the_beginning_of_a_name() {
        for (name, kind) in [
            ("visual-words/2-0123456789ab", RowKind::VisualWords),
            ("blobs/1-0123456789ab", RowKind::Blobs),
            ("regions/1", RowKind::Regions),
            ("graph-regions:dinov2-small/1-ab", RowKind::Regions),
            ("tiny-vit-5m/ab", RowKind::Vector),
            ("regionsnet/1", RowKind::Vector),
        ] {
            assert_eq!(RowKind::of_extractor(name), kind, "{name}");
        }
    }
}
