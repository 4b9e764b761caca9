//! CIELAB, the colour space in which distances are about what an eye sees.

/// CIELAB of an sRGB pixel, under D65.
pub(crate) fn lab(pixel: [u8; 3]) -> [f32; 3] {
    of_linear(pixel.map(linear))
}

/// How much light an sRGB value stands for, from 0 to 1.
pub(crate) fn linear(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// CIELAB of light in the primaries of sRGB.
pub(crate) fn of_linear([r, g, b]: [f32; 3]) -> [f32; 3] {
    let x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047;
    let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b;
    let z = (0.0193339 * r + 0.119_192 * g + 0.9503041 * b) / 1.08883;
    let [x, y, z] = [x, y, z].map(|t: f32| {
        if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lab_of_known_colours() {
        // Reference values of the sRGB primaries, rounded.
        for (pixel, expected) in [
            ([255, 255, 255], [100.0, 0.0, 0.0]),
            ([255, 0, 0], [53.24, 80.09, 67.20]),
            ([0, 0, 255], [32.30, 79.19, -107.86]),
            ([0, 0, 0], [0.0, 0.0, 0.0]),
        ] {
            for (got, want) in lab(pixel).iter().zip(expected) {
                assert!((got - want).abs() < 0.05, "{pixel:?}: {got} {want}");
            }
        }
    }
}
