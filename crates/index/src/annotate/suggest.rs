//! Keywords and sentences for photos, by one model or by several together.

use std::collections::BTreeMap;

use rebus_collection::Matrix;
use rebus_eval::fusion::{Fusion, fuse};
use rebus_models::{Meaning, Understands, dot_products};
use rebus_text::porter::{Variant, stem};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::CaptionPool;
use crate::{Error, Result};

/// So many sentences of each model are looked at more closely: what their scores mean.
const SHORTLIST: usize = 50;
/// So many keywords of each model take part when several models speak.
const LISTED: usize = 200;

/// Words that count, measure, say where, speak of the photo itself or need another word beside them.
/// Nobody looks for photos of "several" or "wearing", and a model that sees the picture as a whole cannot
/// count.
#[rustfmt::skip]
const NO_KEYWORDS: &[&str] = &[
    "across", "along", "area", "atop", "back", "background", "behind", "couple", "eight",
    "five", "four", "front", "getting", "group", "has", "having", "holding", "holds", "large",
    "leaning", "little", "looking", "looks", "making", "many", "near", "next", "nine", "old", "one",
    "pair", "photo", "picture", "pose", "poses", "posing", "seven", "several", "shot", "side", "six",
    "small", "something", "standing", "stands", "system", "taking", "ten", "three", "top", "trying",
    "two", "using", "watches", "watching", "wearing", "wears", "young",
];

/// A keyword or a sentence for a photo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    /// The word or the sentence.
    pub text: String,
    /// How probable it is that somebody would say so; unknown from models that only order. Of
    /// several models, the mean of those that know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// What it was ranked by; of several models, their scores made into one.
    pub score: f64,
}

/// What is suggested for one photo, the best first.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Suggestions {
    /// Keywords.
    pub keywords: Vec<Suggestion>,
    /// Sentences of the pool.
    pub sentences: Vec<Suggestion>,
}

/// How much is suggested.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// At most so many keywords.
    pub keywords: usize,
    /// At most so many sentences.
    pub sentences: usize,
    /// Nothing that is known to be less probable.
    pub min_probability: f64,
}

impl Default for Asked {
    fn default() -> Self {
        Self { keywords: 10, sentences: 3, min_probability: 0.1 }
    }
}

/// Models that annotate together, and the sentences that they choose from.
pub struct Annotator<'a> {
    voices: Vec<Voice<'a>>,
    pool: CaptionPool,
    fusion: Fusion,
}

/// A model with the vectors of what it may say.
struct Voice<'a> {
    model: &'a dyn Understands,
    /// A row a sentence of the pool.
    sentences: Matrix,
    /// Words of the pool with their vectors, for a model that gives no keywords of its own.
    words: Option<(Vec<String>, Matrix)>,
}

/// What one model says about one photo.
type Said = Vec<Suggestion>;

