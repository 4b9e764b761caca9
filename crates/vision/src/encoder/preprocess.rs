//! From a decoded picture to the numbers a network looks at.
//!
//! The picture is brought to the network's size, and every channel becomes
//! (value / 255 - mean) / deviation, channels first.

use serde::{Deserialize, Serialize};

use super::resize::{Filter, resize};
use crate::Picture;

/// How the picture is brought to the network's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// Both sides to the network's size, whatever the picture's shape: nothing is cut away.
    Squash,
    /// The shorter side to this many pixels, then the middle is cut out.
    Crop(u32),
    /// The longer side to the network's size, and black where nothing is left.
    Pad,
}

/// What is done to a picture before a network sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preprocessing {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// How the picture gets there.
    pub fit: Fit,
    /// How pixels are averaged on the way.
    pub filter: Filter,
    /// Taken from red, green and blue, as shares of 255.
    pub mean: [f32; 3],
    /// What the rest is divided by.
    pub deviation: [f32; 3],
}

impl Default for Preprocessing {
    /// 224 x 224, squashed, bicubic, with ImageNet's mean and deviation.
    fn default() -> Self {
        Self {
            width: 224,
            height: 224,
            fit: Fit::Squash,
            filter: Filter::Bicubic,
            mean: [0.485, 0.456, 0.406],
            deviation: [0.229, 0.224, 0.225],
        }
    }
}

impl Preprocessing {
    /// The largest side that is believed.
    pub const LARGEST: u32 = 4096;

    /// Says which field cannot be, if one cannot.
    ///
    /// # Errors
    /// The field's name, and what is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        let sides = [("width", self.width), ("height", self.height)];
        let shorter = match self.fit {
            Fit::Crop(shorter) => shorter,
            Fit::Squash | Fit::Pad => self.width,
        };
        for (name, side) in sides.into_iter().chain([("crop", shorter)]) {
            if side == 0 || side > Self::LARGEST {
                return Err(format!("{name}: {side} is not between 1 and {}", Self::LARGEST));
            }
        }
        if matches!(self.fit, Fit::Crop(shorter) if shorter < self.width.max(self.height)) {
            return Err(format!(
                "crop: a shorter side of {shorter} is less than {} x {}",
                self.width, self.height
            ));
        }
        if !self.mean.iter().all(|mean| mean.is_finite()) {
            return Err("mean: not a number".into());
        }
        if !self.deviation.iter().all(|deviation| deviation.is_normal()) {
            return Err("deviation: zero or not a number".into());
        }
        Ok(())
    }

    /// The numbers of a picture: red, then green, then blue, each row by row.
    pub fn apply(&self, picture: &Picture) -> Vec<f32> {
        let (width, height) = (self.width, self.height);
        let sized = match self.fit {
            Fit::Squash => resize(picture, width, height, self.filter),
            Fit::Crop(shorter) => {
                let (w, h) = scaled(picture.dimensions(), shorter, u32::min);
                let full = resize(picture, w, h, self.filter);
                let (x, y) = ((w - width) / 2, (h - height) / 2);
                image::imageops::crop_imm(&full, x, y, width, height).to_image()
            }
            Fit::Pad => {
                let (w, h) = padded(picture.dimensions(), width, height);
                let full = resize(picture, w, h, self.filter);
                let mut sized = Picture::new(width, height);
                let (x, y) = ((width - w) / 2, (height - h) / 2);
                image::imageops::replace(&mut sized, &full, x.into(), y.into());
                sized
            }
        };
        let area = width as usize * height as usize;
        let mut values = vec![0.0; area * 3];
        for (channel, plane) in values.chunks_exact_mut(area.max(1)).enumerate() {
            let table = self.table(channel);
            for (value, pixel) in plane.iter_mut().zip(sized.pixels()) {
                *value = table[usize::from(pixel.0[channel])];
            }
        }
        values
    }

    /// Where in a picture of this size the network sees what it sees at a place of its own; both
    /// places are shares of width and height. Nothing where there is no picture.
    pub(crate) fn origin(&self, place: [f32; 2], picture: (u32, u32)) -> Option<[f32; 2]> {
        let frame = [self.width, self.height].map(|side| side as f32);
        let sized = match self.fit {
            Fit::Squash => return Some(place),
            Fit::Crop(shorter) => scaled(picture, shorter, u32::min),
            Fit::Pad => padded(picture, self.width, self.height),
        };
        let sized = [sized.0 as f32, sized.1 as f32];
        let origin: [f32; 2] =
            std::array::from_fn(|side| 0.5 + (place[side] - 0.5) * frame[side] / sized[side]);
        origin.iter().all(|share| (0.0..=1.0).contains(share)).then_some(origin)
    }

    fn table(&self, channel: usize) -> [f32; 256] {
        std::array::from_fn(|value| {
            (value as f32 / 255.0 - self.mean[channel]) / self.deviation[channel]
        })
    }
}

