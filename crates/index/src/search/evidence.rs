//! One reading of a query, and how it judges photos.

use std::path::Path;

use rebus_models::{Understands, conjunction, pooled};
use rebus_query::{Filter, Reading};
use rustc_hash::FxHashMap;

use super::relevance::{Asked, Relevance, either, relevance};
use super::written::{self, Written};
use super::{CANDIDATES, CUT_OFF, RelevanceKind, Searcher, filter};
use crate::{PhotoId, Result, Selection};

/// How much of an excluded part's vector is taken away.
const AGAINST: f32 = 0.5;
/// A photo is a candidate for what is written about it from this relevance on.
const MENTIONED: f64 = 0.02;

/// What a query wants to see, or not to see.
#[derive(Debug)]
pub(super) struct Wanted {
    /// The words or the path, as they were typed.
    pub(super) name: String,
    pub(super) what: What,
    pub(super) weight: f64,
    /// All zeros where nothing is known.
    pub(super) vector: Vec<f32>,
    /// The known words of a sentence of several, each by itself.
    pub(super) words: Vec<WantedWord>,
    /// What is written of it.
    pub(super) written: Written,
}

/// A word of a sentence.
#[derive(Debug)]
pub(super) struct WantedWord {
    pub(super) word: String,
    vector: Vec<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Words,
    Picture,
}

impl Wanted {
    pub(super) fn image(name: &str, vector: Vec<f32>, weight: f64) -> Self {
        let (name, what, words) = (name.to_owned(), What::Picture, Vec::new());
        Self { name, what, weight, vector, words, written: Written::default() }
    }

    fn words(searcher: &Searcher<'_>, words: &rebus_query::Words) -> Result<Self> {
        let vectors = searcher.model.encode_texts(&[&words.text])?;
        Ok(Self {
            name: words.text.clone(),
            what: What::Words,
            weight: f64::from(words.weight.get()),
            vector: vectors.row(0).to_vec(),
            words: several_words(searcher.model, &words.text)?,
            written: Written::of(&searcher.snapshot, &words.text)?,
        })
    }

    fn example(searcher: &Searcher<'_>, example: &rebus_query::Example) -> Result<Self> {
        let vector = searcher.example(Path::new(&example.path))?;
        Ok(Self::image(&example.path, vector, f64::from(example.weight.get())))
    }

    fn is_known(&self) -> bool {
        self.vector.iter().any(|&value| value != 0.0)
    }

    /// How probable it is that each photo shows it, by its looks; and whether that is calibrated.
    pub(super) fn seen(
        &self,
        searcher: &Searcher<'_>,
        ids: &[PhotoId],
    ) -> Result<(Vec<f64>, bool)> {
        let asked = match self.what {
            What::Words => Asked::Text(&self.name),
            What::Picture => Asked::Image(&self.vector),
        };
        let (mut whole, calibrated) = judged(searcher, asked, &self.vector, ids)?;
        if !calibrated {
            // How far photos stand out is nothing to be put together.
            return Ok((whole, calibrated));
        }
        let words = self.words.iter().map(|word| word.seen(searcher, ids));
        let words = words.collect::<Result<Vec<Vec<f64>>>>()?;
        for (at, whole) in whole.iter_mut().enumerate() {
            let words: Vec<f64> = words.iter().map(|word| word[at]).collect();
            *whole = conjunction(*whole, &words);
        }
        Ok((whole, calibrated))
    }

    /// The same by looks and by what is written.
    fn relevance(
        &self,
        searcher: &Searcher<'_>,
        ids: &[PhotoId],
        among: &Selection,
    ) -> Result<(Vec<f64>, bool)> {
        let (mut seen, calibrated) = self.seen(searcher, ids)?;
        let coverage = self.written.coverage(among);
        for (seen, id) in seen.iter_mut().zip(ids) {
            if let Some(&share) = coverage.get(id) {
                *seen = either(*seen, written::relevance(share));
            }
        }
        Ok((seen, calibrated))
    }
}

impl WantedWord {
    /// How probable it is that each photo shows the word.
    pub(super) fn seen(&self, searcher: &Searcher<'_>, ids: &[PhotoId]) -> Result<Vec<f64>> {
        Ok(judged(searcher, Asked::Text(&self.word), &self.vector, ids)?.0)
    }
}

