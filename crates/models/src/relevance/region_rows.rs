//! Pictures as sets of region vectors.
//!
//! A feature row has so many places of equal length, one behind the other, each the vector of a
//! region; a place with nothing but zeros is empty. With one place a picture is one vector.

use rebus_collection::Matrix;

use crate::{Error, Result};

/// The regions of pictures.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RegionRows {
    /// A row a region.
    pub(super) rows: Matrix,
    /// By picture: where its regions begin; one more at the end.
    pub(super) starts: Vec<usize>,
}

impl RegionRows {
    /// Cuts feature rows into regions.
    ///
    /// # Errors
    /// If a row cannot be cut into so many equal places.
    pub(super) fn of_features(features: &Matrix, places: usize) -> Result<Self> {
        if !features.columns().is_multiple_of(places) {
            let what = format!(
                "rows of {} numbers cannot be cut into {places} regions",
                features.columns()
            );
            return Err(Error::Data { what });
        }
        let length = features.columns() / places;
        let (mut values, mut starts) = (Vec::new(), vec![0]);
        let mut regions = 0;
        for row in 0..features.rows() {
            for region in features.row(row).chunks_exact(length.max(1)) {
                if region.iter().any(|&value| value != 0.0) {
                    values.extend_from_slice(region);
                    regions += 1;
                }
            }
            starts.push(regions);
        }
        let rows = Matrix::new(regions, length, values)
            .map_err(|error| Error::Data { what: error.to_string() })?;
        Ok(Self { rows, starts })
    }

    /// How many pictures there are.
    pub(super) fn pictures(&self) -> usize {
        self.starts.len() - 1
    }

    /// Which regions are a picture's.
    pub(super) fn of(&self, picture: usize) -> std::ops::Range<usize> {
        self.starts[picture]..self.starts[picture + 1]
    }

    /// Some of the pictures, in this order.
    pub(super) fn some(&self, pictures: &[usize]) -> Self {
        let (mut values, mut starts) = (Vec::new(), vec![0]);
        let mut regions = 0;
        for &picture in pictures {
            for region in self.of(picture) {
                values.extend_from_slice(self.rows.row(region));
                regions += 1;
            }
            starts.push(regions);
        }
        let mut rows = Matrix::zeros(regions, self.rows.columns());
        rows.values_mut().copy_from_slice(&values);
        Self { rows, starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_places_are_no_regions() {
        let features = Matrix::new(2, 4, vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let regions = RegionRows::of_features(&features, 2).unwrap();
        assert_eq!((regions.rows.rows(), regions.pictures()), (1, 2));
        assert_eq!((regions.of(0), regions.of(1)), (0..1, 1..1));
        assert_eq!(regions.some(&[1, 0, 0]).starts, [0, 0, 1, 2]);
        assert!(RegionRows::of_features(&features, 3).is_err());
    }
}
