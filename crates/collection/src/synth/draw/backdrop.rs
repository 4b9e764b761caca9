//! Sky, weather, ground, water, and what stands in the distance.

use super::super::canvas::{Canvas, Paint, Pen, Point, Rgb, brighter, mix, rgb, times};
use super::super::dice::Dice;
use super::super::scene::{Scene, Setting, Sky, Weather};
use super::daylight;

/// Paints all that lies behind the actors.
pub(super) fn draw(canvas: &mut Canvas, scene: &Scene, dice: &mut Dice) {
    let horizon = scene.shot.horizon * canvas.height();
    sky(canvas, scene.sky, horizon, dice);
    canvas.light = daylight(scene.sky);
    let white = matches!(scene.setting, Setting::SnowField) || scene.weather == Weather::Snow;
    match scene.setting {
        Setting::Meadow => {
            hills(canvas, horizon, [rgb(0x7fb069), rgb(0x5f9a55)], 0.1, dice);
            ground(canvas, horizon, [rgb(0x86bf5a), rgb(0x4f9440)], dice);
            tufts(canvas, horizon, rgb(0x3c7d33), dice);
            trees(canvas, horizon, 2 + dice.below(4), Tree::Round, dice);
            flowers(canvas, horizon, dice);
        }
        Setting::Beach => {
            let shore = horizon + (canvas.height() - horizon) * dice.between(0.2, 0.34);
            water(canvas, horizon, shore, dice);
            ground(canvas, shore, [rgb(0xecd9a4), rgb(0xdcbb7a)], dice);
            surf(canvas, shore, dice);
            speckle(canvas, shore, rgb(0xb8935a), dice);
        }
        Setting::Street => {
            houses(canvas, horizon, dice);
            street(canvas, horizon, dice);
        }
        Setting::SnowField => {
            hills(canvas, horizon, [rgb(0xdfe8f2), rgb(0xcbd8e8)], 0.14, dice);
            ground(canvas, horizon, [rgb(0xf2f6fa), rgb(0xdbe5f0)], dice);
            trees(canvas, horizon, 3 + dice.below(5), Tree::SnowyFir, dice);
        }
        Setting::Lake => {
            hills(canvas, horizon, [rgb(0x6f9a78), rgb(0x4d7d5c)], 0.16, dice);
            trees(canvas, horizon + 1.0, 3 + dice.below(5), Tree::Fir, dice);
            let bottom = canvas.height();
            water(canvas, horizon, bottom, dice);
        }
        Setting::Forest => {
            ground(canvas, horizon, [rgb(0x6d8a45), rgb(0x54602f)], dice);
            wood(canvas, horizon, dice);
            tufts(canvas, horizon, rgb(0x3f5a28), dice);
        }
        Setting::Mountains => {
            peaks(canvas, horizon, dice);
            let colours =
                if white { [rgb(0xeef3f8), rgb(0xd5dfeb)] } else { [rgb(0x8aa66a), rgb(0x66824c)] };
            ground(canvas, horizon, colours, dice);
            trees(
                canvas,
                horizon,
                2 + dice.below(3),
                if white { Tree::SnowyFir } else { Tree::Fir },
                dice,
            );
        }
        Setting::Desert => {
            hills(canvas, horizon, [rgb(0xdba763), rgb(0xc98f4c)], 0.12, dice);
            ground(canvas, horizon, [rgb(0xe6bb74), rgb(0xd09a52)], dice);
            cacti(canvas, horizon, dice);
        }
    }
    canvas.light = [1.0; 3];
}

