//! Ranked results by topic.

use std::path::Path;

use rayon::prelude::*;

use super::documents::{Documents, Finder, Id};
use super::lines::each_line;
use super::qrels::Judged;
use super::topics::Topics;
use crate::{Error, Place, Result};

/// What one system found: documents with scores by topic, in trec_eval's order (the highest score
/// first; of equal scores the document whose id is the last in byte order).
#[derive(Debug, Clone, Default)]
pub struct Run {
    name: String,
    topics: Topics<Ranking>,
}

/// The results of one topic, the best first.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    documents: Documents,
    results: Vec<Scored>,
}

#[derive(Debug, Clone, Copy)]
struct Scored {
    score: f64,
    id: Id,
}

impl Run {
    /// A run without results. Call [`Self::sort`] after the last [`Self::add`].
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), topics: Topics::default() }
    }

    /// Reads a run file. Its name is the tag of the last line, as in trec_eval.
    ///
    /// # Errors
    /// If the file cannot be read, a line does not hold six fields (what follows is ignored, as
    /// trec_eval does), a score is no finite number, or a document occurs twice in one topic (both
    /// lines are named).
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut run = Self::default();
        let mut lines: Topics<Lines> = Topics::default();
        each_line::<6>(path, |line| {
            let place = || Place::file(path).line(line.line);
            let [topic, _q0, document, _rank, score, tag] = line.fields;
            if line.count < 6 {
                let what = format!("expected 6 fields, found {}", line.count);
                return Err(Error::malformed(place(), what)
                    .with_hint("a line of a run is: topic Q0 document rank score tag"));
            }
            let score = parse_score(score).map_err(|what| {
                Error::malformed(place().field("score"), what)
                    .with_hint("scores are finite numbers with a decimal point")
            })?;
            if run.name != tag {
                tag.clone_into(&mut run.name);
            }
            if run.topics.entry(topic).push(document, score).is_none() {
                return Err(Error::malformed(place(), format!("topic {topic} is too large")));
            }
            lines.entry(topic).push(line.line);
            Ok(())
        })?;
        run.sort_with(|topic, document, first, second| {
            let line_of = |at: u32| lines.get(topic).map_or(0, |lines| lines.get(at));
            let (first, second) = (line_of(first), line_of(second));
            let what =
                format!("document {document} of topic {topic} stands on line {first} already");
            Error::malformed(Place::file(path).line(second).field("document"), what)
                .with_hint("a run names each document once a topic: remove one of the two lines")
        })?;
        Ok(run)
    }

    /// The name of the system.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a result.
    ///
    /// # Errors
    /// If the score is not finite.
    pub fn add(&mut self, topic: &str, document: &str, score: f64) -> Result<()> {
        let place = || Place::default().field(format!("topic {topic}, document {document}"));
        if !score.is_finite() {
            return Err(Error::malformed(place(), format!("the score is {score}")));
        }
        let added = self.topics.entry(topic).push(document, score);
        added.ok_or_else(|| Error::malformed(place(), "the topic is too large"))
    }

    /// Puts the results into order.
    ///
    /// # Errors
    /// If a document occurs twice in one topic.
    pub fn sort(&mut self) -> Result<()> {
        self.sort_with(|topic, document, _, _| {
            let place = Place::default().field(format!("topic {topic}"));
            Error::malformed(place, format!("document {document} occurs twice"))
        })
    }

    fn sort_with(&mut self, twice: impl Fn(&str, &str, u32, u32) -> Error + Sync) -> Result<()> {
        let found = self.topics.entries_mut().par_iter_mut().map_init(
            Finder::default,
            |finder, (topic, ranking)| {
                ranking.first_twice(finder).map_or(Ok(()), |(document, first, second)| {
                    Err(twice(topic, document, first, second))
                })?;
                ranking.sort();
                Ok(())
            },
        );
        // The first error in the order of the file, whichever thread came first.
        found.collect::<Vec<Result<()>>>().into_iter().collect()
    }

    /// Writes the run as TREC has it, scores in full precision. Blanks in the name become `_`, for
    /// the tag is one word.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut out: impl std::io::Write) -> std::io::Result<()> {
        let words: Vec<&str> = self.name.split_whitespace().collect();
        let tag = if words.is_empty() { "run".to_owned() } else { words.join("_") };
        for (topic, ranking) in self.topics() {
            for (at, (document, score)) in ranking.iter().enumerate() {
                writeln!(out, "{topic} Q0 {document} {} {score} {tag}", at + 1)?;
            }
        }
        out.flush()
    }

    /// The results of one topic.
    pub fn topic(&self, name: &str) -> Option<&Ranking> {
        self.topics.get(name)
    }

    /// All topics in the byte order of their names.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = (&str, &Ranking)> {
        self.topics.iter()
    }

    /// Number of topics.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Ranking {
    fn push(&mut self, document: &str, score: f64) -> Option<()> {
        let id = self.documents.add(document)?;
        // So that -0 and 0 are one score.
        self.results.push(Scored { score: score + 0.0, id });
        Some(())
    }

    /// A document that occurs twice, and both its positions as they came.
    fn first_twice(&self, finder: &mut Finder) -> Option<(&str, u32, u32)> {
        finder.clear(self.results.len());
        for (at, result) in self.results.iter().enumerate() {
            let name = self.documents.name(result.id);
            let is_same = |other: u32| self.documents.name(self.results[other as usize].id) == name;
            if let Some(first) = finder.enter(result.id, at as u32, is_same) {
                return Some((name, first, at as u32));
            }
        }
        None
    }

    fn sort(&mut self) {
        self.documents.shrink();
        self.results.shrink_to_fit();
        let documents = &self.documents;
        let order = |a: &Scored, b: &Scored| {
            b.score.total_cmp(&a.score).then_with(|| documents.name(b.id).cmp(documents.name(a.id)))
        };
        if !self.results.is_sorted_by(|a, b| order(a, b).is_le()) {
            self.results.sort_unstable_by(order);
        }
    }

    /// Documents and scores, the best first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, f64)> {
        self.results.iter().map(|result| (self.documents.name(result.id), result.score))
    }

    /// Scores and grades, the best first; the grade of a document that nobody judged is `None`.
    pub fn grades<'a>(
        &'a self,
        judged: &'a Judged,
    ) -> impl ExactSizeIterator<Item = (f64, Option<i32>)> + 'a {
        self.results.iter().map(move |result| {
            let find = || judged.grade_of_hash(result.id.hash(), self.documents.name(result.id));
            (result.score, find())
        })
    }

    /// Number of results.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}

