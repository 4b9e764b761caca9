//! Dense numbers: row-major `f32`, with a name for what a row is.

use crate::{Error, Place, Result};

/// A row-major matrix of `f32`: features, vectors or scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Matrix {
    /// A matrix over `values`, which hold one row after the other.
    ///
    /// # Errors
    /// If there are not exactly `rows * columns` values.
    pub fn new(rows: usize, columns: usize, values: Vec<f32>) -> Result<Self> {
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(Error::malformed(
                Place::default(),
                format!("{rows} x {columns} matrix over {} values", values.len()),
            ));
        }
        Ok(Self { rows, columns, values })
    }

    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One row, to write to.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All rows, one after the other, to write to.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }
}
