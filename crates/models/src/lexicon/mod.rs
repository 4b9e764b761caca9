//! `lexicon`: a space of pictures and words for anyone's photos.
//!
//! It is fitted like [`crate::contrastive`] on captioned pictures, then told more words than the
//! captions have: by [`Evidence`] of any kind, such as keywords that people gave to other photos,
//! or the classes that a classifier sees (`widen.rs`), and by captions of pictures that are not at
//! hand (`described.rs`). It can say how probable a keyword is
//! ([`Lexicon::keywords`]), how probable it is that somebody would call a photo relevant for a
//! text ([`Lexicon::relevance`]), and which words it does not know ([`Lexicon::unknown`]).

mod background;
mod classes;
mod described;
#[cfg(test)]
mod four_words;
mod keywords;
mod likeness;
pub(crate) mod logistic;
mod many_logistic;
mod refit;
mod relevance;
mod reliability;
mod responses;
mod understands;
mod widen;

use std::path::Path;

use half::f16;
use rebus_collection::{ContentHash, Matrix, Progress};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::folder::{Reader, Writer};
use crate::origin::Origin;
use crate::settings::{Settings, above_zero, zero_or_more};
use crate::word_space::{WordSpace, encodes_in_space};
use crate::{Contrastive, Error, Model, Result, Training, contrastive};

use background::Background;
pub use classes::class_words;
pub use keywords::Keyword;
use keywords::Keywords;
use likeness::Likeness;
use logistic::Weights;
pub use refit::{Opinion, Refit};
use relevance::{Asked, JudgedBy, Relevance};
use reliability::Tally;
pub use reliability::{Reliability, Step};
use responses::Responses;
pub use widen::Evidence;

/// What [`crate::load`] calls it.
pub const KIND: &str = "lexicon";
const VERSION: u32 = 3;

/// The settings of [`Lexicon`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// The space that is widened.
    pub space: contrastive::Params,
    /// Ridge of the regression from pictures to evidence, in units of the mean variance of a
    /// dimension.
    pub ridge: f64,
    /// A word is told by evidence if it is seen in at least so many pictures, counted by how
    /// surely.
    pub least: f64,
    /// A word that occurs in the captions of so many pictures is moved half as far by other
    /// evidence as a word that does not occur.
    pub steadiness: f64,
    /// A word of captions without pictures is taken if such captions stand above others at least
    /// this often, by a direction learnt from other captions with it.
    pub telling: f64,
    /// Ridge of the logistic regressions from pictures to words, in units of the mean variance of a
    /// dimension.
    pub response_ridge: f64,
    /// How much the standard score of a text as a whole counts beside the responses of its words,
    /// for each word beyond the first.
    pub whole: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            space: contrastive::Params::default(),
            ridge: 0.3,
            least: 2.0,
            steadiness: 50.0,
            telling: 0.75,
            response_ridge: 0.06,
            whole: 0.2,
        }
    }
}

impl Settings for Params {
    fn check(&self) -> Result<()> {
        self.space.check()?;
        above_zero(&[
            ("ridge", Some(self.ridge)),
            ("least", Some(self.least)),
            ("steadiness", Some(self.steadiness)),
            ("telling", Some(self.telling)),
            ("response_ridge", Some(self.response_ridge)),
        ])?;
        zero_or_more(&[("whole", self.whole)])
    }
}

/// What a lexicon is fitted on.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Captioned pictures: the space is fitted on them.
    pub captioned: Training<'a>,
    /// Other captioned pictures: probabilities are fitted on them.
    pub held_out: Training<'a>,
    /// Where more words come from.
    pub evidence: &'a [Evidence<'a>],
    /// Captions of pictures that are not at hand, all those of one picture together: more words
    /// still.
    pub described: &'a [Vec<&'a str>],
}

/// A fitted lexicon.
#[derive(Debug, Clone, PartialEq)]
pub struct Lexicon {
    origin: Origin,
    params: Params,
    space: WordSpace,
    background: Background,
    responses: Responses,
    keywords: Keywords,
    relevance: Relevance,
    likeness: Likeness,
}

