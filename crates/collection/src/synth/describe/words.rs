//! The words people have for what the synthetic world shows: synonyms, each with a weight.

use super::super::scene::{
    Action, Age, Bond, Colour, Figure, Person, Setting, Sex, Sky, Species, Thing, Vehicle, Weather,
};

/// One and many: `puppy`, `puppies`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noun(pub(super) &'static str, pub(super) &'static str);

/// They do, it does, doing: `run`, `runs`, `running`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verb(pub(super) &'static str, pub(super) &'static str, pub(super) &'static str);

/// Synonyms with their weights.
pub(super) type Choice<T> = &'static [(f32, T)];

pub(super) fn nouns(figure: Figure) -> Choice<Noun> {
    match figure {
        Figure::Person(Person { age: Age::Adult, sex: Sex::Male, .. }) => &[
            (6.0, Noun("man", "men")),
            (1.0, Noun("guy", "guys")),
            (1.0, Noun("person", "people")),
            (0.3, Noun("gentleman", "gentlemen")),
        ],
        Figure::Person(Person { age: Age::Adult, sex: Sex::Female, .. }) => &[
            (6.0, Noun("woman", "women")),
            (1.2, Noun("lady", "ladies")),
            (1.0, Noun("person", "people")),
        ],
        Figure::Person(Person { age: Age::Child, sex: Sex::Male, .. }) => &[
            (5.0, Noun("boy", "boys")),
            (1.5, Noun("child", "children")),
            (1.0, Noun("kid", "kids")),
            (0.7, Noun("little boy", "little boys")),
            (0.6, Noun("young boy", "young boys")),
        ],
        Figure::Person(Person { age: Age::Child, sex: Sex::Female, .. }) => &[
            (5.0, Noun("girl", "girls")),
            (1.5, Noun("child", "children")),
            (1.0, Noun("kid", "kids")),
            (0.9, Noun("little girl", "little girls")),
            (0.6, Noun("young girl", "young girls")),
        ],
        Figure::Animal(species, _) => match species {
            Species::Dog => &[
                (6.0, Noun("dog", "dogs")),
                (0.8, Noun("puppy", "puppies")),
                (0.5, Noun("hound", "hounds")),
            ],
            Species::Cat => &[
                (6.0, Noun("cat", "cats")),
                (0.8, Noun("kitten", "kittens")),
                (0.4, Noun("kitty", "kitties")),
            ],
            Species::Horse => &[(6.0, Noun("horse", "horses")), (0.8, Noun("pony", "ponies"))],
            Species::Cow => &[(6.0, Noun("cow", "cows")), (0.5, Noun("calf", "calves"))],
            Species::Sheep => &[(6.0, Noun("sheep", "sheep")), (0.8, Noun("lamb", "lambs"))],
            Species::Bird => &[(6.0, Noun("bird", "birds"))],
            Species::Duck => &[(6.0, Noun("duck", "ducks")), (0.8, Noun("bird", "birds"))],
        },
        Figure::Vehicle(vehicle, _) => match vehicle {
            Vehicle::Car => &[
                (6.0, Noun("car", "cars")),
                (0.5, Noun("vehicle", "vehicles")),
                (0.3, Noun("automobile", "automobiles")),
            ],
            Vehicle::Bus => &[(6.0, Noun("bus", "buses")), (0.4, Noun("coach", "coaches"))],
            Vehicle::Truck => &[(5.0, Noun("truck", "trucks")), (1.2, Noun("lorry", "lorries"))],
            Vehicle::Bicycle => &[(4.0, Noun("bike", "bikes")), (3.0, Noun("bicycle", "bicycles"))],
            Vehicle::Boat => &[
                (4.0, Noun("boat", "boats")),
                (2.5, Noun("sailboat", "sailboats")),
                (0.6, Noun("sailing boat", "sailing boats")),
            ],
        },
        Figure::Thing(thing, _) => match thing {
            Thing::Ball => &[(1.0, Noun("ball", "balls"))],
            Thing::Balloon => &[(1.0, Noun("balloon", "balloons"))],
            Thing::Bench => &[(5.0, Noun("bench", "benches")), (0.6, Noun("seat", "seats"))],
            Thing::Kite => &[(1.0, Noun("kite", "kites"))],
            Thing::Sandcastle => &[
                (4.0, Noun("sandcastle", "sandcastles")),
                (1.0, Noun("sand castle", "sand castles")),
            ],
            Thing::Snowman => &[(1.0, Noun("snowman", "snowmen"))],
            Thing::Tent => &[(1.0, Noun("tent", "tents"))],
            Thing::Umbrella => &[(1.0, Noun("umbrella", "umbrellas"))],
        },
    }
}

