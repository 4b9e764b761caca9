//! Resizing to the last bit as Pillow does it, because the networks were trained behind it.
//!
//! A pixel of the result is a weighted mean of the pixels under the filter, which is stretched by
//! the scale when the picture shrinks. Rows first, then columns; eight bits in between; weights
//! are fixed-point numbers of 22 bits.

use serde::{Deserialize, Serialize};

use crate::Picture;

/// The weight of a pixel by its distance from the middle, in pixels of the smaller picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// A triangle, one pixel to each side.
    Bilinear,
    /// Keys' cubic with a = -0.5, two pixels to each side.
    Bicubic,
    /// Lanczos' windowed sinc, three pixels to each side.
    Lanczos,
}

impl Filter {
    fn reach(self) -> f64 {
        match self {
            Self::Bilinear => 1.0,
            Self::Bicubic => 2.0,
            Self::Lanczos => 3.0,
        }
    }

    fn weight(self, x: f64) -> f64 {
        let x = x.abs();
        match self {
            Self::Bilinear => (1.0 - x).max(0.0),
            Self::Bicubic if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
            Self::Bicubic if x < 2.0 => (((x - 5.0) * x + 8.0) * x - 4.0) * -0.5,
            Self::Bicubic => 0.0,
            Self::Lanczos if x < 3.0 => sinc(x) * sinc(x / 3.0),
            Self::Lanczos => 0.0,
        }
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let x = x * std::f64::consts::PI;
    x.sin() / x
}

const BITS: u32 = 22;

/// Which pixels make a pixel of the result, and with what weights.
struct Taps {
    first: usize,
    weights: Vec<i32>,
}

fn taps(from: u32, to: u32, filter: Filter) -> Vec<Taps> {
    let scale = f64::from(from) / f64::from(to);
    let stretch = scale.max(1.0);
    let reach = filter.reach() * stretch;
    let at = |middle: f64| {
        let first = ((middle - reach + 0.5) as usize).min(from as usize);
        let end = ((middle + reach + 0.5) as usize).min(from as usize);
        let weights: Vec<f64> = (first..end)
            .map(|k| filter.weight((k as f64 - middle + 0.5) * (1.0 / stretch)))
            .collect();
        let sum: f64 = weights.iter().sum();
        let fixed = |weight: &f64| {
            let scaled = weight / sum * f64::from(1 << BITS);
            (if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i32
        };
        Taps { first, weights: weights.iter().map(fixed).collect() }
    };
    (0..to).map(|k| at((f64::from(k) + 0.5) * scale)).collect()
}

fn byte(sum: i32) -> u8 {
    (sum >> BITS).clamp(0, 255) as u8
}

/// Brings a picture to `width` x `height` pixels.
pub fn resize(picture: &Picture, width: u32, height: u32, filter: Filter) -> Picture {
    let (w, h) = picture.dimensions();
    let across = (w != width).then(|| rows(picture, &taps(w, width, filter), width));
    let wide = across.as_ref().unwrap_or(picture);
    if h == height { wide.clone() } else { columns(wide, &taps(h, height, filter), height) }
}

fn rows(picture: &Picture, taps: &[Taps], width: u32) -> Picture {
    let (w, h) = picture.dimensions();
    let mut result = Picture::new(width, h);
    let lines = result.chunks_exact_mut(width as usize * 3);
    for (to, from) in lines.zip(picture.chunks_exact(w as usize * 3)) {
        for (pixel, tap) in to.as_chunks_mut::<3>().0.iter_mut().zip(taps) {
            let under = &from.as_chunks::<3>().0[tap.first..];
            let mut sums = [1 << (BITS - 1); 3];
            for (&weight, values) in tap.weights.iter().zip(under) {
                for (sum, &value) in sums.iter_mut().zip(values) {
                    *sum += i32::from(value) * weight;
                }
            }
            *pixel = sums.map(byte);
        }
    }
    result
}

fn columns(picture: &Picture, taps: &[Taps], height: u32) -> Picture {
    let width = picture.width();
    let line = width as usize * 3;
    let mut result = Picture::new(width, height);
    let mut sums = vec![0i32; line];
    for (to, tap) in result.chunks_exact_mut(line).zip(taps) {
        sums.fill(1 << (BITS - 1));
        for (&weight, from) in tap.weights.iter().zip(picture.chunks_exact(line).skip(tap.first)) {
            for (sum, &value) in sums.iter_mut().zip(from) {
                *sum += i32::from(value) * weight;
            }
        }
        for (value, &sum) in to.iter_mut().zip(&sums) {
            *value = byte(sum);
        }
    }
    result
}
