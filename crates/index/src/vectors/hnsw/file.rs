//! The graph of a file of vectors, on disk.
//!
//! A header of 128 bytes, then the layers from the lowest up, all in little-endian 32-bit numbers: how
//! many photos the layer has, which (not on the lowest, which has all), then the list of each, its
//! length and room for as many links as it may have. The header has the version, a hash of the rest,
//! and one of the vectors that the graph was made from, so that it is never used with others. It can
//! be made again, so it is not part of a commit.

use std::io::Write;
use std::path::{Path, PathBuf};

use rebus_collection::writers::AtomicFile;
use rebus_collection::{ContentHash, MappedFile, Progress};

use super::super::{Committed, Vectors};
use super::build::{Growing, Layer, capacity};
use super::walk::Links;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"REBUSNSW";
const VERSION: u32 = 1;
/// Magic, version, layers, photos, entry, the hash of the vectors, the hash of the rest, a check of
/// these, zeros.
const HEADER: usize = 128;
const OF_VECTORS: usize = 24;
const OF_REST: usize = 56;
const CHECKED: usize = 88;
/// Bytes of a number.
const NUMBER: usize = 4;

/// A graph whose photos are linked with their neighbours, memory-mapped.
#[derive(Debug, Clone)]
pub struct Graph {
    path: PathBuf,
    file: MappedFile,
    rows: usize,
    entry: u32,
    layers: Vec<Place>,
}

/// Where a layer lies, in bytes.
#[derive(Debug, Clone, Copy)]
struct Place {
    members: usize,
    count: usize,
    table: usize,
}

impl Graph {
    /// Makes the graph of vectors, or goes on with the one that is at `path`, and opens it. It has the
    /// photos of whole blocks of checksums; what is behind them is for others to look at.
    ///
    /// # Errors
    /// If it cannot be written, or [`Error::Interrupted`]; then what was at `path` still is.
    pub fn build(
        path: &Path,
        vectors: &Vectors,
        committed: &Committed,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let old = Self::open(path, committed).ok().filter(Self::is_whole);
        let mut growing = old.map_or_else(Growing::default, |graph| graph.to_growing());
        vectors.trust(None)?;
        growing.grow(vectors, committed.in_whole_blocks(), progress)?;
        write(path, &growing, committed)?;
        Self::open(path, committed)
    }

    /// Maps a graph.
    ///
    /// # Errors
    /// If there is none, it is damaged as far as one sees at once, or it was made from other vectors.
    pub fn open(path: &Path, committed: &Committed) -> Result<Self> {
        let file = MappedFile::open(path)
            .map_err(|error| Error::damaged(path, format!("cannot be mapped: {error}")))?;
        let refuse = |what: &str| Err(Error::damaged(path, what));
        let bytes = file.bytes();
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return refuse("not a graph of vectors");
        }
        if bytes[CHECKED..CHECKED + 8] != ContentHash::of(&bytes[..CHECKED]).0[..8] {
            return refuse("the header is damaged");
        }
        let [version, layers, rows, entry] = [8, 12, 16, 20].map(|at| number(bytes, at));
        if version != VERSION {
            return refuse(&format!("version {version} where this program knows {VERSION}"));
        }
        if Some(ContentHash(hash_at(bytes, OF_VECTORS))) != committed.hash_of(rows as usize) {
            return refuse("the graph of other vectors");
        }
        let Some(layers) = places(bytes, layers as usize, rows as usize) else {
            return refuse("shorter than its header says");
        };
        Ok(Self { path: path.to_path_buf(), rows: rows as usize, entry, layers, file })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many photos it has: the first so many.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True if it has none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Bytes on disk.
    pub fn bytes(&self) -> usize {
        self.file.bytes().len()
    }

    /// Whether all of it is as it was written: reads the whole file.
    pub fn is_whole(&self) -> bool {
        let bytes = self.file.bytes();
        ContentHash::of(&bytes[HEADER..]).0 == hash_at(bytes, OF_REST)
    }

