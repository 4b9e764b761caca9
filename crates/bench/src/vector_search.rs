//! The nearest of many vectors, against usearch and faiss from Python, each looking at all of them.
//!
//! The vectors are those of photos, each with noise, as many as the case wants; the queries are
//! others made in the same way. Latencies are of one query at a time, all cores on it.

use std::path::Path;
use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::{ContentHash, Matrix, Silent};
use rebus_index::vectors::{Exact, VectorEngine, VectorWriter, Vectors};
use rebus_vision::features;

use crate::encoders::{PICTURES, Photos, encoder, ours};
use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime};

pub(crate) const SMALL: Case = Case {
    group: "search",
    name: "10-thousand",
    about: "the ten nearest of 10,000 vectors",
    work: |options| run(options, 10_000),
};

pub(crate) const MIDDLE: Case = Case {
    group: "search",
    name: "100-thousand",
    about: "the ten nearest of 100,000 vectors",
    work: |options| run(options, 100_000),
};

pub(crate) const LARGE: Case = Case {
    group: "search",
    name: "1-million",
    about: "the ten nearest of 1,000,000 vectors",
    work: |options| run(options, 1_000_000),
};

const SCRIPT: Script =
    Script { name: "vector_search.py", text: include_str!("../peers/vector_search.py") };
/// How many are looked for, and by how many queries.
const NEAREST: usize = 10;
const QUERIES: usize = 200;
/// The length of the noise beside a vector of length 1.
const NOISE: f32 = 0.8;
/// We shall not be slower than a peer.
const TARGET: f64 = 1.0;

fn run(options: &Options, full: usize) -> Result<Outcome, Error> {
    let base = base(options)?;
    let count = options.scaled(full);
    let scratch = folder()?;
    let path = scratch.path().join("vectors");
    let model = ContentHash::of(b"bench");
    let width = base.columns();
    let mut writer = VectorWriter::create(&path, model, width).map_err(ours)?;
    for start in (0..count).step_by(BLOCK) {
        let rows: Vec<Vec<f32>> = (start..count.min(start + BLOCK))
            .into_par_iter()
            .map(|row| noisy(&base, options.seed, row as u64))
            .collect();
        for row in rows {
            writer.push(&row).map_err(ours)?;
        }
    }
    let committed = writer.commit().map_err(ours)?;
    let queries: Vec<Vec<f32>> =
        (0..QUERIES).map(|k| noisy(&base, options.seed ^ 1, k as u64)).collect();
    let vectors = Vectors::open(&path, model, width, &committed).map_err(ours)?;
    let engine = Exact::new(vectors);
    let before = resident();
    // The first query brings the file into memory.
    engine.nearest(&queries[0], NEAREST, None).map_err(ours)?;
    let (mut seconds, mut found) = (Vec::new(), Vec::new());
    for query in &queries {
        let start = Instant::now();
        let nearest = engine.nearest(query, NEAREST, None).map_err(ours)?;
        seconds.push(start.elapsed().as_secs_f64());
        found.push(nearest.into_iter().map(|(id, _)| u64::from(id.0)).collect::<Vec<u64>>());
    }
    seconds.sort_by(f64::total_cmp);
    let (median, slow) = (seconds[QUERIES / 2], seconds[QUERIES * 99 / 100]);
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    let mut note = format!(
        "p50 {:.2} ms, p99 {:.2} ms, {:.0} MB on disk",
        median * 1e3,
        slow * 1e3,
        bytes as f64 / 1e6
    );
    if let (Some(before), Some(after)) = (before, resident()) {
        note += &format!(", {:.0} MB more in memory", after.saturating_sub(before) as f64 / 1e6);
    }
    let mut peers = Vec::new();
    if let Some(python) = &options.python {
        let bytes: Vec<u8> = queries.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        write(&scratch.path().join("queries.f32"), &bytes)?;
        for name in ["usearch", "faiss"] {
            peers.push(peer(name, python, scratch.path(), width, &found, &mut note)?);
        }
    }
    Ok(Outcome { seconds: median, limit: None, peers, note })
}

/// Rows that are made before they are written.
const BLOCK: usize = 8192;

/// The vectors of photos around their mean, of length 1.
fn base(options: &Options) -> Result<Matrix, Error> {
    let photos = Photos::new(options, PICTURES)?;
    let (encoder, _) = encoder()?;
    let items = photos.items();
    let seen =
        features(&items.iter().collect::<Vec<_>>(), &encoder, None, &Silent).map_err(ours)?;
    let mut rows = seen.matrix;
    let mut mean = vec![0.0; rows.columns()];
    for row in 0..rows.rows() {
        mean.iter_mut().zip(rows.row(row)).for_each(|(mean, value)| *mean += value);
    }
    let count = rows.rows() as f32;
    for row in 0..rows.rows() {
        let row = rows.row_mut(row);
        row.iter_mut().zip(&mean).for_each(|(value, sum)| *value -= sum / count);
        to_length(row, 1.0);
    }
    Ok(rows)
}

/// A photo's vector with noise, of length 1.
fn noisy(base: &Matrix, seed: u64, number: u64) -> Vec<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number + 1);
    // Sums of a few even numbers are normal enough.
    let mut noise: Vec<f32> = (0..base.columns())
        .map(|_| {
            let word = random.next_u64();
            (0..4).map(|k| ((word >> (16 * k)) & 0xffff) as f32 / 65_535.0 - 0.5).sum()
        })
        .collect();
    to_length(&mut noise, NOISE);
    let row = base.row((random.next_u64() % base.rows() as u64) as usize);
    noise.iter_mut().zip(row).for_each(|(noise, value)| *noise += value);
    to_length(&mut noise, 1.0);
    noise
}

fn to_length(vector: &mut [f32], wanted: f32) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-12);
    vector.iter_mut().for_each(|value| *value *= wanted / length);
}

/// Bytes of this process that are in memory, where the system says so.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

fn peer(
    name: &'static str,
    python: &Path,
    folder: &Path,
    width: usize,
    found: &[Vec<u64>],
    note: &mut String,
) -> Result<PeerTime, Error> {
    let answer = SCRIPT.run(python, folder, &[name, &width.to_string()])?;
    let median = number(&answer, "/median", &SCRIPT)?;
    let slow = number(&answer, "/slow", &SCRIPT)?;
    let theirs = answer["found"].as_array().map_or(&[][..], Vec::as_slice);
    let mut missed = 0;
    for (ours, theirs) in found.iter().zip(theirs) {
        let theirs: Vec<u64> =
            theirs.as_array().into_iter().flatten().filter_map(|key| key.as_u64()).collect();
        missed += ours.iter().filter(|id| !theirs.contains(id)).count();
    }
    let all = found.iter().map(Vec::len).sum::<usize>().max(1);
    *note += &format!("; {name} p50 {:.2} ms, p99 {:.2} ms", median * 1e3, slow * 1e3);
    // The difference is the share of what we found that the peer did not.
    let difference = missed as f64 / all as f64;
    Ok(PeerTime { name, seconds: median, target: TARGET, difference })
}
