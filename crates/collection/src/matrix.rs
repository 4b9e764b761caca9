//! Dense numbers: row-major `f32`, in memory or in a file that the system pages in as needed.

use crate::mapped::MappedFloats;
use crate::{Error, Place, Result};

/// A row-major matrix of `f32`: features, vectors or scores.
///
/// The numbers are either owned or lie in a memory-mapped file ([`crate::npy`]); readers see no
/// difference. Writing to a mapped matrix takes a copy of it into memory first, so the file never
/// changes.
#[derive(Debug, Clone)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Values,
}

#[derive(Debug, Clone)]
enum Values {
    Owned(Vec<f32>),
    Mapped(MappedFloats),
}

impl Matrix {
    /// A matrix over `values`, which hold one row after the other.
    ///
    /// # Errors
    /// If there are not exactly `rows * columns` values.
    pub fn new(rows: usize, columns: usize, values: Vec<f32>) -> Result<Self> {
        check_shape(rows, columns, values.len())?;
        Ok(Self { rows, columns, values: Values::Owned(values) })
    }

    /// A matrix over numbers that lie in a file.
    ///
    /// # Errors
    /// If there are not exactly `rows * columns` numbers.
    pub(crate) fn mapped(rows: usize, columns: usize, values: MappedFloats) -> Result<Self> {
        check_shape(rows, columns, values.as_slice().len())?;
        Ok(Self { rows, columns, values: Values::Mapped(values) })
    }

    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: Values::Owned(vec![0.0; rows * columns]) }
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
        &self.values()[row * self.columns..(row + 1) * self.columns]
    }

    /// One row, to write to.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let columns = self.columns;
        &mut self.values_mut()[row * columns..(row + 1) * columns]
    }

    /// Some of the rows, in the order given.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn only(&self, rows: &[usize]) -> Self {
        let mut some = Self::zeros(rows.len(), self.columns);
        for (to, &from) in rows.iter().enumerate() {
            some.row_mut(to).copy_from_slice(self.row(from));
        }
        some
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f32] {
        match &self.values {
            Values::Owned(values) => values,
            Values::Mapped(values) => values.as_slice(),
        }
    }

    /// All rows, one after the other, to write to. A mapped matrix is copied into memory first.
    pub fn values_mut(&mut self) -> &mut [f32] {
        if let Values::Mapped(mapped) = &self.values {
            self.values = Values::Owned(mapped.as_slice().to_vec());
        }
        match &mut self.values {
            Values::Owned(values) => values,
            // Became owned above.
            Values::Mapped(_) => &mut [],
        }
    }

    /// Whether the numbers lie in a mapped file rather than in memory of our own.
    pub fn is_mapped(&self) -> bool {
        matches!(self.values, Values::Mapped(_))
    }

    /// Row and column, counted from 0, of the first number that is infinite or no number.
    pub fn first_not_finite(&self) -> Option<(usize, usize)> {
        let at = self.values().iter().position(|value| !value.is_finite())?;
        Some((at / self.columns, at % self.columns))
    }
}

impl PartialEq for Matrix {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.columns == other.columns && self.values() == other.values()
    }
}

fn check_shape(rows: usize, columns: usize, count: usize) -> Result<()> {
    if rows.checked_mul(columns) == Some(count) {
        return Ok(());
    }
    Err(Error::malformed(
        Place::default(),
        format!("{rows} x {columns} matrix over {count} values"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_must_fit() {
        assert!(Matrix::new(2, 3, vec![0.0; 5]).is_err());
        assert!(Matrix::new(usize::MAX, 2, vec![]).is_err());
        assert_eq!(Matrix::new(2, 3, vec![0.0; 6]).unwrap(), Matrix::zeros(2, 3));
    }

    #[test]
    fn what_is_not_finite_is_named() {
        let mut matrix = Matrix::zeros(3, 4);
        assert_eq!(matrix.first_not_finite(), None);
        matrix.row_mut(1)[2] = f32::NAN;
        assert_eq!(matrix.first_not_finite(), Some((1, 2)));
        assert_eq!(Matrix::zeros(0, 0).first_not_finite(), None);
    }
}
