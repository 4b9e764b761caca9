//! The paper's figures that texts and judgements alone can answer, as they are printed.

use rebus_eval::captions::ReferenceChoice;

/// An expert score at or above which a pair counts as relevant, the rows of Tables 8 to 10.
/// Scores are means of three grades; the paper writes thirds with one digit, cut off.
pub(super) struct ExpertThreshold {
    /// As the tables print it.
    pub(super) label: &'static str,
    /// The score it stands for, in thirds.
    pub(super) thirds: u32,
}

/// The rows of Tables 8 to 10.
pub(super) const EXPERT: [ExpertThreshold; 5] = [
    ExpertThreshold { label: "expert = 4.0", thirds: 12 },
    ExpertThreshold { label: "expert >= 3.6", thirds: 11 },
    ExpertThreshold { label: "expert >= 3.3", thirds: 10 },
    ExpertThreshold { label: "expert >= 3.0", thirds: 9 },
    ExpertThreshold { label: "expert >= 2.6", thirds: 8 },
];

/// A caption measure of section 4.2.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Equation 28.
    Bleu,
    /// The formula after it.
    Rouge,
}

/// One half of a table of kappas: a measure against the experts, for one set of references.
pub(super) struct KappaTable {
    /// Where it stands, what it holds.
    pub(super) title: &'static str,
    /// The same for programs.
    pub(super) name: &'static str,
    pub(super) measure: Measure,
    /// The reference sets whose kappas are averaged; one, but for `R_1(other)`.
    pub(super) references: &'static [ReferenceChoice],
    /// The columns: the least score that counts as relevant.
    pub(super) thresholds: [f64; 3],
    /// A row for each of [`EXPERT`].
    pub(super) kappa: [[f64; 3]; 5],
}

const EACH_OTHER: &[ReferenceChoice] = &[
    ReferenceChoice::Other { after: 1 },
    ReferenceChoice::Other { after: 2 },
    ReferenceChoice::Other { after: 3 },
    ReferenceChoice::Other { after: 4 },
];

/// Tables 8 and 9.
pub(super) const KAPPA_TABLES: [KappaTable; 8] = [
    KappaTable {
        name: "bleu-five",
        title: "Table 8: kappa of BLEU, five references",
        measure: Measure::Bleu,
        references: &[ReferenceChoice::All],
        thresholds: [0.9, 0.8, 0.7],
        kappa: [
            [0.72, 0.70, 0.59],
            [0.71, 0.72, 0.61],
            [0.64, 0.67, 0.63],
            [0.45, 0.54, 0.57],
            [0.35, 0.45, 0.51],
        ],
    },
    KappaTable {
        name: "rouge-five",
        title: "Table 8: kappa of ROUGE, five references",
        measure: Measure::Rouge,
        references: &[ReferenceChoice::All],
        thresholds: [0.4, 0.3, 0.2],
        kappa: [
            [0.54, 0.47, 0.29],
            [0.54, 0.50, 0.33],
            [0.50, 0.50, 0.37],
            [0.45, 0.54, 0.49],
            [0.38, 0.51, 0.53],
        ],
    },
    KappaTable {
        name: "bleu-pool",
        title: "Table 8: kappa of BLEU, the pool's caption as reference",
        measure: Measure::Bleu,
        references: &[ReferenceChoice::Gold],
        thresholds: [0.8, 0.6, 0.5],
        kappa: [
            [0.71, 0.70, 0.52],
            [0.68, 0.68, 0.56],
            [0.60, 0.59, 0.56],
            [0.41, 0.42, 0.48],
            [0.32, 0.32, 0.42],
        ],
    },
    KappaTable {
        name: "rouge-pool",
        title: "Table 8: kappa of ROUGE, the pool's caption as reference",
        measure: Measure::Rouge,
        references: &[ReferenceChoice::Gold],
        thresholds: [0.9, 0.7, 0.3],
        kappa: [
            [0.69, 0.67, 0.35],
            [0.65, 0.64, 0.39],
            [0.57, 0.56, 0.40],
            [0.39, 0.40, 0.45],
            [0.30, 0.32, 0.43],
        ],
    },
    KappaTable {
        name: "bleu-others",
        title: "Table 9: kappa of BLEU, the four other captions as references",
        measure: Measure::Bleu,
        references: &[ReferenceChoice::Others],
        thresholds: [0.7, 0.6, 0.5],
        kappa: [
            [0.50, 0.40, 0.23],
            [0.51, 0.43, 0.28],
            [0.52, 0.46, 0.32],
            [0.47, 0.48, 0.41],
            [0.41, 0.47, 0.44],
        ],
    },
    KappaTable {
        name: "rouge-others",
        title: "Table 9: kappa of ROUGE, the four other captions as references",
        measure: Measure::Rouge,
        references: &[ReferenceChoice::Others],
        thresholds: [0.4, 0.3, 0.2],
        kappa: [
            [0.44, 0.40, 0.26],
            [0.43, 0.43, 0.30],
            [0.40, 0.44, 0.34],
            [0.39, 0.50, 0.47],
            [0.33, 0.48, 0.51],
        ],
    },
    KappaTable {
        name: "bleu-one-other",
        title: "Table 9: kappa of BLEU, one of the four others as reference",
        measure: Measure::Bleu,
        references: EACH_OTHER,
        thresholds: [0.5, 0.4, 0.3],
        kappa: [
            [0.33, 0.27, 0.16],
            [0.34, 0.29, 0.19],
            [0.34, 0.32, 0.22],
            [0.32, 0.36, 0.29],
            [0.30, 0.35, 0.31],
        ],
    },
    KappaTable {
        name: "rouge-one-other",
        title: "Table 9: kappa of ROUGE, one of the four others as reference",
        measure: Measure::Rouge,
        references: EACH_OTHER,
        thresholds: [0.4, 0.3, 0.2],
        kappa: [
            [0.33, 0.30, 0.18],
            [0.34, 0.32, 0.21],
            [0.35, 0.35, 0.24],
            [0.39, 0.42, 0.34],
            [0.37, 0.41, 0.38],
        ],
    },
];

