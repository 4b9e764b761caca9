//! People, as a handful of limbs in a pose.

use super::super::canvas::{Paint, Pen, Point, Rgb, brighter, mix, rgb};
use super::super::scene::{Action, Age, Below, Person, Sex, Thing};
use super::palette::paint;

const SKIN: [Rgb; 4] = [rgb(0xf6cfae), rgb(0xe3ac82), rgb(0xb57a4e), rgb(0x7a4b2f)];
const HAIR: [Rgb; 5] = [rgb(0x2a2220), rgb(0x55361f), rgb(0x8a5a2b), rgb(0xd9b25a), rgb(0xa6472a)];

/// What somebody sits on; it decides how the limbs lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seat {
    Bench,
    Bicycle,
    Horse,
}

/// Joints, for somebody of height 1 who looks towards positive x. The far limb comes first.
struct Pose {
    hip: Point,
    neck: Point,
    legs: [(Point, Point); 2],
    arms: [(Point, Point); 2],
}

/// Draws somebody doing something, standing at the pen's origin.
pub(super) fn draw(pen: &mut Pen<'_>, person: Person, action: Action) {
    if action == Action::Swim {
        swim(pen, person);
        return;
    }
    let lift = if action == Action::Jump { 0.16 } else { 0.0 };
    limbs(&mut pen.part((0.0, lift), 1.0, 0.0), person, &pose(action));
}

/// Draws somebody whose seat is at the pen's origin.
pub(super) fn draw_rider(pen: &mut Pen<'_>, person: Person, seat: Seat) {
    limbs(pen, person, &seated(seat));
}

/// Draws somebody with a thing in hand, or just out of it.
pub(super) fn draw_holding(pen: &mut Pen<'_>, person: Person, action: Action, thing: Thing) {
    let mut pose = pose(action);
    if action == Action::Hold {
        let (x, y) = hand(action, thing);
        pose.arms[1] = ((0.11, 0.6), (x, y));
        if thing == Thing::Ball {
            pose.arms[1] = ((0.1, 0.62), (0.18, 0.58));
            pose.arms[0] = ((0.12, 0.6), (0.2, 0.56));
        }
    }
    limbs(pen, person, &pose);
}

/// Where the thing's own origin goes.
pub(super) fn hand(action: Action, thing: Thing) -> Point {
    match (action, thing) {
        (Action::Throw, _) => (0.46, 0.92),
        (Action::Kick, _) => (0.44, 0.02),
        (_, Thing::Ball) => (0.25, 0.5),
        (_, Thing::Umbrella) => (0.17, 0.6),
        (_, Thing::Kite) => (0.24, 0.74),
        _ => (0.22, 0.7),
    }
}

fn pose(action: Action) -> Pose {
    let hip = (0.0, 0.46);
    let neck = (0.0, 0.77);
    let still = [((-0.02, 0.24), (-0.05, 0.02)), ((0.03, 0.24), (0.04, 0.02))];
    let hanging = [((-0.05, 0.6), (-0.04, 0.45)), ((0.06, 0.6), (0.1, 0.46))];
    match action {
        Action::Walk => Pose {
            hip,
            neck: (0.02, 0.77),
            legs: [((-0.05, 0.25), (-0.17, 0.05)), ((0.08, 0.26), (0.14, 0.02))],
            arms: [((0.1, 0.61), (0.17, 0.5)), ((-0.07, 0.6), (-0.1, 0.46))],
        },
        Action::Run => Pose {
            hip,
            neck: (0.09, 0.76),
            legs: [((-0.07, 0.28), (-0.3, 0.22)), ((0.15, 0.32), (0.19, 0.06))],
            arms: [((-0.06, 0.63), (-0.13, 0.74 - 0.18)), ((0.16, 0.6), (0.29, 0.68))],
        },
        Action::Jump => Pose {
            hip,
            neck: (0.02, 0.77),
            legs: [((-0.13, 0.36), (-0.26, 0.2)), ((0.15, 0.38), (0.17, 0.16))],
            arms: [((-0.14, 0.86), (-0.22, 1.02)), ((0.15, 0.86), (0.24, 1.02))],
        },
        Action::Sit => Pose {
            hip: (0.0, 0.1),
            neck: (-0.03, 0.42),
            legs: [((0.18, 0.2), (0.33, 0.04)), ((0.2, 0.17), (0.37, 0.03))],
            arms: [((0.06, 0.26), (0.18, 0.24)), ((0.08, 0.25), (0.2, 0.19))],
        },
        Action::Wave => Pose {
            hip,
            neck,
            legs: still,
            arms: [((-0.05, 0.6), (-0.04, 0.45)), ((0.16, 0.83), (0.2, 1.0))],
        },
        Action::Throw => Pose {
            hip,
            neck: (0.05, 0.77),
            legs: [((-0.08, 0.25), (-0.18, 0.03)), ((0.1, 0.26), (0.15, 0.02))],
            arms: [((0.02, 0.62), (0.12, 0.56)), ((0.18, 0.82), (0.31, 0.93))],
        },
        Action::Kick => Pose {
            hip,
            neck: (-0.05, 0.77),
            legs: [((-0.01, 0.24), (-0.04, 0.02)), ((0.15, 0.36), (0.31, 0.2))],
            arms: [((0.08, 0.66), (0.2, 0.7)), ((-0.13, 0.65), (-0.24, 0.68))],
        },
        _ => Pose { hip, neck, legs: still, arms: hanging },
    }
}

