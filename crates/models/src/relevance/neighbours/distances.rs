//! Base distances: a feature row is cut into parts, each of which has a distance of its own.
//!
//! Each is divided by its mean between training pictures, so that all have one unit.

use std::ops::Range;

use rayon::prelude::*;
use rebus_collection::Matrix;
use serde::{Deserialize, Serialize};

use super::super::squared_distances::squared_distances;
use crate::image_side::{ImageSide, Scaling};
use crate::{Error, Result};

/// How two vectors are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distance {
    /// The length of their difference.
    #[default]
    Euclidean,
    /// The sum of the absolute differences, as for histograms.
    Manhattan,
}

/// The training pictures, ready to be compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Base {
    distance: Distance,
    sides: Vec<ImageSide>,
    ranges: Vec<Range<usize>>,
    /// By part: the training rows, scaled.
    rows: Vec<Matrix>,
    /// By part: the mean distance between training pictures.
    units: Vec<f64>,
}

/// So many pictures are compared with all training pictures at a time.
pub(super) const BLOCK: usize = 256;
/// Units are taken from the distances of so many pictures to all.
const SAMPLE: usize = 200;

impl Base {
    /// Learns scales from training rows, cut into parts of these lengths; none for one part.
    ///
    /// # Errors
    /// If the lengths do not add up.
    pub(super) fn fit(
        features: &Matrix,
        parts: &[usize],
        distance: Distance,
        scaling: Scaling,
    ) -> Result<Self> {
        let ranges = ranges(features.columns(), parts)?;
        let raw: Vec<Matrix> = ranges.iter().map(|range| columns(features, range)).collect();
        let sides: Vec<ImageSide> =
            raw.iter().map(|part| ImageSide::fit(part, scaling, 0.0)).collect();
        let rows = sides.iter().zip(&raw).map(|(side, part)| side.rows(part));
        let rows = rows.collect::<Result<Vec<Matrix>>>()?;
        let units = vec![1.0; rows.len()];
        let mut base = Self { distance, sides, ranges, rows, units };
        let sample: Vec<usize> = (0..features.rows().min(SAMPLE)).collect();
        for (part, matrix) in base.to(&features.only(&sample))?.iter().enumerate() {
            let sum: f64 = matrix.values().iter().map(|&value| f64::from(value)).sum();
            let mean = sum / matrix.values().len().max(1) as f64;
            // As a folder holds it.
            base.units[part] = if mean > 0.0 { f64::from(mean as f32) } else { 1.0 };
        }
        Ok(base)
    }

    /// From what a folder holds: statistics, rows and units by part.
    pub(super) fn new(
        distance: Distance,
        sides: Vec<ImageSide>,
        rows: Vec<Matrix>,
        units: Vec<f64>,
    ) -> Self {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for side in &sides {
            let start = ranges.last().map_or(0, |range| range.end);
            ranges.push(start..start + side.features());
        }
        Self { distance, sides, ranges, rows, units }
    }

