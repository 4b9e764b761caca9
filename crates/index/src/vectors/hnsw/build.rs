//! Making the graph: photos are put in one after the other, in the order of their numbers.
//!
//! Some are put in at once, each seeing the graph as it was before and those of its own lot that come
//! before it; then all their links are made, photo by photo. So cores work side by side, and the
//! graph is the same whatever their number; and a graph that is gone on with later is the one that
//! would have been made in one go.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::Progress;

use super::super::nearest::{Ranked, order};
use super::super::{Scored, Vectors};
use super::walk::{Links, Scratch, Walk};
use crate::{Error, PhotoId, Result};

/// Links that a new photo gets on a layer, at most; and that a photo has on a layer above the lowest.
pub(super) const LINKS: usize = 16;
/// Links that a photo has on the lowest layer, at most.
pub(super) const LOWEST: usize = 2 * LINKS;
/// How many photos are looked through for the links of a new one.
const BREADTH: usize = 100;
/// The most photos that are put in at once. It divides the numbers of photos of a finished graph.
const LOT: usize = 256;
/// Which photos reach which layer depends on nothing else.
const SEED: u64 = 2013;
/// Bits of a random number that are zero for a photo to reach a layer more: one of 16 does, as many
/// as there are links.
const BITS: u32 = LINKS.ilog2();

/// The highest layer of a photo.
pub(super) fn highest_layer(row: u32) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    random.set_stream(u64::from(row) + 1);
    (random.next_u64().trailing_zeros() / BITS) as usize
}

/// How many links a photo has on a layer, at most.
pub(super) fn capacity(layer: usize) -> usize {
    if layer == 0 { LOWEST } else { LINKS }
}

/// The links of one layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Layer {
    /// The photos that reach it, by number; on the lowest all do, and none is named.
    pub(super) members: Vec<u32>,
    /// For each: how many links there are, then the links, then room for more.
    pub(super) table: Vec<u32>,
}

/// A graph in memory that grows.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Growing {
    pub(super) layers: Vec<Layer>,
    pub(super) entry: u32,
    pub(super) rows: usize,
}

impl Links for Growing {
    fn entry(&self) -> Option<(u32, usize)> {
        (self.rows > 0).then(|| (self.entry, self.layers.len() - 1))
    }

    fn links(&self, layer: usize, of: u32, to: &mut Vec<u32>) {
        if let Some(slot) = self.slot(layer, of) {
            let list = &self.layers[layer].table[slot..];
            to.extend_from_slice(&list[1..=list[0] as usize]);
        }
    }
}

/// A link that the other side does not have yet.
struct Back {
    layer: usize,
    from: u32,
    to: Scored,
}

impl Growing {
    /// Where the list of a photo begins in the table of a layer.
    fn slot(&self, layer: usize, of: u32) -> Option<usize> {
        let place = match layer {
            0 => Some(of as usize).filter(|&row| row < self.rows),
            _ => self.layers.get(layer)?.members.binary_search(&of).ok(),
        };
        place.map(|place| place * (capacity(layer) + 1))
    }

    fn set(&mut self, layer: usize, of: u32, links: &[Scored]) {
        if let Some(slot) = self.slot(layer, of) {
            let list = &mut self.layers[layer].table[slot..=slot + capacity(layer)];
            list[0] = links.len() as u32;
            list[1..].iter_mut().zip(links).for_each(|(to, link)| *to = link.0.0);
        }
    }

    /// Puts in the photos up to `rows`.
    pub(super) fn grow(
        &mut self,
        vectors: &Vectors,
        rows: usize,
        progress: &dyn Progress,
    ) -> Result<()> {
        let rows = rows.min(vectors.len());
        progress.begin("linking photos", Some(rows.saturating_sub(self.rows) as u64));
        while self.rows < rows {
            if progress.interrupted() {
                return Err(Error::Interrupted);
            }
            // While there are few, those of one lot would not see enough of each other.
            let lot = (self.rows / 4).clamp(1, LOT);
            let to = rows.min(self.rows + lot).min((self.rows / LOT + 1) * LOT);
            progress.advance((to - self.rows) as u64);
            self.put_in(vectors, to);
        }
        Ok(())
    }

    fn put_in(&mut self, vectors: &Vectors, to: usize) {
        let lot: Vec<u32> = (self.rows as u32..to as u32).collect();
        let heights: Vec<usize> = lot.par_iter().map(|&row| highest_layer(row)).collect();
        let chosen: Vec<Vec<Vec<Scored>>> = (0..lot.len())
            .into_par_iter()
            .map_init(Scratch::default, |scratch, at| {
                self.choose(vectors, &lot[..=at], &heights[..=at], scratch)
            })
            .collect();
        self.make_room(&lot, &heights);
        let mut back = Vec::new();
        for (&row, layers) in lot.iter().zip(&chosen) {
            for (layer, links) in layers.iter().enumerate() {
                self.set(layer, row, links);
                let to = |&(from, score): &Scored| Back {
                    layer,
                    from: from.0,
                    to: (PhotoId(row), score),
                };
                back.extend(links.iter().map(to));
            }
        }
        back.sort_by(|a, b| {
            (a.layer, a.from).cmp(&(b.layer, b.from)).then_with(|| order(&a.to, &b.to))
        });
        let groups: Vec<&[Back]> =
            back.chunk_by(|a, b| (a.layer, a.from) == (b.layer, b.from)).collect();
        let lists: Vec<Vec<Scored>> =
            groups.par_iter().map(|group| self.linked_back(vectors, group)).collect();
        for (group, links) in groups.iter().zip(lists) {
            self.set(group[0].layer, group[0].from, &links);
        }
    }