impl<'a> Annotator<'a> {
    /// Prepares models to choose from a pool. A model that gives no keywords chooses from the words
    /// of the pool.
    ///
    /// # Errors
    /// If there is no model, or one cannot encode the pool.
    pub fn new(models: &[&'a dyn Understands], pool: CaptionPool, fusion: Fusion) -> Result<Self> {
        if models.is_empty() {
            return Err(Error::NoSuch { kind: "model", name: "any".into(), known: Vec::new() });
        }
        let texts: Vec<&str> = pool.sentences().iter().map(String::as_str).collect();
        let mut voices = Vec::with_capacity(models.len());
        for &model in models {
            let sentences = model.encode_texts(&texts)?;
            let silent = Matrix::zeros(0, model.dimensions());
            let words = match model.probable_keywords(&silent)? {
                Some(_) => None,
                None => Some(words(model, &pool)?),
            };
            voices.push(Voice { model, sentences, words });
        }
        Ok(Self { voices, pool, fusion })
    }

    /// Annotates photos: `images` has for each model the photos' vectors, a row a photo in the same
    /// order.
    ///
    /// # Errors
    /// If there is not one matrix a model, or their rows do not fit.
    pub fn suggest(&self, images: &[Matrix], asked: &Asked) -> Result<Vec<Suggestions>> {
        let rows = images.first().map_or(0, Matrix::rows);
        let odd = images.iter().map(Matrix::rows).find(|&other| other != rows);
        if images.len() != self.voices.len() || odd.is_some() {
            let found = odd.unwrap_or(images.len());
            return Err(Error::Shape { expected: self.voices.len(), found });
        }
        let (mut keywords, mut sentences) = (Vec::new(), Vec::new());
        for (voice, images) in self.voices.iter().zip(images) {
            keywords.push(if asked.keywords > 0 { voice.keywords(images)? } else { Vec::new() });
            let wanted = asked.sentences > 0 && !self.pool.sentences().is_empty();
            sentences.push(if wanted { voice.sentences(&self.pool, images)? } else { Vec::new() });
        }
        let photo = |row: usize| {
            let all = |said: &[Vec<Said>]| -> Vec<Said> {
                said.iter().filter_map(|photos| photos.get(row).cloned()).collect()
            };
            Ok(Suggestions {
                keywords: self.together(all(&keywords), word_key, asked.keywords, asked)?,
                sentences: self.together(all(&sentences), str::to_owned, asked.sentences, asked)?,
            })
        };
        (0..rows).map(photo).collect()
    }

    /// One list of what several said; `key` tells when two say the same.
    fn together(
        &self,
        mut said: Vec<Said>,
        key: fn(&str) -> String,
        most: usize,
        asked: &Asked,
    ) -> Result<Said> {
        let probable = |suggestion: &Suggestion| {
            suggestion.probability.is_none_or(|probability| probability >= asked.min_probability)
        };
        if said.len() < 2 {
            let only = said.pop().unwrap_or_default();
            return Ok(only.into_iter().filter(probable).take(most).collect());
        }
        let mut texts: FxHashMap<String, (String, Vec<f64>)> = FxHashMap::default();
        let mut lists = Vec::with_capacity(said.len());
        for list in said {
            let mut once = FxHashSet::default();
            let mut ranked = Vec::with_capacity(list.len().min(LISTED));
            for Suggestion { text, probability, score } in list.into_iter().take(LISTED) {
                let key = key(&text);
                if once.insert(key.clone()) {
                    texts.entry(key.clone()).or_insert((text, Vec::new())).1.extend(probability);
                    ranked.push((key, score));
                }
            }
            lists.push(ranked);
        }
        let lists: Vec<&[(String, f64)]> = lists.iter().map(Vec::as_slice).collect();
        let fused = fuse(&lists, self.fusion)
            .map_err(|error| rebus_models::Error::Data { what: error.to_string() })?;
        let one = |(key, score): (String, f64)| {
            let (text, probabilities) = texts.remove(&key)?;
            let count = probabilities.len() as f64;
            let probability = (count > 0.0).then(|| probabilities.iter().sum::<f64>() / count);
            Some(Suggestion { text, probability, score })
        };
        Ok(fused.into_iter().filter_map(one).filter(probable).take(most).collect())
    }
}

/// Whether a model found nothing in a photo that it knows: then any order of texts would be chance.
fn says_nothing(vector: &[f32]) -> bool {
    vector.iter().all(|&value| value == 0.0)
}

impl Voice<'_> {
    fn keywords(&self, images: &Matrix) -> Result<Vec<Said>> {
        if let Some((words, vectors)) = &self.words {
            let scores = dot_products(images, vectors)?;
            let photo = |row: usize| {
                if says_nothing(images.row(row)) {
                    return Said::new();
                }
                let said = words.iter().zip(scores.row(row)).map(|(word, &score)| Suggestion {
                    text: word.clone(),
                    probability: None,
                    score: f64::from(score),
                });
                let mut said: Said = said.collect();
                said.sort_by(|a, b| b.score.total_cmp(&a.score));
                said
            };
            return Ok((0..images.rows()).map(photo).collect());
        }
        let lists = self.model.probable_keywords(images)?.unwrap_or_default();
        let suggestion = |keyword: rebus_models::lexicon::Keyword<'_>| Suggestion {
            text: keyword.word.to_owned(),
            probability: Some(keyword.probability),
            score: keyword.probability,
        };
        let photo = |list: Vec<rebus_models::lexicon::Keyword<'_>>| {
            list.into_iter().filter(|keyword| names(keyword.word)).map(suggestion).collect()
        };
        Ok(lists.into_iter().map(photo).collect())
    }

    fn sentences(&self, pool: &CaptionPool, images: &Matrix) -> Result<Vec<Said>> {
        let scores = dot_products(images, &self.sentences)?;
        // For each sentence the photos that it may be for, so that its meaning is asked for once.
        let mut asked: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for row in (0..images.rows()).filter(|&row| !says_nothing(images.row(row))) {
            let scores = scores.row(row);
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
            for at in order.into_iter().take(SHORTLIST) {
                asked.entry(at).or_default().push(row);
            }
        }
        let mut said: Vec<Said> = vec![Vec::new(); images.rows()];
        for (at, photos) in asked {
            let text = &pool.sentences()[at];
            let scores = dot_products(&self.model.probes(text)?, &images.only(&photos))?;
            let probabilities = match self.model.meaning_for_text(text, &scores)? {
                Meaning::Nothing => continue,
                Meaning::Uncalibrated => None,
                Meaning::Probabilities(found) => Some(found),
            };
            for (k, row) in photos.into_iter().enumerate() {
                let probability = probabilities.as_ref().and_then(|found| found.get(k).copied());
                let score = probability.unwrap_or(f64::from(scores.row(0)[k]));
                said[row].push(Suggestion { text: text.clone(), probability, score });
            }
        }
        for said in &mut said {
            said.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        Ok(said)
    }
}

