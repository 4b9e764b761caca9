//! The systems of Tables 11 and 12, and what the paper prints for them.

use rebus_collection::Error;

use crate::Result;

/// How a system ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Nearest neighbours (equation 2).
    Nearest,
    /// Kernel canonical correlation analysis (equations 3 and 4).
    Kcca,
}

/// How pictures are compared (section 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageKernel {
    /// Histograms of whole pictures (equation 6).
    Histo,
    /// The spatial pyramid (equation 8).
    Pyramid,
}

/// The figures of one system: for annotation, then for search.
pub type Printed = [[f64; 4]; 2];

/// A row of Table 11.
#[derive(Debug, Clone, Copy)]
pub struct TableSystem {
    /// What we call it: the text kernel's name, `NN5-` before it for nearest neighbours, `-HISTO`
    /// after it for histograms.
    pub name: &'static str,
    /// How it ranks.
    pub method: Method,
    /// How pictures are compared.
    pub image: ImageKernel,
    /// How texts are compared: a name of [`rebus_text::kernel::KERNELS`].
    pub text: &'static str,
    /// Table 11: R@1, R@5, R@10, median rank.
    pub recall: Printed,
    /// Table 12: S@1, S@5, S@10, R-precision.
    pub success: Printed,
}

const fn row(
    name: &'static str,
    method: Method,
    image: ImageKernel,
    text: &'static str,
    recall: Printed,
    success: Printed,
) -> TableSystem {
    TableSystem { name, method, image, text, recall, success }
}

const NN: Method = Method::Nearest;
const KCCA: Method = Method::Kcca;
const PY: ImageKernel = ImageKernel::Pyramid;
const HISTO: ImageKernel = ImageKernel::Histo;

