//! A small grammar of what photos show, for a pool of sentences that belongs to nobody's data.
//!
//! A sentence is somebody who does something somewhere, or a thing, a dish or a view in its place.
//! Who can do what, and where, is written down in tables; the sentences are all that they allow, in
//! the order of the tables. The words are everyday ones that the built-in model knows.

/// Who is in a picture, and whether the verb stands in the plural.
type Who = (&'static str, Number);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    One,
    Many,
}
use Number::{Many, One};

/// What is done, of one and of many, and where.
struct Doing {
    one: &'static str,
    many: &'static str,
    places: &'static [&'static str],
}

const fn doing(one: &'static str, many: &'static str, places: &'static [&'static str]) -> Doing {
    Doing { one, many, places }
}

const PEOPLE: &[Who] = &[
    ("a man", One),
    ("a woman", One),
    ("a boy", One),
    ("a girl", One),
    ("a child", One),
    ("a young man", One),
    ("an old man", One),
    ("a young woman", One),
    ("two men", Many),
    ("two women", Many),
    ("two boys", Many),
    ("two girls", Many),
    ("three children", Many),
    ("a group of people", Many),
    ("a man and a woman", Many),
    ("a man in a red shirt", One),
    ("a man in a blue jacket", One),
    ("a woman in a white dress", One),
    ("a woman wearing sunglasses", One),
    ("a boy in a blue shirt", One),
    ("a girl in a pink dress", One),
    ("a person with a backpack", One),
];

const OPEN: &[&str] = &[
    "on the beach",
    "in a park",
    "on a street",
    "in the grass",
    "in the snow",
    "in a field",
    "in front of a building",
    "by the water",
    "in the woods",
    "on a bridge",
];
const SEATS: &[&str] =
    &["on a bench", "on a couch", "at a table", "on the grass", "on the steps", "on a rock"];
const WATER: &[&str] = &["in a pool", "in the ocean", "in a lake"];
const ROOMS: &[&str] = &["in a kitchen", "in a room", "in a restaurant", "in a store"];
const NOWHERE: &[&str] = &[""];

const PEOPLE_DO: &[Doing] = &[
    doing("walks", "walk", OPEN),
    doing("runs", "run", &["on the beach", "in a park", "in a field", "on a road", "in a race"]),
    doing("stands", "stand", OPEN),
    doing("stands", "stand", ROOMS),
    doing("sits", "sit", SEATS),
    doing(
        "jumps",
        "jump",
        &["into a pool", "in the air", "on a trampoline", "on the beach", "off a rock"],
    ),
    doing("swims", "swim", WATER),
    doing("plays", "play", &["in the sand", "in the snow", "in a fountain", "on a playground"]),
    doing("plays soccer", "play soccer", &["on a field", "on the beach"]),
    doing("plays baseball", "play baseball", NOWHERE),
    doing("plays basketball", "play basketball", NOWHERE),
    doing("plays tennis", "play tennis", NOWHERE),
    doing("plays football", "play football", &["on a field"]),
    doing("plays guitar", "play guitar", &["on a stage", "on the street"]),
    doing("sings", "sing", &["on a stage"]),
    doing("dances", "dance", &["on a stage", "at a party", "in the street"]),
    doing(
        "rides a bike",
        "ride bikes",
        &["on a street", "on a dirt trail", "in the woods", "over a ramp"],
    ),
    doing("rides a horse", "ride horses", &["in a field", "on the beach"]),
    doing("rides a skateboard", "ride skateboards", &["on a ramp", "on the street"]),
    doing("rides a motorcycle", "ride motorcycles", &["on a dirt track", "on a road"]),
    doing("surfs", "surf", &["on a wave"]),
    doing("skis", "ski", &["down a snowy hill", "on a mountain"]),
    doing("snowboards", "snowboard", &["down a snowy hill"]),
    doing("climbs", "climb", &["a rock wall", "a mountain", "a tree"]),
    doing("paddles a canoe", "paddle a canoe", &["on a river", "on a lake"]),
    doing("fishes", "fish", &["by a lake", "from a boat"]),
    doing("hikes", "hike", &["on a mountain trail", "in the woods", "in the snow"]),
    doing("eats", "eat", &["at a table", "in a restaurant", "on a bench"]),
    doing("drinks coffee", "drink coffee", &["at a table"]),
    doing("cooks food", "cook food", &["in a kitchen", "on a grill"]),
    doing("reads a book", "read a book", &["on a bench", "on a couch", "in bed"]),
    doing("sleeps", "sleep", &["on a couch", "on the grass", "in bed"]),
    doing("works", "work", &["at a computer", "in a shop", "in a garden", "on a roof"]),
    doing("talks on a phone", "talk on phones", &["on a street"]),
    doing("takes a picture", "take pictures", &["of a mountain", "with a camera"]),
    doing("smiles", "smile", &["at the camera"]),
    doing("laughs", "laugh", NOWHERE),
    doing(
        "holds",
        "hold",
        &["a baby", "a dog", "a flower", "an umbrella", "a balloon", "a sign", "a ball"],
    ),
    doing("blows bubbles", "blow bubbles", NOWHERE),
    doing("slides", "slide", &["down a slide", "down a snowy hill"]),
    doing("swings", "swing", &["on a swing"]),
    doing("paints", "paint", &["a picture"]),
    doing("walks a dog", "walk a dog", &["on a street", "in a park", "on the beach"]),
    doing("crosses", "cross", &["the street", "a river"]),
];

