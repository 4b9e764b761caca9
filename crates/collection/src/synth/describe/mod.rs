//! From a scene to sentences, as different people would write them.
//!
//! Every author has a manner of their own: how much they notice, how they build a sentence,
//! which words they prefer. Nobody mentions everything; all that is said is true.

mod phrase;
mod words;

use phrase::{Number, capitalised, indefinite};
use words::{Choice, Noun, Verb};

use super::dice::Dice;
use super::scene::{
    Action, Actor, Below, Bond, Colour, Figure, Scene, Setting, Sky, Species, Weather,
};

/// How many people describe each picture.
pub(super) const AUTHORS: usize = 5;

/// What the authors write, in their order.
pub(super) fn describe(scene: &Scene, dice: &mut Dice) -> Vec<String> {
    (0..AUTHORS).map(|_| Author::new(dice).write(scene, dice)).collect()
}

/// How somebody builds a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// A dog is running on the beach.
    Progressive,
    /// A dog runs on the beach.
    Simple,
    /// A dog running on the beach.
    Fragment,
    /// There is a dog running on the beach.
    ThereIs,
    /// On the beach, a dog is running.
    PlaceFirst,
    /// A ball is chased by a dog.
    Passive,
    /// A beach at sunset with a dog.
    ViewFirst,
    /// dog on the beach
    Terse,
}

/// Somebody who writes a caption.
struct Author {
    manner: Manner,
    /// How likely they are to mention a detail.
    care: f32,
}

impl Author {
    fn new(dice: &mut Dice) -> Self {
        let manner = dice.weighted([
            (3.0, Manner::Progressive),
            (3.0, Manner::Simple),
            (2.6, Manner::Fragment),
            (0.8, Manner::ThereIs),
            (0.6, Manner::PlaceFirst),
            (1.2, Manner::Passive),
            (0.5, Manner::ViewFirst),
            (0.5, Manner::Terse),
        ]);
        Self { manner, care: dice.between(0.25, 0.95) }
    }

    fn write(&self, scene: &Scene, dice: &mut Dice) -> String {
        let [first, ..] = scene.actors.as_slice() else { return String::new() };
        let place = place(scene, first, dice);
        let hour = words::hours(scene.sky, scene.weather);
        let hour = dice.chance(self.care * notable(scene)).then(|| of(hour, dice));
        let said_place = dice.chance(0.35 + 0.6 * self.care).then_some(place);
        let passives = scene.bond.map_or(&[][..], words::passives);
        let text = match self.manner {
            Manner::Terse => {
                let name = bare(first, dice);
                join([Some(name.as_str()), Some(place), None])
            }
            Manner::ViewFirst => {
                let view = of(words::views(scene.setting), dice);
                let (name, _) = self.name(first, scene, dice);
                let with = format!("with {name}");
                join([
                    Some(view),
                    Some(of(words::hours(scene.sky, scene.weather), dice)),
                    Some(&with),
                ])
            }
            Manner::Passive if !passives.is_empty() => {
                let (object, number) = self.name(&scene.actors[1], scene, dice);
                let (subject, _) = self.name(first, scene, dice);
                let done = of(passives, dice);
                let be = match dice.below(3) {
                    0 => "",
                    1 => number.pick(" is being", " are being"),
                    _ => number.pick(" is", " are"),
                };
                let clause = format!("{object}{be} {done} by {subject}");
                join([Some(&clause), said_place, hour])
            }
            manner => {
                let (subject, number) = self.name(first, scene, dice);
                let (verb, rest) = self.deed(scene, dice);
                let Verb(they, it, doing) = verb;
                let (be, finite) = (number.pick("is", "are"), number.pick(it, they));
                match manner {
                    Manner::Simple => {
                        join([Some(&format!("{subject} {finite}{rest}")), said_place, hour])
                    }
                    Manner::Fragment => {
                        join([Some(&format!("{subject} {doing}{rest}")), said_place, hour])
                    }
                    Manner::ThereIs => join([
                        Some(&format!("there {be} {subject} {doing}{rest}")),
                        said_place,
                        hour,
                    ]),
                    Manner::PlaceFirst => {
                        let lead = hour.unwrap_or(place);
                        let tail = hour.and(said_place);
                        let clause = format!("{lead}, {subject} {be} {doing}{rest}");
                        join([Some(&clause), tail, None])
                    }
                    _ => join([Some(&format!("{subject} {be} {doing}{rest}")), said_place, hour]),
                }
            }
        };
        self.finish(text, dice)
    }