fn sky(canvas: &mut Canvas, sky: Sky, horizon: f32, dice: &mut Dice) {
    let (width, bottom) = (canvas.width(), horizon + canvas.height() * 0.12);
    let stops = match sky {
        Sky::Day => [rgb(0x4f9be0), rgb(0x8cc4f0), rgb(0xd6ecf8)],
        Sky::Overcast => [rgb(0x8e99a4), rgb(0xaab3bb), rgb(0xc8cdd1)],
        Sky::Sunset => [rgb(0x5b4a86), rgb(0xe07a4a), rgb(0xfcd07a)],
        Sky::Night => [rgb(0x0a1030), rgb(0x141c48), rgb(0x27336a)],
    };
    canvas.bands(0.0, bottom, &stops, [1.0; 3]);
    let at = (dice.between(0.1, 0.9) * width, dice.between(0.18, 0.42) * horizon);
    let radius = canvas.height() * dice.between(0.035, 0.055);
    match sky {
        Sky::Day => {
            canvas.halo(at, radius * 4.0, rgb(0xfff6d0), 0.7);
            canvas.ellipse(at, (radius, radius), 0.0, Paint::Glow(rgb(0xffe98a), 1.0));
            clouds(canvas, horizon, 1 + dice.below(3), rgb(0xffffff), 0.85, dice);
        }
        Sky::Overcast => clouds(canvas, horizon, 6, rgb(0x848c96), 0.5, dice),
        Sky::Sunset => {
            let low = (at.0, horizon * 0.86);
            canvas.halo(low, radius * 7.0, rgb(0xffd890), 0.8);
            canvas.ellipse(low, (radius * 1.3, radius * 1.3), 0.0, Paint::Glow(rgb(0xffb347), 1.0));
            clouds(canvas, horizon, dice.below(3), rgb(0xd86a6a), 0.55, dice);
        }
        Sky::Night => {
            for _ in 0..40 {
                let star = (dice.unit() * width, dice.unit() * horizon);
                let size = dice.between(0.3, 0.9);
                canvas.ellipse(star, (size, size), 0.0, Paint::Glow([1.0, 1.0, 0.9], 0.85));
            }
            canvas.halo(at, radius * 3.0, rgb(0xaab8e8), 0.4);
            canvas.ellipse(at, (radius, radius), 0.0, Paint::Glow(rgb(0xf4f0d8), 1.0));
            let bite = (at.0 + radius * 0.5, at.1 - radius * 0.2);
            canvas.ellipse(
                bite,
                (radius * 0.8, radius * 0.8),
                0.0,
                Paint::Glow(rgb(0x10173c), 1.0),
            );
        }
    }
}

fn clouds(
    canvas: &mut Canvas,
    horizon: f32,
    count: usize,
    colour: Rgb,
    opacity: f32,
    dice: &mut Dice,
) {
    for _ in 0..count {
        let centre = (dice.unit() * canvas.width(), dice.between(0.08, 0.62) * horizon);
        let size = canvas.height() * dice.between(0.05, 0.1);
        for (dx, dy, r) in [
            (-1.1, 0.25, 0.6),
            (-0.4, -0.1, 0.8),
            (0.45, -0.2, 0.9),
            (1.2, 0.2, 0.65),
            (0.0, 0.3, 0.9),
        ] {
            let at = (centre.0 + dx * size, centre.1 + dy * size);
            let shape = (size * r * 1.25, size * r * 0.72);
            canvas.ellipse(at, shape, 0.0, Paint::Glow(colour, opacity * 0.75));
        }
    }
}

fn ground(canvas: &mut Canvas, top: f32, colours: [Rgb; 2], dice: &mut Dice) {
    let light = canvas.light;
    let bottom = canvas.height();
    let tone = dice.between(0.94, 1.06);
    canvas.bands(top, bottom, &colours.map(|colour| brighter(colour, tone)), light);
}

/// A ridge of low hills just above the horizon.
fn hills(canvas: &mut Canvas, horizon: f32, colours: [Rgb; 2], tall: f32, dice: &mut Dice) {
    for (colour, share) in [(colours[0], 1.0), (colours[1], 0.55)] {
        let (a, b, c) = (dice.between(0.0, 6.0), dice.between(0.0, 6.0), dice.between(1.5, 3.0));
        let reach = tall * share * canvas.height();
        ridge(canvas, horizon, colour, |x| {
            reach * (0.55 + 0.3 * (x * c + a).sin() + 0.15 * (x * c * 2.3 + b).sin())
        });
    }
}

/// Fills between the horizon and a height above it, given along the width from 0 to 1.
fn ridge(canvas: &mut Canvas, horizon: f32, colour: Rgb, height: impl Fn(f32) -> f32) {
    let (width, light) = (canvas.width(), canvas.light);
    let colour = times(colour, light);
    let columns = width as usize;
    for x in 0..columns {
        let top = horizon - height(x as f32 / width).max(0.0);
        let first = top.max(0.0) as usize;
        for y in first..(horizon.ceil() as usize).min(canvas.height() as usize) {
            let cover = (y as f32 + 1.0 - top).clamp(0.0, 1.0);
            let pixel = &mut canvas.pixels_mut()[y * columns + x];
            *pixel = mix(*pixel, colour, cover);
        }
    }
}