/// The words of a text that a model knows, with their vectors, if there are several.
fn several_words(model: &dyn Understands, text: &str) -> Result<Vec<WantedWord>> {
    let mut parts = model.word_parts(text)?;
    if parts.len() < 2 {
        parts.clear();
    }
    let words: Vec<&str> = parts.iter().map(|part| part.word.as_str()).collect();
    let vectors = model.encode_texts(&words)?;
    let word = |(at, word): (usize, &&str)| WantedWord {
        word: (*word).to_owned(),
        vector: vectors.row(at).to_vec(),
    };
    Ok(words.iter().enumerate().map(word).collect())
}

/// How relevant photos are by one vector, 0 for those without one; and whether that is calibrated.
fn judged(
    searcher: &Searcher<'_>,
    asked: Asked<'_>,
    vector: &[f32],
    ids: &[PhotoId],
) -> Result<(Vec<f64>, bool)> {
    let scores = searcher.engine.scores(vector, ids)?;
    let looked_at: Vec<f32> = scores.iter().copied().flatten().collect();
    let engine = &*searcher.engine;
    let found = relevance(searcher.model, engine, &searcher.seen, asked, vector, &looked_at)?;
    let (relevances, calibrated) = match found {
        Relevance::Nothing => (vec![0.0; looked_at.len()], true),
        Relevance::Calibrated(relevances) => (relevances, true),
        Relevance::Uncalibrated(relevances) => (relevances, false),
    };
    let mut relevances = relevances.into_iter();
    let each = scores.iter().map(|score| score.and_then(|_| relevances.next()).unwrap_or(0.0));
    Ok((each.collect(), calibrated))
}

/// One photo under one reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged {
    pub(super) id: PhotoId,
    pub(super) relevance: f64,
    pub(super) score: Option<f32>,
}

/// What a reading made of the photos.
pub(super) struct Judgement {
    pub(super) photos: Vec<Judged>,
    pub(super) kind: RelevanceKind,
    /// Whether the last candidate was still a match.
    pub(super) cut_short: bool,
}

/// One reading of a query, ready to judge.
pub(super) struct Evidence<'q> {
    pub(super) wanted: Vec<Wanted>,
    pub(super) unwanted: Vec<Wanted>,
    pub(super) filter: &'q Filter,
    selection: Selection,
    /// Where the photos lie that are wanted, of length 1; zeros where nothing is known.
    pub(super) vector: Vec<f32>,
}

impl<'q> Evidence<'q> {
    pub(super) fn of(searcher: &Searcher<'_>, reading: &'q Reading) -> Result<Self> {
        let words = |words| Wanted::words(searcher, words);
        let example = |example| Wanted::example(searcher, example);
        let wanted = reading.sentence.iter().map(words).chain(reading.like.iter().map(example));
        let unwanted =
            reading.exclusions.iter().map(words).chain(reading.unlike.iter().map(example));
        let (wanted, unwanted) = (wanted.collect::<Result<_>>()?, unwanted.collect::<Result<_>>()?);
        Self::new(searcher, wanted, unwanted, &reading.filter)
    }

    pub(super) fn of_one(
        searcher: &Searcher<'_>,
        wanted: Wanted,
        filter: &'q Filter,
    ) -> Result<Self> {
        Self::new(searcher, vec![wanted], Vec::new(), filter)
    }

    /// The same without a photo.
    pub(super) fn without(mut self, photo: Option<PhotoId>) -> Self {
        photo.into_iter().for_each(|id| self.selection.remove(id));
        self
    }