fn seated(seat: Seat) -> Pose {
    let hip = (0.0, 0.02);
    match seat {
        Seat::Bench => Pose {
            hip,
            neck: (-0.03, 0.34),
            legs: [((0.18, 0.04), (0.19, -0.2)), ((0.2, 0.02), (0.22, -0.22))],
            arms: [((0.04, 0.18), (0.15, 0.12)), ((0.06, 0.16), (0.17, 0.09))],
        },
        Seat::Bicycle => Pose {
            hip,
            neck: (0.15, 0.28),
            legs: [((0.18, -0.1), (0.1, -0.28)), ((0.13, -0.2), (0.12, -0.42))],
            arms: [((0.23, 0.16), (0.34, 0.1)), ((0.22, 0.13), (0.34, 0.08))],
        },
        Seat::Horse => Pose {
            hip,
            neck: (0.04, 0.33),
            legs: [((0.14, -0.06), (0.08, -0.28)), ((0.15, -0.08), (0.09, -0.31))],
            arms: [((0.12, 0.17), (0.25, 0.16)), ((0.11, 0.14), (0.26, 0.13))],
        },
    }
}

fn limbs(pen: &mut Pen<'_>, person: Person, pose: &Pose) {
    let skin = SKIN[usize::from(person.skin) % SKIN.len()];
    let top = paint(person.top);
    let thick = if person.age == Age::Child { 1.18 } else { 1.0 };
    let shoulder = mix_point(pose.hip, pose.neck, 0.94);
    let far = |colour: Rgb| brighter(colour, 0.72);

    arm(pen, shoulder, pose.arms[0], far(top), far(skin), thick);
    leg(pen, pose.hip, pose.legs[0], person, thick, far);
    leg(pen, pose.hip, pose.legs[1], person, thick, |colour| colour);
    torso(pen, person, pose, top, thick);
    head(pen, person, pose.neck, skin);
    arm(pen, shoulder, pose.arms[1], brighter(top, 0.9), skin, thick);
}

fn torso(pen: &mut Pen<'_>, person: Person, pose: &Pose, top: Rgb, thick: f32) {
    let wide = 0.19 * thick;
    pen.limb(
        mix_point(pose.hip, pose.neck, 0.1),
        mix_point(pose.hip, pose.neck, 0.86),
        (wide * 0.9, wide * 1.06),
        Paint::Shaded(top),
    );
    if person.below == Below::Dress {
        // The hem hangs between the knees.
        let knee = mix_point(pose.legs[0].0, pose.legs[1].0, 0.5);
        let hem = (knee.0, knee.1.min(pose.hip.1 + 0.04) + 0.01);
        let side = 0.17 * thick;
        let waist = mix_point(pose.hip, pose.neck, 0.35);
        let across = if hem.1 < pose.hip.1 - 0.1 { (side, 0.0) } else { (0.02, -0.11) };
        pen.polygon(
            &[
                (waist.0 - 0.07, waist.1),
                (waist.0 + 0.07, waist.1),
                (hem.0 + across.0, hem.1 + across.1),
                (hem.0 - across.0, hem.1 - across.1.abs()),
            ],
            0.02,
            Paint::Shaded(top),
        );
    }
}

