//! Pictures as sets of region vectors.

use rebus_collection::Matrix;
use rebus_vision::RowKind;
use rebus_vision::regions::{MOST, vectors_of};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// What a feature row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// One vector for the whole picture, which is its only region; none if it is all zeros.
    Whole,
    /// The number of regions and a vector for each, as the extractors of regions give them.
    Regions,
}

impl Layout {
    /// That of an extractor, by its name.
    pub(super) fn of_extractor(name: &str) -> Self {
        match RowKind::of_extractor(name) {
            RowKind::Regions => Self::Regions,
            RowKind::VisualWords | RowKind::Blobs | RowKind::Vector => Self::Whole,
        }
    }

    /// How many numbers a row has whose regions have so many.
    pub(super) fn row_length(self, region: usize) -> usize {
        match self {
            Self::Whole => region,
            Self::Regions => 1 + MOST * region,
        }
    }
}

/// The regions of pictures.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RegionRows {
    /// A row a region.
    pub(super) rows: Matrix,
    /// By picture: where its regions begin; one more at the end.
    pub(super) starts: Vec<usize>,
}

impl RegionRows {
    /// Takes feature rows apart.
    ///
    /// # Errors
    /// If a row has no such length, or says that it has more regions than it has places for.
    pub(super) fn of_features(features: &Matrix, layout: Layout) -> Result<Self> {
        let length = match layout {
            Layout::Whole => features.columns(),
            Layout::Regions => features.columns().saturating_sub(1) / MOST,
        };
        if layout.row_length(length) != features.columns() || length == 0 {
            let what = format!("rows of {} numbers do not hold regions", features.columns());
            return Err(Error::Data { what });
        }
        let (mut values, mut starts) = (Vec::new(), vec![0]);
        for row in 0..features.rows() {
            let numbers = features.row(row);
            match layout {
                Layout::Whole if numbers.iter().all(|&value| value == 0.0) => {}
                Layout::Whole => values.extend_from_slice(numbers),
                Layout::Regions => {
                    let count = numbers[0];
                    if count.fract() != 0.0 || !(0.0..=MOST as f32).contains(&count) {
                        let what = format!("picture {row} says that it has {count} regions");
                        return Err(Error::Data { what });
                    }
                    vectors_of(numbers).for_each(|vector| values.extend_from_slice(vector));
                }
            }
            starts.push(values.len() / length);
        }
        let rows = Matrix::new(values.len() / length, length, values)
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
    fn rows_taken_apart() {
        let mut features = Matrix::zeros(2, 1 + 2 * MOST);
        features.row_mut(0)[..5].copy_from_slice(&[2.0, 1.0, 0.0, 0.0, 0.0]);
        let regions = RegionRows::of_features(&features, Layout::Regions).unwrap();
        assert_eq!((regions.rows.rows(), regions.pictures()), (2, 2));
        assert_eq!((regions.of(0), regions.of(1)), (0..2, 2..2));
        assert_eq!(regions.some(&[1, 0, 0]).starts, [0, 0, 2, 4]);
        let whole = RegionRows::of_features(&features, Layout::Whole).unwrap();
        assert_eq!(whole.starts, [0, 1, 1]);
    }

    #[test]
    fn rows_that_hold_no_regions() {
        assert!(RegionRows::of_features(&Matrix::zeros(1, 7), Layout::Regions).is_err());
        let mut features = Matrix::zeros(1, 1 + MOST);
        for count in [11.0, 0.5, -1.0] {
            features.row_mut(0)[0] = count;
            let error = RegionRows::of_features(&features, Layout::Regions).unwrap_err();
            assert!(error.to_string().contains("picture 0"), "{error}");
        }
    }

    #[test]
    fn extractors_of_regions_are_known_by_name() {
        assert_eq!(Layout::of_extractor("graph-regions:dinov2-small/1-ab"), Layout::Regions);
        assert_eq!(Layout::of_extractor("tiny-vit-5m/ab"), Layout::Whole);
    }
}
