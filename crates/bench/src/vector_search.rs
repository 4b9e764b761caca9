//! The nearest of many vectors, against usearch and faiss from Python: each looking at all of them, and
//! each going along the links of a graph.
//!
//! The vectors are those of photos, each with noise, as many as the case wants; the queries are
//! others made in the same way. Latencies are of one query at a time, all cores on it. Recall is the
//! share of the ten nearest, by looking at all, that is found.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::{ContentHash, Matrix, Silent};
use rebus_index::vectors::{
    Committed, Exact, Graph, Hnsw, Quantised, VectorEngine, VectorWriter, Vectors,
};
use rebus_vision::features;

use crate::encoders::{PICTURES, Photos, encoder, ours};
use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime};

pub(crate) const SMALL: Case = Case {
    group: "search",
    name: "10-thousand",
    about: "the ten nearest of 10,000 vectors",
    work: |options| look_at_all(options, 10_000),
};

pub(crate) const MIDDLE: Case = Case {
    group: "search",
    name: "100-thousand",
    about: "the ten nearest of 100,000 vectors",
    work: |options| look_at_all(options, 100_000),
};

pub(crate) const LARGE: Case = Case {
    group: "search",
    name: "1-million",
    about: "the ten nearest of 1,000,000 vectors",
    work: |options| look_at_all(options, 1_000_000),
};

pub(crate) const LINKED_MIDDLE: Case = Case {
    group: "search",
    name: "100-thousand-linked",
    about: "the ten nearest of 100,000 vectors, along the links of a graph",
    work: |options| go_along_links(options, 100_000),
};

pub(crate) const LINKED_LARGE: Case = Case {
    group: "search",
    name: "1-million-linked",
    about: "the ten nearest of 1,000,000 vectors, along the links of a graph",
    work: |options| go_along_links(options, 1_000_000),
};

const SCRIPT: Script =
    Script { name: "vector_search.py", text: include_str!("../peers/vector_search.py") };
/// How many are looked for, and by how many queries.
const NEAREST: usize = 10;
const QUERIES: usize = 200;
/// What a search with a filter looks for, too.
const MANY: usize = 1000;
/// The length of the noise beside a vector of length 1.
const NOISE: f32 = 0.8;
/// We shall not be slower than a peer.
const TARGET: f64 = 1.0;

/// Vectors on disk, and queries.
struct Prepared {
    scratch: tempfile::TempDir,
    path: PathBuf,
    committed: Committed,
    vectors: Vectors,
    queries: Vec<Vec<f32>>,
}

impl Prepared {
    fn new(options: &Options, full: usize) -> Result<Self, Error> {
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
        let queries = (0..QUERIES).map(|k| noisy(&base, options.seed ^ 1, k as u64)).collect();
        let vectors = Vectors::open(&path, model, width, &committed).map_err(ours)?;
        Ok(Self { scratch, path, committed, vectors, queries })
    }

    /// How long an engine takes to find the nearest, and what it finds.
    fn time(&self, engine: &dyn VectorEngine, count: usize) -> Result<Timed, Error> {
        // The first query brings the file into memory.
        engine.nearest(&self.queries[0], count, None).map_err(ours)?;
        let (mut seconds, mut found) = (Vec::new(), Vec::new());
        for query in &self.queries {
            let start = Instant::now();
            let nearest = engine.nearest(query, count, None).map_err(ours)?;
            seconds.push(start.elapsed().as_secs_f64());
            found.push(nearest.into_iter().map(|(id, _)| u64::from(id.0)).collect());
        }
        seconds.sort_by(f64::total_cmp);
        let (median, slow) = (seconds[QUERIES / 2], seconds[QUERIES * 99 / 100]);
        Ok(Timed { median, slow, found })
    }

    /// The peers on the same vectors, looking at all or along links.
    fn peers(
        &self,
        options: &Options,
        way: &str,
        exact: &[Vec<u64>],
        note: &mut String,
    ) -> Result<Vec<PeerTime>, Error> {
        let Some(python) = &options.python else { return Ok(Vec::new()) };
        let bytes: Vec<u8> = self.queries.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        write(&self.scratch.path().join("queries.f32"), &bytes)?;
        let peer = |name| self.peer(name, python, way, exact, note);
        ["usearch", "faiss"].into_iter().map(peer).collect()
    }