    fn to_growing(&self) -> Growing {
        let bytes = self.file.bytes();
        let numbers = |from: usize, count: usize| {
            let fours = bytes[from..from + count * NUMBER].as_chunks::<NUMBER>().0.iter();
            fours.map(|&four| u32::from_le_bytes(four)).collect()
        };
        let layer = |(layer, place): (usize, &Place)| Layer {
            members: if layer == 0 { Vec::new() } else { numbers(place.members, place.count) },
            table: numbers(place.table, place.count * (capacity(layer) + 1)),
        };
        let layers = self.layers.iter().enumerate().map(layer).collect();
        Growing { layers, entry: self.entry, rows: self.rows }
    }
}

impl Links for Graph {
    fn entry(&self) -> Option<(u32, usize)> {
        let inside = (self.entry as usize) < self.rows;
        self.layers.len().checked_sub(1).filter(|_| inside).map(|top| (self.entry, top))
    }

    fn links(&self, layer: usize, of: u32, to: &mut Vec<u32>) {
        let (bytes, room) = (self.file.bytes(), capacity(layer));
        let Some(place) = self.layers.get(layer) else { return };
        let at = match layer {
            0 => Some(of as usize).filter(|&row| row < place.count),
            _ => {
                let members = &bytes[place.members..place.members + place.count * NUMBER];
                let members = members.as_chunks::<NUMBER>().0;
                members.binary_search_by_key(&of, |&four| u32::from_le_bytes(four)).ok()
            }
        };
        let Some(at) = at else { return };
        let from = place.table + at * (room + 1) * NUMBER;
        let list = bytes[from..from + (room + 1) * NUMBER].as_chunks::<NUMBER>().0;
        // What a damaged file says is at most too little: who walks looks whether a photo is there.
        let count = (u32::from_le_bytes(list[0]) as usize).min(room);
        to.extend(list[1..=count].iter().map(|&four| u32::from_le_bytes(four)));
    }
}

/// Where the layers of a file lie, if it is as long as they need.
fn places(bytes: &[u8], layers: usize, rows: usize) -> Option<Vec<Place>> {
    let mut at = HEADER;
    let mut places = Vec::new();
    for layer in 0..layers {
        bytes.get(at..at + NUMBER)?;
        let (members, count) = (at + NUMBER, number(bytes, at) as usize);
        let table = members + if layer == 0 { 0 } else { count * NUMBER };
        at = table + count * (capacity(layer) + 1) * NUMBER;
        places.push(Place { members, count, table });
    }
    let first = places.first().map_or(0, |place| place.count);
    (at == bytes.len() && first == rows).then_some(places)
}

fn write(path: &Path, graph: &Growing, committed: &Committed) -> Result<()> {
    let counts: Vec<[u32; 1]> = (0..graph.layers.len())
        .map(|layer| [(graph.layers[layer].table.len() / (capacity(layer) + 1)) as u32])
        .collect();
    let chunks = || {
        let layers = graph.layers.iter().zip(&counts);
        layers.flat_map(|(layer, count)| [&count[..], &layer.members, &layer.table])
    };
    let mut hasher = blake3::Hasher::new();
    let as_bytes = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    const PIECE: usize = 1 << 16;
    chunks().flat_map(|numbers| numbers.chunks(PIECE)).for_each(|piece| {
        hasher.update(&as_bytes(piece));
    });
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    let numbers = [VERSION, graph.layers.len() as u32, graph.rows as u32, graph.entry];
    header[8..OF_VECTORS].copy_from_slice(&as_bytes(&numbers));
    let vectors = committed.hash_of(graph.rows).unwrap_or(ContentHash([0; 32]));
    header[OF_VECTORS..OF_REST].copy_from_slice(&vectors.0);
    header[OF_REST..CHECKED].copy_from_slice(hasher.finalize().as_bytes());
    let check = ContentHash::of(&header[..CHECKED]);
    header[CHECKED..CHECKED + 8].copy_from_slice(&check.0[..8]);
    let mut file = AtomicFile::create(path)?;
    let written = file.write_all(&header).and_then(|()| {
        let mut pieces = chunks().flat_map(|numbers| numbers.chunks(PIECE));
        pieces.try_for_each(|piece| file.write_all(&as_bytes(piece)))
    });
    written.map_err(|source| Error::io(path, source))?;
    Ok(file.commit()?)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; NUMBER];
    four.copy_from_slice(&bytes[at..at + NUMBER]);
    u32::from_le_bytes(four)
}

fn hash_at(bytes: &[u8], at: usize) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(&bytes[at..at + 32]);
    hash
}
