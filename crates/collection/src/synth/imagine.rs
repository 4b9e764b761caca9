//! Makes up a scene: where, when, who does what to whom, and how the picture is taken.

use super::dice::Dice;
use super::scene::{
    Action, Actor, Age, Below, Bond, Colour, Facing, Figure, Person, Scene, Setting, Sex, Shot,
    Sky, Species, Thing, Vehicle, Weather,
};
use crate::Size;

/// A scene, from chance alone.
pub(super) fn imagine(dice: &mut Dice) -> Scene {
    let setting = dice.weighted([
        (2.2, Setting::Meadow),
        (1.8, Setting::Beach),
        (2.0, Setting::Street),
        (1.3, Setting::SnowField),
        (1.4, Setting::Lake),
        (1.1, Setting::Forest),
        (0.9, Setting::Mountains),
        (0.7, Setting::Desert),
    ]);
    let sky = sky(dice, setting);
    let weather = weather(dice, setting, sky);
    let shot = shot(dice);
    let plot = plot(dice, setting, weather);
    let (actors, bond) = place(dice, plot, setting, &shot);
    Scene { setting, sky, weather, actors, bond, shot }
}

fn sky(dice: &mut Dice, setting: Setting) -> Sky {
    let night = if setting == Setting::Street { 0.9 } else { 0.5 };
    dice.weighted([(2.4, Sky::Day), (1.2, Sky::Overcast), (1.0, Sky::Sunset), (night, Sky::Night)])
}

fn weather(dice: &mut Dice, setting: Setting, sky: Sky) -> Weather {
    let cold = matches!(setting, Setting::SnowField | Setting::Mountains);
    let dry = matches!(setting, Setting::Desert);
    match sky {
        _ if dry => Weather::Dry,
        Sky::Overcast if cold => dice.weighted([(0.4, Weather::Dry), (0.6, Weather::Snow)]),
        Sky::Overcast => dice.weighted([(0.45, Weather::Dry), (0.55, Weather::Rain)]),
        Sky::Night if cold => dice.weighted([(0.6, Weather::Dry), (0.4, Weather::Snow)]),
        Sky::Night => dice.weighted([(0.85, Weather::Dry), (0.15, Weather::Rain)]),
        Sky::Day | Sky::Sunset => Weather::Dry,
    }
}

fn shot(dice: &mut Dice) -> Shot {
    let (width, height) =
        dice.weighted([(6.0, (256, 192)), (2.0, (240, 180)), (1.0, (256, 171)), (1.5, (192, 240))]);
    Shot {
        size: Size { width, height },
        horizon: dice.between(0.36, 0.58),
        exposure: dice.between(0.88, 1.08),
        grain: dice.between(0.004, 0.028),
        blur: if dice.chance(0.3) { dice.between(0.2, 0.9) } else { 0.0 },
    }
}

/// Who does what, before anybody has a place.
struct Plot {
    cast: Vec<(Figure, u8, Action)>,
    bond: Option<Bond>,
}

impl Plot {
    fn alone(figure: Figure, action: Action) -> Self {
        Self::many(figure, 1, action)
    }

    fn many(figure: Figure, count: u8, action: Action) -> Self {
        Self { cast: vec![(figure, count, action)], bond: None }
    }

