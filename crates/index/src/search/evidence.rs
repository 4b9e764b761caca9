//! One reading of a query, and how it judges photos.

use std::path::Path;

use rebus_collection::Matrix;
use rebus_models::Understands;
use rebus_query::{Filter, Reading};
use rustc_hash::FxHashMap;

use super::relevance::{Asked, Relevance, all_of, either, pooled, relevance};
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
    /// What photos are scored with, a row each; the first is where it lies, all zeros where
    /// nothing is known.
    probes: Matrix,
    /// What is written of it.
    pub(super) written: Written,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Words,
    Picture,
}

impl Wanted {
    pub(super) fn image(name: &str, vector: &[f32], weight: f64) -> Self {
        let mut probes = Matrix::zeros(1, vector.len());
        probes.row_mut(0).copy_from_slice(vector);
        let (name, what) = (name.to_owned(), What::Picture);
        Self { name, what, weight, probes, written: Written::default() }
    }

    fn words(searcher: &Searcher<'_>, words: &rebus_query::Words) -> Result<Self> {
        Ok(Self {
            name: words.text.clone(),
            what: What::Words,
            weight: f64::from(words.weight.get()),
            probes: searcher.model.probes(&words.text)?,
            written: Written::of(&searcher.snapshot, &words.text)?,
        })
    }

    fn example(searcher: &Searcher<'_>, example: &rebus_query::Example) -> Result<Self> {
        let vector = searcher.example(Path::new(&example.path))?;
        Ok(Self::image(&example.path, &vector, f64::from(example.weight.get())))
    }

    /// Where it lies.
    pub(super) fn vector(&self) -> &[f32] {
        self.probes.row(0)
    }

    fn is_known(&self) -> bool {
        self.vector().iter().any(|&value| value != 0.0)
    }

    /// How probable it is that each photo shows it, by its looks; and whether that is calibrated.
    pub(super) fn seen(
        &self,
        searcher: &Searcher<'_>,
        ids: &[PhotoId],
    ) -> Result<(Vec<f64>, bool)> {
        let asked = match self.what {
            What::Words => Asked::Text { text: &self.name, probes: &self.probes },
            What::Picture => Asked::Image(self.vector()),
        };
        judged(searcher, asked, ids)
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

/// How probable it is that each photo shows a text, by its looks.
pub(super) fn shows(searcher: &Searcher<'_>, text: &str, ids: &[PhotoId]) -> Result<Vec<f64>> {
    let probes = searcher.model.probes(text)?;
    Ok(judged(searcher, Asked::Text { text, probes: &probes }, ids)?.0)
}

/// How relevant photos are by their looks, 0 for those that were not looked at; and whether that is
/// calibrated.
fn judged(searcher: &Searcher<'_>, asked: Asked<'_>, ids: &[PhotoId]) -> Result<(Vec<f64>, bool)> {
    let engine = &*searcher.engine;
    let scores = asked.vectors().map(|vector| engine.scores(vector, ids));
    let scores = scores.collect::<Result<Vec<Vec<Option<f32>>>>>()?;
    let looked_at: Vec<bool> =
        (0..ids.len()).map(|at| scores.iter().all(|scores| scores[at].is_some())).collect();
    let values: Vec<f32> = scores
        .iter()
        .flat_map(|scores| scores.iter().zip(&looked_at).filter(|(_, looked_at)| **looked_at))
        .filter_map(|(score, _)| *score)
        .collect();
    let count = looked_at.iter().filter(|&&looked_at| looked_at).count();
    let table = Matrix::new(scores.len(), count, values)?;
    let found = relevance(searcher.model, engine, &searcher.seen, asked, &table)?;
    let (relevances, calibrated) = match found {
        Relevance::Nothing => (vec![0.0; count], true),
        Relevance::Calibrated(relevances) => (relevances, true),
        Relevance::Uncalibrated(relevances) => (relevances, false),
    };
    let mut relevances = relevances.into_iter();
    let each = looked_at.iter().map(|looked_at| match looked_at {
        true => relevances.next().unwrap_or(0.0),
        false => 0.0,
    });
    Ok((each.collect(), calibrated))
}

/// One photo under one reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged {
    pub(super) id: PhotoId,
    pub(super) relevance: f64,
    pub(super) score: Option<f32>,
}

/// The relevance of a photo by that of every part: all words must fit, each as far as its weight
/// asks, and what they and each example say is put together by weight. Without any part everything
/// is as good as anything.
fn wanted<'p>(parts: impl Iterator<Item = (&'p Wanted, f64)>) -> f64 {
    let (mut words, mut opinions) = (Vec::new(), Vec::new());
    for (part, relevance) in parts {
        match part.what {
            What::Words => words.push((part.weight, relevance)),
            What::Picture => opinions.push((part.weight, relevance)),
        }
    }
    let weight: f64 = words.iter().map(|(weight, _)| weight).sum();
    if !words.is_empty() {
        opinions.push((weight, all_of(&words)));
    }
    match opinions.as_slice() {
        [] => 1.0,
        [(_, only)] => *only,
        opinions => pooled(opinions.iter().copied()),
    }
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
                vector
                    .iter_mut()
                    .zip(part.vector())
                    .for_each(|(sum, value)| *sum += weight * value);
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
            relevances.push((part, relevance));
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
            let wanted = wanted(relevances.iter().map(|(part, of)| (*part, of[at])));
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