/// Table 10 (a): the crowd against the experts.
pub(super) const CROWD_THRESHOLDS: [(&str, f64); 3] =
    [("crowd = 1.0", 1.0), ("crowd >= 0.6", 0.6), ("crowd >= 0.3", 0.3)];

/// Table 10 (a): a row for each of [`EXPERT`].
pub(super) const CROWD_KAPPA: [[f64; 3]; 5] = [
    [0.75, 0.69, 0.49],
    [0.78, 0.76, 0.57],
    [0.74, 0.79, 0.65],
    [0.56, 0.71, 0.74],
    [0.45, 0.62, 0.73],
];

/// The crowd's threshold of Table 10 (b) and of the counts that follow it.
pub(super) const CROWD_RELEVANT: f64 = 0.66;

/// Table 10 (b): recall and precision that section 4.3.2 repeats in its text, by row of
/// [`EXPERT`]. The table's other figures are not legible in the copy at hand.
pub(super) const CROWD_RECALL: [Option<f64>; 5] = [Some(0.986), Some(0.950), None, None, None];
/// See [`CROWD_RECALL`].
pub(super) const CROWD_PRECISION: [Option<f64>; 5] = [None, None, None, None, Some(0.947)];

/// Krippendorff's alpha of the experts, section 4.2.1.
pub(super) const ALPHA: f64 = 0.81;

/// A filter of section 4.3.2 and what it is said to do, in percent.
pub(super) struct Filter {
    pub(super) label: &'static str,
    pub(super) kind: FilterKind,
    pub(super) threshold: f64,
    /// Of all 1,000 x 1,000 pairs.
    pub(super) removed: Option<f64>,
    /// Of the pairs with an expert score of 2 2/3 or more.
    pub(super) lost_2_66: Option<f64>,
    /// Of the pairs with an expert score of 3 or more.
    pub(super) lost_3: Option<f64>,
}

/// What is compared with a filter's threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterKind {
    /// Pairs at or above pass; stemmed, without stop words.
    BleuPre,
    /// Pairs at or above pass; plain words.
    Bleu,
    /// Pairs above pass; plain words.
    BleuAbove,
}

/// The filters.
pub(super) const FILTERS: [Filter; 5] = [
    Filter {
        label: "BLEU_pre >= 0.25",
        kind: FilterKind::BleuPre,
        threshold: 0.25,
        removed: Some(86.0),
        lost_2_66: Some(6.7),
        lost_3: Some(3.5),
    },
    Filter {
        label: "BLEU_pre >= 0.26",
        kind: FilterKind::BleuPre,
        threshold: 0.26,
        removed: Some(90.4),
        lost_2_66: Some(12.3),
        lost_3: Some(7.5),
    },
    Filter {
        label: "BLEU >= 0.330",
        kind: FilterKind::Bleu,
        threshold: 0.330,
        removed: Some(55.0),
        lost_2_66: Some(6.9),
        lost_3: None,
    },
    Filter {
        label: "BLEU >= 0.333",
        kind: FilterKind::Bleu,
        threshold: 0.333,
        removed: Some(65.0),
        lost_2_66: Some(11.9),
        lost_3: None,
    },
    // What the figures printed for 0.333 turn out to be.
    Filter {
        label: "BLEU > 1/3",
        kind: FilterKind::BleuAbove,
        threshold: 1.0 / 3.0,
        removed: Some(65.0),
        lost_2_66: Some(11.9),
        lost_3: None,
    },
];

/// Section 4.3.2: pairs that passed the filter and were judged.
pub(super) const JUDGED_KEPT: f64 = 30_781.0;
/// Section 4.3.2: pairs that the filter had removed, judged all the same.
pub(super) const JUDGED_REMOVED: f64 = 10_374.0;
/// Of those, percent to which no judge said yes.
pub(super) const REMOVED_ALL_NO: f64 = 98.3;
/// Of those, percent to which the majority said no.
pub(super) const REMOVED_MAJORITY_NO: f64 = 99.8;

/// Section 4.3.2: relevant pairs beyond the 1,000 of an image and its own caption.
pub(super) const ADDED: f64 = 2_031.0;
/// Test captions that describe one, two, three, four or more test images.
pub(super) const IMAGES_A_CAPTION: [f64; 4] = [446.0, 202.0, 100.0, 252.0];
/// Test images with one, two, three, four or more captions. These four add up to 950, not to 1,000:
/// the second and third repeat those of the captions.
pub(super) const CAPTIONS_AN_IMAGE: [f64; 4] = [331.0, 202.0, 100.0, 317.0];

/// Table 2, row Random: mean BLEU of an image's first caption.
pub(super) const RANDOM_BLEU: f64 = 0.31;
/// Table 2, row Random: mean ROUGE.
pub(super) const RANDOM_ROUGE: f64 = 0.04;
/// Section 4.2.2: percent of all pairs that share a word.
pub(super) const NONZERO_UNIGRAMS: f64 = 39.4;
/// Section 4.2.2: percent of all pairs that share two words in a row.
pub(super) const NONZERO_BIGRAMS: f64 = 3.5;