    /// What the first actor does, with what it does it to: `chases`, ` a red ball`.
    fn deed(&self, scene: &Scene, dice: &mut Dice) -> (Verb, String) {
        let first = &scene.actors[0];
        let alone = of(words::verbs(first.figure, first.action), dice);
        let (Some(bond), Some(second)) = (scene.bond, scene.actors.get(1)) else {
            return (alone, String::new());
        };
        let bound = words::bond_verbs(bond, second.figure);
        // Somebody may overlook what stands beside; hardly anybody overlooks a horse one rides.
        let told = if bound.is_empty() { 0.45 + 0.5 * self.care } else { 0.97 };
        if !dice.chance(told) {
            return (alone, String::new());
        }
        let (object, _) = self.name(second, scene, dice);
        if bound.is_empty() {
            (alone, format!(" {} {object}", of(words::prepositions(bond), dice)))
        } else {
            (of(bound, dice), format!(" {object}"))
        }
    }

    /// A noun phrase for an actor.
    fn name(&self, actor: &Actor, scene: &Scene, dice: &mut Dice) -> (String, Number) {
        let number = Number::of(actor.count);
        let Noun(one, many) = of(words::nouns(actor.figure), dice);
        let mut phrase = String::new();
        if let Some(size) = self.size(actor, dice) {
            phrase.push_str(size);
            phrase.push(' ');
        }
        if let Some(colour) = coat(actor.figure)
            && dice.chance(0.25 + 0.65 * self.care)
        {
            phrase.push_str(of(words::colours(actor.figure, colour), dice));
            phrase.push(' ');
        }
        phrase.push_str(number.pick(one, many));
        let counted = match actor.count {
            0 | 1 => indefinite(&phrase),
            count => {
                let word = match dice.below(4) {
                    0 => "some",
                    1 if count > 2 => "several",
                    2 if count > 3 => "a group of",
                    _ => phrase::cardinal(count),
                };
                format!("{word} {phrase}")
            }
        };
        (format!("{counted}{}", self.clothes(actor, scene, dice)), number)
    }

