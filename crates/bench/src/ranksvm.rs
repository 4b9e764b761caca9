//! Updates of a RankSVM: 30 million on one core, against Python loops on the same triples.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_collection::{Matrix, Silent};
use rebus_models::rank_svm::{Params, SampledTriple, sample_triples};
use rebus_models::{DualEncoder, RankSvm, Scaling, Training, WordResponses};

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "ranksvm",
    name: "updates",
    about: "30 million RankSVM updates on one core, 6,000 pictures x 5 captions, 320 features",
    work,
};

const SCRIPT: Script = Script { name: "ranksvm.py", text: include_str!("../peers/ranksvm.py") };
/// The sizes of Flickr8k's training split with TinyViT's features.
const PICTURES: usize = 6_000;
const CAPTIONS: usize = 5;
const FEATURES: usize = 320;
const WORDS: usize = 820;
/// Words that a picture is about, and of which a caption takes some.
const ABOUT: usize = 12;
const WORDS_A_CAPTION: usize = 6;
const UPDATES: usize = 30_000_000;
/// The peers make so many, and their time is scaled.
const PEER_UPDATES: usize = 20_000;
/// Ten minutes.
const LIMIT: f64 = 600.0;
/// How many times faster than either loop we shall be.
const TARGET: f64 = 20.0;
/// Pictures whose responses are compared.
const COMPARED: usize = 20;

fn work(options: &Options) -> Result<Outcome, Error> {
    let world = World::draw(options);
    let texts: Vec<Vec<&str>> =
        world.captions.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
    let data = Training { extractor: "drawn/1", features: &world.features, texts: &texts };
    let updates = options.scaled(UPDATES) as u64;
    let params = Params {
        lambda: 1e-4,
        updates: Some(updates),
        min_documents: 1,
        scaling: Scaling::AsIs,
        bias: 0.0,
        seed: options.seed,
        ..Params::default()
    };
    let fit = |params: &Params| RankSvm::fit(&data, params, &Silent);
    // What is done before the first update is not what is timed: fitting with one update is.
    let (before, first) = best_of(1, || fit(&Params { updates: Some(1), ..params.clone() }));
    first.map_err(|error| Error::Ours(error.to_string()))?;
    let (whole, model) = best_of(1, || fit(&params));
    let model = model.map_err(|error| Error::Ours(error.to_string()))?;
    let seconds = (whole - before).max(1e-9);
    let peers = match &options.python {
        Some(python) => peers(python, &data, &params)?,
        None => Vec::new(),
    };
    let note = format!(
        "{} pictures, {} words, one core: {:.2} million updates a second; reading texts and drawing \
         the irrelevant captions took {before:.1} s more; peers make {} updates, and their time \
         is scaled",
        world.features.rows(),
        model.bag().len(),
        updates as f64 / seconds / 1e6,
        peer_updates(&params),
    );
    Ok(Outcome { seconds, limit: Some(LIMIT), peers, note })
}

fn peer_updates(params: &Params) -> u64 {
    (PEER_UPDATES as u64).min(params.updates.unwrap_or(0))
}

/// Pictures that are about words, and captions that name some of them.
struct World {
    features: Matrix,
    captions: Vec<Vec<String>>,
}

impl World {
    fn draw(options: &Options) -> Self {
        let pictures = options.scaled(PICTURES).max(50);
        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        let mut noise = || random.random::<f32>() - 0.5;
        let directions: Vec<f32> = (0..WORDS * FEATURES).map(|_| noise()).collect();
        let mut features = Matrix::zeros(pictures, FEATURES);
        let mut captions = Vec::with_capacity(pictures);
        let mut random = ChaCha8Rng::seed_from_u64(options.seed ^ 1);
        for picture in 0..pictures {
            // Small numbers are frequent, as words are.
            let about: Vec<usize> = (0..ABOUT)
                .map(|_| (random.random::<f64>().powi(3) * WORDS as f64) as usize)
                .collect();
            let row = features.row_mut(picture);
            for &word in &about {
                let direction = &directions[word * FEATURES..(word + 1) * FEATURES];
                row.iter_mut().zip(direction).for_each(|(to, value)| *to += value);
            }
            row.iter_mut().for_each(|value| *value += 2.0 * (random.random::<f32>() - 0.5));
            let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
            row.iter_mut().for_each(|value| *value /= length);
            let mut caption = || {
                let words =
                    (0..WORDS_A_CAPTION).map(|_| name(about[random.random_range(0..ABOUT)]));
                words.collect::<Vec<_>>().join(" ")
            };
            captions.push((0..CAPTIONS).map(|_| caption()).collect());
        }
        Self { features, captions }
    }
}

