//! Section 5.2.2: three models annotate, and every word is a query without ranking.

use std::collections::BTreeSet;

use rebus_collection::{Matrix, counted};
use rebus_eval::annotation::{WordCounts, WordMeans, WordScores};
use rebus_eval::report::{Report, System};
use rebus_models::{BlobWords, WordProbabilities};

use super::data::Photos;
use super::published::{Annotation, TOP, UNION};
use crate::Result;

/// How many words every photo is given.
pub(super) const LENGTH: usize = 5;

/// A model's annotations of the photos, measured word by word.
pub(super) struct Annotated {
    pub(super) name: String,
    pub(super) paper: Option<&'static Annotation>,
    pub(super) scores: WordScores,
    /// By photo: the words it was given, and those it has.
    words: Vec<[Vec<String>; 2]>,
}

impl Annotated {
    fn new(
        name: &str,
        paper: Option<&'static Annotation>,
        given: &[Vec<&str>],
        photos: &Photos<'_>,
    ) -> Self {
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let words = given.iter().zip(photos.texts()).map(|(given, has)| [own(given), own(&has)]);
        Self { name: name.to_owned(), paper, scores: scores(given, photos), words: words.collect() }
    }

    /// The counts of several words taken as one: a photo has it that has any of them.
    pub(super) fn as_one(&self, words: &[&str]) -> WordCounts {
        const ONE: &str = "any";
        let any =
            |of: &[String]| of.iter().any(|word| words.contains(&word.as_str())).then_some(ONE);
        let mut scores = WordScores::new();
        self.words.iter().for_each(|[given, has]| scores.add(any(given), any(has)));
        scores.word(ONE)
    }

    /// The likeliest words of every photo.
    pub(super) fn fixed_length(
        name: &str,
        paper: Option<&'static Annotation>,
        model: &dyn WordProbabilities,
        photos: (&Photos<'_>, &Matrix),
    ) -> Result<Self> {
        Ok(Self::new(name, paper, &model.annotate(photos.1, LENGTH)?, photos.0))
    }

    /// The likeliest word of every blob.
    pub(super) fn word_of_each_blob(
        name: &str,
        paper: Option<&'static Annotation>,
        model: &BlobWords,
        photos: (&Photos<'_>, &Matrix),
    ) -> Result<Self> {
        Ok(Self::new(name, paper, &model.word_of_each_blob(photos.1)?, photos.0))
    }

    /// The words that it rightly gave to some photo.
    pub(super) fn found(&self) -> BTreeSet<&str> {
        self.scores.iter().filter(|(_, counts)| counts.correct > 0).map(|(word, _)| word).collect()
    }

    /// The words with the highest F.
    fn best(&self, count: usize) -> Vec<&str> {
        let f = |word: &str| self.scores.word(word).f().unwrap_or(0.0);
        let mut words: Vec<&str> = self.found().into_iter().collect();
        words.sort_by(|a, b| f(b).total_cmp(&f(a)).then(a.cmp(b)));
        words.truncate(count);
        words
    }
}

fn scores(given: &[Vec<&str>], photos: &Photos<'_>) -> WordScores {
    let mut scores = WordScores::new();
    for (given, own) in given.iter().zip(photos.texts()) {
        scores.add(given.iter().copied(), own);
    }
    scores
}

/// The sets of words over which means are taken.
pub(super) struct WordSets<'a> {
    /// What any of the paper's three models finds.
    pub(super) union: BTreeSet<&'a str>,
    /// What the translation model finds.
    pub(super) of_translation: BTreeSet<&'a str>,
    /// What any photo has.
    pub(super) all: BTreeSet<&'a str>,
    /// What later papers take.
    pub(super) later: Option<BTreeSet<&'a str>>,
}

const OF_UNION: &str = "annotation, the union of queries";
const OF_TRANSLATION: &str = "annotation, the words that translation finds";
const BEST: &str = "annotation, the model's best words by F";
const OWN: &str = "annotation, the words that the model finds";
const ALL: &str = "annotation, all words of the photos";
/// The task of the 260 words.
pub(super) const LATER: &str = "annotation, the 260 words of later papers";

impl WordSets<'_> {
    /// Heads the tables with how many words each is about.
    pub(super) fn head(&self, report: &mut Report) {
        let (union, all) =
            (counted(self.union.len() as u64, "query"), counted(self.all.len() as u64, "word"));
        let translation = counted(self.of_translation.len() as u64, "word");
        for (task, heading) in [
            (OF_UNION, format!("annotation, the union of {union} (paper: {UNION})")),
            (
                OF_TRANSLATION,
                format!("annotation, the {translation} that translation finds (paper: {TOP})"),
            ),
            (BEST, format!("annotation, the model's {TOP} best words by F")),
            (ALL, format!("annotation, all {all} of the photos")),
        ] {
            report.head(task, heading);
        }
    }

    /// Every figure of a model beside the paper's.
    pub(super) fn system(&self, annotated: &Annotated) -> System {
        let mut system = System::new(&annotated.name);
        let over = |words: &BTreeSet<&str>| annotated.scores.means(words.iter().copied());
        system = means(system, OF_UNION, over(&self.union));
        system = means(system, OF_TRANSLATION, over(&self.of_translation));
        system = means(system, BEST, annotated.scores.means(annotated.best(TOP)));
        let found = annotated.found();
        system = means(system, OWN, over(&found)).figure(OWN, "words", found.len() as f64);
        system = means(system, ALL, over(&self.all));
        if let Some(later) = &self.later {
            let of_260 = over(later);
            system = means(system, LATER, of_260).figure(
                LATER,
                "words",
                of_260.map(|means| means.found as f64),
            );
        }
        if let Some(paper) = annotated.paper {
            system = published(system, OF_UNION, paper.union).published(OWN, "words", paper.found);
            if let Some(of_49) = paper.of_49 {
                system = published(system, OF_TRANSLATION, of_49);
            }
        }
        system
    }
}

/// Mean precision, recall and F.
pub(super) fn means(system: System, task: &str, means: Option<WordMeans>) -> System {
    system
        .figure(task, "precision", means.map(|means| means.precision))
        .figure(task, "recall", means.map(|means| means.recall))
        .figure(task, "F", means.map(|means| means.f))
}

/// Published precision and recall.
pub(super) fn published(system: System, task: &str, [precision, recall]: [f64; 2]) -> System {
    system.published(task, "precision", precision).published(task, "recall", recall)
}
