//! Keywords measured and reported: what `rebus eval --keywords` prints.

use std::collections::BTreeSet;

use rebus_collection::counted;
use serde_json::{Map, Value, json};

use super::{Keywords, WordMeans, WordScores};
use crate::report::{Plot, Protocol, Report, System};
use crate::{Error, Result};

/// What the keywords of some systems are measured against.
#[derive(Debug, Clone, Copy)]
pub struct KeywordQuestion<'a> {
    /// What the pictures truly show. All of them count; one that was given nothing has found nothing.
    pub truth: &'a Keywords,
    /// The words over which means are taken; `None` for all that any picture has.
    pub words: Option<&'a [String]>,
    /// How many of a picture's words count, from the first; empty for all that it was given.
    pub cutoffs: &'a [usize],
}

/// A report, and the values a word behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordReport {
    /// The figures: task `annotation`, measures `precision`, `recall`, `F` and
    /// `words with recall > 0`, with `@k` where words were cut off.
    pub report: Report,
    /// By system, then by cut-off: the cut-off's mark (`@5`, or nothing) and the counts of its words.
    pub per_word: Vec<(String, Vec<(String, WordScores)>)>,
}

const TASK: &str = "annotation";

/// Measures keywords, word by word.
///
/// # Errors
/// If a cut-off is 0, no picture of a system is among those of the truth, or no picture has any of the
/// words.
pub fn keyword_report(
    systems: &[(String, Keywords)],
    question: KeywordQuestion<'_>,
    protocol: Protocol,
) -> Result<KeywordReport> {
    let KeywordQuestion { truth, words, cutoffs } = question;
    let mismatch = |what: String| Error::Mismatch { what };
    if cutoffs.contains(&0) {
        let (name, needs) = ("precision@0".to_owned(), "a cut-off above 0".to_owned());
        return Err(Error::MeasureParameter { name, needs });
    }
    let all: BTreeSet<&str> =
        truth.iter().flat_map(|(_, words)| words).map(String::as_str).collect();
    let asked: Vec<&str> = match words {
        Some(words) => words.iter().map(String::as_str).collect(),
        None => all.iter().copied().collect(),
    };
    let marks: Vec<(String, usize)> = match cutoffs {
        [] => vec![(String::new(), usize::MAX)],
        cutoffs => cutoffs.iter().map(|&cutoff| (format!("@{cutoff}"), cutoff)).collect(),
    };
    let mut report = Report::new(
        protocol
            .with("pictures", truth.len())
            .with("words of a picture", told(cutoffs))
            .with("means over", told_words(words, &asked, &all))
            .with("a word that is never given", "precision 0"),
    );
    let mut plot = Plot::bars("Mean over the words", "measure", "value");
    let mut per_word = Vec::with_capacity(systems.len());
    for (name, given) in systems {
        let known = truth.iter().filter(|(picture, _)| given.of(picture).is_some()).count();
        if known == 0 {
            let pictures = counted(given.len() as u64, "picture");
            let what = format!("{name}: none of its {pictures} is among the truth's");
            return Err(mismatch(what));
        }
        report.notes.extend(pictures_told(name, truth.len(), given.len(), known));
        let mut system = System::new(name);
        let mut of_system = Vec::with_capacity(marks.len());
        for (mark, cutoff) in &marks {
            let scores = scores(truth, given, *cutoff);
            let means = scores
                .means(asked.iter().copied())
                .ok_or_else(|| mismatch("no picture has any of the words".to_owned()))?;
            report.notes.extend(words_told(name, mark, means));
            for (measure, value) in
                [("precision", means.precision), ("recall", means.recall), ("F", means.f)]
            {
                system = system.figure(TASK, &format!("{measure}{mark}"), value);
                plot = plot.bar(&format!("{name}: {measure}{mark}"), value);
            }
            let found = format!("words with recall{mark} > 0");
            system = system.figure(TASK, &found, means.found as f64);
            of_system.push((mark.clone(), scores));
        }
        report.systems.push(system);
        per_word.push((name.clone(), of_system));
    }
    report.plots.push(plot);
    Ok(KeywordReport { report, per_word })
}

impl KeywordReport {
    /// A system's values a word as JSON, in the shape in which rankings give theirs a query: under the
    /// task a list of objects, each with its word as `query` and its measures.
    pub fn words_json(&self, system: usize) -> Value {
        let mut rows: Vec<(String, Map<String, Value>)> = Vec::new();
        let of_system = self.per_word.get(system).map_or(&[][..], |(_, scores)| scores);
        for (mark, scores) in of_system {
            for (word, measures) in values(scores) {
                // A later cut-off knows all words of an earlier one, and more.
                let at = match rows.binary_search_by(|(known, _)| known.as_str().cmp(word)) {
                    Ok(at) => at,
                    Err(at) => {
                        rows.insert(at, (word.to_owned(), Map::new()));
                        at
                    }
                };
                let row = &mut rows[at].1;
                row.entry("query").or_insert_with(|| json!(word));
                row.extend(measures.map(|(name, value)| (format!("{name}{mark}"), json!(value))));
            }
        }
        json!({ TASK: rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>() })
    }

    /// Every value a word: system, task, word, measure and value, `None` where it is undefined.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str, &str, String, Option<f64>)> {
        self.per_word.iter().flat_map(|(system, of_system)| {
            of_system.iter().flat_map(move |(mark, scores)| {
                values(scores).flat_map(move |(word, measures)| {
                    measures.map(move |(name, value)| {
                        (system.as_str(), TASK, word, format!("{name}{mark}"), value)
                    })
                })
            })
        })
    }
}

