//! Photos that are there more than once: the same bytes, or nearly the same picture.
//!
//! Nearly the same are photos whose [`likeness`](crate::Photo::likeness) differs in at most
//! [`Limits::bits`] of 64 and whose vectors, where a model has seen both, have a cosine of at least
//! [`Limits::cosine`]: the first alone takes flat pictures for one another, the second alone pictures
//! of the same things.

use rebus_collection::Progress;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::index::Snapshot;
use crate::vectors::Vectors;
use crate::{Error, Index, Photo, PhotoId, Result, Selection};

/// How alike photos must be to be nearly the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The most bits of 64 in which the likeness may differ; at most 7.
    pub bits: u32,
    /// The least cosine of the vectors.
    pub cosine: f32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bits: 7, cosine: 0.5 }
    }
}

/// How alike the photos of a group are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Alike {
    /// The same bytes.
    Exact,
    /// Nearly the same picture.
    Near,
}

/// Photos that are one another's duplicates, by path; the largest first where they are only nearly
/// the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// How alike.
    pub alike: Alike,
    /// The photos.
    pub photos: Vec<Photo>,
}

/// Bits of the likeness that are looked up together.
const BAND: u32 = 16;
/// If two numbers of 64 bits differ in at most 7, some band of 16 differs in at most one.
const MOST: u32 = 7;

/// The groups of duplicates in an index, by the path of their first photo: those of the same bytes
/// first. Photos of the same bytes are one among those that are nearly the same.
///
/// # Errors
/// If the limits make no sense, the index is damaged, or the caller interrupts.
pub fn duplicates(index: &Index, limits: Limits, progress: &dyn Progress) -> Result<Vec<Group>> {
    if limits.bits > MOST {
        let what = format!("{} bits are more than the {MOST} that are looked for", limits.bits);
        return Err(Error::Setting { field: "bits", what });
    }
    let snapshot = index.snapshot();
    let mut seen: FxHashMap<u64, Vec<PhotoId>> = FxHashMap::default();
    let likenesses = snapshot.likenesses();
    for &(id, likeness) in &likenesses {
        seen.entry(likeness).or_default().push(id);
    }
    let mut groups = exact(&snapshot, &seen, progress)?;
    let vectors = vectors(index)?;
    groups.extend(near(&snapshot, &seen, vectors.as_ref(), limits, progress)?);
    Ok(groups)
}

/// The vectors of the first model, and who has one.
fn vectors(index: &Index) -> Result<Option<(Vectors, Selection)>> {
    match index.models().first() {
        Some(model) => Ok(Some((index.vectors(&model.name)?, index.seen_by(&model.name)?))),
        None => Ok(None),
    }
}

fn photos(snapshot: &Snapshot, ids: &[PhotoId]) -> Result<Vec<Photo>> {
    let mut photos = Vec::new();
    for &id in ids {
        photos.extend(snapshot.photo(id)?);
    }
    Ok(photos)
}

/// Photos of the same bytes: they have the same likeness, so that only such need to be read.
fn exact(
    snapshot: &Snapshot,
    seen: &FxHashMap<u64, Vec<PhotoId>>,
    progress: &dyn Progress,
) -> Result<Vec<Group>> {
    progress.begin("looking for the same bytes", Some(seen.len() as u64));
    let mut groups = Vec::new();
    for ids in seen.values() {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        progress.advance(1);
        if ids.len() < 2 {
            continue;
        }
        let mut alike = photos(snapshot, ids)?;
        alike.sort_by(|a, b| (a.hash, &a.path).cmp(&(b.hash, &b.path)));
        let same = alike.chunk_by(|a, b| a.hash == b.hash).filter(|same| same.len() > 1);
        groups.extend(same.map(|same| Group { alike: Alike::Exact, photos: same.to_vec() }));
    }
    groups.sort_by(|a, b| a.photos[0].path.cmp(&b.photos[0].path));
    Ok(groups)
}

