//! TREC relevance judgements: `query 0 answer grade`, a line a pair, sorted.
//!
//! A pair has one grade there. Where several judges spoke about it, the median is written (the
//! lower of the middle two, so that it is a grade somebody gave); votes become 1 if more said yes
//! than no, and 0 otherwise. Diversity clusters are no grades and are left out.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{AtomicFile, Output, WriteOptions, Writer, Written};
use crate::{Error, Judgement, Place, Record, Result, Sink, Subject, Verdict, counted};

/// Judgements only.
pub(super) struct Qrels;

impl Writer for Qrels {
    fn name(&self) -> &'static str {
        "trec"
    }

    fn about(&self) -> &'static str {
        "TREC relevance judgements (qrels): the judgements only"
    }

    fn create(&self, path: &Path, options: &WriteOptions) -> Result<Box<dyn Output>> {
        Ok(Box::new(Grades {
            path: path.to_path_buf(),
            file: AtomicFile::create(path)?,
            wanted: options.set.clone(),
            sets: BTreeMap::new(),
            clusters: 0,
            others: [0; 2],
        }))
    }
}

/// The grades of every pair.
type Pairs = BTreeMap<(Subject, Subject), Vec<i64>>;

struct Grades {
    path: PathBuf,
    file: AtomicFile,
    wanted: Option<String>,
    sets: BTreeMap<String, Pairs>,
    clusters: u64,
    others: [u64; 2],
}

impl Grades {
    fn judgement(&mut self, judgement: Judgement) {
        let grade = match judgement.verdict {
            Verdict::Grade(grade) => grade,
            Verdict::Votes { yes, no } => i64::from(yes > no),
            Verdict::Cluster(_) => {
                self.clusters += 1;
                return;
            }
        };
        let pairs = self.sets.entry(judgement.set).or_default();
        pairs.entry((judgement.query, judgement.answer)).or_default().push(grade);
    }

    /// The one set to write.
    fn set(&mut self) -> Result<Pairs> {
        let fault = |what: String| Error::malformed(Place::file(&self.path), what);
        let names: Vec<&str> = self.sets.keys().map(String::as_str).collect();
        let listed = names.join(", ");
        let chosen = match (&self.wanted, &names[..]) {
            (_, []) => return Err(fault("the collection has no judgements to write".into())),
            (Some(wanted), _) if !self.sets.contains_key(wanted) => {
                let what = format!("there is no set of judgements `{wanted}`");
                return Err(fault(what).with_hint(format!("there are: {listed}")));
            }
            (Some(wanted), _) => wanted.clone(),
            (None, [only]) => (*only).to_owned(),
            (None, _) => {
                let what = "there are several sets of judgements, and qrels hold one".to_owned();
                return Err(fault(what).with_hint(format!("choose one with --set: {listed}")));
            }
        };
        Ok(self.sets.remove(&chosen).unwrap_or_default())
    }
}

impl Sink for Grades {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        match record {
            Record::Judgement(judgement) => self.judgement(judgement),
            Record::Item(_) => self.others[0] += 1,
            Record::Caption(_) => self.others[1] += 1,
            Record::Split(..) | Record::Topic(_) | Record::Finding(_) => {}
        }
        ControlFlow::Continue(())
    }
}

impl Output for Grades {
    fn finish(mut self: Box<Self>) -> Result<Written> {
        let pairs = self.set()?;
        let mut written = Written { path: self.path.clone(), ..Written::default() };
        let mut several = 0;
        for ((query, answer), mut grades) in pairs {
            several += u64::from(grades.len() > 1);
            grades.sort_unstable();
            let median = grades[(grades.len() - 1) / 2];
            let (query, answer) = (name(&query, &self.path)?, name(&answer, &self.path)?);
            writeln!(self.file, "{query} 0 {answer} {median}")
                .map_err(|source| Error::io(&self.path, source))?;
            written.judgements += 1;
        }
        let [items, captions] = self.others;
        if items + captions > 0 {
            let what = "qrels hold neither pictures nor captions";
            let (items, captions) = (counted(items, "item"), counted(captions, "caption"));
            written.left_out.push(format!("{items} and {captions}: {what}"));
        }
        if several > 0 {
            let what = "several judges spoke about them, their median is written";
            written.left_out.push(format!("single grades of {}: {what}", counted(several, "pair")));
        }
        if self.clusters > 0 {
            let what = "a cluster is no grade";
            written.left_out.push(format!("{} clusters: {what}", self.clusters));
        }
        self.file.commit()?;
        Ok(written)
    }
}

/// A name in a file whose fields are separated by blanks.
fn name<'a>(subject: &'a Subject, path: &Path) -> Result<&'a str> {
    let name = match subject {
        Subject::Item(id) => id.as_str(),
        Subject::Caption(id) => id.as_str(),
        Subject::Topic(id) => id.as_str(),
    };
    if name.is_empty() || name.contains(char::is_whitespace) {
        let what = format!("the name `{name}` has a blank in it, which qrels cannot hold");
        return Err(Error::malformed(Place::file(path), what));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(set: &str, query: &str, answer: &str, verdict: Verdict) -> Record {
        Record::Judgement(Judgement {
            set: set.into(),
            query: Subject::Caption(query.into()),
            answer: Subject::Item(answer.into()),
            judge: None,
            verdict,
        })
    }

    fn write(records: Vec<Record>, set: Option<&str>) -> Result<(String, Written)> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("q.txt");
        let options = WriteOptions { set: set.map(str::to_owned) };
        let mut output = Qrels.create(&path, &options)?;
        for record in records {
            let _ = output.take(record);
        }
        let written = output.finish()?;
        Ok((std::fs::read_to_string(&path).unwrap(), written))
    }

    #[test]
    fn a_pair_gets_the_lower_median() {
        let records = vec![
            grade("e", "b#0", "x", Verdict::Grade(4)),
            grade("e", "a#0", "x", Verdict::Grade(1)),
            grade("e", "a#0", "x", Verdict::Grade(3)),
            grade("e", "a#0", "y", Verdict::Votes { yes: 2, no: 1 }),
            grade("e", "a#0", "z", Verdict::Cluster(3)),
        ];
        let (text, written) = write(records, None).unwrap();
        assert_eq!(text, "a#0 0 x 1\na#0 0 y 1\nb#0 0 x 4\n");
        assert_eq!(written.judgements, 3);
        assert_eq!(written.left_out.len(), 2);
    }

    #[test]
    fn of_several_sets_one_must_be_chosen() {
        let records =
            vec![grade("e", "a", "x", Verdict::Grade(1)), grade("f", "a", "x", Verdict::Grade(0))];
        let error = write(records.clone(), None).unwrap_err();
        assert_eq!(error.hint().unwrap(), "choose one with --set: e, f");
        assert_eq!(write(records.clone(), Some("f")).unwrap().0, "a 0 x 0\n");
        assert!(write(records, Some("g")).is_err());
        assert!(write(vec![], None).is_err());
        assert!(write(vec![grade("e", "a b", "x", Verdict::Grade(1))], None).is_err());
    }
}