    /// Rows without links for new photos; the first that reaches a new layer is the entry.
    fn make_room(&mut self, lot: &[u32], heights: &[usize]) {
        for (&row, &height) in lot.iter().zip(heights) {
            if height >= self.layers.len() || self.rows == 0 {
                self.layers.resize(height + 1, Layer::default());
                self.entry = row;
            }
            for (layer, it) in self.layers.iter_mut().enumerate().take(height + 1) {
                if layer > 0 {
                    it.members.push(row);
                }
                it.table.resize(it.table.len() + capacity(layer) + 1, 0);
            }
            self.rows += 1;
        }
    }

    /// The links of the last photo of a lot, on each of its layers.
    fn choose(
        &self,
        vectors: &Vectors,
        lot: &[u32],
        heights: &[usize],
        scratch: &mut Scratch,
    ) -> Vec<Vec<Scored>> {
        let ([before @ .., row], [.., height]) = (lot, heights) else { return Vec::new() };
        let query = vectors.widened(*row as usize);
        let walk = Walk { links: self, vectors, query: &query, rows: self.rows };
        let mut found: Vec<Vec<Scored>> = vec![Vec::new(); height + 1];
        if let Some((_, top)) = self.entry() {
            let mut starts: Vec<Scored> = walk.descend(*height, scratch).into_iter().collect();
            for layer in (0..=top.min(*height)).rev() {
                starts = walk.explore(&starts, layer, BREADTH, |_| true, scratch);
                found[layer] = starts.clone();
            }
        }
        for (&other, &reaches) in before.iter().zip(heights) {
            let scored = walk.score(other);
            found.iter_mut().take(reaches + 1).for_each(|found| found.push(scored));
        }
        let choose = |mut found: Vec<Scored>| {
            found.sort_by(order);
            found.truncate(BREADTH);
            chosen(vectors, &found, LINKS, LINKS)
        };
        found.into_iter().map(choose).collect()
    }

    /// The links of a photo with those that were just linked with it.
    fn linked_back(&self, vectors: &Vectors, new: &[Back]) -> Vec<Scored> {
        let [Back { layer, from, .. }, ..] = new else { return Vec::new() };
        let mut old = Vec::new();
        self.links(*layer, *from, &mut old);
        let query = vectors.widened(*from as usize);
        let walk = Walk { links: self, vectors, query: &query, rows: self.rows };
        let mut all: Vec<Scored> = old.into_iter().map(|row| walk.score(row)).collect();
        all.extend(new.iter().map(|back| back.to));
        if all.len() <= capacity(*layer) {
            return all;
        }
        all.sort_by(order);
        chosen(vectors, &all, capacity(*layer), LINKS)
    }
}

/// Of photos, best first, those to be linked: such as are nearer to the one that they are linked with
/// than to any that was chosen before, so that links lead into different directions. Up to `most`;
/// and up to `least`, with the best of the others, copies of what was chosen last: a photo that is there
/// a hundred times shall not be linked with itself alone.
fn chosen(vectors: &Vectors, found: &[Scored], most: usize, least: usize) -> Vec<Scored> {
    let mut kept: Vec<Scored> = Vec::with_capacity(most);
    let (mut others, mut copies) = (Vec::new(), Vec::new());
    for &candidate in found {
        if kept.len() == most {
            break;
        }
        let vector = vectors.widened(candidate.0.0 as usize);
        let nearer = kept.iter().find(|other| {
            let mut score = [0.0];
            vectors.score(other.0.0 as usize, &vector, &mut score);
            score[0] >= candidate.1
        });
        match nearer {
            None => kept.push(candidate),
            Some(other) if vectors.are_copies(other.0, candidate.0) => copies.push(candidate),
            Some(_) => others.push(candidate),
        }
    }
    let missing = least.saturating_sub(kept.len());
    kept.extend(others.into_iter().chain(copies).take(missing));
    kept.sort_by_key(|&scored| Ranked(scored));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_sixteen_reaches_a_layer_more() {
        let mut counts = [0usize; 4];
        for row in 0..20_000 {
            for count in counts.iter_mut().take(highest_layer(row) + 1) {
                *count += 1;
            }
        }
        assert_eq!(counts[0], 20_000);
        assert!((1100..1400).contains(&counts[1]), "{counts:?}");
        assert!((50..110).contains(&counts[2]), "{counts:?}");
    }
}
