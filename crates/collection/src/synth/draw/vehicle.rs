//! Cars, buses, trucks, bicycles and boats, of height 1, going towards positive x.

use super::super::canvas::{Paint, Pen, Point, Rgb, brighter, rgb};
use super::super::dice::Dice;
use super::super::scene::{Colour, Vehicle};
use super::palette::paint;

const GLASS: Rgb = rgb(0xbfe0ee);
const TYRE: Rgb = rgb(0x1d1d20);

pub(super) fn draw(pen: &mut Pen<'_>, kind: Vehicle, colour: Colour, dice: &mut Dice) {
    let body = paint(colour);
    match kind {
        Vehicle::Car => car(pen, body),
        Vehicle::Bus => bus(pen, body),
        Vehicle::Truck => truck(pen, body, dice),
        Vehicle::Bicycle => bicycle(pen, body),
        Vehicle::Boat => boat(pen, body),
    }
}

fn wheel(pen: &mut Pen<'_>, at: Point, radius: f32) {
    pen.disc(at, radius, Paint::Flat(TYRE));
    pen.disc(at, radius * 0.55, Paint::Shaded(rgb(0xb9bcc2)));
    pen.disc(at, radius * 0.16, Paint::Flat(TYRE));
}

fn lamps(pen: &mut Pen<'_>, front: Point, back: Point, size: f32) {
    pen.ellipse(front, (size * 0.7, size), 0.0, Paint::Glow(rgb(0xfff3b0), 1.0));
    pen.ellipse(back, (size * 0.5, size), 0.0, Paint::Glow(rgb(0xe02a2a), 0.9));
}

fn car(pen: &mut Pen<'_>, body: Rgb) {
    pen.polygon(
        &[(-0.66, 0.52), (-0.38, 0.94), (0.32, 0.94), (0.62, 0.52)],
        0.05,
        Paint::Shaded(body),
    );
    pen.polygon(
        &[(-0.5, 0.56), (-0.32, 0.86), (-0.05, 0.86), (-0.05, 0.56)],
        0.02,
        Paint::Flat(GLASS),
    );
    pen.polygon(
        &[(0.03, 0.56), (0.03, 0.86), (0.27, 0.86), (0.48, 0.56)],
        0.02,
        Paint::Flat(GLASS),
    );
    pen.polygon(
        &[(-1.08, 0.24), (-1.06, 0.5), (-0.66, 0.56), (0.62, 0.56), (1.04, 0.46), (1.08, 0.24)],
        0.06,
        Paint::Shaded(body),
    );
    pen.line((-0.01, 0.25), (-0.01, 0.54), 0.02, Paint::Flat(brighter(body, 0.65)));
    pen.line((0.1, 0.46), (0.2, 0.46), 0.03, Paint::Flat(brighter(body, 0.6)));
    lamps(pen, (1.07, 0.4), (-1.08, 0.42), 0.06);
    for x in [-0.66, 0.64] {
        wheel(pen, (x, 0.2), 0.2);
    }
}

fn bus(pen: &mut Pen<'_>, body: Rgb) {
    pen.slab((-0.95, 0.14), (0.95, 1.0), 0.07, Paint::Shaded(body));
    pen.slab((-0.94, 0.36), (0.94, 0.42), 0.01, Paint::Flat(brighter(body, 0.7)));
    for k in 0..5 {
        let x = -0.86 + 0.28 * k as f32;
        pen.slab((x, 0.54), (x + 0.22, 0.86), 0.03, Paint::Flat(GLASS));
    }
    pen.slab((0.56, 0.2), (0.74, 0.86), 0.02, Paint::Flat(brighter(GLASS, 0.85)));
    pen.line((0.65, 0.2), (0.65, 0.86), 0.015, Paint::Flat(brighter(body, 0.6)));
    pen.slab((0.8, 0.5), (0.95, 0.88), 0.03, Paint::Flat(GLASS));
    lamps(pen, (0.94, 0.28), (-0.94, 0.3), 0.05);
    for x in [-0.58, 0.4] {
        wheel(pen, (x, 0.14), 0.14);
    }
}