    fn new(
        searcher: &Searcher<'_>,
        wanted: Vec<Wanted>,
        unwanted: Vec<Wanted>,
        filter: &'q Filter,
    ) -> Result<Self> {
        let mut vector = vec![0.0; searcher.model.dimensions()];
        for (parts, sign) in [(&wanted, 1.0), (&unwanted, -AGAINST)] {
            for part in parts {
                let weight = sign * part.weight as f32;
                vector.iter_mut().zip(&part.vector).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        let length = vector.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
        let selection = filter::matching(&searcher.snapshot, filter)?;
        Ok(Self { wanted, unwanted, filter, selection, vector })
    }

    /// The sentence, without weights.
    pub(super) fn text(&self) -> String {
        let words = self.wanted.iter().filter(|wanted| wanted.what == What::Words);
        words.map(|wanted| wanted.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The words that neither the model knows nor anybody wrote.
    pub(super) fn unknown_words(&self, model: &dyn Understands) -> Vec<String> {
        let mut unknown = Vec::new();
        for part in self.wanted.iter().chain(&self.unwanted) {
            if part.what == What::Words {
                let written = |word: &String| {
                    part.written.words.iter().any(|it| it.word == *word && !it.photos.is_empty())
                };
                unknown.extend(model.unknown(&part.name).into_iter().filter(|word| !written(word)));
            }
        }
        unknown
    }

    /// Judges the photos that pass the filter and may be meant.
    pub(super) fn judge(&self, searcher: &Searcher<'_>, cut_off: f64) -> Result<Judgement> {
        let (ids, nearest) = self.candidates(searcher)?;
        let mut kind = RelevanceKind::Filter;
        let mut note = |calibrated: bool| {
            let of_part =
                if calibrated { RelevanceKind::Calibrated } else { RelevanceKind::Uncalibrated };
            kind = kind.with(of_part);
        };
        let mut relevances = Vec::new();
        for part in &self.wanted {
            let (relevance, calibrated) = part.relevance(searcher, &ids, &self.selection)?;
            note(calibrated);
            relevances.push((part.weight, relevance));
        }
        let mut against = Vec::new();
        for part in &self.unwanted {
            let (relevance, calibrated) = part.seen(searcher, &ids)?;
            note(calibrated);
            against.push(relevance);
        }
        let scores = if self.vector.iter().any(|&value| value != 0.0) {
            searcher.engine.scores(&self.vector, &ids)?
        } else {
            vec![None; ids.len()]
        };
        let mut photos = Vec::with_capacity(ids.len());
        for (at, &id) in ids.iter().enumerate() {
            if against.iter().any(|unwanted| unwanted[at] >= CUT_OFF) {
                continue;
            }
            let wanted = match relevances.as_slice() {
                [] => 1.0,
                [(_, only)] => only[at],
                parts => pooled(parts.iter().map(|(weight, of)| (*weight, of[at]))),
            };
            // Without anything wanted, what is left after the filter is as good as anything.
            let shown: f64 = match relevances.as_slice() {
                [] => 1.0,
                _ => against.iter().map(|unwanted| 1.0 - unwanted[at]).product(),
            };
            photos.push(Judged { id, relevance: wanted * shown, score: scores[at] });
        }
        let last = nearest.last().copied().filter(|_| nearest.len() == CANDIDATES);
        let cut_short = last.is_some_and(|last| {
            photos.iter().any(|judged| judged.id == last && judged.relevance >= cut_off)
        });
        if self.wanted.is_empty() {
            kind = RelevanceKind::Filter;
        }
        Ok(Judgement { photos, kind, cut_short })
    }

    /// The photos that are looked at closely, and those of them that are near by vector, nearest
    /// first.
    fn candidates(&self, searcher: &Searcher<'_>) -> Result<(Vec<PhotoId>, Vec<PhotoId>)> {
        if self.wanted.is_empty() {
            return Ok((self.selection.iter().collect(), Vec::new()));
        }
        let mut candidates = Selection::new();
        let mut nearest = Vec::new();
        if self.wanted.iter().any(Wanted::is_known) {
            let mut among = self.selection.clone();
            among.intersect(&searcher.seen);
            let found = searcher.engine.nearest(&self.vector, CANDIDATES, Some(&among))?;
            nearest.extend(found.into_iter().map(|(id, _)| id));
            nearest.iter().for_each(|&id| candidates.insert(id));
        }
        for part in &self.wanted {
            let coverage: FxHashMap<PhotoId, f64> = part.written.coverage(&self.selection);
            for (id, share) in coverage {
                if written::relevance(share) >= MENTIONED {
                    candidates.insert(id);
                }
            }
        }
        Ok((candidates.iter().collect(), nearest))
    }
}
