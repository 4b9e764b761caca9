//! The pyramid kernel (PY) between all pictures of a training set, against scikit-learn and numpy.
//!
//! The peers do a corner of the matrix, and their time is scaled to the whole: an intersection is
//! half of what two rows add up to, less their Manhattan distance, which scikit-learn computes in C;
//! numpy takes minima row by row.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::Matrix;
use rebus_vision::Kernel;
use rebus_vision::visual_words::{BINS, CELLS, LEVELS, WORDS};

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "vision",
    name: "pyramid-kernel",
    about: "PY kernel between 6,000 pictures of 13,440 bins",
    work,
};

const SCRIPT: Script =
    Script { name: "pyramid_kernel.py", text: include_str!("../peers/pyramid_kernel.py") };
/// Seconds for the whole, on two cores.
const LIMIT: f64 = 30.0;
/// Points of the grid, a side.
const GRID: usize = 60;
/// Rows and columns of the corner that the peers do.
const CORNER: [usize; 2] = [32, 800];

fn work(options: &Options) -> Result<Outcome, Error> {
    let count = options.scaled(6000);
    let rows = histograms(count, options.seed);
    let kernel = Kernel::Pyramid { p: 2.0 };
    let (seconds, gram) = best_of(1, || kernel.between(&rows, &rows));
    let gram = gram.map_err(|error| Error::Ours(error.to_string()))?;
    let mut peers = Vec::new();
    if let Some(python) = &options.python {
        let [height, width] = CORNER.map(|side| side.min(count));
        let folder = folder()?;
        let bytes: Vec<u8> = rows.values()[..width * rows.columns()]
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        write(&folder.path().join("rows.f32"), &bytes)?;
        let corner: Vec<u8> = (0..height)
            .flat_map(|row| &gram.row(row)[..width])
            .flat_map(|value| value.to_le_bytes())
            .collect();
        write(&folder.path().join("gram.f32"), &corner)?;
        let more = [height.to_string(), width.to_string()];
        let answer = SCRIPT.run(python, folder.path(), &[&more[0], &more[1]])?;
        let share = (count * count) as f64 / (height * width) as f64;
        for (name, key) in [("scikit-learn", "sklearn"), ("numpy", "numpy")] {
            peers.push(PeerTime {
                name,
                seconds: share * number(&answer, &format!("/{key}/seconds"), &SCRIPT)?,
                target: 2.0,
                difference: number(&answer, &format!("/{key}/difference"), &SCRIPT)?,
            });
        }
    }
    let pairs = (count * count) as f64 / 2.0;
    Ok(Outcome {
        seconds,
        limit: Some(LIMIT),
        peers,
        note: format!(
            "{:.1} billion minima a second; peers did a corner and were scaled",
            pairs * rows.columns() as f64 / seconds / 1e9
        ),
    })
}

/// Histograms as pictures have them: every point of the grid has a word of each kind.
fn histograms(count: usize, seed: u64) -> Matrix {
    let mut rows = Matrix::zeros(count, BINS * CELLS);
    rows.values_mut().par_chunks_mut(BINS * CELLS).enumerate().for_each(|(at, row)| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(at as u64);
        for y in 0..GRID {
            for x in 0..GRID {
                let mut bin = 0;
                for words in WORDS {
                    // Squared, so that some words are frequent.
                    let unit: f64 = random.random();
                    let word = bin + ((unit * unit * words as f64) as usize).min(words - 1);
                    let mut cell = 0;
                    for side in LEVELS {
                        let own = cell + y * side / GRID * side + x * side / GRID;
                        row[own * BINS + word] += 1.0 / (GRID * GRID) as f32;
                        cell += side * side;
                    }
                    bin += words;
                }
            }
        }
    });
    rows
}