fn truck(pen: &mut Pen<'_>, body: Rgb, dice: &mut Dice) {
    let load = dice.pick([rgb(0xd8d4c8), rgb(0xb8c0c8), rgb(0xa58a66)]);
    pen.slab((-0.95, 0.2), (0.9, 0.32), 0.02, Paint::Flat(rgb(0x3a3a40)));
    pen.slab((-0.96, 0.3), (0.38, 1.0), 0.03, Paint::Shaded(load));
    for k in 0..4 {
        let x = -0.78 + 0.3 * k as f32;
        pen.line((x, 0.34), (x, 0.96), 0.012, Paint::Flat(brighter(load, 0.8)));
    }
    pen.polygon(
        &[(0.48, 0.24), (0.48, 0.82), (0.76, 0.82), (0.9, 0.56), (0.94, 0.52), (0.94, 0.24)],
        0.04,
        Paint::Shaded(body),
    );
    pen.polygon(
        &[(0.56, 0.56), (0.56, 0.77), (0.74, 0.77), (0.85, 0.56)],
        0.02,
        Paint::Flat(GLASS),
    );
    lamps(pen, (0.96, 0.34), (-0.96, 0.36), 0.045);
    for x in [-0.7, -0.38, 0.68] {
        wheel(pen, (x, 0.15), 0.15);
    }
}

fn bicycle(pen: &mut Pen<'_>, body: Rgb) {
    let tube = Paint::Flat(body);
    let dark = Paint::Flat(TYRE);
    let (back, front) = ((-0.52, 0.36), (0.52, 0.36));
    for hub in [back, front] {
        pen.ring(hub, 0.33, 0.05, dark);
        for k in 0..6 {
            let (sin, cos) = (k as f32 * std::f32::consts::FRAC_PI_6).sin_cos();
            let spoke = Paint::Glass(rgb(0x9a9ca2), 0.7);
            pen.line(
                (hub.0 - 0.3 * cos, hub.1 - 0.3 * sin),
                (hub.0 + 0.3 * cos, hub.1 + 0.3 * sin),
                0.008,
                spoke,
            );
        }
    }
    let (saddle, crank, head) = ((-0.22, 0.86), (-0.05, 0.36), (0.36, 0.86));
    for (from, to) in [
        (back, saddle),
        (back, crank),
        (crank, saddle),
        (crank, head),
        (saddle, head),
        (head, front),
    ] {
        pen.line(from, to, 0.055, tube);
    }
    pen.line(saddle, (-0.24, 0.94), 0.04, dark);
    pen.limb((-0.34, 0.95), (-0.12, 0.95), (0.07, 0.05), dark);
    pen.line(head, (0.33, 1.0), 0.045, dark);
    pen.line((0.33, 1.0), (0.48, 0.98), 0.045, dark);
    pen.disc(crank, 0.07, dark);
}

fn boat(pen: &mut Pen<'_>, body: Rgb) {
    let old = pen.canvas.floor;
    pen.canvas.floor = pen.origin.1;
    pen.line((0.0, 0.1), (0.0, 1.0), 0.025, Paint::Flat(rgb(0x6b4a2b)));
    pen.polygon(&[(0.04, 0.26), (0.04, 0.97), (0.42, 0.28)], 0.01, Paint::Shaded(rgb(0xf6f3ea)));
    pen.polygon(&[(-0.04, 0.26), (-0.04, 0.88), (-0.34, 0.28)], 0.01, Paint::Shaded(body));
    pen.polygon(
        &[(-0.46, 0.2), (0.54, 0.2), (0.36, -0.05), (-0.36, -0.05)],
        0.02,
        Paint::Shaded(body),
    );
    pen.line((-0.46, 0.2), (0.54, 0.2), 0.035, Paint::Flat(rgb(0xf6f3ea)));
    pen.canvas.floor = old;
    super::animal::ripples(pen, 0.55);
}
