//! `cmrm`: the cross-media relevance model of Jeon, Lavrenko and Manmatha (2003).
//!
//! Pictures are bags of blobs: a feature row has, for each blob, how many regions of the picture are
//! of it. `Urns` has equations 3 to 5 and 8. With [`Retrieval::Annotation`] a picture is encoded
//! by P(w|I) (equations 1 to 3): the likeliest words are the annotation of FACMRM
//! ([`WordProbabilities::annotate`](super::WordProbabilities::annotate)), and the affinity orders pictures as PACMRM does (equation 6). With
//! [`Retrieval::Direct`] a query is encoded by P(b|Q) (equations 7 and 8), and the affinity orders
//! pictures by their Kullback-Leibler divergence from it (equation 9, DRCMRM).
//!
//! Equation 9 is the sum of P(b|Q) ln P(b|I) and something of the query's alone. As the P(b|Q) sum
//! to 1, ln(smoothing P(b)), which is the whole of ln P(b|I) where I has no b, can be taken off every
//! picture's side without a change of order: what is left is 0 for absent blobs.
//!
//! Smoothing that is not given is chosen as in section 5.2.1, see `smoothing.rs`.

use std::path::Path;

use rebus_collection::{Matrix, Progress};
use serde::{Deserialize, Serialize};

use super::counts::{Counting, Counts, Entry, rows, totals, with_both};
use super::held_out::Criterion;
use super::smoothing::{self, Smoothing};
use super::urns::{Size, Urns};
use super::word_probabilities::gives_probabilities;
use super::word_side::{self, WordSide};
use crate::bag_of_words::Words;
use crate::folder::{Reader, Writer};
use crate::lexicon::Keyword;
use crate::origin::Origin;
use crate::settings::{Settings, at_least, shares};
use crate::{BagOfWords, DualEncoder, Error, Meaning, Model, Result, Training, Understands};

/// What [`crate::SYSTEMS`] calls it.
pub const KIND: &str = "cmrm";
const VERSION: u32 = 1;

/// How pictures are found for a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retrieval {
    /// By the words that their blobs make probable: PACMRM, equation 6.
    #[default]
    Annotation,
    /// By the blobs that the query's words make probable: DRCMRM, equation 9.
    Direct,
}

/// The settings of [`Cmrm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// How pictures are found for a query.
    pub retrieval: Retrieval,
    /// Smoothing of words, alpha of equation 4; chosen on held-out pictures where none is given.
    pub alpha: Option<f64>,
    /// Smoothing of blobs, beta of equation 5, in training pictures; chosen likewise.
    pub beta: Option<f64>,
    /// The beta of equation 5 for pictures that are searched, in direct retrieval; chosen likewise.
    pub picture_beta: Option<f64>,
    /// By what smoothing is chosen for annotation; for direct retrieval it is average precision.
    pub criterion: Criterion,
    /// Into how many parts the training pictures go, each of which is held out once.
    pub folds: usize,
    /// How many words an annotation has.
    pub length: usize,
    /// How the numbers of a feature row count.
    pub counting: Counting,
    /// What |J| of equations 4 and 5 counts.
    pub size: Size,
    /// How texts are taken apart.
    pub words: Words,
    /// A word must occur at least so often in the training texts.
    pub min_count: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            retrieval: Retrieval::Annotation,
            alpha: None,
            beta: None,
            picture_beta: None,
            criterion: Criterion::FMeasure,
            folds: 9,
            length: 5,
            counting: Counting::AsGiven,
            size: Size::OneKind,
            words: Words::Lemmas,
            min_count: 1,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        shares(&[("alpha", self.alpha), ("beta", self.beta), ("picture_beta", self.picture_beta)])?;
        at_least(&[
            ("folds", Some(self.folds as u64), 2),
            ("length", Some(self.length as u64), 1),
            ("min_count", Some(self.min_count), 1),
        ])
    }
}

/// A fitted cross-media relevance model.
#[derive(Debug, Clone, PartialEq)]
pub struct Cmrm {
    origin: Origin,
    params: Params,
    smoothing: Smoothing,
    reached: Option<f64>,
    word_side: WordSide,
    words: Urns,
    blobs: Urns,
}

