//! What Jeon, Lavrenko and Manmatha (2003) print, and what later papers print for the same data.

/// An annotation model: how many of the 263 words it finds (section 5.2.2), its mean precision and
/// recall over the union of what all three find, and over the 49 words of the translation model,
/// where they are printed.
pub(super) struct Annotation {
    pub(super) found: f64,
    pub(super) union: [f64; 2],
    pub(super) of_49: Option<[f64; 2]>,
}

pub(super) const CO_OCCURRENCE: Annotation =
    Annotation { found: 19.0, union: [0.07, 0.11], of_49: None };
pub(super) const TRANSLATION: Annotation =
    Annotation { found: 49.0, union: [0.14, 0.24], of_49: Some([0.20, 0.34]) };
pub(super) const FACMRM: Annotation =
    Annotation { found: 66.0, union: [0.33, 0.37], of_49: Some([0.41, 0.49]) };

/// The queries of the union.
pub(super) const UNION: usize = 70;
/// The words that the translation model finds.
pub(super) const TOP: usize = 49;

/// The smoothing of section 5.2.1.
pub(super) const ALPHA: f64 = 0.1;
pub(super) const BETA: f64 = 0.9;

/// A column of Table 1: queries of so many words.
pub(super) struct Queries {
    pub(super) words: usize,
    pub(super) queries: f64,
    pub(super) relevant: f64,
    pub(super) pacmrm: f64,
    pub(super) drcmrm: f64,
}

pub(super) const TABLE_1: [Queries; 4] = [
    Queries { words: 1, queries: 179.0, relevant: 1675.0, pacmrm: 0.1501, drcmrm: 0.1697 },
    Queries { words: 2, queries: 386.0, relevant: 1647.0, pacmrm: 0.1419, drcmrm: 0.1642 },
    Queries { words: 3, queries: 178.0, relevant: 542.0, pacmrm: 0.1730, drcmrm: 0.2030 },
    Queries { words: 4, queries: 24.0, relevant: 67.0, pacmrm: 0.2364, drcmrm: 0.2765 },
];

/// Table 2: a word's recall and precision, as the data come and after the authors corrected which
/// photos show sun and sunset.
pub(super) struct Corrected {
    pub(super) word: &'static str,
    pub(super) original: [f64; 2],
    pub(super) modified: [f64; 2],
}

pub(super) const TABLE_2: [Corrected; 2] = [
    Corrected { word: "sun", original: [0.60, 0.46], modified: [0.5, 0.71] },
    Corrected { word: "sunset", original: [0.0, 0.0], modified: [0.57, 0.21] },
];

/// What later papers print for the 260 words that train and test share: mean precision, mean recall,
/// words with recall above zero.
pub(super) struct Later {
    pub(super) name: &'static str,
    pub(super) figures: [f64; 3],
}

/// CMRM, as later papers print it.
pub(super) const CMRM_260: [f64; 3] = [0.10, 0.09, 66.0];

/// Systems of later papers, on features that are not at hand.
pub(super) const LATER: [Later; 5] = [
    Later { name: "CRM (2003)", figures: [0.16, 0.19, 107.0] },
    Later { name: "MBRM (2004)", figures: [0.24, 0.25, 122.0] },
    Later { name: "JEC (2008)", figures: [0.27, 0.32, 139.0] },
    Later { name: "TagProp (2009)", figures: [0.33, 0.42, 160.0] },
    Later { name: "2PKNN (2012)", figures: [0.44, 0.46, 191.0] },
];
