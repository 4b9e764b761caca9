//! Fisher's randomisation: 100,000 samples over 1,000 queries.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_eval::significance::{Randomisation, Statistic, randomisation};

use crate::{Case, Error, Options, Outcome, best_of};

pub(crate) const CASE: Case = Case {
    group: "eval",
    name: "fisher",
    about: "Fisher's randomisation, 100,000 samples over 1,000 queries",
    work,
};

/// Seconds that the full size may take.
const LIMIT: f64 = 1.0;

fn work(options: &Options) -> Result<Outcome, Error> {
    let queries = 1000;
    let samples = options.scaled(100_000);
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut values = || (0..queries).map(|_| random.random::<f64>()).collect::<Vec<_>>();
    let (first, second) = (values(), values());
    let params = Randomisation { samples, seed: options.seed };
    let (seconds, answer) = best_of(3, || randomisation(&first, &second, Statistic::Mean, &params));
    let answer = answer.map_err(|error| Error::Ours(error.to_string()))?;
    Ok(Outcome {
        seconds,
        limit: Some(LIMIT),
        peers: Vec::new(),
        note: format!("{samples} samples over {queries} queries, p = {:.4}", answer.p),
    })
}
