//! What is in a collection: counts and statistics over the stream of records.
//!
//! The records themselves are not kept. What grows with the collection are a few bytes for each
//! item and caption (to find doubles) and the vocabulary.

pub mod figures;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::format::{Format, ReadOptions};
use crate::photo::examine::BROKEN;
use crate::{
    Caption, ContentHash, Error, Finding, ImageSource, Item, Judgement, Progress, Record, Result,
    Severity, Sink, Verdict,
};

/// How many of the most frequent words are told.
const FREQUENT: usize = 10;

/// How many findings to keep word for word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Findings {
    /// The first so many.
    First(usize),
    /// All of them.
    All,
}

/// What was found in a collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// Where it is.
    pub path: PathBuf,
    /// The format it was read as.
    pub format: &'static str,
    /// How many items.
    pub items: u64,
    /// How many captions.
    pub captions: u64,
    /// How many topics.
    pub topics: u64,
    /// How many items each part has.
    pub splits: BTreeMap<String, u64>,
    /// The judgements of each set.
    pub judgements: BTreeMap<String, JudgementSet>,
    /// Keywords, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keywords: Option<Vocabulary>,
    /// Captions an item, over the items that are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captions_an_item: Option<Spread>,
    /// Words a caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words_a_caption: Option<Spread>,
    /// The captions' words, in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<Vocabulary>,
    /// Where the pictures are.
    pub pictures: Pictures,
    /// What occurs more than once.
    pub duplicates: Duplicates,
    /// Items about which no caption speaks; counted only where there are captions.
    pub items_without_caption: u64,
    /// Captions whose item is not there.
    pub captions_without_item: u64,
    /// What was odd about the source.
    pub findings: FoundSummary,
}

/// How many pictures are at hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pictures {
    /// Files that are there, or bytes.
    pub present: u64,
    /// Files that are named but not there.
    pub missing: u64,
    /// Items that name no file that could be found.
    pub absent: u64,
    /// Pictures that cannot be decoded; `None` where they were not opened.
    pub broken: Option<u64>,
}

/// What occurs more than once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Duplicates {
    /// Pictures whose bytes were met before; `None` where they were not opened.
    pub pictures: Option<u64>,
    /// Caption texts that stand under several items.
    pub caption_texts: u64,
    /// Captions whose name was met before.
    pub caption_ids: u64,
}

/// The judgements of one set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct JudgementSet {
    /// How many.
    pub judgements: u64,
    /// How many different judges are named.
    pub judges: u64,
    /// How often each grade was given; votes count as `yes` or `no` by their majority, `even`
    /// without one.
    pub verdicts: BTreeMap<String, u64>,
}

/// Smallest, middle and largest of many counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The smallest.
    pub min: u64,
    /// The median: the mean of the middle two where their number is even.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: u64,
}

/// Words and how often they occur.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vocabulary {
    /// How many words, with repeats.
    pub total: u64,
    /// How many different words.
    pub distinct: u64,
    /// How many of them occur only once.
    pub once: u64,
    /// The most frequent ones; of equals, the first by alphabet.
    pub most_frequent: Vec<(String, u64)>,
}

/// What was odd about the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FoundSummary {
    /// How many odd things were met.
    pub total: u64,
    /// How many of them left out or mended a record.
    pub skipped: u64,
    /// The first of them, or all, as asked.
    pub shown: Vec<Finding>,
}

/// Reads a collection and tells what is in it.
///
/// # Errors
/// If it cannot be read, or [`Error::Interrupted`].
pub fn inspect(
    path: &Path,
    format: &dyn Format,
    options: &ReadOptions,
    findings: Findings,
    progress: &dyn Progress,
) -> Result<Inspection> {
    progress.begin("reading records", None);
    let mut statistics = Statistics::new(findings, progress);
    format.read(path, options, &mut statistics)?;
    if progress.interrupted() {
        return Err(Error::Interrupted);
    }
    // A file that is not there is missing, not broken.
    let broken = statistics.broken.saturating_sub(statistics.missing);
    let broken = options.examine_images.then_some(broken);
    Ok(statistics.sum_up(path, format.name(), broken))
}

/// Enough of a hash to tell names and texts apart.
type Mark = u64;

fn mark(text: &str) -> Mark {
    let hash = ContentHash::of(text.as_bytes()).0;
    hash.iter().take(8).fold(0, |mark, &byte| mark << 8 | Mark::from(byte))
}

#[derive(Default)]
struct Seen {
    there: bool,
    picture: bool,
    captions: u64,
}

struct Statistics<'a> {
    progress: &'a dyn Progress,
    keep: Findings,
    items: FxHashMap<Mark, Seen>,
    pictures: FxHashSet<[u8; 32]>,
    same_pictures: u64,
    missing: u64,
    broken: u64,
    splits: FxHashMap<Mark, String>,
    caption_ids: FxHashSet<Mark>,
    same_ids: u64,
    /// The item of each caption text; `None` once it stands under several.
    texts: FxHashMap<Mark, Option<Mark>>,
    lengths: BTreeMap<u64, u64>,
    words: FxHashMap<String, u64>,
    keywords: FxHashMap<String, u64>,
    keywords_of: FxHashSet<Mark>,
    captions: u64,
    topics: u64,
    judgements: BTreeMap<String, JudgementSet>,
    judges: FxHashSet<(String, String)>,
    findings: FoundSummary,
}

