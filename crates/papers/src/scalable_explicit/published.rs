//! Table 1: searching for the relevant caption among candidates for an image.

/// The measures of the table.
pub(super) const MEASURES: [&str; 4] = ["R@1", "R@5", "R@10", "median"];

/// What the paper prints for a model: R@1, R@5, R@10, median rank. The deviations over three runs
/// are given where it prints them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Printed {
    pub(super) name: &'static str,
    pub(super) mean: [f64; 4],
    pub(super) deviation: Option<[f64; 4]>,
}

const fn printed(name: &'static str, mean: [f64; 4], deviation: Option<[f64; 4]>) -> Printed {
    Printed { name, mean, deviation }
}

pub(super) const INDEPENDENT: Printed =
    printed("Independent Baseline", [4.1, 13.2, 20.3, 51.0], None);
pub(super) const JOINT: Printed =
    printed("Joint", [5.4, 18.8, 26.4, 37.7], Some([0.2, 0.5, 0.2, 2.3]));
pub(super) const JOINT_IDF: Printed =
    printed("Joint IDF", [5.6, 17.9, 26.5, 39.5], Some([0.2, 0.5, 0.2, 1.8]));

/// The rows for which data or model are not at hand here.
pub(super) const OTHERS: [Printed; 5] = [
    printed("Joint w/ Extra Training", [6.3, 18.8, 27.5, 38.5], Some([0.2, 0.9, 0.6, 1.3])),
    printed("Joint IDF w/ Extra Training", [6.8, 19.2, 28.7, 34.7], Some([0.1, 0.3, 0.3, 1.5])),
    printed("Joint L2 w/ Extra Training", [5.6, 17.8, 27.6, 37.5], Some([0.2, 0.2, 0.2, 1.3])),
    printed("Joint L2 IDF w/ Extra Training", [7.0, 18.7, 27.0, 36.7], Some([0.6, 1.0, 1.4, 1.5])),
    printed("KCCA [11]", [8.3, 21.6, 30.3, 34.0], None),
];

/// How many words the paper's lexicon has without the extra pictures.
pub(super) const LEXICON: f64 = 820.0;
