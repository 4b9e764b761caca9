//! Animals: four-legged ones from one plan with different measures, and birds.

use std::f32::consts::PI;

use super::super::canvas::{Paint, Pen, Point, Rgb, brighter, mix, rgb};
use super::super::scene::{Action, Colour, Species};
use super::palette::paint;

/// Draws an animal at the pen's origin, looking towards positive x.
pub(super) fn draw(pen: &mut Pen<'_>, species: Species, coat: Colour, action: Action) {
    let hide = hide(species, coat);
    match species {
        Species::Bird => bird(pen, hide, action),
        Species::Duck => duck(pen, hide, coat),
        _ => match action {
            Action::Sit if matches!(species, Species::Dog | Species::Cat) => {
                sitting(pen, species, hide)
            }
            Action::Swim => swimming(pen, species, hide),
            _ => walking(pen, species, hide, action),
        },
    }
}

fn hide(species: Species, coat: Colour) -> Rgb {
    match (species, coat) {
        (Species::Dog, Colour::Yellow) => rgb(0xd9a441),
        (Species::Dog, Colour::Brown) => rgb(0x8a5a30),
        (Species::Horse | Species::Cow, Colour::Brown) => rgb(0x86481f),
        (Species::Cat, Colour::Orange) => rgb(0xe08a3a),
        _ => paint(coat),
    }
}

/// Measures of a four-legged animal of height 1.
struct Build {
    /// Half of the trunk.
    long: f32,
    deep: f32,
    /// Height of the middle of the trunk.
    high: f32,
    leg: f32,
    neck: Point,
    neck_thick: f32,
    head: f32,
    snout: f32,
}

fn build(species: Species) -> Build {
    match species {
        Species::Horse => Build {
            long: 0.36,
            deep: 0.145,
            high: 0.58,
            leg: 0.075,
            neck: (0.47, 0.86),
            neck_thick: 0.17,
            head: 0.08,
            snout: 0.17,
        },
        Species::Cow => Build {
            long: 0.46,
            deep: 0.22,
            high: 0.62,
            leg: 0.095,
            neck: (0.56, 0.78),
            neck_thick: 0.22,
            head: 0.13,
            snout: 0.14,
        },
        Species::Sheep => Build {
            long: 0.4,
            deep: 0.25,
            high: 0.58,
            leg: 0.075,
            neck: (0.47, 0.74),
            neck_thick: 0.18,
            head: 0.12,
            snout: 0.1,
        },
        Species::Cat => Build {
            long: 0.42,
            deep: 0.16,
            high: 0.48,
            leg: 0.09,
            neck: (0.5, 0.72),
            neck_thick: 0.16,
            head: 0.19,
            snout: 0.04,
        },
        _ => Build {
            long: 0.42,
            deep: 0.165,
            high: 0.54,
            leg: 0.095,
            neck: (0.5, 0.8),
            neck_thick: 0.18,
            head: 0.155,
            snout: 0.17,
        },
    }
}

fn walking(pen: &mut Pen<'_>, species: Species, hide: Rgb, action: Action) {
    let build = build(species);
    let (lift, tilt) = match action {
        Action::Jump => (0.3, 0.3),
        Action::Run => (0.06, 0.03),
        Action::Lie => (build.deep + 0.05 - build.high, 0.0),
        _ => (0.0, 0.0),
    };
    let pen = &mut pen.part((0.0, lift), 1.0, tilt);
    let dark = brighter(hide, 0.7);
    legs(pen, &build, [(dark, 0), (dark, 1)], action);
    tail(pen, species, &build, hide, action);
    let round = Paint::Shaded(hide);
    if species == Species::Sheep {
        fleece(pen, &build, hide);
    } else {
        let chest = (build.long * 0.55, build.high + 0.01);
        let rump = (-build.long * 0.6, build.high);
        pen.limb(rump, chest, (build.deep * 1.9, build.deep * 2.1), round);
    }
    if species == Species::Cow {
        markings(pen, &build, hide);
    }
    legs(pen, &build, [(brighter(hide, 0.9), 2), (brighter(hide, 0.9), 3)], action);
    let neck = if action == Action::Graze { (build.long + 0.16, 0.22) } else { build.neck };
    let nod = if action == Action::Graze { -0.9 } else { 0.0 };
    pen.limb(
        (build.long * 0.62, build.high + build.deep * 0.4),
        neck,
        (build.neck_thick * 1.15, build.neck_thick * 0.8),
        Paint::Shaded(hide),
    );
    if species == Species::Horse {
        mane(pen, (build.long * 0.5, build.high + build.deep), neck, hide);
    }
    head(&mut pen.part(neck, 1.0, nod), species, &build, hide);
}

