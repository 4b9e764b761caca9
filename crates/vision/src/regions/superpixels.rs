//! Superpixels: some two hundred small patches of one colour, of about one size.
//!
//! After SLIC (Achanta et al. 2012): k-means among colours and places, in which a mean sees only the
//! pixels around it; what does not hang together afterwards is given to its neighbours.

use super::canvas::{CHANNELS, Canvas, Colour, squared};
use super::patchwork::Patchwork;

/// How many superpixels a picture has, about.
const COUNT: f32 = 200.0;
/// How much places count beside colours: this distance of colours is worth one step of the grid.
const COMPACT: f32 = 12.0;
const ROUNDS: usize = 5;
/// A patch smaller than this share of a usual one is given away.
const FRAGMENT: f64 = 0.25;

/// The pixels of a picture in superpixels.
pub(super) struct Superpixels {
    /// The superpixel of every pixel.
    pub(super) labels: Vec<u32>,
    pub(super) means: Vec<Mean>,
    /// The side of a usual one, in pixels.
    pub(super) step: f32,
}

/// The middle of a superpixel.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    pub(super) colour: Colour,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) area: f32,
}

impl Superpixels {
    pub(super) fn new(canvas: &Canvas) -> Self {
        let step = (canvas.pixels() as f32 / COUNT).sqrt().max(1.0);
        let mut means = grid(canvas, step);
        let mut labels = vec![0; canvas.pixels()];
        for _ in 0..ROUNDS {
            assign(canvas, &means, step, &mut labels);
            means = middles(canvas, &labels, &means);
        }
        let mut work = Patchwork::new(canvas, &labels);
        work.join_small(FRAGMENT * f64::from(step * step));
        let (labels, count) = work.finish();
        let means = middles(canvas, &labels, &vec![Mean::default(); count]);
        Self { labels, means, step }
    }
}

fn grid(canvas: &Canvas, step: f32) -> Vec<Mean> {
    let along = |pixels: usize| ((pixels as f32 / step).round() as usize).clamp(1, pixels);
    let (across, down) = (along(canvas.width), along(canvas.height));
    let middle = |at: usize, of: usize, pixels: usize| (2 * at + 1) * pixels / (2 * of);
    let places = (0..down).flat_map(|y| (0..across).map(move |x| (x, y)));
    places
        .map(|(x, y)| {
            let (x, y) = (middle(x, across, canvas.width), middle(y, down, canvas.height));
            let colour = canvas.colours[y * canvas.width + x];
            Mean { colour, x: x as f32, y: y as f32, area: 0.0 }
        })
        .collect()
}

/// Every pixel to the nearest mean of those that see it.
fn assign(canvas: &Canvas, means: &[Mean], step: f32, labels: &mut [u32]) {
    let mut far = vec![f32::INFINITY; labels.len()];
    let weight = (COMPACT / step).powi(2);
    // A step and a half sees all pixels for which the mean may be the nearest of the grid.
    let reach = 1.5 * step + 1.0;
    let span = |middle: f32, pixels: usize| {
        let first = (middle - reach).max(0.0) as usize;
        first..((middle + reach) as usize + 1).min(pixels)
    };
    for (label, mean) in means.iter().enumerate() {
        for y in span(mean.y, canvas.height) {
            for x in span(mean.x, canvas.width) {
                let at = y * canvas.width + x;
                let place = (x as f32 - mean.x).powi(2) + (y as f32 - mean.y).powi(2);
                let distance = squared(&canvas.colours[at], &mean.colour) + weight * place;
                if distance < far[at] {
                    (far[at], labels[at]) = (distance, label as u32);
                }
            }
        }
    }
}

/// The middles of patches; one without pixels stays where it was.
fn middles(canvas: &Canvas, labels: &[u32], before: &[Mean]) -> Vec<Mean> {
    let mut sums = vec![[0.0f64; CHANNELS + 3]; before.len()];
    for (at, (&label, colour)) in labels.iter().zip(&canvas.colours).enumerate() {
        let place = [(at % canvas.width) as f32, (at / canvas.width) as f32, 1.0];
        let sums = &mut sums[label as usize];
        sums.iter_mut().zip(colour.iter().chain(&place)).for_each(|(s, &v)| *s += f64::from(v));
    }
    let mean = |(sums, before): (&[f64; CHANNELS + 3], &Mean)| {
        let [l, a, b, t, x, y, area] = *sums;
        if area == 0.0 {
            return *before;
        }
        let [l, a, b, t, x, y] = [l, a, b, t, x, y].map(|sum| (sum / area) as f32);
        Mean { colour: [l, a, b, t], x, y, area: area as f32 }
    };
    sums.iter().zip(before).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use rebus_collection::synth;

    use super::*;
    use crate::Picture;

    #[test]
    fn about_two_hundred_that_cover_the_picture() {
        let canvas = Canvas::new(&synth::specimen(2, 1).picture).unwrap();
        let superpixels = Superpixels::new(&canvas);
        let count = superpixels.means.len();
        assert!((100..400).contains(&count), "{count}");
        let area: f32 = superpixels.means.iter().map(|mean| mean.area).sum();
        assert_eq!(area as usize, canvas.pixels());
    }

    #[test]
    fn pictures_of_a_few_pixels() {
        for (width, height) in [(1, 1), (1, 7), (5, 2)] {
            let canvas = Canvas::new(&Picture::new(width, height)).unwrap();
            let superpixels = Superpixels::new(&canvas);
            assert!(!superpixels.means.is_empty());
            assert_eq!(superpixels.labels.len(), canvas.pixels());
        }
    }
}
