//! The vocabularies: k-means over points of some pictures.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::{Item, Matrix, Progress};
use serde::{Deserialize, Serialize};

use super::{Eye, NAMES, Training, VisualWords, WIDTHS, WORDS};
use crate::draw::draw;
use crate::{Error, Picture, Result, kmeans, picture};

/// How vocabularies are made. The defaults are the paper's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Params {
    /// Pictures that are looked at, drawn from those given.
    pub pictures: usize,
    /// Points of each picture, for each vocabulary.
    pub points: usize,
    /// The most rounds of k-means.
    pub rounds: usize,
    /// The seed by which pictures, points and the starts of k-means are drawn.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { pictures: 200, points: 1000, rounds: 100, seed: 2013 }
    }
}

impl Params {
    /// Looks at the settings.
    ///
    /// # Errors
    /// If one of them is 0.
    pub fn check(&self) -> Result<()> {
        for (name, value) in
            [("pictures", self.pictures), ("points", self.points), ("rounds", self.rounds)]
        {
            if value == 0 {
                return Err(Error::Words { what: format!("{name} is 0; it must be above 0") });
            }
        }
        Ok(())
    }
}

impl VisualWords {
    /// Makes vocabularies from some of the items' pictures, which are drawn by the seed. Those
    /// that cannot be read are passed over for the next.
    ///
    /// # Errors
    /// If a setting is wrong or no picture can be read; or [`Error::Interrupted`].
    pub fn fit(items: &[&Item], params: &Params, progress: &dyn Progress) -> Result<Self> {
        params.check()?;
        let mut random = ChaCha8Rng::seed_from_u64(params.seed);
        let mut left = draw(items.len(), items.len(), &mut random).into_iter();
        let mut pictures: Vec<Picture> = Vec::new();
        progress.begin("reading pictures for visual words", Some(params.pictures as u64));
        while pictures.len() < params.pictures {
            if progress.interrupted() {
                return Err(Error::Interrupted);
            }
            let next: Vec<usize> = left.by_ref().take(params.pictures - pictures.len()).collect();
            if next.is_empty() {
                break;
            }
            let read: Vec<Option<Picture>> = next
                .par_iter()
                .map(|&at| {
                    let (bytes, name) = picture::bytes(items[at]).ok()?;
                    picture::decode(&bytes, &name).ok()
                })
                .collect();
            pictures.extend(read.into_iter().flatten());
            progress.advance(next.len() as u64);
        }
        Self::fit_pictures(&pictures, params, progress)
    }

    /// Makes vocabularies from the first pictures of a list, at most [`Params::pictures`].
    ///
    /// # Errors
    /// If a setting is wrong or there is no picture; or [`Error::Interrupted`].
    pub fn fit_pictures(
        pictures: &[Picture],
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        let pictures = &pictures[..pictures.len().min(params.pictures)];
        if pictures.is_empty() {
            return Err(Error::Words { what: "there is no picture to make them from".into() });
        }
        progress.begin("taking points for visual words", Some(pictures.len() as u64));
        let eye = Eye::new();
        let samples: Vec<[Vec<f32>; 3]> = pictures
            .par_iter()
            .enumerate()
            .map(|(at, picture)| {
                let mut random = ChaCha8Rng::seed_from_u64(params.seed);
                random.set_stream(1 + at as u64);
                let sample = sample(&eye.describe(picture), params.points, &mut random);
                progress.advance(1);
                sample
            })
            .collect();
        let mut inertia = [0.0; 3];
        let mut vocabularies = [const { None }; 3];
        for kind in 0..WORDS.len() {
            progress.begin(&format!("finding {} words", NAMES[kind]), None);
            let values: Vec<f32> = samples.iter().flat_map(|s| &s[kind]).copied().collect();
            let shape = |error: rebus_collection::Error| Error::Words { what: error.to_string() };
            let points = Matrix::new(values.len() / WIDTHS[kind], WIDTHS[kind], values);
            let settings = kmeans::Params {
                k: WORDS[kind],
                rounds: params.rounds,
                seed: params.seed.wrapping_add(kind as u64),
                ..kmeans::Params::default()
            };
            let found = kmeans::fit(&points.map_err(shape)?, &settings, progress)?;
            inertia[kind] = found.inertia;
            vocabularies[kind] = Some(found.means);
        }
        let training = Training { params: params.clone(), pictures: pictures.len(), inertia };
        let [Some(colour), Some(texture), Some(sift)] = vocabularies else {
            return Err(Error::Words { what: "a vocabulary is missing".into() });
        };
        Ok(Self::new([colour, texture, sift], training))
    }
}

/// So many points of each kind.
fn sample(descriptors: &[Vec<f32>; 3], points: usize, random: &mut ChaCha8Rng) -> [Vec<f32>; 3] {
    let mut kinds = descriptors.iter().zip(WIDTHS).map(|(values, width)| {
        let drawn = draw(values.len() / width, points, random);
        drawn.iter().flat_map(|&at| &values[at * width..(at + 1) * width]).copied().collect()
    });
    std::array::from_fn(|_| kinds.next().unwrap_or_default())
}