/// Colour words; animals have some of their own.
pub(super) fn colours(figure: Figure, colour: Colour) -> Choice<&'static str> {
    match (figure, colour) {
        (Figure::Animal(Species::Dog, _), Colour::Yellow) => {
            &[(3.0, "golden"), (1.5, "yellow"), (1.0, "tan")]
        }
        (Figure::Animal(Species::Cat, _), Colour::Orange) => &[(3.0, "orange"), (2.0, "ginger")],
        (Figure::Animal(..), Colour::Brown) => &[(6.0, "brown"), (0.6, "dark brown")],
        _ => match colour {
            Colour::Red => &[(9.0, "red"), (0.5, "bright red")],
            Colour::Orange => &[(1.0, "orange")],
            Colour::Yellow => &[(9.0, "yellow"), (0.5, "bright yellow")],
            Colour::Green => &[(1.0, "green")],
            Colour::Blue => &[(9.0, "blue"), (0.5, "dark blue")],
            Colour::Purple => &[(5.0, "purple"), (0.6, "violet")],
            Colour::Pink => &[(1.0, "pink")],
            Colour::Brown => &[(1.0, "brown")],
            Colour::Black => &[(1.0, "black")],
            Colour::White => &[(1.0, "white")],
            Colour::Grey => &[(2.0, "gray"), (2.0, "grey"), (0.6, "silver")],
        },
    }
}

/// Verbs for what a figure does on its own.
pub(super) fn verbs(figure: Figure, action: Action) -> Choice<Verb> {
    let horse = matches!(figure, Figure::Animal(Species::Horse, _));
    match action {
        Action::Rest if matches!(figure, Figure::Vehicle(..)) => &[
            (3.0, Verb("are parked", "is parked", "parked")),
            (1.0, Verb("stand", "stands", "standing")),
        ],
        Action::Rest | Action::Stand => {
            &[(5.0, Verb("stand", "stands", "standing")), (0.8, Verb("wait", "waits", "waiting"))]
        }
        Action::Walk | Action::Hold => &[
            (5.0, Verb("walk", "walks", "walking")),
            (0.8, Verb("stroll", "strolls", "strolling")),
        ],
        Action::Run if horse => {
            &[(3.0, Verb("run", "runs", "running")), (3.0, Verb("gallop", "gallops", "galloping"))]
        }
        Action::Run => &[
            (6.0, Verb("run", "runs", "running")),
            (0.7, Verb("race", "races", "racing")),
            (0.5, Verb("sprint", "sprints", "sprinting")),
        ],
        Action::Jump => {
            &[(5.0, Verb("jump", "jumps", "jumping")), (1.2, Verb("leap", "leaps", "leaping"))]
        }
        Action::Sit => {
            &[(6.0, Verb("sit", "sits", "sitting")), (0.6, Verb("rest", "rests", "resting"))]
        }
        Action::Lie => {
            &[(5.0, Verb("lie", "lies", "lying")), (0.8, Verb("rest", "rests", "resting"))]
        }
        Action::Swim => &[
            (6.0, Verb("swim", "swims", "swimming")),
            (0.8, Verb("paddle", "paddles", "paddling")),
        ],
        Action::Fly => {
            &[(6.0, Verb("fly", "flies", "flying")), (0.8, Verb("soar", "soars", "soaring"))]
        }
        Action::Wave => &[
            (5.0, Verb("wave", "waves", "waving")),
            (1.0, Verb("are waving", "is waving", "waving a hand")),
        ],
        Action::Throw => &[(1.0, Verb("throw", "throws", "throwing"))],
        Action::Kick => &[(1.0, Verb("kick", "kicks", "kicking"))],
        Action::Ride => &[(1.0, Verb("ride", "rides", "riding"))],
        Action::Drive => &[
            (5.0, Verb("drive", "drives", "driving")),
            (1.0, Verb("travel", "travels", "traveling")),
        ],
        Action::Sail => {
            &[(5.0, Verb("sail", "sails", "sailing")), (1.5, Verb("float", "floats", "floating"))]
        }
        Action::Graze => &[
            (4.0, Verb("graze", "grazes", "grazing")),
            (2.0, Verb("eat grass", "eats grass", "eating grass")),
        ],
    }
}