impl Cmrm {
    /// Makes urns of pictures that have both a word and a region, and chooses what smoothing is not
    /// given.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(data: &Training<'_>, params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        data.check()?;
        let (bag, words) = word_side::learn(data.texts, params.words, params.min_count)?;
        let blobs = Counts::of_features(data.features, params.counting)?;
        let kept = with_both(data, &words, |row| !blobs.row(row).is_empty())?;
        let (words, blobs) = (words.some(&kept), blobs.some(&kept));
        let (smoothing, reached) = smoothing::choose(&words, &blobs, params, progress)?;
        let parts = (bag, words, blobs);
        let model = Self::new(Origin::of(data), params.clone(), smoothing, parts);
        Ok(Self { reached, ..model })
    }

    fn new(
        origin: Origin,
        mut params: Params,
        smoothing: Smoothing,
        (bag, words, blobs): (BagOfWords, Counts, Counts),
    ) -> Self {
        params.alpha = Some(smoothing.alpha);
        params.beta = Some(smoothing.beta);
        params.picture_beta = Some(smoothing.picture_beta);
        let word_urns = Urns::new(words, &blobs, params.size, smoothing.alpha);
        let blob_urns = Urns::new(blobs, word_urns.counts(), params.size, smoothing.beta);
        let word_side = WordSide::new(bag, word_urns.prior(), word_urns.counts().mean_size());
        let (words, blobs) = (word_urns, blob_urns);
        Self { origin, params, smoothing, reached: None, word_side, words, blobs }
    }

    /// The settings, with the smoothing that was chosen.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// What the chosen smoothing reached on held-out pictures, by the criterion; nothing where it was
    /// given or the model was read from a folder.
    pub fn reached(&self) -> Option<f64> {
        self.reached
    }

    /// How many training pictures are urns.
    pub fn pictures(&self) -> usize {
        self.words.len()
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        let reader = Reader::open(folder, KIND, VERSION)?;
        let params: Params = reader.settings()?;
        let (Some(alpha), Some(beta), Some(picture_beta)) =
            (params.alpha, params.beta, params.picture_beta)
        else {
            return Err(reader.damaged("settings: no smoothing".into()));
        };
        let bag = word_side::read(&reader, params.words)?;
        let known = reader.tensor("blobs.totals", [Some(1), None])?;
        let blobs = Counts::read(&reader, "blobs.counts", known.columns())?;
        let words = Counts::read(&reader, "words.counts", bag.len())?;
        if totals(&blobs) != known {
            return Err(
                reader.damaged_tensor("blobs.totals", "other counts than in `blobs.counts`")
            );
        }
        if words.rows() != blobs.rows() || words.rows() == 0 {
            let what = "other pictures than in `blobs.counts`";
            return Err(reader.damaged_tensor("words.counts", what));
        }
        let smoothing = Smoothing { alpha, beta, picture_beta };
        Ok(Self::new(Origin::read(&reader), params, smoothing, (bag, words, blobs)))
    }

    /// The bags of pictures, checked.
    fn bags(&self, features: &Matrix) -> Result<Counts> {
        let expected = self.blobs.counts().columns();
        if features.columns() != expected {
            return Err(Error::Shape { expected, found: features.columns() });
        }
        Counts::of_features(features, self.params.counting)
    }

    /// P(w|I), equations 1 to 3, for each picture, put into rows by `fill`.
    fn for_pictures(
        &self,
        features: &Matrix,
        fill: impl Fn(&[f64], &mut [f32]) + Sync,
    ) -> Result<Matrix> {
        let bags = self.bags(features)?;
        Ok(rows(features.rows(), self.words.counts().columns(), |scratch, picture, row| {
            let posterior = self.blobs.posterior(bags.row(picture), scratch);
            fill(&self.words.expectation(&posterior), row);
        }))
    }

    /// P(b|Q), equations 7 and 8; all 0 for a text without a known word.
    fn query_models(&self, texts: &[&str]) -> Matrix {
        rows(texts.len(), self.blobs.counts().columns(), |scratch, text, row| {
            let query: Vec<Entry> = self
                .word_side
                .known(texts[text])
                .into_iter()
                .map(|word| (word as u32, 1.0))
                .collect();
            if !query.is_empty() {
                let expected = self.blobs.expectation(&self.words.posterior(&query, scratch));
                row.iter_mut().zip(expected).for_each(|(to, p)| *to = p as f32);
            }
        })
    }
}

impl Model for Cmrm {
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = self.word_side.bag().analysis();
        let manifest = self.origin.manifest((KIND, VERSION), analysis, &self.params);
        let mut writer = Writer::new(folder, manifest)?;
        let totals = totals(self.blobs.counts());
        writer.tensors(&[
            ("blobs.counts", &self.blobs.counts().tensor()),
            ("blobs.totals", &totals),
            ("words.counts", &self.words.counts().tensor()),
        ])?;
        writer.vocabulary(&self.word_side.bag().to_text())?;
        writer.finish()
    }
}

