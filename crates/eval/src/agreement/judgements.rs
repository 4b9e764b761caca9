//! Judgements from outside as [`Ratings`]: from a table, or from a collection.
//!
//! A table is long or wide:
//! ```text
//! unit,judge,value        unit,anna,bert,carl
//! a.jpg,anna,4            a.jpg,4,3,
//! a.jpg,bert,3            b.jpg,1,1,2
//! ```
//! It is long if its three columns are named so (or `item`, `rater`, `rating` and the like), and
//! wide otherwise; a wide table without a header calls its judges 1, 2, 3. A judgement that was not
//! made is an empty cell, or `NA`, `*`, `.`. Values are numbers, or names of classes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rebus_collection::{Collection, Error, Place, Result, Subject, Verdict};

use super::Ratings;
use crate::table::{ABOUT, Table, is_missing, number};

/// Judgements, and what is known of their values and judges.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judgements {
    /// Who said what.
    pub ratings: Ratings,
    /// The names of the classes where values are no numbers: class k has the value k.
    pub classes: Vec<String>,
    /// Whether judges of one name are one person throughout.
    pub judges: Judges,
}

/// What a judge's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Judges {
    /// The same person throughout.
    #[default]
    Named,
    /// Whoever was there: votes of a crowd.
    Anonymous,
}

const JUDGES: [&str; 5] = ["judge", "rater", "annotator", "coder", "worker"];
const VALUES: [&str; 7] = ["value", "rating", "score", "grade", "label", "judgement", "judgment"];

impl Judgements {
    /// Reads a table of judgements.
    ///
    /// # Errors
    /// If the file cannot be read, is no table of judgements, or has two values for one unit and
    /// judge; the message names the line.
    pub fn read(path: &Path) -> Result<Self> {
        let mut table = Table::read(path)?;
        let header = table.take_header();
        let given = match header.as_deref().and_then(long_columns) {
            Some(columns) => long(&table, columns),
            None => wide(&table, header)?,
        };
        let classes = classes(&given);
        let mut judgements = Self { classes, ..Self::default() };
        for judgement in given {
            let place = || table.place(judgement.line);
            let class = judgements.classes.iter().position(|class| class == judgement.value);
            let value = match class {
                Some(class) => class as f64,
                None => number(judgement.value)
                    .map_err(|what| Error::malformed(place().field(judgement.judge.clone()), what))?
                    .unwrap_or_default(),
            };
            judgements
                .ratings
                .add(judgement.unit, &judgement.judge, value)
                .map_err(|error| Error::malformed(place(), error.to_string()))?;
        }
        if judgements.ratings.is_empty() {
            return Err(Error::malformed(Place::file(path), "the table holds no judgement"));
        }
        Ok(judgements)
    }

    /// One set of a collection's judgements (`expert`, `crowd`). The unit is the pair of what was
    /// asked and what was shown. Votes count as so many judges who said 1 or 0.
    ///
    /// # Errors
    /// If the collection has no such set, or a judge judged a pair twice.
    pub fn of_collection(collection: &Collection, set: &str, path: &Path) -> Result<Self> {
        let mut judgements = Self::default();
        // Judges without a name are numbered within their unit.
        let mut unnamed: BTreeMap<String, u32> = BTreeMap::new();
        for judgement in collection.judgements().iter().filter(|judgement| judgement.set == set) {
            let unit = format!("{} {}", name(&judgement.query), name(&judgement.answer));
            let mut add = |judge: Option<&str>, value: f64| {
                let judge = match judge {
                    Some(judge) => judge.to_owned(),
                    None => {
                        judgements.judges = Judges::Anonymous;
                        let count = unnamed.entry(unit.clone()).or_default();
                        *count += 1;
                        count.to_string()
                    }
                };
                judgements
                    .ratings
                    .add(&unit, &judge, value)
                    .map_err(|error| Error::malformed(Place::file(path), error.to_string()))
            };
            match judgement.verdict {
                Verdict::Grade(grade) => add(judgement.judge.as_deref(), grade as f64)?,
                Verdict::Cluster(cluster) => add(judgement.judge.as_deref(), f64::from(cluster))?,
                Verdict::Votes { yes, no } => {
                    (0..yes).try_for_each(|_| add(None, 1.0))?;
                    (0..no).try_for_each(|_| add(None, 0.0))?;
                }
            }
        }
        if judgements.ratings.is_empty() {
            let sets: BTreeSet<&str> =
                collection.judgements().iter().map(|judgement| judgement.set.as_str()).collect();
            return Err(Error::no_such("set of judgements", set, sets));
        }
        Ok(judgements)
    }

    /// The mean value of each unit, by its name.
    pub fn means(&self) -> BTreeMap<&str, f64> {
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let units = self.ratings.units().iter().map(String::as_str);
        units.zip(self.ratings.by_unit().into_iter().map(mean)).collect()
    }
}

fn name(subject: &Subject) -> &str {
    match subject {
        Subject::Item(id) => id.as_str(),
        Subject::Caption(id) => id.as_str(),
        Subject::Topic(id) => id.as_str(),
    }
}