fn leg(
    pen: &mut Pen<'_>,
    hip: Point,
    (knee, foot): (Point, Point),
    person: Person,
    thick: f32,
    far: impl Fn(Rgb) -> Rgb,
) {
    let skin = SKIN[usize::from(person.skin) % SKIN.len()];
    let (upper, lower) = match person.below {
        Below::Trousers(colour) => (paint(colour), paint(colour)),
        Below::Shorts(colour) => (paint(colour), skin),
        Below::Dress => (skin, skin),
    };
    pen.limb(knee, foot, (0.075 * thick, 0.06 * thick), Paint::Flat(far(lower)));
    pen.limb(hip, knee, (0.11 * thick, 0.085 * thick), Paint::Flat(far(upper)));
    let toe = (foot.0 + 0.06, foot.1 - 0.005);
    pen.limb(foot, toe, (0.06, 0.045), Paint::Flat(far(rgb(0x3a2d28))));
}

fn arm(
    pen: &mut Pen<'_>,
    shoulder: Point,
    (elbow, hand): (Point, Point),
    sleeve: Rgb,
    skin: Rgb,
    thick: f32,
) {
    pen.limb(elbow, hand, (0.055 * thick, 0.045 * thick), Paint::Flat(skin));
    pen.limb(shoulder, elbow, (0.075 * thick, 0.065 * thick), Paint::Flat(sleeve));
    pen.disc(hand, 0.032 * thick, Paint::Flat(skin));
}

fn head(pen: &mut Pen<'_>, person: Person, neck: Point, skin: Rgb) {
    let radius = if person.age == Age::Child { 0.122 } else { 0.088 };
    let (x, y) = (neck.0 + 0.012, neck.1 + radius * 1.02);
    let hair = HAIR[usize::from(person.hair) % HAIR.len()];
    pen.limb(neck, (x, y), (0.06, 0.06), Paint::Flat(brighter(skin, 0.85)));
    if person.sex == Sex::Female {
        // Long hair falls down the back.
        pen.limb(
            (x - radius * 0.55, y + radius * 0.2),
            (x - radius * 0.85, y - radius * 1.5),
            (radius * 1.1, radius * 0.8),
            Paint::Flat(brighter(hair, 0.85)),
        );
    }
    pen.disc((x, y), radius, Paint::Flat(hair));
    pen.ellipse(
        (x + radius * 0.2, y - radius * 0.12),
        (radius * 0.82, radius * 0.86),
        0.0,
        Paint::Flat(skin),
    );
    pen.disc((x + radius * 0.55, y), radius * 0.13, Paint::Flat(rgb(0x221a18)));
    pen.disc((x + radius * 0.05, y), radius * 0.12, Paint::Flat(rgb(0x221a18)));
    pen.line(
        (x + radius * 0.2, y - radius * 0.5),
        (x + radius * 0.6, y - radius * 0.45),
        radius * 0.1,
        Paint::Flat(mix(skin, rgb(0xa02020), 0.6)),
    );
    if let Some(colour) = person.hat {
        let felt = paint(colour);
        pen.ellipse(
            (x, y + radius * 0.62),
            (radius * 1.02, radius * 0.7),
            0.0,
            Paint::Shaded(felt),
        );
        pen.limb(
            (x - radius * 0.9, y + radius * 0.42),
            (x + radius * 1.6, y + radius * 0.42),
            (radius * 0.32, radius * 0.26),
            Paint::Flat(brighter(felt, 0.82)),
        );
    }
}

/// Only head, shoulders and an arm show.
fn swim(pen: &mut Pen<'_>, person: Person) {
    let skin = SKIN[usize::from(person.skin) % SKIN.len()];
    let old = pen.canvas.floor;
    pen.canvas.floor = pen.origin.1;
    pen.limb((-0.42, -0.02), (-0.02, 0.03), (0.1, 0.18), Paint::Shaded(paint(person.top)));
    pen.limb((-0.1, 0.06), (0.12, 0.24), (0.075, 0.06), Paint::Flat(brighter(skin, 0.8)));
    pen.limb((0.12, 0.24), (0.34, 0.06), (0.06, 0.045), Paint::Flat(skin));
    head(pen, person, (0.04, 0.04), skin);
    pen.canvas.floor = old;
    super::animal::ripples(pen, 0.5);
}

fn mix_point(a: Point, b: Point, share: f32) -> Point {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}