impl Lexicon {
    /// Fits the space, widens it, and learns what its scores mean.
    ///
    /// # Errors
    /// If a setting or the data make no sense, naming what; or [`Error::Interrupted`].
    pub fn fit(data: &Sources<'_>, params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        data.held_out.check()?;
        let narrow = Contrastive::fit(&data.captioned, &params.space, progress)?.space;
        progress.begin("widening", Some(3));
        let widened = widen::widen(&narrow, data.evidence, params)?;
        let mut space = described::describe(&widened, data.described, params)?;
        // What is kept on disk is what probabilities are fitted for.
        for matrix in [&mut space.mean, &mut space.image, &mut space.origin, &mut space.words] {
            to_half(matrix);
        }
        progress.advance(1);
        let mut background = Background::of(&space.encode_images(data.captioned.features)?);
        to_half(&mut background.sample);
        let mut responses = Responses::fit(&space, &background, data, params)?;
        to_half(&mut responses.rows);
        progress.advance(1);
        let keywords = Keywords::fit(&space, &responses, data, params)?;
        let (relevance, likeness) =
            JudgedBy::new(&space, &background, &responses, params).meanings(&data.held_out)?;
        progress.advance(1);
        let mut origin = Origin::of(&data.captioned);
        for evidence in data.evidence {
            origin.training.insert(
                evidence.name.into(),
                json!({ "pictures": evidence.features.rows(), "words": evidence.words.len() }),
            );
        }
        record_described(&mut origin, data.described, &widened, &space);
        let params = params.clone();
        Ok(Self { origin, params, space, background, responses, keywords, relevance, likeness })
    }

    /// Tells a lexicon in a folder more words by captions without pictures, and learns anew what
    /// its scores mean; its other words and its keywords stay as they are. Of `data` evidence is
    /// not looked at, and of the captioned pictures only how they lie.
    ///
    /// # Errors
    /// If a file is missing or does not fit, or the pictures are another extractor's.
    pub fn retell(folder: &Path, data: &Sources<'_>) -> Result<Self> {
        let reader = Reader::open(folder, KIND, VERSION)?;
        let (params, narrow) = reader_space(&reader)?;
        if data.captioned.extractor != reader.manifest.extractor {
            let what = format!("its pictures are seen through {}", reader.manifest.extractor);
            return Err(Error::Data { what });
        }
        let mut space = described::describe(&narrow, data.described, &params)?;
        to_half(&mut space.words);
        let keywords = reader_keywords(&reader, &space)?;
        let mut background = Background::of(&space.encode_images(data.captioned.features)?);
        to_half(&mut background.sample);
        let by_vector = Responses::of_vectors(&space, &background, &data.held_out)?;
        let mut responses =
            reader_responses(&reader, &narrow)?.in_space(&narrow, &space, by_vector);
        to_half(&mut responses.rows);
        let (relevance, likeness) =
            JudgedBy::new(&space, &background, &responses, &params).meanings(&data.held_out)?;
        let mut origin = Origin::read(&reader);
        record_described(&mut origin, data.described, &narrow, &space);
        Ok(Self { origin, params, space, background, responses, keywords, relevance, likeness })
    }

    /// Fits it on captioned pictures alone: a tenth of them, by what they say, is held out.
    ///
    /// # Errors
    /// As [`Self::fit`].
    pub fn fit_captions(
        data: &Training<'_>,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        data.check()?;
        let held_out = |row: &usize| {
            let said = data.texts[*row].join("\n");
            ContentHash::of(said.as_bytes()).0[0].is_multiple_of(10)
        };
        let (out, kept): (Vec<usize>, Vec<usize>) = (0..data.texts.len()).partition(held_out);
        // Too few to hold any back: better rough probabilities than none.
        let out = if out.len() < 2 { kept.clone() } else { out };
        let (kept_features, kept_texts) = data.rows(&kept);
        let (out_features, out_texts) = data.rows(&out);
        let extractor = data.extractor;
        let sources = Sources {
            captioned: Training { extractor, features: &kept_features, texts: &kept_texts },
            held_out: Training { extractor, features: &out_features, texts: &out_texts },
            evidence: &[],
            described: &[],
        };
        Self::fit(&sources, params, progress)
    }