/// A judgement as it stands in a table.
struct Given<'a> {
    line: u64,
    unit: &'a str,
    judge: String,
    value: &'a str,
}

/// The columns of unit, judge and value, if the header names them.
fn long_columns(header: &[String]) -> Option<[usize; 3]> {
    let find = |names: &[&str]| {
        header.iter().position(|name| names.contains(&name.to_ascii_lowercase().as_str()))
    };
    Some([find(&ABOUT)?, find(&JUDGES)?, find(&VALUES)?])
}

fn long(table: &Table, [unit, judge, value]: [usize; 3]) -> Vec<Given<'_>> {
    let given = table.rows.iter().map(|row| Given {
        line: row.line,
        unit: &row.cells[unit],
        judge: row.cells[judge].clone(),
        value: &row.cells[value],
    });
    given.filter(|given| !is_missing(given.value)).collect()
}

fn wide(table: &Table, header: Option<Vec<String>>) -> Result<Vec<Given<'_>>> {
    let columns = table.rows.first().map_or(0, |row| row.cells.len());
    if columns < 2 {
        let line = table.rows.first().map_or(1, |row| row.line);
        return Err(Error::malformed(table.place(line), "a single column holds no judgements")
            .with_hint("columns are: unit, judge, value; or unit and one column a judge"));
    }
    let judges = match header {
        Some(header) => header.into_iter().skip(1).collect(),
        None => (1..columns).map(|number| number.to_string()).collect::<Vec<_>>(),
    };
    let mut given = Vec::new();
    for row in &table.rows {
        for (judge, value) in judges.iter().zip(&row.cells[1..]) {
            if !is_missing(value) {
                let (judge, unit) = (judge.clone(), row.cells[0].as_str());
                given.push(Given { line: row.line, unit, judge, value });
            }
        }
    }
    Ok(given)
}

/// The names of the classes in order, if no value at all is a number.
fn classes(given: &[Given<'_>]) -> Vec<String> {
    if given.iter().any(|given| given.value.parse::<f64>().is_ok()) {
        return Vec::new();
    }
    let names: BTreeSet<&str> = given.iter().map(|given| given.value).collect();
    names.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rebus_collection::{Judgement, Record, Sink};

    use super::*;

    fn read(text: &str) -> Result<Judgements> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Judgements::read(file.path())
    }

    #[test]
    fn long_and_wide_are_the_same() {
        let long = read("Unit,Rater,Score\na,x,1\na,y,2\nb,x,3\nb,y,NA\n").unwrap();
        let wide = read("unit,x,y\na,1,2\nb,3,\n").unwrap();
        assert_eq!(long, wide);
        assert_eq!(long.ratings.by_unit(), [vec![1.0, 2.0], vec![3.0]]);
        let bare = read("a\t1\t2\nb\t3\t*\n").unwrap();
        assert_eq!(bare.ratings.by_unit(), long.ratings.by_unit());
        assert_eq!(bare.ratings.judges(), ["1", "2"]);
        assert_eq!(bare.means()["a"], 1.5);
    }

    #[test]
    fn names_of_classes() {
        let named = read("unit,x,y\na,dog,cat\nb,cat,cat\n").unwrap();
        assert_eq!(named.classes, ["cat", "dog"]);
        assert_eq!(named.ratings.by_unit(), [vec![1.0, 0.0], vec![0.0, 0.0]]);
    }

    #[test]
    fn faults_are_named() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert!(message("unit,judge,value\na,x,1\na,x,2\n").contains(":3: judge x judged a twice"));
        assert!(message("unit,x,y\na,1,2\nb,good,2\n").contains(":3 (x): `good` is no number"));
        assert!(message("unit,x\na,\n").contains("no judgement"));
        assert!(message("1\n2\n").contains("a single column"));
    }

    #[test]
    fn sets_of_a_collection() {
        let mut collection = Collection::new();
        let mut judge = |set: &str, judge: Option<&str>, verdict| {
            let judgement = Judgement {
                set: set.into(),
                query: Subject::Item("a.jpg".into()),
                answer: Subject::Caption("b.jpg#2".into()),
                judge: judge.map(str::to_owned),
                verdict,
            };
            let _ = collection.take(Record::Judgement(judgement));
        };
        judge("expert", Some("1"), Verdict::Grade(3));
        judge("expert", Some("2"), Verdict::Grade(4));
        judge("crowd", None, Verdict::Votes { yes: 2, no: 1 });
        let of = |set| Judgements::of_collection(&collection, set, Path::new("x"));
        assert_eq!(of("expert").unwrap().ratings.by_unit(), [vec![3.0, 4.0]]);
        let crowd = of("crowd").unwrap();
        assert_eq!(crowd.judges, Judges::Anonymous);
        assert_eq!(crowd.means()["a.jpg b.jpg#2"], 2.0 / 3.0);
        assert_eq!(of("lay").unwrap_err().hint().unwrap(), "there are: crowd, expert");
    }
}