/// Four legs: far fore, far hind, near fore, near hind.
fn legs(pen: &mut Pen<'_>, build: &Build, which: [(Rgb, usize); 2], action: Action) {
    let top = build.high - build.deep * 0.35;
    let fore = build.long * 0.62;
    let hind = -build.long * 0.66;
    let low = 0.025;
    for (colour, number) in which {
        let front = number % 2 == 0;
        let near = number >= 2;
        let root = (if front { fore } else { hind }, top);
        let bow = if front { 0.02 } else { -0.05 };
        let (knee, foot) = match action {
            Action::Run | Action::Jump => {
                let reach = if front { 0.34 } else { -0.36 } * if near { 1.0 } else { 0.72 };
                (
                    (root.0 + reach * 0.5, top * 0.56),
                    (root.0 + reach, if action == Action::Jump { 0.16 } else { 0.07 }),
                )
            }
            Action::Walk => {
                let step = if front == near { 0.1 } else { -0.1 };
                ((root.0 + step * 0.4 + bow, top * 0.52), (root.0 + step, low))
            }
            Action::Lie => {
                let floor = build.high - build.deep - 0.03;
                ((root.0 + 0.08, floor), (root.0 + if front { 0.3 } else { 0.2 }, floor))
            }
            _ => {
                let step = if near { 0.03 } else { -0.03 };
                ((root.0 + step + bow, top * 0.52), (root.0 + step, low))
            }
        };
        pen.limb(root, knee, (build.leg * 1.5, build.leg), Paint::Flat(colour));
        pen.limb(knee, foot, (build.leg, build.leg * 0.75), Paint::Flat(colour));
    }
}

fn tail(pen: &mut Pen<'_>, species: Species, build: &Build, hide: Rgb, action: Action) {
    let root = (-build.long * 0.95, build.high + build.deep * 0.6);
    let dark = Paint::Flat(brighter(hide, 0.8));
    match species {
        Species::Dog => {
            let up = if action == Action::Lie { 0.02 } else { 0.2 };
            pen.limb(root, (root.0 - 0.2, root.1 + up), (0.085, 0.04), dark);
        }
        Species::Cat => {
            pen.limb(root, (root.0 - 0.2, root.1 + 0.08), (0.075, 0.06), dark);
            pen.limb(
                (root.0 - 0.2, root.1 + 0.08),
                (root.0 - 0.22, root.1 + 0.34),
                (0.06, 0.05),
                dark,
            );
        }
        Species::Horse => {
            let flow = if action == Action::Run {
                (root.0 - 0.24, root.1 - 0.06)
            } else {
                (root.0 - 0.09, root.1 - 0.36)
            };
            pen.limb((root.0 + 0.04, root.1), flow, (0.06, 0.1), Paint::Flat(mane_colour(hide)));
        }
        Species::Cow => {
            pen.line(root, (root.0 - 0.05, root.1 - 0.4), 0.03, dark);
            pen.disc((root.0 - 0.05, root.1 - 0.42), 0.035, Paint::Flat(rgb(0x2a201c)));
        }
        _ => pen.disc((root.0, root.1 - 0.08), 0.07, Paint::Flat(hide)),
    }
}

fn mane_colour(hide: Rgb) -> Rgb {
    if hide[0] > 0.8 { rgb(0xc9c4b8) } else { brighter(hide, 0.45) }
}

fn mane(pen: &mut Pen<'_>, from: Point, to: Point, hide: Rgb) {
    let colour = Paint::Flat(mane_colour(hide));
    pen.limb((from.0 - 0.02, from.1 + 0.03), (to.0 - 0.06, to.1 + 0.07), (0.05, 0.08), colour);
}

fn fleece(pen: &mut Pen<'_>, build: &Build, hide: Rgb) {
    for k in 0..9 {
        let around = k as f32 / 9.0 * 2.0 * PI;
        let at = (around.cos() * build.long * 0.75, build.high + around.sin() * build.deep * 0.62);
        pen.disc(at, 0.15, Paint::Flat(brighter(hide, 0.93 + 0.06 * around.sin())));
    }
    pen.ellipse(
        (0.0, build.high),
        (build.long * 0.85, build.deep * 0.85),
        0.0,
        Paint::Shaded(hide),
    );
}

fn markings(pen: &mut Pen<'_>, build: &Build, hide: Rgb) {
    let other = if hide[0] > 0.6 { rgb(0x2d2826) } else { rgb(0xf2efe6) };
    pen.ellipse((-0.2, build.high + 0.06), (0.14, 0.1), 0.3, Paint::Flat(other));
    pen.ellipse((0.16, build.high - 0.02), (0.1, 0.12), -0.2, Paint::Flat(other));
    pen.ellipse(
        (-0.14, build.high - build.deep - 0.01),
        (0.09, 0.05),
        0.0,
        Paint::Flat(rgb(0xe9a7a0)),
    );
}

