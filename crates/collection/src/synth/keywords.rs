//! From a scene to keywords: a small controlled list, always true, always the same words.

use super::scene::{
    Action, Age, Colour, Figure, Person, Scene, Setting, Sex, Sky, Species, Thing, Vehicle, Weather,
};

/// The keywords of a scene, what it is about first.
pub(super) fn keywords(scene: &Scene) -> Vec<String> {
    let mut words: Vec<&str> = Vec::new();
    for actor in &scene.actors {
        words.push(name(actor.figure));
        words.extend(colour(actor.figure).map(colour_name));
    }
    if let Some(first) = scene.actors.first() {
        words.extend(action(first.action));
    }
    words.extend(setting(scene.setting));
    words.extend(match scene.sky {
        Sky::Day => Some("sun"),
        Sky::Overcast => Some("clouds"),
        Sky::Sunset => Some("sunset"),
        Sky::Night => Some("night"),
    });
    words.extend(match scene.weather {
        Weather::Dry => None,
        Weather::Rain => Some("rain"),
        Weather::Snow => Some("snow"),
    });
    let mut seen: Vec<String> = Vec::new();
    for word in words {
        if !seen.iter().any(|known| known == word) {
            seen.push(word.to_owned());
        }
    }
    seen
}

fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::Person(Person { age: Age::Adult, sex: Sex::Male, .. }) => "man",
        Figure::Person(Person { age: Age::Adult, sex: Sex::Female, .. }) => "woman",
        Figure::Person(Person { age: Age::Child, sex: Sex::Male, .. }) => "boy",
        Figure::Person(Person { age: Age::Child, sex: Sex::Female, .. }) => "girl",
        Figure::Animal(species, _) => match species {
            Species::Dog => "dog",
            Species::Cat => "cat",
            Species::Horse => "horse",
            Species::Cow => "cow",
            Species::Sheep => "sheep",
            Species::Bird => "bird",
            Species::Duck => "duck",
        },
        Figure::Vehicle(vehicle, _) => match vehicle {
            Vehicle::Car => "car",
            Vehicle::Bus => "bus",
            Vehicle::Truck => "truck",
            Vehicle::Bicycle => "bicycle",
            Vehicle::Boat => "boat",
        },
        Figure::Thing(thing, _) => match thing {
            Thing::Ball => "ball",
            Thing::Balloon => "balloon",
            Thing::Bench => "bench",
            Thing::Kite => "kite",
            Thing::Sandcastle => "sandcastle",
            Thing::Snowman => "snowman",
            Thing::Tent => "tent",
            Thing::Umbrella => "umbrella",
        },
    }
}

fn colour(figure: Figure) -> Option<Colour> {
    match figure {
        Figure::Person(person) => Some(person.top),
        Figure::Animal(_, colour) | Figure::Vehicle(_, colour) => Some(colour),
        Figure::Thing(Thing::Bench | Thing::Sandcastle | Thing::Snowman, _) => None,
        Figure::Thing(_, colour) => Some(colour),
    }
}

fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "red",
        Colour::Orange => "orange",
        Colour::Yellow => "yellow",
        Colour::Green => "green",
        Colour::Blue => "blue",
        Colour::Purple => "purple",
        Colour::Pink => "pink",
        Colour::Brown => "brown",
        Colour::Black => "black",
        Colour::White => "white",
        Colour::Grey => "grey",
    }
}

fn action(action: Action) -> Option<&'static str> {
    Some(match action {
        Action::Run => "running",
        Action::Jump => "jumping",
        Action::Walk => "walking",
        Action::Sit => "sitting",
        Action::Lie => "lying",
        Action::Swim => "swimming",
        Action::Fly => "flying",
        Action::Ride => "riding",
        Action::Throw => "throwing",
        Action::Kick => "kicking",
        Action::Wave => "waving",
        Action::Graze => "grazing",
        Action::Sail => "sailing",
        Action::Rest | Action::Stand | Action::Hold | Action::Drive => return None,
    })
}

fn setting(setting: Setting) -> &'static [&'static str] {
    match setting {
        Setting::Meadow => &["grass", "field"],
        Setting::Beach => &["beach", "sand", "sea"],
        Setting::Street => &["street", "buildings"],
        Setting::SnowField => &["snow", "winter"],
        Setting::Lake => &["lake", "water"],
        Setting::Forest => &["forest", "trees"],
        Setting::Mountains => &["mountains"],
        Setting::Desert => &["desert", "sand"],
    }
}
