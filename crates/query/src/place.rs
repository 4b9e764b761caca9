//! A point on the globe, and how far around it.

use std::fmt;

use serde::Serialize;

use crate::error::Problem;
use crate::marks;

/// A distance in kilometres: from a metre to half around the globe.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Kilometres(f64);

impl Kilometres {
    /// A distance, if it is one.
    pub fn new(number: f64) -> Option<Self> {
        (0.001..=20_038.0).contains(&number).then_some(Self(number))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// What `within:` takes: `10km`, `500m`, `5mi`, or kilometres without a unit.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let factor = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "km" => 1.0,
            "m" => 0.001,
            "mi" | "miles" | "mile" => 1.609_344,
            _ => return None,
        };
        let number: f64 = text[..text.len() - unit.len()].parse().ok()?;
        Self::new(number * factor)
    }
}

impl fmt::Display for Kilometres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}km", self.0)
    }
}

/// Photos taken around a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Near {
    /// Degrees north, -90 to 90.
    pub latitude: f64,
    /// Degrees east, -180 to 180.
    pub longitude: f64,
    /// How far around, if the query says.
    pub within: Option<Kilometres>,
}

impl Near {
    /// How far around where the query does not say.
    pub const USUAL: Kilometres = Kilometres(10.0);

    /// How far around.
    pub fn radius(&self) -> Kilometres {
        self.within.unwrap_or(Self::USUAL)
    }

    /// What `near:` takes beside names: `48.2,16.4` and `48.2,16.4,10km`. `None` for a name.
    pub(crate) fn parse(text: &str) -> Option<Result<Self, Problem>> {
        let plain: String =
            text.chars().map(|c| if marks::is_minus(c) { '-' } else { c }).collect();
        let mut parts = plain.splitn(3, ',').map(str::trim);
        let latitude = degrees(parts.next()?)?;
        let longitude = degrees(parts.next()?)?;
        let within = match parts.next().map(Kilometres::parse) {
            Some(None) => return Some(Err(Problem::NoPoint(text.to_owned()))),
            within => within.flatten(),
        };
        let on_globe = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        Some(if on_globe {
            Ok(Self { latitude, longitude, within })
        } else {
            Err(Problem::NoPoint(text.to_owned()))
        })
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.latitude, self.longitude)?;
        self.within.map_or(Ok(()), |within| write!(f, ",{within}"))
    }
}

/// A number as people write it; `inf` and `1e3` are names.
fn degrees(text: &str) -> Option<f64> {
    let number = text.strip_suffix('°').unwrap_or(text);
    let digits = number.strip_prefix(['-', '+']).unwrap_or(number);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    plain.then(|| number.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_names() {
        let near = Near::parse("48.2, -16.4,500m").unwrap().unwrap();
        assert_eq!((near.latitude, near.longitude, near.radius().get()), (48.2, -16.4, 0.5));
        assert_eq!(near.to_string(), "48.2,-16.4,0.5km");
        let near = Near::parse("−33.9°,151.2°").unwrap().unwrap();
        assert_eq!((near.latitude, near.radius()), (-33.9, Near::USUAL));
        for name in ["Vienna", "Vienna, Austria", "48.2", "inf,inf", "1e1,1e1", "12, Main Street"] {
            assert_eq!(Near::parse(name), None, "{name}");
        }
        for text in ["91,0", "0,181", "48.2,16.4,far", "48.2,16.4,0km", "1,2,3,4"] {
            assert!(Near::parse(text).unwrap().is_err(), "{text}");
        }
    }

    #[test]
    fn distances() {
        for (text, want) in [("10km", 10.0), ("10", 10.0), ("500 m", 0.5), ("1mi", 1.609_344)] {
            assert_eq!(Kilometres::parse(text).map(Kilometres::get), Some(want), "{text}");
        }
        for text in ["", "km", "0km", "-1km", "1.2.3km", "10 leagues", "99999km", "infkm"] {
            assert_eq!(Kilometres::parse(text), None, "{text}");
        }
    }
}