    pub(super) fn parts(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn sides(&self) -> &[ImageSide] {
        &self.sides
    }

    pub(super) fn rows(&self) -> &[Matrix] {
        &self.rows
    }

    pub(super) fn units(&self) -> &[f64] {
        &self.units
    }

    /// How many numbers a feature row has.
    pub(super) fn features(&self) -> usize {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// How many training pictures there are.
    pub(super) fn pictures(&self) -> usize {
        self.rows.first().map_or(0, Matrix::rows)
    }

    /// The training pictures at these places alone, in the same units.
    pub(super) fn some(&self, pictures: &[usize]) -> Self {
        let rows = self.rows.iter().map(|part| part.only(pictures)).collect();
        Self { rows, ..self.clone() }
    }

    /// The distances of pictures (rows) from every training picture (columns), by part.
    ///
    /// # Errors
    /// If the rows have another length than the training pictures'.
    pub(super) fn to(&self, features: &Matrix) -> Result<Vec<Matrix>> {
        if features.columns() != self.features() {
            return Err(Error::Shape { expected: self.features(), found: features.columns() });
        }
        let scaled = self.ranges.iter().zip(&self.sides);
        let scaled = scaled.map(|(range, side)| side.rows(&columns(features, range)));
        Ok(self.between(&scaled.collect::<Result<Vec<_>>>()?))
    }

    /// The distances of pictures of another base, in whose units this one is, from ours.
    pub(super) fn between_rows_of(&self, other: &Self, pictures: &[usize]) -> Vec<Matrix> {
        self.between(&other.rows.iter().map(|part| part.only(pictures)).collect::<Vec<_>>())
    }

    fn between(&self, scaled: &[Matrix]) -> Vec<Matrix> {
        let part = |(at, rows): (usize, &Matrix)| {
            let unit = 1.0 / self.units[at];
            match self.distance {
                Distance::Euclidean => euclidean(rows, &self.rows[at], unit),
                Distance::Manhattan => manhattan(rows, &self.rows[at], unit),
            }
        };
        scaled.iter().enumerate().map(part).collect()
    }
}

fn euclidean(a: &Matrix, b: &Matrix, unit: f64) -> Matrix {
    let mut distances = squared_distances(a, b);
    let values = distances.values_mut();
    values.par_iter_mut().for_each(|to| *to = (f64::from(*to).sqrt() * unit) as f32);
    distances
}

fn manhattan(a: &Matrix, b: &Matrix, unit: f64) -> Matrix {
    let mut distances = Matrix::zeros(a.rows(), b.rows());
    distances.values_mut().par_chunks_mut(b.rows().max(1)).enumerate().for_each(|(at, to)| {
        for (row, to) in to.iter_mut().enumerate() {
            let pairs = a.row(at).iter().zip(b.row(row));
            let sum: f32 = pairs.map(|(a, b)| (a - b).abs()).sum();
            *to = (f64::from(sum) * unit) as f32;
        }
    });
    distances
}

/// Where the parts of a row lie.
fn ranges(columns: usize, parts: &[usize]) -> Result<Vec<Range<usize>>> {
    let whole = [columns];
    let parts = if parts.is_empty() { &whole[..] } else { parts };
    let mut start = 0;
    let mut found = Vec::new();
    for &length in parts {
        found.push(start..start + length);
        start += length;
    }
    if start != columns || parts.contains(&0) {
        let what = format!("add up to {start}, but rows have {columns} numbers");
        return Err(Error::Setting { field: "parts", what });
    }
    Ok(found)
}

fn columns(matrix: &Matrix, range: &Range<usize>) -> Matrix {
    let mut to = Matrix::zeros(matrix.rows(), range.len());
    for row in 0..matrix.rows() {
        to.row_mut(row).copy_from_slice(&matrix.row(row)[range.clone()]);
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_distances_of_their_own() {
        let features = Matrix::new(2, 3, vec![0.0, 0.0, 0.0, 3.0, 4.0, 2.0]).unwrap();
        for (distance, first) in [(Distance::Euclidean, 5.0), (Distance::Manhattan, 7.0)] {
            let base = Base::fit(&features, &[2, 1], distance, Scaling::AsIs).unwrap();
            // Two of the four pairs of the sample are a picture with itself.
            assert_eq!(base.units(), [first / 2.0, 1.0], "{distance:?}");
            let found = base.to(&features).unwrap();
            assert_eq!(found[0].row(0), [0.0, 2.0]);
            assert_eq!(found[1].row(1), [2.0, 0.0]);
            assert!(base.to(&Matrix::zeros(1, 2)).is_err());
        }
        let error = Base::fit(&features, &[2, 2], Distance::Euclidean, Scaling::AsIs);
        assert!(error.unwrap_err().to_string().contains("`parts`"));
    }
}