    fn bound(first: (Figure, Action), bond: Bond, second: (Figure, Action)) -> Self {
        Self { cast: vec![(first.0, 1, first.1), (second.0, 1, second.1)], bond: Some(bond) }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    PersonActs,
    PeopleAct,
    PersonRides,
    PersonHolds,
    PersonPlaysBall,
    PersonLeadsDog,
    PersonWithAnimal,
    PersonOnBench,
    PersonBuilds,
    AnimalActs,
    AnimalsGraze,
    AnimalChases,
    AnimalPair,
    VehicleDrives,
    VehicleWithPerson,
    BoatSails,
    Swimmer,
    BirdsFly,
    Camp,
}

fn plot(dice: &mut Dice, setting: Setting, weather: Weather) -> Plot {
    use Kind::*;
    let kind = match setting {
        Setting::Meadow => dice.weighted([
            (1.4, PersonActs),
            (0.8, PeopleAct),
            (1.0, PersonRides),
            (1.0, PersonHolds),
            (1.4, PersonPlaysBall),
            (0.9, PersonLeadsDog),
            (0.9, PersonWithAnimal),
            (0.8, PersonOnBench),
            (1.4, AnimalActs),
            (1.3, AnimalsGraze),
            (1.4, AnimalChases),
            (0.7, AnimalPair),
            (0.4, BirdsFly),
        ]),
        Setting::Beach => dice.weighted([
            (1.4, PersonActs),
            (0.8, PeopleAct),
            (0.8, PersonRides),
            (1.0, PersonHolds),
            (1.2, PersonPlaysBall),
            (1.0, PersonLeadsDog),
            (0.9, PersonBuilds),
            (1.3, AnimalActs),
            (1.1, AnimalChases),
            (0.7, BirdsFly),
        ]),
        Setting::Street => dice.weighted([
            (1.0, PersonActs),
            (0.6, PeopleAct),
            (1.4, PersonRides),
            (0.9, PersonHolds),
            (0.8, PersonLeadsDog),
            (0.8, PersonOnBench),
            (0.5, AnimalActs),
            (0.6, AnimalPair),
            (3.2, VehicleDrives),
            (1.5, VehicleWithPerson),
        ]),
        Setting::SnowField => dice.weighted([
            (1.4, PersonActs),
            (0.8, PeopleAct),
            (0.6, PersonRides),
            (0.6, PersonPlaysBall),
            (0.8, PersonLeadsDog),
            (1.6, PersonBuilds),
            (1.5, AnimalActs),
            (1.2, AnimalChases),
        ]),
        Setting::Lake => dice.weighted([(2.4, BoatSails), (2.2, Swimmer), (0.6, BirdsFly)]),
        Setting::Forest => dice.weighted([
            (1.4, PersonActs),
            (0.6, PeopleAct),
            (1.2, PersonRides),
            (0.8, PersonLeadsDog),
            (0.8, PersonHolds),
            (1.4, AnimalActs),
            (1.0, AnimalChases),
            (1.0, Camp),
        ]),
        Setting::Mountains => dice.weighted([
            (1.2, PersonActs),
            (0.8, PeopleAct),
            (1.0, PersonRides),
            (0.7, PersonLeadsDog),
            (1.0, AnimalsGraze),
            (0.8, AnimalActs),
            (1.2, Camp),
            (0.6, BirdsFly),
        ]),
        Setting::Desert => dice.weighted([
            (1.2, PersonActs),
            (1.4, PersonRides),
            (1.0, VehicleDrives),
            (0.8, AnimalActs),
            (0.8, Camp),
            (0.5, BirdsFly),
        ]),
    };
    act_out(dice, kind, setting, weather)
}

fn act_out(dice: &mut Dice, kind: Kind, setting: Setting, weather: Weather) -> Plot {
    match kind {
        Kind::PersonActs => {
            let person = person(dice, weather);
            Plot::alone(
                person,
                dice.pick([
                    Action::Stand,
                    Action::Walk,
                    Action::Run,
                    Action::Jump,
                    Action::Sit,
                    Action::Wave,
                ]),
            )
        }
        Kind::PeopleAct => {
            let action = dice.pick([Action::Stand, Action::Walk, Action::Run, Action::Jump]);
            if dice.chance(0.5) {
                return Plot::many(person(dice, weather), 2 + dice.below(2) as u8, action);
            }
            let (first, second) = (person(dice, weather), person(dice, weather));
            Plot::bound((first, action), Bond::Beside, (second, action))
        }
        Kind::PersonRides => {
            let mount = if setting == Setting::Street
                || (setting == Setting::Forest && dice.chance(0.5))
                || dice.chance(0.3)
            {
                Figure::Vehicle(Vehicle::Bicycle, vehicle_colour(dice))
            } else {
                animal(dice, Species::Horse)
            };
            Plot::bound((person(dice, weather), Action::Ride), Bond::Rides, (mount, Action::Run))
        }
        Kind::PersonHolds => {
            let thing = match weather {
                Weather::Rain | Weather::Snow => Thing::Umbrella,
                Weather::Dry => {
                    dice.pick([Thing::Balloon, Thing::Kite, Thing::Ball, Thing::Umbrella])
                }
            };
            let thing = Figure::Thing(thing, bright(dice));
            Plot::bound((person(dice, weather), Action::Hold), Bond::Holds, (thing, Action::Rest))
        }
        Kind::PersonPlaysBall => {
            let ball = Figure::Thing(Thing::Ball, bright(dice));
            let (action, bond) = dice.pick([
                (Action::Throw, Bond::Throws),
                (Action::Kick, Bond::Kicks),
                (Action::Run, Bond::Chases),
            ]);
            Plot::bound((person(dice, weather), action), bond, (ball, Action::Rest))
        }
        Kind::PersonLeadsDog => {
            let dog = animal(dice, Species::Dog);
            Plot::bound((person(dice, weather), Action::Walk), Bond::Leads, (dog, Action::Walk))
        }
        Kind::PersonWithAnimal => {
            let species = dice.pick([Species::Horse, Species::Dog, Species::Cow, Species::Sheep]);
            let beast = animal(dice, species);
            let bond = dice.pick([Bond::Beside, Bond::Beside, Bond::Behind, Bond::InFrontOf]);
            Plot::bound((person(dice, weather), Action::Stand), bond, (beast, Action::Stand))
        }
        Kind::PersonOnBench => {
            let bench = Figure::Thing(Thing::Bench, Colour::Brown);
            Plot::bound((person(dice, weather), Action::Sit), Bond::SitsOn, (bench, Action::Rest))
        }
        Kind::PersonBuilds => {
            let (thing, colour) = match setting {
                Setting::SnowField => (Thing::Snowman, Colour::White),
                _ => (Thing::Sandcastle, Colour::Yellow),
            };
            let mut builder = person(dice, weather);
            if let Figure::Person(person) = &mut builder
                && dice.chance(0.7)
            {
                person.age = Age::Child;
            }
            let made = Figure::Thing(thing, colour);
            let (action, bond) =
                dice.pick([(Action::Sit, Bond::Builds), (Action::Stand, Bond::Beside)]);
            Plot::bound((builder, action), bond, (made, Action::Rest))
        }
        Kind::AnimalActs => {
            let species =
                dice.weighted([(3.0, Species::Dog), (1.5, Species::Cat), (1.2, Species::Horse)]);
            let action = match species {
                Species::Horse => dice.pick([Action::Run, Action::Stand, Action::Jump]),
                _ => {
                    dice.pick([Action::Run, Action::Jump, Action::Sit, Action::Lie, Action::Stand])
                }
            };
            let count = dice.weighted([(4.0, 1), (1.2, 2), (0.6, 3)]);
            Plot::many(animal(dice, species), count, action)
        }
        Kind::AnimalsGraze => {
            let species = dice.pick([Species::Cow, Species::Sheep, Species::Horse]);
            let count = dice.weighted([(2.0, 1), (1.5, 2), (1.5, 3), (0.8, 4)]);
            Plot::many(animal(dice, species), count, dice.pick([Action::Graze, Action::Stand]))
        }
        Kind::AnimalChases => {
            let hunter = animal(dice, Species::Dog);
            let prey = match dice.below(4) {
                0 => (animal(dice, Species::Cat), Action::Run),
                1 => (animal(dice, Species::Dog), Action::Run),
                2 => (animal(dice, Species::Bird), Action::Fly),
                _ => (Figure::Thing(Thing::Ball, bright(dice)), Action::Rest),
            };
            Plot::bound((hunter, Action::Run), Bond::Chases, prey)
        }
        Kind::AnimalPair => {
            let first = dice.pick([Species::Dog, Species::Cat]);
            let first = animal(dice, first);
            let action = dice.pick([Action::Sit, Action::Stand, Action::Lie]);
            let second = match dice.below(3) {
                0 => (Figure::Vehicle(Vehicle::Car, vehicle_colour(dice)), Action::Rest),
                1 => (Figure::Thing(Thing::Bench, Colour::Brown), Action::Rest),
                _ => (animal(dice, Species::Cat), Action::Sit),
            };
            Plot::bound((first, action), dice.pick([Bond::Beside, Bond::InFrontOf]), second)
        }
        Kind::VehicleDrives => {
            let vehicle = match setting {
                Setting::Street => {
                    dice.pick([Vehicle::Car, Vehicle::Bus, Vehicle::Truck, Vehicle::Car])
                }
                _ => dice.pick([Vehicle::Car, Vehicle::Truck]),
            };
            let count = if vehicle == Vehicle::Car && dice.chance(0.25) { 2 } else { 1 };
            let figure = Figure::Vehicle(vehicle, vehicle_colour(dice));
            Plot::many(figure, count, dice.pick([Action::Drive, Action::Rest]))
        }
        Kind::VehicleWithPerson => {
            let vehicle = dice.pick([Vehicle::Car, Vehicle::Bus, Vehicle::Truck]);
            let vehicle = Figure::Vehicle(vehicle, vehicle_colour(dice));
            let action = dice.pick([Action::Stand, Action::Walk, Action::Wave]);
            let bond = dice.pick([Bond::Beside, Bond::InFrontOf]);
            Plot::bound((person(dice, weather), action), bond, (vehicle, Action::Rest))
        }
        Kind::BoatSails => {
            let count = dice.weighted([(3.0, 1), (1.2, 2), (0.6, 3)]);
            Plot::many(Figure::Vehicle(Vehicle::Boat, bright(dice)), count, Action::Sail)
        }
        Kind::Swimmer => match dice.below(4) {
            0 => Plot::alone(animal(dice, Species::Dog), Action::Swim),
            1 => {
                let count = 1 + dice.below(4) as u8;
                Plot::many(animal(dice, Species::Duck), count, Action::Swim)
            }
            2 => Plot::bound(
                (animal(dice, Species::Dog), Action::Swim),
                Bond::Chases,
                (animal(dice, Species::Duck), Action::Swim),
            ),
            _ => Plot::many(person(dice, weather), 1 + dice.below(2) as u8, Action::Swim),
        },
        Kind::BirdsFly => {
            let count = 1 + dice.below(4) as u8;
            Plot::many(animal(dice, Species::Bird), count, Action::Fly)
        }
        Kind::Camp => {
            let tent = Figure::Thing(Thing::Tent, bright(dice));
            let action = dice.pick([Action::Sit, Action::Stand]);
            let bond = dice.pick([Bond::Beside, Bond::InFrontOf]);
            Plot::bound((person(dice, weather), action), bond, (tent, Action::Rest))
        }
    }
}

fn person(dice: &mut Dice, weather: Weather) -> Figure {
    let age = dice.weighted([(0.55, Age::Adult), (0.45, Age::Child)]);
    let sex = dice.pick([Sex::Female, Sex::Male]);
    let legs = dice.pick([Colour::Blue, Colour::Black, Colour::Grey, Colour::Brown, Colour::White]);
    let below = match sex {
        Sex::Female if dice.chance(0.35) => Below::Dress,
        _ if weather == Weather::Dry && dice.chance(0.35) => Below::Shorts(legs),
        _ => Below::Trousers(legs),
    };
    Figure::Person(Person {
        age,
        sex,
        top: dice.weighted([
            (2.0, Colour::Red),
            (1.0, Colour::Orange),
            (1.4, Colour::Yellow),
            (1.2, Colour::Green),
            (2.0, Colour::Blue),
            (0.8, Colour::Purple),
            (1.0, Colour::Pink),
            (1.0, Colour::Black),
            (1.4, Colour::White),
        ]),
        below,
        hat: dice.chance(0.3).then(|| {
            dice.pick([
                Colour::Red,
                Colour::Blue,
                Colour::Yellow,
                Colour::Black,
                Colour::White,
                Colour::Brown,
            ])
        }),
        skin: dice.below(4) as u8,
        hair: dice.below(5) as u8,
    })
}

fn animal(dice: &mut Dice, species: Species) -> Figure {
    let coat = match species {
        Species::Dog => dice.weighted([
            (1.5, Colour::Black),
            (2.0, Colour::Brown),
            (1.2, Colour::White),
            (0.6, Colour::Grey),
            (0.8, Colour::Yellow),
        ]),
        Species::Cat => dice.pick([Colour::Black, Colour::Orange, Colour::White, Colour::Grey]),
        Species::Horse => {
            dice.weighted([(2.0, Colour::Brown), (1.0, Colour::Black), (1.0, Colour::White)])
        }
        Species::Cow => dice.pick([Colour::Brown, Colour::White, Colour::Black]),
        Species::Sheep => dice.weighted([(4.0, Colour::White), (1.0, Colour::Black)]),
        Species::Bird => {
            dice.pick([Colour::Black, Colour::White, Colour::Blue, Colour::Red, Colour::Grey])
        }
        Species::Duck => dice.pick([Colour::White, Colour::Brown, Colour::Yellow]),
    };
    Figure::Animal(species, coat)
}

fn vehicle_colour(dice: &mut Dice) -> Colour {
    dice.pick([
        Colour::Red,
        Colour::Blue,
        Colour::Yellow,
        Colour::Green,
        Colour::White,
        Colour::Black,
        Colour::Orange,
        Colour::Grey,
    ])
}

fn bright(dice: &mut Dice) -> Colour {
    dice.pick([
        Colour::Red,
        Colour::Blue,
        Colour::Yellow,
        Colour::Green,
        Colour::Orange,
        Colour::Pink,
        Colour::Purple,
        Colour::White,
    ])
}

/// Gives everybody a place in the picture.
fn place(dice: &mut Dice, plot: Plot, setting: Setting, shot: &Shot) -> (Vec<Actor>, Option<Bond>) {
    let aspect = shot.size.width as f32 / shot.size.height as f32;
    let facing = dice.pick([Facing::Left, Facing::Right]);
    let sign = facing.sign();
    let span = span(&plot);
    let near = dice.between(0.0, 1.0);
    // Nothing may be wider than the picture, and large things are seen from further away.
    let tallest = plot.cast.iter().map(|(figure, ..)| figure.stature()).fold(0.1, f32::max);
    // What is held up or ridden stands above its holder.
    let tallest = match plot.bond {
        Some(Bond::Rides | Bond::Holds) => tallest + 0.4,
        _ => tallest,
    };
    let mut scale = (0.34 + 0.34 * near) / tallest.clamp(0.55, 1.0);
    scale = scale.min(0.92 * aspect / span).min(0.8 / tallest);
    let foot = (shot.horizon + (1.0 - shot.horizon) * (0.35 + 0.55 * near)).min(0.96);
    let share = |units: f32| units * scale / aspect;
    let slack = ((1.0 - share(span)) / 2.0).max(0.0) * 0.8;
    let middle = 0.5 + dice.between(-slack, slack);
    let flying = |figure: Figure, action: Action| {
        action == Action::Fly
            || matches!(figure, Figure::Animal(Species::Bird, _)) && action != Action::Stand
    };
    // How far the second is ahead of the first, and how much nearer to the viewer.
    let breadths: f32 = plot.cast.iter().map(|(figure, ..)| figure.breadth()).sum();
    let apart = breadths / 2.0 + dice.between(0.04, 0.25);
    let (ahead, depth) = match plot.bond {
        Some(Bond::Chases | Bond::Leads | Bond::Builds) => (apart, 0.0),
        Some(Bond::Beside) => (dice.pick([apart, -apart]), 0.0),
        Some(Bond::Behind) => (0.3 * apart, 0.05),
        Some(Bond::InFrontOf) => (0.3 * apart, -0.09),
        _ => (0.0, 0.0),
    };
    let mut actors = Vec::new();
    for (k, &(figure, count, action)) in plot.cast.iter().enumerate() {
        let mut actor = Actor { figure, count, action, facing, at: (middle, foot), scale };
        if flying(figure, action) {
            actor.at.1 = dice.between(0.16, shot.horizon.max(0.3));
        }
        if setting == Setting::Lake {
            actor.at.1 = actor.at.1.max(shot.horizon + 0.2);
            if flying(figure, action) {
                actor.at.1 = dice.between(0.16, shot.horizon);
            }
        }
        if plot.cast.len() == 2 {
            let half = if k == 0 { -0.5 } else { 0.5 };
            actor.at.0 += share(sign * ahead * half);
        }
        if k == 1 {
            actor.at.1 =
                if flying(figure, action) { foot - scale * 0.8 } else { actor.at.1 + depth };
            let alive = matches!(figure, Figure::Person(_) | Figure::Animal(..));
            if plot.bond == Some(Bond::Beside) && alive && dice.chance(0.5) {
                actor.facing = facing.opposite();
            }
        }
        actors.push(actor);
    }
    (actors, plot.bond)
}

/// How wide all of it is, in units of a grown-up's height.
fn span(plot: &Plot) -> f32 {
    let widths = plot
        .cast
        .iter()
        .map(|&(figure, count, _)| figure.breadth() * (0.35 + 0.75 * f32::from(count)));
    match plot.bond {
        Some(Bond::Behind | Bond::InFrontOf | Bond::Rides | Bond::SitsOn) => {
            widths.fold(0.0, f32::max)
        }
        _ => widths.sum::<f32>() + 0.2,
    }
}
