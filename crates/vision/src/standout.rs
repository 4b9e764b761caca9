//! What stands out from its background, roughly: pixels unlike the usual pixel of their row.
//!
//! Sky, sea and ground lie in layers, so a row's median colour is mostly background. What differs
//! from it is weighed by how much; its colours, its place and size, and its outline within a frame
//! that moves and grows with it make features that do not depend on where in the picture it is.

use crate::grid::{COLOURS, DIRECTIONS, SIDE, colour_bin, edge};

/// Cells a side of the frame for the mask, and for edges.
const MASK: usize = 6;
const EDGES: usize = 4;
/// Place and size: the mean and deviation across and down, and the share of the picture.
const PLACE: usize = 5;
pub(crate) const DIMENSIONS: usize = COLOURS + PLACE + MASK * MASK + EDGES * EDGES * DIRECTIONS;

/// Distance in CIELAB at which a pixel begins to stand out, and at which it does so wholly.
const FAINT: f32 = 12.0;
const CLEAR: f32 = 32.0;
/// Half of the frame, in deviations.
const REACH: f32 = 1.9;

/// How much every pixel stands out, and the frame around that.
pub(crate) struct Standout {
    weights: Vec<f32>,
    total: f32,
    middle: [f32; 2],
    deviation: [f32; 2],
}

impl Standout {
    /// Looks at a picture of [`SIDE`] x [`SIDE`] pixels.
    pub(crate) fn new(lab: &[[f32; 3]]) -> Self {
        let mut weights = Vec::with_capacity(lab.len());
        for row in lab.chunks(SIDE) {
            let usual = median(row);
            weights.extend(row.iter().map(|pixel| {
                let far: f32 = (0..3).map(|k| (pixel[k] - usual[k]).powi(2)).sum::<f32>().sqrt();
                ((far - FAINT) / (CLEAR - FAINT)).clamp(0.0, 1.0)
            }));
        }
        let total: f32 = weights.iter().sum();
        let mean = |of: &dyn Fn(usize) -> f32| {
            let sum: f32 = weights.iter().enumerate().map(|(at, weight)| weight * of(at)).sum();
            sum / total.max(1e-6)
        };
        let (x, y) = (|at: usize| (at % SIDE) as f32, |at: usize| (at / SIDE) as f32);
        let middle = [mean(&x), mean(&y)];
        let deviation = [
            mean(&|at| (x(at) - middle[0]).powi(2)).sqrt().max(1.0),
            mean(&|at| (y(at) - middle[1]).powi(2)).sqrt().max(1.0),
        ];
        Self { weights, total, middle, deviation }
    }

    /// Writes [`DIMENSIONS`] features.
    pub(crate) fn describe(&self, lab: &[[f32; 3]], features: &mut [f32]) {
        features.fill(0.0);
        let (colours, rest) = features.split_at_mut(COLOURS);
        let (place, rest) = rest.split_at_mut(PLACE);
        let (mask, edges) = rest.split_at_mut(MASK * MASK);
        let share = 1.0 / self.total.max(1.0);
        for (at, &weight) in self.weights.iter().enumerate() {
            if weight > 0.0 {
                colours[colour_bin(lab[at])] += weight * share;
            }
            let Some(frame) = self.in_frame(at) else { continue };
            mask[cell(frame, MASK)] += weight * share;
            let (bin, strength) = edge(lab, at % SIDE, at / SIDE);
            edges[cell(frame, EDGES) * DIRECTIONS + bin] += strength * share;
        }
        for value in colours.iter_mut().chain(mask).chain(edges) {
            *value = value.sqrt();
        }
        let side = SIDE as f32;
        place.copy_from_slice(&[
            self.middle[0] / side,
            self.middle[1] / side,
            self.deviation[0] / side,
            self.deviation[1] / side,
            (self.total / (side * side)).sqrt(),
        ]);
    }

    /// Where in the frame a pixel lies, from 0 to 1 both ways, if it does.
    fn in_frame(&self, at: usize) -> Option<[f32; 2]> {
        let pixel = [(at % SIDE) as f32, (at / SIDE) as f32];
        let within =
            |k: usize| (pixel[k] - self.middle[k]) / (2.0 * REACH * self.deviation[k]) + 0.5;
        let frame = [within(0), within(1)];
        frame.iter().all(|share| (0.0..1.0).contains(share)).then_some(frame)
    }
}

fn cell([x, y]: [f32; 2], cells: usize) -> usize {
    let along = |share: f32| ((share * cells as f32) as usize).min(cells - 1);
    along(y) * cells + along(x)
}

fn median(row: &[[f32; 3]]) -> [f32; 3] {
    let mut values = vec![0.0; row.len()];
    std::array::from_fn(|channel| {
        for (value, pixel) in values.iter_mut().zip(row) {
            *value = pixel[channel];
        }
        let half = values.len() / 2;
        *values.select_nth_unstable_by(half, f32::total_cmp).1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_square(left: usize, top: usize, side: usize) -> Vec<[f32; 3]> {
        (0..SIDE * SIDE)
            .map(|at| {
                let inside = (left..left + side).contains(&(at % SIDE))
                    && (top..top + side).contains(&(at / SIDE));
                if inside { [50.0, 60.0, 40.0] } else { [70.0, 0.0, -20.0] }
            })
            .collect()
    }

    #[test]
    fn a_square_is_found_where_it_is() {
        let lab = with_square(20, 40, 16);
        let found = Standout::new(&lab);
        assert!((found.total - 256.0).abs() < 1e-3);
        assert!((found.middle[0] - 27.5).abs() < 1e-3 && (found.middle[1] - 47.5).abs() < 1e-3);
    }

    #[test]
    fn its_outline_does_not_depend_on_its_place() {
        let describe = |left, top| {
            let lab = with_square(left, top, 18);
            let mut features = vec![0.0; DIMENSIONS];
            Standout::new(&lab).describe(&lab, &mut features);
            features.split_off(COLOURS + PLACE)
        };
        for (a, b) in describe(10, 12).iter().zip(describe(60, 50)) {
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
    }

    #[test]
    fn where_nothing_stands_out_features_are_finite() {
        let lab = vec![[40.0, 0.0, 0.0]; SIDE * SIDE];
        let mut features = vec![f32::NAN; DIMENSIONS];
        Standout::new(&lab).describe(&lab, &mut features);
        assert!(features.iter().all(|value| value.is_finite()));
    }
}