    /// The settings it was fitted with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The words it knows, as its analysis leaves them.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.space.bag.words()
    }

    /// Every word that it can give to a picture.
    pub fn keyword_list(&self) -> impl ExactSizeIterator<Item = &str> {
        self.keywords.words()
    }

    /// The words of a text that it does not know, as they are written.
    pub fn unknown(&self, text: &str) -> Vec<String> {
        self.space.bag.unknown(text)
    }

    /// The keywords of each picture with their probability, the most probable first; `images` are
    /// rows of [`DualEncoder::encode_images`](crate::DualEncoder::encode_images).
    ///
    /// # Errors
    /// If the rows have another length.
    pub fn keywords(&self, images: &Matrix) -> Result<Vec<Vec<Keyword<'_>>>> {
        self.keywords.of(&self.responses, images)
    }

    /// How probable it is, for each picture, that somebody would call it relevant for `text`;
    /// `None` if the text holds no known word. `scores` has a row for each of the text's
    /// [`Understands::probes`](crate::Understands::probes) and a column a picture.
    ///
    /// # Errors
    /// If the text cannot be encoded, or the scores are others.
    pub fn relevance(&self, text: &str, scores: &Matrix) -> Result<Option<Vec<f64>>> {
        let vector = self.space.encode_texts(&[text])?;
        let known = self.known(text);
        // A word that nobody wrote is at least as rare as one that a single picture has.
        let rarest = self.space.bag.rarest().powi(2);
        let unknown = vec![rarest; self.unknown(text).len()];
        let Some(asked) = Asked::new(&self.space, &known, &unknown) else { return Ok(None) };
        if scores.rows() != known.len() + 1 {
            return Err(Error::Shape { expected: known.len() + 1, found: scores.rows() });
        }
        let spread = self.background.spread(vector.row(0))?;
        let side = self.space.dimensions();
        let picture = |at: usize| {
            let words = known.iter().enumerate().map(|(k, &word)| {
                f64::from(scores.row(k + 1)[at] + self.responses.rows.row(word)[side])
            });
            self.relevance.of(&spread, &asked, scores.row(0)[at], words, self.params.whole)
        };
        Ok(Some((0..scores.columns()).map(picture).collect()))
    }

    /// The vector of a text, then the weights of each of its words' response.
    fn text_probes(&self, text: &str) -> Result<Matrix> {
        let vector = self.space.encode_texts(&[text])?;
        let (known, side) = (self.known(text), self.space.dimensions());
        let mut probes = Matrix::zeros(1 + known.len(), side);
        probes.row_mut(0).copy_from_slice(vector.row(0));
        for (k, &word) in known.iter().enumerate() {
            probes.row_mut(k + 1).copy_from_slice(&self.responses.rows.row(word)[..side]);
        }
        Ok(probes)
    }

    /// The known words of a text, as rows of the bag.
    fn known(&self, text: &str) -> Vec<usize> {
        self.space.bag.encode(&[text]).iter().map(|&(at, _)| at).collect()
    }

    /// How probable it is, for each score of another picture with a picture, that somebody would
    /// call the two alike: that their captions would share most of what they say. `image` is a row
    /// of [`DualEncoder::encode_images`](crate::DualEncoder::encode_images), a score the dot product with another.
    ///
    /// # Errors
    /// If the row has another length.
    pub fn likeness(&self, image: &[f32], scores: &[f32]) -> Result<Vec<f64>> {
        let spread = self.background.spread(image)?;
        Ok(scores.iter().map(|&score| self.likeness.of(&spread, score)).collect())
    }

    /// How far [`Self::relevance`] and [`Self::likeness`] can be believed on these captioned
    /// pictures, which should not be those that it was fitted on; `None` if they tell nothing.
    ///
    /// # Errors
    /// If features and texts do not fit.
    pub fn reliability(&self, data: &Training<'_>) -> Result<Option<[Reliability; 2]>> {
        data.check()?;
        let (mut relevance, mut likeness) = (Tally::default(), Tally::default());
        let (space, background) = (&self.space, &self.background);
        let judged_by = JudgedBy::new(space, background, &self.responses, &self.params);
        relevance::pairs(&judged_by, data, &mut |sample| {
            let said = self.relevance.probability(sample.inputs);
            relevance.add(said, sample.sure, sample.often);
        })?;
        likeness::pairs(space, background, data, &mut |standard, alike| {
            let said = self.likeness.weights.probability([standard]);
            likeness.add(said, if alike { 1.0 } else { 0.0 }, 1.0);
        })?;
        Ok(relevance.finish().zip(likeness.finish()).map(<[Reliability; 2]>::from))
    }

    /// Reads a model from its folder.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn load(folder: &Path) -> Result<Self> {
        Self::read(Reader::open(folder, KIND, VERSION)?)
    }

    /// Reads a model from files in memory: their names and contents.
    ///
    /// # Errors
    /// If a file is missing or does not fit, naming the file and the tensor.
    pub fn embedded(files: &'static [(&'static str, &'static [u8])]) -> Result<Self> {
        Self::read(Reader::embedded(files, KIND, VERSION)?)
    }

    fn read(reader: Reader) -> Result<Self> {
        let (params, space) = reader_space(&reader)?;
        let side = Some(space.dimensions());
        let background =
            Background { sample: reader.tensor("background", [Some(background::SAMPLE), side])? };
        let weights = Weights::from_tensor(
            &reader.tensor("relevance", [Some(1), Some(relevance::INPUTS + 1)])?,
        );
        let relevance = Relevance { weights };
        let weights = Weights::from_tensor(&reader.tensor("likeness", [Some(1), Some(2)])?);
        let likeness = Likeness { weights };
        let keywords = reader_keywords(&reader, &space)?;
        let responses = reader_responses(&reader, &space)?;
        let origin = Origin::read(&reader);
        Ok(Self { origin, params, space, background, responses, keywords, relevance, likeness })
    }
}

