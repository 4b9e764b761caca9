//! NN: nearest-neighbour search, section 3.1 of the ranking-task paper (Hodosh, Young and
//! Hockenmaier 2013).
//!
//! Equation 2: to annotate a picture, find the training picture most like it, and score texts by how
//! much they are like the captions of that one. To search for a text, find the training item whose
//! captions are most like it, and score pictures by how much they are like its picture:
//!
//! ```text
//! annotation  f(i, s) = f_S(s^NN, s),  (i^NN, s^NN) the training pair with the greatest f_I(i, i^t)
//! search      f(i, s) = f_I(i^NN, i),  (i^NN, s^NN) the training pair with the greatest f_S(s, s^t)
//! ```
//!
//! So the two tasks have a matrix each. Both come from the same two: how much each picture, and each
//! text, is like each training item. Of several nearest items the first counts. Undefined: a query
//! that is like no training item (0 with all) has no nearest one; it is named, and all its scores
//! are 0, which rules for ties count against the system.
//!
//! Nothing is learnt but the words, so the training items are the model and there is nothing to save:
//! [`NearestNeighbour`] holds them. The four systems of the paper's Table 11 have the pyramid kernel as
//! f_I, and as f_S the text kernels `F1`, `F1-idf`, `BoW5` and `TRI5SEM`.

use rebus_collection::Matrix;
use rebus_text::Analysis;
use rebus_text::kernel::{Described, Spec, TextKernel};
use rebus_text::similarity::WordSimilarity;

use crate::{Error, PairScorer, Result, Training};

/// What is looked for, and with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Task {
    /// Texts for a picture.
    Annotation,
    /// Pictures for a text.
    Search,
}

/// Scores by the nearest training item.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    /// The affinity of every picture (rows) with every text (columns).
    pub scores: Matrix,
    /// The queries without a nearest item: pictures of an annotation, texts of a search.
    pub unrankable: Vec<usize>,
}

impl Task {
    /// Equation 2. `images` has a row a picture, `texts` a row a text; both have a column a training
    /// item, in the same order.
    ///
    /// # Errors
    /// If they have different numbers of columns, or none.
    pub fn by_neighbours(self, images: &Matrix, texts: &Matrix) -> Result<Neighbours> {
        if images.columns() != texts.columns() {
            return Err(Error::Shape { expected: images.columns(), found: texts.columns() });
        }
        if images.columns() == 0 {
            return Err(Error::Data { what: "no training items to be near to".into() });
        }
        let mut scores = Matrix::zeros(images.rows(), texts.rows());
        let mut unrankable = Vec::new();
        match self {
            Self::Annotation => {
                for image in 0..images.rows() {
                    let Some(near) = nearest(images.row(image)) else {
                        unrankable.push(image);
                        continue;
                    };
                    for (text, score) in scores.row_mut(image).iter_mut().enumerate() {
                        *score = texts.row(text)[near];
                    }
                }
            }
            Self::Search => {
                let near: Vec<_> = (0..texts.rows()).map(|text| nearest(texts.row(text))).collect();
                unrankable.extend((0..texts.rows()).filter(|&text| near[text].is_none()));
                for image in 0..images.rows() {
                    for (score, near) in scores.row_mut(image).iter_mut().zip(&near) {
                        *score = near.map_or(0.0, |near| images.row(image)[near]);
                    }
                }
            }
        }
        Ok(Neighbours { scores, unrankable })
    }
}

/// The first of the greatest that are above 0.
fn nearest(row: &[f32]) -> Option<usize> {
    let mut best = None;
    let mut most = 0.0;
    for (at, &value) in row.iter().enumerate() {
        if value > most {
            (best, most) = (Some(at), value);
        }
    }
    best
}

/// f_I: how much pictures (a row each) are like others (a row each), from their features; what is
/// wrong with them otherwise. An image kernel of `rebus-vision`, or anything else.
pub type Likeness =
    Box<dyn Fn(&Matrix, &Matrix) -> std::result::Result<Matrix, String> + Send + Sync>;

/// The text side of [`NearestNeighbour`].
#[derive(Debug, Clone, Copy)]
pub struct TextSide<'a> {
    /// How captions become words.
    pub analysis: &'a Analysis,
    /// f_S.
    pub kernel: &'a Spec,
    /// The word similarity that the kernel asks for, if it does.
    pub similarity: Option<&'a WordSimilarity>,
}

