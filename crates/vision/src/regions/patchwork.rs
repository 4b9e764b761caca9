//! Patches of pixels that hang together, and how they grow into one another.
//!
//! Every method ends here: what it found is taken apart into connected patches, small ones go to
//! the neighbour that looks most like them, neighbours that look the same become one, and the pairs
//! that differ least are joined until no more than a given number is left. Of equal candidates the
//! one that comes first in the picture is taken, so that the result is always the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::canvas::{CHANNELS, Canvas, Colour, squared};

/// A picture in connected patches.
pub(super) struct Patchwork {
    /// The patch of every pixel when the work began.
    labels: Vec<u32>,
    patches: Vec<Patch>,
    /// Which patch took each patch, itself while it lives.
    taken_by: Vec<usize>,
    living: usize,
}

#[derive(Default)]
struct Patch {
    area: u32,
    sums: [f64; CHANNELS],
    /// Neighbours, and how many pairs of pixels lie across the border.
    borders: BTreeMap<usize, u32>,
    /// How many sides of pixels lie at the edge of the picture.
    edge: u32,
}

impl Patch {
    fn colour(&self) -> Colour {
        self.sums.map(|sum| (sum / f64::from(self.area.max(1))) as f32)
    }

    /// The area without a strip of one and a half pixels along its outline: nothing is left of a seam
    /// between two colours, or of the frame around a scanned slide, however long they are.
    fn core(&self) -> u32 {
        let outline: u32 = self.edge + self.borders.values().sum::<u32>();
        self.area.saturating_sub(outline + outline / 2)
    }
}

impl Patchwork {
    /// Takes apart what `of` gives the same number but does not hang together.
    pub(super) fn new(canvas: &Canvas, of: &[u32]) -> Self {
        let (labels, count) = components(canvas, of);
        let mut patches: Vec<Patch> = (0..count).map(|_| Patch::default()).collect();
        let (right, bottom) = (canvas.width - 1, canvas.height - 1);
        for (at, (&label, colour)) in labels.iter().zip(&canvas.colours).enumerate() {
            let patch = &mut patches[label as usize];
            let (x, y) = (at % canvas.width, at / canvas.width);
            let edges = [x == 0, x == right, y == 0, y == bottom];
            patch.edge += edges.into_iter().map(u32::from).sum::<u32>();
            patch.area += 1;
            patch.sums.iter_mut().zip(colour).for_each(|(sum, &v)| *sum += f64::from(v));
        }
        canvas.pairs(|one, two| {
            let (one, two) = (labels[one] as usize, labels[two] as usize);
            if one != two {
                *patches[one].borders.entry(two).or_default() += 1;
                *patches[two].borders.entry(one).or_default() += 1;
            }
        });
        Self { labels, patches, taken_by: (0..count).collect(), living: count }
    }

    /// Patches of fewer pixels go to the neighbour that looks most like them.
    pub(super) fn join_small(&mut self, pixels: f64) {
        self.join_below(pixels, |patch| patch.area);
    }

    /// As [`Self::join_small`], not counting a strip along the borders.
    pub(super) fn join_thin(&mut self, pixels: f64) {
        self.join_below(pixels, Patch::core);
    }

    fn join_below(&mut self, pixels: f64, size: impl Fn(&Patch) -> u32) {
        let small = |patch: &Patch| f64::from(size(patch)) < pixels;
        let waiting = self.patches.iter().enumerate().filter(|(_, patch)| small(patch));
        let mut heap: BinaryHeap<Reverse<(u32, usize)>> =
            waiting.map(|(at, patch)| Reverse((size(patch), at))).collect();
        while let Some(Reverse((known, at))) = heap.pop() {
            if self.taken_by[at] != at || size(&self.patches[at]) != known {
                continue;
            }
            let own = self.patches[at].colour();
            let far = |&other: &usize| squared(&own, &self.patches[other].colour());
            let nearest = self.patches[at].borders.keys().copied();
            let Some(nearest) = nearest.min_by(|a, b| far(a).total_cmp(&far(b))) else { return };
            let kept = self.join(at, nearest);
            if small(&self.patches[kept]) {
                heap.push(Reverse((size(&self.patches[kept]), kept)));
            }
        }
    }

    /// Neighbours that differ by less than this, on average, become one.
    pub(super) fn join_alike(&mut self, difference: f32) {
        let far = |one: &Patch, two: &Patch| squared(&one.colour(), &two.colour());
        while let Some((least, one, two)) = self.closest(far)
            && least < difference * difference
        {
            self.join(one, two);
        }
    }

