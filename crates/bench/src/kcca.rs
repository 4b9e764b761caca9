//! A fit of kernel canonical correlation analysis, against cca_zoo.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_collection::Matrix;
use rebus_models::kcca::{Pairing, Ridge, Spectrum};
use rebus_vision::Kernel;

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "models",
    name: "kcca",
    about: "KCCA of 6,000 items: two RBF kernels, their spectra, the directions of one kappa",
    work,
};

const SCRIPT: Script = Script { name: "kcca.py", text: include_str!("../peers/kcca.py") };
/// Numbers that describe an item on either side; a quarter of them is common to both.
const WIDTH: usize = 64;
const COMMON: usize = 16;
/// Eigenvalues kept of a kernel, a third of the items.
const PART: usize = 3;
/// The peer does its work on so many items at most; its time is scaled by the cube.
const PEER_ITEMS: usize = 2000;
/// One over the mean squared distance of two items, whose numbers are even from -1 to 1.
const GAMMA: f32 = 3.0 / (2.0 * WIDTH as f32);
const TARGET: f64 = 2.0;

fn draw(items: usize, seed: u64) -> [Matrix; 2] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut views = [Matrix::zeros(items, WIDTH), Matrix::zeros(items, WIDTH)];
    for item in 0..items {
        let common: Vec<f32> = (0..COMMON).map(|_| random.random_range(-1.0..1.0)).collect();
        for view in &mut views {
            let row = view.row_mut(item);
            row[..COMMON].copy_from_slice(&common);
            row[COMMON..].fill_with(|| random.random_range(-1.0..1.0));
        }
    }
    views
}

fn fit(views: &[Matrix; 2]) -> Result<f64, String> {
    let most = (views[0].rows() / PART).max(2);
    let spectrum = |view: &Matrix| {
        let gram = Kernel::Rbf { gamma: GAMMA }.between(view, view).map_err(|e| e.to_string())?;
        Spectrum::of(&gram, most).map_err(|e| e.to_string())
    };
    let (image, text) = (spectrum(&views[0])?, spectrum(&views[1])?);
    let pairing = Pairing::new(&image, &text).map_err(|e| e.to_string())?;
    let ridge = Ridge { kappa: 1.0, diagonal: 1.0 };
    let directions = pairing.directions(ridge).map_err(|e| e.to_string())?;
    Ok(f64::from(directions.correlations[0]))
}

fn work(options: &Options) -> Result<Outcome, Error> {
    let items = options.scaled(6000).max(12);
    let views = draw(items, options.seed);
    let (seconds, first) = best_of(1, || fit(&views));
    let first = first.map_err(Error::Ours)?;
    let peers = match &options.python {
        Some(python) => vec![peer(&views, items, python)?],
        None => Vec::new(),
    };
    let note = format!(
        "{items} items, {} eigenvalues a side, first correlation {first:.3}; cca_zoo is timed on at \
         most {PEER_ITEMS} items and scaled by the cube; it regularises otherwise, so that \
         correlations are not compared",
        items / PART
    );
    Ok(Outcome { seconds, limit: None, peers, note })
}

fn peer(views: &[Matrix; 2], items: usize, python: &Path) -> Result<PeerTime, Error> {
    let folder = folder()?;
    let count = items.min(PEER_ITEMS);
    for (name, view) in ["x.f32", "y.f32"].iter().zip(views) {
        let rows = &view.values()[..count * WIDTH];
        let bytes: Vec<u8> = rows.iter().flat_map(|value| value.to_le_bytes()).collect();
        write(&folder.path().join(name), &bytes)?;
    }
    let (count_text, gamma) = (count.to_string(), GAMMA.to_string());
    let answer = SCRIPT.run(python, folder.path(), &[&count_text, &gamma])?;
    let scale = (items as f64 / count as f64).powi(3);
    let seconds = number(&answer, "/seconds", &SCRIPT)? * scale;
    Ok(PeerTime { name: "cca_zoo", seconds, target: TARGET, difference: 0.0 })
}