/// Equation 2 as a pair scorer, for one of the two tasks.
pub struct NearestNeighbour {
    task: Task,
    extractor: String,
    features: Matrix,
    likeness: Likeness,
    described: Vec<Described>,
    kernel: TextKernel,
    analysis: Analysis,
}

impl NearestNeighbour {
    /// Takes the training items in.
    ///
    /// # Errors
    /// If the data make no sense or have no words, or the text kernel lacks its similarity.
    pub fn fit(
        task: Task,
        data: &Training<'_>,
        likeness: Likeness,
        text: TextSide<'_>,
    ) -> Result<Self> {
        data.check()?;
        let described: Vec<Described> =
            data.texts.iter().map(|texts| Described::analysed(text.analysis, texts)).collect();
        let kernel = TextKernel::fit(text.kernel, &described, text.similarity)
            .map_err(|error| Error::Data { what: error.to_string() })?;
        Ok(Self {
            task,
            extractor: data.extractor.to_owned(),
            features: data.features.clone(),
            likeness,
            described,
            kernel,
            analysis: text.analysis.clone(),
        })
    }

    /// Equation 2 for pictures and texts, with the queries that have no nearest training item.
    ///
    /// # Errors
    /// If the pictures' features do not fit.
    pub fn neighbours(&self, features: &Matrix, texts: &[&str]) -> Result<Neighbours> {
        if features.columns() != self.features.columns() {
            return Err(Error::Shape {
                expected: self.features.columns(),
                found: features.columns(),
            });
        }
        let images =
            (self.likeness)(features, &self.features).map_err(|what| Error::Data { what })?;
        let texts: Vec<Described> =
            texts.iter().map(|&text| Described::analysed(&self.analysis, &[text])).collect();
        let texts = self.kernel.between(&texts, &self.described);
        self.task.by_neighbours(&images, &texts)
    }
}

impl PairScorer for NearestNeighbour {
    fn extractor(&self) -> &str {
        &self.extractor
    }

    fn score(&self, features: &Matrix, texts: &[&str]) -> Result<Matrix> {
        Ok(self.neighbours(features, texts)?.scores)
    }
}

#[cfg(test)]
mod tests {
    use rebus_text::Toolbox;
    use rebus_text::kernel::kernel_named;

    use super::*;

    /// Three training items; two pictures; three texts, of which the last has no known word.
    fn grams() -> (Matrix, Matrix) {
        let images = Matrix::new(2, 3, vec![0.1, 0.9, 0.3, 0.7, 0.2, 0.7]).unwrap();
        let texts = Matrix::new(3, 3, vec![0.5, 0.0, 0.6, 0.8, 0.2, 0.0, 0.0, 0.0, 0.0]).unwrap();
        (images, texts)
    }

