//! The trigram kernel over the captions of 6,000 images, against numpy on a part.
//!
//! The soft kernel takes a similarity that is as dense as that of the paper's best system, between the
//! words that occur five times or more; it is drawn, since how great an entry is costs no time.

use std::collections::BTreeSet;
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_collection::Matrix;
use rebus_text::Toolbox;
use rebus_text::kernel::{Described, TextKernel, kernel_named};
use rebus_text::similarity::WordSimilarity;
use rebus_text::vocabulary::Counter;
use serde_json::json;

use crate::captions::captions;
use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const TRI5: Case = Case {
    group: "kernels",
    name: "tri5",
    about: "the trigram kernel TRI5 of 6,000 images with five captions each",
    work: |options| work(options, "TRI5"),
};

pub(crate) const TRI5SEM: Case = Case {
    group: "kernels",
    name: "tri5sem",
    about: "the trigram kernel with word similarities, TRI5SEM, of 6,000 images",
    work: |options| work(options, "TRI5SEM"),
};

const SCRIPT: Script =
    Script { name: "trigram_kernel.py", text: include_str!("../peers/trigram_kernel.py") };
const IMAGES: usize = 6000;
/// Seconds that the whole matrix may take.
const LIMIT: f64 = 180.0;
/// The peer does the matrix of so many images, and its time is scaled by the number of pairs.
const PEER_IMAGES: usize = 20;
const TARGET: f64 = 100.0;
/// Words that occur at least so often have similarities, and so great a share of their pairs.
const LEAST: u64 = 5;
const SHARE: f64 = 0.5;

fn work(options: &Options, name: &str) -> Result<Outcome, Error> {
    let ours = |error: rebus_text::Error| Error::Ours(error.to_string());
    let images = captions(options, options.scaled(IMAGES).max(PEER_IMAGES))?;
    let analysis = Toolbox::default().ranking_task_captions();
    let items: Vec<Described> =
        images.iter().map(|captions| Described::analysed(&analysis, captions)).collect();
    let similarity = similarity(&items, options.seed);
    let spec = kernel_named(name).map_err(ours)?.spec;
    let similarity = spec.lexical.map(|_| &similarity);
    let kernel = TextKernel::fit(&spec, &items, similarity).map_err(ours)?;
    let (seconds, matrix) = best_of(1, || kernel.of(&items));
    let peers = match &options.python {
        Some(python) => vec![peer(python, &items, similarity, &kernel, &matrix)?],
        None => Vec::new(),
    };
    let pairs = items.len() * (items.len() + 1) / 2 * 25;
    let note = format!(
        "{} images, {:.0} million pairs of captions, {} pairs of similar words; the peer does {} \
         images, and its time is scaled",
        items.len(),
        pairs as f64 / 1e6,
        similarity.map_or(0, WordSimilarity::pairs),
        PEER_IMAGES.min(items.len())
    );
    Ok(Outcome { seconds, limit: Some(LIMIT), peers, note })
}

fn similarity(items: &[Described], seed: u64) -> WordSimilarity {
    let mut counter = Counter::default();
    items.iter().for_each(|item| counter.add(&item.words().collect::<Vec<_>>()));
    let vocabulary = counter.finish(LEAST);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut builder = WordSimilarity::builder();
    for (at, entry) in vocabulary.entries().iter().enumerate() {
        for other in &vocabulary.entries()[..at] {
            if random.random_bool(SHARE) {
                builder.add(&entry.word, &other.word, random.random_range(0.01..0.5));
            }
        }
    }
    builder.build()
}

fn peer(
    python: &Path,
    items: &[Described],
    similarity: Option<&WordSimilarity>,
    kernel: &TextKernel,
    ours: &Matrix,
) -> Result<PeerTime, Error> {
    let count = PEER_IMAGES.min(items.len());
    let some = &items[..count];
    let words: BTreeSet<&str> = some.iter().flat_map(Described::words).collect();
    let words: Vec<&str> = words.into_iter().collect();
    let weights: Vec<f64> = words.iter().map(|word| kernel.weight(word)).collect();
    let kappa = |one: &str, other: &str| match similarity {
        Some(similarity) => similarity.between(one, other),
        None => f32::from(u8::from(one == other)),
    };
    let kappas: Vec<Vec<f32>> =
        words.iter().map(|one| words.iter().map(|other| kappa(one, other)).collect()).collect();
    let id = |word: &String| words.binary_search(&word.as_str()).unwrap_or_default();
    let captions: Vec<Vec<Vec<usize>>> = some
        .iter()
        .map(|item| item.captions().iter().map(|words| words.iter().map(id).collect()).collect())
        .collect();
    let folder = folder()?;
    let data = json!({ "weights": weights, "kappa": kappas, "items": captions });
    write(&folder.path().join("kernel.json"), data.to_string().as_bytes())?;
    let answer = SCRIPT.run(python, folder.path(), &[])?;
    let seconds = number(&answer, "/seconds", &SCRIPT)?;
    let mut difference = 0f64;
    for row in 0..count {
        for column in 0..count {
            let theirs = number(&answer, &format!("/kernel/{row}/{column}"), &SCRIPT)?;
            difference = difference.max((f64::from(ours.row(row)[column]) - theirs).abs());
        }
    }
    let pairs = |images: usize| (images * (images + 1)) as f64;
    Ok(PeerTime {
        name: "numpy",
        seconds: seconds * pairs(items.len()) / pairs(count),
        target: TARGET,
        difference,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_cases_run_on_the_synthetic_world() {
        let options = Options { scale: 0.005, ..Options::default() };
        for case in [TRI5, TRI5SEM] {
            let outcome = case.run(&options).unwrap();
            assert!(outcome.seconds > 0.0 && outcome.met(), "{}", case.name);
            assert!(outcome.note.starts_with("30 images"), "{}", outcome.note);
        }
    }
}