    fn peer(
        &self,
        name: &'static str,
        python: &Path,
        way: &str,
        exact: &[Vec<u64>],
        note: &mut String,
    ) -> Result<PeerTime, Error> {
        let width = self.vectors.dimensions().to_string();
        let answer = SCRIPT.run(python, self.scratch.path(), &[name, &width, way])?;
        let [median, slow, built] =
            ["/median", "/slow", "/built"].map(|at| number(&answer, at, &SCRIPT));
        let found = answer["found"].as_array().into_iter().flatten();
        let numbers = |keys: &serde_json::Value| {
            keys.as_array().into_iter().flatten().filter_map(serde_json::Value::as_u64).collect()
        };
        let timed = Timed { median: median?, slow: slow?, found: found.map(numbers).collect() };
        *note += &format!("; {name} {}", timed.text(exact));
        if way == LINKED {
            *note += &format!(", built in {:.0} s", built?);
        }
        // The difference is the share of the nearest that the peer did not find.
        let difference = 1.0 - timed.recall(exact);
        Ok(PeerTime { name, seconds: timed.median, target: TARGET, difference })
    }
}

/// What peers are asked to do.
const ALL: &str = "all";
const LINKED: &str = "linked";

/// What searching came to.
struct Timed {
    median: f64,
    slow: f64,
    found: Vec<Vec<u64>>,
}

impl Timed {
    fn recall(&self, exact: &[Vec<u64>]) -> f64 {
        let (mut same, mut all) = (0, 0);
        for (exact, found) in exact.iter().zip(&self.found) {
            same += exact.iter().filter(|id| found.contains(id)).count();
            all += exact.len();
        }
        same as f64 / all.max(1) as f64
    }

    fn text(&self, exact: &[Vec<u64>]) -> String {
        let (median, slow) = (self.median * 1e3, self.slow * 1e3);
        format!("p50 {median:.2} ms, p99 {slow:.2} ms, recall {:.4}", self.recall(exact))
    }
}

fn look_at_all(options: &Options, full: usize) -> Result<Outcome, Error> {
    let prepared = Prepared::new(options, full)?;
    let before = resident();
    let exact = prepared.time(&Exact::new(prepared.vectors.clone()), NEAREST)?;
    let more = |before: Option<u64>| match (before, resident()) {
        (Some(before), Some(after)) => after.saturating_sub(before) as f64 / 1e6,
        _ => f64::NAN,
    };
    let bytes = std::fs::metadata(&prepared.path).map_or(0, |file| file.len());
    let mut note = format!(
        "exact {}, {:.0} MB on disk, {:.0} MB in memory",
        exact.text(&exact.found),
        bytes as f64 / 1e6,
        more(before)
    );
    let quantised = Quantised::new(prepared.vectors.clone()).map_err(ours)?;
    let codes = quantised.bytes() as f64 / 1e6;
    let timed = prepared.time(&quantised, NEAREST)?;
    note += &format!("; quantised {}, {codes:.0} MB of codes", timed.text(&exact.found));
    drop(quantised);
    let peers = prepared.peers(options, ALL, &exact.found, &mut note)?;
    Ok(Outcome { seconds: exact.median, limit: None, peers, note })
}

fn go_along_links(options: &Options, full: usize) -> Result<Outcome, Error> {
    let prepared = Prepared::new(options, full)?;
    let exact = Exact::new(prepared.vectors.clone());
    let all = prepared.time(&exact, NEAREST)?;
    let path = prepared.path.with_extension("graph");
    let start = Instant::now();
    let graph = Graph::build(&path, &prepared.vectors, &prepared.committed, &Silent);
    let (graph, built) = (graph.map_err(ours)?, start.elapsed().as_secs_f64());
    let start = Instant::now();
    Graph::open(&path, &prepared.committed).map_err(ours)?;
    let opened = start.elapsed().as_secs_f64();
    let bytes = graph.bytes() as f64 / 1e6;
    let engine = Hnsw::new(prepared.vectors.clone(), graph);
    let timed = prepared.time(&engine, NEAREST)?;
    let many = prepared.time(&engine, MANY)?;
    let all_many = prepared.time(&exact, MANY)?;
    let mut note = format!(
        "links {}; the {MANY} nearest p50 {:.2} ms, recall {:.4}; looking at all {}; a graph of {bytes:.0} MB, built in {built:.0} s, opened in {:.2} ms",
        timed.text(&all.found),
        many.median * 1e3,
        many.recall(&all_many.found),
        all.text(&all.found),
        opened * 1e3,
    );
    let peers = prepared.peers(options, LINKED, &all.found, &mut note)?;
    Ok(Outcome { seconds: timed.median, limit: None, peers, note })
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