fn reader_space(reader: &Reader) -> Result<(Params, WordSpace)> {
    let params: Params = reader.settings()?;
    let space = WordSpace::read(reader, params.space.start.text)?;
    Ok((params, space))
}

fn reader_keywords(reader: &Reader, space: &WordSpace) -> Result<Keywords> {
    let names = reader.text(keywords::FILE)?;
    let names: Vec<&str> = names.lines().collect();
    Keywords::read(&names, space)
        .map_err(|what| reader.damaged(format!("{}: {what}", keywords::FILE)))
}

fn reader_responses(reader: &Reader, space: &WordSpace) -> Result<Responses> {
    let shape = [Some(space.bag.len()), Some(space.dimensions() + 1)];
    Ok(Responses { rows: reader.tensor("responses", shape)? })
}

/// Says in the record how many words captions without pictures have brought.
fn record_described(
    origin: &mut Origin,
    described: &[Vec<&str>],
    before: &WordSpace,
    after: &WordSpace,
) {
    if !described.is_empty() {
        let words = after.bag.len() - before.bag.len();
        let record = json!({ "pictures": described.len(), "words": words });
        origin.training.insert("described".into(), record);
    }
}

/// Rounds to what 16 bits hold.
fn to_half(matrix: &mut Matrix) {
    matrix.values_mut().iter_mut().for_each(|value| *value = f16::from_f32(*value).to_f32());
}

impl Model for Lexicon {
    /// Numbers are kept in 16 bits.
    fn save(&self, folder: &Path) -> Result<()> {
        let analysis = self.space.bag.analysis();
        let manifest = self.origin.manifest((KIND, VERSION), analysis, &self.params);
        let mut writer = Writer::new(folder, manifest)?.in_half();
        let relevance = self.relevance.weights.tensor();
        let likeness = self.likeness.weights.tensor();
        self.space.write(
            &mut writer,
            &[
                ("background", &self.background.sample),
                ("likeness", &likeness),
                ("relevance", &relevance),
                ("responses", &self.responses.rows),
            ],
        )?;
        writer.text(keywords::FILE, &self.keywords.to_text())?;
        writer.finish()
    }
}

encodes_in_space!(Lexicon);