fn peaks(canvas: &mut Canvas, horizon: f32, dice: &mut Dice) {
    let (width, height) = (canvas.width(), canvas.height());
    for k in 0..4 {
        let middle = width * (0.12 + 0.27 * k as f32 + dice.between(-0.08, 0.08));
        let tall = horizon * dice.between(0.45, 0.82);
        let wide = tall * dice.between(0.9, 1.2);
        let rock = mix(rgb(0x6b7686), rgb(0x8a93a0), dice.unit());
        let top = horizon - tall;
        canvas.polygon(
            &[(middle - wide, horizon + 2.0), (middle, top), (middle + wide, horizon + 2.0)],
            0.5,
            Paint::Fade(rock, mix(rock, rgb(0x9fb0a8), 0.5)),
        );
        let cap = 0.34;
        let points: [Point; 6] = [
            (middle, top),
            (middle + wide * cap, top + tall * cap),
            (middle + wide * cap * 0.4, top + tall * cap * 0.72),
            (middle, top + tall * cap * 1.05),
            (middle - wide * cap * 0.45, top + tall * cap * 0.75),
            (middle - wide * cap, top + tall * cap),
        ];
        canvas.polygon(&points, 0.3, Paint::Flat([0.96, 0.97, 1.0]));
    }
    let _ = height;
}

fn water(canvas: &mut Canvas, top: f32, bottom: f32, dice: &mut Dice) {
    let light = canvas.light;
    canvas.bands(top, bottom, &[rgb(0x6fb4d8), rgb(0x3f8cc0), rgb(0x2a6ea6)], light);
    let count = ((bottom - top) / 2.2) as usize;
    for _ in 0..count {
        let deep = dice.unit();
        let y = top + 2.0 + (bottom - top - 3.0) * deep;
        let x = dice.unit() * canvas.width();
        let long = (3.0 + 14.0 * deep) * dice.between(0.6, 1.3);
        let thick = 0.6 + 1.0 * deep;
        canvas.limb(
            (x - long, y),
            (x + long, y),
            (thick, thick),
            Paint::Glass([0.9, 0.96, 1.0], 0.35),
        );
    }
}

fn surf(canvas: &mut Canvas, shore: f32, dice: &mut Dice) {
    let phase = dice.between(0.0, 6.0);
    let columns = 24;
    for k in 0..columns {
        let at = |k: usize| {
            let x = k as f32 / columns as f32;
            (x * canvas.width(), shore + 2.0 * (x * 9.0 + phase).sin())
        };
        let (from, to) = (at(k), at(k + 1));
        canvas.limb(from, to, (3.4, 3.4), Paint::Flat([0.97, 0.98, 1.0]));
    }
}

fn speckle(canvas: &mut Canvas, top: f32, colour: Rgb, dice: &mut Dice) {
    for _ in 0..60 {
        let at = (dice.unit() * canvas.width(), dice.between(top + 5.0, canvas.height()));
        canvas.ellipse(at, (1.0, 0.6), 0.0, Paint::Glass(colour, 0.6));
    }
}

fn tufts(canvas: &mut Canvas, top: f32, colour: Rgb, dice: &mut Dice) {
    for _ in 0..70 {
        let deep = dice.unit();
        let (x, y) = (dice.unit() * canvas.width(), top + 4.0 + (canvas.height() - top) * deep);
        let tall = 1.5 + 4.5 * deep;
        let lean = dice.between(-1.5, 1.5);
        canvas.limb((x, y), (x + lean, y - tall), (1.2, 0.5), Paint::Glass(colour, 0.7));
    }
}

fn flowers(canvas: &mut Canvas, top: f32, dice: &mut Dice) {
    let colour = dice.pick([rgb(0xf6e05a), rgb(0xf4f4f4), rgb(0xe86a8a)]);
    for _ in 0..dice.below(26) {
        let deep = dice.unit();
        let at = (dice.unit() * canvas.width(), top + 6.0 + (canvas.height() - top) * deep);
        let size = 0.6 + 1.2 * deep;
        canvas.ellipse(at, (size, size), 0.0, Paint::Flat(colour));
    }
}