/// The words of a pool that a model can place, with their vectors.
fn words(model: &dyn Understands, pool: &CaptionPool) -> Result<(Vec<String>, Matrix)> {
    let candidates = pool.words();
    let texts: Vec<&str> = candidates.iter().map(String::as_str).collect();
    let vectors = model.encode_texts(&texts)?;
    let mut seen = FxHashSet::default();
    let placed = |row: &usize| {
        names(&candidates[*row]) && vectors.row(*row).iter().any(|&value| value != 0.0)
    };
    // Forms of one word have one vector; the first in the alphabet stands for them.
    let mut kept: Vec<usize> = (0..vectors.rows()).filter(placed).collect();
    kept.retain(|&row| {
        seen.insert(vectors.row(row).iter().map(|value| value.to_bits()).collect::<Vec<u32>>())
    });
    let rows = vectors.only(&kept);
    let words = kept.into_iter().map(|at| candidates[at].clone()).collect();
    Ok((words, rows))
}

impl Suggestions {
    /// The same without keywords that are in `known` already, in whatever case or number.
    #[must_use]
    pub fn without<'k>(mut self, known: impl IntoIterator<Item = &'k str>) -> Self {
        let known: FxHashSet<String> = known.into_iter().map(word_key).collect();
        self.keywords.retain(|keyword| !known.contains(&word_key(&keyword.text)));
        self
    }
}

/// Whether a word names something that is seen, rather than how many, how large or where.
fn names(word: &str) -> bool {
    NO_KEYWORDS.binary_search(&word).is_err()
}

/// What two keywords share when they say the same.
pub(super) fn word_key(word: &str) -> String {
    let word = word.trim().to_lowercase();
    let stems: Vec<String> =
        word.split_whitespace().map(|part| stem(part, Variant::default())).collect();
    stems.join(" ")
}

#[cfg(test)]
mod tests {
    use rebus_models::DualEncoder;
    use rebus_models::lexicon::Keyword;

    use super::*;

    #[test]
    fn words_that_name_nothing_are_no_keywords() {
        assert!(NO_KEYWORDS.is_sorted());
        assert!(names("dog") && !names("two") && !names("several"));
    }

    /// Two dimensions: how much dog and how much sea.
    struct Toy {
        keywords: bool,
        swapped: bool,
    }

    impl DualEncoder for Toy {
        fn extractor(&self) -> &str {
            "by-eye/1"
        }

        fn dimensions(&self) -> usize {
            2
        }

        fn encode_images(&self, features: &Matrix) -> rebus_models::Result<Matrix> {
            Ok(features.clone())
        }

        fn encode_texts(&self, texts: &[&str]) -> rebus_models::Result<Matrix> {
            let mut vectors = Matrix::zeros(texts.len(), 2);
            for (row, text) in texts.iter().enumerate() {
                let text = text.to_lowercase();
                let both = [text.contains("dog"), text.contains("sea")];
                let both = both.map(|there| if there { 1.0 } else { 0.0 });
                let both = if self.swapped { [both[1], both[0]] } else { both };
                vectors.row_mut(row).copy_from_slice(&both);
            }
            Ok(vectors)
        }
    }

    impl Understands for Toy {
        fn probable_keywords(
            &self,
            images: &Matrix,
        ) -> rebus_models::Result<Option<Vec<Vec<Keyword<'_>>>>> {
            let photo = |row: usize| {
                let [dog, sea] = [images.row(row)[0], images.row(row)[1]].map(f64::from);
                let mut words = vec![
                    Keyword { word: "dog", probability: dog },
                    Keyword { word: "sea", probability: sea },
                ];
                words.sort_by(|a, b| b.probability.total_cmp(&a.probability));
                words
            };
            Ok(self.keywords.then(|| (0..images.rows()).map(photo).collect()))
        }

