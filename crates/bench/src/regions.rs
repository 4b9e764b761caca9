//! Dividing pictures into regions, against scikit-image.

use rayon::prelude::*;
use rebus_vision::regions::{Method, Segmentation};

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of, drawn};

pub(crate) const NORMALISED_CUTS: Case = Case {
    group: "vision",
    name: "normalised-cuts",
    about: "regions of each of 200 pictures of 192 x 128 pixels, by normalised cuts",
    work: |options| work(options, Method::NormalisedCuts),
};

pub(crate) const GRAPH_BASED: Case = Case {
    group: "vision",
    name: "graph-based",
    about: "regions of each of 200 pictures of 192 x 128 pixels, by the graph-based method",
    work: |options| work(options, Method::GraphBased),
};

const SCRIPT: Script = Script { name: "regions.py", text: include_str!("../peers/regions.py") };
const SIZE: [u32; 2] = [192, 128];
/// Pictures that the peer divides; its time is scaled to all.
const PART: usize = 20;

fn work(options: &Options, method: Method) -> Result<Outcome, Error> {
    let count = options.scaled(200);
    let pictures = drawn::pictures(SIZE, count, options)?;
    let divide = || -> Result<Vec<Segmentation>, rebus_vision::Error> {
        pictures.par_iter().map(|picture| Segmentation::new(picture, method)).collect()
    };
    let (seconds, found) = best_of(3, divide);
    let found = found.map_err(|error| Error::Ours(error.to_string()))?;
    let regions: usize = found.iter().map(|found| found.areas().len()).sum();
    let mut peers = Vec::new();
    if let Some(python) = &options.python {
        let part = count.min(PART);
        let folder = folder()?;
        drawn::write_pixels(&pictures[..part], folder.path())?;
        let labels: Vec<u8> = found[..part].iter().flat_map(|f| f.labels()).copied().collect();
        write(&folder.path().join("labels.u8"), &labels)?;
        let more = [part.to_string(), method.to_string()];
        let answer = SCRIPT.run(python, folder.path(), &[&more[0], &more[1]])?;
        peers.push(PeerTime {
            name: "scikit-image",
            seconds: number(&answer, "/seconds", &SCRIPT)? * count as f64 / part as f64,
            target: 2.0,
            // The share of pairs of pixels that only one of the two puts into one region: the peer
            // joins nothing afterwards, and has many more regions.
            difference: 1.0 - number(&answer, "/rand", &SCRIPT)?,
        });
    }
    Ok(Outcome {
        seconds,
        limit: None,
        peers,
        note: format!("{:.0} pictures a second, {regions} regions", count as f64 / seconds),
    })
}
