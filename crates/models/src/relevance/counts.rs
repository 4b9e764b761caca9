//! How often each picture has each token: sparse, a row a picture.
//!
//! Of five hundred blobs a picture has some ten, of a few hundred words some four, so that sums over
//! training pictures touch only what is there.

use rayon::prelude::*;
use rebus_collection::Matrix;

use crate::folder::Reader;
use crate::{Error, Result, Training};

/// How the numbers of a feature row count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// As they are: so many regions are of this blob.
    #[default]
    AsGiven,
    /// 1 for whatever is above 0.
    Presence,
}

/// A token of a picture and how often it has it.
pub(super) type Entry = (u32, f64);

/// Counts above 0, by picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Counts {
    columns: usize,
    starts: Vec<usize>,
    entries: Vec<Entry>,
}

impl Counts {
    /// Rows of entries, each in the order of tokens.
    pub(super) fn new(columns: usize, rows: impl IntoIterator<Item = Vec<Entry>>) -> Self {
        let mut counts = Self { columns, starts: vec![0], entries: Vec::new() };
        for row in rows {
            counts.entries.extend(row);
            counts.starts.push(counts.entries.len());
        }
        counts
    }

    /// The rows of a feature matrix as bags of blobs.
    ///
    /// # Errors
    /// If a number is below 0 or no number, naming picture and blob.
    pub(super) fn of_features(features: &Matrix, counting: Counting) -> Result<Self> {
        let mut rows = Vec::with_capacity(features.rows());
        for picture in 0..features.rows() {
            let mut row = Vec::new();
            for (blob, &count) in features.row(picture).iter().enumerate() {
                if !(count.is_finite() && count >= 0.0) {
                    let what = format!(
                        "blob {blob} of picture {picture} counts {count}, not 0 or more; it takes \
                         features that count, such as those of blobs"
                    );
                    return Err(Error::Data { what });
                }
                if count > 0.0 {
                    let count = if counting == Counting::Presence { 1.0 } else { f64::from(count) };
                    row.push((blob as u32, count));
                }
            }
            rows.push(row);
        }
        Ok(Self::new(features.columns(), rows))
    }

    pub(super) fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn row(&self, row: usize) -> &[Entry] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// How many tokens a picture has, repeats counted.
    pub(super) fn size(&self, row: usize) -> f64 {
        self.row(row).iter().map(|(_, count)| count).sum()
    }

    /// How many tokens a picture has on average.
    pub(super) fn mean_size(&self) -> f64 {
        let tokens: f64 = self.entries.iter().map(|(_, count)| count).sum();
        tokens / self.rows().max(1) as f64
    }

    /// How often each token occurs in all pictures.
    pub(super) fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.columns];
        for &(token, count) in &self.entries {
            totals[token as usize] += count;
        }
        totals
    }

    /// Some of the rows, in this order.
    pub(super) fn some(&self, rows: &[usize]) -> Self {
        Self::new(self.columns, rows.iter().map(|&row| self.row(row).to_vec()))
    }

    /// The same with 1 for every token that is there.
    pub(super) fn present(mut self) -> Self {
        self.entries.iter_mut().for_each(|(_, count)| *count = 1.0);
        self
    }

    /// As a tensor: picture, token and count a line.
    pub(super) fn tensor(&self) -> Matrix {
        let mut tensor = Matrix::zeros(self.entries.len(), 3);
        let mut line = 0;
        for row in 0..self.rows() {
            for &(token, count) in self.row(row) {
                tensor.row_mut(line).copy_from_slice(&[row as f32, token as f32, count as f32]);
                line += 1;
            }
        }
        tensor
    }

    /// What [`Self::tensor`] made: every picture has an entry, and they come in order.
    pub(super) fn read(reader: &Reader, name: &str, columns: usize) -> Result<Self> {
        let tensor = reader.tensor(name, [None, Some(3)])?;
        let bad = |line: usize, what: &str| {
            Err(reader.damaged_tensor(name, format_args!("line {line} {what}")))
        };
        let mut rows: Vec<Vec<Entry>> = Vec::new();
        for line in 0..tensor.rows() {
            let &[picture, token, count] = tensor.row(line) else {
                return bad(line, "has not three numbers");
            };
            let whole = |value: f32| value >= 0.0 && value.fract() == 0.0;
            if !whole(picture) || !whole(token) || token as usize >= columns || count <= 0.0 {
                return bad(line, "is no count of a token");
            }
            let (picture, token) = (picture as usize, token as u32);
            if picture == rows.len() {
                rows.push(Vec::new());
            }
            let last = rows.len().checked_sub(1).filter(|&last| last == picture);
            match last.map(|last| &mut rows[last]) {
                Some(row) if row.last().is_none_or(|&(last, _)| last < token) => {
                    row.push((token, f64::from(count)));
                }
                _ => return bad(line, "is out of order"),
            }
        }
        Ok(Self::new(columns, rows))
    }
}

/// The training pictures that have both a word and a region, in an order of their content, so that
/// nothing depends on the order in which they were given.
///
/// # Errors
/// If there is no such picture.
pub(super) fn with_both(
    data: &Training<'_>,
    words: &Counts,
    has_region: impl Fn(usize) -> bool,
) -> Result<Vec<usize>> {
    let kept: Vec<usize> = data
        .by_content()
        .into_iter()
        .filter(|&row| !words.row(row).is_empty() && has_region(row))
        .collect();
    if kept.is_empty() {
        return Err(Error::Data { what: "no picture has both a word and a region".into() });
    }
    Ok(kept)
}

/// How often each token occurs, as one row of a tensor.
pub(super) fn totals(counts: &Counts) -> Matrix {
    let mut totals = Matrix::zeros(1, counts.columns());
    for (to, total) in totals.values_mut().iter_mut().zip(counts.totals()) {
        *to = total as f32;
    }
    totals
}

/// A matrix whose rows are made apart from each other, each thread with room of its own.
pub(super) fn rows<S: Default>(
    count: usize,
    columns: usize,
    fill: impl Fn(&mut S, usize, &mut [f32]) + Sync,
) -> Matrix {
    let mut matrix = Matrix::zeros(count, columns);
    if columns > 0 {
        let rows = matrix.values_mut().par_chunks_mut(columns).enumerate();
        rows.for_each_init(S::default, |room, (at, row)| fill(room, at, row));
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_totals() {
        let features = Matrix::new(2, 3, vec![0.0, 2.0, 1.0, 0.0, 0.0, 3.0]).unwrap();
        let counts = Counts::of_features(&features, Counting::AsGiven).unwrap();
        assert_eq!(counts.row(0), [(1, 2.0), (2, 1.0)]);
        assert_eq!((counts.size(0), counts.totals()), (3.0, vec![0.0, 2.0, 4.0]));
        assert_eq!(counts.some(&[1, 1]).totals(), [0.0, 0.0, 6.0]);
        let present = Counts::of_features(&features, Counting::Presence).unwrap();
        assert_eq!(present.totals(), [0.0, 1.0, 2.0]);
        assert_eq!(present.tensor().row(2), [1.0, 2.0, 1.0]);
    }

    #[test]
    fn what_is_no_count_is_named() {
        let features = Matrix::new(1, 2, vec![1.0, -0.5]).unwrap();
        let error = Counts::of_features(&features, Counting::AsGiven).unwrap_err().to_string();
        assert!(error.contains("blob 1 of picture 0"), "{error}");
    }
}
