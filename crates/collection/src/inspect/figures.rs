//! Files that belong to measuring rather than to a collection: TREC judgements and runs, and
//! arrays of scores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Spread, spread};
use crate::npy::Npy;
use crate::trec::{Qrels, Run};
use crate::{Error, Result, lines};

/// What such a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// TREC relevance judgements.
    Qrels,
    /// A TREC run.
    Run,
    /// A NumPy array.
    Npy,
}

/// The kinds with the names that `--format` takes.
pub const KINDS: &[(&str, Kind)] =
    &[("qrels", Kind::Qrels), ("run", Kind::Run), ("npy", Kind::Npy)];

/// What is in such a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it.
    #[serde(flatten)]
    pub content: Content,
}

/// The content by kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "format", rename_all = "lowercase")]
pub enum Content {
    /// TREC relevance judgements.
    Qrels {
        /// How many topics.
        topics: u64,
        /// How many judgements.
        judgements: u64,
        /// How often each grade was given.
        grades: BTreeMap<i32, u64>,
        /// Documents of grade 1 and above a topic.
        relevant_a_topic: Option<Spread>,
    },
    /// A TREC run.
    Run {
        /// What the run calls itself.
        name: String,
        /// How many topics.
        topics: u64,
        /// How many results.
        results: u64,
        /// Results a topic.
        results_a_topic: Option<Spread>,
        /// Results that have the score of the one before them.
        tied: u64,
    },
    /// A NumPy array.
    Npy {
        /// Its shape.
        shape: Vec<usize>,
        /// The smallest and the largest of its finite values; `None` if it is no matrix.
        range: Option<(f32, f32)>,
        /// How many values are not finite.
        not_finite: Option<u64>,
    },
}

/// Looks at the first line of a file.
pub fn recognise(path: &Path) -> Option<Kind> {
    if !path.is_file() {
        return None;
    }
    let head = lines::head(path, 4096);
    if head.starts_with(b"\x93NUMPY") {
        return Some(Kind::Npy);
    }
    let head = String::from_utf8_lossy(&head);
    let first = head.lines().find(|line| !line.trim().is_empty())?;
    let fields: Vec<&str> = first.split_whitespace().collect();
    match fields[..] {
        [_, _, _, grade] if grade.parse::<i32>().is_ok() => Some(Kind::Qrels),
        [_, _, _, rank, score, _]
            if rank.parse::<i64>().is_ok() && score.parse::<f64>().is_ok() =>
        {
            Some(Kind::Run)
        }
        _ => None,
    }
}

/// Reads a file and tells what is in it.
///
/// # Errors
/// If it cannot be read as this kind, with the place.
pub fn summarise(path: &Path, kind: Kind) -> Result<Figures> {
    let content = match kind {
        Kind::Qrels => qrels(&Qrels::read(path)?),
        Kind::Run => run(&Run::read(path)?),
        Kind::Npy => array(Npy::open(path)?)?,
    };
    Ok(Figures { path: path.to_path_buf(), content })
}

fn qrels(qrels: &Qrels) -> Content {
    let (mut grades, mut relevant) = (BTreeMap::new(), BTreeMap::new());
    for (_, judged) in qrels.topics() {
        judged.grades().for_each(|grade| *grades.entry(grade).or_default() += 1);
        let of_topic = judged.grades().filter(|&grade| grade > 0).count() as u64;
        *relevant.entry(of_topic).or_default() += 1;
    }
    Content::Qrels {
        topics: qrels.len() as u64,
        judgements: grades.values().sum(),
        grades,
        relevant_a_topic: spread(&relevant),
    }
}

fn run(run: &Run) -> Content {
    let (mut lengths, mut tied) = (BTreeMap::new(), 0);
    for (_, ranking) in run.topics() {
        *lengths.entry(ranking.len() as u64).or_default() += 1;
        let scores: Vec<f64> = ranking.iter().map(|(_, score)| score).collect();
        tied += scores.windows(2).filter(|two| two[0] == two[1]).count() as u64;
    }
    Content::Run {
        name: run.name().to_owned(),
        topics: run.len() as u64,
        results: lengths.iter().map(|(length, count)| length * count).sum(),
        results_a_topic: spread(&lengths),
        tied,
    }
}

fn array(array: Npy) -> Result<Content> {
    let shape = array.shape().to_vec();
    let (range, not_finite) = match array.into_matrix() {
        Ok(matrix) => {
            let finite = || matrix.values().iter().copied().filter(|value| value.is_finite());
            let not_finite = matrix.values().len() - finite().count();
            let range = finite().fold(None, |range, value| match range {
                None => Some((value, value)),
                Some((low, high)) => Some((value.min(low), value.max(high))),
            });
            (range, Some(not_finite as u64))
        }
        // An array of one or of three dimensions is no matrix, but can still be described.
        Err(Error::Malformed { .. }) if shape.len() != 2 => (None, None),
        Err(error) => return Err(error),
    };
    Ok(Content::Npy { shape, range, not_finite })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[u8]) -> (Option<Kind>, Option<Content>) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("file");
        std::fs::write(&path, text).unwrap();
        let kind = recognise(&path);
        (kind, kind.map(|kind| summarise(&path, kind).unwrap().content))
    }

    #[test]
    fn files_are_told_apart_by_their_first_line() {
        let (kind, content) = of(b"1 0 a 1\n1 0 b 0\n2 0 a -1\n");
        assert_eq!(kind, Some(Kind::Qrels));
        let Some(Content::Qrels { topics, judgements, grades, relevant_a_topic }) = content else {
            panic!()
        };
        assert_eq!((topics, judgements, grades[&-1]), (2, 3, 1));
        assert_eq!(relevant_a_topic.unwrap().mean, 0.5);
        let (kind, content) = of(b"1 Q0 a 1 0.5 me\n1 Q0 b 2 0.5 me\n");
        assert_eq!(kind, Some(Kind::Run));
        let Some(Content::Run { name, results, tied, .. }) = content else { panic!() };
        assert_eq!((name.as_str(), results, tied), ("me", 2, 1));
        assert_eq!(of(b"a sentence of words\n").0, None);
        assert_eq!(of(b"").0, None);
    }

    #[test]
    fn arrays_are_described() {
        let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
        bytes.extend(format!("{header:<117}\n").bytes());
        for value in [1.5f32, f32::NAN, -2.0] {
            bytes.extend(value.to_le_bytes());
        }
        let (_, content) = of(&bytes);
        let shape = vec![1, 3];
        let want = Content::Npy { shape, range: Some((-2.0, 1.5)), not_finite: Some(1) };
        assert_eq!(content, Some(want));
    }
}
