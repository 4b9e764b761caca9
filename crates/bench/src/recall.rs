//! R@k and median rank from a matrix of scores, against the speed of reading it once.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::Matrix;
use rebus_eval::{GoldMap, GoldRanks, Ties};

use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "eval",
    name: "recall",
    about: "ranks of the gold items both ways, 5,000 images x 25,000 captions",
    work,
};

/// How much of the speed of a plain sum over the matrix we shall reach.
const TARGET: f64 = 0.5;

fn work(options: &Options) -> Result<Outcome, Error> {
    let images = options.scaled(5000);
    let captions = images * 5;
    let mut scores = Matrix::zeros(images, captions);
    scores.values_mut().par_chunks_mut(captions).enumerate().for_each(|(row, scores)| {
        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        random.set_stream(row as u64);
        scores.fill_with(|| random.random());
    });
    let ours = |error: rebus_eval::Error| Error::Ours(error.to_string());
    let map = GoldMap::even(images, captions).map_err(ours)?;
    let (seconds, ranks) = best_of(3, || GoldRanks::new(&scores, &map, Ties::Worst));
    ranks.map_err(ours)?;
    let (sum_seconds, sum) =
        best_of(3, || scores.values().par_chunks(1 << 16).map(lanes).sum::<f64>());
    let gigabytes = (images * captions * 4) as f64 / 1e9;
    Ok(Outcome {
        seconds,
        limit: None,
        peers: vec![PeerTime {
            name: "a plain sum over the matrix",
            seconds: sum_seconds,
            target: TARGET,
            difference: 0.0,
        }],
        note: format!(
            "{gigabytes:.2} GB at {:.1} GB/s; the sum ({sum:.0}) reads at {:.1} GB/s",
            gigabytes / seconds,
            gigabytes / sum_seconds
        ),
    })
}

/// The sum of a chunk in sixteen lanes, so that the compiler uses vector instructions.
fn lanes(chunk: &[f32]) -> f64 {
    let mut lanes = [0f32; 16];
    let (sixteens, rest) = chunk.as_chunks::<16>();
    for sixteen in sixteens {
        for (lane, value) in lanes.iter_mut().zip(sixteen) {
            *lane += value;
        }
    }
    lanes.iter().chain(rest).map(|&value| f64::from(value)).sum()
}