const DOGS: &[Who] = &[
    ("a dog", One),
    ("a brown dog", One),
    ("a black dog", One),
    ("a white dog", One),
    ("a black and white dog", One),
    ("a small dog", One),
    ("a large dog", One),
    ("a puppy", One),
    ("two dogs", Many),
    ("three dogs", Many),
];

const DOGS_DO: &[Doing] = &[
    doing(
        "runs",
        "run",
        &[
            "in the grass",
            "on the beach",
            "in the snow",
            "in a field",
            "in the water",
            "on a dirt path",
        ],
    ),
    doing(
        "jumps",
        "jump",
        &["over a hurdle", "into the water", "in the air", "for a frisbee", "for a ball"],
    ),
    doing(
        "plays",
        "play",
        &["in the snow", "in the grass", "with a ball", "with a toy", "in the sand"],
    ),
    doing("swims", "swim", &["in a pool", "in a lake", "with a stick"]),
    doing("sits", "sit", &["on the grass", "on a couch", "in a car", "on the floor"]),
    doing("lies", "lie", &["on the grass", "on a bed", "on the floor"]),
    doing("carries", "carry", &["a stick", "a ball", "a toy"]),
    doing("chases", "chase", &["a ball", "a rabbit", "a bird"]),
    doing("shakes off water", "shake off water", NOWHERE),
    doing("races", "race", &["on a track"]),
    doing("stands", "stand", &["on a rock", "in the water", "in the snow"]),
];

const ANIMALS: &[Who] = &[
    ("a horse", One),
    ("two horses", Many),
    ("a cow", One),
    ("a sheep", One),
    ("a goat", One),
    ("a deer", One),
    ("an elephant", One),
    ("a zebra", One),
    ("a lion", One),
    ("a tiger", One),
    ("a leopard", One),
    ("a bear", One),
    ("a polar bear", One),
    ("a wolf", One),
    ("a fox", One),
    ("a monkey", One),
    ("a rabbit", One),
    ("a camel", One),
    ("an ostrich", One),
];
const ANIMALS_DO: &[Doing] = &[
    doing(
        "stands",
        "stand",
        &["in a field", "in the grass", "among trees", "in the snow", "on a rock", "by the water"],
    ),
    doing("walks", "walk", &["in the grass", "on a road", "in the snow"]),
    doing("runs", "run", &["in a field", "in the snow"]),
    doing("lies", "lie", &["in the grass", "on the ground"]),
    doing("drinks water", "drink water", &["from a river"]),
];