/// A word that no stage changes: consonants with an o behind each.
fn name(mut word: usize) -> String {
    const CONSONANTS: &[u8] = b"bkmprtvz";
    let mut name = String::from("x");
    for _ in 0..4 {
        name.push('o');
        name.push(char::from(CONSONANTS[word % CONSONANTS.len()]));
        word /= CONSONANTS.len();
    }
    name.push('o');
    name
}

fn peers(python: &Path, data: &Training<'_>, params: &Params) -> Result<Vec<PeerTime>, Error> {
    let ours = |error: rebus_models::Error| Error::Ours(error.to_string());
    let count = peer_updates(params);
    let triples = sample_triples(data, params, count as usize).map_err(ours)?;
    let small = Params { updates: Some(count), ..params.clone() };
    let model = RankSvm::fit(data, &small, &Silent).map_err(ours)?;

    let folder = folder()?;
    let (mut words, mut weights, mut ends, mut pictures) = (vec![], vec![], vec![], vec![]);
    for triple in &triples {
        for (word, weight) in difference(&model, data, triple) {
            words.push(word);
            weights.push(weight);
        }
        ends.push(words.len() as i32);
        pictures.push(triple.picture as i32);
    }
    let ints = |values: &[i32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let at = |name: &str| folder.path().join(name);
    write(&at("words.i32"), &ints(&words))?;
    write(&at("weights.f32"), &floats(&weights))?;
    write(&at("ends.i32"), &ints(&ends))?;
    write(&at("pictures.i32"), &ints(&pictures))?;
    write(&at("features.f32"), &floats(data.features.values()))?;
    let known = model.bag().len();
    let sizes = [FEATURES, known, COMPARED].map(|size| size.to_string());
    let lambda = params.lambda.to_string();
    let arguments = [sizes[0].as_str(), &sizes[1], &lambda, &sizes[2]];
    let answer = SCRIPT.run(python, folder.path(), &arguments)?;

    let responses = model.encode_images(data.features).map_err(ours)?;
    let mut difference = 0f64;
    for row in 0..COMPARED.min(responses.rows()) {
        for (column, &value) in responses.row(row).iter().enumerate() {
            let theirs = number(&answer, &format!("/numpy/responses/{row}/{column}"), &SCRIPT)?;
            difference = difference.max((f64::from(value) - theirs).abs());
        }
    }
    let scale = params.updates.unwrap_or(count) as f64 / count as f64;
    let time = |name, pointer: &str, difference| {
        let seconds = number(&answer, pointer, &SCRIPT)? * scale;
        Ok(PeerTime { name, seconds, target: TARGET, difference })
    };
    Ok(vec![
        time("scikit-learn SGDClassifier", "/sklearn/seconds", 0.0)?,
        time("a loop in numpy", "/numpy/seconds", difference)?,
    ])
}

/// What the relevant caption of a triple has more of than the irrelevant one.
fn difference(model: &RankSvm, data: &Training<'_>, triple: &SampledTriple) -> Vec<(i32, f32)> {
    let bag = |(picture, text): (usize, usize)| model.bag().encode(&[data.texts[picture][text]]);
    let mut sums = std::collections::BTreeMap::new();
    for (word, weight) in bag(triple.relevant) {
        *sums.entry(word as i32).or_insert(0f32) += weight as f32;
    }
    for (word, weight) in bag(triple.irrelevant) {
        *sums.entry(word as i32).or_insert(0f32) -= weight as f32;
    }
    sums.into_iter().filter(|&(_, weight)| weight != 0.0).collect()
}
