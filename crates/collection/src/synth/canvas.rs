//! A small rasteriser: ellipses, round-ended lines, rounded polygons and rings with smooth edges.
//!
//! Every shape is a signed distance: how far a pixel's centre lies outside of it. The edge is
//! blended over one pixel, which is what makes it smooth.

use image::RgbImage;

/// Red, green and blue from 0 to 1.
pub(super) type Rgb = [f32; 3];

/// A point, in pixels on a canvas or in a figure's own units under a [`Pen`].
pub(super) type Point = (f32, f32);

/// What a shape is filled with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Paint {
    /// One colour, a little lighter at the top and darker at the bottom.
    Shaded(Rgb),
    /// One colour.
    Flat(Rgb),
    /// From the top of the shape to its bottom.
    Fade(Rgb, Rgb),
    /// One colour that lets through what is behind: 0 is invisible.
    Glass(Rgb, f32),
    /// Light of its own, which the hour does not dim.
    Glow(Rgb, f32),
}

/// Pixels in floating point.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
    /// The colour of the light that falls on all that is painted.
    pub(super) light: Rgb,
    /// The row below which nothing is painted: what is under water.
    pub(super) floor: f32,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width as usize, height as usize);
        let pixels = vec![[0.0; 3]; width * height];
        Self { width, height, pixels, light: [1.0; 3], floor: f32::MAX }
    }

    pub(super) fn width(&self) -> f32 {
        self.width as f32
    }

    pub(super) fn height(&self) -> f32 {
        self.height as f32
    }

    pub(super) fn pixels_mut(&mut self) -> &mut [Rgb] {
        &mut self.pixels
    }

    /// Fills rows from `top` to `bottom` (in pixels) with a vertical gradient through `stops`.
    pub(super) fn bands(&mut self, top: f32, bottom: f32, stops: &[Rgb], paint_light: Rgb) {
        let first = top.clamp(0.0, self.height()) as usize;
        let last = bottom.clamp(0.0, self.height()).ceil() as usize;
        for y in first..last.min(self.height) {
            let along = ((y as f32 + 0.5 - top) / (bottom - top).max(1.0)).clamp(0.0, 1.0);
            let step = along * (stops.len().saturating_sub(1)) as f32;
            let low = (step as usize).min(stops.len().saturating_sub(2));
            let high = (low + 1).min(stops.len() - 1);
            let colour = times(mix(stops[low], stops[high], step - low as f32), paint_light);
            self.pixels[y * self.width..(y + 1) * self.width].fill(colour);
        }
    }

    /// Blends a shape, given by its distance function, within a box of pixels.
    fn blend(&mut self, low: Point, high: Point, paint: Paint, distance: impl Fn(Point) -> f32) {
        let x0 = (low.0 - 1.0).max(0.0) as usize;
        let y0 = (low.1 - 1.0).max(0.0) as usize;
        let x1 = (high.0 + 2.0).clamp(0.0, self.width()) as usize;
        let y1 = (high.1 + 2.0).min(self.floor).clamp(0.0, self.height()) as usize;
        for y in y0..y1 {
            let along = ((y as f32 + 0.5 - low.1) / (high.1 - low.1).max(1.0)).clamp(0.0, 1.0);
            let (colour, opacity) = paint.at(along, self.light);
            for x in x0..x1 {
                let outside = distance((x as f32 + 0.5, y as f32 + 0.5));
                let cover = (0.5 - outside).clamp(0.0, 1.0) * opacity;
                if cover > 0.0 {
                    let pixel = &mut self.pixels[y * self.width + x];
                    *pixel = mix(*pixel, colour, cover);
                }
            }
        }
    }

    /// A round soft spot of light: full at the centre, nothing at the radius.
    pub(super) fn halo(&mut self, centre: Point, radius: f32, colour: Rgb, strength: f32) {
        let width = self.width;
        for y in
            ((centre.1 - radius).max(0.0) as usize)..((centre.1 + radius) as usize).min(self.height)
        {
            for x in
                ((centre.0 - radius).max(0.0) as usize)..((centre.0 + radius) as usize).min(width)
            {
                let far = (x as f32 - centre.0).hypot(y as f32 - centre.1) / radius;
                let pixel = &mut self.pixels[y * width + x];
                *pixel = mix(*pixel, colour, strength * (1.0 - far).clamp(0.0, 1.0).powi(2));
            }
        }
    }

    /// An ellipse with its axes along `angle`, in pixels.
    pub(super) fn ellipse(&mut self, centre: Point, radii: Point, angle: f32, paint: Paint) {
        let (sin, cos) = angle.sin_cos();
        let reach_x = (radii.0 * cos).hypot(radii.1 * sin);
        let reach_y = (radii.0 * sin).hypot(radii.1 * cos);
        let low = (centre.0 - reach_x, centre.1 - reach_y);
        let high = (centre.0 + reach_x, centre.1 + reach_y);
        self.blend(low, high, paint, |(x, y)| {
            let (x, y) = (x - centre.0, y - centre.1);
            let (x, y) = (x * cos + y * sin, y * cos - x * sin);
            let near = (x / radii.0).hypot(y / radii.1);
            let steep = (x / (radii.0 * radii.0)).hypot(y / (radii.1 * radii.1));
            if steep > 0.0 { near * (near - 1.0) / steep } else { -radii.0.min(radii.1) }
        });
    }

    /// The line around an ellipse that is a circle, of this thickness, in pixels.
    pub(super) fn ring(&mut self, centre: Point, radius: f32, thickness: f32, paint: Paint) {
        let reach = radius + thickness / 2.0;
        let low = (centre.0 - reach, centre.1 - reach);
        let high = (centre.0 + reach, centre.1 + reach);
        self.blend(low, high, paint, |(x, y)| {
            ((x - centre.0).hypot(y - centre.1) - radius).abs() - thickness / 2.0
        });
    }

    /// A line with round ends, as thick as given at each end, in pixels.
    pub(super) fn limb(&mut self, from: Point, to: Point, thick: Point, paint: Paint) {
        let reach = thick.0.max(thick.1) / 2.0;
        let low = (from.0.min(to.0) - reach, from.1.min(to.1) - reach);
        let high = (from.0.max(to.0) + reach, from.1.max(to.1) + reach);
        let along = (to.0 - from.0, to.1 - from.1);
        let length = (along.0 * along.0 + along.1 * along.1).max(1e-6);
        self.blend(low, high, paint, |(x, y)| {
            let t = ((x - from.0) * along.0 + (y - from.1) * along.1) / length;
            let t = t.clamp(0.0, 1.0);
            let far = (x - from.0 - t * along.0).hypot(y - from.1 - t * along.1);
            far - (thick.0 + (thick.1 - thick.0) * t) / 2.0
        });
    }

    /// A polygon whose edge is pushed out by `round`, which rounds its corners, in pixels.
    pub(super) fn polygon(&mut self, points: &[Point], round: f32, paint: Paint) {
        let Some(&last) = points.last() else { return };
        let fold = |start: Point, pick: fn(f32, f32) -> f32| {
            points.iter().fold(start, |a, b| (pick(a.0, b.0), pick(a.1, b.1)))
        };
        let low = fold((f32::MAX, f32::MAX), f32::min);
        let high = fold((f32::MIN, f32::MIN), f32::max);
        let low = (low.0 - round, low.1 - round);
        let high = (high.0 + round, high.1 + round);
        self.blend(low, high, paint, |at| polygon_distance(points, last, at) - round);
    }

    /// The picture in eight bits.
    pub(super) fn finish(self) -> RgbImage {
        let bytes = self.pixels.iter().flatten().map(|v| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
        let mut picture = RgbImage::new(self.width as u32, self.height as u32);
        for (byte, value) in picture.iter_mut().zip(bytes) {
            *byte = value;
        }
        picture
    }

    /// Averages each pixel with its neighbours, so far as the radius reaches.
    pub(super) fn blur(&mut self, radius: f32) {
        if radius <= 0.05 {
            return;
        }
        let side = (radius / 2.0).min(0.5);
        for (step, length, lines, next) in
            [(1, self.width, self.height, self.width), (self.width, self.height, self.width, 1)]
        {
            for line in 0..lines {
                let start = line * next;
                let mut before = self.pixels[start];
                for k in 0..length {
                    let here = self.pixels[start + k * step];
                    let after = self.pixels[start + (k + 1).min(length - 1) * step];
                    let around = mix(before, after, 0.5);
                    self.pixels[start + k * step] = mix(here, around, side);
                    before = here;
                }
            }
        }
    }
}

