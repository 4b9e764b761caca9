//! `blobs`: a picture as counts of kinds of regions.
//!
//! The vectors of the regions of many pictures are standardised and put into k groups by k-means;
//! a blob is such a group (section 3 of the relevance-models paper, where k is 500). A new region
//! is the blob whose mean is nearest.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rebus_collection::{ContentHash, Item, Matrix, Progress};
use serde::{Deserialize, Serialize};

use super::vectors::{RegionVectors, Seen, vectors_of};
use super::{Method, wrong};
use crate::draw::draw;
use crate::kmeans::{self, nearest_of, squares};
use crate::{Cache, Extractor, Picture, Result, features};

/// What extractors of blobs and their folders are called.
pub(crate) const NAME: &str = "blobs";

/// Changes whenever the same picture would get other blobs.
pub(super) const VERSION: u32 = 1;

/// How blobs are made. The number is the paper's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Params {
    /// How many blobs.
    pub k: usize,
    /// Pictures that are looked at, drawn from those given.
    pub pictures: usize,
    /// The most rounds of k-means.
    pub rounds: usize,
    /// The seed by which pictures and the start of k-means are drawn.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { k: 500, pictures: 10_000, rounds: 100, seed: 2003 }
    }
}

impl Params {
    /// Looks at the settings.
    ///
    /// # Errors
    /// If one of them is 0.
    pub fn check(&self) -> Result<()> {
        for (name, value) in [("k", self.k), ("pictures", self.pictures), ("rounds", self.rounds)] {
            if value == 0 {
                return Err(wrong(&format!("{name} is 0; it must be above 0")));
            }
        }
        Ok(())
    }
}

/// A vocabulary of kinds of regions; see the [module](super).
#[derive(Debug)]
pub struct Blobs {
    name: String,
    vectors: RegionVectors,
    /// Two rows: the mean of each number, and what it is multiplied by after that was taken away.
    pub(super) scaling: Matrix,
    /// A row a blob.
    pub(super) means: Matrix,
    norms: Vec<f32>,
    pub(super) training: Training,
}

/// What the blobs were made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Training {
    pub(super) params: Params,
    pub(super) method: Method,
    /// The network that describes regions, if one does.
    pub(super) network: Option<String>,
    /// The name of the extractor of regions.
    pub(super) regions: String,
    /// How many numbers describe a region.
    pub(super) width: usize,
    /// Pictures that were looked at, and the regions found in them.
    pub(super) pictures: usize,
    pub(super) found: usize,
    /// The sum of squared distances to the blobs.
    pub(super) inertia: f64,
}

impl Blobs {
    /// Makes blobs from some of the items' pictures, which are drawn by the seed. Those that cannot
    /// be read are passed over. The cache is that of `vectors`.
    ///
    /// # Errors
    /// If a setting is wrong or there are fewer regions than blobs; or
    /// [`Interrupted`](crate::Error::Interrupted).
    pub fn fit(
        items: &[&Item],
        vectors: RegionVectors,
        params: &Params,
        cache: Option<&mut Cache>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        let mut random = ChaCha8Rng::seed_from_u64(params.seed);
        let mut drawn = draw(items.len(), params.pictures, &mut random);
        drawn.sort_unstable();
        let items: Vec<&Item> = drawn.into_iter().map(|at| items[at]).collect();
        let seen = features(&items, &vectors, cache, progress)?;
        Self::fit_rows(&seen.matrix, vectors, params, progress)
    }

    /// Makes blobs from the rows that `vectors` gave for some pictures.
    ///
    /// # Errors
    /// If a setting is wrong or there are fewer regions than blobs; or
    /// [`Interrupted`](crate::Error::Interrupted).
    pub fn fit_rows(
        rows: &Matrix,
        vectors: RegionVectors,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        if rows.columns() != vectors.dimensions() {
            let (got, want) = (rows.columns(), vectors.dimensions());
            return Err(wrong(&format!(
                "rows of {got} numbers are not {want} as those of regions"
            )));
        }
        let regions = || (0..rows.rows()).flat_map(|row| vectors_of(rows.row(row)));
        let found = regions().count();
        if found < params.k {
            return Err(wrong(&format!(
                "{found} regions are too few for {} blobs: give more pictures or a smaller k",
                params.k
            )));
        }
        let scaling = scaling(regions, &vectors.weights());
        let values = regions().flat_map(|vector| scaled(&scaling, vector)).collect();
        let points = Matrix::new(found, vectors.width(), values);
        let points = points.map_err(|error| wrong(&error.to_string()))?;
        progress.begin(&format!("finding {} blobs", params.k), None);
        let settings = kmeans::Params {
            k: params.k,
            rounds: params.rounds,
            seed: params.seed,
            ..kmeans::Params::default()
        };
        let groups = kmeans::fit(&points, &settings, progress)?;
        let training = Training {
            params: params.clone(),
            method: vectors.method(),
            network: vectors.encoder().map(|encoder| encoder.recipe().name.clone()),
            regions: vectors.name().to_owned(),
            width: vectors.width(),
            pictures: rows.rows(),
            found,
            inertia: groups.inertia,
        };
        Ok(Self::new(vectors, scaling, groups.means, training))
    }