/// The lines of one topic's results: the first of each stretch of lines that follow each other.
#[derive(Debug, Default)]
struct Lines {
    /// Number of results before the stretch, and its first line.
    stretches: Vec<(u32, u64)>,
    count: u32,
    next: u64,
}

impl Lines {
    fn push(&mut self, line: u64) {
        if self.next != line {
            self.stretches.push((self.count, line));
        }
        self.count += 1;
        self.next = line + 1;
    }

    fn get(&self, at: u32) -> u64 {
        let stretch = self.stretches.partition_point(|&(before, _)| before <= at);
        let (before, line) = self.stretches.get(stretch.wrapping_sub(1)).copied().unwrap_or((0, 0));
        line + u64::from(at - before)
    }
}

fn parse_score(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(score) if score.is_finite() => Ok(score),
        Ok(_) => Err(format!("the score `{text}` is not finite")),
        Err(_) => Err(format!("the score `{text}` is no number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &[u8]) -> Result<Run> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        Run::read(file.path())
    }

    fn order(run: &Run, topic: &str) -> Vec<String> {
        run.topic(topic).unwrap().iter().map(|(name, _)| name.to_owned()).collect()
    }

    #[test]
    fn the_rank_column_is_ignored_and_ties_go_by_id() {
        let run = read(
            b"2\tQ0\td1\t9\t0.5\tx\r\n1 Q0 a 1 1e-3 x more words\r\n\n1 Q0 c zz 2 x\n1 Q0 b 0 2.0 last",
        )
        .unwrap();
        assert_eq!(run.name(), "last");
        assert_eq!(order(&run, "1"), ["c", "b", "a"]);
        assert_eq!(run.topics().map(|(name, _)| name).collect::<Vec<_>>(), ["1", "2"]);
        let run = read(b"1 Q0 a 1 0 x\n1 Q0 b 2 -0.0 x\n").unwrap();
        assert_eq!(order(&run, "1"), ["b", "a"], "-0 and 0 are tied");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut run = Run::new("two words");
        run.add("1", "a", 0.1 + 0.2).unwrap();
        run.add("1", "b", 1e-300).unwrap();
        run.sort().unwrap();
        let mut text = Vec::new();
        run.write(&mut text).unwrap();
        let again = read(&text).unwrap();
        assert_eq!(again.name(), "two_words");
        let results: Vec<(&str, f64)> = again.topic("1").unwrap().iter().collect();
        assert_eq!(results, [("a", 0.1 + 0.2), ("b", 1e-300)]);
    }

    #[test]
    fn topics_may_be_torn_apart() {
        let run = read(b"1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n1 Q0 b 1 3 x\n").unwrap();
        assert_eq!(order(&run, "1"), ["b", "a"]);
    }

    #[test]
    fn faults_are_named() {
        for (text, part) in [
            (&b"1 Q0 a 1 0.5\n"[..], "1: expected 6 fields, found 5"),
            (b"\n1 Q0 a 1 nan x\n", "2 (score): the score `nan` is not finite"),
            (b"1 Q0 a 1 inf x\n", "1 (score): the score `inf`"),
            (b"1 Q0 a 1 1e999 x\n", "1 (score)"),
            (b"1 Q0 a 1 0,5 x\n", "1 (score): the score `0,5` is no number"),
            (
                b"1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n\n1 Q0 b 1 1 x\n1 Q0 a 2 7 x\n",
                "5 (document): document a of topic 1 stands on line 1 already",
            ),
            (
                b"1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n1 Q0 b 1 1 x\n\n1 Q0 c 1 1 x\n1 Q0 c 2 7 x\n",
                "6 (document): document c of topic 1 stands on line 5 already",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn packed_files() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(b"1 Q0 a 1 0.5 x\n").unwrap();
        let mut file = tempfile::Builder::new().suffix(".gz").tempfile().unwrap();
        file.write_all(&packer.finish().unwrap()).unwrap();
        assert_eq!(order(&Run::read(file.path()).unwrap(), "1"), ["a"]);
    }

    #[test]
    fn truncation_at_every_byte_is_no_panic() {
        let whole = "1 Q0 a 1 0.5 x\n1 Q0 é 2 0.25 x\n".as_bytes();
        for length in 0..whole.len() {
            let _ = read(&whole[..length]);
        }
    }
}
