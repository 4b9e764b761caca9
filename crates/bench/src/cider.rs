//! The matrix phi(G_i, c_j) of CIDEr-D for NCS, against pycocoevalcap's scorer.

use std::path::Path;

use rebus_collection::{Matrix, Silent};
use rebus_eval::captions::CaptionMeasure;
use rebus_eval::semantic::{CaptionPool, phi};
use rebus_text::ptb::Ptb;

use crate::captions::captions;
use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "eval",
    name: "cider",
    about: "CIDEr-D of 1,000 images (5 references each) x 5,000 captions",
    work,
};

const SCRIPT: Script =
    Script { name: "cider_matrix.py", text: include_str!("../peers/cider_matrix.py") };
/// The peer would take an hour for the whole matrix: it does so many rows, and its time is scaled.
const PEER_ROWS: usize = 2;
const TARGET: f64 = 200.0;

fn work(options: &Options) -> Result<Outcome, Error> {
    let images = tokenised(options)?;
    let mut pool = CaptionPool::new();
    for image in &images {
        pool.add_image(image);
        image.iter().for_each(|caption| pool.add_caption(caption));
    }
    let (seconds, matrix) = best_of(3, || phi(CaptionMeasure::CiderD, &pool, &Silent));
    let matrix = matrix.map_err(|error| Error::Ours(error.to_string()))?;
    let peers = match &options.python {
        Some(python) => vec![peer(python, &images, &matrix)?],
        None => Vec::new(),
    };
    let note = format!(
        "{} images x {} captions; counting n-grams is part of our time; a peer does {PEER_ROWS} rows, \
         and its time is scaled",
        matrix.rows(),
        matrix.columns()
    );
    Ok(Outcome { seconds, limit: None, peers, note })
}

/// Tokenised captions by image.
fn tokenised(options: &Options) -> Result<Vec<Vec<String>>, Error> {
    let tokens = |text: &String| Ptb::default().tokens(text).join(" ");
    let images = captions(options, options.scaled(1000).max(PEER_ROWS))?;
    Ok(images.iter().map(|image| image.iter().map(tokens).collect()).collect())
}

fn peer(python: &Path, images: &[Vec<String>], ours: &Matrix) -> Result<PeerTime, Error> {
    let folder = folder()?;
    write(&folder.path().join("captions.json"), serde_json::json!(images).to_string().as_bytes())?;
    let answer = SCRIPT.run(python, folder.path(), &[&PEER_ROWS.to_string()])?;
    let seconds = number(&answer, "/seconds", &SCRIPT)?;
    let mut difference = 0f64;
    for row in 0..PEER_ROWS {
        for (column, &score) in ours.row(row).iter().enumerate() {
            let theirs = number(&answer, &format!("/scores/{row}/{column}"), &SCRIPT)?;
            difference = difference.max((f64::from(score) - theirs).abs());
        }
    }
    Ok(PeerTime {
        name: "pycocoevalcap",
        seconds: seconds * images.len() as f64 / PEER_ROWS as f64,
        target: TARGET,
        difference,
    })
}
