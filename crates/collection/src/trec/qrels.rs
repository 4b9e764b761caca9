//! Judgements by topic.

use std::path::Path;

use super::documents::{Documents, Finder, Id, hash};
use super::lines::each_line;
use super::topics::Topics;
use crate::{Error, Place, Result};

/// Who found what relevant: grades by topic and document.
///
/// Grades of 1 and above are relevant unless a measure is told another threshold; 0 is not
/// relevant; a negative grade says that the document was pooled but not judged.
#[derive(Debug, Clone, Default)]
pub struct Qrels {
    topics: Topics<Judged>,
}

/// The judged documents of one topic.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    documents: Documents,
    grades: Vec<(Id, i32)>,
    finder: Finder,
}

impl Qrels {
    /// Judgements of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a qrels file.
    ///
    /// # Errors
    /// If the file cannot be read, or a line does not hold four fields, the last of them a whole
    /// number; or if a document is judged twice for one topic (both lines are named).
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut qrels = Self::new();
        // The line of each judgement, in the order in which its topic keeps them.
        let mut lines: Topics<Vec<u64>> = Topics::default();
        each_line::<4>(path, |line| {
            let place = || Place::file(path).line(line.line);
            let [topic, _iteration, document, grade] = line.fields;
            if line.count != 4 {
                let what = format!("expected 4 fields, found {}", line.count);
                return Err(Error::malformed(place(), what)
                    .with_hint("a line of qrels is: topic iteration document grade"));
            }
            let grade: i32 = grade.parse().map_err(|_| {
                Error::malformed(place().field("grade"), format!("`{grade}` is no whole number"))
                    .with_hint("grades are whole numbers: 0 not relevant, 1 and above relevant")
            })?;
            let seen = lines.entry(topic);
            let judged = qrels.topics.entry(topic);
            match judged.add(document, grade) {
                Ok(()) => seen.push(line.line),
                Err(Refusal::TooMany) => {
                    return Err(Error::malformed(place(), format!("topic {topic} is too large")));
                }
                Err(Refusal::Known(at)) => {
                    let first = seen.get(at as usize).copied().unwrap_or_default();
                    let what = format!(
                        "document {document} of topic {topic} was judged on line {first} already"
                    );
                    return Err(Error::malformed(place().field("document"), what)
                        .with_hint("keep one of the two lines"));
                }
            }
            Ok(())
        })?;
        for (_, judged) in qrels.topics.entries_mut() {
            judged.documents.shrink();
            judged.grades.shrink_to_fit();
        }
        Ok(qrels)
    }

    /// Adds a judgement.
    ///
    /// # Errors
    /// If the document was judged for this topic already.
    pub fn judge(&mut self, topic: &str, document: &str, grade: i32) -> Result<()> {
        self.topics.entry(topic).add(document, grade).map_err(|refusal| {
            let what = match refusal {
                Refusal::Known(_) => format!("{document} of topic {topic} is judged already"),
                Refusal::TooMany => format!("topic {topic} is too large"),
            };
            Error::malformed(Place::default(), what)
        })
    }

    /// The judgements of one topic.
    pub fn topic(&self, name: &str) -> Option<&Judged> {
        self.topics.get(name)
    }

    /// All topics in the byte order of their names.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = (&str, &Judged)> {
        self.topics.iter()
    }

    /// Number of topics.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there are no judgements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why a judgement was not added.
enum Refusal {
    /// The document is at this position already.
    Known(u32),
    TooMany,
}

impl Judged {
    fn add(&mut self, document: &str, grade: i32) -> std::result::Result<(), Refusal> {
        if let Some(at) = self.position(hash(document), document) {
            return Err(Refusal::Known(at));
        }
        let id = self.documents.add(document).ok_or(Refusal::TooMany)?;
        let at = u32::try_from(self.grades.len()).map_err(|_| Refusal::TooMany)?;
        self.grades.push((id, grade));
        if self.grades.len() * 2 > self.finder.room() {
            let count = 2 * self.grades.len();
            self.finder.clear(count);
            for (at, &(id, _)) in self.grades.iter().enumerate() {
                // They are known to differ.
                self.finder.enter(id, at as u32, |_| false);
            }
        } else {
            self.finder.enter(id, at, |_| false);
        }
        Ok(())
    }

    #[inline]
    fn position(&self, hash: u32, document: &str) -> Option<u32> {
        self.finder.find(hash, |at| self.documents.name(self.grades[at as usize].0) == document)
    }

    /// The grade of a document; `None` if nobody judged it.
    pub fn grade(&self, document: &str) -> Option<i32> {
        self.grade_of_hash(hash(document), document)
    }

    /// The same, for a document whose hash is known.
    #[inline]
    pub(super) fn grade_of_hash(&self, hash: u32, document: &str) -> Option<i32> {
        self.position(hash, document).map(|at| self.grades[at as usize].1)
    }

    /// Documents and grades, as they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, i32)> {
        self.grades.iter().map(|&(id, grade)| (self.documents.name(id), grade))
    }

    /// All grades.
    pub fn grades(&self) -> impl ExactSizeIterator<Item = i32> {
        self.grades.iter().map(|&(_, grade)| grade)
    }

    /// Number of judged documents.
    pub fn len(&self) -> usize {
        self.grades.len()
    }

    /// Whether nothing is judged.
    pub fn is_empty(&self) -> bool {
        self.grades.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &[u8]) -> Result<Qrels> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        Qrels::read(file.path())
    }

    #[test]
    fn any_blanks_and_line_ends() {
        let qrels =
            read(b"\xef\xbb\xbf# judged in June\r\n10\t0  a 1\r\n\r\n  9 0 b\t-1\r\n10 0 b 0")
                .unwrap();
        let names: Vec<&str> = qrels.topics().map(|(name, _)| name).collect();
        assert_eq!(names, ["10", "9"], "byte order");
        assert_eq!(qrels.topic("10").unwrap().grade("a"), Some(1));
        assert_eq!(qrels.topic("10").unwrap().grade("b"), Some(0));
        assert_eq!(qrels.topic("10").unwrap().grade("c"), None);
        assert_eq!(qrels.topic("9").unwrap().grade("b"), Some(-1));
        assert!(read(b"").unwrap().is_empty());
    }

    #[test]
    fn faults_are_named() {
        for (text, part) in [
            (&b"1 0 a\n"[..], "1: expected 4 fields, found 3"),
            (b"1 0 a 1\n1 0 a 1 x\n", "2: expected 4 fields, found 5"),
            (b"1 0 a 0.5\n", "1 (grade): `0.5`"),
            (
                b"1 0 a 1\n2 0 a 1\n1 0 a 0\n",
                "3 (document): document a of topic 1 was judged on line 1",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn many_documents_are_told_apart() {
        let mut qrels = Qrels::new();
        for at in 0..2000 {
            qrels.judge("t", &format!("doc{at}"), at).unwrap();
        }
        let judged = qrels.topic("t").unwrap();
        assert_eq!(judged.len(), 2000);
        assert!((0..2000).all(|at| judged.grade(&format!("doc{at}")) == Some(at)));
        assert_eq!(judged.grade("doc2000"), None);
        assert!(qrels.judge("t", "doc7", 1).is_err());
    }
}