/// Every system, in the paper's order. `NN5-TRI` is the paper's `NN5_TRI(best)`: nearest neighbours
/// by the best trigram kernel.
#[rustfmt::skip]
pub static SYSTEMS: &[TableSystem] = &[
    row("NN5-F1", NN, PY, "F1", [[1.9, 5.9, 8.7, 251.0], [2.1, 5.2, 7.1, 278.0]], [[4.9, 13.3, 19.1, 4.2], [4.9, 13.2, 17.8, 3.8]]),
    row("NN5-F1-idf", NN, PY, "F1-idf", [[2.5, 7.6, 9.7, 251.0], [2.5, 4.7, 7.2, 272.0]], [[5.8, 15.4, 20.2, 5.2], [5.0, 13.3, 18.4, 3.8]]),
    row("NN5-BoW5", NN, PY, "BoW5", [[2.1, 5.9, 9.6, 258.5], [2.8, 6.4, 9.1, 266.0]], [[6.4, 14.8, 20.6, 5.4], [5.7, 13.4, 18.4, 4.6]]),
    row("NN5-TRI", NN, PY, "TRI5SEM", [[2.1, 5.9, 9.4, 248.0], [2.3, 6.1, 9.0, 240.0]], [[7.2, 17.4, 23.1, 6.2], [4.4, 13.5, 19.8, 4.3]]),
    row("BoW1", KCCA, PY, "BoW1", [[4.8, 13.5, 19.7, 64.0], [4.5, 14.3, 20.8, 67.0]], [[12.2, 30.3, 39.7, 10.7], [11.4, 30.5, 40.2, 9.6]]),
    row("TRI1", KCCA, PY, "TRI1", [[4.6, 14.4, 21.0, 68.0], [4.5, 14.0, 22.5, 71.0]], [[12.8, 32.2, 40.2, 10.5], [12.2, 30.6, 41.5, 9.9]]),
    row("BoW5-HISTO", KCCA, HISTO, "BoW5", [[5.9, 14.9, 21.2, 69.0], [4.8, 14.2, 20.8, 74.0]], [[13.9, 29.8, 39.6, 9.9], [11.5, 28.0, 38.1, 9.3]]),
    row("BoW5", KCCA, PY, "BoW5", [[6.2, 17.1, 24.3, 58.0], [5.8, 16.7, 23.6, 60.0]], [[15.0, 34.1, 42.7, 11.1], [12.1, 31.5, 40.8, 10.5]]),
    row("BoW5-idf", KCCA, PY, "BoW5-idf", [[6.1, 17.0, 23.2, 60.5], [6.4, 16.5, 24.5, 59.5]], [[13.9, 32.7, 42.4, 11.0], [13.3, 30.8, 41.8, 10.6]]),
    row("BoW5-sqrtidf", KCCA, PY, "BoW5-sqrtidf", [[6.1, 17.3, 23.9, 56.0], [6.1, 16.9, 24.5, 60.5]], [[15.0, 34.0, 42.7, 11.3], [12.9, 31.3, 41.0, 10.7]]),
    row("TAGRANK", KCCA, PY, "TAGRANK", [[6.0, 17.0, 23.8, 56.0], [5.4, 17.4, 24.3, 52.5]], [[16.2, 34.2, 42.9, 11.7], [12.4, 31.5, 41.6, 10.5]]),
    row("TRI5-HISTO", KCCA, HISTO, "TRI5", [[6.0, 15.0, 21.7, 63.5], [5.7, 14.5, 22.1, 67.0]], [[15.0, 29.0, 38.9, 9.9], [12.9, 28.9, 39.9, 10.5]]),
    row("TRI5", KCCA, PY, "TRI5", [[7.1, 17.2, 23.7, 53.0], [6.0, 17.8, 26.2, 55.0]], [[16.4, 32.9, 43.4, 11.6], [13.1, 33.1, 43.8, 11.0]]),
    row("TRI5-Lin", KCCA, PY, "TRI5-Lin", [[6.2, 16.7, 23.7, 53.5], [6.0, 16.7, 24.4, 61.0]], [[15.5, 34.1, 43.8, 11.7], [12.7, 32.5, 41.7, 10.7]]),
    row("TRI5-Dbnc", KCCA, PY, "TRI5-Dbnc", [[7.5, 19.8, 26.1, 40.0], [7.2, 18.4, 27.4, 44.5]], [[16.8, 37.4, 45.5, 12.7], [14.5, 35.3, 44.9, 12.1]]),
    row("TRI5-Dic", KCCA, PY, "TRI5-Dic", [[7.0, 19.5, 27.1, 36.0], [7.0, 19.3, 27.5, 41.0]], [[15.8, 36.7, 47.0, 12.7], [14.5, 36.6, 46.1, 12.8]]),
    row("TRI5-Dbnc+ic", KCCA, PY, "TRI5-Dbnc+ic", [[7.3, 20.0, 27.0, 36.0], [6.9, 19.2, 28.0, 42.0]], [[16.4, 37.2, 47.1, 12.5], [14.8, 36.3, 45.8, 12.7]]),
    row("TRI5-A", KCCA, PY, "TRI5-A", [[7.2, 20.2, 28.0, 41.0], [6.8, 18.5, 27.7, 41.5]], [[17.3, 36.9, 47.4, 13.4], [14.3, 35.4, 46.6, 12.3]]),
    row("TRI5-A-Dbnc", KCCA, PY, "TRI5-A-Dbnc", [[7.9, 20.3, 28.4, 39.0], [7.8, 19.0, 27.4, 39.0]], [[16.6, 36.5, 47.4, 13.2], [15.3, 35.0, 45.8, 12.8]]),
    row("TRI5-A-Dic", KCCA, PY, "TRI5-A-Dic", [[6.9, 20.2, 29.5, 35.0], [7.3, 19.9, 28.7, 39.5]], [[15.8, 37.0, 48.2, 13.0], [15.2, 37.4, 47.6, 12.8]]),
    row("TRI5-A-Dbnc+ic", KCCA, PY, "TRI5-A-Dbnc+ic", [[7.6, 20.7, 30.0, 35.0], [7.4, 19.4, 29.2, 38.0]], [[16.4, 37.4, 48.3, 13.4], [15.4, 37.0, 46.8, 13.2]]),
    row("TRI5-sqrtidf", KCCA, PY, "TRI5-sqrtidf", [[7.6, 18.8, 25.1, 46.0], [6.2, 18.0, 26.5, 52.0]], [[16.9, 35.4, 44.2, 12.5], [13.0, 33.4, 43.9, 11.3]]),
    row("TRI5-Dbnc-sqrtidf", KCCA, PY, "TRI5-Dbnc-sqrtidf", [[6.8, 18.7, 28.9, 40.0], [6.7, 18.2, 27.6, 45.0]], [[16.1, 36.0, 47.5, 12.9], [15.0, 34.0, 44.6, 12.2]]),
    row("TRI5-Dic-sqrtidf", KCCA, PY, "TRI5-Dic-sqrtidf", [[7.3, 20.4, 27.5, 38.0], [8.1, 19.1, 28.4, 40.5]], [[15.9, 36.9, 46.8, 12.8], [16.0, 35.8, 47.5, 13.1]]),
    row("TRI5-Dbnc+ic-sqrtidf", KCCA, PY, "TRI5-Dbnc+ic-sqrtidf", [[6.7, 20.0, 28.9, 35.0], [7.0, 19.7, 28.8, 39.0]], [[16.2, 37.4, 47.5, 13.3], [15.3, 34.8, 46.7, 13.0]]),
    row("TRI5-A-sqrtidf", KCCA, PY, "TRI5-A-sqrtidf", [[7.3, 21.1, 28.3, 37.0], [7.5, 19.2, 28.7, 38.0]], [[17.4, 37.6, 46.3, 13.4], [15.8, 36.3, 47.3, 13.2]]),
    row("TRI5-A-Dbnc-sqrtidf", KCCA, PY, "TRI5-A-Dbnc-sqrtidf", [[7.5, 21.3, 30.0, 38.0], [7.8, 18.9, 29.0, 41.5]], [[15.7, 36.9, 48.1, 12.9], [15.8, 35.3, 47.2, 12.9]]),
    row("TRI5-A-Dic-sqrtidf", KCCA, PY, "TRI5-A-Dic-sqrtidf", [[7.2, 20.8, 29.6, 34.0], [7.4, 21.4, 30.1, 37.5]], [[15.7, 37.3, 47.3, 13.3], [15.5, 38.3, 47.8, 13.4]]),
    row("TRI5SEM-HISTO", KCCA, HISTO, "TRI5SEM", [[6.5, 18.0, 26.7, 45.0], [6.0, 18.0, 24.2, 48.5]], [[13.6, 30.6, 41.9, 11.1], [14.4, 33.8, 42.7, 12.2]]),
    row("TRI5SEM", KCCA, PY, "TRI5SEM", [[8.3, 21.6, 30.3, 34.0], [7.6, 20.7, 30.1, 38.0]], [[16.6, 37.7, 49.1, 13.7], [15.7, 36.9, 48.5, 13.4]]),
];

