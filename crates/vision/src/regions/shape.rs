//! Where a region lies and what form it has.

use super::segmentation::Segmentation;

/// How many numbers describe a shape.
pub(super) const WIDTH: usize = 10;

/// The shapes of all regions, in their order:
/// - the share of the picture that it takes;
/// - the middle, across and down, as shares of the picture's sides;
/// - the deviation of its pixels from there, across and down, likewise;
/// - the compactness, 4 pi area / outline^2: less for ragged ones;
/// - the convexity: the share that it takes of its convex hull;
/// - the moment of inertia against that of a disc of the same area, as a logarithm;
/// - how much longer it is than wide, as the logarithm of the ratio of its main axes;
/// - the share of its outline that lies at the picture's border.
pub(super) fn describe(segmentation: &Segmentation) -> Vec<[f32; WIDTH]> {
    let (width, height) = segmentation.dimensions();
    let mut gathered = vec![Gathered::default(); segmentation.areas().len()];
    for (at, &label) in segmentation.labels().iter().enumerate() {
        let (x, y) = (at % width, at / width);
        gathered[usize::from(label)].add(segmentation, x, y);
    }
    gathered.iter().map(|region| region.describe(width as f64, height as f64)).collect()
}

#[derive(Clone, Default)]
struct Gathered {
    area: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
    outline: f64,
    at_border: f64,
    /// The corners of the first and last pixel of every line: what the hull is made of.
    corners: Vec<[f64; 2]>,
}

impl Gathered {
    fn add(&mut self, segmentation: &Segmentation, x: usize, y: usize) {
        let (width, height) = segmentation.dimensions();
        let labels = segmentation.labels();
        let at = y * width + x;
        let other = |there: bool, next: usize| there && labels[next] != labels[at];
        for (inside, next) in [
            (x > 0, at.wrapping_sub(1)),
            (x + 1 < width, at + 1),
            (y > 0, at.wrapping_sub(width)),
            (y + 1 < height, at + width),
        ] {
            if !inside {
                self.at_border += 1.0;
            }
            if !inside || other(inside, next) {
                self.outline += 1.0;
            }
        }
        let corner = [x as f64, y as f64];
        let starts = x == 0 || labels[at - 1] != labels[at];
        let ends = x + 1 == width || labels[at + 1] != labels[at];
        for (edge, right) in [(starts, 0.0), (ends, 1.0)] {
            if edge {
                self.corners.extend([0.0, 1.0].map(|down| [corner[0] + right, corner[1] + down]));
            }
        }
        let [x, y] = corner.map(|side| side + 0.5);
        self.area += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn describe(&self, width: f64, height: f64) -> [f32; WIDTH] {
        use std::f64::consts::PI;
        let mean = |sum: f64| sum / self.area;
        let (x, y) = (mean(self.x), mean(self.y));
        // A pixel is a square, not a point: it has a twelfth of its own.
        let xx = mean(self.xx) - x * x + 1.0 / 12.0;
        let yy = mean(self.yy) - y * y + 1.0 / 12.0;
        let xy = mean(self.xy) - x * y;
        let spread = ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt();
        let (long, short) = ((xx + yy + spread) / 2.0, ((xx + yy - spread) / 2.0).max(1e-6));
        [
            self.area / (width * height),
            x / width,
            y / height,
            xx.sqrt() / width,
            yy.sqrt() / height,
            4.0 * PI * self.area / (self.outline * self.outline),
            self.area / hull_area(self.corners.clone()),
            (2.0 * PI * (xx + yy) / self.area).ln(),
            (long / short).ln() / 2.0,
            self.at_border / self.outline,
        ]
        .map(|value| value as f32)
    }
}

/// The area of the convex hull, by Andrew's chains.
fn hull_area(mut points: Vec<[f64; 2]>) -> f64 {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain
    };
    let below = chain(&mut points.iter().copied());
    let above = chain(&mut points.iter().rev().copied());
    let around: Vec<[f64; 2]> = below.into_iter().chain(above).collect();
    let next = around.iter().cycle().skip(1);
    around.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::Picture;
    use crate::regions::Method;

    fn shapes(inside: impl Fn(f32, f32) -> bool) -> Vec<[f32; WIDTH]> {
        let picture = Picture::from_fn(160, 120, |x, y| {
            Rgb(if inside(x as f32 + 0.5, y as f32 + 0.5) { [230, 40, 40] } else { [30, 50, 200] })
        });
        let found = Segmentation::new(&picture, Method::GraphBased).unwrap();
        assert_eq!(found.areas().len(), 2);
        describe(&found)
    }

    fn near(got: f32, want: f32, within: f32) {
        assert!((got - want).abs() < within, "{got}, not {want}");
    }

    #[test]
    fn a_square_by_hand() {
        let inside = |x: f32, y: f32| (40.0..80.0).contains(&x) && (30.0..70.0).contains(&y);
        let shapes = shapes(inside);
        let [area, x, y, dx, dy, compact, convex, inertia, long, border] = shapes[1];
        near(area, 1600.0 / 19_200.0, 1e-3);
        near(x, 60.0 / 160.0, 1e-3);
        near(y, 50.0 / 120.0, 1e-3);
        near(dx, 40.0 / 12f32.sqrt() / 160.0, 2e-3);
        near(dy, 40.0 / 12f32.sqrt() / 120.0, 2e-3);
        near(compact, std::f32::consts::FRAC_PI_4, 0.03);
        near(convex, 1.0, 0.03);
        near(inertia, (std::f32::consts::PI / 3.0).ln(), 0.02);
        near(long, 0.0, 0.02);
        assert_eq!(border, 0.0);
        // What is around it has a hole, and all of the border.
        let around = shapes[0];
        near(around[6], 1.0 - area, 1e-3);
        near(around[9], 560.0 / 720.0, 0.01);
    }

    #[test]
    fn a_bar_is_long_and_an_l_is_not_convex() {
        let bar = shapes(|x, y| (20.0..140.0).contains(&x) && (50.0..70.0).contains(&y))[1];
        near(bar[8], 6f32.ln(), 0.05);
        let corner = shapes(|x, y| {
            (20.0..100.0).contains(&x)
                && (20.0..100.0).contains(&y)
                && !((50.0..).contains(&x) && y < 70.0)
        })[1];
        // 3900 of a hull of 6400 less the triangle of 50 x 50.
        near(corner[6], 3900.0 / 5150.0, 0.03);
    }
}