const CATS: &[Who] = &[
    ("a cat", One),
    ("a black cat", One),
    ("a white cat", One),
    ("a tabby cat", One),
    ("a kitten", One),
    ("two cats", Many),
];
const CATS_DO: &[Doing] = &[
    doing("sits", "sit", &["on a couch", "by a window", "on the floor", "on a fence", "in a box"]),
    doing("sleeps", "sleep", &["on a bed", "on a couch", "in a basket"]),
    doing("lies", "lie", &["on a bed", "on a rug", "on the grass"]),
    doing("plays", "play", &["with a toy", "with a ball"]),
];

const BIRDS: &[Who] = &[
    ("a bird", One),
    ("birds", Many),
    ("a duck", One),
    ("ducks", Many),
    ("a seagull", One),
    ("an eagle", One),
    ("a swan", One),
    ("a parrot", One),
    ("an owl", One),
    ("a flamingo", One),
    ("a penguin", One),
    ("a hen", One),
];
const BIRDS_DO: &[Doing] = &[
    doing("flies", "fly", &["over the water", "in the sky"]),
    doing("sits", "sit", &["on a branch", "on a rock", "on a fence"]),
    doing("swims", "swim", &["on a lake", "in a pond"]),
    doing("stands", "stand", &["on the grass", "on the beach", "in the water"]),
    doing("eats", "eat", &["on the ground"]),
];

const SEA: &[Who] = &[
    ("a fish", One),
    ("fish", Many),
    ("a shark", One),
    ("a whale", One),
    ("a dolphin", One),
    ("a turtle", One),
    ("a jellyfish", One),
    ("a seal", One),
];
const SEA_DO: &[Doing] = &[
    doing("swims", "swim", &["in the sea", "under water", "by a coral reef", "in a tank"]),
    doing("jumps", "jump", &["out of the water"]),
    doing("lies", "lie", &["on the beach", "on a rock"]),
];

const SMALL: &[Who] = &[
    ("a butterfly", One),
    ("a bee", One),
    ("a spider", One),
    ("a lizard", One),
    ("a snake", One),
    ("a frog", One),
    ("a snail", One),
    ("a beetle", One),
    ("a dragonfly", One),
];
const SMALL_DO: &[Doing] =
    &[doing("sits", "sit", &["on a flower", "on a leaf", "on a branch", "on a rock", "on a hand"])];

const VEHICLES: &[Who] = &[
    ("a car", One),
    ("a red car", One),
    ("an old car", One),
    ("a race car", One),
    ("a truck", One),
    ("a bus", One),
    ("a motorcycle", One),
    ("a bicycle", One),
    ("a tractor", One),
    ("cars", Many),
];
const VEHICLES_DO: &[Doing] = &[
    doing("drives", "drive", &["on a road", "through mud", "on a race track", "through the city"]),
    doing(
        "stands",
        "stand",
        &["on a street", "in front of a house", "in a parking lot", "in a field"],
    ),
];

const BOATS: &[Who] = &[
    ("a boat", One),
    ("a sailboat", One),
    ("a canoe", One),
    ("a ship", One),
    ("boats", Many),
    ("a speedboat", One),
];
const BOATS_DO: &[Doing] = &[
    doing("sails", "sail", &["on the sea", "on a lake", "on a river", "at sunset"]),
    doing("lies", "lie", &["in a harbor", "on the beach", "at a dock"]),
];

const MACHINES: &[Who] = &[
    ("an airplane", One),
    ("a jet", One),
    ("a helicopter", One),
    ("a balloon", One),
    ("a train", One),
];
const MACHINES_DO: &[Doing] = &[
    doing("flies", "fly", &["in the sky", "over a city", "over the mountains"]),
    doing("stands", "stand", &["on a runway", "on the ground", "at a station"]),
];

const VIEWS: &[&str] = &[
    "mountains",
    "a snowy mountain",
    "a beach",
    "the ocean",
    "a lake",
    "a river",
    "a waterfall",
    "a forest",
    "a field of flowers",
    "a green field",
    "a desert",
    "a cliff",
    "a valley",
    "a garden",
    "a city",
    "a street with shops",
    "tall buildings",
    "a bridge over a river",
    "a castle",
    "a church",
    "a temple",
    "a tower",
    "a lighthouse",
    "a barn",
    "a house",
    "a harbor with boats",
    "a train station",
    "a fountain",
    "a statue",
    "ruins",
    "a palm tree",
    "a tree",
    "a path",
    "ice",
    "a volcano",
    "a windmill",
    "a market",
    "a crowd",
];
const AROUND: &[&str] = &[
    "",
    "under a blue sky",
    "under a cloudy sky",
    "at sunset",
    "at night",
    "in the snow",
    "in the fog",
    "in autumn",
    "seen from above",
];