    pub(super) fn new(
        vectors: RegionVectors,
        scaling: Matrix,
        means: Matrix,
        training: Training,
    ) -> Self {
        let values = scaling.values().iter().chain(means.values());
        let mut bytes: Vec<u8> = values.flat_map(|value| value.to_le_bytes()).collect();
        bytes.extend(vectors.name().as_bytes());
        let hash = ContentHash::of(&bytes).to_string();
        let name = format!("{NAME}/{VERSION}-{}", hash.get(..12).unwrap_or(&hash));
        Self { name, vectors, scaling, norms: squares(&means), means, training }
    }

    /// What finds and describes regions.
    pub fn vectors(&self) -> &RegionVectors {
        &self.vectors
    }

    /// How many regions they were made from, and of how many pictures.
    pub fn made_from(&self) -> (usize, usize) {
        (self.training.found, self.training.pictures)
    }

    /// Divides a picture, and gives the blob of every region that is kept.
    ///
    /// # Errors
    /// If the picture cannot be looked at.
    pub fn look(&self, picture: &Picture) -> Result<(Seen, Vec<u32>)> {
        let seen = self.vectors.look(picture)?;
        let blobs = self.nearest(seen.vectors.iter().map(Vec::as_slice));
        Ok((seen, blobs))
    }

    /// The counts of blobs in pictures whose regions are known already: a row a picture.
    ///
    /// # Errors
    /// If the rows are not those of [`Self::vectors`].
    pub fn count(&self, rows: &Matrix) -> Result<Matrix> {
        if rows.columns() != self.vectors.dimensions() {
            return Err(wrong("these are not the rows of the regions that blobs were made from"));
        }
        let mut counts = Matrix::zeros(rows.rows(), self.means.rows());
        for row in 0..rows.rows() {
            for blob in self.nearest(vectors_of(rows.row(row))) {
                counts.row_mut(row)[blob as usize] += 1.0;
            }
        }
        Ok(counts)
    }

    fn nearest<'a>(&self, vectors: impl Iterator<Item = &'a [f32]>) -> Vec<u32> {
        let points: Vec<f32> = vectors.flat_map(|vector| scaled(&self.scaling, vector)).collect();
        nearest_of(&points, &self.means, &self.norms)
    }
}

impl Extractor for Blobs {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.means.rows()
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
        features.fill(0.0);
        for blob in self.look(picture)?.1 {
            features[blob as usize] += 1.0;
        }
        Ok(())
    }
}

/// The mean of every number over all regions, and its weight over its deviation. A number that
/// never changes says nothing: it becomes 0.
fn scaling<'a, I: Iterator<Item = &'a [f32]>>(regions: impl Fn() -> I, weights: &[f32]) -> Matrix {
    let width = weights.len();
    let count = regions().count().max(1) as f64;
    let mut means = vec![0.0f64; width];
    for vector in regions() {
        means.iter_mut().zip(vector).for_each(|(sum, &value)| *sum += f64::from(value));
    }
    means.iter_mut().for_each(|sum| *sum /= count);
    let mut squares = vec![0.0f64; width];
    for vector in regions() {
        for ((sum, &value), mean) in squares.iter_mut().zip(vector).zip(&means) {
            *sum += (f64::from(value) - mean).powi(2);
        }
    }
    let mut scaling = Matrix::zeros(2, width);
    for (at, (mean, square)) in means.into_iter().zip(squares).enumerate() {
        let deviation = (square / count).sqrt();
        let still = deviation <= mean.abs() * 1e-6;
        scaling.row_mut(0)[at] = mean as f32;
        scaling.row_mut(1)[at] =
            if still { 0.0 } else { (f64::from(weights[at]) / deviation) as f32 };
    }
    scaling
}

fn scaled<'a>(scaling: &'a Matrix, vector: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
    let scales = scaling.row(0).iter().zip(scaling.row(1));
    vector.iter().zip(scales).map(|(value, (mean, scale))| (value - mean) * scale)
}
