//! What a picture of the synthetic world shows, before anything is drawn or said.

use crate::Size;

/// The hour and the clouds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sky {
    Day,
    Overcast,
    Sunset,
    Night,
}

/// What falls from the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weather {
    Dry,
    Rain,
    Snow,
}

/// Where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Meadow,
    Beach,
    Street,
    SnowField,
    Lake,
    Forest,
    Mountains,
    Desert,
}

/// The colour of a coat, a shirt, a car.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Red,
    Orange,
    Yellow,
    Green,
    Blue,
    Purple,
    Pink,
    Brown,
    Black,
    White,
    Grey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    Child,
    Adult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sex {
    Female,
    Male,
}

/// What covers the legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    Trousers(Colour),
    Shorts(Colour),
    /// A dress in the colour of the top.
    Dress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) age: Age,
    pub(super) sex: Sex,
    pub(super) top: Colour,
    pub(super) below: Below,
    pub(super) hat: Option<Colour>,
    /// Which of the tones in `draw::person`.
    pub(super) skin: u8,
    pub(super) hair: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Species {
    Dog,
    Cat,
    Horse,
    Cow,
    Sheep,
    Bird,
    Duck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vehicle {
    Car,
    Bus,
    Truck,
    Bicycle,
    Boat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    Ball,
    Balloon,
    Bench,
    Kite,
    Sandcastle,
    Snowman,
    Tent,
    Umbrella,
}

/// Somebody or something in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    Person(Person),
    Animal(Species, Colour),
    Vehicle(Vehicle, Colour),
    Thing(Thing, Colour),
}

impl Figure {
    /// Height as drawn, where a grown-up is 1.
    pub(super) fn stature(self) -> f32 {
        match self {
            Self::Person(Person { age: Age::Adult, .. }) => 1.0,
            Self::Person(Person { age: Age::Child, .. }) => 0.68,
            Self::Animal(Species::Horse, _) => 1.1,
            Self::Animal(Species::Cow, _) => 0.9,
            Self::Animal(Species::Sheep, _) => 0.6,
            Self::Animal(Species::Dog, _) => 0.5,
            Self::Animal(Species::Cat, _) => 0.38,
            Self::Animal(Species::Bird, _) => 0.28,
            Self::Animal(Species::Duck, _) => 0.3,
            Self::Vehicle(Vehicle::Car, _) => 0.75,
            Self::Vehicle(Vehicle::Bus, _) => 1.25,
            Self::Vehicle(Vehicle::Truck, _) => 1.15,
            Self::Vehicle(Vehicle::Bicycle, _) => 0.58,
            Self::Vehicle(Vehicle::Boat, _) => 1.3,
            Self::Thing(Thing::Ball, _) => 0.2,
            Self::Thing(Thing::Balloon, _) => 0.6,
            Self::Thing(Thing::Bench, _) => 0.5,
            Self::Thing(Thing::Kite, _) => 0.5,
            Self::Thing(Thing::Sandcastle, _) => 0.45,
            Self::Thing(Thing::Snowman, _) => 0.85,
            Self::Thing(Thing::Tent, _) => 0.8,
            Self::Thing(Thing::Umbrella, _) => 0.55,
        }
    }

    /// Width as drawn, on the same scale.
    pub(super) fn breadth(self) -> f32 {
        let of_height = match self {
            Self::Person(_) => 0.5,
            Self::Animal(Species::Horse | Species::Cow, _) => 1.25,
            Self::Animal(Species::Duck, _) => 1.2,
            Self::Animal(Species::Bird, _) => 1.3,
            Self::Animal(..) => 1.4,
            Self::Vehicle(Vehicle::Car, _) => 2.3,
            Self::Vehicle(Vehicle::Bus, _) => 1.9,
            Self::Vehicle(Vehicle::Truck, _) => 1.9,
            Self::Vehicle(Vehicle::Bicycle, _) => 1.5,
            Self::Vehicle(Vehicle::Boat, _) => 1.0,
            Self::Thing(Thing::Bench, _) => 1.8,
            Self::Thing(Thing::Tent, _) => 1.5,
            Self::Thing(Thing::Sandcastle, _) => 1.5,
            Self::Thing(Thing::Umbrella, _) => 1.4,
            Self::Thing(Thing::Balloon | Thing::Kite | Thing::Snowman, _) => 0.7,
            Self::Thing(Thing::Ball, _) => 1.0,
        };
        of_height * self.stature()
    }
}

/// What a figure does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Things merely are there.
    Rest,
    Stand,
    Walk,
    Run,
    Jump,
    Sit,
    Lie,
    Swim,
    Fly,
    Wave,
    Throw,
    Kick,
    Hold,
    Ride,
    Drive,
    Sail,
    Graze,
}

/// How the first actor stands to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bond {
    Rides,
    Holds,
    Throws,
    Kicks,
    Chases,
    SitsOn,
    Builds,
    Leads,
    Beside,
    Behind,
    InFrontOf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Facing {
    Left,
    Right,
}

impl Facing {
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// -1 to the left, 1 to the right.
    pub(super) fn sign(self) -> f32 {
        match self {
            Self::Left => -1.0,
            Self::Right => 1.0,
        }
    }
}

/// One figure, or several of a kind, doing something somewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Actor {
    pub(super) figure: Figure,
    pub(super) count: u8,
    pub(super) action: Action,
    pub(super) facing: Facing,
    /// Where it touches the ground, as a share of the picture's width and height.
    pub(super) at: (f32, f32),
    /// The height of a grown-up there, as a share of the picture's height.
    pub(super) scale: f32,
}

/// How the picture is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shot {
    pub(super) size: Size,
    /// Where sky and ground meet, as a share of the height from the top.
    pub(super) horizon: f32,
    /// Multiplies all light.
    pub(super) exposure: f32,
    /// Deviation of the noise, as a share of full white.
    pub(super) grain: f32,
    /// Radius in pixels.
    pub(super) blur: f32,
}

/// All that a picture shows. Drawing, captions and keywords are made from this alone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    pub(super) setting: Setting,
    pub(super) sky: Sky,
    pub(super) weather: Weather,
    /// What it is about first; with a bond, the second is what the first is bound to.
    pub(super) actors: Vec<Actor>,
    pub(super) bond: Option<Bond>,
    pub(super) shot: Shot,
}
