//! Going from photo to photo along the links of a graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::nearest::{Nearest, Ranked};
use super::super::{Scored, Vectors};
use crate::PhotoId;

/// Who is linked with whom, layer by layer.
pub(super) trait Links {
    /// The photo from which every search begins, and the layer on which it does; none in an empty
    /// graph.
    fn entry(&self) -> Option<(u32, usize)>;

    /// The photos that a photo is linked with on a layer, put into `to`.
    fn links(&self, layer: usize, of: u32, to: &mut Vec<u32>);
}

/// What searches need again and again, so that they need not ask for memory each time.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// A bit a photo that was met.
    met: Vec<u64>,
    touched: Vec<u32>,
    links: Vec<u32>,
}

impl Scratch {
    /// Forgets whom it met; there are `rows` photos.
    fn begin(&mut self, rows: usize) {
        for &row in &self.touched {
            self.met[row as usize / 64] = 0;
        }
        self.touched.clear();
        self.met.resize(rows.div_ceil(64), 0);
    }

    /// Whether a photo is met for the first time; one that is not there never is.
    fn meet(&mut self, row: u32, rows: usize) -> bool {
        let bit = 1 << (row % 64);
        let new = (row as usize) < rows && self.met[row as usize / 64] & bit == 0;
        if new {
            self.met[row as usize / 64] |= bit;
            self.touched.push(row);
        }
        new
    }
}

/// A graph over vectors, and a query to be found in it.
pub(super) struct Walk<'a, L> {
    pub(super) links: &'a L,
    pub(super) vectors: &'a Vectors,
    pub(super) query: &'a [f32],
    /// How many photos the graph has.
    pub(super) rows: usize,
}

impl<L: Links> Walk<'_, L> {
    pub(super) fn score(&self, row: u32) -> Scored {
        let mut score = [0.0];
        self.vectors.score(row as usize, self.query, &mut score);
        (PhotoId(row), score[0])
    }

    /// Goes down from the entry to the layer above `layer`, always to the better neighbour; the
    /// photo at which it ends.
    pub(super) fn descend(&self, layer: usize, scratch: &mut Scratch) -> Option<Scored> {
        let (entry, top) = self.links.entry()?;
        let mut at = self.score(entry);
        for layer in (layer + 1..=top).rev() {
            loop {
                let mut best = at;
                scratch.links.clear();
                self.links.links(layer, at.0.0, &mut scratch.links);
                for &row in scratch.links.iter().filter(|&&row| (row as usize) < self.rows) {
                    let found = self.score(row);
                    if Ranked(found) < Ranked(best) {
                        best = found;
                    }
                }
                if best == at {
                    break;
                }
                at = best;
            }
        }
        Some(at)
    }

    /// The best `breadth` photos of those that are `wanted` on one layer, best first, as far as one
    /// comes from `starts`.
    pub(super) fn explore(
        &self,
        starts: &[Scored],
        layer: usize,
        breadth: usize,
        wanted: impl Fn(PhotoId) -> bool,
        scratch: &mut Scratch,
    ) -> Vec<Scored> {
        scratch.begin(self.rows);
        let mut kept = Nearest::new(breadth);
        let mut frontier: BinaryHeap<Reverse<Ranked>> = BinaryHeap::new();
        let mut links = std::mem::take(&mut scratch.links);
        for &start in starts {
            if scratch.meet(start.0.0, self.rows) {
                frontier.push(Reverse(Ranked(start)));
                if wanted(start.0) {
                    kept.show(start.0, start.1);
                }
            }
        }
        while let Some(Reverse(next)) = frontier.pop() {
            if kept.has_no_place_for(next.0) {
                break;
            }
            links.clear();
            self.links.links(layer, next.0.0.0, &mut links);
            links.retain(|&row| scratch.meet(row, self.rows));
            for &row in &links {
                self.vectors.announce(row as usize);
            }
            for &row in &links {
                let found = self.score(row);
                if !kept.has_no_place_for(found) {
                    frontier.push(Reverse(Ranked(found)));
                    if wanted(found.0) {
                        kept.show(found.0, found.1);
                    }
                }
            }
        }
        scratch.links = links;
        kept.into_sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_met_is_forgotten_and_nobody_is_there_beyond_the_end() {
        let mut scratch = Scratch::default();
        for rows in [3, 200, 70] {
            scratch.begin(rows);
            for row in [0, 2, 1] {
                assert!(scratch.meet(row, rows));
                assert!(!scratch.meet(row, rows));
            }
            assert!(!scratch.meet(rows as u32, rows));
            assert_eq!(scratch.meet(rows as u32 - 1, rows), rows > 3);
        }
    }
}