#[derive(Clone, Copy)]
enum Tree {
    Round,
    Fir,
    SnowyFir,
}

fn trees(canvas: &mut Canvas, horizon: f32, count: usize, kind: Tree, dice: &mut Dice) {
    for _ in 0..count {
        let at =
            (dice.unit() * canvas.width(), horizon + dice.between(0.0, 0.05) * canvas.height());
        let tall = canvas.height() * dice.between(0.14, 0.3);
        tree(canvas, at, tall, kind, dice);
    }
}

fn tree(canvas: &mut Canvas, at: Point, tall: f32, kind: Tree, dice: &mut Dice) {
    let green = mix(rgb(0x2e6b34), rgb(0x5c9440), dice.unit());
    let mut pen = Pen { canvas, origin: at, scale: tall, sign: 1.0, tilt: 0.0 };
    match kind {
        Tree::Round => {
            pen.limb((0.0, 0.0), (0.0, 0.5), (0.11, 0.07), Paint::Flat(rgb(0x6b4a2f)));
            for (x, y, r) in
                [(-0.16, 0.58, 0.2), (0.17, 0.6, 0.19), (0.0, 0.78, 0.22), (0.0, 0.58, 0.22)]
            {
                pen.disc((x, y), r, Paint::Shaded(green));
            }
        }
        Tree::Fir | Tree::SnowyFir => {
            let needles = mix(green, rgb(0x1f4a38), 0.6);
            pen.limb((0.0, 0.0), (0.0, 0.25), (0.08, 0.08), Paint::Flat(rgb(0x5a4030)));
            for (y, wide) in [(0.14, 0.27), (0.38, 0.21), (0.62, 0.15)] {
                pen.polygon(
                    &[(-wide, y), (wide, y), (0.0, y + 0.38)],
                    0.01,
                    Paint::Shaded(needles),
                );
                if matches!(kind, Tree::SnowyFir) {
                    let w = wide * 0.62;
                    pen.polygon(
                        &[(-w, y + 0.15), (w * 0.9, y + 0.15), (0.0, y + 0.39)],
                        0.01,
                        Paint::Flat([0.95, 0.97, 1.0]),
                    );
                }
            }
        }
    }
}

fn wood(canvas: &mut Canvas, horizon: f32, dice: &mut Dice) {
    let (width, height) = (canvas.width(), canvas.height());
    let light = canvas.light;
    canvas.bands(0.0, horizon, &[rgb(0x2f5a34), rgb(0x5d8a4a), rgb(0x9ab56a)], light);
    for k in 0..26 {
        let deep = k as f32 / 26.0;
        let x = dice.unit() * width;
        let y = horizon + deep * deep * height * 0.12;
        let thick = height * (0.012 + 0.035 * deep);
        let bark = mix(rgb(0x7c8a62), rgb(0x4f3826), 0.25 + 0.75 * deep);
        canvas.limb(
            (x, y),
            (x + dice.between(-4.0, 4.0), -10.0),
            (thick * 1.15, thick * 0.8),
            Paint::Flat(bark),
        );
    }
    for _ in 0..26 {
        let at = (dice.unit() * width, dice.between(-0.04, 0.14) * height);
        let size = height * dice.between(0.05, 0.1);
        let leaf = mix(rgb(0x2c5a2a), rgb(0x5f9440), dice.unit());
        canvas.ellipse(at, (size * 1.3, size), 0.0, Paint::Shaded(leaf));
    }
}