impl<'a> Statistics<'a> {
    fn new(keep: Findings, progress: &'a dyn Progress) -> Self {
        Self {
            progress,
            keep,
            items: FxHashMap::default(),
            pictures: FxHashSet::default(),
            same_pictures: 0,
            missing: 0,
            broken: 0,
            splits: FxHashMap::default(),
            caption_ids: FxHashSet::default(),
            same_ids: 0,
            texts: FxHashMap::default(),
            lengths: BTreeMap::new(),
            words: FxHashMap::default(),
            keywords: FxHashMap::default(),
            keywords_of: FxHashSet::default(),
            captions: 0,
            topics: 0,
            judgements: BTreeMap::new(),
            judges: FxHashSet::default(),
            findings: FoundSummary::default(),
        }
    }

    fn item(&mut self, item: &Item) {
        let seen = self.items.entry(mark(item.id.as_str())).or_default();
        let first = !seen.picture;
        seen.there = true;
        match &item.image {
            ImageSource::Absent => {}
            ImageSource::Bytes(_) => seen.picture = true,
            ImageSource::File(path) if path.is_file() => seen.picture = true,
            ImageSource::File(_) => self.missing += u64::from(first),
        }
        if let Some(hash) = item.hash.filter(|_| first) {
            self.same_pictures += u64::from(!self.pictures.insert(hash.0));
        }
        for keyword in &item.keywords {
            // A second record of an item may repeat its keywords.
            if self.keywords_of.insert(mark(&format!("{keyword}\0{}", item.id))) {
                *self.keywords.entry(keyword.clone()).or_default() += 1;
            }
        }
    }

    fn caption(&mut self, caption: &Caption) {
        self.captions += 1;
        let item = mark(caption.item.as_str());
        self.items.entry(item).or_default().captions += 1;
        self.same_ids += u64::from(!self.caption_ids.insert(mark(caption.id.as_str())));
        let known = self.texts.entry(mark(caption.text.trim())).or_insert(Some(item));
        if *known != Some(item) {
            *known = None;
        }
        let mut length = 0;
        for word in words(&caption.text) {
            length += 1;
            let word = word.to_lowercase();
            match self.words.get_mut(&word) {
                Some(count) => *count += 1,
                None => {
                    self.words.insert(word, 1);
                }
            }
        }
        *self.lengths.entry(length).or_default() += 1;
    }

    fn judgement(&mut self, judgement: Judgement) {
        let verdict = match judgement.verdict {
            Verdict::Grade(grade) => grade.to_string(),
            Verdict::Votes { yes, no } if yes > no => "yes".into(),
            Verdict::Votes { yes, no } if yes < no => "no".into(),
            Verdict::Votes { .. } => "even".into(),
            Verdict::Cluster(_) => "clustered".into(),
        };
        let set = self.judgements.entry(judgement.set.clone()).or_default();
        set.judgements += 1;
        *set.verdicts.entry(verdict).or_default() += 1;
        if let Some(judge) = judgement.judge {
            set.judges += u64::from(self.judges.insert((judgement.set, judge)));
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.findings.total += 1;
        self.broken += u64::from(finding.what.starts_with(BROKEN));
        self.findings.skipped += u64::from(finding.severity == Severity::Skipped);
        let keep = match self.keep {
            Findings::First(most) => self.findings.shown.len() < most,
            Findings::All => true,
        };
        if keep {
            self.findings.shown.push(finding);
        }
    }

    fn sum_up(self, path: &Path, format: &'static str, broken: Option<u64>) -> Inspection {
        let there = || self.items.values().filter(|seen| seen.there);
        let items = there().count() as u64;
        let present = there().filter(|seen| seen.picture).count() as u64;
        let missing = self.missing.min(items - present);
        let mut splits = BTreeMap::new();
        for split in self.splits.values() {
            *splits.entry(split.clone()).or_default() += 1;
        }
        let mut per_item = BTreeMap::new();
        for seen in there() {
            *per_item.entry(seen.captions).or_default() += 1;
        }
        let any = self.captions > 0;
        Inspection {
            path: path.to_path_buf(),
            format,
            items,
            captions: self.captions,
            topics: self.topics,
            splits,
            judgements: self.judgements,
            keywords: vocabulary(&self.keywords),
            captions_an_item: any.then(|| spread(&per_item)).flatten(),
            words_a_caption: spread(&self.lengths),
            vocabulary: vocabulary(&self.words),
            pictures: Pictures { present, missing, absent: items - present - missing, broken },
            duplicates: Duplicates {
                pictures: broken.map(|_| self.same_pictures),
                caption_texts: self.texts.values().filter(|item| item.is_none()).count() as u64,
                caption_ids: self.same_ids,
            },
            items_without_caption: match any {
                true => there().filter(|seen| seen.captions == 0).count() as u64,
                false => 0,
            },
            captions_without_item: self
                .items
                .values()
                .filter(|seen| !seen.there)
                .map(|seen| seen.captions)
                .sum(),
            findings: self.findings,
        }
    }
}

impl Sink for Statistics<'_> {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        match record {
            Record::Item(item) => self.item(&item),
            Record::Caption(caption) => self.caption(&caption),
            Record::Split(item, split) => {
                self.splits.insert(mark(item.as_str()), split.as_str().to_owned());
            }
            Record::Topic(_) => self.topics += 1,
            Record::Judgement(judgement) => self.judgement(judgement),
            Record::Finding(finding) => self.finding(finding),
        }
        self.progress.advance(1);
        if self.progress.interrupted() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Plain words: runs of letters and digits, with apostrophes and hyphens inside. The tokenisers
