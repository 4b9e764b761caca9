//! How a picture looks, in 64 bits: copies that were made smaller or compressed again differ in few
//! of them.
//!
//! The picture is reduced to 32 x 32 shades of grey; of their cosine transform the lowest 8 x 8
//! frequencies are kept, without the constant ones, and a bit says whether a frequency is above their
//! median.

use std::f64::consts::PI;
use std::sync::LazyLock;

use image::imageops;

use crate::Picture;

const SIDE: usize = 32;
const KEPT: usize = 8;
/// Frequencies of a picture without anything to see: shades that differ by less than one.
const STILL: f64 = 1.0;

/// `COSINES[frequency - 1][place]`: the constant frequency is left out.
static COSINES: LazyLock<[[f64; SIDE]; KEPT]> = LazyLock::new(|| {
    let cosine = |frequency: usize, place: usize| {
        (PI / SIDE as f64 * (place as f64 + 0.5) * (frequency + 1) as f64).cos()
    };
    std::array::from_fn(|frequency| std::array::from_fn(|place| cosine(frequency, place)))
});

/// The bits of a picture; 0 for one that is of one colour, about which there is nothing to say.
pub fn likeness(picture: &Picture) -> u64 {
    let small = imageops::thumbnail(picture, SIDE as u32, SIDE as u32);
    let mut grey = [[0.0; SIDE]; SIDE];
    for (x, y, pixel) in small.enumerate_pixels() {
        let [red, green, blue] = pixel.0.map(f64::from);
        grey[y as usize][x as usize] = 0.299 * red + 0.587 * green + 0.114 * blue;
    }
    let dot = |a: &[f64; SIDE], b: &[f64; SIDE]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // First along the rows, then down the columns.
    let mut frequencies = [0.0; KEPT * KEPT];
    for (across, cosines) in COSINES.iter().enumerate() {
        let column: [f64; SIDE] = std::array::from_fn(|y| dot(&grey[y], cosines));
        for (down, cosines) in COSINES.iter().enumerate() {
            frequencies[down * KEPT + across] = dot(&column, cosines);
        }
    }
    let mut sorted = frequencies;
    sorted.sort_by(f64::total_cmp);
    if sorted[KEPT * KEPT - 1] - sorted[0] < STILL * SIDE as f64 {
        return 0;
    }
    let median = (sorted[KEPT * KEPT / 2 - 1] + sorted[KEPT * KEPT / 2]) / 2.0;
    let bit = |(at, &value): (usize, &f64)| u64::from(value > median) << at;
    frequencies.iter().enumerate().map(bit).sum()
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;
    use rebus_collection::synth;

    use super::*;
    use crate::decode;

    fn differ(a: u64, b: u64) -> u32 {
        (a ^ b).count_ones()
    }

    #[test]
    fn copies_are_near_and_others_far() {
        let pictures: Vec<Picture> = (0..40).map(|k| synth::specimen(3, k).picture).collect();
        let bits: Vec<u64> = pictures.iter().map(likeness).collect();
        for (picture, &whole) in pictures.iter().zip(&bits) {
            let half = imageops::thumbnail(picture, picture.width() / 2, picture.height() / 2);
            let mut jpeg = Vec::new();
            half.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, 40)).unwrap();
            let copy = likeness(&decode(&jpeg, "copy").unwrap());
            assert!(differ(whole, copy) <= 6, "{}", differ(whole, copy));
        }
        let mut nearest: Vec<u32> = Vec::new();
        for (at, &a) in bits.iter().enumerate() {
            nearest.extend(bits[..at].iter().map(|&b| differ(a, b)));
        }
        nearest.sort_unstable();
        // Of 780 pairs of different pictures hardly any is as near as a copy.
        assert!(nearest[8] > 6, "{:?}", &nearest[..10]);
    }

    #[test]
    fn of_one_colour_there_is_nothing_to_say() {
        for grey in [0, 90, 255] {
            assert_eq!(likeness(&Picture::from_pixel(50, 40, image::Rgb([grey; 3]))), 0);
        }
        assert_eq!(likeness(&Picture::from_pixel(1, 1, image::Rgb([7, 80, 3]))), 0);
    }
}
