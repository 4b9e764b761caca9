//! Annotation by the cross-media relevance model: against numpy, and as the training set grows.
//!
//! The data have the sizes of Corel5k: 500 blobs of which a picture has up to ten, 374 words of which
//! it has up to five, some of them much more frequent than others.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_collection::{Matrix, Silent};
use rebus_models::bag_of_words::Words;
use rebus_models::relevance::cmrm::Params;
use rebus_models::{Cmrm, Training, WordProbabilities};

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const ANNOTATION: Case = Case {
    group: "relevance",
    name: "annotation",
    about: "P(w|I) of 500 pictures from 4,500 training pictures, 500 blobs, 374 words",
    work: annotation,
};

pub(crate) const GROWTH: Case = Case {
    group: "relevance",
    name: "growth",
    about: "the same from 4,500, 9,000, 18,000 and 36,000 training pictures",
    work: growth,
};

const SCRIPT: Script = Script { name: "relevance.py", text: include_str!("../peers/relevance.py") };
const BLOBS: usize = 500;
const WORDS: usize = 374;
const IMAGES: usize = 500;
const PICTURES: usize = 4_500;
/// Seconds that 500 pictures may take.
const LIMIT: f64 = 1.0;
const TARGET: f64 = 10.0;
/// How much slower than in proportion the largest training set may be.
const SLACK: f64 = 1.5;

/// Pictures as bags of blobs, and their words.
struct Drawn {
    blobs: Matrix,
    words: Vec<Vec<usize>>,
}

fn draw(pictures: usize, seed: u64) -> Drawn {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut blobs = Matrix::zeros(pictures, BLOBS);
    let mut words = Vec::with_capacity(pictures);
    for picture in 0..pictures {
        for _ in 0..random.random_range(5..=10) {
            blobs.row_mut(picture)[random.random_range(0..BLOBS)] += 1.0;
        }
        let mut own: Vec<usize> = (0..random.random_range(1..=5))
            .map(|_| {
                let unit: f64 = random.random();
                ((unit * unit * unit * WORDS as f64) as usize).min(WORDS - 1)
            })
            .collect();
        own.sort_unstable();
        own.dedup();
        words.push(own);
    }
    Drawn { blobs, words }
}

/// The word of a number; in the order of numbers.
fn word(at: usize) -> String {
    format!("w{at:03}")
}

fn fit(drawn: &Drawn) -> Result<Cmrm, Error> {
    let texts: Vec<Vec<String>> =
        drawn.words.iter().map(|words| words.iter().map(|&at| word(at)).collect()).collect();
    let texts: Vec<Vec<&str>> =
        texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
    let data = Training { extractor: "drawn/1", features: &drawn.blobs, texts: &texts };
    let params = Params {
        alpha: Some(0.1),
        beta: Some(0.8),
        picture_beta: Some(0.9),
        words: Words::Keywords,
        ..Params::default()
    };
    Cmrm::fit(&data, &params, &Silent).map_err(|error| Error::Ours(error.to_string()))
}

/// The time of a model for pictures, and what it gave.
fn timed(model: &Cmrm, images: &Matrix) -> Result<(f64, Matrix), Error> {
    let (seconds, found) = best_of(5, || model.word_probabilities(images));
    Ok((seconds, found.map_err(|error| Error::Ours(error.to_string()))?))
}

fn annotation(options: &Options) -> Result<Outcome, Error> {
    let (pictures, count) = (options.scaled(PICTURES).max(20), options.scaled(IMAGES));
    let drawn = draw(pictures, options.seed);
    let images = draw(count, options.seed + 1).blobs;
    let model = fit(&drawn)?;
    let (seconds, found) = timed(&model, &images)?;
    let mut peers = Vec::new();
    if let Some(python) = &options.python {
        let folder = folder()?;
        let known: Vec<&str> = model.word_side().words().collect();
        let mut words = Matrix::zeros(pictures, known.len());
        for (row, own) in drawn.words.iter().enumerate() {
            for &at in own {
                if let Some(column) = known.iter().position(|&known| known == word(at)) {
                    words.row_mut(row)[column] = 1.0;
                }
            }
        }
        let files =
            [("blobs", &drawn.blobs), ("words", &words), ("images", &images), ("ours", &found)];
        for (name, matrix) in files {
            let bytes: Vec<u8> =
                matrix.values().iter().flat_map(|value| value.to_le_bytes()).collect();
            write(&folder.path().join(format!("{name}.f32")), &bytes)?;
        }
        let sizes = [pictures, count, BLOBS, known.len()].map(|size| size.to_string());
        let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
        let answer = SCRIPT.run(python, folder.path(), &sizes)?;
        for (name, key) in
            [("numpy, picture by picture", "pictures"), ("numpy, all at once", "matrices")]
        {
            let difference = number(&answer, &format!("/{key}/difference"), &SCRIPT)?;
            if difference > 1e-5 {
                return Err(Error::Ours(format!("{name} differs by {difference}")));
            }
            let seconds = number(&answer, &format!("/{key}/seconds"), &SCRIPT)?;
            peers.push(PeerTime { name, seconds, target: TARGET, difference });
        }
    }
    let note = format!("{:.0} pictures a second", count as f64 / seconds);
    Ok(Outcome { seconds, limit: Some(LIMIT), peers, note })
}

fn growth(options: &Options) -> Result<Outcome, Error> {
    let images = draw(options.scaled(IMAGES), options.seed + 1).blobs;
    let mut times: Vec<(usize, f64)> = Vec::new();
    for factor in [1, 2, 4, 8] {
        let pictures = factor * options.scaled(PICTURES).max(20);
        let model = fit(&draw(pictures, options.seed))?;
        times.push((pictures, timed(&model, &images)?.0));
    }
    let told = times.iter().map(|(pictures, seconds)| format!("{pictures}: {seconds:.4} s"));
    let told = told.collect::<Vec<_>>().join(", ");
    let (&[(first, smallest), ..], &[.., (last, largest)]) = (&times[..], &times[..]) else {
        return Err(Error::Ours("no size was timed".into()));
    };
    let linear = smallest * last as f64 / first as f64;
    let note =
        format!("{told}; {:.2} times the time in proportion to the smallest", largest / linear);
    Ok(Outcome { seconds: largest, limit: Some(SLACK * linear), peers: Vec::new(), note })
}