impl Paint {
    /// The colour and opacity at this share of the way from the shape's top to its bottom.
    fn at(self, along: f32, light: Rgb) -> (Rgb, f32) {
        match self {
            Self::Shaded(colour) => {
                let lit = mix(brighter(colour, 1.1), brighter(colour, 0.8), along);
                (times(lit, light), 1.0)
            }
            Self::Flat(colour) => (times(colour, light), 1.0),
            Self::Fade(top, bottom) => (times(mix(top, bottom, along), light), 1.0),
            Self::Glass(colour, opacity) => (times(colour, light), opacity),
            Self::Glow(colour, opacity) => (colour, opacity),
        }
    }
}

/// Exact signed distance to a polygon: negative inside.
fn polygon_distance(points: &[Point], last: Point, at: Point) -> f32 {
    let mut nearest = f32::MAX;
    let mut inside = false;
    let mut from = last;
    for &to in points {
        let edge = (from.0 - to.0, from.1 - to.1);
        let off = (at.0 - to.0, at.1 - to.1);
        let length = (edge.0 * edge.0 + edge.1 * edge.1).max(1e-9);
        let t = ((off.0 * edge.0 + off.1 * edge.1) / length).clamp(0.0, 1.0);
        let gap = (off.0 - edge.0 * t, off.1 - edge.1 * t);
        nearest = nearest.min(gap.0 * gap.0 + gap.1 * gap.1);
        if (to.1 > at.1) != (from.1 > at.1)
            && at.0 < (from.0 - to.0) * (at.1 - to.1) / (from.1 - to.1) + to.0
        {
            inside = !inside;
        }
        from = to;
    }
    if inside { -nearest.sqrt() } else { nearest.sqrt() }
}

