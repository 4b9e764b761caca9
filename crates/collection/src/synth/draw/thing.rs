//! Things, of height 1, on the ground or held at their lower end.

use super::super::canvas::{Paint, Pen, brighter, mix, rgb};
use super::super::scene::{Colour, Thing};
use super::palette::paint;

pub(super) fn draw(pen: &mut Pen<'_>, kind: Thing, colour: Colour) {
    let main = paint(colour);
    let wood = Paint::Shaded(rgb(0x8a5a32));
    let white = [0.97, 0.97, 0.95];
    match kind {
        Thing::Ball => {
            pen.disc((0.0, 0.5), 0.5, Paint::Shaded(main));
            let other = if colour == Colour::White { rgb(0x2a2a2e) } else { white };
            pen.limb((-0.36, 0.62), (0.36, 0.4), (0.14, 0.14), Paint::Flat(other));
            pen.disc((-0.16, 0.7), 0.09, Paint::Glow([1.0; 3], 0.55));
        }
        Thing::Balloon => {
            pen.line((0.0, 0.0), (0.06, 0.5), 0.015, Paint::Flat(rgb(0x55504a)));
            pen.polygon(
                &[(0.0, 0.44), (0.12, 0.44), (0.06, 0.52)],
                0.01,
                Paint::Flat(brighter(main, 0.7)),
            );
            pen.ellipse((0.06, 0.75), (0.21, 0.26), 0.0, Paint::Shaded(main));
            pen.ellipse((0.0, 0.85), (0.05, 0.08), 0.4, Paint::Glow([1.0; 3], 0.55));
        }
        Thing::Bench => {
            for x in [-0.72, 0.72] {
                pen.slab((x - 0.05, 0.0), (x + 0.05, 0.5), 0.01, Paint::Flat(rgb(0x3c3a3a)));
                pen.line((x, 0.4), (x - 0.06, 1.0), 0.07, Paint::Flat(rgb(0x3c3a3a)));
            }
            for y in [0.42, 0.68, 0.86] {
                pen.slab((-0.9, y), (0.9, y + 0.11), 0.03, wood);
            }
        }
        Thing::Kite => {
            let (x, y) = (0.85, 0.95);
            pen.line((0.0, 0.0), (x, y - 0.1), 0.012, Paint::Flat(rgb(0x55504a)));
            let other = mix(main, white, 0.55);
            pen.polygon(&[(x - 0.3, y), (x, y + 0.42), (x, y - 0.42)], 0.01, Paint::Flat(main));
            pen.polygon(&[(x + 0.3, y), (x, y + 0.42), (x, y - 0.42)], 0.01, Paint::Flat(other));
            for k in 0..3 {
                let below = (x + 0.06 + 0.07 * k as f32, y - 0.5 - 0.13 * k as f32);
                pen.ellipse(below, (0.07, 0.03), 0.6, Paint::Flat(main));
            }
        }
        Thing::Sandcastle => {
            let sand = Paint::Shaded(rgb(0xcf9f55));
            pen.polygon(&[(-0.72, 0.0), (0.72, 0.0), (0.6, 0.38), (-0.6, 0.38)], 0.03, sand);
            for (x, top) in [(-0.46, 0.72), (0.46, 0.72), (0.0, 0.92)] {
                pen.polygon(
                    &[(x - 0.18, 0.2), (x + 0.18, 0.2), (x + 0.14, top), (x - 0.14, top)],
                    0.02,
                    sand,
                );
                for k in [-0.11, 0.0, 0.11] {
                    pen.slab((x + k - 0.03, top), (x + k + 0.03, top + 0.08), 0.0, sand);
                }
            }
            pen.ellipse((0.0, 0.12), (0.1, 0.16), 0.0, Paint::Flat(rgb(0x7d5c2c)));
            pen.line((0.0, 0.98), (0.0, 1.22), 0.02, Paint::Flat(rgb(0x5a4a3a)));
            pen.polygon(
                &[(0.01, 1.22), (0.01, 1.08), (0.2, 1.15)],
                0.0,
                Paint::Flat(rgb(0xd8302b)),
            );
        }
        Thing::Snowman => {
            let snow = Paint::Fade([0.99, 0.99, 1.0], [0.78, 0.84, 0.93]);
            for (y, r) in [(0.24, 0.25), (0.57, 0.18), (0.82, 0.13)] {
                pen.disc((0.0, y), r, snow);
            }
            for side in [-1.0, 1.0] {
                pen.line((side * 0.14, 0.6), (side * 0.4, 0.74), 0.025, Paint::Flat(rgb(0x5c3d22)));
                pen.disc((side * 0.05, 0.86), 0.018, Paint::Flat([0.1; 3]));
            }
            pen.polygon(
                &[(0.0, 0.84), (0.0, 0.79), (0.17, 0.81)],
                0.005,
                Paint::Flat(rgb(0xee7d1e)),
            );
            for y in [0.5, 0.6] {
                pen.disc((0.02, y), 0.018, Paint::Flat([0.1; 3]));
            }
            pen.slab((-0.16, 0.91), (0.16, 0.945), 0.01, Paint::Flat([0.12; 3]));
            pen.slab((-0.1, 0.93), (0.1, 1.07), 0.01, Paint::Flat([0.12; 3]));
            pen.line((-0.12, 0.7), (0.12, 0.7), 0.05, Paint::Flat(rgb(0xd8302b)));
        }
        Thing::Tent => {
            pen.polygon(
                &[(-0.8, 0.0), (0.1, 0.0), (-0.28, 1.0)],
                0.01,
                Paint::Shaded(brighter(main, 0.7)),
            );
            pen.polygon(
                &[(-0.28, 1.0), (0.45, 1.0), (0.85, 0.0), (0.1, 0.0)],
                0.01,
                Paint::Shaded(main),
            );
            pen.polygon(
                &[(-0.5, 0.0), (-0.16, 0.0), (-0.29, 0.72)],
                0.0,
                Paint::Flat(rgb(0x2c241e)),
            );
        }
        Thing::Umbrella => {
            pen.line((0.0, 0.0), (0.0, 0.95), 0.035, Paint::Flat(rgb(0x4a3a30)));
            let rim = 0.62;
            let points: Vec<(f32, f32)> = (0..=12)
                .map(|k| {
                    let (sin, cos) = (k as f32 / 12.0 * std::f32::consts::PI).sin_cos();
                    (0.66 * cos, rim + 0.4 * sin)
                })
                .collect();
            pen.polygon(&points, 0.01, Paint::Shaded(main));
            for x in [-0.44, 0.0, 0.44] {
                pen.ellipse((x, rim), (0.2, 0.07), 0.0, Paint::Flat(brighter(main, 0.6)));
            }
            pen.line((0.0, 0.98), (0.0, 1.06), 0.03, Paint::Flat(rgb(0x4a3a30)));
        }
    }
}