/// Names that the paper's section 4 uses for a row of the table.
const ALIASES: [(&str, &str); 2] = [("NN", "NN5-F1-idf"), ("NN5-TRI(best)", "NN5-TRI")];

/// The systems of these names (in capitals or not), in the paper's order, each once; all if no
/// name is given.
///
/// # Errors
/// If there is no such system; the error names those there are.
pub fn systems_named(names: &[String]) -> Result<Vec<&'static TableSystem>> {
    if names.is_empty() {
        return Ok(SYSTEMS.iter().collect());
    }
    let mut wanted = Vec::new();
    for name in names {
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let full = alias.map_or(name.as_str(), |(_, full)| full);
        let found = SYSTEMS.iter().position(|system| system.name.eq_ignore_ascii_case(full));
        let known = || SYSTEMS.iter().map(|system| system.name).collect::<Vec<_>>();
        wanted.push(found.ok_or_else(|| Error::no_such("system", name, known()))?);
    }
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted.into_iter().map(|at| &SYSTEMS[at]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_the_papers_order() {
        let names = |of: &[&str]| -> Result<Vec<&str>> {
            let of: Vec<String> = of.iter().map(|&name| name.to_owned()).collect();
            Ok(systems_named(&of)?.iter().map(|system| system.name).collect())
        };
        assert_eq!(
            names(&["tri5sem", "NN", "BoW5", "nn5-f1-idf"]).unwrap(),
            ["NN5-F1-idf", "BoW5", "TRI5SEM"]
        );
        assert_eq!(names(&[]).unwrap().len(), 30);
        assert!(names(&["TRI7"]).unwrap_err().to_string().contains("TRI7"));
    }

    #[test]
    fn section_4_repeats_the_table() {
        // Table 3 and Table 5 print some of the rows again.
        let at = |name: &str| SYSTEMS.iter().find(|system| system.name == name).unwrap();
        assert_eq!(at("TAGRANK").recall[1], [5.4, 17.4, 24.3, 52.5]);
        assert_eq!(at("TRI5SEM").recall[0], [8.3, 21.6, 30.3, 34.0]);
        assert_eq!([at("BoW1").success[0][3], at("BoW1").success[1][3]], [10.7, 9.6]);
    }
}