/// of `rebus-text` know more; for counting this is enough, and needs no language.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}' | '-')))
        .map(|word| word.trim_matches(['\'', '\u{2019}', '-']))
        .filter(|word| !word.is_empty())
}

fn vocabulary(counts: &FxHashMap<String, u64>) -> Option<Vocabulary> {
    if counts.is_empty() {
        return None;
    }
    let mut frequent: Vec<(&String, u64)> = counts.iter().map(|(word, &n)| (word, n)).collect();
    frequent.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    Some(Vocabulary {
        total: counts.values().sum(),
        distinct: counts.len() as u64,
        once: counts.values().filter(|&&count| count == 1).count() as u64,
        most_frequent: frequent.iter().take(FREQUENT).map(|&(w, n)| (w.clone(), n)).collect(),
    })
}

/// The spread of values that are given with how often each occurs.
fn spread(counts: &BTreeMap<u64, u64>) -> Option<Spread> {
    let (&min, &max) = (counts.keys().next()?, counts.keys().next_back()?);
    let number: u64 = counts.values().sum();
    let sum: f64 = counts.iter().map(|(&value, &count)| value as f64 * count as f64).sum();
    let at = |rank: u64| {
        let mut passed = 0;
        let found = counts.iter().find(|&(_, &count)| {
            passed += count;
            passed > rank
        });
        found.map_or(max, |(&value, _)| value) as f64
    };
    let median = (at((number - 1) / 2) + at(number / 2)) / 2.0;
    Some(Spread { min, median, mean: sum / number as f64, max })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Silent, Split};

    #[test]
    fn words_are_plain() {
        let found: Vec<&str> = words("A dog's t-shirt -- 'so' (2 dogs).").collect();
        assert_eq!(found, ["A", "dog's", "t-shirt", "so", "2", "dogs"]);
        assert_eq!(words(" .,- '' ").count(), 0);
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        let counts = BTreeMap::from([(1, 1), (2, 1), (5, 1), (10, 1)]);
        let spread = spread(&counts).unwrap();
        assert_eq!((spread.min, spread.median, spread.mean, spread.max), (1, 3.5, 4.5, 10));
        assert!(super::spread(&BTreeMap::new()).is_none());
    }

    #[test]
    fn doubles_orphans_and_gaps_are_counted() {
        let mut all = Statistics::new(Findings::First(1), &Silent);
        for id in ["a", "b", "c"] {
            all.item(&Item::new(id));
        }
        for (id, item, text) in [
            ("a#0", "a", "A dog runs"),
            ("a#1", "a", "A dog runs"),
            ("b#0", "b", "A dog runs"),
            ("b#0", "b", "The dog"),
            ("x#0", "x", "lost"),
        ] {
            all.caption(&Caption { id: id.into(), item: item.into(), text: text.into() });
        }
        let _ = all.take(Record::Split("a".into(), Split::Train));
        for what in ["one", "two"] {
            let finding =
                Finding { place: Place::file("t"), what: what.into(), severity: Severity::Skipped };
            let _ = all.take(Record::Finding(finding));
        }
        let all = all.sum_up(Path::new("t"), "csv", None);
        assert_eq!((all.items, all.captions), (3, 5));
        assert_eq!((all.items_without_caption, all.captions_without_item), (1, 1));
        assert_eq!((all.duplicates.caption_texts, all.duplicates.caption_ids), (1, 1));
        assert_eq!(all.duplicates.pictures, None);
        assert_eq!(all.pictures.absent, 3);
        let words = all.vocabulary.unwrap();
        assert_eq!((words.total, words.distinct, words.once), (12, 5, 2));
        assert_eq!(words.most_frequent[..2], [("dog".to_owned(), 4), ("a".to_owned(), 3)]);
        assert_eq!(all.captions_an_item.unwrap().max, 2);
        assert_eq!((all.findings.total, all.findings.shown.len()), (2, 1));
        assert_eq!(all.splits["train"], 1);
    }
}
