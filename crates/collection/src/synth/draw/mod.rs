//! From a scene to pixels.

mod animal;
mod backdrop;
mod palette;
mod person;
mod thing;
mod vehicle;

use image::RgbImage;

use super::canvas::{Canvas, Paint, Pen, Rgb};
use super::dice::Dice;
use super::scene::{Action, Actor, Bond, Figure, Scene, Sky, Species, Weather};

/// Draws a scene. `dice` only moves what nobody speaks of: clouds, trees, grain.
pub(super) fn draw(scene: &Scene, dice: &mut Dice) -> RgbImage {
    let size = scene.shot.size;
    let mut canvas = Canvas::new(size.width, size.height);
    backdrop::draw(&mut canvas, scene, dice);
    canvas.light = daylight(scene.sky);
    let mut order: Vec<usize> = (0..scene.actors.len()).collect();
    order.sort_by(|&a, &b| scene.actors[a].at.1.total_cmp(&scene.actors[b].at.1));
    if matches!(
        scene.bond,
        Some(Bond::Rides | Bond::SitsOn | Bond::Holds | Bond::Throws | Bond::Kicks)
    ) {
        together(&mut canvas, scene, dice);
    } else {
        for k in order {
            group(&mut canvas, &scene.actors[k], dice);
        }
        if scene.bond == Some(Bond::Leads) {
            leash(&mut canvas, &scene.actors[0], &scene.actors[1]);
        }
    }
    backdrop::precipitation(&mut canvas, scene.weather, dice);
    canvas.blur(scene.shot.blur);
    expose(&mut canvas, scene, dice);
    canvas.finish()
}

/// The colour of the light at this hour.
fn daylight(sky: Sky) -> Rgb {
    match sky {
        Sky::Day => [1.0, 1.0, 1.0],
        Sky::Overcast => [0.84, 0.87, 0.9],
        Sky::Sunset => [1.02, 0.84, 0.7],
        Sky::Night => [0.46, 0.5, 0.68],
    }
}

/// A pen at an actor's feet.
fn pen<'a>(canvas: &'a mut Canvas, actor: &Actor) -> Pen<'a> {
    let (width, height) = (canvas.width(), canvas.height());
    Pen {
        origin: (actor.at.0 * width, actor.at.1 * height),
        scale: actor.scale * height * actor.figure.stature(),
        sign: actor.facing.sign(),
        tilt: 0.0,
        canvas,
    }
}

/// All of an actor's figures: the first in its place, the others around it.
fn group(canvas: &mut Canvas, actor: &Actor, dice: &mut Dice) {
    let count = f32::from(actor.count);
    let aspect = canvas.width() / canvas.height();
    let apart = actor.figure.breadth() * actor.scale / aspect;
    let loose = matches!(actor.action, Action::Fly | Action::Swim | Action::Graze | Action::Sail);
    for k in 0..actor.count {
        let along = f32::from(k) - (count - 1.0) / 2.0;
        let mut one = *actor;
        one.at.0 += along * apart * 1.12;
        let rise = if loose { 0.09 } else { 0.035 };
        if actor.count > 1 {
            one.at.1 += dice.between(-rise, 0.0);
            one.scale *= dice.between(0.92, 1.04);
        }
        figure(canvas, &one, dice);
    }
}

fn figure(canvas: &mut Canvas, actor: &Actor, dice: &mut Dice) {
    if !matches!(actor.action, Action::Fly | Action::Swim | Action::Sail) {
        shadow(canvas, actor);
    }
    let mut pen = pen(canvas, actor);
    match actor.figure {
        Figure::Person(person) => person::draw(&mut pen, person, actor.action),
        Figure::Animal(species, coat) => animal::draw(&mut pen, species, coat, actor.action),
        Figure::Vehicle(kind, colour) => vehicle::draw(&mut pen, kind, colour, dice),
        Figure::Thing(kind, colour) => thing::draw(&mut pen, kind, colour),
    }
}

fn shadow(canvas: &mut Canvas, actor: &Actor) {
    let lift = if actor.action == Action::Jump { 0.7 } else { 1.0 };
    let breadth = actor.figure.breadth() * actor.scale * canvas.height() * 0.46 * lift;
    let centre = (actor.at.0 * canvas.width(), actor.at.1 * canvas.height());
    canvas.ellipse(centre, (breadth, breadth * 0.16), 0.0, Paint::Glow([0.05, 0.06, 0.1], 0.3));
}

/// Two actors that touch: rider and mount, sitter and seat, hand and ball.
fn together(canvas: &mut Canvas, scene: &Scene, dice: &mut Dice) {
    let [first, second] = [scene.actors[0], scene.actors[1]];
    let Figure::Person(who) = first.figure else { return };
    match (scene.bond, second.figure) {
        (Some(Bond::Rides), Figure::Animal(Species::Horse, coat)) => {
            shadow(canvas, &second);
            let ratio = first.figure.stature() / second.figure.stature();
            let mut pen = pen(canvas, &second);
            animal::draw(&mut pen, Species::Horse, coat, Action::Run);
            person::draw_rider(
                &mut pen.part((-0.04, 0.66), ratio * 0.92, 0.0),
                who,
                person::Seat::Horse,
            );
        }
        (Some(Bond::Rides), Figure::Vehicle(kind, colour)) => {
            shadow(canvas, &second);
            let ratio = first.figure.stature() / second.figure.stature();
            let mut pen = pen(canvas, &second);
            vehicle::draw(&mut pen, kind, colour, dice);
            person::draw_rider(
                &mut pen.part((-0.2, 0.98), ratio * 0.95, 0.0),
                who,
                person::Seat::Bicycle,
            );
        }
        (Some(Bond::SitsOn), _) => {
            figure(canvas, &second, dice);
            let mut pen = pen(canvas, &first);
            let seat = second.figure.stature() * 0.5 / first.figure.stature();
            person::draw_rider(&mut pen.part((0.0, seat), 1.0, 0.0), who, person::Seat::Bench);
        }
        (_, Figure::Thing(kind, colour)) => {
            shadow(canvas, &first);
            let mut pen = pen(canvas, &first);
            let ratio = second.figure.stature() / first.figure.stature();
            let hand = person::hand(first.action, kind);
            person::draw_holding(&mut pen, who, first.action, kind);
            thing::draw(&mut pen.part(hand, ratio, 0.0), kind, colour);
        }
        _ => {}
    }
}

fn leash(canvas: &mut Canvas, person: &Actor, dog: &Actor) {
    let (width, height) = (canvas.width(), canvas.height());
    let sign = person.facing.sign();
    let tall = person.scale * height * person.figure.stature();
    let hand = (person.at.0 * width + sign * 0.16 * tall, person.at.1 * height - 0.47 * tall);
    let small = dog.scale * height * dog.figure.stature();
    let collar = (dog.at.0 * width + sign * 0.38 * small, dog.at.1 * height - 0.72 * small);
    canvas.limb(hand, collar, (1.2, 1.2), Paint::Flat([0.25, 0.12, 0.1]));
}

/// Exposure and the grain of the film.
fn expose(canvas: &mut Canvas, scene: &Scene, dice: &mut Dice) {
    let haze = match scene.weather {
        Weather::Rain => 0.06,
        Weather::Snow => 0.08,
        Weather::Dry => 0.0,
    };
    for pixel in canvas.pixels_mut() {
        let grain = dice.bell() * scene.shot.grain;
        for value in pixel {
            *value = (*value * (1.0 - haze) + 0.7 * haze) * scene.shot.exposure + grain;
        }
    }
}