    /// The pairs that differ least, small ones first (Ward 1963), become one until `most` are left.
    pub(super) fn join_to(&mut self, most: usize) {
        let ward = |one: &Patch, two: &Patch| {
            let [a, b] = [one.area as f32, two.area as f32];
            a * b / (a + b) * squared(&one.colour(), &two.colour())
        };
        while self.living > most
            && let Some((_, one, two)) = self.closest(ward)
        {
            self.join(one, two);
        }
    }

    fn closest(&self, far: impl Fn(&Patch, &Patch) -> f32) -> Option<(f32, usize, usize)> {
        let living = (0..self.patches.len()).filter(|&at| self.taken_by[at] == at);
        let pairs = living.flat_map(|one| {
            let after = self.patches[one].borders.range(one + 1..);
            after.map(move |(&two, _)| (one, two))
        });
        pairs
            .map(|(one, two)| (far(&self.patches[one], &self.patches[two]), one, two))
            .min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Joins two neighbours; the one with more borders stays.
    fn join(&mut self, one: usize, two: usize) -> usize {
        let more = |at: usize| self.patches[at].borders.len();
        let (kept, gone) = if more(one) >= more(two) { (one, two) } else { (two, one) };
        let taken = std::mem::take(&mut self.patches[gone]);
        self.taken_by[gone] = kept;
        self.living -= 1;
        for (&other, &length) in &taken.borders {
            self.patches[other].borders.remove(&gone);
            if other != kept {
                *self.patches[other].borders.entry(kept).or_default() += length;
                *self.patches[kept].borders.entry(other).or_default() += length;
            }
        }
        let patch = &mut self.patches[kept];
        patch.area += taken.area;
        patch.edge += taken.edge;
        patch.sums.iter_mut().zip(taken.sums).for_each(|(sum, v)| *sum += v);
        kept
    }

    /// The number of every pixel's patch, counted in the order in which they begin in the picture,
    /// and how many patches there are.
    pub(super) fn finish(mut self) -> (Vec<u32>, usize) {
        for at in 0..self.taken_by.len() {
            let mut root = at;
            while self.taken_by[root] != root {
                root = self.taken_by[root];
            }
            self.taken_by[at] = root;
        }
        let mut numbers = vec![u32::MAX; self.patches.len()];
        let mut count = 0;
        for label in &mut self.labels {
            let number = &mut numbers[self.taken_by[*label as usize]];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *label = *number;
        }
        (self.labels, count as usize)
    }
}

/// Connected parts of equal numbers, counted in the order in which they begin.
fn components(canvas: &Canvas, of: &[u32]) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let mut labels = vec![NONE; of.len()];
    let (width, mut count, mut open) = (canvas.width, 0, Vec::new());
    for first in 0..of.len() {
        if labels[first] != NONE {
            continue;
        }
        labels[first] = count;
        open.push(first);
        while let Some(at) = open.pop() {
            let x = at % width;
            let around = [
                (x > 0).then(|| at - 1),
                (x + 1 < width).then_some(at + 1),
                at.checked_sub(width),
                Some(at + width).filter(|&below| below < of.len()),
            ];
            for next in around.into_iter().flatten() {
                if labels[next] == NONE && of[next] == of[at] {
                    labels[next] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    (labels, count as usize)
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;

    /// Four stripes of one pixel: black, dark, light and white.
    fn stripes() -> Canvas {
        let greys = [0, 40, 200, 255];
        let picture = Picture::from_fn(4, 3, |x, _| Rgb([greys[x as usize]; 3]));
        let mut canvas = Canvas::new(&picture).unwrap();
        // As drawn, not as smoothed.
        for (colour, lab) in canvas.colours.iter_mut().zip(&canvas.lab) {
            *colour = [lab[0], lab[1], lab[2], 0.0];
        }
        canvas
    }

    #[test]
    fn what_does_not_hang_together_is_taken_apart() {
        let canvas = stripes();
        let of = [1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1];
        let (labels, count) = Patchwork::new(&canvas, &of).finish();
        assert_eq!(count, 3);
        assert_eq!(labels, [0, 1, 2, 2, 0, 1, 2, 2, 1, 1, 2, 2]);
    }

    #[test]
    fn likes_join_first() {
        let canvas = stripes();
        let of: Vec<u32> = (0..12).map(|at| at % 4).collect();
        let mut work = Patchwork::new(&canvas, &of);
        // L is 0, 16, 81 and 100: dark goes to black, then white to light.
        work.join_to(3);
        assert_eq!(work.living, 3);
        work.join_alike(30.0);
        let (labels, count) = work.finish();
        assert_eq!((&labels[..4], count), (&[0, 0, 1, 1][..], 2));
        let mut work = Patchwork::new(&canvas, &of);
        work.join_small(4.0);
        assert_eq!(work.finish().1, 2);
        let mut work = Patchwork::new(&canvas, &of);
        work.join_small(1e9);
        assert_eq!(work.finish().1, 1);
    }
}
