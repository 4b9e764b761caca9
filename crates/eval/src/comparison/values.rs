//! One value a query: of an evaluation, or from a table that another program wrote.
//!
//! ```text
//! query,MAP,P@20          {"MAP": {"q1": 0.5, "q2": null}, "P@20": {...}}
//! q1,0.5,0.25             {"q1": 0.5, "q2": null}
//! q2,,0.1
//! ```
//! An empty cell or `null` is a query for which the measure is undefined.

use std::path::Path;

use rebus_collection::{Error, Place, Result, lines};
use serde_json::{Map, Value};

use crate::significance::Statistic;
use crate::table::{Table, number};
use crate::{Evaluation, Measure, Summary};

/// The values of one measure, by query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryValues {
    /// The task, `annotation` or `search` where there are two directions.
    pub task: String,
    /// The measure, spelt as the papers do.
    pub measure: String,
    /// How the values become one figure.
    pub statistic: Statistic,
    /// Queries and values; `None` where the measure is undefined.
    pub by_query: Vec<(String, Option<f64>)>,
}

impl QueryValues {
    /// Values of a measure. They become a median if the measure's name is that of one, otherwise a
    /// mean.
    pub fn new(task: &str, measure: &str, by_query: Vec<(String, Option<f64>)>) -> Self {
        let summary = measure.parse::<Measure>().map(|measure| measure.definition().summary);
        let statistic = match summary {
            Ok(Summary::Median) => Statistic::Median,
            _ => Statistic::Mean,
        };
        Self { task: task.to_owned(), measure: measure.to_owned(), statistic, by_query }
    }

    /// The values of every measure of an evaluation. Queries without names are numbered.
    pub fn of_evaluation(evaluation: &Evaluation, task: &str) -> Vec<Self> {
        let name =
            |at: usize| evaluation.queries.get(at).cloned().unwrap_or_else(|| at.to_string());
        let values = |(at, measure): (usize, &Measure)| {
            let values = evaluation.values(at).into_iter().enumerate();
            let by_query = values.map(|(at, value)| (name(at), value)).collect();
            Self::new(task, &measure.to_string(), by_query)
        };
        evaluation.measures.iter().enumerate().map(values).collect()
    }

    /// Reads values from a table (CSV, TSV) or, if the name ends in `.json`, from JSON.
    ///
    /// # Errors
    /// If the file cannot be read, holds something else, or names a query twice.
    pub fn read(path: &Path, task: &str) -> Result<Vec<Self>> {
        if lines::plain_name(path).ends_with(".json") {
            read_json(path, task)
        } else {
            read_table(path, task)
        }
    }

    /// The figure over the queries for which there is a value.
    pub fn figure(&self) -> Option<f64> {
        let mut values: Vec<f64> = self.by_query.iter().filter_map(|&(_, value)| value).collect();
        (!values.is_empty()).then(|| self.statistic.of(&mut values))
    }
}

fn read_table(path: &Path, task: &str) -> Result<Vec<QueryValues>> {
    let mut table = Table::read(path)?;
    let header = table.take_header();
    let width = table.rows.first().map_or(0, |row| row.cells.len());
    if width < 2 {
        return Err(Error::malformed(Place::file(path), "there are no values beside the queries")
            .with_hint("a line is: query, then one value a measure"));
    }
    let measures = match header {
        Some(header) => header.into_iter().skip(1).collect(),
        None if width == 2 => vec!["value".to_owned()],
        None => {
            return Err(Error::malformed(Place::file(path), "the columns have no names")
                .with_hint("begin with a line such as: query,MAP,P@20"));
        }
    };
    let mut seen = std::collections::BTreeMap::new();
    let mut columns: Vec<Vec<(String, Option<f64>)>> = vec![Vec::new(); measures.len()];
    for row in &table.rows {
        let query = &row.cells[0];
        if let Some(first) = seen.insert(query.clone(), row.line) {
            let what = format!("query {query} stands on line {first} already");
            return Err(Error::malformed(table.place(row.line), what)
                .with_hint("a table has one line a query"));
        }
        for ((measure, cell), column) in measures.iter().zip(&row.cells[1..]).zip(&mut columns) {
            let value = number(cell)
                .map_err(|what| Error::malformed(table.place(row.line).field(measure), what))?;
            column.push((query.clone(), value));
        }
    }
    let values = measures.iter().zip(columns);
    Ok(values.map(|(measure, column)| QueryValues::new(task, measure, column)).collect())
}