    fn size(&self, actor: &Actor, dice: &mut Dice) -> Option<&'static str> {
        if matches!(actor.figure, Figure::Person(_)) || !dice.chance(0.4 * self.care) {
            return None;
        }
        match actor.scale * actor.figure.stature() {
            tall if tall > 0.46 => Some(dice.pick(["big", "large"])),
            tall if tall < 0.17 => Some(dice.pick(["small", "little"])),
            _ => None,
        }
    }

    /// ` in a red shirt`, for people.
    fn clothes(&self, actor: &Actor, scene: &Scene, dice: &mut Dice) -> String {
        let Figure::Person(person) = actor.figure else { return String::new() };
        let number = Number::of(actor.count);
        let mut worn = Vec::new();
        let garment = |colour: Colour, one: &str, many: &str, dice: &mut Dice| {
            let colour = of(words::colours(actor.figure, colour), dice);
            match number {
                Number::One => indefinite(&format!("{colour} {one}")),
                Number::Many => format!("{colour} {many}"),
            }
        };
        if dice.chance(0.2 + 0.55 * self.care) {
            let cold = scene.setting == Setting::SnowField || scene.weather != Weather::Dry;
            worn.push(match person.below {
                Below::Dress => garment(person.top, "dress", "dresses", dice),
                _ if cold && dice.chance(0.6) => {
                    let (one, many) = dice.pick([("jacket", "jackets"), ("coat", "coats")]);
                    garment(person.top, one, many, dice)
                }
                _ if dice.chance(0.12) => {
                    of(words::colours(actor.figure, person.top), dice).to_owned()
                }
                _ => {
                    let (one, many) = dice.weighted([
                        (5.0, ("shirt", "shirts")),
                        (1.0, ("t-shirt", "t-shirts")),
                        (0.8, ("top", "tops")),
                    ]);
                    garment(person.top, one, many, dice)
                }
            });
        }
        if dice.chance(0.2 * self.care)
            && let Below::Trousers(colour) | Below::Shorts(colour) = person.below
        {
            let legs = match person.below {
                Below::Shorts(_) => "shorts",
                _ => dice.pick(["pants", "trousers", "jeans"]),
            };
            worn.push(format!("{} {legs}", of(words::colours(actor.figure, colour), dice)));
        }
        if let Some(colour) = person.hat
            && dice.chance(0.15 + 0.5 * self.care)
        {
            let (one, many) = dice.pick([("hat", "hats"), ("hat", "hats"), ("cap", "caps")]);
            worn.push(garment(colour, one, many, dice));
        }
        if worn.is_empty() {
            return String::new();
        }
        format!(" {} {}", dice.pick(["in", "wearing", "in"]), worn.join(" and "))
    }

    /// Capital, full stop, and now and then a slip of the fingers.
    fn finish(&self, text: String, dice: &mut Dice) -> String {
        let mut text = if self.manner != Manner::Terse || dice.chance(0.4) {
            capitalised(&text)
        } else {
            text
        };
        if dice.chance(0.025) {
            text = phrase::slip(&text, dice);
        }
        if self.manner != Manner::Terse && dice.chance(0.78) {
            text.push('.');
        }
        text
    }
}

/// How likely the hour and the weather are to be mentioned: a plain day is not worth a word.
fn notable(scene: &Scene) -> f32 {
    match (scene.weather, scene.sky) {
        (Weather::Dry, Sky::Day) => 0.28,
        (Weather::Dry, Sky::Overcast) => 0.35,
        _ => 0.85,
    }
}

fn place(scene: &Scene, actor: &Actor, dice: &mut Dice) -> &'static str {
    let moves = matches!(
        actor.action,
        Action::Walk | Action::Run | Action::Ride | Action::Drive | Action::Sail
    ) && scene.bond != Some(Bond::Kicks);
    match (actor.action, scene.setting) {
        (Action::Fly, setting) => of(words::heights(setting), dice),
        (Action::Swim, _) => of(words::WATERS, dice),
        (_, setting) if moves && dice.chance(0.5) => of(words::paths(setting), dice),
        (_, setting) => of(words::places(setting), dice),
    }
}

/// The colour that belongs to a figure itself.
fn coat(figure: Figure) -> Option<Colour> {
    use super::scene::Thing;
    match figure {
        Figure::Person(_) => None,
        Figure::Animal(Species::Sheep, Colour::White) => None,
        Figure::Thing(Thing::Sandcastle | Thing::Snowman, _) => None,
        Figure::Animal(_, colour) | Figure::Vehicle(_, colour) | Figure::Thing(_, colour) => {
            Some(colour)
        }
    }
}

fn bare(actor: &Actor, dice: &mut Dice) -> String {
    let Noun(one, many) = of(words::nouns(actor.figure), dice);
    match Number::of(actor.count) {
        Number::One => one.to_owned(),
        Number::Many => format!("{} {many}", phrase::cardinal(actor.count)),
    }
}

/// One of a list of synonyms, by weight.
fn of<T: Copy>(choice: Choice<T>, dice: &mut Dice) -> T {
    let total: f32 = choice.iter().map(|(weight, _)| weight).sum();
    let mut left = dice.unit() * total;
    for &(weight, word) in choice {
        left -= weight;
        if left < 0.0 {
            return word;
        }
    }
    choice[choice.len() - 1].1
}

fn join(parts: [Option<&str>; 3]) -> String {
    let mut text = String::new();
    for part in parts.into_iter().flatten() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}
