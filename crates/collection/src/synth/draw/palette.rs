//! Named colours as they are painted.

use super::super::canvas::{Rgb, rgb};
use super::super::scene::Colour;

/// Paint for a coat, a shirt, a car.
pub(super) fn paint(colour: Colour) -> Rgb {
    match colour {
        Colour::Red => rgb(0xd8302b),
        Colour::Orange => rgb(0xee8a2a),
        Colour::Yellow => rgb(0xf2cf3c),
        Colour::Green => rgb(0x2f9a4a),
        Colour::Blue => rgb(0x2f62c8),
        Colour::Purple => rgb(0x8040a8),
        Colour::Pink => rgb(0xf08ab4),
        Colour::Brown => rgb(0x7d4f2b),
        Colour::Black => rgb(0x27262b),
        Colour::White => rgb(0xf4f3ef),
        Colour::Grey => rgb(0x8d9096),
    }
}