impl DualEncoder for Cmrm {
    fn extractor(&self) -> &str {
        &self.origin.extractor
    }

    fn dimensions(&self) -> usize {
        match self.params.retrieval {
            Retrieval::Annotation => self.word_side.len(),
            Retrieval::Direct => self.blobs.counts().columns(),
        }
    }

    /// A picture without a known blob becomes a vector of zeros.
    fn encode_images(&self, features: &Matrix) -> Result<Matrix> {
        match self.params.retrieval {
            Retrieval::Annotation => {
                self.for_pictures(features, |p, row| self.word_side.encode(p, row))
            }
            Retrieval::Direct => {
                let bags = self.bags(features)?;
                let background = self.blobs.background();
                Ok(rows(features.rows(), background.len(), |(): &mut (), picture, row| {
                    for (blob, log) in smoothing::against_background(
                        bags.row(picture),
                        background,
                        &self.smoothing,
                    ) {
                        row[blob as usize] = log as f32;
                    }
                }))
            }
        }
    }

    /// A text without a known word becomes a vector of zeros.
    fn encode_texts(&self, texts: &[&str]) -> Result<Matrix> {
        Ok(match self.params.retrieval {
            Retrieval::Annotation => self.word_side.encode_texts(texts),
            Retrieval::Direct => self.query_models(texts),
        })
    }
}

gives_probabilities!(Cmrm);

impl Understands for Cmrm {
    fn unknown(&self, text: &str) -> Vec<String> {
        self.word_side.unknown(text)
    }

    fn spelled_like(&self, word: &str) -> Vec<String> {
        self.word_side.spelled_like(word)
    }

    fn meaning_for_text(&self, text: &str, scores: &Matrix) -> Result<Meaning> {
        Ok(match self.params.retrieval {
            Retrieval::Annotation => self.word_side.meaning(text, scores.row(0)),
            // What a divergence means is not known.
            Retrieval::Direct if self.word_side.known(text).is_empty() => Meaning::Nothing,
            Retrieval::Direct => Meaning::Uncalibrated,
        })
    }