/// Between two colours.
pub(super) fn mix(a: Rgb, b: Rgb, share: f32) -> Rgb {
    std::array::from_fn(|k| a[k] + (b[k] - a[k]) * share)
}

/// A colour under coloured light.
pub(super) fn times(a: Rgb, b: Rgb) -> Rgb {
    std::array::from_fn(|k| a[k] * b[k])
}

/// A colour made lighter (above 1) or darker (below 1).
pub(super) fn brighter(a: Rgb, by: f32) -> Rgb {
    a.map(|v| (v * by).min(1.0))
}

/// A colour written as `0xRRGGBB`.
pub(super) const fn rgb(hex: u32) -> Rgb {
    [(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0]
}

/// Draws in a figure's own units: the ground is y = 0, up is positive, ahead is x > 0.
pub(super) struct Pen<'a> {
    pub(super) canvas: &'a mut Canvas,
    /// Where the figure's origin lies, in pixels.
    pub(super) origin: Point,
    /// Pixels a unit.
    pub(super) scale: f32,
    /// 1 if the figure faces right, -1 if left.
    pub(super) sign: f32,
    /// How far the figure is turned, counted towards its back, in radians.
    pub(super) tilt: f32,
}

impl Pen<'_> {
    /// A pen for a part of the figure: elsewhere, at another size, turned.
    pub(super) fn part(&mut self, at: Point, size: f32, tilt: f32) -> Pen<'_> {
        let origin = self.to_canvas(at);
        Pen {
            canvas: self.canvas,
            origin,
            scale: self.scale * size,
            sign: self.sign,
            tilt: self.tilt + tilt,
        }
    }

    fn to_canvas(&self, (x, y): Point) -> Point {
        let (sin, cos) = self.tilt.sin_cos();
        let (x, y) = (x * cos - y * sin, x * sin + y * cos);
        (self.origin.0 + self.sign * x * self.scale, self.origin.1 - y * self.scale)
    }

    pub(super) fn ellipse(&mut self, centre: Point, radii: Point, angle: f32, paint: Paint) {
        let centre = self.to_canvas(centre);
        let radii = (radii.0 * self.scale, radii.1 * self.scale);
        let angle = -self.sign * (angle + self.tilt);
        self.canvas.ellipse(centre, radii, angle, paint);
    }

    pub(super) fn disc(&mut self, centre: Point, radius: f32, paint: Paint) {
        self.ellipse(centre, (radius, radius), 0.0, paint);
    }

    pub(super) fn ring(&mut self, centre: Point, radius: f32, thickness: f32, paint: Paint) {
        let centre = self.to_canvas(centre);
        let thickness = (thickness * self.scale).max(0.9);
        self.canvas.ring(centre, radius * self.scale, thickness, paint);
    }

    pub(super) fn limb(&mut self, from: Point, to: Point, thick: Point, paint: Paint) {
        let (from, to) = (self.to_canvas(from), self.to_canvas(to));
        self.canvas.limb(from, to, (thick.0 * self.scale, thick.1 * self.scale), paint);
    }

    pub(super) fn line(&mut self, from: Point, to: Point, thick: f32, paint: Paint) {
        let thick = thick.max(0.9 / self.scale);
        self.limb(from, to, (thick, thick), paint);
    }

    pub(super) fn polygon(&mut self, points: &[Point], round: f32, paint: Paint) {
        let points: Vec<Point> = points.iter().map(|&point| self.to_canvas(point)).collect();
        self.canvas.polygon(&points, round * self.scale, paint);
    }

    /// A rectangle with rounded corners, given by its lower left and upper right.
    pub(super) fn slab(&mut self, low: Point, high: Point, round: f32, paint: Paint) {
        let (l, b, r, t) = (low.0 + round, low.1 + round, high.0 - round, high.1 - round);
        self.polygon(&[(l, b), (r, b), (r, t), (l, t)], round, paint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(canvas: &Canvas) -> f32 {
        canvas.pixels.iter().map(|pixel| pixel[0]).sum()
    }

    #[test]
    fn shapes_have_their_areas() {
        let white = Paint::Flat([1.0; 3]);
        let mut canvas = Canvas::new(64, 64);
        canvas.ellipse((32.0, 32.0), (20.0, 10.0), 0.6, white);
        let area = std::f32::consts::PI * 200.0;
        assert!((covered(&canvas) - area).abs() < 0.03 * area, "{}", covered(&canvas));

        let mut canvas = Canvas::new(64, 64);
        canvas.polygon(&[(10.3, 10.3), (50.3, 10.3), (10.3, 40.3)], 0.0, white);
        assert!((covered(&canvas) - 600.0).abs() < 12.0, "{}", covered(&canvas));
    }

    #[test]
    fn shapes_may_leave_the_canvas() {
        let mut canvas = Canvas::new(8, 8);
        canvas.ellipse((-50.0, 4.0), (3.0, 3.0), 0.0, Paint::Flat([1.0; 3]));
        canvas.limb((4.0, -90.0), (4.0, 90.0), (2.0, 2.0), Paint::Flat([1.0; 3]));
        canvas.polygon(&[], 0.0, Paint::Flat([1.0; 3]));
        assert!((covered(&canvas) - 16.0).abs() < 0.1);
    }
}
