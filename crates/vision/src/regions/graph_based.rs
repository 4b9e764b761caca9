//! The graph-based segmentation of Felzenszwalb and Huttenlocher (2004).
//!
//! Pixels side by side are tied by the distance of their colours. From the shortest tie on, two parts
//! become one if the tie is no longer than the longest that holds either together, plus k over the
//! part's size: small parts join easily, large ones only where there is no border.

use super::canvas::{Canvas, Colour};

/// k: the larger, the larger the parts.
const SCALE: f32 = 150.0;

/// The part of every pixel. Parts hang together.
pub(super) fn segment(canvas: &Canvas) -> Vec<u32> {
    let mut ties: Vec<(f32, u32, u32)> = Vec::with_capacity(2 * canvas.pixels());
    canvas.pairs(|one, two| {
        let length = distance(&canvas.colours[one], &canvas.colours[two]);
        ties.push((length, one as u32, two as u32));
    });
    ties.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut forest = Forest::new(canvas.pixels());
    for (length, one, two) in ties {
        let (one, two) = (forest.root(one), forest.root(two));
        if one != two && length <= forest.reach(one).min(forest.reach(two)) {
            forest.join(one, two, length);
        }
    }
    (0..canvas.pixels() as u32).map(|pixel| forest.root(pixel)).collect()
}

/// How far apart two pixels are in CIELAB. What is lively is not looked at: it would be a border
/// along every border.
fn distance([l1, a1, b1, _]: &Colour, [l2, a2, b2, _]: &Colour) -> f32 {
    ((l1 - l2).powi(2) + (a1 - a2).powi(2) + (b1 - b2).powi(2)).sqrt()
}

/// Parts that grow together.
struct Forest {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// The longest tie that holds the part together.
    longest: Vec<f32>,
}

impl Forest {
    fn new(count: usize) -> Self {
        Self {
            parent: (0..count as u32).collect(),
            size: vec![1; count],
            longest: vec![0.0; count],
        }
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let up = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = up;
            at = up;
        }
        at
    }

    /// How long a tie may be that this part still follows.
    fn reach(&self, root: u32) -> f32 {
        self.longest[root as usize] + SCALE / self.size[root as usize] as f32
    }

    /// Joins two roots; the larger part's stays.
    fn join(&mut self, one: u32, two: u32, length: f32) {
        let larger = self.size[one as usize] >= self.size[two as usize];
        let (kept, gone) = if larger { (one, two) } else { (two, one) };
        self.parent[gone as usize] = kept;
        self.size[kept as usize] += self.size[gone as usize];
        // Ties come in order of length: this is the longest so far.
        self.longest[kept as usize] = length;
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;

    #[test]
    fn flat_colours_are_parts() {
        let picture = Picture::from_fn(60, 40, |x, _| {
            Rgb(if x < 30 { [250, 240, 20] } else { [10, 30, 90] })
        });
        let mut canvas = Canvas::new(&picture).unwrap();
        for (colour, lab) in canvas.colours.iter_mut().zip(&canvas.lab) {
            *colour = [lab[0], lab[1], lab[2], 0.0];
        }
        let parts = segment(&canvas);
        assert_eq!(parts[0], parts[29 + 39 * 60]);
        assert_eq!(parts[30], parts[59 + 39 * 60]);
        assert_ne!(parts[0], parts[59]);
    }
}