    fn probable_keywords(&self, images: &Matrix) -> Result<Option<Vec<Vec<Keyword<'_>>>>> {
        match self.params.retrieval {
            Retrieval::Annotation => self.word_side.keywords(images).map(Some),
            Retrieval::Direct => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;
    use crate::WordProbabilities;
    use crate::settings::names_what_is_wrong;

    /// Three pictures of tigers in grass, three of planes in the sky; blob 4 is in none of them.
    fn world() -> (Matrix, Vec<Vec<&'static str>>) {
        let rows = [
            [2.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 2.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 2.0, 0.0],
            [0.0, 1.0, 1.0, 1.0, 0.0],
            [0.0, 0.0, 2.0, 1.0, 0.0],
        ];
        let features = Matrix::new(6, 5, rows.concat()).unwrap();
        let texts = ["tiger grass", "tiger", "tiger grass", "plane sky", "plane sky grass", "sky"];
        (features, texts.iter().map(|&text| vec![text]).collect())
    }

    fn fit(retrieval: Retrieval) -> Cmrm {
        let (features, texts) = world();
        let data = Training { extractor: "by-hand/1", features: &features, texts: &texts };
        let params = Params {
            retrieval,
            alpha: Some(0.1),
            beta: Some(0.5),
            picture_beta: Some(0.9),
            words: Words::Keywords,
            ..Params::default()
        };
        Cmrm::fit(&data, &params, &Silent).unwrap()
    }

    #[test]
    fn a_wrong_setting_is_named() {
        let good = Params::default();
        let wrong = [
            (Params { alpha: Some(0.0), ..good.clone() }, "alpha"),
            (Params { beta: Some(1.0), ..good.clone() }, "beta"),
            (Params { picture_beta: Some(f64::NAN), ..good.clone() }, "picture_beta"),
            (Params { folds: 1, ..good.clone() }, "folds"),
            (Params { length: 0, ..good.clone() }, "length"),
            (Params { min_count: 0, ..good.clone() }, "min_count"),
        ];
        names_what_is_wrong(wrong);
    }

    #[test]
    fn words_for_pictures_and_pictures_for_words() {
        let images = Matrix::new(2, 5, vec![3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0]);
        let images = images.unwrap();
        for retrieval in [Retrieval::Annotation, Retrieval::Direct] {
            let model = fit(retrieval);
            assert_eq!(model.annotate(&images, 1).unwrap(), [vec!["tiger"], vec!["sky"]]);
            let vectors = model.encode_images(&images).unwrap();
            let first = |query: &str| model.retrieve(&vectors, query).unwrap()[0].row;
            assert_eq!((first("tiger"), first("plane sky")), (0, 1), "{retrieval:?}");
        }
    }

    /// The order of direct retrieval is that of equation 9, computed from its definition.
    #[test]
    fn equation_9_word_for_word() {
        let (images, _) = world();
        let model = fit(Retrieval::Direct);
        let scores = model.retrieve(&model.encode_images(&images).unwrap(), "plane sky").unwrap();
        let query = model.query_models(&["plane sky"]);
        let background = model.blobs.background();
        let divergence = |row: usize| -> f64 {
            let size: f32 = images.row(row).iter().sum();
            (0..4)
                .map(|blob| {
                    let share = f64::from(images.row(row)[blob] / size);
                    let p = 0.1 * share + 0.9 * background[blob];
                    let q = f64::from(query.row(0)[blob]);
                    q * (p / q).ln()
                })
                .sum()
        };
        let mut order: Vec<usize> = (0..6).collect();
        order.sort_by(|&a, &b| divergence(b).total_cmp(&divergence(a)));
        let found: Vec<usize> = scores.iter().map(|response| response.row).collect();
        assert_eq!(found, order);
        // And the differences of scores are those of the divergences.
        let between = f64::from(scores[0].value - scores[5].value);
        assert!((between - (divergence(order[0]) - divergence(order[5]))).abs() < 1e-5);
    }

    #[test]
    fn pictures_that_say_nothing() {
        let nothing = Matrix::new(2, 5, vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
        let nothing = nothing.unwrap();
        for retrieval in [Retrieval::Annotation, Retrieval::Direct] {
            let model = fit(retrieval);
            let vectors = model.encode_images(&nothing).unwrap();
            assert!(vectors.values().iter().all(|&value| value == 0.0));
            if let Some(keywords) = model.probable_keywords(&vectors).unwrap() {
                assert!(keywords.iter().all(Vec::is_empty));
            }
            // A blob never seen changes nothing about the others.
            let with = Matrix::new(1, 5, vec![1.0, 0.0, 0.0, 0.0, 7.0]).unwrap();
            let without = Matrix::new(1, 5, vec![1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            assert_eq!(
                model.word_probabilities(&with).unwrap(),
                model.word_probabilities(&without).unwrap()
            );
        }
    }

    #[test]
    fn queries_that_say_nothing() {
        let model = fit(Retrieval::Annotation);
        let vectors = model.encode_images(&world().0).unwrap();
        let error = model.retrieve(&vectors, "tigr").unwrap_err();
        assert!(
            matches!(&error, Error::UnknownWord { word, near } if word == "tigr" && near == &["tiger"])
        );
        assert!(error.hint().unwrap().contains("tiger"));
        assert!(matches!(model.retrieve(&vectors, " , "), Err(Error::EmptyQuery)));
        assert_eq!(Understands::unknown(&model, "a tiger"), ["a"]);
    }

    #[test]
    fn keywords_have_the_probability_of_being_drawn() {
        let model = fit(Retrieval::Annotation);
        let (images, _) = world();
        let vectors = model.encode_images(&images).unwrap();
        let keywords = model.probable_keywords(&vectors).unwrap().unwrap();
        let p = model.word_probabilities(&images).unwrap();
        let at = model.word_side.words().position(|word| word == keywords[0][0].word).unwrap();
        // Eleven words in six pictures.
        let drawn = 1.0 - (1.0 - f64::from(p.row(0)[at])).powf(11.0 / 6.0);
        assert!((keywords[0][0].probability - drawn).abs() < 1e-5);
        // A query of one word means the same, and one of two that both are drawn.
        let asked = |query: &str| {
            let scores = crate::dot_products(&vectors, &model.encode_texts(&[query]).unwrap());
            match model.meaning_for_text(query, &scores.unwrap()).unwrap() {
                Meaning::Probabilities(found) => found[0],
                other => panic!("{other:?}"),
            }
        };
        assert!((asked("tiger") - drawn).abs() < 1e-5);
        assert!(asked("tiger plane") < asked("tiger grass") && asked("tiger grass") < drawn);
        assert_eq!(model.meaning_for_text("zxqv", &Matrix::zeros(1, 1)).unwrap(), Meaning::Nothing);
        assert_eq!(keywords[0][0].word, "tiger");
    }
}