fn head(pen: &mut Pen<'_>, species: Species, build: &Build, hide: Rgb) {
    let r = build.head;
    let face = match species {
        Species::Sheep => rgb(0x3a3432),
        _ => hide,
    };
    let dark =
        if luma(face) < 0.25 { mix(face, rgb(0x777777), 0.35) } else { brighter(face, 0.65) };
    let eye = if luma(face) < 0.25 { rgb(0xf5f0d0) } else { rgb(0x1b1512) };
    match species {
        Species::Cat => {
            for side in [-0.62, 0.62] {
                pen.polygon(
                    &[
                        (r * side - r * 0.35, r * 0.6),
                        (r * side + r * 0.35, r * 0.6),
                        (r * side * 1.25, r * 1.5),
                    ],
                    0.01,
                    Paint::Flat(dark),
                );
            }
            pen.disc((0.0, 0.0), r, Paint::Shaded(face));
            pen.ellipse(
                (0.04, -r * 0.4),
                (r * 0.42, r * 0.3),
                0.0,
                Paint::Flat(mix(face, [1.0; 3], 0.45)),
            );
            pen.disc((0.04, -r * 0.26), r * 0.12, Paint::Flat(rgb(0xd98080)));
            for side in [-0.33, 0.5] {
                pen.ellipse(
                    (r * side, r * 0.16),
                    (r * 0.15, r * 0.2),
                    0.0,
                    Paint::Flat(rgb(0x7fb23a)),
                );
                pen.ellipse(
                    (r * side, r * 0.16),
                    (r * 0.06, r * 0.17),
                    0.0,
                    Paint::Flat(rgb(0x101010)),
                );
            }
        }
        Species::Horse => {
            pen.polygon(&[(-0.05, 0.06), (0.0, 0.06), (-0.015, 0.17)], 0.008, Paint::Flat(dark));
            pen.limb((0.0, 0.02), (build.snout, -0.11), (r * 2.0, r * 1.25), Paint::Shaded(face));
            pen.disc((build.snout + 0.02, -0.1), 0.012, Paint::Flat(dark));
            pen.disc((0.045, 0.015), 0.016, Paint::Flat(eye));
        }
        _ => {
            pen.disc((0.0, 0.0), r, Paint::Shaded(face));
            pen.limb(
                (0.02, -r * 0.15),
                (build.snout, -r * 0.4),
                (r * 1.35, r * 0.95),
                Paint::Flat(mix(face, [1.0; 3], 0.06)),
            );
            pen.disc((build.snout + r * 0.4, -r * 0.28), r * 0.24, Paint::Flat(rgb(0x17120f)));
            pen.disc((r * 0.35, r * 0.25), r * 0.17, Paint::Flat(eye));
            match species {
                Species::Dog => pen.limb(
                    (-r * 0.45, r * 0.5),
                    (-r * 0.75, -r * 0.6),
                    (r * 0.7, r * 0.5),
                    Paint::Flat(dark),
                ),
                Species::Cow => {
                    pen.limb(
                        (-0.05, r * 0.8),
                        (0.0, r * 1.5),
                        (0.05, 0.02),
                        Paint::Flat(rgb(0xe8e0c8)),
                    );
                    pen.limb(
                        (-r * 0.7, r * 0.5),
                        (-r * 1.4, r * 0.4),
                        (0.08, 0.04),
                        Paint::Flat(dark),
                    );
                }
                _ => pen.limb(
                    (-r * 0.6, r * 0.5),
                    (-r * 1.3, r * 0.2),
                    (0.07, 0.05),
                    Paint::Flat(dark),
                ),
            }
        }
    }
}

fn luma(colour: Rgb) -> f32 {
    0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2]
}

/// A dog or a cat on its haunches.
fn sitting(pen: &mut Pen<'_>, species: Species, hide: Rgb) {
    let build = build(species);
    let dark = Paint::Flat(brighter(hide, 0.8));
    let root = (-0.3, 0.09);
    match species {
        Species::Cat => {
            pen.limb(root, (-0.5, 0.12), (0.08, 0.07), dark);
            pen.limb((-0.5, 0.12), (-0.52, 0.36), (0.07, 0.06), dark);
        }
        _ => pen.limb(root, (-0.52, 0.2), (0.09, 0.04), dark),
    }
    pen.limb((0.08, 0.45), (0.14, 0.04), (0.12, 0.08), Paint::Flat(brighter(hide, 0.72)));
    pen.limb((-0.13, 0.2), (0.1, 0.58), (0.4, 0.26), Paint::Shaded(hide));
    pen.ellipse((-0.12, 0.15), (0.19, 0.15), 0.2, Paint::Flat(brighter(hide, 0.92)));
    pen.limb((-0.1, 0.04), (0.06, 0.035), (0.08, 0.07), Paint::Flat(brighter(hide, 0.85)));
    pen.limb((0.14, 0.46), (0.21, 0.04), (0.12, 0.08), Paint::Flat(brighter(hide, 0.95)));
    head(&mut pen.part((0.15, 0.8), 1.0, 0.0), species, &build, hide);
}