        fn meaning_for_text(&self, _: &str, scores: &Matrix) -> rebus_models::Result<Meaning> {
            Ok(match self.keywords {
                true => Meaning::Probabilities(
                    scores.row(0).iter().map(|&s| f64::from(s) / 2.0).collect(),
                ),
                false => Meaning::Uncalibrated,
            })
        }
    }

    fn pool() -> CaptionPool {
        CaptionPool::of(["The dogs run.", "The sea is blue.", "Nothing at all."])
    }

    fn photos() -> Matrix {
        Matrix::new(2, 2, vec![0.9, 0.3, 0.05, 0.8]).unwrap()
    }

    fn texts(said: &[Suggestion]) -> Vec<&str> {
        said.iter().map(|suggestion| suggestion.text.as_str()).collect()
    }

    #[test]
    fn one_model_with_probabilities() {
        let toy = Toy { keywords: true, swapped: false };
        let annotator = Annotator::new(&[&toy], pool(), Fusion::Borda).unwrap();
        let found = annotator.suggest(&[photos()], &Asked::default()).unwrap();
        assert_eq!(texts(&found[0].keywords), ["dog", "sea"]);
        // 0.05 is below the floor.
        assert_eq!(texts(&found[1].keywords), ["sea"]);
        assert_eq!(found[0].sentences[0].text, "The dogs run.");
        assert!((found[0].sentences[0].probability.unwrap() - 0.45).abs() < 1e-6);
        let asked = Asked { keywords: 1, sentences: 0, ..Asked::default() };
        let found = annotator.suggest(&[photos()], &asked).unwrap();
        assert_eq!(found[0].keywords.len(), 1);
        assert!(found[0].sentences.is_empty());
        assert!(annotator.suggest(&[], &asked).is_err());
    }

    #[test]
    fn a_model_without_keywords_takes_the_words_of_the_pool() {
        let toy = Toy { keywords: false, swapped: false };
        let annotator = Annotator::new(&[&toy], pool(), Fusion::Borda).unwrap();
        let found = annotator.suggest(&[photos()], &Asked::default()).unwrap();
        assert_eq!(texts(&found[1].keywords), ["sea", "dogs"]);
        assert_eq!(found[1].keywords[0].probability, None);
        assert_eq!(found[1].sentences[0].text, "The sea is blue.");
    }

    #[test]
    fn of_a_photo_in_which_nothing_is_known_nothing_is_said() {
        let nothing = Matrix::zeros(1, 2);
        let plain = Toy { keywords: false, swapped: false };
        let annotator = Annotator::new(&[&plain], pool(), Fusion::Borda).unwrap();
        let found = annotator.suggest(std::slice::from_ref(&nothing), &Asked::default()).unwrap();
        assert!(found[0].keywords.is_empty() && found[0].sentences.is_empty(), "{found:?}");
    }

    #[test]
    fn several_models_speak_together() {
        let sure = Toy { keywords: true, swapped: false };
        let plain = Toy { keywords: false, swapped: false };
        let other = Toy { keywords: false, swapped: true };
        let models: [&dyn Understands; 3] = [&sure, &plain, &other];
        let annotator = Annotator::new(&models, pool(), Fusion::Borda).unwrap();
        let images = [photos(), photos(), photos()];
        let found = annotator.suggest(&images, &Asked::default()).unwrap();
        // Two of three say dog; dog and dogs are one.
        assert_eq!(texts(&found[0].keywords), ["dog", "sea"]);
        assert!((found[0].keywords[0].probability.unwrap() - 0.9).abs() < 1e-6);
        assert_eq!(found[0].sentences[0].text, "The dogs run.");
        let models: [&dyn Understands; 3] = [&other, &plain, &other];
        let annotator = Annotator::new(&models, pool(), Fusion::Borda).unwrap();
        let found = annotator.suggest(&images, &Asked::default()).unwrap();
        assert_eq!(found[0].keywords[0].text, "sea");
    }

    #[test]
    fn what_is_known_is_not_new() {
        let one = |text: &str| Suggestion { text: text.into(), probability: None, score: 1.0 };
        let all = Suggestions { keywords: vec![one("dog"), one("sea")], sentences: Vec::new() };
        assert_eq!(texts(&all.without(["Dogs", "snow"]).keywords), ["sea"]);
    }
}