/// The sides when the one that `choose` prefers becomes `side`.
fn scaled((w, h): (u32, u32), side: u32, choose: fn(u32, u32) -> u32) -> (u32, u32) {
    let from = choose(w, h).max(1);
    // Rounded down, as the common Python code does; very long strips end at the limit.
    let to = |length: u32| {
        let long = u64::from(length) * u64::from(side) / u64::from(from);
        u32::try_from(long).unwrap_or(u32::MAX).clamp(side, Preprocessing::LARGEST * 8)
    };
    if w <= h { (side, to(h)) } else { (to(w), side) }
}

fn padded((w, h): (u32, u32), width: u32, height: u32) -> (u32, u32) {
    let scale = (f64::from(width) / f64::from(w)).min(f64::from(height) / f64::from(h));
    let to = |length: u32, most: u32| ((f64::from(length) * scale).round() as u32).clamp(1, most);
    (to(w, width), to(h, height))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    fn halves() -> Picture {
        Picture::from_fn(8, 4, |x, _| if x < 4 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) })
    }

    #[test]
    fn channels_come_first_and_are_normalised() {
        let shape = Preprocessing {
            width: 2,
            height: 1,
            mean: [0.5, 0.0, 0.0],
            deviation: [0.5, 1.0, 2.0],
            filter: Filter::Bilinear,
            ..Preprocessing::default()
        };
        let values = shape.apply(&halves());
        // The filter reaches two pixels over the middle, with 0.5 of a weight of 3.5.
        let high = 219.0f32 / 255.0;
        assert!((values[0] - (high - 0.5) / 0.5).abs() < 1e-6, "{values:?}");
        assert!((values[1] - (1.0 - high - 0.5) / 0.5).abs() < 1e-6, "{values:?}");
        assert_eq!(values[2..4], [0.0, 0.0]);
        assert!((values[5] - high / 2.0).abs() < 1e-6, "{values:?}");
    }

    #[test]
    fn places_of_the_network_in_the_picture() {
        let mut shape = Preprocessing { width: 10, height: 10, ..Preprocessing::default() };
        assert_eq!(shape.origin([0.1, 0.9], (40, 20)), Some([0.1, 0.9]));
        // The middle 10 of 20 pixels across are seen.
        shape.fit = Fit::Crop(10);
        assert_eq!(shape.origin([0.0, 0.0], (40, 20)), Some([0.25, 0.0]));
        assert_eq!(shape.origin([1.0, 0.5], (40, 20)), Some([0.75, 0.5]));
        // The picture fills the middle 5 of 10 pixels down.
        shape.fit = Fit::Pad;
        assert_eq!(shape.origin([0.5, 0.25], (40, 20)), Some([0.5, 0.0]));
        assert_eq!(shape.origin([0.5, 0.1], (40, 20)), None);
    }

    #[test]
    fn a_crop_keeps_the_middle_and_a_pad_keeps_everything() {
        let mut shape = Preprocessing {
            width: 4,
            height: 4,
            mean: [0.0; 3],
            deviation: [1.0; 3],
            fit: Fit::Crop(4),
            ..Preprocessing::default()
        };
        assert_eq!(shape.apply(&halves())[..4], [1.0, 1.0, 0.0, 0.0]);
        shape.fit = Fit::Pad;
        let padded = shape.apply(&halves());
        assert_eq!(padded[..4], [0.0; 4]);
        assert!(padded[4] > 0.9 && padded[7] < 0.1);
        assert_eq!(padded[12..16], [0.0; 4]);
    }

    #[test]
    fn awkward_pictures_fit_too() {
        for fit in [Fit::Squash, Fit::Crop(256), Fit::Pad] {
            let shape = Preprocessing { fit, ..Preprocessing::default() };
            shape.check().unwrap();
            for (w, h) in [(1, 1), (1, 20_000), (20_000, 1), (3, 200)] {
                let values = shape.apply(&Picture::new(w, h));
                assert_eq!(values.len(), 3 * 224 * 224);
                assert!(values.iter().all(|value| value.is_finite()));
            }
        }
    }

    #[test]
    fn the_wrong_field_is_named() {
        let shape = Preprocessing { deviation: [1.0, 0.0, 1.0], ..Preprocessing::default() };
        assert!(shape.check().unwrap_err().starts_with("deviation"));
        let shape = Preprocessing { width: 100_000, ..Preprocessing::default() };
        assert!(shape.check().unwrap_err().starts_with("width"));
        let shape = Preprocessing { fit: Fit::Crop(100), ..Preprocessing::default() };
        assert!(shape.check().unwrap_err().starts_with("crop"));
    }
}
