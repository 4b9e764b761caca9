//! How regions are drawn: the lines between them, and where their names go.

use super::segmentation::Segmentation;

/// A straight line between two corners of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Where it begins: pixels from the left and from the top.
    pub from: (usize, usize),
    /// Where it ends, to the right of that or below.
    pub to: (usize, usize),
}

impl Segmentation {
    /// The lines between regions, at the size at which the picture was divided, each as long as can
    /// be.
    pub fn borders(&self) -> Vec<Line> {
        let (width, height) = self.dimensions();
        let label = |x: usize, y: usize| self.labels()[y * width + x];
        let lying = (1..height).flat_map(|y| {
            let split = move |x: usize| label(x, y - 1) != label(x, y);
            runs(width, split).into_iter().map(move |(a, b)| Line { from: (a, y), to: (b, y) })
        });
        let standing = (1..width).flat_map(|x| {
            let split = move |y: usize| label(x - 1, y) != label(x, y);
            runs(height, split).into_iter().map(move |(a, b)| Line { from: (x, a), to: (x, b) })
        });
        lying.chain(standing).collect()
    }

    /// A pixel of each region that is as far from other regions and from the edge of the picture as
    /// any of its pixels.
    pub fn middles(&self) -> Vec<(usize, usize)> {
        let (width, height) = self.dimensions();
        let labels = self.labels();
        let mut middles = vec![(0, 0); self.areas().len()];
        let mut depth = vec![0u32; labels.len()];
        let mut deepest = vec![0; middles.len()];
        // Steps to the nearest pixel of another region, from above left and then from below right.
        let step = |depth: &[u32], at: usize, inside: bool, next: usize| {
            if inside && labels[next] == labels[at] { depth[next] + 1 } else { 1 }
        };
        for at in 0..labels.len() {
            let (x, y) = (at % width, at / width);
            let left = step(&depth, at, x > 0, at.wrapping_sub(1));
            depth[at] = left.min(step(&depth, at, y > 0, at.wrapping_sub(width)));
        }
        for at in (0..labels.len()).rev() {
            let (x, y) = (at % width, at / width);
            let right = step(&depth, at, x + 1 < width, at + 1);
            let below = step(&depth, at, y + 1 < height, at + width);
            depth[at] = depth[at].min(right).min(below);
            let region = usize::from(labels[at]);
            if depth[at] >= deepest[region] {
                (deepest[region], middles[region]) = (depth[at], (x, y));
            }
        }
        middles
    }
}

/// The longest runs of places where `is` holds, as first place and the one after the last.
fn runs(count: usize, is: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in (0..count).filter(|&at| is(at)) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;
    use crate::regions::Method;

    #[test]
    fn one_line_between_two_halves_and_a_middle_in_each() {
        let picture = Picture::from_fn(120, 90, |x, _| {
            Rgb(if x < 40 { [250, 250, 40] } else { [20, 40, 120] })
        });
        let found = Segmentation::new(&picture, Method::GraphBased).unwrap();
        assert_eq!(found.borders(), [Line { from: (40, 0), to: (40, 90) }]);
        // The first is 40 pixels wide and the second 80, of 90: no pixel is farther inside than 20 or 40.
        let [(left, _), (right, down)] = found.middles()[..] else { panic!("two regions") };
        assert!(left.abs_diff(20) <= 1, "{left}");
        assert!(right.abs_diff(80) <= 1 && (38..=52).contains(&down), "{right} {down}");
    }
}