/// Verbs that take the second actor as their object.
pub(super) fn bond_verbs(bond: Bond, object: Figure) -> Choice<Verb> {
    match (bond, object) {
        (Bond::Rides, _) => {
            &[(5.0, Verb("ride", "rides", "riding")), (1.5, Verb("are on", "is on", "on"))]
        }
        (Bond::Holds, Figure::Thing(Thing::Kite, _)) => &[
            (5.0, Verb("fly", "flies", "flying")),
            (1.5, Verb("play with", "plays with", "playing with")),
        ],
        (Bond::Holds, _) => &[
            (5.0, Verb("hold", "holds", "holding")),
            (1.6, Verb("carry", "carries", "carrying")),
            (1.0, Verb("stand with", "stands with", "with")),
        ],
        (Bond::Throws, _) => {
            &[(4.0, Verb("throw", "throws", "throwing")), (1.5, Verb("toss", "tosses", "tossing"))]
        }
        (Bond::Kicks, _) => &[
            (6.0, Verb("kick", "kicks", "kicking")),
            (1.0, Verb("play with", "plays with", "playing with")),
        ],
        (Bond::Chases, _) => &[
            (5.0, Verb("chase", "chases", "chasing")),
            (2.0, Verb("run after", "runs after", "running after")),
            (0.7, Verb("follow", "follows", "following")),
        ],
        (Bond::SitsOn, _) => &[
            (5.0, Verb("sit on", "sits on", "sitting on")),
            (1.0, Verb("rest on", "rests on", "resting on")),
        ],
        (Bond::Builds, _) => &[
            (4.0, Verb("build", "builds", "building")),
            (2.0, Verb("make", "makes", "making")),
            (1.0, Verb("sit by", "sits by", "sitting by")),
        ],
        (Bond::Leads, _) => &[
            (4.0, Verb("walk", "walks", "walking")),
            (2.0, Verb("walk with", "walks with", "walking with")),
        ],
        (Bond::Beside | Bond::Behind | Bond::InFrontOf, _) => &[],
    }
}

/// How the second actor undergoes it: `chased`; none where nobody would say so.
pub(super) fn passives(bond: Bond) -> Choice<&'static str> {
    match bond {
        Bond::Rides => &[(1.0, "ridden")],
        Bond::Holds => &[(2.0, "held"), (1.0, "carried")],
        Bond::Throws => &[(2.0, "thrown"), (1.0, "tossed")],
        Bond::Kicks => &[(1.0, "kicked")],
        Bond::Chases => &[(3.0, "chased"), (1.0, "followed")],
        Bond::Builds => &[(2.0, "built"), (1.0, "made")],
        Bond::Leads => &[(1.0, "walked")],
        Bond::SitsOn | Bond::Beside | Bond::Behind | Bond::InFrontOf => &[],
    }
}

/// Where one stands in relation to the other.
pub(super) fn prepositions(bond: Bond) -> Choice<&'static str> {
    match bond {
        Bond::Behind => &[(1.0, "behind")],
        Bond::InFrontOf => &[(4.0, "in front of"), (1.0, "near")],
        _ => &[(3.0, "next to"), (2.0, "beside"), (1.0, "near"), (1.0, "with")],
    }
}

/// Where it happens, for those who stay where they are.
pub(super) fn places(setting: Setting) -> Choice<&'static str> {
    match setting {
        Setting::Meadow => &[
            (3.0, "on the grass"),
            (1.5, "in a field"),
            (1.5, "in the park"),
            (1.0, "in a green meadow"),
            (1.0, "on a grassy field"),
        ],
        Setting::Beach => &[
            (4.0, "on the beach"),
            (1.5, "on the sand"),
            (1.0, "by the sea"),
            (1.0, "near the ocean"),
            (0.6, "at the shore"),
        ],
        Setting::Street => &[
            (3.0, "on the street"),
            (1.5, "on the road"),
            (1.0, "in the city"),
            (0.8, "in front of some buildings"),
            (0.6, "in town"),
        ],
        Setting::SnowField => &[
            (4.0, "in the snow"),
            (1.0, "on a snowy field"),
            (0.8, "on the snow"),
            (0.6, "in a winter landscape"),
        ],
        Setting::Lake => &[
            (3.0, "on the lake"),
            (2.0, "on the water"),
            (0.8, "on a calm lake"),
            (0.6, "near the wooded hills"),
        ],
        Setting::Forest => {
            &[(3.0, "in the forest"), (2.5, "in the woods"), (1.0, "among the trees")]
        }
        Setting::Mountains => &[
            (3.0, "in the mountains"),
            (1.2, "in front of the mountains"),
            (1.0, "with mountains in the background"),
        ],
        Setting::Desert => &[(4.0, "in the desert"), (1.0, "on the sand"), (0.8, "near a cactus")],
    }
}