/// Head and back above the water.
fn swimming(pen: &mut Pen<'_>, species: Species, hide: Rgb) {
    let build = build(species);
    let old = pen.canvas.floor;
    pen.canvas.floor = pen.origin.1;
    pen.limb((-0.35, -0.06), (0.25, 0.0), (0.24, 0.28), Paint::Shaded(hide));
    pen.limb((0.25, 0.0), (0.42, 0.2), (0.24, 0.18), Paint::Shaded(hide));
    head(&mut pen.part((0.45, 0.26), 1.2, 0.0), species, &build, hide);
    pen.canvas.floor = old;
    ripples(pen, 0.7);
}

/// Light lines where a body meets the water.
pub(super) fn ripples(pen: &mut Pen<'_>, wide: f32) {
    let foam = Paint::Glass([0.93, 0.97, 1.0], 0.6);
    for (share, y) in [(1.0, 0.0), (0.7, -0.07), (0.45, -0.13)] {
        pen.limb((-wide * share, y), (wide * share, y), (0.018, 0.03), foam);
    }
}

fn bird(pen: &mut Pen<'_>, hide: Rgb, action: Action) {
    let dark = brighter(hide, 0.7);
    let beak = Paint::Flat(rgb(0xf0a92c));
    if action != Action::Fly {
        for x in [-0.05, 0.08] {
            pen.line((x, 0.0), (x, 0.3), 0.03, beak);
        }
    }
    let y = if action == Action::Fly { 0.4 } else { 0.48 };
    pen.polygon(&[(-0.3, y), (-0.68, y + 0.12), (-0.66, y - 0.06)], 0.02, Paint::Flat(dark));
    pen.polygon(&[(0.12, y + 0.05), (-0.16, y + 0.05), (-0.05, y + 0.62)], 0.03, Paint::Flat(dark));
    pen.ellipse((0.0, y), (0.38, 0.19), 0.1, Paint::Shaded(hide));
    pen.disc((0.36, y + 0.14), 0.15, Paint::Shaded(hide));
    pen.polygon(&[(0.47, y + 0.2), (0.47, y + 0.07), (0.66, y + 0.12)], 0.005, beak);
    pen.disc(
        (0.4, y + 0.18),
        0.035,
        Paint::Flat(if luma(hide) < 0.25 { [0.95; 3] } else { [0.05; 3] }),
    );
    if action == Action::Fly {
        pen.polygon(
            &[(0.14, y + 0.04), (-0.2, y + 0.04), (-0.36, y + 0.66), (-0.12, y + 0.5)],
            0.03,
            Paint::Flat(brighter(hide, 0.88)),
        );
    } else {
        pen.ellipse((-0.08, y), (0.26, 0.12), 0.2, Paint::Flat(dark));
    }
}

fn duck(pen: &mut Pen<'_>, hide: Rgb, coat: Colour) {
    let beak = Paint::Flat(rgb(0xf08a24));
    let crown = if coat == Colour::Brown { rgb(0x1f6b45) } else { hide };
    let old = pen.canvas.floor;
    pen.canvas.floor = pen.origin.1;
    pen.polygon(
        &[(-0.4, 0.12), (-0.72, 0.42), (-0.3, 0.34)],
        0.02,
        Paint::Flat(brighter(hide, 0.85)),
    );
    pen.ellipse((-0.05, 0.14), (0.52, 0.28), 0.0, Paint::Shaded(hide));
    pen.ellipse((-0.1, 0.22), (0.3, 0.14), 0.15, Paint::Flat(brighter(hide, 0.82)));
    pen.limb((0.32, 0.25), (0.4, 0.66), (0.2, 0.17), Paint::Flat(crown));
    pen.disc((0.42, 0.74), 0.17, Paint::Shaded(crown));
    pen.limb((0.55, 0.71), (0.74, 0.68), (0.11, 0.08), beak);
    pen.disc(
        (0.48, 0.79),
        0.035,
        Paint::Flat(if luma(crown) < 0.4 { [0.95; 3] } else { [0.05; 3] }),
    );
    pen.canvas.floor = old;
    ripples(pen, 0.75);
}