const DISHES: &[&str] = &[
    "a pizza",
    "a cake",
    "bread",
    "a sandwich",
    "a hamburger",
    "a hot dog",
    "broccoli",
    "pasta",
    "potatoes",
    "vegetables",
    "fruit",
    "apples",
    "bananas",
    "oranges",
    "strawberries",
    "ice cream",
    "cheese",
    "a cup of coffee",
    "a glass of wine",
    "a bottle of beer",
    "mushrooms",
    "an egg",
];
const SERVED: &[&str] =
    &["on a plate", "on a table", "on a wooden board", "in a bowl", "at a restaurant"];

const THINGS: &[&str] = &[
    "a chair",
    "a table",
    "a bed",
    "a lamp",
    "a clock",
    "a computer",
    "a laptop",
    "a keyboard",
    "a phone",
    "a camera",
    "a television",
    "a guitar",
    "a piano",
    "books",
    "a vase with flowers",
    "a candle",
    "a basket",
    "a bottle",
    "a bag",
    "shoes",
    "a hat",
    "toys",
    "a teddy bear",
    "a mirror",
    "a bookcase",
    "a stove",
    "a bathtub",
    "an umbrella",
    "a wallet",
    "a watch",
];
const STANDING: &[&str] = &["on a table", "in a room", "on the floor", "by a window", "on a shelf"];

const FLOWERS: &[&str] = &[
    "a red flower",
    "a yellow flower",
    "a white flower",
    "a pink flower",
    "a daisy",
    "roses",
    "green leaves",
    "mushrooms",
    "berries",
];
const GROWING: &[&str] =
    &["", "in a garden", "in the grass", "on a branch", "in the sunlight", "in a vase"];

/// All sentences of the grammar, each once.
pub(super) fn sentences() -> Vec<String> {
    let acting = [
        (PEOPLE, PEOPLE_DO),
        (DOGS, DOGS_DO),
        (CATS, CATS_DO),
        (ANIMALS, ANIMALS_DO),
        (BIRDS, BIRDS_DO),
        (SEA, SEA_DO),
        (SMALL, SMALL_DO),
        (VEHICLES, VEHICLES_DO),
        (BOATS, BOATS_DO),
        (MACHINES, MACHINES_DO),
    ];
    let mut all = Vec::new();
    for (who, what) in acting {
        for (who, number) in who {
            for Doing { one, many, places } in what {
                let verb = if *number == One { one } else { many };
                all.extend(places.iter().map(|place| sentence(&[who, verb, place])));
            }
        }
    }
    let standing = [(VIEWS, AROUND), (DISHES, SERVED), (THINGS, STANDING), (FLOWERS, GROWING)];
    for (what, places) in standing {
        for what in what {
            all.extend(places.iter().map(|place| sentence(&[what, place])));
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    all.retain(|text| seen.insert(text.clone()));
    all
}

/// Words as a sentence: a capital letter, and a full stop.
fn sentence(parts: &[&str]) -> String {
    let said: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    let said = said.join(" ");
    let mut letters = said.chars();
    let first: String =
        letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_of_different_sentences() {
        let all = sentences();
        assert!(all.len() > 3000, "{}", all.len());
        assert_eq!(all, sentences());
        for text in &all {
            assert!(text.ends_with('.') && text.starts_with(|c: char| c.is_uppercase()), "{text}");
            assert!(!text.contains("  ") && !text.contains(" ."), "{text}");
        }
        for expected in [
            "A man walks on the beach.",
            "Two dogs run in the snow.",
            "A castle under a cloudy sky.",
            "A group of people sit at a table.",
        ] {
            assert!(all.iter().any(|text| text == expected), "{expected}");
        }
    }
}