fn values(scores: &WordScores) -> impl Iterator<Item = (&str, [(&'static str, Option<f64>); 3])> {
    scores.iter().map(|(word, counts)| {
        let values =
            [("precision", counts.precision()), ("recall", counts.recall()), ("F", counts.f())];
        (word, values)
    })
}

fn scores(truth: &Keywords, given: &Keywords, cutoff: usize) -> WordScores {
    let mut scores = WordScores::new();
    for (picture, words) in truth.iter() {
        let given = given.of(picture).unwrap_or_default().iter().take(cutoff);
        scores.add(given.map(String::as_str), words.iter().map(String::as_str));
    }
    scores
}

fn told(cutoffs: &[usize]) -> String {
    match cutoffs {
        [] => "all that were given".to_owned(),
        cutoffs => {
            let each: Vec<String> = cutoffs.iter().map(ToString::to_string).collect();
            format!("the first {}", each.join(", "))
        }
    }
}

fn told_words(words: Option<&[String]>, asked: &[&str], all: &BTreeSet<&str>) -> String {
    let unknown = asked.iter().filter(|word| !all.contains(*word)).count();
    let of_them = counted(asked.len() as u64, "word");
    match words {
        None => format!("all {of_them} that a picture has"),
        Some(_) if unknown == 0 => format!("the {of_them} asked for"),
        Some(_) => format!(
            "{} of the {of_them} asked for; no picture has the other {unknown}",
            asked.len() - unknown
        ),
    }
}

fn pictures_told(name: &str, truth: usize, given: usize, known: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if known < truth {
        let missing = truth - known;
        notes.push(format!("{name}: pictures that were given no words: {missing} of {truth}"));
    }
    if known < given {
        let what = "pictures whose true words are not known, left out";
        notes.push(format!("{name}: {what}: {}", given - known));
    }
    notes
}

fn words_told(name: &str, mark: &str, means: WordMeans) -> Option<String> {
    let of = if mark.is_empty() { name.to_owned() } else { format!("{name}{mark}") };
    let WordMeans { never_given, words, .. } = means;
    (never_given > 0)
        .then(|| format!("{of}: words that no picture was given: {never_given} of {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keywords(pictures: &[(&str, &[&str])]) -> Keywords {
        let mut keywords = Keywords::default();
        for (picture, words) in pictures {
            keywords.insert(picture, words.iter().map(ToString::to_string).collect());
        }
        keywords
    }

    #[test]
    fn means_by_cut_off_and_the_values_behind_them() {
        let truth = keywords(&[("a", &["sun", "sky"]), ("b", &["sky"]), ("c", &["boat"])]);
        let given = keywords(&[("a", &["sun", "sea"]), ("b", &["sun", "sky"]), ("x", &["sun"])]);
        let question = KeywordQuestion { truth: &truth, words: None, cutoffs: &[1, 5] };
        let found = keyword_report(&[("one".into(), given.clone())], question, Protocol::new());
        let found = found.unwrap();
        let json = found.report.to_json();
        let figures = &json["systems"][0]["annotation"];
        // All words: sun 1/2 and 1/1, sky 1/1 and 1/2, boat never given.
        assert_eq!(figures["precision@5"], 0.5);
        assert_eq!(figures["recall@5"], 0.5);
        assert_eq!(figures["words with recall@5 > 0"], 2.0);
        // First words: sun 1/2 and 1/1, the others never given.
        assert_eq!(figures["recall@1"], 1.0 / 3.0);
        let words = found.words_json(0);
        let words = words["annotation"].as_array().unwrap();
        assert_eq!(words.len(), 4, "{words:?}");
        assert_eq!(words[3]["query"], "sun");
        assert_eq!(words[3]["precision@1"], 0.5);
        assert!(words[0]["precision@1"].is_null());
        let told = |part: &str| found.report.notes.iter().any(|note| note.contains(part));
        assert!(told("given no words: 1 of 3") && told("left out: 1"), "{:?}", found.report.notes);
        assert!(told("one@1: words that no picture was given: 2 of 3"));

        let asked = ["sun".to_owned(), "ship".to_owned()];
        let question = KeywordQuestion { truth: &truth, words: Some(&asked), cutoffs: &[] };
        let found = keyword_report(&[("one".into(), given)], question, Protocol::new()).unwrap();
        let json = found.report.to_json();
        assert_eq!(json["systems"][0]["annotation"]["F"], 2.0 / 3.0);
        assert!(json["protocol"]["means over"].as_str().unwrap().starts_with("1 of the 2 words"));
    }

    #[test]
    fn what_cannot_be_measured_is_told() {
        let truth = keywords(&[("a", &["sun"])]);
        let stranger = [("one".to_owned(), keywords(&[("z", &["sun"])]))];
        let of = |systems: &[(String, Keywords)], words: Option<&[String]>, cutoffs: &[usize]| {
            let question = KeywordQuestion { truth: &truth, words, cutoffs };
            keyword_report(systems, question, Protocol::new()).unwrap_err().to_string()
        };
        assert!(of(&stranger, None, &[]).contains("none of its 1 picture "));
        let known = [("one".to_owned(), truth.clone())];
        let sea = ["sea".to_owned()];
        assert!(of(&known, Some(&sea), &[]).contains("no picture has any"));
        assert!(of(&known, None, &[0]).contains("above 0"));
    }
}