/// Groups of photos that are nearly the same.
fn near(
    snapshot: &Snapshot,
    seen: &FxHashMap<u64, Vec<PhotoId>>,
    vectors: Option<&(Vectors, Selection)>,
    limits: Limits,
    progress: &dyn Progress,
) -> Result<Vec<Group>> {
    // A likeness of 0 says nothing.
    let mut keys: Vec<u64> = seen.keys().copied().filter(|&likeness| likeness != 0).collect();
    keys.sort_unstable();
    progress.begin("looking for nearly the same", Some(keys.len() as u64));
    let mut bands: Vec<FxHashMap<u16, Vec<usize>>> = vec![FxHashMap::default(); 4];
    for (at, &key) in keys.iter().enumerate() {
        for (band, values) in bands.iter_mut().enumerate() {
            values.entry(part(key, band)).or_default().push(at);
        }
    }
    let mut sets = Sets::new(keys.len());
    for (at, &key) in keys.iter().enumerate() {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        for (band, values) in bands.iter().enumerate() {
            let value = part(key, band);
            let flipped = (0..BAND).map(|bit| value ^ (1 << bit));
            for other in std::iter::once(value).chain(flipped).filter_map(|v| values.get(&v)) {
                for &other in other.iter().filter(|&&other| other > at) {
                    let differ = (key ^ keys[other]).count_ones();
                    if differ <= limits.bits
                        && !sets.are_one(at, other)
                        && agree(seen[&key][0], seen[&keys[other]][0], vectors, limits.cosine)?
                    {
                        sets.unite(at, other);
                    }
                }
            }
        }
        progress.advance(1);
    }
    let mut members: FxHashMap<usize, Vec<PhotoId>> = FxHashMap::default();
    for (at, key) in keys.iter().enumerate() {
        members.entry(sets.first(at)).or_default().extend(&seen[key]);
    }
    let mut groups = Vec::new();
    for ids in members.into_values().filter(|ids| ids.len() > 1) {
        let mut alike = photos(snapshot, &ids)?;
        let pixels = |photo: &Photo| {
            photo.size.map_or(0, |size| u64::from(size.width) * u64::from(size.height))
        };
        alike.sort_by(|a, b| {
            (pixels(b), b.bytes).cmp(&(pixels(a), a.bytes)).then_with(|| a.path.cmp(&b.path))
        });
        // All of the same bytes: told already.
        if alike.iter().any(|photo| photo.hash != alike[0].hash) {
            groups.push(Group { alike: Alike::Near, photos: alike });
        }
    }
    groups.sort_by(|a, b| a.photos[0].path.cmp(&b.photos[0].path));
    Ok(groups)
}

fn part(likeness: u64, band: usize) -> u16 {
    (likeness >> (band as u32 * BAND)) as u16
}

/// Whether a model that has seen both photos finds them alike.
fn agree(
    a: PhotoId,
    b: PhotoId,
    vectors: Option<&(Vectors, Selection)>,
    least: f32,
) -> Result<bool> {
    let Some((vectors, seen)) = vectors else { return Ok(true) };
    if !(seen.contains(a) && seen.contains(b)) {
        return Ok(true);
    }
    Ok(match (vectors.row(a)?, vectors.row(b)?) {
        (Some(a), Some(b)) => cosine(&a, &b) >= least,
        _ => true,
    })
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let length = (dot(a, a) * dot(b, b)).sqrt();
    if length > 0.0 { dot(a, b) / length } else { 0.0 }
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The number that stands for the set of this one.
    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn are_one(&mut self, a: usize, b: usize) -> bool {
        self.first(a) == self.first(b)
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_by_hand() {
        let mut sets = Sets::new(5);
        sets.unite(3, 1);
        sets.unite(1, 4);
        assert!(sets.are_one(3, 4) && !sets.are_one(0, 4));
        assert_eq!(sets.first(4), 1);
    }

    #[test]
    fn within_seven_bits_some_band_differs_by_at_most_one() {
        // The worst case: the differences spread over the bands as 2, 2, 2, 1.
        let other: u64 = 0b11 | 0b11 << 16 | 0b11 << 32 | 1 << 48;
        assert_eq!(other.count_ones(), MOST);
        assert!((0..4).any(|band| part(other, band).count_ones() <= 1));
    }

    #[test]
    fn cosines() {
        assert_eq!(cosine(&[1.0, 0.0], &[2.0, 0.0]), 1.0);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 2.0]), 0.0);
        assert_eq!(cosine(&[0.0], &[1.0]), 0.0);
    }
}