fn read_json(path: &Path, task: &str) -> Result<Vec<QueryValues>> {
    let source = lines::open(path)?;
    let value: Value =
        serde_json::from_reader(std::io::BufReader::new(source)).map_err(|error| {
            Error::malformed(Place::file(path).line(error.line() as u64), error.to_string())
        })?;
    let wrong = |field: &str, what: &str| {
        Error::malformed(Place::file(path).field(field), what)
            .with_hint("values are {\"query\": number} or {\"measure\": {\"query\": number}}")
    };
    let Value::Object(whole) = value else {
        return Err(wrong("the whole file", "no object"));
    };
    let column = |measure: &str, values: &Map<String, Value>| {
        let by_query = values.iter().map(|(query, value)| match value {
            Value::Null => Ok((query.clone(), None)),
            Value::Number(number) => Ok((query.clone(), number.as_f64())),
            _ => Err(wrong(query, "neither a number nor null")),
        });
        Ok(QueryValues::new(task, measure, by_query.collect::<Result<Vec<_>>>()?))
    };
    if whole.is_empty() {
        return Err(wrong("the whole file", "no values"));
    }
    if whole.values().all(Value::is_object) {
        let objects =
            whole.iter().filter_map(|(measure, value)| Some((measure, value.as_object()?)));
        return objects.map(|(measure, values)| column(measure, values)).collect();
    }
    Ok(vec![column("value", &whole)?])
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(name: &str, text: &str) -> Result<Vec<QueryValues>> {
        let mut file = tempfile::Builder::new().suffix(name).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        QueryValues::read(file.path(), "search")
    }

    #[test]
    fn tables_and_json_say_the_same() {
        let table = read(".csv", "query,MAP,median\nq1,0.5,3\nq2,,1\n").unwrap();
        let json = r#"{"MAP": {"q1": 0.5, "q2": null}, "median": {"q1": 3, "q2": 1}}"#;
        assert_eq!(table, read(".json", json).unwrap());
        assert_eq!(table[0].by_query, [("q1".into(), Some(0.5)), ("q2".into(), None)]);
        assert_eq!((table[0].figure(), table[1].figure()), (Some(0.5), Some(2.0)));
        assert_eq!(table[1].statistic, Statistic::Median);
        let plain = read(".tsv", "q1\t0.5\nq2\t1\n").unwrap();
        assert_eq!(plain, read(".json", r#"{"q1": 0.5, "q2": 1.0}"#).unwrap());
        assert_eq!(plain[0].measure, "value");
    }

    #[test]
    fn faults_are_named() {
        for (name, text, part) in [
            (".csv", "query,MAP\nq1,0.5\nq1,0.6\n", ":3: query q1 stands on line 2 already"),
            (".csv", "query,MAP\nq1,x\n", ":2 (MAP): `x` is no number"),
            (".csv", "query,MAP\nq1,inf\n", ":2 (MAP): `inf` is not a finite number"),
            (".csv", "q1,1,2\n", "the columns have no names"),
            (".csv", "q1\n", "no values"),
            (".json", "[1]", "no object"),
            (".json", "{}", "no values"),
            (".json", "{\"a\": \n x}", ":2"),
            (".json", r#"{"a": "b"}"#, "(a): neither"),
        ] {
            let error = read(name, text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