fn houses(canvas: &mut Canvas, horizon: f32, dice: &mut Dice) {
    let (width, height) = (canvas.width(), canvas.height());
    let lit = canvas.light[0] < 0.6;
    let mut x = -dice.between(0.0, 0.1) * width;
    while x < width {
        let wide = width * dice.between(0.13, 0.24);
        let tall = height * dice.between(0.22, 0.42);
        let wall = dice.pick([
            rgb(0xc8a27a),
            rgb(0xb5654a),
            rgb(0xd9cdb4),
            rgb(0x9fa8b0),
            rgb(0xa8b58a),
            rgb(0xd0a0a0),
        ]);
        let top = horizon - tall;
        canvas.polygon(
            &[(x, horizon + 1.0), (x, top), (x + wide, top), (x + wide, horizon + 1.0)],
            0.0,
            Paint::Fade(wall, brighter(wall, 0.85)),
        );
        if dice.chance(0.5) {
            let roof = dice.pick([rgb(0x7a3b2e), rgb(0x4a4f58), rgb(0x6a4a3a)]);
            canvas.polygon(
                &[(x - 2.0, top), (x + wide / 2.0, top - height * 0.09), (x + wide + 2.0, top)],
                0.0,
                Paint::Flat(roof),
            );
        }
        let (columns, rows) =
            ((wide / (height * 0.085)) as usize, (tall / (height * 0.1)) as usize);
        for row in 0..rows {
            for column in 0..columns {
                let (wx, wy) = (
                    x + wide * (column as f32 + 0.5) / columns as f32,
                    top + tall * (row as f32 + 0.5) / rows as f32,
                );
                let (hw, hh) = (height * 0.018, height * 0.028);
                let pane = if lit && dice.chance(0.55) {
                    Paint::Glow(rgb(0xffd873), 1.0)
                } else {
                    Paint::Flat(rgb(0x5b7488))
                };
                canvas.polygon(
                    &[
                        (wx - hw, wy - hh),
                        (wx + hw, wy - hh),
                        (wx + hw, wy + hh),
                        (wx - hw, wy + hh),
                    ],
                    0.0,
                    pane,
                );
            }
        }
        x += wide + dice.between(0.0, 0.03) * width;
    }
}

fn street(canvas: &mut Canvas, horizon: f32, dice: &mut Dice) {
    let (width, height, light) = (canvas.width(), canvas.height(), canvas.light);
    let kerb = horizon + (height - horizon) * 0.16;
    canvas.bands(horizon, kerb, &[rgb(0xb9b4aa), rgb(0xa8a399)], light);
    canvas.bands(kerb, height, &[rgb(0x62646a), rgb(0x4c4e54)], light);
    canvas.limb((0.0, kerb), (width, kerb), (2.0, 2.0), Paint::Flat(rgb(0xd8d5cc)));
    let y = kerb + (height - kerb) * 0.5;
    let start = dice.between(-0.2, 0.0) * width;
    for k in 0..6 {
        let x = start + k as f32 * width * 0.24;
        canvas.limb((x, y), (x + width * 0.12, y), (2.6, 2.6), Paint::Flat(rgb(0xf0ead6)));
    }
}

fn cacti(canvas: &mut Canvas, horizon: f32, dice: &mut Dice) {
    for _ in 0..(1 + dice.below(3)) {
        let at =
            (dice.unit() * canvas.width(), horizon + dice.between(0.01, 0.07) * canvas.height());
        let tall = canvas.height() * dice.between(0.12, 0.24);
        let green = Paint::Flat(rgb(0x3f7d48));
        let mut pen =
            Pen { canvas, origin: at, scale: tall, sign: dice.pick([1.0, -1.0]), tilt: 0.0 };
        pen.limb((0.0, 0.0), (0.0, 0.95), (0.17, 0.15), green);
        pen.limb((0.0, 0.42), (0.26, 0.46), (0.11, 0.11), green);
        pen.limb((0.26, 0.46), (0.26, 0.74), (0.11, 0.1), green);
        pen.limb((0.0, 0.3), (-0.22, 0.34), (0.1, 0.1), green);
        pen.limb((-0.22, 0.34), (-0.22, 0.56), (0.1, 0.09), green);
    }
}

/// Rain or snow in front of everything.
pub(super) fn precipitation(canvas: &mut Canvas, weather: Weather, dice: &mut Dice) {
    let (width, height) = (canvas.width(), canvas.height());
    match weather {
        Weather::Dry => {}
        Weather::Rain => {
            for _ in 0..150 {
                let (x, y) = (dice.unit() * width * 1.1, dice.unit() * height);
                let long = dice.between(5.0, 12.0);
                canvas.limb(
                    (x, y),
                    (x - long * 0.25, y + long),
                    (0.9, 0.9),
                    Paint::Glow([0.82, 0.88, 0.95], 0.5),
                );
            }
        }
        Weather::Snow => {
            for _ in 0..170 {
                let at = (dice.unit() * width, dice.unit() * height);
                let size = dice.between(0.6, 2.0);
                canvas.ellipse(at, (size, size), 0.0, Paint::Glow([1.0; 3], 0.85));
            }
        }
    }
}