    #[test]
    fn equation_2_by_hand() {
        let (images, texts) = grams();
        let annotation = Task::Annotation.by_neighbours(&images, &texts).unwrap();
        // The first picture is nearest to item 1, the second to items 0 and 2, of which 0 counts.
        assert_eq!(annotation.scores.row(0), [0.0, 0.2, 0.0]);
        assert_eq!(annotation.scores.row(1), [0.5, 0.8, 0.0]);
        assert!(annotation.unrankable.is_empty());
        let search = Task::Search.by_neighbours(&images, &texts).unwrap();
        // The first text is nearest to item 2, the second to item 0, the third to none.
        assert_eq!(search.scores.row(0), [0.3, 0.1, 0.0]);
        assert_eq!(search.scores.row(1), [0.7, 0.7, 0.0]);
        assert_eq!(search.unrankable, [2]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (images, texts) = grams();
        for task in [Task::Annotation, Task::Search] {
            assert!(task.by_neighbours(&images, &Matrix::zeros(3, 2)).is_err());
            assert!(task.by_neighbours(&Matrix::zeros(2, 0), &Matrix::zeros(3, 0)).is_err());
            let none = task.by_neighbours(&Matrix::zeros(0, 3), &texts).unwrap();
            assert_eq!((none.scores.rows(), none.scores.columns()), (0, 3));
            let none = task.by_neighbours(&images, &Matrix::zeros(0, 3)).unwrap();
            assert_eq!((none.scores.rows(), none.scores.columns()), (2, 0));
            let mut broken = images.clone();
            broken.row_mut(0).fill(f32::NAN);
            assert!(task.by_neighbours(&broken, &texts).is_ok());
        }
    }

    /// Four training pictures of two numbers, how green and how blue, compared by dot product.
    fn fitted(task: Task, kernel: &str) -> Result<NearestNeighbour> {
        let features = Matrix::new(4, 2, vec![1.0, 0.0, 0.0, 1.0, 0.6, 0.6, 0.0, 0.0]).unwrap();
        let texts =
            [vec!["A green field", "grass"], vec!["the blue sea"], vec!["sea and grass"], vec![]];
        let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
        let likeness: Likeness =
            Box::new(|a, b| crate::dot_products(a, b).map_err(|error| error.to_string()));
        let similar = WordSimilarity::builder().pair("ocean", "sea", 0.9).build();
        let spec = kernel_named(kernel).unwrap().spec;
        let analysis = Toolbox::default().ranking_task_captions();
        let similarity = spec.lexical.map(|_| &similar);
        let text = TextSide { analysis: &analysis, kernel: &spec, similarity };
        NearestNeighbour::fit(task, &data, likeness, text)
    }

    #[test]
    fn the_four_systems_by_hand() {
        let pool = Matrix::new(2, 2, vec![0.9, 0.1, 0.2, 0.9]).unwrap();
        let texts = ["fields of grass", "seas", "the and of", "zeppelin"];
        for name in ["F1", "F1-idf", "BoW5", "TRI5SEM"] {
            let annotation = fitted(Task::Annotation, name).unwrap();
            let found = annotation.neighbours(&pool, &texts).unwrap();
            // The green picture is nearest to the first item, the blue one to the second.
            assert!(found.scores.row(0)[0] > 0.0 && found.scores.row(0)[1] == 0.0, "{name}");
            assert!(found.scores.row(1)[1] > 0.0 && found.scores.row(1)[0] == 0.0, "{name}");
            assert!(found.unrankable.is_empty());
            let search = fitted(Task::Search, name).unwrap();
            let found = search.neighbours(&pool, &texts).unwrap();
            // The first text's nearest item is the first, (1, 0).
            assert_eq!([found.scores.row(0)[0], found.scores.row(1)[0]], [0.9, 0.2], "{name}");
            assert!(found.scores.row(1)[1] > found.scores.row(0)[1], "{name}");
            // Nothing but stop words, or an unknown word, is not ranked by chance.
            assert_eq!(found.unrankable, [2, 3], "{name}");
            assert_eq!(search.score(&pool, &texts).unwrap(), found.scores);
            assert_eq!(search.extractor(), "by-eye/1");
        }
        // F1 of {green, field, grass} and {field, grass}: 2 * 2 / (3 + 2).
        let found = fitted(Task::Annotation, "F1").unwrap().score(&pool, &texts).unwrap();
        assert!((found.row(0)[0] - 0.8).abs() < 1e-6);
        // An ocean is like a sea to the kernel that knows so.
        let search = |kernel| {
            let system = fitted(Task::Search, kernel).unwrap();
            system.neighbours(&pool, &["ocean"]).unwrap().unrankable
        };
        assert_eq!(search("BoW5"), [0]);
        assert!(search("TRI5SEM").is_empty());
    }

    #[test]
    fn bad_features_and_captions_without_words_are_refused() {
        let system = fitted(Task::Search, "BoW5").unwrap();
        assert!(matches!(system.score(&Matrix::zeros(1, 3), &["sea"]), Err(Error::Shape { .. })));
        assert_eq!(system.score(&Matrix::zeros(0, 2), &["sea"]).unwrap().rows(), 0);
        assert_eq!(system.score(&Matrix::zeros(2, 2), &[]).unwrap().rows(), 2);
        let features = Matrix::zeros(2, 1);
        let texts = [vec!["the"], vec![]];
        let data = Training { extractor: "by-eye/1", features: &features, texts: &texts };
        let likeness: Likeness = Box::new(|_, _| Err("never asked".into()));
        let spec = kernel_named("BoW5").unwrap().spec;
        let analysis = Toolbox::default().ranking_task_captions();
        let text = TextSide { analysis: &analysis, kernel: &spec, similarity: None };
        let refused = NearestNeighbour::fit(Task::Search, &data, likeness, text);
        assert!(refused.err().unwrap().to_string().contains("no caption"));
    }
}
