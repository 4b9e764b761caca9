//! P(region|J) without blobs: the mean of Gaussian kernels at the regions of a training picture J.

use std::ops::Range;

use rebus_collection::Matrix;

use super::region_rows::RegionRows;
use super::squared_distances::squared_distances;
use crate::Result;

/// So many distances are held at a time.
const BLOCK: usize = 1 << 23;

/// The regions of training pictures, scaled.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RegionKernels {
    pub(super) regions: RegionRows,
    /// The mean squared distance between two regions.
    pub(super) unit: f64,
}

impl RegionKernels {
    pub(super) fn new(regions: RegionRows) -> Self {
        let rows = &regions.rows;
        let count = rows.rows().max(1) as f64;
        let (mut mean, mut square) = (vec![0.0f64; rows.columns()], 0.0);
        for row in 0..rows.rows() {
            for (mean, &value) in mean.iter_mut().zip(rows.row(row)) {
                *mean += f64::from(value) / count;
                square += f64::from(value).powi(2) / count;
            }
        }
        // The mean over all pairs is twice the variance.
        let variance = square - mean.iter().map(|mean| mean * mean).sum::<f64>();
        Self { regions, unit: (2.0 * variance).max(f64::MIN_POSITIVE) }
    }

    /// Hands out the squared distances of pictures' regions (rows) from all kernels (columns), so many
    /// pictures at a time as there is room for.
    pub(super) fn distances(
        &self,
        images: &RegionRows,
        mut each: impl FnMut(Range<usize>, &Matrix) -> Result<()>,
    ) -> Result<()> {
        let most = (BLOCK / self.regions.rows.rows().max(1)).max(1);
        let mut first = 0;
        while first < images.pictures() {
            let mut end = first + 1;
            while end < images.pictures() && images.starts[end + 1] - images.starts[first] <= most {
                end += 1;
            }
            let pictures: Vec<usize> = (first..end).collect();
            let rows = images.some(&pictures).rows;
            let distances = squared_distances(&rows, &self.regions.rows);
            each(first..end, &distances)?;
            first = end;
        }
        Ok(())
    }

    /// ln P(I|J) for every training picture J, up to a constant: the sum over a picture's regions,
    /// rows of `distances`, of the logarithm of the mean kernel.
    pub(super) fn log_likelihoods(
        &self,
        distances: &Matrix,
        own: Range<usize>,
        variance: f64,
    ) -> Vec<f64> {
        let mut logs = vec![0.0; self.regions.pictures()];
        let factor = -0.5 / variance;
        for row in own {
            let row = distances.row(row);
            for (picture, log) in logs.iter_mut().enumerate() {
                let kernels = &row[self.regions.of(picture)];
                let nearest = kernels.iter().copied().fold(f32::INFINITY, f32::min);
                let sum: f64 = kernels
                    .iter()
                    .map(|&distance| (factor * f64::from(distance - nearest)).exp())
                    .sum();
                *log += factor * f64::from(nearest) + (sum / kernels.len() as f64).ln();
            }
        }
        logs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[f32], starts: &[usize]) -> RegionRows {
        let rows = Matrix::new(values.len(), 1, values.to_vec()).unwrap();
        RegionRows { rows, starts: starts.to_vec() }
    }

    #[test]
    fn the_unit_is_the_mean_over_all_pairs() {
        let values = [1.0, 5.0, 2.0, 9.0];
        let kernels = RegionKernels::new(rows(&values, &[0, 2, 4]));
        let pairs = values.iter().flat_map(|a| values.iter().map(move |b| f64::from(a - b)));
        let mean = pairs.map(|difference| difference * difference).sum::<f64>() / 16.0;
        assert!((kernels.unit - mean).abs() < 1e-9, "{} {mean}", kernels.unit);
    }

    #[test]
    fn the_logarithm_of_the_mean_kernel() {
        let kernels = RegionKernels::new(rows(&[1.0, 5.0, 2.0], &[0, 2, 3]));
        let images = rows(&[1.5], &[0, 1]);
        kernels
            .distances(&images, |pictures, distances| {
                assert_eq!(pictures, 0..1);
                let logs = kernels.log_likelihoods(distances, 0..1, 2.0);
                let kernel = |d: f64| (-d * d / 4.0).exp();
                assert!((logs[0] - ((kernel(0.5) + kernel(3.5)) / 2.0).ln()).abs() < 1e-6);
                assert!((logs[1] - kernel(0.5).ln()).abs() < 1e-6);
                Ok(())
            })
            .unwrap();
    }
}