/// Where it happens, for those who go somewhere.
pub(super) fn paths(setting: Setting) -> Choice<&'static str> {
    match setting {
        Setting::Meadow => {
            &[(2.0, "across the grass"), (1.5, "through a field"), (1.0, "across a meadow")]
        }
        Setting::Beach => {
            &[(2.0, "along the beach"), (1.0, "along the shore"), (1.0, "across the sand")]
        }
        Setting::Street => {
            &[(2.0, "down the street"), (1.5, "along the road"), (1.0, "through the city")]
        }
        Setting::SnowField => &[(3.0, "through the snow"), (1.0, "across the snow")],
        Setting::Lake => &[(2.0, "across the lake"), (1.5, "through the water")],
        Setting::Forest => &[(2.0, "through the forest"), (2.0, "through the woods")],
        Setting::Mountains => &[(2.0, "through the mountains"), (1.0, "up a mountain path")],
        Setting::Desert => &[(2.0, "across the desert"), (1.0, "through the sand")],
    }
}

/// Where it happens, in the air.
pub(super) fn heights(setting: Setting) -> Choice<&'static str> {
    match setting {
        Setting::Meadow => &[(2.0, "over a field"), (1.0, "above the grass"), (1.0, "in the sky")],
        Setting::Beach => &[(2.0, "over the beach"), (1.5, "over the sea"), (1.0, "in the sky")],
        Setting::Street => &[(2.0, "over the street"), (1.0, "in the sky")],
        Setting::SnowField => &[(2.0, "over the snow"), (1.0, "in the sky")],
        Setting::Lake => &[(2.0, "over the lake"), (1.5, "above the water"), (1.0, "in the sky")],
        Setting::Forest => &[(2.0, "in the forest"), (1.0, "among the trees")],
        Setting::Mountains => &[(2.0, "over the mountains"), (1.0, "in the sky")],
        Setting::Desert => &[(2.0, "over the desert"), (1.0, "in the sky")],
    }
}

/// In the water rather than on it.
pub(super) const WATERS: Choice<&str> =
    &[(3.0, "in the water"), (2.0, "in the lake"), (0.8, "in a lake"), (0.6, "in the blue water")];

/// A view, for those who begin with it: `the beach at sunset`.
pub(super) fn views(setting: Setting) -> Choice<&'static str> {
    match setting {
        Setting::Meadow => &[(2.0, "a green field"), (1.0, "a park"), (1.0, "a meadow with trees")],
        Setting::Beach => &[(3.0, "a beach"), (1.0, "a sandy beach"), (1.0, "the sea")],
        Setting::Street => &[(3.0, "a street"), (1.0, "a city street"), (1.0, "a row of houses")],
        Setting::SnowField => &[(2.0, "a snowy field"), (1.0, "a snowy landscape")],
        Setting::Lake => &[(3.0, "a lake"), (1.0, "a lake with hills behind it")],
        Setting::Forest => &[(3.0, "a forest"), (1.0, "the woods")],
        Setting::Mountains => &[(3.0, "the mountains"), (1.0, "high mountains")],
        Setting::Desert => &[(3.0, "the desert"), (1.0, "a sandy desert")],
    }
}

/// The hour and the weather.
pub(super) fn hours(sky: Sky, weather: Weather) -> Choice<&'static str> {
    match (weather, sky) {
        (Weather::Rain, Sky::Night) => &[(2.0, "on a rainy night"), (1.0, "in the rain at night")],
        (Weather::Rain, _) => {
            &[(4.0, "in the rain"), (1.5, "on a rainy day"), (0.6, "while it rains")]
        }
        (Weather::Snow, _) => {
            &[(2.0, "while it is snowing"), (1.5, "in the falling snow"), (1.0, "on a snowy day")]
        }
        (Weather::Dry, Sky::Day) => &[
            (3.0, "on a sunny day"),
            (1.5, "in the sunshine"),
            (1.0, "under a blue sky"),
            (0.6, "in the sun"),
        ],
        (Weather::Dry, Sky::Overcast) => {
            &[(2.0, "under a cloudy sky"), (1.5, "on a cloudy day"), (0.8, "on a gray day")]
        }
        (Weather::Dry, Sky::Sunset) => {
            &[(4.0, "at sunset"), (1.0, "in the evening"), (0.8, "as the sun goes down")]
        }
        (Weather::Dry, Sky::Night) => {
            &[(4.0, "at night"), (1.0, "in the dark"), (0.8, "under the stars")]
        }
    }
}
