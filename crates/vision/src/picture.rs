//! Decoding: from a file to upright RGB pixels.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageReader, Limits, RgbImage};
use rebus_collection::photo::examine::{CUT, EMPTY, is_cut};
use rebus_collection::{ImageSource, Item};

use crate::{Error, Result};

/// A decoded picture: RGB, eight bits, upright.
pub type Picture = RgbImage;

/// The most pixels a picture may have: above any camera, below what fills the memory.
pub const MOST_PIXELS: u64 = 200_000_000;

/// Reads and decodes a picture file.
///
/// # Errors
/// If it cannot be read or decoded, naming the path.
pub fn open(path: &Path) -> Result<Picture> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => decode(&bytes, &name),
        Err(source) => Err(Error::Io { name, source }),
    }
}

/// The bytes of an item's picture, and what to call it in an error.
///
/// # Errors
/// If the picture is not at hand or cannot be read.
pub fn bytes(item: &Item) -> Result<(Vec<u8>, String)> {
    match &item.image {
        ImageSource::Absent => Err(Error::Absent { item: item.id.clone() }),
        ImageSource::Bytes(bytes) => Ok((bytes.to_vec(), item.id.to_string())),
        ImageSource::File(path) => {
            let name = path.display().to_string();
            match std::fs::read(path) {
                Ok(bytes) => Ok((bytes, name)),
                Err(source) => Err(Error::Io { name, source }),
            }
        }
    }
}

/// Decodes a picture from its bytes: turned upright as its metadata say, transparent parts on
/// white. `name` is for errors.
///
/// # Errors
/// If the bytes are no picture, or only a part of one, or it has more than [`MOST_PIXELS`].
pub fn decode(bytes: &[u8], name: &str) -> Result<Picture> {
    decode_within(bytes, name, MOST_PIXELS)
}

/// As [`decode`], for a picture that may have at most so many pixels. Its header is asked before
/// anything is decoded.
///
/// # Errors
/// If the bytes are no picture, or it has more pixels than `most`.
pub fn decode_within(bytes: &[u8], name: &str, most: u64) -> Result<Picture> {
    let undecodable = |what: &dyn std::fmt::Display| Error::Undecodable {
        name: name.into(),
        what: what.to_string(),
    };
    if bytes.is_empty() {
        return Err(undecodable(&EMPTY));
    }
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| undecodable(&e))?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(most * 8);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|e| undecodable(&e))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > most {
        return Err(Error::TooLarge { name: name.into(), width, height, limit: most });
    }
    if width == 0 || height == 0 {
        return Err(undecodable(&"it has no pixels"));
    }
    if is_cut(bytes) {
        return Err(undecodable(&CUT));
    }
    let orientation = decoder.orientation().map_err(|e| undecodable(&e))?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|e| undecodable(&e))?;
    picture.apply_orientation(orientation);
    Ok(if picture.color().has_alpha() { on_white(&picture) } else { picture.into_rgb8() })
}

fn on_white(picture: &DynamicImage) -> Picture {
    let pixels = picture.to_rgba8();
    let mut flat = Picture::new(pixels.width(), pixels.height());
    for (to, from) in flat.pixels_mut().zip(pixels.pixels()) {
        let [r, g, b, a] = from.0.map(u32::from);
        to.0 = [r, g, b].map(|v| ((v * a + 255 * (255 - a) + 127) / 255) as u8);
    }
    flat
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgba, RgbaImage};

    use super::*;

    fn png(picture: &DynamicImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn transparent_is_white() {
        let clear = RgbaImage::from_pixel(3, 2, Rgba([10, 20, 30, 0]));
        let picture = decode(&png(&clear.into()), "clear").unwrap();
        assert_eq!(picture.dimensions(), (3, 2));
        assert!(picture.pixels().all(|pixel| pixel.0 == [255; 3]));
    }

    #[test]
    fn every_way_to_say_a_colour_gives_the_colour() {
        let grey = image::GrayImage::from_pixel(3, 2, image::Luma([77]));
        assert_eq!(decode(&png(&grey.into()), "grey").unwrap().get_pixel(2, 1).0, [77; 3]);
        let deep: image::ImageBuffer<image::Rgb<u16>, Vec<u16>> =
            image::ImageBuffer::from_pixel(2, 2, image::Rgb([0, 200 * 257, 65535]));
        assert_eq!(decode(&png(&deep.into()), "deep").unwrap().get_pixel(0, 0).0, [0, 200, 255]);
        // Inks for print: red on the left and cyan on the right, as Pillow reads them.
        let cmyk = decode(include_bytes!("../tests/pictures/cmyk.jpg"), "cmyk.jpg").unwrap();
        for (x, want) in [(0, [226, 49, 49]), (15, [49, 226, 226])] {
            let got = cmyk.get_pixel(x, 4).0;
            let near = got.iter().zip(want).all(|(&got, want)| got.abs_diff(want) <= 2);
            assert!(near, "{x}: {got:?}, not {want:?}");
        }
    }

    #[test]
    fn a_torn_jpeg_is_an_error() {
        let whole = RgbImage::from_fn(40, 30, |x, y| image::Rgb([x as u8 * 6, y as u8 * 8, 99]));
        let mut bytes = Cursor::new(Vec::new());
        whole.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
        let bytes = bytes.into_inner();
        for end in 0..bytes.len() {
            let error = decode(&bytes[..end], "torn.jpg").unwrap_err().to_string();
            assert!(error.starts_with("torn.jpg: "), "{error}");
        }
    }

    #[test]
    fn broken_pictures_are_named() {
        let whole = png(&RgbImage::new(4, 4).into());
        for end in 0..whole.len() - 12 {
            let error = decode(&whole[..end], "torn.png").unwrap_err().to_string();
            assert!(error.starts_with("torn.png: "), "{error}");
        }
        assert!(open(Path::new("no/such.png")).unwrap_err().to_string().contains("no/such.png"));
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_decoded() {
        // The headers of a PNG and a JPEG that claim 20,000 x 20,000 pixels and more.
        let mut bytes = png(&RgbImage::new(1, 1).into());
        bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        assert!(decode(&bytes, "bomb.png").is_err());
        let mut jpeg = Cursor::new(Vec::new());
        RgbImage::new(8, 8).write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
        let mut bytes = jpeg.into_inner();
        let frame = bytes.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
        bytes[frame + 5..frame + 9].copy_from_slice(&[0x4e, 0x20, 0x4e, 0x20]);
        let error = decode(&bytes, "bomb.jpg").unwrap_err();
        assert!(matches!(error, Error::TooLarge { width: 20_000, height: 20_000, .. }), "{error}");
        let plain = png(&RgbImage::new(40, 30).into());
        assert!(decode_within(&plain, "plain.png", 1200).is_ok());
        assert!(matches!(decode_within(&plain, "a.png", 1199), Err(Error::TooLarge { .. })));
    }
}
